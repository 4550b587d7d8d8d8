//! Assertions that compare what the code gives with what the same code gives.

use crate::detectors::testing::kept_tests::{beyond, finding, in_after, judged, written};
use crate::detectors::{Case, Detector, Pattern, Proof};
use crate::model::finding::{Finding, RegressionType, Severity};

/// Both sides of an assertion from the same code.
pub(crate) static CIRCULAR: Detector = Detector {
    pattern: Pattern {
        id: "LP-023",
        name: "Circular Test Logic",
        aliases: &["Self-comparison"],
        regression_type: Some(RegressionType::AssertionWeakening),
        severity: Severity::High,
        what: "An assertion compares what the code gives with what the same code gives.",
        why: "Both sides are wrong together, so that the test can't fail.",
        instead: "An expected value that is worked out by hand, or by other code, passes.",
        proof: Proof::Changes,
    },
    detect: circular,
};

fn circular(case: &Case, findings: &mut Vec<Finding>) {
    for comparison in case.comparisons() {
        let found = judged(comparison).find_map(|(before, after)| {
            let lost = beyond(&before.assertions, &after.assertions);
            let gained = beyond(&after.assertions, &before.assertions);
            let new = gained.into_iter().find(|it| it.claim.circular && !it.trivial)?;
            let old = lost.iter().find(|old| !old.claim.circular && !old.trivial)?;
            Some((before, old.line, new))
        });
        if let Some((test, line, new)) = found {
            let what = format!(
                "`{}` would compare `{}` with itself",
                in_after(comparison, new),
                written(comparison.change.after.as_deref(), new.line, &new.claim.subject)
            );
            findings.push(finding(&CIRCULAR, comparison, test, line, what));
        }
    }
}
