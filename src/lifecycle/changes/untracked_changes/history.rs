//! Tests that went with the code that they are about, and are a loss all the same: another commit is checked out, or a
//! script has taken away several modules at once.
//!
//! What a checkout, a reset, a rebase or a pull brings is judged for one thing alone: whether the loop has fewer tests than
//! before. That the code which they are about went with them is no excuse, because both went the same way.

use crate::agents::laziness_detector;
use crate::languages::{Language, is_test_path};
use crate::lifecycle::changes::touched::elsewhere;
use crate::lifecycle::changes::untracked_changes::{UntrackedChanges, may_hold_tests};
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
        finding.mend =
            "The commit that was checked out before still has them; a person can accept the loss.".to_owned();
    }
    findings
}

/// So many modules, and so many files with tests, are more than one module with its tests.
const BULK: usize = 2;

/// Makes a loss of tests that went with several modules which no call named. Answers the files of those tests.
pub(crate) fn bulk(untracked: &UntrackedChanges, findings: &mut [Finding]) -> Vec<String> {
    let is_unnamed = |path: &String| !untracked.named.contains(path) && !untracked.moved.contains(path);
    let is_module = |change: &&Change| {
        change.after.is_none() && !is_test_path(&change.path) && Language::of_path(&change.path).is_some()
    };
    let modules =
        untracked.changes.iter().filter(is_module).filter(|change| is_unnamed(&change.path)).count();
    let is_excused = |finding: &Finding| {
        finding.regression_type == Some(RegressionType::TestDeletion)
            && finding.severity == Severity::Low
            && is_unnamed(&finding.path)
    };
    let excused = findings.iter().filter(|finding| is_excused(finding)).count();
    if modules < BULK || excused < BULK {
        return Vec::new();
    }
    let found = findings.iter_mut().filter(|finding| is_excused(finding));
    found
        .map(|finding| {
            finding.severity = Severity::High;
            finding.what.push_str(&format!(", with {modules} modules that no call named"));
            finding.path.clone()
        })
        .collect()
}
