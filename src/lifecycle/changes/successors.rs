//! Files that take the place of one that is gone, or give what it gave.

use std::collections::BTreeSet;

use crate::languages::modules;
use crate::languages::{file_name, is_test_path};
use crate::lifecycle::changes::file_text::read_text;
use crate::lifecycle::context::hook_context::HookContext;
use crate::model::finding::Change;

/// So many files of one name are looked at.
const NAMESAKES: usize = 100;

/// Whether another file takes the place of a module that is gone for who imports it.
pub(super) fn has_successor(context: &HookContext, change: &Change, changes: &[Change]) -> bool {
    let stem = modules::stem(&change.path);
    let is_other = |path: &str| path != change.path && modules::stem(path) == stem && !is_test_path(path);
    let mut made = changes.iter().filter(|other| other.after.is_some());
    if made.any(|other| is_other(&other.path)) {
        return true;
    }
    let root = context.project.root();
    if modules::is_by_folder(&change.path) {
        let entries = std::fs::read_dir(root.join(stem)).into_iter().flatten().flatten();
        let mut beside = entries.filter_map(|entry| Some(format!("{stem}/{}", entry.file_name().to_str()?)));
        return beside.any(|path| modules::is_by_folder(&path) && is_other(&path));
    }
    modules::places(&change.path).iter().any(|path| *path != change.path && root.join(path).is_file())
}

/// What the other files of a folder give to it.
pub(super) fn given_beside(context: &HookContext, change: &Change, changes: &[Change]) -> BTreeSet<String> {
    let (folder, root) = (modules::stem(&change.path), context.project.root());
    let entries = std::fs::read_dir(root.join(folder)).into_iter().flatten().flatten();
    let beside =
        entries.map(|entry| root.join(folder).join(entry.file_name())).map(|path| context.relative(&path));
    let changed = changes.iter().map(|other| other.path.clone());
    let paths: BTreeSet<String> = beside.chain(changed).collect();
    let is_other = |path: &&String| {
        **path != change.path
            && modules::is_by_folder(path)
            && modules::stem(path) == folder
            && !is_test_path(path)
    };
    let text = |path: &String| text_after(context, path, changes);
    paths
        .iter()
        .filter(is_other)
        .filter_map(|path| Some(modules::offered(path, &text(path)?)))
        .flatten()
        .collect()
}

/// Files of the same name elsewhere: an import may mean one of them, as where a file moves to another root of sources.
pub(super) fn namesakes(context: &HookContext, change: &Change) -> Vec<String> {
    let name = file_name(&change.path);
    let pattern = format!(":(glob)**/{name}");
    let arguments = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", &pattern];
    let output = context.project.git().ask(&arguments).unwrap_or_default();
    let found = output.split(|byte| *byte == 0).filter_map(|name| std::str::from_utf8(name).ok());
    let root = context.project.root();
    let is_there = |path: &&str| !path.is_empty() && **path != *change.path && root.join(path).is_file();
    found.filter(is_there).take(NAMESAKES).map(str::to_owned).collect()
}

/// A file as it is after the changes.
pub(super) fn text_after(context: &HookContext, path: &str, changes: &[Change]) -> Option<String> {
    match changes.iter().find(|change| change.path == path) {
        Some(change) => change.after.clone(),
        None => read_text(&context.project.root().join(path)),
    }
}
