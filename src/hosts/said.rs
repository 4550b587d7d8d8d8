//! What hosts other than Claude Code say of their events: the same things by several names, read into one [`Event`].
//!
//! Each host has a [`EventProtocol`], which is a table; what a host says in a shape of its own is flattened by its adapter
//! before. No field is required, and a field that is not known is not looked at.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use super::json::EventValue;
use super::tools::Tools;
use super::{ASK_VARIABLE, HookCall, Host, foreign_tools, printed, shared_fields};
use crate::model::event::{Event, EventKind, ToolCall};

/// The fields that are read, at whatever level they stand; the inputs of tools are read by those of foreign tools too.
const FIELDS: &[&str] = &[
    "agent_id",
    "agent_name",
    "agent_type",
    "background_tasks",
    "call_id",
    "cell_id",
    "cwd",
    "edit_mode",
    "error",
    "event",
    "hook_event_name",
    "insert_line",
    "is_interrupt",
    "last_assistant_message",
    "llm_content",
    "message",
    "new_source",
    "old_text",
    "new_text",
    "output",
    "permission_mode",
    "prompt",
    "prompt_response",
    "reason",
    "result",
    "return_display",
    "session_id",
    "source",
    "status",
    "stderr",
    "stdout",
    "stop_hook_active",
    "tool_call_id",
    "tool_input",
    "tool_name",
    "tool_output",
    "tool_response",
    "tool_use_id",
    "transcript_path",
    "working_dir",
];

/// What happens at an event, whatever its host calls it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EventMoment {
    SessionStart,
    Prompt,
    Before,
    After,
    AfterFailure,
    Stop,
    SubagentStop,
    Compact,
    SessionEnd,
}

/// How a host speaks, as far as the reading of its events goes.
#[derive(Debug)]
pub(super) struct EventProtocol {
    /// The host's names of the events that are judged.
    pub(super) events: &'static [(&'static str, EventMoment)],
    pub(super) tools: Tools,
    /// Variables with the project's folder.
    pub(super) project: &'static [&'static str],
    /// Whether a question of the hook reaches a person in this permission mode.
    pub(super) asks: fn(mode: Option<&str>) -> bool,
    /// How many times in a row a stop may be continued; `None` is without end.
    pub(super) continuations: fn(call: &HookCall) -> Option<u32>,
}

/// The fields that are read of a host that has none of its own.
pub(super) static FIELDS_ALONE: LazyLock<Vec<&str>> = LazyLock::new(|| fields(&[]));

/// The fields of an event that are read, and `more`, which one host alone has.
pub(super) fn fields(more: &[&'static str]) -> Vec<&'static str> {
    FIELDS.iter().chain(more).copied().chain(foreign_tools::fields()).collect()
}

impl EventProtocol {
    /// The event that a host has said.
    pub(super) fn of(&self, host: &dyn Host, input: &EventValue, call: &HookCall) -> Event {
        self.event(name(host.event_name(call.argument), input, call), input, call)
    }

    /// The event named `name`, of what was said.
    pub(super) fn event(&self, name: &str, input: &EventValue, call: &HookCall) -> Event {
        let project_dir = self.project.iter().find_map(|name| call.variable(name)).map(PathBuf::from);
        let said = ["cwd", "working_dir"].iter().find_map(|field| input.filled(field)).map(PathBuf::from);
        // A host starts its hooks where it works itself.
        let cwd = said.or_else(|| project_dir.clone()).unwrap_or_else(|| PathBuf::from("."));
        let permission_mode = input.filled("permission_mode");
        let can_ask = match call.variable(ASK_VARIABLE).as_deref() {
            Some("always") => true,
            Some("never") => false,
            _ => (self.asks)(permission_mode.as_deref()),
        };
        let kind = self.kind(name, input, &cwd);
        Event {
            can_ask,
            dialogs_hide_reasons: true,
            continuation_cap: (self.continuations)(call),
            permission_mode,
            project_dir,
            ..shared_fields::event(input, name, kind, cwd)
        }
    }

    fn kind(&self, name: &str, input: &EventValue, cwd: &Path) -> EventKind {
        let Some((_, moment)) = self.events.iter().find(|(known, _)| *known == name) else {
            return EventKind::Other;
        };
        match moment {
            // Who names no reason begins a new one.
            EventMoment::SessionStart => EventKind::SessionStart {
                source: input.filled("source").unwrap_or_else(|| "startup".to_owned()),
            },
            EventMoment::Prompt => prompt(input),
            EventMoment::Before => EventKind::PreToolUse(self.call(input, cwd)),
            EventMoment::After => self.after(input, cwd),
            EventMoment::AfterFailure => self.failure(input, cwd),
            EventMoment::Stop => {
                shared_fields::stop(input, first(input, &["last_assistant_message", "prompt_response"]))
            }
            EventMoment::SubagentStop => {
                shared_fields::subagent_stop(input, first(input, &["agent_type", "agent_name"]))
            }
            EventMoment::Compact => EventKind::PreCompact,
            EventMoment::SessionEnd => EventKind::SessionEnd { reason: input.string("reason") },
        }
    }

    fn after(&self, input: &EventValue, cwd: &Path) -> EventKind {
        let call = self.call(input, cwd);
        let response = printed::response(input);
        match input.filled("error").or_else(|| printed::failure(&call, response)) {
            Some(error) => EventKind::PostToolUseFailure { call, error, interrupted: false },
            None => EventKind::PostToolUse { output: printed::output(&call, response), call },
        }
    }

    fn failure(&self, input: &EventValue, cwd: &Path) -> EventKind {
        let error = input.filled("error").unwrap_or_else(|| printed::text(printed::response(input)));
        let interrupted = input.flag("is_interrupt");
        EventKind::PostToolUseFailure { call: self.call(input, cwd), error, interrupted }
    }

    fn call(&self, input: &EventValue, cwd: &Path) -> ToolCall {
        let tool = input.string("tool_name");
        let id = ["tool_use_id", "tool_call_id", "call_id"].iter().find_map(|field| input.filled(field));
        let action = self.tools.action(&tool, input.get("tool_input"), cwd);
        ToolCall { id, tool, action }
    }
}

/// A prompt. Some hosts send the event again, without a text, for each result of a tool.
fn prompt(input: &EventValue) -> EventKind {
    match first(input, &["prompt", "message"]) {
        prompt if prompt.is_empty() => EventKind::Other,
        prompt => EventKind::UserPromptSubmit { prompt },
    }
}

fn first(input: &EventValue, fields: &[&str]) -> String {
    fields.iter().find_map(|field| input.filled(field)).unwrap_or_default()
}

/// The cap that a variable sets; 0 and what is no number leave the host's own.
pub(super) fn cap(call: &HookCall, name: &str, default: u32) -> Option<u32> {
    let set = call.variable(name).and_then(|cap| cap.trim().parse().ok()).filter(|cap| *cap > 0);
    Some(set.unwrap_or(default))
}

/// What the event is called: the call's argument says it, and the bytes only where it doesn't.
pub(super) fn name<'a>(of_argument: Option<&'a str>, input: &'a EventValue, call: &HookCall<'a>) -> &'a str {
    let told = || input.text("hook_event_name").or_else(|| input.text("event"));
    of_argument.or_else(told).unwrap_or(call.argument)
}
