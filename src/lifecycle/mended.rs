//! Whether what a regression took is back.
//!
//! What was lost by name is back when that runs again, wherever it is. Where a change has no such names (the script
//! that runs the tests, a setting), it is back when its file says what it said when the loop found it.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::call::read_text;
use super::scene::Scene;
use super::{metric_regressions, terms};
use crate::checkpoint::catalogue;
use crate::checkpoint::manifest::Manifest;
use crate::checkpoint::node::Node;
use crate::checkpoint::objects::digest_of_file;
use crate::languages;
use crate::state::records::RegressionEvent;

/// Where an event has the files of which no lost name tells whether they are mended.
const FILES: &str = "changed_files";

/// Notes the file of a finding that names nothing.
pub(super) fn note_file(event: &mut RegressionEvent, path: &str) {
    let files = event.details.entry(FILES).or_insert_with(|| json!([]));
    if let Some(files) = files.as_array_mut()
        && !files.iter().any(|file| file == path)
    {
        files.push(Value::from(path));
    }
}

/// Whether everything is back that the event took. `changed` are the files in which a lost test may be by now.
pub(super) fn is<'c>(scene: &Scene, event: &RegressionEvent, changed: impl Fn() -> &'c [String]) -> bool {
    let lost = event.lost();
    if event.details.get("pattern_id").and_then(Value::as_str) == Some(terms::CHANGED) {
        return terms::is_whole(scene, &lost);
    }
    let files = event.details.get(FILES).and_then(Value::as_array).into_iter().flatten();
    let files: Vec<&str> = files.filter_map(Value::as_str).collect();
    if metric_regressions::is_measured(event) || (lost.is_empty() && files.is_empty()) {
        return false;
    }
    lost.iter().all(|lost| runs_again(scene, lost, &changed)) && are_as_found(scene, &files)
}

fn runs_again<'c>(scene: &Scene, lost: &str, changed: &impl Fn() -> &'c [String]) -> bool {
    let Some((path, name)) = lost.split_once(": ") else { return false };
    let runs = |path: &str| {
        read_text(&scene.project.root().join(path))
            .and_then(|text| languages::running_tests(path, &text))
            .is_some_and(|tests| tests.iter().any(|test| test == name))
    };
    runs(path) || changed().iter().any(|changed| changed != path && runs(changed))
}

/// Whether the files are what the loop's first checkpoints of them say. One that none of them knows is not.
fn are_as_found(scene: &Scene, files: &[&str]) -> bool {
    if files.is_empty() {
        return true;
    }
    let Some(bound) = &scene.bound else { return false };
    let Ok(catalogue) = catalogue::list(&scene.store, Some(&bound.id)) else { return false };
    let oldest_first = catalogue.checkpoints.into_iter().rev();
    let kept: Vec<Manifest> = oldest_first.filter_map(|manifest| manifest.whole(&scene.store).ok()).collect();
    files.iter().all(|file| {
        kept.iter().find_map(|manifest| found(manifest, file)).is_some_and(|node| is_now(scene, file, &node))
    })
}

/// What a checkpoint found in the file's place; `None` when it says nothing of it.
fn found(manifest: &Manifest, file: &str) -> Option<Node> {
    let path = Path::new(file);
    if let Some(entry) = manifest.entries.iter().find(|entry| entry.path == path && !entry.implied) {
        return Some(entry.node.clone());
    }
    let is_unkept = manifest.skipped.iter().any(|skipped| path.starts_with(&skipped.path));
    (manifest.tree && !is_unkept).then_some(Node::Absent)
}

fn is_now(scene: &Scene, file: &str, node: &Node) -> bool {
    let path = scene.project.root().join(file);
    match node {
        Node::File { sha256, .. } => digest_of_file(&path).is_ok_and(|(digest, _)| digest == *sha256),
        Node::Absent => fs::symlink_metadata(&path).is_err(),
        _ => false,
    }
}
