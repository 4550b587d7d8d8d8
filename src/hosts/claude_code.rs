//! Claude Code's command hooks: one JSON object in, at most one out.
//!
//! The client drops an answer that has a `null`, an unknown value or another event's name, and then lets the
//! action through; so an answer is built from one table of what each event is known to take, and nothing else.

pub mod answer;
pub mod registration;

use std::path::{Path, PathBuf};

use answer::{Decision, Output, Permission, Specific};

use super::json::Node;
use super::prose::fitted;
use super::{Host, Unreadable, Unsupported, Variables, foreign_tools, terminal};
use crate::model::event::{Action, Dialect, Event, EventKind, TextEdit, ToolCall};
use crate::model::verdict::{Answer, Verdict};

/// The events that are judged: the hook's argument, the client's name.
const EVENTS: &[(&str, &str)] = &[
    ("session-start", "SessionStart"),
    ("user-prompt-submit", "UserPromptSubmit"),
    ("pre-tool-use", "PreToolUse"),
    ("post-tool-use", "PostToolUse"),
    ("post-tool-use-failure", "PostToolUseFailure"),
    ("stop", "Stop"),
    ("subagent-stop", "SubagentStop"),
    ("pre-compact", "PreCompact"),
    ("session-end", "SessionEnd"),
];

/// The fields that are read, at whatever level they stand.
const FIELDS: &[&str] = &[
    "agent_id",
    "agent_type",
    "background_tasks",
    "cell_id",
    "command",
    "content",
    "cwd",
    "edit_mode",
    "edits",
    "error",
    "file_path",
    "hook_event_name",
    "is_interrupt",
    "last_assistant_message",
    "new_source",
    "new_string",
    "notebook_path",
    "old_string",
    "permission_mode",
    "prompt",
    "reason",
    "replace_all",
    "session_id",
    "source",
    "status",
    "stderr",
    "stdout",
    "stop_hook_active",
    "tool_input",
    "tool_name",
    "tool_response",
    "tool_use_id",
    "transcript_path",
];

/// The client's own tools that write, or that only read and are called most.
const OWN_TOOLS: &[&str] = &[
    "Bash",
    "Edit",
    "Write",
    "Read",
    "MultiEdit",
    "NotebookEdit",
    "Monitor",
    "PowerShell",
    "CronCreate",
    "ScheduleWakeup",
];

/// The permission modes in which an interactive client puts a question to the person.
const ASKING_MODES: &[&str] = &["default", "acceptEdits", "plan"];

/// The longest text that is sent, in UTF-16 units. Beyond 10,000 the client puts a file reference in the place of
/// contexts and messages; it sends reasons of any length to the model.
const TEXT_LIMIT: usize = 9_500;

/// The adapter.
#[derive(Debug, Clone, Copy)]
pub struct ClaudeCode;

/// The client's own cap.
const DEFAULT_CONTINUATION_CAP: u32 = 8;

