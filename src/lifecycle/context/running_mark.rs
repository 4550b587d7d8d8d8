//! The mark of a critical hook that runs: a process that dies in it leaves the mark behind, and the next one finds it.

use std::fs;
use std::path::{Path, PathBuf};

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::definitions::names::{HookName, OnFailure};
use crate::lifecycle::context::hook_context::{FailedHook, HookContext};
use crate::state::atomic;
use crate::state::atomic::Durability;
use crate::state::own_file;

/// A mark this old belongs to a process that is gone: no hook lives longer.
const LONGEST_HOOK: SignedDuration = SignedDuration::from_secs(15);

/// The mark's name in the loop's directory.
pub(crate) const MARK: &str = "running-hook.json";

/// The mark of a hook that runs.
#[derive(Debug, Serialize, Deserialize)]
struct RunningHook {
    hook: String,
    timestamp: Timestamp,
    #[serde(default)]
    process: Option<u32>,
}

/// Marks that a critical hook runs, so that its death does not go unseen.
pub fn begin(context: &HookContext, hook: HookName) {
    if policy(context, hook) != OnFailure::LogAndContinue
        && let Some(path) = mark(context)
    {
        let mark = json!({"hook": hook.name(), "timestamp": Timestamp::now(), "process": std::process::id()});
        // A mark that can't be written is a death that would go unseen, no more.
        atomic::write(&path, mark.to_string().as_bytes(), Durability::Process).ok();
        context.marked.set(Some(hook));
    }
}

/// The hook has left its line in the log, so it is done.
pub fn end(context: &HookContext, hook: &str) {
    if context.marked.get().is_some_and(|marked| marked.name() == hook) {
        context.marked.set(None);
        mark(context).map(fs::remove_file);
    }
}

/// The mark of a hook whose process died becomes a failure of that hook.
pub(crate) fn pick_up(context: &HookContext) {
    let Some(path) = mark(context) else { return };
    let Ok(bytes) = own_file::read(&path) else { return };
    let read: Option<RunningHook> = serde_json::from_slice(&bytes).ok();
    let is_young = |mark: &RunningHook| context.env.now.duration_since(mark.timestamp).abs() < LONGEST_HOOK;
    // Another process of this session may be in that hook right now. One that is gone counts at once.
    let runs = |mark: &RunningHook| is_young(mark) && mark.process.is_none_or(may_live);
    if context.marked.get().is_some() || read.as_ref().is_some_and(runs) {
        return;
    }
    fs::remove_file(&path).ok();
    if let Some(hook) = read.and_then(|mark| HookName::of(&mark.hook)) {
        let reason = "its process died while it ran".to_owned();
        context.failed.borrow_mut().push(FailedHook { hook, reason });
    }
}

/// Whether a process may be there still; where the system does not say, it may.
fn may_live(process: u32) -> bool {
    let processes = Path::new("/proc");
    !processes.join("self").exists() || processes.join(process.to_string()).exists()
}

pub(crate) fn policy(context: &HookContext, hook: HookName) -> OnFailure {
    context.definitions().definitions.execution.on_failure(hook)
}

fn mark(context: &HookContext) -> Option<PathBuf> {
    Some(context.layout.loop_dir(&context.bound.as_ref()?.id).join(MARK))
}
