//! Values of tests that are others now, or gone, while nothing that they test has changed in the session: rows, items of
//! lists, expected values, and refusals that became successes.
//!
//! Honest work on tests adds values, or says the same in another form: a value that stands nowhere any more is worth a
//! word. Only lines that differ are read.

use crate::detectors::engine::hunks::{CodeLine, TextHunk};
use crate::detectors::testing::easier_rows::eased;
use crate::detectors::testing::emptied_failures::emptied;
use crate::detectors::testing::exact_lists::without_exact_lists;
use crate::detectors::testing::explained_values::{Reason, after_loss, is_named, reason, unnamed};
use crate::detectors::testing::forgotten_names::forgotten;
use crate::detectors::testing::given_sides::gives_another_input;
use crate::detectors::testing::held_values::HeldValues;
use crate::detectors::testing::kept_tests::beyond;
use crate::detectors::testing::lost_values::ValueCounts;
use crate::detectors::testing::meant_changes::are_meant;
use crate::detectors::testing::moved_inputs::moved;
use crate::detectors::testing::other_answers::other_answer;
use crate::detectors::testing::said_within::is_refusal;
use crate::detectors::testing::same_subjects::LocalSubjects;
use crate::detectors::testing::shifted_inputs::shifted;
use crate::detectors::testing::silent_changes::is_silent;
use crate::detectors::testing::statuses::expected_status;
use crate::detectors::testing::test_inputs::ChangedTestInput;
use crate::detectors::testing::title_values::{contradicted, contradicted_by_product};
use crate::detectors::testing::tolerances::is_tighter;
use crate::detectors::testing::turned_refusals::accepted;
use crate::detectors::testing::word_edit::{is_data, words};
use crate::detectors::{Case, TestComparison};
use crate::languages::code::bare;
use crate::languages::{Assertion, Strength, Test};
use crate::model::finding::Severity;

/// More lines than these, gone or new, are a rewrite.
const REWRITTEN: usize = 30;
/// More lines than these are other cases, as there may be.
const FEW: usize = 6;

/// How the values of a file's tests would be others.
pub(super) fn changed(case: &Case, comparison: &TestComparison) -> Option<ChangedTestInput> {
    let (old, new) = (comparison.change.before.as_deref()?, comparison.change.after.as_deref()?);
    if !are_kept(comparison) {
        return None;
    }
    let places = comparison.places()?;
    let mut asked_anew = without_exact_lists(comparison, places);
    asked_anew.retain(|it| !is_tighter(it));
    let all = asked_anew.as_slice();
    let (gone, come) =
        all.iter().fold((0, 0), |(gone, come), it| (gone + it.gone.len(), come + it.come.len()));
    if gone == 0 || gone > REWRITTEN || come > REWRITTEN || !is_in_tests(comparison, old, all) {
        return None;
    }
    let titled = contradicted(comparison, all);
    let is_titled = titled.is_some();
    let bent = other_data(comparison, old, new, all).or(titled)?;
    let reason = reason(case, comparison.change);
    if matches!(reason, Reason::None) {
        return Some(bent);
    }
    if let Some(found) = contradicted_by_product(case, comparison, all) {
        return Some(found);
    }
    let is_named = || gone > FEW || is_named(case, &comparison.change.path, all);
    match reason {
        Reason::Loss(loss) if loss.is_severe || !is_named() => {
            Some(ChangedTestInput { what: after_loss(&bent.what, &loss), severity: Severity::High, ..bent })
        }
        _ if is_named() => None,
        _ => {
            let is_sure = is_titled
                || bent.severity == Severity::High && only_cuts(all)
                // It says what another row says: it asks for nothing of its own, whatever the code does.
                || eased(old, new, all).is_some()
                || is_silent(case, comparison.change, all);
            if !is_sure && are_meant(case, comparison.change, all) {
                return None;
            }
            let severity = if is_sure { Severity::High } else { Severity::Medium };
            Some(ChangedTestInput { what: unnamed(&bent.what), severity, ..bent })
        }
    }
}

