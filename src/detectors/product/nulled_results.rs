//! Refusals and errors that a value takes the place of.

use crate::detectors::product::defaults::defaulted;
use crate::detectors::product::documented_errors::documented_error_lost;
use crate::detectors::product::error_suppression::finding;
use crate::detectors::product::functions::is_told;
use crate::detectors::product::hushed_calls::hushed;
use crate::detectors::product::refusals::answered;
use crate::detectors::{Case, Detector, Pattern, PatternProof};
use crate::languages::code::{Exit, HandlerEffect};
use crate::model::finding::{Finding, RegressionType, Severity};

/// Errors turned into empty values.
pub(crate) static NULLED: Detector = Detector {
    pattern: Pattern {
        id: "LP-018",
        name: "Return Null Instead of Throw",
        aliases: &[],
        regression_type: Some(RegressionType::ErrorSuppression),
        severity: Severity::High,
        what: "Where a function threw an error or refused, it returns a value, empty or made up.",
        why: "The caller goes on with a value that stands for nothing, and fails far away from the cause.",
        instead: "A throw that stays, or a signature that says the value may be missing together with its callers, passes.",
        proof: PatternProof::Changes,
    },
    detect: nulled,
};

fn nulled(case: &Case, findings: &mut Vec<Finding>) {
    for revision in case.revisions().iter().filter(|revision| !revision.is_test) {
        let handled = |owner: usize| {
            revision
                .after
                .handlers
                .iter()
                .any(|it| it.owner == Some(owner) && it.effect <= HandlerEffect::Logged)
        };
        let found = revision.working().find(|(_, new, before, after)| {
            after.throws < before.throws && after.nothings > before.nothings && !handled(*new)
        });
        if is_told(findings, revision) {
            continue;
        }
        if let Some((old, _, before, _)) = found {
            let guard =
                revision.before.guards.iter().find(|it| it.owner == Some(old) && it.exit == Exit::Error);
            let line = guard.map_or(before.line, |guard| guard.line);
            let what = "an empty value would be returned where an error was thrown".to_owned();
            findings.push(finding(&NULLED, revision, line, before.name, what));
        } else {
            let lost = answered(case, revision)
                .or_else(|| defaulted(case, revision))
                .or_else(|| documented_error_lost(case, revision))
                .or_else(|| hushed(case, revision));
            findings.extend(lost.map(|lost| lost.finding(&NULLED, revision)));
        }
    }
}
