//! What a session has added itself, which it may take away again.
//!
//! Invariant: only what a call of this session itself made, and no commit has, is its own. What a person wrote, or what
//! came with a commit, is not.

use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::checkpoint::watch::FileStat;
use crate::languages;
use crate::languages::Test;
use crate::lifecycle::changes::file_text::read_text;
use crate::lifecycle::changes::touched::elsewhere;
use crate::lifecycle::changes::tree;
use crate::lifecycle::context::hook_context::HookContext;
use crate::model::finding::{Change, Finding, RegressionType};
use crate::project::silence;
use crate::state::atomic::Durability;
use crate::state::twice::DoubledFiles;

/// The file of a loop in which they are remembered.
const ADDED: &str = "added.json";

/// What a session added to one file.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
struct FileAdditions {
    /// Whether the file itself is the session's.
    made: bool,
    /// The file as the session's last call left it.
    look: FileStat,
    /// The tests that are the session's, by name.
    tests: BTreeSet<String>,
}

type Additions = BTreeMap<String, FileAdditions>;

/// Remembers what a call added: files that it `made`, and tests in the files that it changed, of those that are `own`.
pub fn remember(context: &HookContext, changes: &[&Change], made: &[String], own: &[String]) {
    let new: Vec<(&str, BTreeSet<String>)> = changes
        .iter()
        .filter(|change| own.contains(&change.path))
        .map(|change| (change.path.as_str(), new_tests(change)))
        .filter(|(_, tests)| !tests.is_empty())
        .collect();
    let known = read(context);
    let mut additions = known.clone();
    forget_carriers(&mut additions, changes);
    for path in made {
        additions.entry(path.clone()).or_default().made = true;
    }
    for (path, tests) in new {
        additions.entry(path.to_owned()).or_default().tests.extend(tests);
    }
    for path in own {
        if let Some(added) = additions.get_mut(path) {
            added.look = FileStat::at(&context.project.root().join(path));
        }
    }
    if additions != known
        && let (Some(twice), Ok(bytes)) = (twice(context), serde_json::to_vec(&additions))
    {
        // What is not remembered is asked about, no more.
        twice.write(ADDED, &bytes, Durability::Process).ok();
    }
}

/// Forgets what carries on a test that goes at its old place: it is no longer the session's own, whoever wrote the copy.
fn forget_carriers(additions: &mut Additions, changes: &[&Change]) {
    for change in changes {
        let own = additions.get(&change.path).map(|added| added.tests.clone()).unwrap_or_default();
        let after = change.after.as_ref().map(|text| tests_of(&change.path, text)).unwrap_or_default();
        let before = change.before.as_ref().map(|text| tests_of(&change.path, text)).unwrap_or_default();
        for name in before.iter().filter(|name| !after.contains(*name) && !own.contains(*name)) {
            additions.values_mut().for_each(|added| _ = added.tests.remove(name));
        }
    }
}

/// Takes out of findings the tests that the session added itself. Answers how many they are.
pub fn spare(context: &HookContext, changes: &[Change], findings: &mut Vec<Finding>) -> i64 {
    let is_deletion = |finding: &Finding| finding.regression_type == Some(RegressionType::TestDeletion);
    let additions = if findings.iter().any(is_deletion) { read(context) } else { Additions::new() };
    if additions.is_empty() {
        return 0;
    }
    let mut spared = 0;
    let originals = LazyCell::new(|| originals(context));
    findings.retain_mut(|finding| {
        let Some(added) = additions.get(&finding.path).filter(|_| is_deletion(finding)) else { return true };
        let committed = committed(context, &finding.path);
        if silence::fault().is_some() {
            // Nobody knows what a commit has.
            return true;
        }
        if finding.lost.is_empty() {
            return !added.made || committed.is_some();
        }
        let names = committed.map(|text| tests_of(&finding.path, &text)).unwrap_or_default();
        let before = changes.iter().find(|change| change.path == finding.path);
        let before = before.and_then(|change| change.before.as_deref()).unwrap_or_default();
        let tests = languages::outline_of(&finding.path, before).tests;
        let is_copy = |name: &String| {
            let bodies = || tests.iter().filter(|test| test.name == *name).map(|test| &test.body);
            originals
                .iter()
                .any(|known| known.name == *name || bodies().any(|it| !it.is_empty() && *it == known.body))
        };
        let count = finding.lost.len();
        finding.lost.retain(|name| !added.tests.contains(name) || names.contains(name) || is_copy(name));
        spared += (count - finding.lost.len()) as i64;
        !finding.lost.is_empty()
    });
    spared
}

/// The tests that the session's changed files had when it began: a copy of one is not the session's own.
fn originals(context: &HookContext) -> Vec<Test> {
    let with_before = |change: Change| Some((change.path, change.before?));
    let texts = elsewhere(context).into_iter().filter_map(with_before);
    texts.flat_map(|(path, text)| languages::outline_of(&path, &text).tests).collect()
}

/// Whether all these files were made by the session, are in no commit, and are as its last call left them.
pub fn are_own(context: &HookContext, paths: &[String]) -> bool {
    let additions = read(context);
    let is_own = |path: &String| {
        additions
            .get(path)
            .is_some_and(|added| added.made && added.look == FileStat::at(&context.project.root().join(path)))
            && committed(context, path).is_none()
            && silence::fault().is_none()
    };
    !paths.is_empty() && paths.iter().all(is_own)
}

/// The tests that the session added itself and that no longer stand where it added them. What a commit has is not its own.
pub fn taken_away(context: &HookContext) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for (path, added) in read(context).into_iter().filter(|(_, added)| !added.tests.is_empty()) {
        let now = read_text(&context.project.root().join(&path)).unwrap_or_default();
        let now = tests_of(&path, &now);
        let mut gone: Vec<String> = added.tests.into_iter().filter(|name| !now.contains(name)).collect();
        if !gone.is_empty() {
            let theirs = committed(context, &path).map(|text| tests_of(&path, &text)).unwrap_or_default();
            gone.retain(|name| !theirs.contains(name) && silence::fault().is_none());
        }
        all.extend(gone);
    }
    all
}

fn committed(context: &HookContext, path: &str) -> Option<String> {
    tree::text_at(&context.project, "HEAD", path)
}

fn new_tests(change: &Change) -> BTreeSet<String> {
    let of =
        |text: &Option<String>| text.as_ref().map(|text| tests_of(&change.path, text)).unwrap_or_default();
    let before = of(&change.before);
    of(&change.after).into_iter().filter(|name| !before.contains(name)).collect()
}

/// The names of the tests in a text of the file at `path`.
pub(super) fn tests_of(path: &str, text: &str) -> BTreeSet<String> {
    languages::outline_of(path, text).tests.into_iter().map(|test| test.name).collect()
}

fn read(context: &HookContext) -> Additions {
    let bytes = twice(context).and_then(|twice| twice.read(ADDED).ok());
    bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
}

fn twice(context: &HookContext) -> Option<DoubledFiles> {
    Some(DoubledFiles::of_loop(&context.layout, &context.bound.as_ref()?.id))
}
