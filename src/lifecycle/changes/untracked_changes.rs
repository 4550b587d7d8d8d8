//! Seeing what tools did not tell: files that changed since they were last judged.
//!
//! An edit names its file; a script does not. What is compared is the record of `watch.json` with the disk: in a git
//! repository git says which files differ from the commit that was last looked at, elsewhere every recorded file is
//! looked at with one `stat`. Where the whole tree was looked at, before a call and after it or at the turn's end, that says
//! it for both. A file that looks as it did
//! costs no reading. Of what a pull or a change of branch brought a loop judges the tests alone, and a session nothing.

mod call_begin;
mod caught;
mod differing;
mod hidden;
mod history;
mod judging;
mod never_judged;
mod pending;

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use crate::checkpoint::manifest::Manifest;
use crate::checkpoint::net::NetChanges;
use crate::checkpoint::node::{Entry, Node};
use crate::checkpoint::objects::{Digest, digest_of_file};
use crate::checkpoint::settle;
use crate::checkpoint::settle::{EndedCall, SettledChanges};
use crate::checkpoint::store::Store;
use crate::checkpoint::watch::{FileStat, Watch, WatchedFile};
use crate::languages;
use crate::lifecycle::changes::file_text::read_text;
use crate::lifecycle::changes::untracked_changes::differing::UnjudgedPolicy;
use crate::lifecycle::changes::untracked_changes::pending::PendingRecord;
use crate::lifecycle::changes::{touched, tree};
use crate::lifecycle::context::hook_context::HookContext;
use crate::model::event::ToolCall;
use crate::model::finding::{Change, counted_are};
use crate::state::atomic::Durability;

pub use crate::lifecycle::changes::untracked_changes::judging::judged;
pub(super) use crate::lifecycle::changes::untracked_changes::never_judged::is_gits_own;

/// At most so many files are recorded when a session begins to change files: outside git, and in it those that differ
/// from the commit.
const RECORDED_LIMIT: usize = 5_000;
/// When the recording must be done, from the start of the process: the call still has to be judged.
const RECORDING: Duration = Duration::from_millis(800);
/// At most so many changed files are judged at a time; those with tests come first.
const JUDGED_LIMIT: usize = 1_000;
/// Endings of files that hold nothing to judge.
const NO_TEXT: &[&str] = &[
    "png", "jpg", "jpeg", "gif", "webp", "ico", "bmp", "tiff", "pdf", "zip", "gz", "xz", "bz2", "zst", "tar",
    "jar", "war", "whl", "so", "dylib", "dll", "exe", "bin", "o", "a", "lib", "class", "pyc", "wasm", "woff",
    "woff2", "ttf", "otf", "eot", "mp3", "mp4", "mov", "avi", "wav", "ogg", "webm", "sqlite", "db",
    "parquet", "npy", "onnx", "lock", "map", "log", "md", "rst", "txt", "adoc", "csv", "tsv", "svg",
];

/// What changed since it was last judged.
#[derive(Debug, Default)]
pub struct UntrackedChanges {
    /// The files, before and after.
    pub changes: Vec<Change>,
    /// What was there before of those files that nothing was kept of when the call began.
    pub found: Vec<Entry>,
    /// Those of the changed files that another commit brought, which no call of this session wrote; after the judgement
    /// also those whose tests have no excuse in the code that went with them.
    pub moved: BTreeSet<String>,
    /// What was changed before the call began: it is judged with the rest, and is none of the call's work.
    pub older: BTreeSet<String>,
    /// The files that the call itself named and changed.
    pub named: Vec<String>,
    /// The files that the call itself named and made.
    pub made: Vec<String>,
    /// What is to be recorded once all of it is on record.
    pending: PendingRecord,
}

impl UntrackedChanges {
    /// The changed files.
    pub fn paths(&self) -> Vec<String> {
        self.changes.iter().map(|change| change.path.clone()).collect()
    }

