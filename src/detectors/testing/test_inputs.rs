//! What tests are given, changed while what they expect stays: a hard value made easy, an item taken out of a list, a
//! record supplied that was to be missing.
//!
//! The words of both texts are compared. Only a change of data is read: names and calls stay as they were.

use crate::detectors::testing::explained_values::{Reason, after_loss, reason};
use crate::detectors::testing::word_edit::{Edit, is_data, is_name, is_sign, line_at, words};
use crate::detectors::{Case, TestComparison};
use crate::languages::{Assertion, Body, Test};
use crate::model::finding::Severity;

/// Words of lines that say when and where a test runs, and not what it is given.
const SURROUNDINGS: &[&str] = &[
    "sleep", "timeout", "wait", "delay", "interval", "retry", "retries", "port", "seed", "tmp", "path",
    "message", "msg", "describe", "title", "desc", "comment", "url", "host", "version", "import", "require",
    "include", "workers", "log", "debug", "locale", "tz", "want", "wants", "wanted", "expected", "exp",
    "output", "golden",
];
/// Words of tests that something is refused or missing.
const REFUSING: &[&str] = &[
    "refus",
    "reject",
    "invalid",
    "bad",
    "error",
    "fail",
    "missing",
    "unknown",
    "nonsense",
    "malformed",
    "raise",
    "throw",
    "denied",
    "forbid",
    "not_found",
    "notfound",
    "not found",
    "nothing",
    "expired",
    "conflict",
    "duplicate",
    "limit",
    "empty",
    "no_",
    "none",
    "404",
    "409",
    "absent",
];

/// A change of what tests are given.
pub(super) struct ChangedTestInput {
    pub(super) what: String,
    pub(super) line: u32,
    pub(super) severity: Severity,
    /// The tests, by name.
    pub(super) lost: Vec<String>,
}

/// How the inputs of a file's tests would be made harmless.
pub(super) fn bent(case: &Case, comparison: &TestComparison) -> Option<ChangedTestInput> {
    let (old, new) = (comparison.change.before.as_deref()?, comparison.change.after.as_deref()?);
    if !are_the_same_tests(comparison) {
        return None;
    }
    let edit = Edit::of(old, new)?;
    let (line, text) = line_at(old, edit.start);
    // What stands in front of the data says what it is for.
    let head = old.get(..edit.start).and_then(|head| head.rsplit('\n').next()).unwrap_or_default();
    let is_remark = ["//", "#", "*", "--", "\"\"\""].iter().any(|mark| text.trim_start().starts_with(mark));
    // `if got != 12`: what a value is compared with is expected.
    let is_compared = ["==", "!=", "<", ">", "<=", ">="].iter().any(|sign| head.trim_end().ends_with(sign));
    if is_surrounding(head) || is_remark || is_compared {
        return None;
    }
    let tests = concerned(comparison, &edit);
    if tests.is_empty() || tests.iter().any(|test| is_expectation(test, old, &edit)) {
        return None;
    }
    let (how, severity) = edit.loss(old, new, &tests)?;
    let (how, severity) = match reason(case, comparison.change) {
        Reason::None => (how, severity),
        Reason::Loss(loss) => (after_loss(&how, &loss), Severity::High),
        Reason::Change => return None,
    };
    let lost = tests.iter().filter(|test| !test.suite).map(|test| test.name.clone()).collect();
    Some(ChangedTestInput { what: how, line, severity, lost })
}

/// Whether a text in front of a value says that it is about when and where a test runs, or what is expected.
pub(super) fn is_surrounding(head: &str) -> bool {
    words(head).iter().filter(|(_, word)| !is_data(word)).any(|(_, word)| {
        let mut parts = word.split('_').map(str::to_lowercase);
        parts.any(|part| SURROUNDINGS.contains(&part.as_str()))
    })
}

/// Whether each test is still there, and claims what it claimed: only what it claims it about may differ.
fn are_the_same_tests(comparison: &TestComparison) -> bool {
    let same = |(before, after): (&Test, &Test)| {
        let claims = |test: &Test| -> Vec<(String, String, bool)> {
            let of = |it: &Assertion| (it.claim.matcher.clone(), it.claim.expected.clone(), it.swallowed);
            test.assertions.iter().map(of).collect()
        };
        before.name == after.name && before.skipped == after.skipped && claims(before) == claims(after)
    };
    comparison.before.tests.len() == comparison.after.tests.len()
        && comparison.kept().count() == comparison.before.tests.len()
        && comparison.kept().all(same)
}

