//! Code of functions that is turned into comments.

use crate::detectors::engine::revision::share;
use crate::detectors::product::functions::{finding, product};
use crate::detectors::{Case, Detector, Pattern, PatternProof};
use crate::languages::code::BodyKind;
use crate::model::finding::{Finding, RegressionType, Severity};

/// Code turned into comments.
pub(crate) static COMMENTED_OUT: Detector = Detector {
    pattern: Pattern {
        id: "LP-005",
        name: "Feature Code Commenting",
        aliases: &["Commented-out code"],
        regression_type: Some(RegressionType::FeatureRemoval),
        severity: Severity::High,
        what: "The code of a function would stand in comments.",
        why: "Code in a comment looks kept and does nothing.",
        instead: "The code can stay, and what is wrong in it be mended.",
        proof: PatternProof::Changes,
    },
    detect: commented_out,
};

fn commented_out(case: &Case, findings: &mut Vec<Finding>) {
    for revision in product(case) {
        let comments = revision.new_comment_lines();
        if comments.is_empty() {
            continue;
        }
        let found = revision.before.functions.iter().enumerate().find(|(index, function)| {
            let lines = revision.old_lines(*index);
            let successor = revision.successor(*index).map(|new| revision.new_lines(new)).unwrap_or_default();
            let is_kept = share(&lines, &successor) >= 0.5;
            let body_kind = revision.successor(*index).and_then(|new| revision.after.functions.get(new));
            // A single line counts where nothing but a constant takes its place.
            let is_constant = body_kind.is_some_and(|it| it.body_kind != BodyKind::Work);
            !lines.is_empty()
                && (lines.len() >= 2 || is_constant)
                && share(&lines, &comments) >= 0.6
                && !is_kept
                && function.body_kind == BodyKind::Work
        });
        if let Some((_, function)) = found {
            let what = format!("the code of `{}` would be commented out", function.name);
            findings.push(finding(&COMMENTED_OUT, revision, function.line, function.name, what));
        }
    }
}
