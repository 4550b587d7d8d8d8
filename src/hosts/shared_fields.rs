//! Fields that mean the same in every host's events, read once for both readings: that of Claude Code's names (`usual`)
//! and that of a host's own protocol (`said`).

use std::path::PathBuf;

use super::json::EventValue;
use super::{PATIENCE, printed};
use crate::model::event::{Action, Event, EventKind, ShellDialect};

/// The event `name` of a host of which nothing more is known: nobody is asked, and nobody is known to sit before it.
/// Where that is otherwise the reading says so.
pub(super) fn event(input: &EventValue, name: &str, kind: EventKind, cwd: PathBuf) -> Event {
    Event {
        host: "",
        host_event: name.to_owned(),
        session_id: input.filled("session_id"),
        can_ask: false,
        drops_context: false,
        dialogs_hide_reasons: false,
        // What is typed may come from a program.
        headless: true,
        continuation_cap: None,
        patience: Some(PATIENCE),
        saw_changes: false,
        permission_mode: input.filled("permission_mode"),
        transcript: input.filled("transcript_path").map(PathBuf::from),
        agent_id: input.filled("agent_id"),
        kind,
        project_dir: None,
        cwd,
    }
}

/// The end of a turn, with what was said last.
pub(super) fn stop(input: &EventValue, last_message: String) -> EventKind {
    EventKind::Stop {
        continued: input.flag("stop_hook_active"),
        last_message,
        waiting: input.list("background_tasks").iter().any(printed::is_running),
    }
}

/// The end of an agent that another one has started.
pub(super) fn subagent_stop(input: &EventValue, agent_type: String) -> EventKind {
    EventKind::SubagentStop { agent_type, continued: input.flag("stop_hook_active") }
}

/// A change of a cell of the notebook at `path`.
pub(super) fn notebook(input: &EventValue, path: PathBuf) -> Action {
    Action::NotebookEdit {
        path,
        cell_id: input.filled("cell_id"),
        mode: input.filled("edit_mode").unwrap_or_else(|| "replace".to_owned()),
        source: input.string("new_source"),
    }
}

/// A prompt that the agent schedules comes back as if it had been typed: a command in it is the agent's own.
pub(super) fn scheduled(input: &EventValue) -> Option<Action> {
    let command = scheduled_command(input.text("prompt")?)?;
    Some(Action::Shell { command, dialect: ShellDialect::Posix })
}

/// The command line that a prompt with one of the plugin's commands comes to.
fn scheduled_command(prompt: &str) -> Option<String> {
    let prompt = prompt.trim_start();
    let words = ["/steadfast:", "steadfast "].iter().find_map(|start| prompt.strip_prefix(start))?;
    let name: String = words.chars().take_while(|letter| letter.is_ascii_alphabetic()).collect();
    match name.as_str() {
        "gate" => Some("steadfast gate approve".to_owned()),
        "allow" => Some("steadfast allow CODE".to_owned()),
        "loop" => Some("steadfast loop start".to_owned()),
        "pause" | "resume" | "abort" => Some(format!("steadfast loop {name}")),
        _ => None,
    }
}
