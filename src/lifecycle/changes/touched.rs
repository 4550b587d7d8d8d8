//! The files that a session has changed since it began, as git and the session's own calls tell them.

use std::collections::BTreeSet;

use crate::languages::Language;
use crate::lifecycle::changes::file_text::read_text;
use crate::lifecycle::changes::tree;
use crate::lifecycle::context::hook_context::HookContext;
use crate::model::finding::Change;
use crate::state::layout::Layout;
use crate::state::own_file;

/// How many other changed files are read to find where a test went.
const ELSEWHERE_LIMIT: usize = 200;

/// The file of a loop in which they are remembered.
const TOUCHED: &str = "touched.txt";

/// The files that changed since the session began, before and now: where a lost test may have gone. Those of the call are
/// among them, as they are without it.
pub fn elsewhere(context: &HookContext) -> Vec<Change> {
    // What the session has committed meanwhile is its work all the same.
    let began = context.watch().and_then(|watch| watch.base_commit).unwrap_or_else(|| "HEAD".to_owned());
    changed_files(context)
        .into_iter()
        .filter(|path| Language::of_path(path).is_some())
        .take(ELSEWHERE_LIMIT)
        .map(|path| Change {
            after: read_text(&context.project.root().join(&path)),
            before: tree::text_at(&context.project, &began, &path),
            path,
        })
        .collect()
}

/// What git says has changed, and what this session's calls touched.
pub fn changed_files(context: &HookContext) -> Vec<String> {
    let mut paths: Vec<String> = match &context.since_start {
        Some(files) => files.iter().map(|(path, _)| path.clone()).collect(),
        None => tree::changed_files(&context.project),
    };
    if let Some(bound) = &context.bound {
        paths.extend(touched(&context.layout, &bound.id));
    }
    let mut seen = BTreeSet::new();
    paths.retain(|path| seen.insert(path.clone()));
    paths
}

/// The files that a loop's calls touched.
pub fn touched(layout: &Layout, loop_id: &str) -> Vec<String> {
    let text = own_file::read_text(&layout.loop_dir(loop_id).join(TOUCHED)).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

/// Remembers which files a call touched.
pub fn touch(context: &HookContext, paths: &[String]) {
    let Some(bound) = &context.bound else { return };
    let path = context.layout.loop_dir(&bound.id).join(TOUCHED);
    let known = own_file::read_text(&path).unwrap_or_default();
    let mut known: BTreeSet<&str> = known.lines().collect();
    let new: String = paths
        .iter()
        .filter(|path| !path.contains(['\n', '\r']) && known.insert(path.as_str()))
        .map(|path| format!("{path}\n"))
        .collect();
    if new.is_empty() {
        return;
    }
    if let Ok(mut file) = own_file::append(&path) {
        std::io::Write::write_all(&mut file, new.as_bytes()).ok();
    }
}