/// The tests that an edit is about: the one that it stands in, or all where it stands outside of them.
fn concerned<'c>(comparison: &'c TestComparison, edit: &Edit) -> Vec<&'c Test> {
    let tests = comparison.before.tests.iter().filter(|test| !test.suite && test.skipped.is_none());
    let tests: Vec<&Test> = tests.filter(|test| !test.assertions.is_empty()).collect();
    let around: Vec<&Test> = tests.iter().copied().filter(|test| test.span.contains(&edit.start)).collect();
    let is_title = around.iter().any(|test| test.title_span.contains(&edit.start));
    match (is_title, around.is_empty()) {
        (true, _) => Vec::new(),
        (false, false) => around,
        (false, true) => tests,
    }
}

/// Whether the edit stands in what an assertion expects, or in the last value of a row, which is what a table expects.
fn is_expectation(test: &Test, old: &str, edit: &Edit) -> bool {
    let rest = old.get(edit.end..).unwrap_or_default();
    let tail = rest.trim_start();
    // A row of a table of several rows: `("a", 1),`.
    let is_row = test.cases.is_some_and(|rows| rows > 1)
        || tail.starts_with("),\n")
        || tail.starts_with("],\n")
        || tail.starts_with("},\n");
    let head = old.get(..edit.start).unwrap_or_default();
    let own_line = head.rsplit('\n').next().unwrap_or_default();
    is_row && tail.starts_with([')', ']', '}']) && own_line.contains(',') && edit.gone.len() == 1
}

impl Edit<'_> {
    /// How the tests are given less, and how bad that is.
    fn loss(&self, old: &str, new: &str, tests: &[&Test]) -> Option<(String, Severity)> {
        let sign = match (&self.gone[..], &self.come[..]) {
            (["-"], []) => Some("lose its sign"),
            ([], ["-"]) => Some("become negative"),
            _ => None,
        };
        if let Some(how) = sign {
            let severity =
                if tests.iter().any(|test| is_refusing(test)) { Severity::High } else { Severity::Medium };
            return Some((format!("an input would {how}, and what is expected stays"), severity));
        }
        let data = |all: &[&str]| all.iter().all(|word| is_data(word) || is_sign(word));
        if self.come.is_empty() || self.come.iter().all(|word| is_sign(word)) {
            return self.items_gone(old, new, tests);
        }
        if self.gone.iter().all(|word| is_sign(word)) {
            return self.supplied(tests);
        }
        if !data(&self.gone) || !data(&self.come) {
            return self.other_unit();
        }
        let pairs: Vec<(&str, &str)> =
            self.gone.iter().zip(&self.come).map(|(a, b)| (*a, *b)).filter(|(a, b)| a != b).collect();
        let is_operator = pairs.iter().any(|(was, is)| is_sign(was) || is_sign(is));
        if self.gone.len() != self.come.len() || is_operator || pairs.is_empty() || pairs.len() > 4 {
            return None;
        }
        let told = |(was, is): &(&str, &str)| {
            format!("the input {was} would become {is}, and what is expected stays")
        };
        // What another test gives as good is given where something is to be refused.
        let is_refused = !tests.is_empty() && tests.iter().all(|test| is_refusing(test));
        let is_known = |word: &str| word.len() > 3 && old.matches(word).count() > 0;
        let pair = pairs.iter().find(|(was, is)| {
            is_made_easy(was, is)
                || is_refused && is.starts_with(['"', '\'']) && is_known(is) && !is_known_twice(old, was)
        });
        if let Some(pair) = pair {
            return Some((told(pair), Severity::High));
        }
        let moved = pairs.iter().find(|(was, is)| is_far(was, is))?;
        // Nothing has no effect on what is expected.
        let is_nothing = matches!(moved.1.trim_matches(['"', '\'']), "0" | "0.0" | "0.00");
        Some((told(moved), if is_nothing { Severity::High } else { Severity::Medium }))
    }

    /// Items that are gone from a list of what the tests are given.
    fn items_gone(&self, old: &str, new: &str, tests: &[&Test]) -> Option<(String, Severity)> {
        let first = self.gone.iter().find(|word| !is_sign(word))?;
        let head = old.get(..self.start).unwrap_or_default().trim_end();
        if ["def", "fn", "func", "fun", "function"].iter().any(|word| head.ends_with(word)) {
            // A function of the tests' own is no input.
            return None;
        }
        let in_list = self.gone.contains(&",") || self.come.contains(&"]");
        let is_item = self.gone.iter().all(|word| is_data(word) || is_sign(word) || is_name(word));
        if !in_list
            || !is_item
            || self
                .gone
                .iter()
                .any(|word| word.contains("assert") || *word == "(" && !self.gone.contains(&")"))
        {
            return None;
        }
        let count = |text: &str| words(text).iter().filter(|(_, word)| word == first).count();
        // What was made for the test is still made, and given to nobody.
        let is_left_over = is_name(first) && count(new) == 1 && count(old) == 2;
        let is_called_so = tests.iter().any(|test| is_refusing(test));
        let what = format!("`{first}` would not be given to the tests any more, and what they expect stays");
        // One may be said twice; several at once leave the test with what is easy.
        let is_several = self.gone.iter().filter(|word| is_data(word)).count() > 1;
        match (is_left_over, is_data(first) && is_called_so) {
            (true, _) => Some((what, Severity::High)),
            (_, true) if is_several => Some((what, Severity::High)),
            (_, true) => Some((what, Severity::Medium)),
            _ => None,
        }
    }

    /// Something supplied that a test says is missing.
    fn supplied(&self, tests: &[&Test]) -> Option<(String, Severity)> {
        let literal = self.come.iter().find(|word| word.starts_with(['"', '\'']) && word.len() > 2)?;
        let says = |test: &&&Test| {
            let bare = literal.trim_matches(['"', '\'', '`']);
            let mut asked = Body::default();
            asked.literal(bare);
            asked.seal();
            is_refusing(test) && asked.literals_within(&test.body) >= 1.0
        };
        let test = tests.iter().find(says)?;
        let what =
            format!("`{}` says that something is missing, and {literal} would be supplied", test.title);
        Some((what, Severity::High))
    }

    /// A time or a size in another unit: `500 * time.Millisecond` becomes `time.Hour`.
    fn other_unit(&self) -> Option<(String, Severity)> {
        let size = |all: &[&str]| all.iter().find_map(|word| unit(word));
        let (was, is) = (size(&self.gone)?, size(&self.come)?);
        let small = self.gone.len() <= 6 && self.come.len() <= 6;
        let what = format!(
            "the input `{}` would become `{}`, and what is expected stays",
            self.gone.join(" "),
            self.come.join(" ")
        );
        let severity = if is.abs_diff(was) > 1 { Severity::High } else { Severity::Medium };
        (was != is && small).then_some((what, severity))
    }
}

