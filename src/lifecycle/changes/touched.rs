//! The files that a session has changed since it began, as git and the session's own calls tell them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::checkpoint::manifest::Manifest;
use crate::checkpoint::node::Node;
use crate::checkpoint::objects::Digest;
use crate::languages::{Language, file_name};
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

/// The file of a loop that says what they held before.
const ORIGINS: &str = "origins.jsonl";

/// What a file held before the session touched it first; nothing, where it was not there.
#[derive(Serialize, Deserialize)]
struct FileOrigin {
    path: String,
    sha256: Option<Digest>,
}

/// The files that changed since the session began, before and now: where a lost test may have gone. Those of the call are
/// among them, as they are without it.
pub fn elsewhere(context: &HookContext) -> Vec<Change> {
    // What the session has committed meanwhile is its work all the same.
    let began = context.watch().and_then(|watch| watch.base_commit).unwrap_or_else(|| "HEAD".to_owned());
    let mut paths = changed_files(context);
    paths.retain(|path| Language::of_path(path).is_some() || is_setting(path));
    paths.truncate(ELSEWHERE_LIMIT);
    let names: Vec<&str> = paths.iter().map(String::as_str).collect();
    let known: Vec<(String, Option<String>)> = match tree::texts_at(&context.project, &began, &names) {
        Some(texts) => paths.into_iter().zip(texts).collect(),
        // Of a file whose past nobody knows nothing is said: it is not new.
        None => origins(context, &paths),
    };
    let changes = known.into_iter().map(|(path, before)| Change {
        after: read_text(&context.project.root().join(&path)),
        before,
        path,
    });
    changes.collect()
}

/// Whether a file may run checks or configure them: a gate that is lost in one may stand in another.
fn is_setting(path: &str) -> bool {
    const ENDINGS: &[&str] = &[".yml", ".yaml", ".toml", ".cfg", ".ini", ".mk"];
    const STARTS: &[&str] =
        &["Dockerfile", "Makefile", "justfile", "Jenkinsfile", ".coveragerc", "package.json"];
    let name = file_name(path);
    STARTS.iter().any(|start| name.starts_with(start))
        || ENDINGS.iter().any(|end| name.ends_with(end)) && !name.contains("lock")
}

/// What files held before the calls of a loop touched them first; nothing for one that was not there.
pub fn origins_of(layout: &Layout, loop_id: &str) -> BTreeMap<String, Option<Digest>> {
    let lines = own_file::read_text(&layout.loop_dir(loop_id).join(ORIGINS)).unwrap_or_default();
    let mut known: BTreeMap<String, Option<Digest>> = BTreeMap::new();
    for origin in lines.lines().filter_map(|line| serde_json::from_str::<FileOrigin>(line).ok()) {
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

/// Remembers which files a call touched, and what those held that no call has touched before, as far as it was kept.
pub fn touch(context: &HookContext, paths: &[String], kept: Option<&Manifest>) {
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
        let sha256 = match &kept?.entry(&name)?.node {
            Node::File { sha256, .. } => Some(*sha256),
            Node::Absent => None,
            _ => return None,
        };
        serde_json::to_string(&FileOrigin { path: (*path).clone(), sha256 }).ok()
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
