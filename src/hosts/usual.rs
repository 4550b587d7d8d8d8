//! What most hosts' events look like: Claude Code's fields, and the names that others have for them.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use super::field_names::{
    FIELDS, INPUT_FIELDS, PLACE_FIELDS, PLACE_LISTS, RESPONSE_FIELDS, SESSION_FIELDS, TEXT_FIELDS,
};
use super::{EventValue, HookCall, Host, foreign_tools, printed, shared_fields};
use crate::model::event::{Action, Event, EventKind, ShellDialect, TextEdit, ToolCall};
use crate::model::proc_path;

/// Claude Code's own tools that write, or that only read and are called most.
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

/// An event of a host whose fields are the usual ones. Nobody is asked, and nobody is known to sit before it: where that
/// is otherwise the adapter says so.
pub(super) fn event(host: &dyn Host, call: &HookCall, input: &EventValue) -> Event {
    let named = host.event_name(call.argument).or_else(|| input.text("hook_event_name"));
    event_named(host, named.unwrap_or(call.argument), call, input)
}

/// The same, of an event that is known to have this name.
pub(super) fn event_named(host: &dyn Host, name: &str, call: &HookCall, input: &EventValue) -> Event {
    let first = |fields: &[&str]| fields.iter().find_map(|field| input.filled(field));
    let listed = || {
        let root = |list: &&str| input.list(list).first().and_then(EventValue::as_text).map(str::to_owned);
        PLACE_LISTS.iter().find_map(root)
    };
    let cwd = first(PLACE_FIELDS).or_else(listed).map_or_else(|| PathBuf::from("."), PathBuf::from);
    let kind = begun(kind(host, name, input, call, &cwd));
    let session_id = first(SESSION_FIELDS);
    Event { host: host.name(), session_id, ..shared_fields::event(input, name, kind, cwd) }
}

/// A session's start in the one word that Claude Code has for a new one.
fn begun(kind: EventKind) -> EventKind {
    match kind {
        EventKind::SessionStart { source } if matches!(source.as_str(), "" | "new") => {
            EventKind::SessionStart { source: "startup".to_owned() }
        }
        other => other,
    }
}

/// What the host's event of this name says.
pub(super) fn kind(
    host: &dyn Host,
    name: &str,
    input: &EventValue,
    call: &HookCall,
    cwd: &Path,
) -> EventKind {
    let Some(argument) = host.registration(name).map(|one| one.argument) else { return EventKind::Other };
    if !is_foreign(host, input, cwd) {
        return kind_of(argument, input, cwd, false);
    }
    // Of a foreign tool's call more fields are read; bytes that were read once are read again.
    let usual = FIELDS.iter().chain(host.more_fields()).copied();
    let wanted: Vec<&str> = usual.chain(foreign_tools::fields()).collect();
    kind_of(argument, EventValue::read(call.bytes, &wanted).as_ref().unwrap_or(input), cwd, true)
}

/// The kind of event that an argument of the hook stands for.
fn kind_of(argument: &str, input: &EventValue, cwd: &Path, foreign: bool) -> EventKind {
    match argument {
        "session-start" => EventKind::SessionStart { source: input.string("source") },
        "user-prompt-submit" => EventKind::UserPromptSubmit { prompt: input.string("prompt") },
        // A skill's shell line, and what needs a permission, is judged like the call that it stands for.
        "pre-tool-use" | "pre-skill-shell-command" | "permission-request" => {
            EventKind::PreToolUse(tool_call(input, cwd, foreign))
        }
        "post-tool-use" => {
            let call = tool_call(input, cwd, foreign);
            EventKind::PostToolUse { output: printed(input, &call, foreign), call }
        }
        "post-tool-use-failure" => EventKind::PostToolUseFailure {
            call: tool_call(input, cwd, foreign),
            error: text_of(input.get("error")),
            interrupted: input.flag("is_interrupt"),
        },
        "stop" => shared_fields::stop(input, input.string("last_assistant_message")),
        "subagent-stop" => shared_fields::subagent_stop(input, input.string("agent_type")),
        "pre-compact" => EventKind::PreCompact,
        "session-end" => EventKind::SessionEnd { reason: input.string("reason") },
        _ => EventKind::Other,
    }
}

