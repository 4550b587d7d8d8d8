//! Attempts on the guard itself that are found when no answer can tell of them, or that the next session is to hear of
//! too. They wait in the user's state directory, where a command that clears the project does not come.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::context::known_loops::CriticalLoss;
use crate::lifecycle::context::log::HookRecord;
use crate::state::atomic::Durability;
use crate::state::loop_state::OutsideChange;
use crate::state::own_file;
use crate::text::disarming as text;

/// So much is kept of what waits, in bytes: one attempt is as bad as a thousand.
const MOST: usize = 16 * 1024;
/// What the next session hears.
const NEXT_SESSION: &str = "next-session.txt";

/// Notes an attempt for the session's next hook: this process was not called by its client.
pub(crate) fn leave(context: &HookContext, message: &str) {
    if let Some(path) = waiting(context) {
        append(&path, message);
    }
}

/// Raises what was left for this hook.
pub(crate) fn hear(context: &mut HookContext) {
    let Some(path) = waiting(context) else { return };
    let Ok(left) = own_file::read_text(&path) else { return };
    fs::remove_file(&path).ok();
    raise(context, "hook", left.trim());
}

/// Tells person and agent of an attempt with this answer, and the next session. The turn does not end on it.
pub(crate) fn raise(context: &mut HookContext, file: &str, what: &str) {
    let now = context.env.now;
    let change = OutsideChange { timestamp: now, file: file.to_owned(), what: what.to_owned() };
    context.change_state(Durability::Process, |state| state.note_outside_change(change));
    context.log("on_error", HookRecord::default().outcome(json!({"critical": file, "what": what})));
    let before = context.critical.take();
    let message = before.as_ref().map_or(what.to_owned(), |before| format!("{}\n{what}", before.message));
    let restored = before.is_none_or(|before| before.restored);
    context.critical = Some(CriticalLoss { message, restored });
    if let Ok(folder) = context.layout.outside() {
        append(&folder.join(NEXT_SESSION), &text::in_an_earlier_session(what));
    }
}

/// What a session that begins hears of the ones before it, once.
pub(crate) fn of_earlier_sessions(context: &HookContext) -> Option<String> {
    let begins = context.event.kind.begins_session();
    let path = context.layout.outside().ok()?.join(NEXT_SESSION);
    let left = begins.then(|| own_file::read_text(&path).ok()).flatten()?;
    fs::remove_file(&path).ok();
    Some(left.trim().to_owned()).filter(|left| !left.is_empty())
}

fn waiting(context: &HookContext) -> Option<PathBuf> {
    let file = context.layout.in_force(&context.bound.as_ref()?.id)?;
    Some(file.with_extension("alarm"))
}

fn append(path: &Path, message: &str) {
    let known = own_file::read_text(path).unwrap_or_default();
    if known.len() > MOST || known.contains(message) {
        return;
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).ok();
    }
    // Without a place there is nobody to tell later; the answer of this hook is told all the same.
    if let Ok(mut file) = own_file::append(path) {
        file.write_all(format!("{message}\n").as_bytes()).ok();
    }
}
