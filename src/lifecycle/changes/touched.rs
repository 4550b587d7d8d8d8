//! The files that a session has changed since it began, as git and the session's own calls tell them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::checkpoint::manifest::Manifest;
use crate::checkpoint::node::{Entry, Node};
use crate::checkpoint::objects::Digest;
use crate::checkpoint::watch::WatchedFile;
use crate::detectors::checks::hook_bypass::is_hook;
use crate::detectors::engine::documents::is_prose;
use crate::languages::{Language, file_name, is_test_path};
use crate::lifecycle::changes::file_text::{changed_at, read_text};
use crate::lifecycle::changes::tree;
use crate::lifecycle::context::hook_context::HookContext;
use crate::model::finding::Change;
use crate::state::layout::Layout;
use crate::state::own_file;

/// How many other changed files are read to find where a test went.
const ELSEWHERE_LIMIT: usize = 200;

/// What files are compared with where there was no commit yet when the session began.
const UNBORN: &str = "HEAD";

/// The file of a loop in which they are remembered.
const TOUCHED: &str = "touched.txt";

/// The file of a loop that says what they held before.
const ORIGINS: &str = "origins.jsonl";

/// What a file held before the session touched it first; nothing, where it was not there.
#[derive(Serialize, Deserialize)]
struct FileOrigin {
    path: String,
    sha256: Option<Digest>,
    /// Whether no call named the file: a look at the tree found it so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    found: bool,
}

/// What files are compared with that changed since the session began.
pub(super) fn began_at(context: &HookContext) -> String {
    context.watch().and_then(|watch| watch.base_commit).unwrap_or_else(|| UNBORN.to_owned())
}

/// The files that changed since the session began, before and now: where a lost test may have gone. Those of the call are
/// among them, as they are without it.
pub fn elsewhere(context: &HookContext) -> Vec<Change> {
    // What the session has committed meanwhile is its work all the same.
    let began = began_at(context);
    let mut paths = changed_files(context);
    paths.retain(|path| Language::of_path(path).is_some() || is_setting(path) || is_prose(path));
    paths.truncate(ELSEWHERE_LIMIT);
    let names: Vec<&str> = paths.iter().map(String::as_str).collect();
    // A commit says what is new since, whoever wrote that.
    let committed = tree::texts_at(&context.project, &began, &names).unwrap_or_default();
    let committed: Vec<(String, Option<String>)> = paths.iter().cloned().zip(committed).collect();
    let is_born = began != UNBORN && committed.len() == paths.len();
    let mut known = match is_born && says_what_is_new(context, &began, &committed) {
        true => committed,
        false => without_commit(context, &began, paths, committed),
    };
    leave_ignored(context, &mut known);
    let changes = known.into_iter().map(|(path, before)| Change {
        after: read_text(&context.project.root().join(&path)),
        before,
        path,
    });
    changes.collect()
}

/// The same where no commit tells of all: the session's own record does. Of a file whose past nobody knows nothing is
/// said: it is not new.
fn without_commit(
    context: &HookContext,
    began: &str,
    paths: Vec<String>,
    committed: Vec<(String, Option<String>)>,
) -> Vec<(String, Option<String>)> {
    let mut known = origins(context, &paths);
    let found: BTreeSet<String> = known.iter().map(|(path, _)| path.clone()).collect();
    let is_new = |path: &String| began == UNBORN && is_younger(context, path);
    let others = committed.into_iter().filter(|(path, _)| !found.contains(path));
    known.extend(others.filter(|(path, before)| before.is_some() || is_new(path)));
    known
}

/// Whether git can say of files that a commit does not have them: not where the commit, or a folder of it, is gone.
fn says_what_is_new(context: &HookContext, commit: &str, known: &[(String, Option<String>)]) -> bool {
    let without = known.iter().filter(|(_, before)| before.is_none());
    let without: Vec<PathBuf> = without.map(|(path, _)| PathBuf::from(path)).collect();
    without.is_empty() || context.project.git().held(commit, &without).is_some()
}

