//! Which changes in the project are those of other sessions.
//!
//! Invariant: a session counts only what its own calls changed. A file is another's when that session has touched it and
//! has judged it just as it is now, or when a call of it runs that may be changing it.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use crate::checkpoint::manifest::call_label;
use crate::checkpoint::watch::{FileStat, Watch, WatchedFile};
use crate::lifecycle::changes::file_text::changed_at;
use crate::lifecycle::changes::touched;
use crate::lifecycle::context::hook_context::HookContext;
use crate::model::event::ToolCall;
use crate::state::atomic;
use crate::state::atomic::Durability;
use crate::state::layout::Layout;
use crate::state::own_file;

/// The folder of a loop with a file for each of its calls that runs.
const RUNNING: &str = "open-calls";
/// The line of a call that may change any file.
const ANY: &str = "*";

/// What the other sessions have changed, and may be changing.
pub(crate) struct Others {
    all: Vec<(BTreeSet<String>, Watch)>,
    named: BTreeSet<String>,
    any: bool,
}

impl Others {
    /// Reads the others' records. At the end of a turn (`at_end`) no call of this session has just run: what nobody has
    /// judged may then be the work of any call that runs elsewhere, unless one of this session has never been heard of
    /// again.
    pub(crate) fn read(context: &HookContext, at_end: bool) -> Self {
        let mut others = Others { all: Vec::new(), named: BTreeSet::new(), any: false };
        for id in &context.others {
            if let Some(watch) = Watch::read(&context.layout, id) {
                let touched = touched::touched(&context.layout, id).into_iter().collect();
                others.all.push((touched, watch));
            }
            others.named.extend(running(&context.layout, id));
        }
        others.all.extend(context.ended.iter().filter_map(|id| since_begin(context, id)));
        let own = context.bound.as_ref().is_some_and(|bound| !running(&context.layout, &bound.id).is_empty());
        if own && at_end {
            others.named.clear();
        }
        others.any = at_end && others.named.contains(ANY);
        others
    }

    /// Whether one of them has touched the file and judged it as it is now.
    pub(crate) fn have_changed(&self, context: &HookContext, path: &str) -> bool {
        let look = FileStat::at(&context.project.root().join(path));
        self.all.iter().any(|(touched, watch)| {
            touched.contains(path) && watch.files.get(path).is_some_and(|known| known.look == look)
        })
    }

    /// The file as one of them has judged it after it was known to `own`, this session's record, where it touched it.
    pub(crate) fn judged_later(
        &self,
        context: &HookContext,
        path: &str,
        own: &Watch,
    ) -> Option<&WatchedFile> {
        let theirs = self.all.iter().filter(|(touched, _)| touched.contains(path));
        let newest =
            theirs.filter_map(|(_, watch)| watch.files.get(path)).max_by_key(|it| it.look.mtime_ns)?;
        // What has no entry was looked at when this session's loop began, and was as in the commit.
        let known = own.files.get(path).map_or_else(|| began(context), |known| known.look.mtime_ns);
        let is_later = newest.look.mtime_ns > known;
        // Of one that is gone nobody knows when it went.
        (is_later && newest.sha256.is_some()).then_some(newest)
    }

    /// Whether a call of one of them may be changing the file.
    pub(crate) fn may_change(&self, path: &str) -> bool {
        self.any || self.named.contains(path)
    }
}

/// When this session's loop began, in nanoseconds since 1970.
fn began(context: &HookContext) -> u64 {
    let began = context.bound.as_ref().map(|bound| bound.entry.started_at.as_nanosecond());
    began.and_then(|began| u64::try_from(began).ok()).unwrap_or_default()
}

/// What a loop that is over touched and judged, where it did so after this session's loop began.
fn since_begin(context: &HookContext, id: &str) -> Option<(BTreeSet<String>, Watch)> {
    let began = context.bound.as_ref()?.entry.started_at;
    let looked = fs::metadata(Watch::path(&context.layout, id)).ok()?;
    if changed_at(&looked) < began {
        return None;
    }
    Some((touched::touched(&context.layout, id).into_iter().collect(), Watch::read(&context.layout, id)?))
}

/// Notes that a call is about to run. Where nobody else is at work in the project it leaves nothing.
pub fn begin(context: &HookContext, call: &ToolCall, paths: &[String], runs_code: bool) {
    let Some(path) = mark(context, call).filter(|_| !context.others.is_empty()) else { return };
    let mut lines: Vec<&str> = paths.iter().map(String::as_str).collect();
    lines.extend(runs_code.then_some(ANY));
    if !lines.is_empty() {
        // Without the mark a change may be taken for another session's, no more.
        atomic::write(&path, lines.join("\n").as_bytes(), Durability::Process).ok();
    }
}

/// Notes that a call has been judged.
pub fn end(context: &HookContext, call: &ToolCall) {
    if let Some(path) = mark(context, call) {
        fs::remove_file(path).ok();
    }
}

/// Notes that everything of this session has been judged.
pub fn end_all(context: &HookContext) {
    if let Some(bound) = &context.bound {
        let folder = context.layout.loop_dir(&bound.id).join(RUNNING);
        if folder.is_dir() {
            fs::remove_dir_all(folder).ok();
        }
    }
}

/// What the running calls of a loop may change, and what those have changed that ran in its pause.
pub(crate) fn running(layout: &Layout, loop_id: &str) -> Vec<String> {
    let entries = fs::read_dir(layout.loop_dir(loop_id).join(RUNNING)).into_iter().flatten().flatten();
    let texts = entries.filter_map(|entry| own_file::read_text(&entry.path()).ok());
    texts.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>()).collect()
}

fn mark(context: &HookContext, call: &ToolCall) -> Option<PathBuf> {
    let bound = context.bound.as_ref()?;
    Some(context.layout.loop_dir(&bound.id).join(RUNNING).join(call_label(call.id.as_ref()?)))
}
