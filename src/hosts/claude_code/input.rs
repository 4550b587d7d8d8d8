//! What an event of the client says: its kind, its call, and what the call printed.

use std::path::Path;

use crate::hosts::json::Input;
use crate::hosts::{Unreadable, foreign_tools};
use crate::model::event::{Action, Dialect, EventKind, TextEdit, ToolCall};
use crate::model::proc_path;

/// The fields that are read, at whatever level they stand.
const FIELDS: &[&str] = &[
    "agent_id",
    "agent_type",
    "background_tasks",
    "cell_id",
    "code",
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
    "REPL",
    "Eval",
    "JavaScript",
    "CronCreate",
    "ScheduleWakeup",
];

/// Reads the fields of one event that are looked at; of a foreign tool's call more of them.
pub(super) fn read(bytes: &[u8]) -> Result<Input, Unreadable> {
    let input = Input::read(bytes, FIELDS)?;
    if !is_foreign(&input) {
        return Ok(input);
    }
    let wanted: Vec<&str> = FIELDS.iter().copied().chain(foreign_tools::fields()).collect();
    Input::read(bytes, &wanted)
}

/// What the event named `event` says.
pub(super) fn kind(event: &str, input: &Input, cwd: &Path) -> EventKind {
    match event {
        "SessionStart" => EventKind::SessionStart { source: input.string("source") },
        "UserPromptSubmit" => EventKind::UserPromptSubmit { prompt: input.string("prompt") },
        // A skill's shell line is judged like the call that it stands for.
        "PreToolUse" | "PreSkillShellCommand" => EventKind::PreToolUse(call(input, cwd)),
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
fn is_running(task: &Input) -> bool {
    !matches!(task.text("status"), Some("completed" | "failed" | "killed" | "stopped" | "cancelled"))
}

fn call(input: &Input, cwd: &Path) -> ToolCall {
    let tool = input.string("tool_name");
    let action = match is_foreign(input) {
        true => foreign_tools::action(&tool, input.get("tool_input"), cwd),
        false => action(&tool, input.get("tool_input"), cwd).unwrap_or(Action::Other),
    };
    ToolCall { id: input.filled("tool_use_id"), tool, action }
}

/// Whether a tool is called that is not the client's own and may write: more of its input is read then.
fn is_foreign(input: &Input) -> bool {
    let tool = input.text("tool_name").unwrap_or_default();
    !tool.is_empty() && !OWN_TOOLS.contains(&tool) && foreign_tools::may_write(tool)
}

/// What the tool does with this input. `None` for a tool that changes nothing known, and when the input lacks the
/// command or the path: such a call the client itself refuses.
fn action(tool: &str, input: &Input, cwd: &Path) -> Option<Action> {
    let path = |field| input.filled(field).map(|path| proc_path::plain(&cwd.join(path)));
    let shell = |dialect| Some(Action::Shell { command: input.text("command")?.to_owned(), dialect });
    match tool {
        "Bash" | "Monitor" => shell(Dialect::Posix),
        "PowerShell" => shell(Dialect::PowerShell),
        "REPL" | "Eval" | "JavaScript" => {
            Some(foreign_tools::run_by("node -e", input.text("code").or_else(|| input.text("command"))?))
        }
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

fn edit(input: &Input) -> TextEdit {
    TextEdit {
        old: input.string("old_string"),
        new: input.string("new_string"),
        all: input.flag("replace_all"),
    }
}

/// What a shell call printed: stdout, then stderr on a line of its own.
fn printed(input: &Input, call: &ToolCall) -> String {
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
    if let Input::List(blocks) = response {
        return blocks.iter().filter_map(|block| block.text("text")).collect::<Vec<_>>().join("\n");
    }
    let mut printed = response.string("stdout");
    let errors = response.text("stderr").unwrap_or_default();
    if !printed.is_empty() && !printed.ends_with('\n') && !errors.is_empty() {
        printed.push('\n');
    }
    printed + errors
}