/// Whether a file can have come after the session began: it has changed since, its name included.
fn is_younger(context: &HookContext, path: &str) -> bool {
    let began = context.watch().and_then(|watch| watch.began).unwrap_or_default();
    let found = fs::symlink_metadata(context.project.root().join(path));
    found.is_ok_and(|found| changed_at(&found).as_second() >= began)
}

/// Takes out new files that git ignores: what is made is no place for a test.
fn leave_ignored(context: &HookContext, known: &mut Vec<(String, Option<String>)>) {
    let is_new = |(path, before): &&(String, Option<String>)| before.is_none() && is_test_path(path);
    let new: Vec<PathBuf> = known.iter().filter(is_new).map(|(path, _)| PathBuf::from(path)).collect();
    if !new.is_empty() {
        let ignored = context.project.git().ignored(&new).unwrap_or_default();
        known.retain(|(path, before)| before.is_some() || !ignored.contains(&PathBuf::from(path)));
    }
}

/// How names of files end that set tools up.
const SETTING_ENDS: &[&str] = &[
    ".yml",
    ".yaml",
    ".toml",
    ".cfg",
    ".ini",
    ".mk",
    ".sh",
    ".bash",
    ".cmake",
    ".conf",
    ".properties",
    ".sbt",
    ".gradle",
    ".bazelrc",
    "rc.json",
    ".props",
];
/// How such names begin.
const SETTING_STARTS: &[&str] = &[
    "Dockerfile",
    "Makefile",
    "justfile",
    "Jenkinsfile",
    ".coveragerc",
    "package.json",
    "composer.json",
    "tsconfig",
    "phpstan",
    ".eslintrc",
    ".flake8",
    ".bandit",
    ".pylintrc",
    ".nycrc",
    ".mocharc",
    "biome.json",
    "CMakeLists.txt",
    "CMakePresets",
    "appsettings",
    ".htaccess",
];

/// Whether a file may run checks or configure them: a gate that is lost in one may stand in another.
fn is_setting(path: &str) -> bool {
    let name = file_name(path);
    is_hook(path)
        || SETTING_STARTS.iter().any(|start| name.starts_with(start))
        || SETTING_ENDS.iter().any(|end| name.ends_with(end)) && !name.contains("lock")
}

/// The files that calls of a loop named, as far as what they held before is known.
pub fn named_by_calls(layout: &Layout, loop_id: &str) -> BTreeSet<String> {
    read_origins(layout, loop_id)
        .into_iter()
        .filter(|origin| !origin.found)
        .map(|origin| origin.path)
        .collect()
}

