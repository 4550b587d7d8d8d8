//! Which of the client's events call the hook, as one table.
//!
//! The settings that `steadfast install` writes and the plugin's `hooks/hooks.json` are both made of it. An event that
//! the oldest supported client does not know stands in settings only, where it is skipped: in a plugin one unknown name
//! switches off the whole hook set.

use std::path::Path;

use serde_json::{Map, Value, json};

pub use crate::hosts::Registration;
use crate::model::verdict::VerdictKind;

/// The file name of the hook's executable. A handler whose command ends in it is ours.
pub const HOOK_BINARY: &str = "steadfast-hook";

/// The client's variable that bounds how often a Stop hook may continue one turn; `0` lifts the bound, because a
/// loop carries its own.
pub const STOP_CAP_VARIABLE: &str = "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP";

/// The value that lifts it.
pub const STOP_CAP_LIFTED: &str = "0";

/// The tools that can change a file: the client's own by name, every tool of an MCP server, and those whose name says
/// that they write or run something, should a newer client have one. A server's tools that only read come too, since a matcher can't
/// tell them apart; the hook lets them pass before it looks at anything.
///
/// With other characters than a list's the client takes a matcher for a pattern, unanchored.
const CHANGING_TOOLS: &str = "^(Bash|Monitor|PowerShell|Edit|Write|MultiEdit|NotebookEdit|CronCreate|ScheduleWakeup\
                              |REPL|JavaScript|Eval|mcp__.*|.*(Edit|Write|Patch|Delete|Shell|Exec|Run|Replace|Rename|Move\
                              |Remove|Apply|Insert|Save|Command|Terminal|Script).*)$";

/// Names of tools of which each stands for a kind that the matcher must take, and what people call them.
pub const KINDS_OF_TOOLS: &[(&str, &str)] = &[
    ("Bash", "Bash"),
    ("Monitor", "Monitor"),
    ("PowerShell", "PowerShell"),
    ("Edit", "Edit"),
    ("Write", "Write"),
    ("MultiEdit", "MultiEdit"),
    ("NotebookEdit", "NotebookEdit"),
    ("CronCreate", "CronCreate"),
    ("ScheduleWakeup", "ScheduleWakeup"),
    ("REPL", "REPL"),
    ("JavaScript", "JavaScript"),
    ("Eval", "Eval"),
    ("mcp__server__tool", "MCP tools (mcp__.*)"),
];

/// Every event that calls the hook, in the order of a session.
pub const REGISTRATIONS: &[Registration] = &[
    Registration { takes: &[VerdictKind::Context], tells: true, ..Registration::SESSION_START },
    Registration { takes: &[VerdictKind::Context, VerdictKind::Deny], tells: true, ..Registration::PROMPT },
    Registration {
        takes: &[VerdictKind::Context, VerdictKind::Ask, VerdictKind::Deny],
        tells: true,
        matcher: Some(CHANGING_TOOLS),
        ..Registration::BEFORE_CALL
    },
    // A shell line of a skill or a command file runs without the event of a tool.
    Registration {
        event: "PreSkillShellCommand",
        argument: "pre-skill-shell-command",
        takes: &[VerdictKind::Ask, VerdictKind::Deny],
        tells: true,
        settings_only: true,
        ..Registration::BEFORE_CALL
    },
    Registration {
        takes: &[VerdictKind::Context, VerdictKind::Feedback, VerdictKind::Halt],
        tells: true,
        matcher: Some(CHANGING_TOOLS),
        ..Registration::AFTER_CALL
    },
    Registration {
        takes: &[VerdictKind::Context, VerdictKind::Feedback, VerdictKind::Halt],
        tells: true,
        matcher: Some(CHANGING_TOOLS),
        ..Registration::AFTER_FAILURE
    },
    Registration { takes: &[VerdictKind::Continue, VerdictKind::Halt], tells: true, ..Registration::STOP },
    Registration {
        takes: &[VerdictKind::Continue, VerdictKind::Halt],
        tells: true,
        ..Registration::SUBAGENT_STOP
    },
    Registration { tells: true, ..Registration::COMPACT },
    Registration { tells: true, ..Registration::SESSION_END },
];

impl Registration {
    /// The matcher group that calls `command` for this event, in the client's exec form: no shell between. With
    /// `fail_closed` the client does not let a call through when the hook fails; older ones pass over the field.
    pub fn group(&self, command: &str, fail_closed: bool) -> Value {
        let mut group = Map::new();
        if let Some(matcher) = self.matcher {
            group.insert("matcher".to_owned(), json!(matcher));
        }
        let mut handler = json!({
            "type": "command", "command": command, "args": [self.argument], "timeout": self.timeout_seconds,
        });
        if fail_closed && BEFORE_CALLS.contains(&self.event) {
            handler["onFailure"] = json!("block");
        }
        group.insert("hooks".to_owned(), json!([handler]));
        Value::Object(group)
    }
}

