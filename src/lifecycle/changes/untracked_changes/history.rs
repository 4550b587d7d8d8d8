//! Tests that are gone because git has another commit checked out.
//!
//! What a checkout, a reset, a rebase or a pull brings is judged for one thing alone: whether the loop has fewer tests than
//! before. That the code which they are about went with them is no excuse, because both went the same way.

use crate::agents::laziness_detector;
use crate::lifecycle::changes::touched::elsewhere;
use crate::lifecycle::changes::untracked_changes::may_hold_tests;
use crate::lifecycle::context::hook_context::HookContext;
use crate::model::finding::{Change, Finding, RegressionType, Severity};

/// The tests that files lost on the way to another commit.
pub(crate) fn lost(context: &HookContext, moved: &[Change]) -> Vec<Finding> {
    if moved.is_empty() {
        return Vec::new();
    }
    let tests = || elsewhere(context).into_iter().filter(|change| may_hold_tests(&change.path)).collect();
    let mut findings = laziness_detector::check(moved, tests, &context.config);
    findings.retain(|finding| finding.regression_type == Some(RegressionType::TestDeletion));
    for finding in &mut findings {
        if finding.severity == Severity::Low {
            finding.severity = Severity::Critical;
        }
        finding.what.push_str(", with the commit that git has checked out now");
        finding.mend = "The commit that was checked out before still has them; a person can accept the loss.".to_owned();
    }
    findings
}