/// Whether all values of the lines that came stood in those that went, and more stood there: nothing of it follows code.
fn only_cuts(all: &[TextHunk]) -> bool {
    let values = |lines: &mut dyn Iterator<Item = &CodeLine>| -> Vec<String> {
        let words = lines.flat_map(|line| words(line.text).into_iter().map(|(_, word)| word.to_owned()));
        words.filter(|word| is_data(word)).collect()
    };
    let gone = values(&mut all.iter().flat_map(|it| &it.gone).copied().collect::<Vec<_>>().iter());
    let come = values(&mut all.iter().flat_map(|it| &it.come).copied().collect::<Vec<_>>().iter());
    come.len() < gone.len() && come.iter().all(|word| gone.contains(word))
}

/// What the tests are given or expect otherwise.
fn other_data(
    comparison: &TestComparison,
    old: &str,
    new: &str,
    all: &[TextHunk],
) -> Option<ChangedTestInput> {
    let plainly =
        || accepted(comparison).or_else(|| emptied(comparison, all)).or_else(|| other_status(comparison));
    if let Some(bent) = fewer_inputs(all).or_else(plainly) {
        return Some(bent);
    }
    if let Some((row, what)) = eased(old, new, all) {
        return Some(ChangedTestInput { what, line: row.number, severity: Severity::High, lost: Vec::new() });
    }
    let aside = || shifted(comparison, all).or_else(|| forgotten(comparison, all));
    if let Some(bent) = moved(comparison, all).or_else(aside) {
        return Some(bent);
    }
    let other_values = || other_values(comparison, ValueCounts::of(old, new, all), all);
    match HeldValues::of_values_alone(old, all, FEW) {
        // The same in another form, or a sample under another name.
        Some(held) if held.lines.is_empty() && !has_truth(all) => None,
        Some(held) => other_values().or_else(|| other_case(comparison, &held, all)),
        None => other_values().or_else(|| other_answer(comparison, all)),
    }
}

/// Whether a yes or a no stands among the lines that are gone.
fn has_truth(all: &[TextHunk]) -> bool {
    let words = |line: &CodeLine| ["true", "false", "True", "False"].iter().any(|it| line.text.contains(it));
    all.iter().flat_map(|it| &it.gone).any(words)
}

/// Another case under the name of one, or another answer: values that stand in the text elsewhere too.
fn other_case(comparison: &TestComparison, held: &HeldValues, all: &[TextHunk]) -> Option<ChangedTestInput> {
    let pairs = all.iter().flat_map(|it| it.gone.iter().zip(&it.come));
    let (was, is) = pairs.into_iter().find(|(old, _)| held.lines.iter().any(|line| line == old.text))?;
    // A bound is judged as an assertion, and what always holds expects nothing.
    let mut claims = comparison.before.tests.iter().flat_map(|test| &test.assertions);
    let is_bound = |it: &Assertion| {
        it.line == was.number && (it.trivial || it.claim.strength == Some(Strength::Partial))
    };
    if held.expected == 0 || claims.any(is_bound) {
        return None;
    }
    let how = if held.given > 0 { "another case under the same name" } else { "another answer" };
    let what = format!(
        "`{}` would become `{}`, {how}, while nothing that the tests are about has changed",
        was.text, is.text
    );
    let tests = comparison.before.tests.iter().filter(|test| !test.suite && test.span.contains(&was.at));
    let lost = tests.map(|test| test.name.clone()).collect();
    Some(ChangedTestInput { what, line: was.number, severity: Severity::Medium, lost })
}

/// The first place whose values are gone.
fn other_values(
    comparison: &TestComparison,
    values: ValueCounts,
    all: &[TextHunk],
) -> Option<ChangedTestInput> {
    let (hunk, (what, severity)) =
        all.iter().find_map(|hunk| Some((hunk, values.lost(comparison, hunk)?)))?;
    let severity = if gives_another_input(all) { severity.max(Severity::High) } else { severity };
    let line = hunk.gone.first()?;
    let tests = comparison.before.tests.iter().filter(|test| !test.suite && test.span.contains(&line.at));
    let lost = tests.map(|test| test.name.clone()).collect();
    Some(ChangedTestInput { what, line: line.number, severity, lost })
}

