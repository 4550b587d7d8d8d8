//! Claude Code's command hooks: one JSON object in, at most one out.
//!
//! The client drops an answer that has a `null`, an unknown value or another event's name, and then lets the
//! action through; so an answer is built from one table of what each event is known to take, and nothing else.

pub mod answer;
mod attendance;
pub mod registration;
pub mod settings_files;
pub mod versions;

use std::fs;
use std::path::PathBuf;

use attendance::SessionFacts;
use registration::REGISTRATIONS;

use super::{
    ASK_VARIABLE, EnvLookup, EventShape, EventValue, HookCall, HookOutput, Host, HostClaim, HostEvidence,
    HostInstallation, PATIENCE, Registration, usual,
};
use crate::model::event::Event;
use crate::model::verdict::Answer;

/// A shell line of a skill is about to run.
const SKILL_COMMAND: &str = "PreSkillShellCommand";

/// Names at the top of other hosts' events that the client's own never have.
const NOT_OURS: &[&str] = &["turn_id", "timestamp", "conversation_id"];

/// The client's permission modes, one of which most of its events name.
const MODES: &[&str] = &["default", "acceptEdits", "plan", "auto", "dontAsk", "bypassPermissions"];

/// The adapter.
#[derive(Debug, Clone, Copy)]
pub struct ClaudeCode;

/// The client's own cap.
const DEFAULT_CONTINUATION_CAP: u32 = 8;

impl Host for ClaudeCode {
    fn name(&self) -> &'static str {
        "claude-code"
    }

    fn title(&self) -> &'static str {
        "Claude Code"
    }

    fn evidence(&self) -> HostEvidence {
        HostEvidence::Run("2.1.197 and 2.1.332")
    }

    /// Other hosts that send nearly the same say the time, the turn, the model beside the mode, or have other modes.
    fn claims(&self, shape: &EventShape) -> HostClaim {
        if shape.is_camel() || NOT_OURS.iter().any(|name| shape.has(name)) {
            return HostClaim::No;
        }
        let is_mode = shape.text("permission_mode").is_some_and(|mode| MODES.contains(&mode));
        if is_mode && !shape.has("model") { HostClaim::Surely } else { HostClaim::Perhaps }
    }

    /// The client tells a hook where the session's project is.
    fn variables(&self) -> &'static [&'static str] {
        &["CLAUDE_PROJECT_DIR"]
    }

    fn registrations(&self) -> &'static [Registration] {
        REGISTRATIONS
    }

    fn more_fields(&self) -> &'static [&'static str] {
        &[]
    }

    fn event(&self, call: &HookCall, input: &EventValue) -> Event {
        let named = self.event_name(call.argument).or_else(|| input.text("hook_event_name"));
        let name = named.unwrap_or(call.argument);
        let project_dir = call.variable("CLAUDE_PROJECT_DIR").map(PathBuf::from);
        let cwd = input.filled("cwd").map(PathBuf::from).or_else(|| project_dir.clone());
        // The client starts a hook in the session's own directory.
        let cwd = cwd.unwrap_or_else(|| PathBuf::from("."));
        let permission_mode = input.filled("permission_mode");
        let (entry, attended) =
            (call.variable("CLAUDE_CODE_ENTRYPOINT"), call.variable("CLAUDE_CODE_SESSION_ATTENDED"));
        let setting = call.variable(ASK_VARIABLE);
        let session = SessionFacts {
            setting: setting.as_deref(),
            attended: attended.as_deref(),
            entry: entry.as_deref(),
            mode: permission_mode.as_deref(),
            permission_tool: name == "PreToolUse" && has_permission_tool(call, entry.as_deref()),
        };
        Event {
            host: self.name(),
            host_event: name.to_owned(),
            session_id: input.filled("session_id"),
            // Of a skill's shell line nobody is asked: a question keeps it from running too.
            can_ask: name != SKILL_COMMAND && attendance::asks(&session),
            drops_context: name == SKILL_COMMAND,
            dialogs_hide_reasons: attended.is_none(),
            headless: attendance::headless(&session),
            continuation_cap: continuation_cap(call.env),
            patience: Some(PATIENCE),
            // Newer clients compare the repository before and after a shell command.
            saw_changes: !input.get("tool_response").get("bashEditDiff").list("files").is_empty(),
            permission_mode,
            transcript: input.filled("transcript_path").map(PathBuf::from),
            agent_id: input.filled("agent_id"),
            kind: usual::kind(self, name, input, call, &cwd),
            cwd,
            project_dir,
        }
    }

    /// The client takes a command with arguments, a plugin's too: `steadfast install` has its own way for it.
    fn installation(&self) -> Option<&'static HostInstallation> {
        None
    }

    fn write(&self, host_event: &str, answer: &Answer) -> HookOutput {
        answer::write(host_event, answer)
            .map(|stdout| HookOutput { stdout, ..HookOutput::default() })
            .unwrap_or_default()
    }
}

/// Whether the client that called was started with a permission tool. Only clients that a program drives are looked
/// at, and only those that say which process they are.
fn has_permission_tool(call: &HookCall, entry: Option<&str>) -> bool {
    if !entry.is_some_and(|entry| entry.starts_with("sdk")) {
        return false;
    }
    let process = call.variable("CLAUDE_PID").and_then(|number| number.parse::<u32>().ok());
    let line = process.and_then(|process| fs::read(format!("/proc/{process}/cmdline")).ok());
    line.is_some_and(|line| attendance::names_permission_tool(&line))
}

/// The client ends a turn after so many continuations of its Stop unless its environment says otherwise; 0 lifts it.
fn continuation_cap(env: EnvLookup) -> Option<u32> {
    match env("CLAUDE_CODE_STOP_HOOK_BLOCK_CAP").and_then(|cap| cap.trim().parse().ok()) {
        Some(0) => None,
        Some(cap) => Some(cap),
        None => Some(DEFAULT_CONTINUATION_CAP),
    }
}

#[cfg(test)]
mod tests;
