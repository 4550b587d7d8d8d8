//! Tests that are rows of a new table now: a test under another name that asks the same of the same code with all their
//! values, and claims as much.

use std::collections::HashSet;

use crate::detectors::testing::assertion_weakening::real;
use crate::detectors::testing::parameter_rows::rows_of;
use crate::detectors::testing::row_loops::{is_looped_over, loops};
use crate::detectors::testing::test_lines::bound;
use crate::detectors::testing::word_edit::{each_word, is_name};
use crate::detectors::{Case, TestComparison};
use crate::languages::{Assertion, Test, is_test_path};
use crate::model::words::is_name_part;

/// The tables of a file that are new, or have more rows than before.
pub(super) struct NewTables<'t> {
    tables: Vec<RowTable<'t>>,
    grown: Vec<RowTable<'t>>,
    /// The words and numbers of all lines that come.
    come: HashSet<String>,
}

impl<'t> NewTables<'t> {
    pub(super) fn of(comparison: &'t TestComparison) -> Self {
        // One of the tests that became rows may give the table its name.
        let old = comparison.before.tests.iter().filter(|it| has_rows(it));
        let known: HashSet<&str> = old.map(|it| it.name.as_str()).collect();
        let (before, source) = (comparison.change.before.as_deref(), comparison.change.after.as_deref());
        let new = comparison.after.tests.iter().filter(|it| !known.contains(it.name.as_str()));
        let tables: Vec<RowTable> = new.filter_map(|it| RowTable::of(it, source)).collect();
        let has_more = |old: &Test, new: &Test| row_count(new, source) > row_count(old, before).max(1);
        let grown = comparison.kept().filter(|(old, new)| has_more(old, new));
        let grown: Vec<RowTable> = grown.filter_map(|(_, new)| RowTable::of(new, source)).collect();
        // The lines are read where there is a table for them.
        let has_none = tables.is_empty() && grown.is_empty();
        let come = if has_none { Vec::new() } else { parts(&lines_that_came(comparison)) };
        NewTables { tables, grown, come: come.into_iter().collect() }
    }

    /// Whether a lost test stands in one of them: of an old table, in lines that came.
    pub(super) fn have(&self, comparison: &TestComparison, old: &Test) -> bool {
        if self.tables.is_empty() && self.grown.is_empty() {
            return false;
        }
        let Some(lost) = LostRows::of(comparison, old) else { return false };
        let has_come = || lost.values.iter().all(|value| self.come.contains(value));
        let claims = |table: &RowTable| claims_as_much((old, &lost.text), table.test, table.text, 1);
        self.tables.iter().any(|table| lost.are_in(table, &self.come))
            || has_come() && self.grown.iter().any(claims)
    }
}

/// How many rows a table has.
fn row_count(test: &Test, source: Option<&str>) -> usize {
    let beside = rows_of(test, test.text_in(source), source).map_or(0, |(_, rows)| rows);
    test.cases.unwrap_or(0).max(beside)
}

/// Whether a lost test stands in a table that the session brought into another file of tests.
pub(super) fn is_in_rows_of_others(case: &Case, comparison: &TestComparison, old: &Test) -> bool {
    let Some(lost) = LostRows::of(comparison, old) else { return false };
    let others = case
        .all_changes()
        .filter(|it| it.path != comparison.change.path && is_test_path(&it.path) && it.before != it.after);
    others.into_iter().any(|other| {
        let outline = |text: &Option<String>| {
            case.read(&other.path, text.as_deref()?, |reading| reading.outline_at(&other.path))
        };
        let (before, Some(after)) = (outline(&other.before), outline(&other.after)) else { return false };
        let is_known = |new: &Test| before.iter().flat_map(|it| &it.tests).any(|it| it.name == new.name);
        let source = other.after.as_deref();
        let mut new = after.tests.iter().filter(|it| !is_known(it)).filter_map(|it| RowTable::of(it, source));
        new.any(|table| lost.are_in(&table, &HashSet::new()))
    })
}

fn has_rows(test: &Test) -> bool {
    test.looped || test.cases.is_some_and(|rows| rows > 1)
}

/// A test that runs and has rows: of its own, beside it, or in a loop.
struct RowTable<'t> {
    test: &'t Test,
    text: &'t str,
    /// How many rows stand beside it; 1 where none do.
    rows: usize,
    /// The words and numbers of the test and of the rows beside it.
    parts: HashSet<String>,
}

