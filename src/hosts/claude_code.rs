//! Claude Code's command hooks: one JSON object in, at most one out.
//!
//! The client drops an answer that has a `null`, an unknown value or another event's name, and then lets the
//! action through; so an answer is built from one table of what each event is known to take, and nothing else.

pub mod answer;
mod input;
pub mod registration;

use std::path::PathBuf;

use registration::REGISTRATIONS;

use super::{Host, Registration, Unreadable, Unsupported, Variables};
use crate::model::event::Event;
use crate::model::verdict::Answer;

/// The permission modes in which an interactive client puts a question to the person.
const ASKING_MODES: &[&str] = &["default", "acceptEdits", "plan"];

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
        let asks = permission_mode.as_deref().is_some_and(|mode| ASKING_MODES.contains(&mode));
        Ok(Event {
            host_event: name.to_owned(),
            session_id: input.filled("session_id"),
            can_ask: asks && env("CLAUDE_CODE_ENTRYPOINT").as_deref() == Some("cli"),
            headless: env("CLAUDE_CODE_ENTRYPOINT").is_some_and(|entry| entry.starts_with("sdk")),
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
