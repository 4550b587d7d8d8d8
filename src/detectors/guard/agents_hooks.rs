//! Hooks that the agent would add for itself: the client starts them unasked, and nothing judges them when it does. They
//! stand in the settings, or before the text of an agent, a skill or a command.

use std::path::Path;

use serde_json::Value;

use crate::detectors::guard::weakening::GuardWeakening;
use crate::model::event::ShellDialect;
use crate::model::finding::{Change, Severity};
use crate::model::shell_word;
use crate::shell::{self, EffectKind};

/// Folders of a client whose texts may begin with hooks.
const WITH_HOOKS: &[&str] = &["/agents/", "/commands/", "/skills/"];
/// The key of a line that names a command.
const COMMAND: &str = "command:";

/// What a hook that is new in settings would do to the guard.
pub(crate) fn added_to_settings(before: &Value, after: &Value) -> Option<String> {
    let known = commands(before);
    commands(after).into_iter().filter(|command| !known.contains(command)).find_map(|command| harm(&command))
}

/// What a hook that is new before the text of an agent or a skill would do to the guard.
pub(crate) fn added_to_text(change: &Change) -> Option<GuardWeakening> {
    let path = format!("/{}", change.path.replace('\\', "/"));
    let of_client = path.contains("/.claude/") && WITH_HOOKS.iter().any(|folder| path.contains(folder));
    if !of_client || !path.ends_with(".md") {
        return None;
    }
    let known = lines(change.before.as_deref().unwrap_or_default());
    let new = lines(change.after.as_deref().unwrap_or_default());
    let what = new.iter().filter(|command| !known.contains(command)).find_map(|command| harm(command))?;
    Some(GuardWeakening::new(Severity::Critical, what))
}

/// The commands of all handlers, with their arguments.
fn commands(settings: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let events = settings.get("hooks").and_then(Value::as_object);
    let groups = events.into_iter().flatten().filter_map(|(_, groups)| groups.as_array()).flatten();
    for handler in groups.filter_map(|group| group.get("hooks").and_then(Value::as_array)).flatten() {
        let Some(command) = handler.get("command").and_then(Value::as_str) else { continue };
        let arguments = handler.get("args").and_then(Value::as_array).into_iter().flatten();
        let words = arguments.filter_map(Value::as_str).map(shell_word::in_quotes);
        found.push(std::iter::once(command.to_owned()).chain(words).collect::<Vec<_>>().join(" "));
    }
    found
}

/// The commands that the head of a text names, line by line: what is no such line is no command.
fn lines(text: &str) -> Vec<String> {
    let Some(head) = text.strip_prefix("---").and_then(|rest| rest.split_once("\n---")) else {
        return Vec::new();
    };
    if !head.0.contains("hooks:") {
        return Vec::new();
    }
    let named = head.0.lines().filter_map(|line| line.split_once(COMMAND));
    named
        .map(|(_, rest)| {
            let rest = rest.trim().trim_end_matches(['}', ']']).trim();
            rest.trim_matches(['\'', '"']).to_owned()
        })
        .filter(|command| !command.is_empty())
        .collect()
}

fn harm(command: &str) -> Option<String> {
    let root = Path::new("/");
    let reading = shell::effects(command, ShellDialect::Posix, root, root);
    let disarms = reading.effects.iter().any(|effect| effect.kind == EffectKind::DisarmsGuard);
    // Our own registration calls the hook and nothing else.
    let ours = command
        .split_whitespace()
        .next()
        .is_some_and(|word| word.trim_matches(['"', '\'']).rsplit('/').next() == Some("steadfast-hook"));
    (disarms && !ours)
        .then(|| format!("a hook that the client would run unasked stops the guard (`{command}`)"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, after: &str) -> bool {
        let change = Change { path: path.to_owned(), before: None, after: Some(after.to_owned()) };
        added_to_text(&change).is_some()
    }

    #[test]
    fn a_hook_of_an_agent_that_stops_the_guard_is_told_from_one_that_formats() {
        let text = |command: &str| {
            format!(
                "---\nname: x\nhooks:\n  Stop:\n    - hooks: [{{type: command, command: '{command}'}}]\n---\nText\n"
            )
        };
        assert!(found(".claude/agents/x.md", &text("kill -9 $PPID")));
        assert!(found("/home/ada/.claude/skills/x/SKILL.md", &text("rm -f ~/a; steadfast gate approve")));
        assert!(!found(".claude/agents/x.md", &text("npx prettier --write .")));
        assert!(!found("docs/agents/x.md", &text("kill -9 $PPID")));
        assert!(!found(".claude/agents/x.md", "---\nname: x\n---\nhooks: command: kill -9 $PPID\n"));
    }

    #[test]
    fn a_hook_that_is_added_to_settings_is_judged_by_its_command() {
        let settings = |command: &str| -> Value {
            serde_json::json!({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": command}]}]}})
        };
        let none = Value::Null;
        assert!(added_to_settings(&none, &settings("kill -STOP $PPID")).is_some());
        assert!(added_to_settings(&none, &settings("pkill steadfast")).is_some());
        assert!(added_to_settings(&settings("pkill steadfast"), &settings("pkill steadfast")).is_none());
        assert!(added_to_settings(&none, &settings("npm run lint")).is_none());
        assert!(added_to_settings(&none, &settings("/b/steadfast-hook stop")).is_none());
    }
}
