//! Source folders of which a call that did not name them has left no source file.
//!
//! A folder that has moved, or whose files have others of their names elsewhere, is not one of them.

use std::collections::BTreeMap;

use crate::config::Mode;
use crate::detectors::product::feature_removal::DELETED;
use crate::languages::{Language, file_name, is_test_path};
use crate::lifecycle::changes::untracked_changes::UntrackedChanges;
use crate::lifecycle::context::hook_context::HookContext;
use crate::model::finding::{Change, Finding, RegressionType, Severity};

/// Fewer files than this are files, and no folder.
const FEWEST: usize = 2;

/// The folders right below the project that such a call has emptied of sources, each as one loss.
pub(crate) fn emptied(context: &HookContext, untracked: &UntrackedChanges) -> Vec<Finding> {
    if !is_looked_for(context) {
        return Vec::new();
    }
    let mut gone: BTreeMap<&str, Vec<&Change>> = BTreeMap::new();
    for change in untracked.changes.iter().filter(|change| is_lost_source(change)) {
        let is_unnamed = !untracked.named.contains(&change.path) && !untracked.moved.contains(&change.path);
        if let Some(folder) = folder(&change.path).filter(|_| is_unnamed) {
            gone.entry(folder).or_default().push(change);
        }
    }
    gone.retain(|_, changes| changes.len() >= FEWEST);
    gone.into_iter()
        .filter(|(folder, changes)| is_emptied(context, folder, changes))
        .filter_map(|(folder, changes)| finding(folder, &changes))
        .collect()
}

/// Whether the folder of a source that was lost with it has no source still.
pub(crate) fn still(context: &HookContext, change: &Change) -> Option<Finding> {
    let folder = folder(&change.path).filter(|_| is_lost_source(change) && is_looked_for(context))?;
    is_emptied(context, folder, &[change]).then(|| finding(folder, &[change])).flatten()
}

fn is_looked_for(context: &HookContext) -> bool {
    context.config.detection.mode != Mode::Off && context.config.looks_for(RegressionType::FeatureRemoval)
}

fn is_lost_source(change: &Change) -> bool {
    change.after.is_none()
        && change.before.as_deref().is_some_and(|before| !before.trim().is_empty())
        && is_source(&change.path)
}

fn is_source(path: &str) -> bool {
    !is_test_path(path) && Language::of_path(path).is_some()
}

fn folder(path: &str) -> Option<&str> {
    path.split_once('/').map(|(folder, _)| folder)
}

/// Whether no source is left in a folder, nor elsewhere under the name of one that went.
fn is_emptied(context: &HookContext, folder: &str, gone: &[&Change]) -> bool {
    let root = context.project.root();
    let mut arguments = vec!["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--"];
    let below = format!(":(glob){folder}/**");
    let elsewhere: Vec<String> =
        gone.iter().map(|change| format!(":(glob)**/{}", file_name(&change.path))).collect();
    arguments.push(&below);
    arguments.extend(elsewhere.iter().map(String::as_str));
    let Some(output) = context.project.git().ask(&arguments) else { return false };
    let listed = output.split(|byte| *byte == 0).filter_map(|name| std::str::from_utf8(name).ok());
    let mut there = listed.filter(|path| is_source(path) && root.join(path).is_file());
    there.next().is_none()
}

fn finding(folder: &str, gone: &[&Change]) -> Option<Finding> {
    let first = gone.first()?;
    let what = match gone {
        [_] => format!("no source file would be left in {folder}/"),
        _ => format!("no source file would be left in {folder}/: {} are gone", gone.len()),
    };
    let finding = DELETED.pattern.finding(&first.path, what);
    Some(Finding { severity: Severity::High, lost: vec![format!("{folder}/")], confidence: 0.85, ..finding })
}
