//! When the call began whose end is told: what was changed before that is none of its work.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use jiff::Timestamp;

use crate::checkpoint::net::NetChanges;
use crate::lifecycle::changes::call_times::TICK;
use crate::lifecycle::changes::file_text::changed_at;
use crate::lifecycle::context::hook_context::HookContext;
use crate::state::audit;

/// So much of the log's end is looked through.
const LOOKED_THROUGH: u64 = 64 << 10;

/// Which of these files were last changed before the call began. Empty where the log does not say when that was.
/// What is gone was so before when the net under the call says it, or the folder that held it has not changed since.
pub(crate) fn older<'p>(
    context: &HookContext,
    paths: impl Iterator<Item = &'p Path>,
    caught: &NetChanges,
) -> BTreeSet<String> {
    let mut paths = paths.peekable();
    if paths.peek().is_none() {
        return BTreeSet::new();
    }
    let Some(began) = began(context) else { return BTreeSet::new() };
    let root = context.project.root();
    let is_seen_before = |path: &Path| {
        let older = caught.older.iter().flatten().any(|older| Path::new(older.as_str()) == path);
        older && !caught.before.iter().any(|entry| entry.path == path)
    };
    let is_older = |path: &&Path| match fs::symlink_metadata(root.join(path)) {
        Ok(metadata) => changed_at(&metadata) < began,
        Err(_) => is_seen_before(path) || folder_changed_at(root, path).is_some_and(|at| at < began),
    };
    paths.filter(is_older).filter_map(|path| path.to_str().map(str::to_owned)).collect()
}

/// When the nearest folder that is still there last changed, of those that held a file which is gone.
fn folder_changed_at(root: &Path, path: &Path) -> Option<Timestamp> {
    let folders = path.ancestors().skip(1).map(|folder| root.join(folder));
    folders.filter_map(|folder| fs::symlink_metadata(folder).ok()).next().map(|it| changed_at(&it))
}

/// When the oldest call began that is still to be told of. Of several calls at once it is not said which one that is.
fn began(context: &HookContext) -> Option<Timestamp> {
    let log = context.layout.hook_log(&context.bound.as_ref()?.id);
    let lines = audit::newest(&log, LOOKED_THROUGH).ok()?;
    let (mut told, mut began) = (0_usize, None);
    for line in lines {
        match line.hook_name.as_str() {
            "post_tool_call" => told += 1,
            "pre_tool_call" if line.says("deny") => {}
            "pre_tool_call" if told > 0 => told -= 1,
            "pre_tool_call" => began = Some(line.timestamp),
            // Between two turns no call of the agent runs.
            "post_iteration" | "UserPromptSubmit" | "SessionStart" => break,
            _ => {}
        }
    }
    began?.checked_sub(TICK).ok()
}
