//! The files that an iteration has changed, with their hashes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use crate::checkpoint::node::Node;
use crate::checkpoint::objects::digest_of_file;
use crate::lifecycle::changes::touched::changed_files;
use crate::lifecycle::changes::whose::{self, NotOwnReason};
use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::iteration::as_started::as_started;
use crate::state::records::Artifact;

/// How many of an iteration's files are recorded; more are counted.
const ARTIFACT_LIMIT: usize = 500;

/// The files that are not as they were after the iteration before, which ended at `since`. Those of another loop's session
/// are not among them; those that no call is known to have changed are marked.
pub(super) fn artifacts(
    context: &HookContext,
    files: &BTreeMap<String, String>,
    before: &BTreeMap<String, String>,
    since: Timestamp,
) -> Vec<Artifact> {
    let mut changed: Vec<(&String, &String)> =
        files.iter().filter(|(path, hash)| before.get(*path) != Some(*hash)).collect();
    if changed.iter().any(|(path, _)| !before.contains_key(*path)) {
        // It may have been changed and taken back.
        let is_as_started = as_started(context, context.since_start.as_deref().unwrap_or_default());
        changed.retain(|(path, _)| before.contains_key(*path) || !is_as_started(path));
    }
    let paths: Vec<&str> = changed.iter().map(|(path, _)| path.as_str()).collect();
    let foreign = whose::foreign(context, since, &paths);
    changed.retain(|(path, _)| foreign.get(*path).is_none_or(NotOwnReason::is_nobodys));
    let artifact = |(path, hash): (&String, &String)| Artifact {
        path: path.clone(),
        hash: hash.clone(),
        size_bytes: std::fs::metadata(context.project.root().join(path)).map_or(0, |file| file.len()),
        without_call: foreign.contains_key(path),
    };
    changed.into_iter().take(ARTIFACT_LIMIT).map(artifact).collect()
}

/// The hashes of the files that may differ from the loop's beginning; empty for one that was there and is gone.
pub(super) fn hashes(context: &HookContext, before: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let hash = |path: &str| {
        digest_of_file(&context.project.root().join(path)).ok().map(|(digest, _)| digest.to_string())
    };
    let (mut known, mut missing) = (BTreeMap::new(), Vec::new());
    let mut add = |path: String, hash: Option<String>| match hash {
        Some(hash) => _ = known.insert(path, hash),
        None => missing.push(path),
    };
    if let Some(files) = &context.since_start {
        for (path, node) in files {
            match node {
                Node::File { sha256, .. } => add(path.clone(), Some(sha256.to_string())),
                Node::Absent => add(path.clone(), None),
                _ => {}
            }
        }
    } else {
        changed_files(context).into_iter().for_each(|path| {
            let hash = hash(&path);
            add(path, hash);
        });
    }
    known.extend(gone(context, missing, before).into_iter().map(|path| (path, String::new())));
    known
}

/// Which of the missing files were there: in the commit on which the loop began, or after the iteration before.
fn gone(context: &HookContext, missing: Vec<String>, before: &BTreeMap<String, String>) -> Vec<String> {
    let began = context.watch().and_then(|watch| watch.base_commit).filter(|_| !missing.is_empty());
    let asked: Vec<PathBuf> = missing.iter().map(PathBuf::from).collect();
    let held = began.and_then(|commit| context.project.git().held(&commit, &asked)).unwrap_or_default();
    let was_there = |path: &String| {
        before.contains_key(path)
            || held.iter().any(|difference| Path::new(&difference.path) == Path::new(path))
    };
    let is_missing = |path: &String| context.project.root().join(path).symlink_metadata().is_err();
    missing.into_iter().filter(|path| is_missing(path) && was_there(path)).collect()
}