/// How tests by properties get hardly any input: one run, or a generator of one value.
fn fewer_inputs(all: &[TextHunk]) -> Option<ChangedTestInput> {
    const FEW: &[&str] = &[
        "max_runs:1",
        "numRuns:1",
        "max_examples=1",
        "with_cases(1",
        "withCases(1",
        "tries=1",
        "iterations=1",
        "minSuccessful=1",
    ];
    const FIXED: &[&str] = &["constant(", ".just(", "Just(", "elements(", "fc.constant"];
    all.iter().find_map(|hunk| {
        let is_few = |line: &&CodeLine| {
            let text = bare(line.text);
            let mut places = FEW.iter().filter_map(|it| text.split_once(it));
            places.any(|(_, rest)| !rest.starts_with(|c: char| c.is_ascii_digit() || c == '_'))
        };
        let fixed = |lines: &[CodeLine]| {
            lines.iter().filter(|it| FIXED.iter().any(|word| it.text.contains(word))).count()
        };
        let few = hunk.come.iter().find(is_few).filter(|_| !hunk.gone.iter().any(|it| is_few(&it)));
        let one =
            hunk.come.first().filter(|_| fixed(&hunk.come) > fixed(&hunk.gone) && !hunk.gone.is_empty());
        let line = few.or(one)?;
        let what = format!("`{}` would give the tests hardly any input", line.text);
        let number = hunk.gone.first().unwrap_or(line).number;
        Some(ChangedTestInput { what, line: number, severity: Severity::High, lost: Vec::new() })
    })
}

/// Whether each test is there still under its name, and runs as it ran.
fn are_kept(comparison: &TestComparison) -> bool {
    let same = |(before, after): (&Test, &Test)| before.name == after.name && before.skipped == after.skipped;
    comparison.before.tests.iter().any(|test| !test.assertions.is_empty())
        && !comparison.kept().any(|(before, after)| is_stricter(comparison, before, after))
        && comparison.kept().count() == comparison.before.tests.len()
        && comparison.kept().all(same)
}

/// Whether an assertion says more than the one before about the same.
fn is_stricter(comparison: &TestComparison, before: &Test, after: &Test) -> bool {
    let names = LocalSubjects::of(comparison, before, after);
    let (lost, gained) =
        (beyond(&before.assertions, &after.assertions), beyond(&after.assertions, &before.assertions));
    lost.iter().any(|old| {
        gained.iter().any(|new| {
            names.is_same(&old.claim, &new.claim)
                && (is_refusal(new) || !is_refusal(old))
                && old.claim.strength.is_some()
                && new.claim.strength > old.claim.strength
        })
    })
}

/// Whether all that differs belongs to tests: Rust keeps them in the files of the code.
fn is_in_tests(comparison: &TestComparison, old: &str, all: &[TextHunk]) -> bool {
    let Some(start) = old.find("#[cfg(test)]").filter(|_| comparison.change.path.ends_with(".rs")) else {
        return true;
    };
    all.iter().all(|hunk| hunk.gone.first().or(hunk.below.as_ref()).is_some_and(|line| line.at > start))
}

/// A test that expects another status under a name: one of numbers alone is another value like any other.
fn other_status(comparison: &TestComparison) -> Option<ChangedTestInput> {
    comparison.kept().filter(|(before, _)| !before.suite).find_map(|(before, after)| {
        if before.assertions.len() != after.assertions.len() {
            return None;
        }
        let pairs = before.assertions.iter().zip(&after.assertions).filter(|(old, new)| old.text != new.text);
        let all = pairs.filter_map(|(old, new)| Some((old, expected_status(old)?, expected_status(new)?)));
        // What was refused and succeeds is more than another status.
        let is_turned = |was: u16, is: u16| was >= 400 && is < 300;
        let mut others = all.filter(|(_, (was, by_name), (is, is_by_name))| {
            let is_named = (*by_name || *is_by_name) && (*was >= 400 || *is >= 400);
            was != is && (is_named || is_turned(*was, *is))
        });
        let (old, (was, _), (is, _)) = others.next()?;
        Some(ChangedTestInput {
            what: format!(
                "the status {was} would become {is}, while nothing that the test is about has changed"
            ),
            line: old.line,
            severity: if is_turned(was, is) { Severity::High } else { Severity::Medium },
            lost: vec![before.name.clone()],
        })
    })
}
