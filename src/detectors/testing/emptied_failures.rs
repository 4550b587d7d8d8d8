//! Tests that saw something fail, be refused or be left out, and that see nothing of the kind once they are given other
//! values.

use crate::detectors::TestComparison;
use crate::detectors::engine::hunks::TextHunk;
use crate::detectors::testing::test_inputs::ChangedTestInput;
use crate::languages::Assertion;
use crate::model::finding::Severity;

/// Parts of names of what did not go well, in lower case.
const FAILURES: &[&str] = &[
    "fail",
    "error",
    "reject",
    "invalid",
    "refus",
    "denied",
    "conflict",
    "warning",
    "problem",
    "violation",
    "duplicate",
    "missing",
    "issue",
    "skipped",
    "dropped",
    "bounced",
];
/// What is nothing, without white space.
const NOTHINGS: &[&str] = &[
    "[]",
    "{}",
    "0",
    "\"\"",
    "''",
    "nil",
    "null",
    "None",
    "()",
    "set()",
    "emptyList()",
    "List.of()",
    "%{}",
    "vec![]",
];

/// The first test of the kind, in a change of what it is given as well.
pub(super) fn emptied(comparison: &TestComparison, all: &[TextHunk]) -> Option<ChangedTestInput> {
    comparison.kept().filter(|(before, _)| !before.suite).find_map(|(before, after)| {
        if before.assertions.len() != after.assertions.len() {
            return None;
        }
        let mut pairs = before.assertions.iter().zip(&after.assertions);
        let (old, _) = pairs.find(|(old, new)| is_emptied(old, new))?;
        let claims = |number: u32| before.assertions.iter().any(|it| it.line == number);
        let other = all.iter().flat_map(|it| &it.gone).any(|line| {
            let is_here = before.span.contains(&line.at);
            is_here && !claims(line.number) && line.text.contains(['"', '\'', '(', ':'])
        });
        other.then(|| ChangedTestInput {
            what: format!("`{}` would be given what nothing is wrong with", before.title),
            line: old.line,
            severity: Severity::High,
            lost: vec![before.name.clone()],
        })
    })
}

/// Whether an assertion about what did not go well expects nothing where it expected something.
fn is_emptied(old: &Assertion, new: &Assertion) -> bool {
    let subject = old.claim.subject.to_lowercase();
    let is_nothing = |text: &str| NOTHINGS.contains(&text);
    let asks_for_nothing = |it: &Assertion| {
        let text = it.text.to_lowercase();
        is_nothing(&it.claim.expected)
            || ["be_empty", "tohavelength(0)", "isempty", "assertempty"]
                .iter()
                .any(|word| text.contains(word))
    };
    let is_filled = !old.claim.expected.is_empty() && !asks_for_nothing(old) && !old.claim.negated;
    let root = |text: &str| text.split(['.', '(', '[']).next().unwrap_or_default().to_owned();
    let is_same =
        old.claim.subject == new.claim.subject || root(&old.claim.subject) == root(&new.claim.subject);
    is_filled && is_same && asks_for_nothing(new) && FAILURES.iter().any(|word| subject.contains(word))
}