/// Whether a test says by its name that something is refused or missing, or asserts an error.
pub(super) fn is_refusing(test: &Test) -> bool {
    let name = test.name.to_lowercase();
    REFUSING.iter().any(|word| name.contains(word))
        || test.assertions.iter().any(|it| it.claim.subject == "raise")
}

/// The order of a unit of time or size, by its name.
pub(super) fn unit(word: &str) -> Option<u8> {
    const UNITS: &[&[&str]] = &[
        &["nanosecond", "nanoseconds", "nanos", "from_nanos", "ns"],
        &["microsecond", "microseconds", "micros", "from_micros"],
        &["millisecond", "milliseconds", "millis", "from_millis", "ofmillis", "ms"],
        &["second", "seconds", "from_secs", "ofseconds", "secs"],
        &["minute", "minutes", "ofminutes"],
        &["hour", "hours", "ofhours"],
        &["day", "days", "ofdays"],
        &["week", "weeks", "ofweeks"],
        &["month", "months"],
        &["year", "years"],
    ];
    let lower = word.to_lowercase();
    let bare = ["plus", "minus", "add", "of", "in"].iter().find_map(|head| lower.strip_prefix(head));
    let bare = bare.unwrap_or(&lower).trim_start_matches('_');
    let at = UNITS.iter().position(|names| names.contains(&bare) || names.contains(&lower.as_str()))?;
    u8::try_from(at).ok()
}

/// Whether a text lost what made it hard: signs, space, letters beyond ASCII, or most of its length.
fn is_made_easy(was: &str, is: &str) -> bool {
    let (was, is) = (was.trim_matches(['"', '\'', '`']), is.trim_matches(['"', '\'', '`']));
    let mut rest = was.chars();
    let is_part = is.chars().all(|c| rest.any(|other| other.eq_ignore_ascii_case(&c)));
    let hard = |text: &str| text.chars().filter(|c| !c.is_ascii_alphanumeric()).count();
    let is_text = was.parse::<f64>().is_err() || is.parse::<f64>().is_err();
    is_text && was.len() > is.len() && is_part && (hard(was) > hard(is) || is.is_empty())
}

fn is_known_twice(text: &str, word: &str) -> bool {
    text.matches(word).count() > 1
}

/// Whether a value is another by much: a number by twice, a sign, a text of another kind.
fn is_far(was: &str, is: &str) -> bool {
    let number = |text: &str| text.replace('_', "").trim_matches(['"', '\'']).parse::<f64>().ok();
    if let (Some(was), Some(is)) = (number(was), number(is)) {
        return was.signum() != is.signum() || is.abs() > was.abs() * 2.0 || is.abs() * 2.0 < was.abs();
    }
    let hard = |text: &str| {
        text.trim_matches(['"', '\'', '`']).chars().any(|c| !c.is_ascii_alphanumeric() && c != ' ')
    };
    hard(was) && !hard(is)
}
