//! Claude Code's command hooks: one JSON object in, at most one out.
//!
//! The client drops an answer that has a `null`, an unknown value or another event's name, and then lets the
//! action through; so an answer is built from one table of what each event is known to take, and nothing else.

pub mod answer;
mod attendance;
mod input;
pub mod registration;
pub mod settings_files;
pub mod versions;

use std::fs;
use std::path::PathBuf;

use attendance::Session;
use registration::REGISTRATIONS;

use super::{Host, Registration, Unreadable, Unsupported, Variables};
use crate::model::event::Event;
use crate::model::verdict::Answer;

/// Set by a person whose client the table of attendance can't tell: `always` asks, `never` denies.
pub const ASK_VARIABLE: &str = "STEADFAST_ASK";

/// A shell line of a skill is about to run.
const SKILL_COMMAND: &str = "PreSkillShellCommand";

/// The adapter.
#[derive(Debug, Clone, Copy)]
pub struct ClaudeCode;

/// The client's own cap.
const DEFAULT_CONTINUATION_CAP: u32 = 8;

impl Host for ClaudeCode {
    fn name(&self) -> &'static str {
        "claude-code"
    }

    /// The client tells a hook where the session's project is.
    fn recognises(&self, env: Variables) -> bool {
        env("CLAUDE_PROJECT_DIR").is_some()
    }

    fn registrations(&self) -> &'static [Registration] {
        REGISTRATIONS
    }

    fn read(&self, argument: &str, bytes: &[u8], env: Variables) -> Result<Event, Unreadable> {
        let input = input::read(bytes)?;
        let name = self.event_name(argument).or_else(|| input.text("hook_event_name")).unwrap_or(argument);
        let project_dir = filled_variable(env, "CLAUDE_PROJECT_DIR").map(PathBuf::from);
        let cwd = input.filled("cwd").map(PathBuf::from).or_else(|| project_dir.clone());
        // The client starts a hook in the session's own directory.
        let cwd = cwd.unwrap_or_else(|| PathBuf::from("."));
        let permission_mode = input.filled("permission_mode");
        let told = |name| filled_variable(env, name);
        let (entry, attended) = (told("CLAUDE_CODE_ENTRYPOINT"), told("CLAUDE_CODE_SESSION_ATTENDED"));
        let setting = told(ASK_VARIABLE);
        let session = Session {
            setting: setting.as_deref(),
            attended: attended.as_deref(),
            entry: entry.as_deref(),
            mode: permission_mode.as_deref(),
            permission_tool: name == "PreToolUse" && has_permission_tool(env, entry.as_deref()),
        };
        Ok(Event {
            host_event: name.to_owned(),
            session_id: input.filled("session_id"),
            // Of a skill's shell line nobody is asked: a question keeps it from running too.
            can_ask: name != SKILL_COMMAND && attendance::asks(&session),
            drops_context: name == SKILL_COMMAND,
            dialogs_hide_reasons: attended.is_none(),
            headless: attendance::headless(&session),
            continuation_cap: continuation_cap(env),
            permission_mode,
            transcript: input.filled("transcript_path").map(PathBuf::from),
            agent_id: input.filled("agent_id"),
            kind: input::kind(name, &input, &cwd),
            cwd,
            project_dir,
        })
    }

    fn write(&self, host_event: &str, answer: &Answer) -> Result<Option<String>, Unsupported> {
        answer::write(host_event, answer)
    }
}

/// Whether the client that called was started with a permission tool. Only clients that a program drives are looked
/// at, and only those that say which process they are.
fn has_permission_tool(env: Variables, entry: Option<&str>) -> bool {
    if !entry.is_some_and(|entry| entry.starts_with("sdk")) {
        return false;
    }
    let process = filled_variable(env, "CLAUDE_PID").and_then(|number| number.parse::<u32>().ok());
    let line = process.and_then(|process| fs::read(format!("/proc/{process}/cmdline")).ok());
    line.is_some_and(|line| attendance::names_permission_tool(&line))
}

fn filled_variable(env: Variables, name: &str) -> Option<String> {
    env(name).filter(|value| !value.is_empty())
}

/// The client ends a turn after so many continuations of its Stop unless its environment says otherwise; 0 lifts it.
fn continuation_cap(env: Variables) -> Option<u32> {
    match env("CLAUDE_CODE_STOP_HOOK_BLOCK_CAP").and_then(|cap| cap.trim().parse().ok()) {
        Some(0) => None,
        Some(cap) => Some(cap),
        None => Some(DEFAULT_CONTINUATION_CAP),
    }
}

#[cfg(test)]
mod tests;
