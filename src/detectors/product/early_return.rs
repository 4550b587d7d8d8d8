//! Returns in front of the rest of a function.

use crate::detectors::engine::revision::share;
use crate::detectors::product::functions::{finding, product};
use crate::detectors::{Case, Detector, Pattern, PatternProof};
use crate::model::finding::{Finding, RegressionType, Severity};

/// Bodies that end before they begin.
pub(crate) static CUT_OFF: Detector = Detector {
    pattern: Pattern {
        id: "LP-F003",
        name: "Early Return Injection",
        aliases: &[],
        regression_type: Some(RegressionType::FeatureRemoval),
        severity: Severity::High,
        what: "A return in front of the rest of a function keeps that from running.",
        why: "The code looks kept and never runs.",
        instead: "A return under a condition, or a function whose dead rest goes as well, passes.",
        proof: PatternProof::Changes,
    },
    detect: cut_off,
};

fn cut_off(case: &Case, findings: &mut Vec<Finding>) {
    for revision in product(case) {
        let found = revision.working().find(|(old, new, before, after)| {
            let (lines, now) = (revision.old_lines(*old), revision.new_lines(*new));
            after.cut && !before.cut && share(&lines, &now) >= 0.8
        });
        if let Some((_, _, before, _)) = found {
            let what = format!("`{}` would return before it has done its work", before.name);
            findings.push(finding(&CUT_OFF, revision, before.line, before.name, what));
        }
    }
}
