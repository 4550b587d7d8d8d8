//! Files of the tree that a change newly names for what it gives up, or in which the tools of its file look as well: what is
//! found is judged once more with them.
//!
//! They are read only where something was found.

use crate::agents::laziness_detector;
use crate::detectors::{other_homes, reread};
use crate::lifecycle::changes::file_text::read_text;
use crate::lifecycle::context::hook_context::HookContext;
use crate::model::finding::{Change, Finding};

/// So many files are read.
const MOST: usize = 8;

/// What is left of findings when files that the changes name for it are known.
/// `others` gives the session's other files.
pub(super) fn weigh<'o>(
    context: &HookContext,
    changes: &[Change],
    found: Vec<Finding>,
    others: impl FnOnce() -> &'o Vec<Change>,
) -> Vec<Finding> {
    if !reread::may_be_elsewhere(&found) {
        return found;
    }
    let others = others();
    let named = named(context, changes, others);
    if named.is_empty() {
        return found;
    }
    laziness_detector::check_again(changes, (others, &named), &found, &context.config).unwrap_or(found)
}

/// The files that new lines of the changes, or of the session's other files, name in an import, and the other places of a
/// tool's settings.
fn named(context: &HookContext, changes: &[Change], others: &[Change]) -> Vec<Change> {
    let is_known = |path: &str| changes.iter().chain(others).any(|it| it.path == path);
    let mut imports: Vec<String> = changes.iter().chain(others).flat_map(reread::imports).collect();
    imports.sort();
    imports.dedup();
    let mut paths: Vec<String> = changes.iter().flat_map(|it| other_homes(&it.path)).collect();
    if !imports.is_empty() {
        let files = context.project.git().files(None).unwrap_or_default();
        paths
            .extend(files.into_iter().filter(|file| imports.iter().any(|it| reread::is_import_of(it, file))));
    }
    paths.retain(|path| !is_known(path));
    let read = |path: String| {
        let after = read_text(&context.project.root().join(&path))?;
        Some(Change { path, before: None, after: Some(after) })
    };
    paths.into_iter().filter_map(read).take(MOST).collect()
}