/// The program of a handler that calls the hook, wherever it was installed; `None` for somebody else's.
pub fn our_program(handler: &Value) -> Option<&str> {
    let command = handler.get("command").and_then(Value::as_str)?;
    let is_ours = |path: &str| Path::new(path).file_name().is_some_and(|name| name == HOOK_BINARY);
    // The client also takes a command as one line for a shell.
    let first = command.split_whitespace().next().map(|word| word.trim_matches(['"', '\'']))?;
    [command, first].into_iter().find(|path| is_ours(path))
}

/// The events at which the client can block a call because the hook has failed.
const BEFORE_CALLS: &[&str] = &["PreToolUse", "PreSkillShellCommand"];

/// The whole `hooks` object of settings that call `command` for every event.
pub fn hooks(command: &str) -> Value {
    of_events(command, REGISTRATIONS.iter())
}

/// The same for a plugin, which names no event that the oldest supported client does not know.
pub fn plugin_hooks(command: &str) -> Value {
    of_events(command, REGISTRATIONS.iter().filter(|one| !one.settings_only))
}

fn of_events<'r>(command: &str, registrations: impl Iterator<Item = &'r Registration>) -> Value {
    registrations.map(|one| (one.event.to_owned(), json!([one.group(command, false)]))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::words::words;

    #[test]
    fn an_argument_is_its_event_in_kebab_case() {
        for one in REGISTRATIONS {
            let kebab = words(one.event).join("-");
            assert_eq!(one.argument, kebab, "{}", one.event);
        }
    }

    #[test]
    fn a_hook_answers_before_its_host_kills_it() {
        for one in REGISTRATIONS {
            assert!(one.deadline_seconds.is_none_or(|own| own < one.timeout_seconds), "{}", one.event);
        }
    }

    #[test]
    fn an_event_has_one_group_with_one_handler_in_exec_form() {
        let hooks = hooks("/opt/steadfast-hook");
        for one in REGISTRATIONS {
            let handler = &hooks[one.event][0]["hooks"][0];
            assert_eq!(handler["command"], "/opt/steadfast-hook", "{}", one.event);
            assert_eq!(handler["args"], json!([one.argument]), "{}", one.event);
            assert_eq!(handler["timeout"], one.timeout_seconds, "{}", one.event);
        }
        assert_eq!(hooks.as_object().unwrap().len(), REGISTRATIONS.len(), "one group for each event");
        assert_eq!(hooks["PreToolUse"][0]["matcher"], CHANGING_TOOLS);
        let matcher = regex::Regex::new(CHANGING_TOOLS).unwrap();
        let named =
            ["ApplyPatch", "mcp__a__read", "RunCode", "ApplyChanges", "RenameFile", "mcp__workspace__bash"];
        let wanted = KINDS_OF_TOOLS.iter().map(|(tool, _)| *tool).chain(named);
        let unwanted = ["Read", "Grep", "Glob", "BashOutput", "Agent", "Task", "WebFetch", "Skill", "LSP"];
        let unwanted = unwanted.into_iter().chain(["ListAgents", "ToolSearch", "Workflow", "EnterWorktree"]);
        let rows = wanted.map(|tool| (tool, true)).chain(unwanted.map(|tool| (tool, false)));
        for (tool, taken) in rows {
            assert_eq!(matcher.is_match(tool), taken, "{tool}");
        }
        assert!(hooks["Stop"][0].get("matcher").is_none());
        assert!(hooks["Stop"][0]["hooks"][0].get("onFailure").is_none());
    }

    #[test]
    fn only_a_call_that_has_not_run_fails_closed() {
        for one in REGISTRATIONS {
            let closed = one.group("/opt/steadfast-hook", true)["hooks"][0].get("onFailure").cloned();
            let expected = BEFORE_CALLS.contains(&one.event).then(|| json!("block"));
            assert_eq!(closed, expected, "{}", one.event);
            assert!(one.group("/opt/steadfast-hook", false)["hooks"][0].get("onFailure").is_none());
        }
    }

    #[test]
    fn a_plugin_names_only_events_that_the_oldest_client_knows() {
        let plugin = plugin_hooks("run");
        assert!(plugin.get("PreSkillShellCommand").is_none());
        assert_eq!(plugin.as_object().unwrap().len() + 1, hooks("run").as_object().unwrap().len());
    }
}
