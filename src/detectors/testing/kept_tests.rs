//! Tests that are there before and after: which of them are judged, and how their assertions are shown.

use std::collections::HashSet;

use crate::detectors::testing::assertion_weakening::real;
use crate::detectors::{Detector, TestComparison, names};
use crate::languages::code::as_written;
use crate::languages::{Assertion, Test};
use crate::model::counted;
use crate::model::finding::{Finding, Severity};

/// How much of an assertion is shown, letters.
const SHOWN: usize = 80;

/// The tests that run before and after, and are no other detector's business.
pub(super) fn judged<'c>(comparison: &'c TestComparison) -> impl Iterator<Item = (&'c Test, &'c Test)> {
    comparison.kept().filter(|(before, after)| {
        let runs = after.skipped.is_none() || after.skipped == before.skipped;
        runs && !before.suite && real(before) > 0
    })
}
/// How a test asserts less: how grave that is, the line, and the words.
pub(super) type AssertionLoss = (Severity, u32, String);

pub(super) fn finding(
    detector: &Detector,
    comparison: &TestComparison,
    test: &Test,
    line: u32,
    what: String,
) -> Finding {
    let mut finding = detector.finding(&comparison.change.path, what);
    finding.line = Some(line);
    finding.lost = names(&[test]);
    finding.confidence = 0.85;
    finding
}

/// What of `all` is not in `known`, as often as it is there.
pub(super) fn beyond<'t>(all: &'t [Assertion], known: &[Assertion]) -> Vec<&'t Assertion> {
    // Most tests are as they were.
    if all.len() == known.len() && all.iter().zip(known).all(|(one, other)| one.text == other.text) {
        return Vec::new();
    }
    counted::beyond(all, known.iter().map(|it| it.text.as_str()), |it| it.text.as_str())
}

/// How often an assertion stands in tests.
pub(super) fn count<'t>(tests: impl IntoIterator<Item = &'t Test>, text: &str) -> usize {
    let all = tests.into_iter().filter(|test| !test.suite).flat_map(|test| &test.assertions);
    all.filter(|it| it.text == text).count()
}

/// The tests after without those that are new and say what another says already: a copy carries nothing over.
pub(super) fn own_tests<'c>(comparison: &'c TestComparison) -> impl Iterator<Item = &'c Test> {
    let (before, after) = (&comparison.before.tests, &comparison.after.tests);
    let known: HashSet<&str> = before.iter().map(|test| test.name.as_str()).collect();
    after.iter().filter(move |test| {
        let mut twins = before.iter().filter(|old| old.body == test.body && !old.body.is_empty());
        known.contains(test.name.as_str()) || !twins.any(|old| after.iter().any(|new| new.name == old.name))
    })
}

/// An assertion of before, as it is written there.
pub(super) fn in_before(comparison: &TestComparison, assertion: &Assertion) -> String {
    written(comparison.change.before.as_deref(), assertion.line, &assertion.text)
}

/// An assertion of after, as it is written there.
pub(super) fn in_after(comparison: &TestComparison, assertion: &Assertion) -> String {
    written(comparison.change.after.as_deref(), assertion.line, &assertion.text)
}

pub(super) fn written(source: Option<&str>, line: u32, text: &str) -> String {
    as_written(source, line, text).chars().take(SHOWN).collect()
}

/// Whether the tests of the file assert the same as often as before.
pub(super) fn is_kept_elsewhere(comparison: &TestComparison, old: &Assertion) -> bool {
    count(own_tests(comparison), &old.text) >= count(&comparison.before.tests, &old.text)
}