impl<'t> RowTable<'t> {
    /// A test as a table; `None` where it is none.
    fn of(test: &'t Test, source: Option<&'t str>) -> Option<Self> {
        let text = test.text_in(source);
        let beside = rows_of(test, text, source);
        let is_one = || {
            has_rows(test)
                || beside.is_some_and(|(_, rows)| rows > 1)
                || loops(text)
                || is_looped_over(source, test)
        };
        if test.suite || test.skipped.is_some() || !is_one() {
            return None;
        }
        let (outside, rows) = beside.unwrap_or(("", 1));
        let parts = parts(text).into_iter().chain(parts(outside)).collect();
        Some(RowTable { test, text, rows, parts })
    }
}

/// What a lost test gave and expected.
struct LostRows<'t> {
    test: &'t Test,
    text: String,
    values: Vec<String>,
}

impl<'t> LostRows<'t> {
    fn of(comparison: &TestComparison, test: &'t Test) -> Option<Self> {
        let text = without_messages(test.text_in(comparison.change.before.as_deref()));
        let values = Some(values_of(&text, test)).filter(|it| !it.is_empty());
        let values = values.unwrap_or_else(|| names_given(&text));
        let claims = real(test) > 0 || calls_helper(comparison, test);
        (!values.is_empty() && claims).then_some(LostRows { test, text, values })
    }

    /// Whether all of it stands in a table, in the rows beside it, or among the words that come, and is claimed there for
    /// each row.
    fn are_in(&self, table: &RowTable, come: &HashSet<String>) -> bool {
        let RowTable { test, text, rows, parts } = table;
        let has = |value: &str| parts.contains(value) || come.contains(value);
        let is_there = |value: &String| has(value) || is_next(value, has, text);
        self.values.iter().all(is_there) && claims_as_much((self.test, &self.text), test, text, *rows)
    }
}

/// All lines that a change brings.
fn lines_that_came(comparison: &TestComparison) -> String {
    let places = comparison.places().unwrap_or_default();
    places.iter().flat_map(|it| &it.come).map(|line| format!("{}\n", line.text)).collect()
}

/// The names that a test without a literal goes by, but for its own: `extremes(port, START, START)`.
fn names_given(text: &str) -> Vec<String> {
    const OF_THE_FORM: &[&str] = &[
        "with",
        "pytest",
        "raises",
        "self",
        "assert",
        "let",
        "val",
        "var",
        "const",
        "as",
        "list",
        "expect",
        "to",
        "raise_error",
        "not",
        "and",
        "in",
        "def",
        "fn",
        "fun",
        "func",
        "void",
        "async",
        "await",
        "do",
        "end",
        "throw",
        "new",
    ];
    let body: String = text.lines().skip(1).map(|line| format!("{line}\n")).collect();
    let is_given = |word: &&str| is_name(word) && word.len() > 1 && !OF_THE_FORM.contains(word);
    let names: Vec<String> =
        each_word(&body).map(|(_, word)| word).filter(is_given).flat_map(parts).collect();
    if names.len() > 2 { names } else { Vec::new() }
}

/// Whether a test only calls a function of the file that asserts.
fn calls_helper(comparison: &TestComparison, test: &Test) -> bool {
    let is_called = |name: &str| test.body.mentions(name.rsplit(['.', ':', '>', ' ']).next().unwrap_or(name));
    comparison.before.strays.iter().any(|it| it.assertions > 0 && is_called(&it.name))
}

/// Whether a number is worked out of the one beside it: `allowed + 1`.
fn is_next(value: &str, is_there: impl Fn(&str) -> bool, text: &str) -> bool {
    let Ok(number) = value.parse::<i64>() else { return false };
    let has = |it: Option<i64>| it.is_some_and(|it| is_there(&it.to_string()));
    text.contains(" + 1") && has(number.checked_sub(1)) || text.contains(" - 1") && has(number.checked_add(1))
}

/// Whether each claim of a test has one in another, for each of its rows, that is as strong and about the same call.
fn claims_as_much((old, own): (&Test, &str), new: &Test, text: &str, rows: usize) -> bool {
    // What a name was given is what it stands for.
    let given = |subject: &str| {
        let name = subject.split(|c: char| !is_name_part(c)).next().filter(|it| !it.is_empty())?;
        own.lines().filter_map(bound).find(|(it, _)| *it == name).map(|(_, value)| value)
    };
    let is_kept = |it: &Assertion| {
        let asked = asked(&it.claim.subject).or_else(|| given(&it.claim.subject).and_then(asked));
        let own = without_messages(&it.text);
        // What is no call has the same words: `w.Code` and the status that it is to be. A text is a value of its row.
        let mut words = each_word(&own).map(|(_, word)| word).filter(|word| !is_of_the_asking(word));
        let has_all = || words.all(|word| text.contains(word)) && (!compares(&own) || compares_text(new));
        let is_asked = asked.map_or_else(has_all, |name| text.contains(&format!("{name}(")));
        let is_error = it.claim.subject == "raise";
        let is_as_strong = |other: &Assertion| {
            (other.claim.subject == "raise") == is_error
                && other.claim.strength >= it.claim.strength
                && other.claim.negated <= it.claim.negated
                && !other.trivial
                && !other.swallowed
        };
        (is_asked || is_error) && new.assertions.iter().any(is_as_strong)
    };
    real(new) * rows >= real(old) && old.assertions.iter().filter(|it| !it.trivial).all(is_kept)
}

