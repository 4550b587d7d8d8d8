//! Answers of a test that are others for the same question, where lines went as well: a step that is gone, and what the
//! claims after it expect.

use crate::detectors::TestComparison;
use crate::detectors::engine::hunks::TextHunk;
use crate::detectors::testing::kept_tests::beyond;
use crate::detectors::testing::same_values::is_same;
use crate::detectors::testing::test_inputs::ChangedTestInput;
use crate::detectors::testing::word_edit::is_data;
use crate::languages::{Assertion, Strength};
use crate::model::finding::Severity;

/// The first claim that expects another value of what is asked once before and once after.
pub(super) fn other_answer(comparison: &TestComparison, all: &[TextHunk]) -> Option<ChangedTestInput> {
    let (gone, come) =
        all.iter().fold((0, 0), |(gone, come), it| (gone + it.gone.len(), come + it.come.len()));
    // Who adds a step has other answers.
    if come > gone {
        return None;
    }
    comparison.kept().filter(|(before, _)| !before.suite).find_map(|(before, after)| {
        let (lost, gained) =
            (beyond(&before.assertions, &after.assertions), beyond(&after.assertions, &before.assertions));
        let is_plain = |it: &&&Assertion| {
            let claim = &it.claim;
            claim.strength == Some(Strength::Exact) && !claim.negated && is_one_value(&claim.expected)
        };
        let asks = |all: &[Assertion], subject: &str| {
            all.iter().filter(|it| it.claim.subject == subject).count() == 1
        };
        let (old, new) = lost.iter().filter(is_plain).find_map(|old| {
            let subject = old.claim.subject.as_str();
            let is_once = subject.len() > 2
                && subject.contains(char::is_alphabetic)
                && asks(&before.assertions, subject)
                && asks(&after.assertions, subject);
            let new = gained.iter().filter(is_plain).find(|new| is_once && new.claim.subject == subject)?;
            (!is_same(&old.claim.expected, &new.claim.expected)).then_some((old, new))
        })?;
        Some(ChangedTestInput {
            what: format!(
                "{} would be {} for `{}`, while nothing that the tests are about has changed",
                old.claim.expected, new.claim.expected, old.claim.subject
            ),
            line: old.line,
            severity: Severity::Medium,
            lost: vec![before.name.clone()],
        })
    })
}

/// Whether an expectation is a single value: what has to be worked out may be the same.
fn is_one_value(expected: &str) -> bool {
    let is_worked_out = expected.get(1..).is_some_and(|rest| rest.contains(['+', '-', '*', '/']));
    is_data(expected) && (expected.starts_with(['"', '\'', '`']) || !is_worked_out)
}