    /// The files that this session changed: what its calls named, and what is found changed besides.
    pub fn own_paths(&self) -> Vec<String> {
        let is_own = |path: &&String| !self.moved.contains(*path) && !self.older.contains(*path);
        let found = self.changes.iter().map(|change| &change.path).filter(is_own);
        self.named.iter().chain(found).cloned().collect()
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
            .filter(|change| may_hold_tests(&change.path))
            .filter_map(|c| Some((count(&c.path, &c.before)?, count(&c.path, &c.after)?)))
            .collect();
        if counts.is_empty() {
            return None;
        }
        let sum = |pick: fn(&(usize, usize)) -> usize| counts.iter().map(pick).sum::<usize>() as u64;
        Some((sum(|c| c.0), sum(|c| c.1)))
    }
}

/// Begins the record of a loop: the commit, and the bytes of the files that differ from it already, or outside git of
/// all. Answers what a person must know of a record that is not whole.
pub fn begin(context: &HookContext, loop_id: &str) -> Option<String> {
    let mut watch = Watch {
        base_commit: tree::head_commit(&context.project),
        began: Some(context.env.now.as_second()),
        ..Watch::default()
    };
    // Where git can't say what differs from the commit, nothing but the disk says what is there.
    let differing = watch.base_commit.as_ref().and_then(|_| tree::differing_files(&context.project));
    let mut files = differing.unwrap_or_else(|| tree::files(&context.project, RECORDED_LIMIT + 1));
    files.extend(context.project.git().unseen().unwrap_or_default());
    files.retain(|path| is_judged(path));
    files.sort_by_key(|path| !may_hold_tests(path));
    let mut left = files.len().saturating_sub(RECORDED_LIMIT);
    for (number, path) in files.iter().take(RECORDED_LIMIT).enumerate() {
        if context.env.started.elapsed() > RECORDING {
            left = files.len() - number;
            break;
        }
        remember(context, &mut watch, path);
    }
    // A record that can't be written makes the next comparison go back to the commit: no reason to fail here.
    watch.write(&context.layout, loop_id).ok();
    touched::begin(&context.layout, loop_id, &watch.files);
    (left > 0).then(|| {
        format!("{} not watched: there are too many that no commit holds", counted_are(left, "file"))
    })
}

/// What a call changed: the files that were kept before it, and, when it ran code, every other file. An edit's files
/// without tests have been judged before it, so they are only recorded.
/// What the net under it has `caught` says it of files that git passes over.
pub fn after_call(
    context: &HookContext,
    kept: Option<&Manifest>,
    runs_code: bool,
    caught: &NetChanges,
) -> UntrackedChanges {
    if context.bound.is_none() {
        return UntrackedChanges::default();
    }
    let mut watch = context.watch().unwrap_or_default();
    let recorded = watch.clone();
    let mut untracked = UntrackedChanges::default();
    let mut named = BTreeSet::new();
    for entry in kept.iter().flat_map(|manifest| &manifest.entries) {
        let path = context.relative(&context.store.path(&entry.path));
        if !named.insert(path.clone()) {
            continue;
        }
        note_named(context, &mut untracked, &path, &entry.node);
        let Some(before) = text_before(context, &path, &entry.node) else { continue };
        if runs_code || may_hold_tests(&path) {
            push_change(context, &mut untracked, &path, before);
        }
        remember(context, &mut watch, &path);
    }
    if runs_code {
        if !caught::add(context, &mut watch, &mut untracked, &named, caught) {
            differing::add(context, &mut watch, &mut untracked, &named, UnjudgedPolicy::IsLeft);
        }
        hidden::add(context, &mut watch, &mut untracked, &named, &caught.before);
        never_judged::add(context, &mut watch, &mut untracked, &named, &caught.before);
        let found = untracked.found.iter().map(|entry| entry.path.as_path());
        untracked.older = call_begin::older(context, found, caught);
        let UntrackedChanges { found, older, .. } = &mut untracked;
        found.retain(|entry| entry.path.to_str().is_none_or(|path| !older.contains(path)));
    }
    untracked.pending = PendingRecord::between(&recorded, watch);
    untracked
}

/// The text that a judged file had; inner `None` where it was not there, outer where it is none that is judged.
fn text_before(context: &HookContext, path: &str, node: &Node) -> Option<Option<String>> {
    match node {
        _ if !is_judged(path) => None,
        Node::File { sha256, .. } => Some(object_text(context, sha256)),
        Node::Absent => Some(None),
        _ => None,
    }
}

