//! Seeing what tools did not tell: files with tests that changed since they were last judged.
//!
//! An edit names its file; a script does not. What is compared is the record of `watch.json` with the disk: in a git
//! repository git says which files differ from the commit the loop began at, elsewhere every recorded file is looked
//! at with one `stat`. A file that looks as it did costs no reading.

use std::collections::BTreeSet;
use std::path::Path;

use super::call::read_text;
use super::scene::Scene;
use super::tree;
use crate::checkpoint::manifest::Manifest;
use crate::checkpoint::node::Node;
use crate::checkpoint::objects::Digest;
use crate::checkpoint::store::Store;
use crate::finding::Change;
use crate::languages;
use crate::state::atomic::Durability;
use crate::state::watch::{Known, Look, Watch};

/// Outside git at most so many files with tests are recorded when a session begins to change files.
const RECORDED_LIMIT: usize = 5_000;

/// What changed since it was last judged.
#[derive(Debug, Default)]
pub struct Sweep {
    /// The files, before and after.
    pub changes: Vec<Change>,
}

impl Sweep {
    /// The changed files.
    pub fn paths(&self) -> Vec<String> {
        self.changes.iter().map(|change| change.path.clone()).collect()
    }

    /// How many tests the changed files held before, and hold now; `None` when none of them is read for tests.
    pub fn tests(&self) -> Option<(u64, u64)> {
        let count = |path: &str, text: &Option<String>| match text {
            Some(text) => languages::count_tests(path, text),
            None => Some(0),
        };
        let counts: Vec<(usize, usize)> = self
            .changes
            .iter()
            .filter_map(|c| Some((count(&c.path, &c.before)?, count(&c.path, &c.after)?)))
            .collect();
        if counts.is_empty() {
            return None;
        }
        let sum = |pick: fn(&(usize, usize)) -> usize| counts.iter().map(pick).sum::<usize>() as u64;
        Some((sum(|c| c.0), sum(|c| c.1)))
    }
}

/// Begins the record of a loop: the commit, and the bytes of the files with tests that differ from it already.
pub fn begin(scene: &Scene, loop_id: &str) {
    let mut watch = Watch { base_commit: tree::head_commit(&scene.project), ..Watch::default() };
    let dirty = if watch.base_commit.is_some() {
        tree::changed_files(&scene.project)
    } else {
        tree::files(&scene.project, RECORDED_LIMIT)
    };
    for path in dirty.iter().filter(|path| may_hold_tests(path)) {
        remember(scene, &mut watch, path);
    }
    // A record that can't be written makes the next comparison go back to the commit: no reason to fail here.
    watch.write(&scene.layout, loop_id).ok();
}

/// What a call changed: the files that were kept before it, and, when it ran code, every watched file.
pub fn after_call(scene: &Scene, kept: Option<&Manifest>, runs_code: bool) -> Sweep {
    let Some(bound) = &scene.bound else { return Sweep::default() };
    let mut watch = Watch::read(&scene.layout, &bound.id).unwrap_or_default();
    let recorded = watch.clone();
    let mut sweep = Sweep::default();
    let mut named = BTreeSet::new();
    for entry in kept.iter().flat_map(|manifest| &manifest.entries) {
        let path = scene.relative(&scene.store.path(&entry.path));
        if !may_hold_tests(&path) || !named.insert(path.clone()) {
            continue;
        }
        let before = match &entry.node {
            Node::File { sha256, .. } => object_text(scene, sha256),
            Node::Absent => None,
            _ => continue,
        };
        push_change(scene, &mut sweep, &path, before);
        remember(scene, &mut watch, &path);
    }
    if runs_code {
        differing(scene, &mut watch, &mut sweep, &named);
    }
    if watch != recorded {
        watch.write(&scene.layout, &bound.id).ok();
    }
    sweep
}

/// Everything that changed since it was last judged, whoever changed it.
pub fn all(scene: &Scene) -> Sweep {
    let Some(bound) = &scene.bound else { return Sweep::default() };
    let mut watch = Watch::read(&scene.layout, &bound.id).unwrap_or_default();
    let recorded = watch.clone();
    let mut sweep = Sweep::default();
    // Files that git does not know yet are no loss, but their tests count.
    for path in tree::new_files(&scene.project).iter().filter(|path| may_hold_tests(path)) {
        if !watch.files.contains_key(path) {
            push_change(scene, &mut sweep, path, None);
            remember(scene, &mut watch, path);
        }
    }
    differing(scene, &mut watch, &mut sweep, &BTreeSet::new());
    if watch != recorded {
        watch.write(&scene.layout, &bound.id).ok();
    }
    sweep
}

fn differing(scene: &Scene, watch: &mut Watch, sweep: &mut Sweep, named: &BTreeSet<String>) {
    let mut candidates: BTreeSet<String> = watch.files.keys().cloned().collect();
    if let Some(commit) = &watch.base_commit {
        candidates.extend(tree::changed_since(&scene.project, commit));
    }
    for path in candidates.iter().filter(|path| may_hold_tests(path) && !named.contains(*path)) {
        let look = Look::at(&scene.project.root().join(path));
        let before = match watch.files.get(path) {
            Some(known) if known.look == look => continue,
            Some(known) => known.sha256.as_ref().and_then(|hash| object_text(scene, hash)),
            None => {
                watch.base_commit.as_deref().and_then(|commit| tree::text_at(&scene.project, commit, path))
            }
        };
        push_change(scene, sweep, path, before);
        remember(scene, watch, path);
    }
}

fn push_change(scene: &Scene, sweep: &mut Sweep, path: &str, before: Option<String>) {
    let after = read_text(&scene.project.root().join(path));
    if before != after {
        sweep.changes.push(Change { path: path.to_owned(), before, after });
    }
}

/// Records a file as it is now, bytes included.
fn remember(scene: &Scene, watch: &mut Watch, path: &str) {
    let full = scene.project.root().join(path);
    let tests = read_text(&full).and_then(|text| languages::count_tests(path, &text)).unwrap_or_default();
    watch.files.insert(path.to_owned(), known(&scene.store, &full, tests as u64));
}

/// A file as it is now, with so many tests in it; its bytes are kept.
pub fn known(store: &Store, path: &Path, tests: u64) -> Known {
    let look = Look::at(path);
    let kept = path.is_file().then(|| store.objects().keep_file(path, Durability::Process).ok()).flatten();
    Known { sha256: kept.map(|(digest, _)| digest), tests, look }
}

fn object_text(scene: &Scene, digest: &Digest) -> Option<String> {
    scene.store.objects().read(digest).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// Whether a file can hold tests by its name: a test file, or a source file of a language with inline tests.
fn may_hold_tests(path: &str) -> bool {
    languages::is_test_path(path) || Path::new(path).extension().is_some_and(|extension| extension == "rs")
}