fn read_origins(layout: &Layout, loop_id: &str) -> Vec<FileOrigin> {
    let lines = own_file::read_text(&layout.loop_dir(loop_id).join(ORIGINS)).unwrap_or_default();
    lines.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// What files held before the calls of a loop touched them first; nothing for one that was not there.
pub fn origins_of(layout: &Layout, loop_id: &str) -> BTreeMap<String, Option<Digest>> {
    let mut known: BTreeMap<String, Option<Digest>> = BTreeMap::new();
    for origin in read_origins(layout, loop_id) {
        known.entry(origin.path).or_insert(origin.sha256);
    }
    known
}

/// What files held before the session touched them first, by the guard's own kept bytes: those of which that is known.
fn origins(context: &HookContext, paths: &[String]) -> Vec<(String, Option<String>)> {
    let Some(bound) = &context.bound else { return Vec::new() };
    let known = origins_of(&context.layout, &bound.id);
    let text = |digest: &Digest| {
        let bytes = context.store.objects().read(digest).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    };
    let of_path = |path: &String| match known.get(path)? {
        None => Some((path.clone(), None)),
        Some(digest) => Some((path.clone(), Some(text(digest)?))),
    };
    paths.iter().filter_map(of_path).collect()
}

/// The files of one kind that the session's calls touched, from what they held before it to now: as far as the guard's own
/// kept bytes or the commit of its start know that.
pub fn since_start(context: &HookContext, is_meant: impl Fn(&str) -> bool) -> Vec<Change> {
    let Some(bound) = &context.bound else { return Vec::new() };
    let mut paths = touched(&context.layout, &bound.id);
    paths.retain(|path| is_meant(path));
    paths.truncate(ELSEWHERE_LIMIT);
    let began = context.watch().and_then(|watch| watch.base_commit).filter(|_| !paths.is_empty());
    let Some(began) = began else { return Vec::new() };
    let known: BTreeMap<String, Option<String>> = origins(context, &paths).into_iter().collect();
    let names: Vec<&str> = paths.iter().map(String::as_str).collect();
    let committed = tree::texts_at(&context.project, &began, &names).unwrap_or_default();
    let change = |(path, committed): (&String, Option<String>)| {
        let before = known.get(path).cloned().unwrap_or(committed);
        let after = read_text(&context.project.root().join(path));
        (before != after).then(|| Change { path: path.clone(), before, after })
    };
    paths.iter().zip(committed).filter_map(change).collect()
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

/// Whether a call of a loop has touched another file since a moment.
pub fn is_newer(layout: &Layout, loop_id: &str, since: jiff::Timestamp) -> bool {
    let changed = layout.loop_dir(loop_id).join(TOUCHED).metadata().and_then(|found| found.modified());
    changed.is_ok_and(|at| jiff::Timestamp::try_from(at).is_ok_and(|at| at >= since))
}

/// Remembers what files hold that no commit has as they are, when a session begins.
pub fn begin(layout: &Layout, loop_id: &str, files: &BTreeMap<String, WatchedFile>) {
    let known = files.iter().filter_map(|(path, known)| Some((path, known.sha256?)));
    let origins =
        known.map(|(path, sha256)| FileOrigin { path: path.clone(), sha256: Some(sha256), found: true });
    let lines = origins.filter_map(|origin| serde_json::to_string(&origin).ok());
    add(&layout.loop_dir(loop_id).join(ORIGINS), lines);
}

/// Remembers which files a call touched, and what those held that no call has touched before, as far as it was kept or is
/// in `found`.
pub fn touch(context: &HookContext, paths: &[String], kept: Option<&Manifest>, found: &[Entry]) {
    let Some(bound) = &context.bound else { return };
    let path = context.layout.loop_dir(&bound.id).join(TOUCHED);
    let known = own_file::read_text(&path).unwrap_or_default();
    let mut known: BTreeSet<&str> = known.lines().collect();
    let new = paths.iter().filter(|path| !path.contains(['\n', '\r']) && known.insert(path.as_str()));
    let new: Vec<&String> = new.collect();
    if new.is_empty() {
        return;
    }
    let origins = new.iter().filter_map(|path| {
        let name = context.store.name(&context.project.root().join(path));
        let of_call = kept.and_then(|kept| kept.entry(&name));
        let is_found = of_call.is_none();
        let entry = of_call.or_else(|| found.iter().find(|entry| entry.path == Path::new(path)))?;
        let sha256 = match &entry.node {
            Node::File { sha256, .. } => Some(*sha256),
            Node::Absent => None,
            _ => return None,
        };
        serde_json::to_string(&FileOrigin { path: (*path).clone(), sha256, found: is_found }).ok()
    });
    add(&context.layout.loop_dir(&bound.id).join(ORIGINS), origins);
    add(&path, new.into_iter().cloned());
}

/// Adds lines to a file with a single write.
fn add(path: &Path, lines: impl Iterator<Item = String>) {
    let text: String = lines.map(|line| line + "\n").collect();
    if let (false, Ok(mut file)) = (text.is_empty(), own_file::append(path)) {
        std::io::Write::write_all(&mut file, text.as_bytes()).ok();
    }
}