fn tool_call(input: &EventValue, cwd: &Path, foreign: bool) -> ToolCall {
    let tool = input.string("tool_name");
    let own = tool_input(input);
    let action = match foreign {
        true => foreign_tools::action(&tool, &own, cwd),
        false => action(&tool, &own, cwd).unwrap_or(Action::Other),
    };
    ToolCall { id: input.filled("tool_use_id"), tool, action }
}

/// The input of the call. Some hosts send it as a text that is JSON.
fn tool_input(input: &EventValue) -> Cow<'_, EventValue> {
    let own = INPUT_FIELDS
        .iter()
        .find(|field| input.has(field))
        .map_or(&EventValue::Other, |field| input.get(field));
    let Some(text) = own.as_text() else { return Cow::Borrowed(own) };
    let wanted: Vec<&str> = FIELDS.iter().copied().chain(foreign_tools::fields()).collect();
    Cow::Owned(EventValue::read(text.as_bytes(), &wanted).unwrap_or(EventValue::Other))
}

/// Whether a tool is called that may write and of which the fields of Claude Code's own don't say how: more of its input is
/// read then. Other hosts give their tools the same names and other fields.
fn is_foreign(host: &dyn Host, input: &EventValue, cwd: &Path) -> bool {
    let tool = input.text("tool_name").unwrap_or_default();
    let is_own = OWN_TOOLS.contains(&tool);
    let is_read_by_its_name = host.more_fields().is_empty();
    if tool.is_empty() || (is_own && is_read_by_its_name) || !foreign_tools::may_write(tool) {
        return false;
    }
    !is_own || action(tool, &tool_input(input), cwd).is_none()
}

/// What the tool does with this input. `None` for a tool that changes nothing known, and when the input lacks the
/// command or the path: such a call the client itself refuses.
fn action(tool: &str, input: &EventValue, cwd: &Path) -> Option<Action> {
    let path = |field| input.filled(field).map(|path| proc_path::plain(&cwd.join(path)));
    let shell = |dialect| Some(Action::Shell { command: input.text("command")?.to_owned(), dialect });
    match tool {
        "Bash" | "Monitor" => shell(ShellDialect::Posix),
        "PowerShell" => shell(ShellDialect::PowerShell),
        "REPL" | "Eval" | "JavaScript" => {
            Some(foreign_tools::run_by("node -e", input.text("code").or_else(|| input.text("command"))?))
        }
        "Write" => Some(Action::Write { path: path("file_path")?, content: input.string("content") }),
        "Edit" => Some(Action::Edit { path: path("file_path")?, edits: vec![edit(input)] }),
        "MultiEdit" => Some(Action::Edit {
            path: path("file_path")?,
            edits: input.list("edits").iter().map(edit).collect(),
        }),
        "CronCreate" | "ScheduleWakeup" => shared_fields::scheduled(input),
        "NotebookEdit" => Some(shared_fields::notebook(input, path("notebook_path")?)),
        _ => None,
    }
}

fn edit(input: &EventValue) -> TextEdit {
    TextEdit {
        old: input.string("old_string"),
        new: input.string("new_string"),
        all: input.flag("replace_all"),
    }
}

/// What a shell call printed: stdout, then stderr on a line of its own.
fn printed(input: &EventValue, call: &ToolCall, foreign: bool) -> String {
    let has_output = match call.action {
        Action::Shell { .. } => matches!(call.tool.as_str(), "Bash" | "PowerShell") || foreign,
        _ => false,
    };
    if !has_output {
        return String::new();
    }
    let field = RESPONSE_FIELDS.iter().find(|field| input.has(field));
    field.map_or_else(String::new, |field| text_of(input.get(field)))
}

/// The text of a call's response, in whichever form the host gives it.
fn text_of(response: &EventValue) -> String {
    if let Some(text) = response.as_text() {
        return text.to_owned();
    }
    // A server answers with blocks of text.
    if let EventValue::List(blocks) = response {
        return blocks.iter().filter_map(|block| block.text("text")).collect::<Vec<_>>().join("\n");
    }
    if let Some(field) = TEXT_FIELDS.iter().find(|field| response.has(field)) {
        return text_of(response.get(field));
    }
    printed::streams(response)
}