/// What a branch of Go asks of a text, and of an error.
const COMPARING: &[&str] = &["strings", "Contains", "HasPrefix", "HasSuffix", "errors", "Is", "As", "Error"];

/// Whether a word of an assertion belongs to how it asks, or is a text.
fn is_of_the_asking(word: &str) -> bool {
    COMPARING.contains(&word) || word.starts_with(['"', '`'])
}

/// Whether an assertion asks what a text says.
fn compares(text: &str) -> bool {
    ["strings.", "errors.Is(", ".Error()=="].iter().any(|it| text.contains(it))
}

/// Whether a test asks what a text of its row says: `err.Error() != tt.wantErr`.
fn compares_text(test: &Test) -> bool {
    const WAYS: &[&str] =
        &["strings.", ".Error()!=", "errors.Is(", "EqualError(", "ErrorContains(", "ErrorIs("];
    test.assertions.iter().any(|it| !it.trivial && WAYS.iter().any(|way| it.text.contains(way)))
}

/// A text without what Go's tests say when they fail: `t.Fatalf("want …")`.
pub(super) fn without_messages(text: &str) -> String {
    const FAILING: &[&str] = &["t.Fatalf(", "t.Errorf(", "t.Fatal(", "t.Error("];
    let line = |line: &str| {
        let starts = FAILING.iter().filter_map(|it| line.find(it));
        let is_word = |at: &usize| !line.get(..*at).is_some_and(|head| head.ends_with(is_name_part));
        let start = starts.filter(is_word).min();
        line.get(..start.unwrap_or(line.len())).unwrap_or_default().to_owned()
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// The function that a subject calls first.
fn asked(subject: &str) -> Option<&str> {
    let head = subject.get(..subject.find('(')?)?;
    let start = head.rfind(|c: char| !is_name_part(c)).map_or(0, |at| at + 1);
    head.get(start..).filter(|name| name.len() > 2)
}

/// What a test's literals are made of; its name is none of them.
fn values_of(text: &str, test: &Test) -> Vec<String> {
    let title = test.title.trim_matches(['"', '\'', '`']);
    let is_value =
        |word: &&str| word.starts_with(['"', '\'', '`']) || word.starts_with(|c: char| c.is_ascii_digit());
    let literals = each_word(text).map(|(_, word)| word).filter(is_value);
    literals.filter(|word| word.trim_matches(['"', '\'', '`']) != title).flat_map(parts).collect()
}

/// The words and numbers of a text: `2024-05-01` and `2024, 5, 1` are made of the same.
fn parts(text: &str) -> Vec<String> {
    let whole = without_zeros(text);
    let all = whole.split(|c: char| !c.is_alphanumeric()).filter(|it| !it.is_empty());
    all.map(|it| match without_type(it).trim_start_matches('0') {
        "" => "0".to_owned(),
        rest if it.starts_with(|c: char| c.is_ascii_digit()) => rest.to_owned(),
        _ => it.to_owned(),
    })
    .collect()
}

/// A text with `91` where it has `91.0`.
fn without_zeros(text: &str) -> String {
    const ZEROS: &str = ".0";
    let is_digit = |c: char| c.is_ascii_digit();
    let (mut whole, mut rest) = (String::with_capacity(text.len()), text);
    while let Some((head, tail)) = rest.split_once(ZEROS) {
        whole.push_str(head);
        if !whole.ends_with(is_digit) || tail.starts_with(is_digit) {
            whole.push_str(ZEROS);
        }
        rest = tail;
    }
    whole + rest
}

/// A number without the letters of its type: `14L`, `22m`, `3u32`.
fn without_type(word: &str) -> &str {
    let digits = word.len() - word.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, rest) = word.split_at(digits);
    let is_type = matches!(rest, "L" | "l" | "m" | "M" | "f" | "F" | "d" | "D" | "u" | "U" | "n")
        || rest
            .strip_prefix(['i', 'u', 'f'])
            .is_some_and(|it| matches!(it, "8" | "16" | "32" | "64" | "size"));
    if digits > 0 && is_type { number } else { word }
}
