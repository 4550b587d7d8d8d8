//! Asks the project's tests about a function that their shared setup would answer for.

use crate::agents::laziness_detector;
use crate::config::Mode;
use crate::detectors::testing::patched_for_all::{answered, asks, patched};
use crate::languages::is_test_path;
use crate::lifecycle::changes::file_text::read_text;
use crate::lifecycle::changes::tree;
use crate::lifecycle::context::hook_context::HookContext;
use crate::model::finding::{Change, Finding};

/// So many tests are read.
const READ: usize = 20;

/// What the setup of the tests would answer of what a test beside it asks.
pub(super) fn found(context: &HookContext, changes: &[Change], findings: &[Finding]) -> Vec<Finding> {
    if context.config.detection.mode == Mode::Off {
        return Vec::new();
    }
    let untold = changes.iter().filter(|change| !findings.iter().any(|it| it.path == change.path));
    let found = untold.filter_map(|change| {
        patched(change).into_iter().find_map(|(name, line)| {
            let test = asking(context, changes, &name)?;
            Some(answered(change, (&name, line), &test))
        })
    });
    laziness_detector::tuned(found.collect(), &context.config)
}

/// The first test beside the change that claims something about what a function gives.
fn asking(context: &HookContext, changes: &[Change], name: &str) -> Option<String> {
    let mut found = tree::files_with(&context.project, &[name], true, &[]);
    found.retain(|path| is_test_path(path) && !changes.iter().any(|change| change.path == *path));
    found.truncate(READ);
    found
        .into_iter()
        .find(|path| read_text(&context.project.root().join(path)).is_some_and(|text| asks(&text, name)))
}