/// Everything that changed since it was last judged, whoever changed it. Files that no commit holds yet are no loss, but
/// their tests count.
pub fn all(context: &HookContext) -> UntrackedChanges {
    if context.bound.is_none() {
        return UntrackedChanges::default();
    }
    let mut watch = context.watch().unwrap_or_default();
    let recorded = watch.clone();
    let mut untracked = UntrackedChanges::default();
    differing::add(context, &mut watch, &mut untracked, &BTreeSet::new(), UnjudgedPolicy::Counts);
    untracked.pending = PendingRecord::between(&recorded, watch);
    untracked
}

/// Moves the record on to what was looked at. It comes last: a process that dies before finds the same once more.
pub fn move_on(context: &HookContext, untracked: &UntrackedChanges) {
    untracked.pending.write(context);
}

/// Lets an undo of the call bring back what was found out only after it.
pub fn keep_found(
    context: &mut HookContext,
    tool_call: &ToolCall,
    summary: &str,
    untracked: &UntrackedChanges,
) {
    let (Some(bound), false) = (&context.bound, untracked.found.is_empty()) else { return };
    let call = EndedCall {
        loop_id: &bound.id,
        iteration: context.iteration(),
        tool_call_id: tool_call.id.as_deref(),
    };
    let tool = context.event.tool_name(tool_call);
    let made = SettledChanges {
        call,
        tool: &tool,
        summary,
        before: &untracked.found,
        unkept: &[],
        began: context.env.now,
        now: context.env.now,
    };
    if let Err(error) = settle::add(&context.store, &made) {
        context.problems.push(error.to_string());
    }
}

/// Notes a file that the call named, where it is not as it was before the call.
fn note_named(context: &HookContext, untracked: &mut UntrackedChanges, path: &str, before: &Node) {
    let full = context.project.root().join(path);
    let is_same = match before {
        Node::Absent => full.symlink_metadata().is_err(),
        Node::File { sha256, size, .. } => {
            full.metadata().is_ok_and(|now| now.len() == *size)
                && digest_of_file(&full).is_ok_and(|(now, _)| now == *sha256)
        }
        _ => false,
    };
    if !is_same {
        untracked.named.push(path.to_owned());
        if *before == Node::Absent && full.is_file() {
            untracked.made.push(path.to_owned());
        }
    }
}

fn push_change(context: &HookContext, untracked: &mut UntrackedChanges, path: &str, before: Option<String>) {
    let after = read_text(&context.project.root().join(path));
    if before != after {
        untracked.changes.push(Change { path: path.to_owned(), before, after });
    }
}

/// Records a file as it is now, bytes included.
fn remember(context: &HookContext, watch: &mut Watch, path: &str) {
    let full = context.project.root().join(path);
    let tests = if may_hold_tests(path) {
        read_text(&full).and_then(|text| languages::count_tests(path, &text)).unwrap_or_default()
    } else {
        0
    };
    watch.files.insert(path.to_owned(), known(&context.store, &full, tests as u64));
}

/// A file as it is now, with so many tests in it; its bytes are kept.
pub fn known(store: &Store, path: &Path, tests: u64) -> WatchedFile {
    let look = FileStat::at(path);
    let kept = path.is_file().then(|| store.objects().keep_file(path, Durability::Process).ok()).flatten();
    WatchedFile { sha256: kept.map(|(digest, _)| digest), tests, look }
}

fn object_text(context: &HookContext, digest: &Digest) -> Option<String> {
    context.store.objects().read(digest).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// Whether a file can hold tests by its name: a test file, or a source file of a language with inline tests.
pub(crate) fn may_hold_tests(path: &str) -> bool {
    languages::is_test_path(path) || Path::new(path).extension().is_some_and(|extension| extension == "rs")
}

/// Whether a file can hold anything that is judged, by its name.
pub(crate) fn is_judged(path: &str) -> bool {
    if tree::is_state(path) {
        return false;
    }
    let extension = Path::new(path).extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    may_hold_tests(path) || !NO_TEXT.iter().any(|none| none.eq_ignore_ascii_case(extension))
}
