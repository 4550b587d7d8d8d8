//! Asks the project's tests about variables that a change sets for them: one that makes a test skip leaves it out of
//! every run.

use crate::agents::laziness_detector;
use crate::config::Mode;
use crate::detectors::checks::skip_variables::{set_for_tests, skipped_by, skips_by};
use crate::languages::is_test_path;
use crate::lifecycle::changes::successors::text_after;
use crate::lifecycle::changes::tree;
use crate::lifecycle::context::hook_context::HookContext;
use crate::model::finding::{Change, Finding};

/// So many tests that name a variable are read.
const READ: usize = 20;

/// What tests say of the variables that changes set; of a file of which worse is known nothing more is asked.
pub(super) fn found(context: &HookContext, changes: &[Change], known: &[Finding]) -> Vec<Finding> {
    if context.config.detection.mode == Mode::Off {
        return Vec::new();
    }
    let mut findings = Vec::new();
    for change in changes.iter().filter(|change| !known.iter().any(|it| it.path == change.path)) {
        let confirmed = set_for_tests(change).into_iter().find_map(|variable| {
            let mut naming = tree::files_with(&context.project, &[&variable.name], true, &[]);
            naming.retain(|path| is_test_path(path));
            let skips = |path: &&String| {
                text_after(context, path, changes).is_some_and(|text| skips_by(&text, &variable.name))
            };
            let test = naming.iter().take(READ).find(skips)?;
            Some(skipped_by(change, &variable, test))
        });
        findings.extend(confirmed);
    }
    laziness_detector::tuned(findings, &context.config)
}
