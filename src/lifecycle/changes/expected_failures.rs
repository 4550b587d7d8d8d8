//! Advice about errors that are hidden, where a test lets the very call fail and claims that its error comes up.

use crate::detectors::product::failing_calls::{called_near, failing_in};
use crate::lifecycle::changes::searched_tests::in_tests_with;
use crate::lifecycle::context::hook_context::HookContext;
use crate::model::finding::{Change, Finding, Severity};

/// The patterns of errors that are hidden.
const HIDING: &[&str] = &["LP-007", "LP-016", "LP-018"];

/// Makes such advice a question.
pub(super) fn confirm_failures(context: &HookContext, changes: &[Change], findings: &mut [Finding]) {
    let advice = |it: &&mut Finding| it.severity == Severity::Medium && HIDING.contains(&it.pattern_id);
    for finding in findings.iter_mut().filter(advice) {
        let Some(change) = changes.iter().find(|change| change.path == finding.path) else { continue };
        let names = called_near(change);
        let words: Vec<&str> = names.iter().map(String::as_str).collect();
        if words.is_empty() {
            continue;
        }
        if let Some((test, line)) = in_tests_with(context, &words, |test| failing_in(test, &names)) {
            finding.severity = Severity::High;
            finding.what = format!("{}, while `{test}` wants it to come up: `{line}`", finding.what);
        }
    }
}