impl Host for ClaudeCode {
    fn name(&self) -> &'static str {
        "claude-code"
    }

    fn event_name(&self, argument: &str) -> Option<&'static str> {
        EVENTS.iter().find(|(known, _)| *known == argument).map(|(_, name)| *name)
    }

    fn read(&self, argument: &str, bytes: &[u8], env: Variables) -> Result<Event, Unreadable> {
        let mut input = Node::read(bytes, FIELDS)?;
        if is_foreign(&input) {
            let wanted: Vec<&str> = FIELDS.iter().copied().chain(foreign_tools::fields()).collect();
            input = Node::read(bytes, &wanted)?;
        }
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
            kind: kind(name, &input, &cwd),
            cwd,
            project_dir,
        })
    }

    fn write(&self, host_event: &str, answer: &Answer) -> Result<Option<String>, Unsupported> {
        use Verdict::{Ask, Context, Continue, Deny, Feedback, Halt, Pass};
        let mut output = match (&answer.verdict, host_event) {
            (Pass, _) => Output::default(),
            (
                Context(text),
                "SessionStart" | "UserPromptSubmit" | "PreToolUse" | "PostToolUse" | "PostToolUseFailure",
            )
            // Unlike `decision: block` it continues the turn without the word "error" on the person's screen.
            | (Continue(text), "Stop") => context(host_event, text),
            (Ask(reason), "PreToolUse") => permission(Permission::Ask, reason),
            (Deny(reason), "PreToolUse") => permission(Permission::Deny, reason),
            // The prompt is not sent to the model; the person reads why.
            (Deny(reason), "UserPromptSubmit")
            | (Feedback(reason), "PostToolUse" | "PostToolUseFailure") | (Continue(reason), "SubagentStop") => {
                Output { decision: Some(Decision::Block), reason: Some(fit(reason)), ..Output::default() }
            }
            // From PreToolUse it would end the turn and still run the call.
            (Halt(reason), "PostToolUse" | "PostToolUseFailure" | "Stop" | "SubagentStop") => {
                Output { goes_on: Some(false), stop_reason: Some(fit(reason)), ..Output::default() }
            }
            (verdict, _) => {
                return Err(Unsupported { verdict: verdict.name(), event: host_event.to_owned() });
            }
        };
        output.system_message = answer.human.as_deref().map(fit);
        output.terminal_sequence = answer.attention.as_ref().map(terminal::sequence);
        if output.is_empty() {
            return Ok(None);
        }
        // Nothing in it can fail to become JSON; silence would be the host's answer to a failure too.
        Ok(serde_json::to_string(&output).ok())
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

fn kind(event: &str, input: &Node, cwd: &Path) -> EventKind {
    match event {
        "SessionStart" => EventKind::SessionStart { source: input.string("source") },
        "UserPromptSubmit" => EventKind::UserPromptSubmit { prompt: input.string("prompt") },
        "PreToolUse" => EventKind::PreToolUse(call(input, cwd)),
        "PostToolUse" => {
            let call = call(input, cwd);
            EventKind::PostToolUse { output: printed(input, &call), call }
        }
        "PostToolUseFailure" => EventKind::PostToolUseFailure {
            call: call(input, cwd),
            error: input.string("error"),
            interrupted: input.flag("is_interrupt"),
        },
        "Stop" => EventKind::Stop {
            continued: input.flag("stop_hook_active"),
            last_message: input.string("last_assistant_message"),
            waiting: input.list("background_tasks").iter().any(is_running),
        },
        "SubagentStop" => EventKind::SubagentStop {
            agent_type: input.string("agent_type"),
            continued: input.flag("stop_hook_active"),
        },
        "PreCompact" => EventKind::PreCompact,
        "SessionEnd" => EventKind::SessionEnd { reason: input.string("reason") },
        _ => EventKind::Other,
    }
}

/// Whether a background task is still at work. What says nothing of its state is listed because it is.
fn is_running(task: &Node) -> bool {
    !matches!(task.text("status"), Some("completed" | "failed" | "killed" | "stopped" | "cancelled"))
}

fn call(input: &Node, cwd: &Path) -> ToolCall {
    let tool = input.string("tool_name");
    let action = match is_foreign(input) {
        true => foreign_tools::action(&tool, input.get("tool_input"), cwd),
        false => action(&tool, input.get("tool_input"), cwd).unwrap_or(Action::Other),
    };
    ToolCall { id: input.filled("tool_use_id"), tool, action }
}

/// Whether a tool is called that is not the client's own and may write: more of its input is read then.
fn is_foreign(input: &Node) -> bool {
    let tool = input.text("tool_name").unwrap_or_default();
    !tool.is_empty() && !OWN_TOOLS.contains(&tool) && foreign_tools::may_write(tool)
}

/// What the tool does with this input. `None` for a tool that changes nothing known, and when the input lacks the
/// command or the path: such a call the client itself refuses.
fn action(tool: &str, input: &Node, cwd: &Path) -> Option<Action> {
    let path = |field| input.filled(field).map(|path| cwd.join(path));
    let shell = |dialect| Some(Action::Shell { command: input.text("command")?.to_owned(), dialect });
    match tool {
        "Bash" | "Monitor" => shell(Dialect::Posix),
        "PowerShell" => shell(Dialect::PowerShell),
        "Write" => Some(Action::Write { path: path("file_path")?, content: input.string("content") }),
        "Edit" => Some(Action::Edit { path: path("file_path")?, edits: vec![edit(input)] }),
        "MultiEdit" => Some(Action::Edit {
            path: path("file_path")?,
            edits: input.list("edits").iter().map(edit).collect(),
        }),
        // A prompt that the agent schedules comes back as if it had been typed: a command in it is the agent's own.
        "CronCreate" | "ScheduleWakeup" => {
            let command = scheduled_command(input.text("prompt")?)?;
            Some(Action::Shell { command, dialect: Dialect::Posix })
        }
        "NotebookEdit" => Some(Action::NotebookEdit {
            path: path("notebook_path")?,
            cell_id: input.filled("cell_id"),
            mode: input.filled("edit_mode").unwrap_or_else(|| "replace".to_owned()),
            source: input.string("new_source"),
        }),
        _ => None,
    }
}

/// The command line that a prompt with one of the plugin's commands comes to.
fn scheduled_command(prompt: &str) -> Option<String> {
    let words = prompt.trim_start().strip_prefix("/steadfast:")?;
    let name: String = words.chars().take_while(|letter| letter.is_ascii_alphabetic()).collect();
    match name.as_str() {
        "gate" => Some("steadfast gate approve".to_owned()),
        "loop" => Some("steadfast loop start".to_owned()),
        "pause" | "resume" | "abort" => Some(format!("steadfast loop {name}")),
        _ => None,
    }
}

fn edit(input: &Node) -> TextEdit {
    TextEdit {
        old: input.string("old_string"),
        new: input.string("new_string"),
        all: input.flag("replace_all"),
    }
}

/// What a shell call printed: stdout, then stderr on a line of its own.
fn printed(input: &Node, call: &ToolCall) -> String {
    let has_output = match call.action {
        Action::Shell { .. } => matches!(call.tool.as_str(), "Bash" | "PowerShell") || is_foreign(input),
        _ => false,
    };
    if !has_output {
        return String::new();
    }
    let response = input.get("tool_response");
    if let Some(text) = response.as_text() {
        return text.to_owned();
    }
    // A server answers with blocks of text.
    if let Node::List(blocks) = response {
        return blocks.iter().filter_map(|block| block.text("text")).collect::<Vec<_>>().join("\n");
    }
    let mut printed = response.string("stdout");
    let errors = response.text("stderr").unwrap_or_default();
    if !printed.is_empty() && !printed.ends_with('\n') && !errors.is_empty() {
        printed.push('\n');
    }
    printed + errors
}

fn permission(decision: Permission, reason: &str) -> Output {
    specific(Specific {
        hook_event_name: "PreToolUse".to_owned(),
        permission_decision: Some(decision),
        permission_decision_reason: Some(fit(reason)),
        ..Specific::default()
    })
}

fn context(event: &str, text: &str) -> Output {
    specific(Specific {
        hook_event_name: event.to_owned(),
        additional_context: Some(fit(text)),
        ..Specific::default()
    })
}

fn specific(specific: Specific) -> Output {
    Output { hook_specific_output: Some(specific), ..Output::default() }
}

fn fit(text: &str) -> String {
    fitted(text, TEXT_LIMIT)
}

#[cfg(test)]
mod tests;
