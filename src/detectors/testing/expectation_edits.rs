//! Tests of which a change edits what they expect, as facts: whether that is right depends on what else has changed.

use crate::detectors::testing::assertion_strength::WEAKENED;
use crate::detectors::testing::kept_tests::{beyond, in_after, in_before};
use crate::detectors::testing::same_subjects::LocalSubjects;
use crate::detectors::{Case, Evidence};
use crate::model::finding::{Change, Finding};

/// An assertion in the place of another about the same.
#[derive(Debug)]
pub struct ExpectationEdit {
    /// The assertion before, without white space.
    pub assertion: String,
    /// The change as a finding, whose severity and words are to be completed.
    pub finding: Finding,
}

/// The edits of what tests expect in these changes.
pub fn expectation_edits(changes: &[Change]) -> Vec<ExpectationEdit> {
    let case = Case::new(Evidence { changes, elsewhere: &[] });
    let mut edits = Vec::new();
    for comparison in case.comparisons() {
        for (before, after) in comparison.kept().filter(|(before, _)| !before.suite) {
            let lost = beyond(&before.assertions, &after.assertions);
            let gained = beyond(&after.assertions, &before.assertions);
            let names = LocalSubjects::of(comparison, before, after);
            let pair = lost.iter().find_map(|old| {
                let mut same = gained.iter().filter(|new| names.is_same(&old.claim, &new.claim));
                same.next().map(|new| (*old, *new))
            });
            let Some((old, new)) = pair else { continue };
            let what =
                format!("`{}` would become `{}`", in_before(comparison, old), in_after(comparison, new));
            let mut finding = WEAKENED.finding(&comparison.change.path, what);
            finding.line = Some(old.line);
            finding.lost = vec![before.name.clone()];
            edits.push(ExpectationEdit { assertion: old.text.clone(), finding });
        }
    }
    edits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expectation_that_differs_is_an_edit_and_a_new_assertion_is_none() {
        let text = |expected: &str| Some(format!("def test_a():\n    assert tax(100) == {expected}\n"));
        let path = "tests/test_tax.py".to_owned();
        let change = Change { path: path.clone(), before: text("19"), after: text("20") };
        let edits = expectation_edits(&[change]);
        assert_eq!(edits.len(), 1);
        assert_eq!(edits[0].finding.lost, ["test_a"]);
        assert!(edits[0].finding.what.contains("== 19` would become"), "{}", edits[0].finding.what);
        let change = Change { path, before: text("19"), after: text("19\n    assert tax(0) == 0") };
        assert!(expectation_edits(&[change]).is_empty());
    }
}
