//! A host's settings before against after, read as data: the hooks that call us, what switches hooks or the plugin off,
//! and what a person has forbidden the agent.
//!
//! A change beside these, and one that only strengthens, says nothing.

use serde_json::Value;

use crate::detectors::guard::agents_hooks;
use crate::detectors::guard::weakening::GuardWeakening;
use crate::model::finding::{Change, Severity};
use crate::shell::SILENCING;

use Severity::{Critical, High};

/// What marks a hook as ours.
pub(super) const HOOK: &str = "steadfast-hook";
/// The plugin's way to it.
const PLUGIN_HOOK: &str = "/hooks/run";
/// The name that the plugin is known by, before its marketplace's.
const PLUGIN: &str = "steadfast";
/// Bounds how often a Stop hook may continue a turn.
const STOP_CAP: &str = "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP";
/// Switches that keep a project's hooks from running.
const SWITCHES: &[&str] = &["disableAllHooks", "allowManagedHooksOnly"];
/// Variables of a client with which a hook is another program, loads other code, or finds its state elsewhere.
const MISLEADING: &[&str] = &[
    "BASH_ENV",
    "DYLD_INSERT_LIBRARIES",
    "HOME",
    "LD_AUDIT",
    "LD_LIBRARY_PATH",
    "LD_PRELOAD",
    "PATH",
    "STEADFAST_HOME",
    "XDG_STATE_HOME",
];
/// Permission modes in which nobody is asked.
const UNASKED: &[&str] = &["bypassPermissions", "dontAsk"];
/// How long the client waits for a hook that says nothing of it, in seconds.
const USUAL_TIMEOUT: f64 = 600.0;
/// What hosts call the time that a hook may take.
const TIMES: &[&str] = &["timeout", "timeout_ms"];
/// Fields of a handler with which its answer no longer counts at every call.
const LOOSENING: &[&str] = &["async", "asyncRewake", "if", "once", "disabled"];
/// Events whose hooks are somebody's guard.
const GUARDED: &[&str] = &["PreToolUse", "PostToolUse"];

/// What a change takes from the guard.
pub(crate) fn weakened(path: &str, change: &Change) -> Option<GuardWeakening> {
    let read = |text: &Option<String>| text.as_deref().and_then(|text| serde_json::from_str(text).ok());
    let (before, read_after): (Option<Value>, Option<Value>) = (read(&change.before), read(&change.after));
    let after = read_after.clone().unwrap_or_default();
    let before = before.unwrap_or_default();
    let critical = hooks_lost(path, &before, &after)
        .or_else(|| agents_hooks::added_to_settings(&before, &after))
        .or_else(|| switched_off(&before, &after))
        .or_else(|| plugin_off(&before, &after));
    if let Some(what) = critical {
        return Some(GuardWeakening::new(Critical, what));
    }
    // Somebody's own rules count as lost only where the new file says something else.
    read_after?;
    let high = others_lost(&before, &after).or_else(|| forbidden_no_more(&before, &after))?;
    Some(GuardWeakening { confidence: 0.8, ..GuardWeakening::new(High, high) })
}

/// A handler of ours, with where it stands.
struct OwnHandler<'v> {
    event: &'v str,
    matcher: Option<&'v str>,
    handler: &'v Value,
}

/// Each handler that calls us. In our own plugin's files its short way counts too.
fn entries<'v>(path: &str, settings: &'v Value) -> Vec<OwnHandler<'v>> {
    let of_plugin = format!("/{path}").contains("/steadfast");
    let mut entries = Vec::new();
    let events = settings.get("hooks").and_then(Value::as_object);
    for (event, groups) in events.into_iter().flatten() {
        for group in groups.as_array().into_iter().flatten() {
            let grouped = group.get("hooks").and_then(Value::as_array);
            // Some hosts have the handler itself in the place of a group.
            let handlers = grouped.map_or(std::slice::from_ref(group), Vec::as_slice).iter();
            entries.extend(handlers.filter(|handler| is_ours(handler, of_plugin)).map(|handler| {
                OwnHandler { event, matcher: group.get("matcher").and_then(Value::as_str), handler }
            }));
        }
    }
    entries
}

fn is_ours(handler: &Value, of_plugin: bool) -> bool {
    let names_us = |value: &Value| {
        value.as_str().is_some_and(|it| it.contains(HOOK) || (of_plugin && it.ends_with(PLUGIN_HOOK)))
    };
    handler.get("command").is_some_and(names_us)
        || handler.get("args").and_then(Value::as_array).is_some_and(|all| all.iter().any(names_us))
}

fn hooks_lost(path: &str, before: &Value, after: &Value) -> Option<String> {
    let kept = entries(path, after);
    let lost =
        entries(path, before).into_iter().find(|entry| !kept.iter().any(|other| stands_for(other, entry)))?;
    Some(format!(
        "a hook entry of `{}` that runs {HOOK} would be removed, narrowed or called otherwise",
        lost.event
    ))
}

/// Whether one entry does all that another did.
fn stands_for(new: &OwnHandler, old: &OwnHandler) -> bool {
    let same = |field: &str| new.handler.get(field) == old.handler.get(field);
    let time = |entry: &OwnHandler, name: &str| {
        entry.handler.get(name).and_then(Value::as_f64).unwrap_or(USUAL_TIMEOUT)
    };
    let closed = |entry: &OwnHandler| entry.handler.get("onFailure").and_then(Value::as_str) == Some("block");
    new.event == old.event
        && (closed(new) || !closed(old))
        && ["type", "command", "args", "shell"].into_iter().all(same)
        && LOOSENING.iter().all(|field| same(field) || new.handler.get(field).is_none_or(is_no))
        && TIMES.iter().all(|name| time(new, name) >= time(old, name))
        && covers(new.matcher, old.matcher)
}

fn is_no(value: &Value) -> bool {
    matches!(value, Value::Null | Value::Bool(false))
}

/// The names of tools that a matcher lists, as the client reads it; `None` for a pattern.
pub fn listed_tools(matcher: &str) -> Option<Vec<&str>> {
    let is_list = matcher.chars().all(|letter| letter.is_alphanumeric() || "_|, -".contains(letter));
    is_list.then(|| matcher.split(['|', ',']).map(str::trim).collect())
}

/// Whether a matcher takes every tool that another takes, as far as that can be told from their texts.
fn covers(new: Option<&str>, old: Option<&str>) -> bool {
    let all = |matcher: Option<&str>| matches!(matcher, None | Some("" | "*" | ".*"));
    if all(new) || new == old {
        return true;
    }
    let (Some(new), Some(old)) = (new, old) else { return false };
    // A pattern in the place of a list is no narrower when it has each name of it.
    match (listed_tools(new), listed_tools(old)) {
        (Some(new), Some(old)) => old.iter().all(|name| new.contains(name)),
        (None, Some(old)) => old
            .iter()
            .all(|name| new.split(|it: char| !it.is_alphanumeric() && it != '_').any(|it| it == *name)),
        (_, None) => false,
    }
}

fn switched_off(before: &Value, after: &Value) -> Option<String> {
    let is_set = |settings: &Value, name: &str| settings.get(name) == Some(&Value::Bool(true));
    if let Some(switch) = SWITCHES.iter().find(|name| is_set(after, name) && !is_set(before, name)) {
        return Some(format!("`{switch}` would switch hooks off"));
    }
    let variable = |settings: &Value, name: &str| settings.get("env").and_then(|env| env.get(name)).cloned();
    if variable(before, STOP_CAP) != variable(after, STOP_CAP) {
        return Some(format!("`{STOP_CAP}` would change"));
    }
    let silenced = MISLEADING.iter().chain(SILENCING).find(|name| {
        let value = variable(after, name);
        value.is_some() && value != variable(before, name)
    });
    silenced.map(|name| format!("`{name}` would be set, so that other hooks run, or none"))
}

fn plugin_off(before: &Value, after: &Value) -> Option<String> {
    let of_us = |settings: &Value, list: &str| -> Vec<(String, bool)> {
        let plugins = settings.get(list).and_then(Value::as_object);
        let ours = plugins.into_iter().flatten().filter(|(name, _)| name.split('@').next() == Some(PLUGIN));
        ours.map(|(name, on)| (name.clone(), *on != Value::Bool(false))).collect()
    };
    let enabled = (of_us(before, "enabledPlugins"), of_us(after, "enabledPlugins"));
    let lost = enabled.0.iter().any(|(name, on)| *on && !enabled.1.contains(&(name.clone(), true)));
    let off = enabled.1.iter().any(|(name, on)| !on && !enabled.0.contains(&(name.clone(), false)));
    let installed = (of_us(before, "plugins"), of_us(after, "plugins"));
    let gone = installed.0.iter().any(|(name, _)| !installed.1.iter().any(|(other, _)| other == name));
    (lost || off || gone).then(|| "the plugin would be disabled".to_owned())
}

/// Somebody's own guard gone: an event of whose hooks none is left.
fn others_lost(before: &Value, after: &Value) -> Option<String> {
    let has = |settings: &Value, event: &str| {
        let groups = settings.get("hooks").and_then(|hooks| hooks.get(event)).and_then(Value::as_array);
        groups.is_some_and(|groups| !groups.is_empty())
    };
    let lost = GUARDED.iter().find(|event| has(before, event) && !has(after, event))?;
    Some(format!("the hooks of `{lost}` would be gone"))
}

/// What the person's own permissions kept from the agent and would keep no more.
fn forbidden_no_more(before: &Value, after: &Value) -> Option<String> {
    let permissions =
        |settings: &Value, name: &str| settings.get("permissions").and_then(|all| all.get(name)).cloned();
    let rules = |settings: &Value, name: &str| -> Vec<Value> {
        permissions(settings, name).and_then(|rules| rules.as_array().cloned()).unwrap_or_default()
    };
    for list in ["deny", "ask"] {
        let kept: Vec<Value> = rules(after, list).into_iter().chain(rules(after, "deny")).collect();
        if let Some(lost) = rules(before, list).iter().find(|rule| !kept.contains(rule)) {
            return Some(format!(
                "the permission rule `{}` would no longer hold",
                lost.as_str().unwrap_or_default()
            ));
        }
    }
    let mode = |settings: &Value| permissions(settings, "defaultMode");
    let unasked = |mode: &Option<Value>| {
        mode.as_ref().and_then(Value::as_str).is_some_and(|mode| UNASKED.contains(&mode))
    };
    (unasked(&mode(after)) && !unasked(&mode(before)))
        .then(|| "`permissions.defaultMode` would be one in which nobody is asked".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(path: &str, before: &str, after: &str) -> Option<Severity> {
        let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let change = Change { path: path.to_owned(), before: text(before), after: text(after) };
        weakened(path, &change).map(|it| it.severity)
    }

    fn hooked(matcher: &str, more: &str) -> String {
        format!(
            r#"{{"hooks":{{"PreToolUse":[{{"matcher":"{matcher}","hooks":[{{"type":"command","command":"/b/steadfast-hook","args":["pre-tool-use"]{more}}}]}}]}}}}"#
        )
    }

    #[test]
    fn hooks_of_ours_are_kept_or_made_stronger() {
        let old = hooked("Bash|Edit", r#","timeout":10"#);
        for (new, found) in [
            (hooked("Bash|Edit", r#","timeout":10,"statusMessage":"x""#), None),
            (hooked("Edit|Bash|Write", r#","timeout":10"#), None),
            (hooked("Edit, Bash", r#","timeout":10"#), None),
            (hooked("*", r#","timeout":10"#), None),
            (hooked("^(Bash|Edit|mcp__.*)$", r#","timeout":10"#), None),
            (hooked("Bash|Edit", r#","timeout":60"#), None),
            (hooked("Bash|Edit", ""), None),
            (hooked("Bash|Edit", r#","timeout":10,"async":false"#), None),
            (hooked("Bash", r#","timeout":10"#), Some(Critical)),
            (hooked("^(Bash)$", r#","timeout":10"#), Some(Critical)),
            (hooked("Nothing", r#","timeout":10"#), Some(Critical)),
            (hooked("Bash|Edit", r#","timeout":1"#), Some(Critical)),
            (hooked("Bash|Edit", r#","timeout":0"#), Some(Critical)),
            (hooked("Bash|Edit", r#","timeout":10,"async":true"#), Some(Critical)),
            (hooked("Bash|Edit", r#","timeout":10,"if":"Bash(git *)""#), Some(Critical)),
            (hooked("Bash|Edit", r#","timeout":10,"once":true"#), Some(Critical)),
            (hooked("Bash|Edit", r#","timeout":10"#).replace("/b/", "/tmp/"), Some(Critical)),
            (hooked("Bash|Edit", r#","timeout":10"#).replace("pre-tool-use", "stop"), Some(Critical)),
            (hooked("Bash|Edit", r#","timeout":10"#).replace("PreToolUse", "Stop"), Some(Critical)),
            ("{}".to_owned(), Some(Critical)),
            ("{ broken".to_owned(), Some(Critical)),
            (String::new(), Some(Critical)),
        ] {
            assert_eq!(judged(".claude/settings.json", &old, &new), found, "{new}");
        }
    }

    #[test]
    fn hooks_of_ours_are_kept_in_other_hosts_files_too() {
        let old = r#"{"version":1,"hooks":{"stop":[{"command":"beep"},{"command":"exec /b/steadfast-hook stop --host cursor","timeout":9}]}}"#;
        for (new, found) in [
            (old.replace("beep", "boop"), None),
            (old.replace("9}", "90}"), None),
            (old.replace("/b/", "/tmp/"), Some(Critical)),
            (old.replace("exec", "true"), Some(Critical)),
            (r#"{"version":1,"hooks":{"stop":[{"command":"beep"}]}}"#.to_owned(), Some(Critical)),
            (String::new(), Some(Critical)),
        ] {
            assert_eq!(judged(".cursor/hooks.json", old, &new), found, "{new}");
        }
    }

    #[test]
    fn switches_plugins_and_permissions_are_judged_by_their_direction() {
        let rows = [
            (r#"{}"#, r#"{"disableAllHooks":true}"#, Some(Critical)),
            (r#"{"disableAllHooks":true}"#, r#"{"disableAllHooks":false}"#, None),
            (r#"{}"#, r#"{"allowManagedHooksOnly":true}"#, Some(Critical)),
            (r#"{}"#, r#"{"env":{"CLAUDE_CODE_SIMPLE":"1"}}"#, Some(Critical)),
            (r#"{}"#, r#"{"env":{"CLAUDE_CONFIG_DIR":"/tmp/x"}}"#, Some(Critical)),
            (r#"{}"#, r#"{"env":{"CLAUDE_CODE_STOP_HOOK_BLOCK_CAP":"1"}}"#, Some(Critical)),
            (r#"{}"#, r#"{"env":{"NODE_ENV":"test"}}"#, None),
            (
                r#"{"enabledPlugins":{"steadfast@s":true}}"#,
                r#"{"enabledPlugins":{"steadfast@s":false}}"#,
                Some(Critical),
            ),
            (r#"{"enabledPlugins":{"steadfast@s":true}}"#, r#"{"enabledPlugins":{}}"#, Some(Critical)),
            (
                r#"{"enabledPlugins":{"steadfast@s":true,"a@b":true}}"#,
                r#"{"enabledPlugins":{"steadfast@s":true}}"#,
                None,
            ),
            (
                r#"{"enabledPlugins":{"steadfast@s":false}}"#,
                r#"{"enabledPlugins":{"steadfast@s":true}}"#,
                None,
            ),
            (r#"{"permissions":{"deny":["Bash(rm *)"]}}"#, r#"{"permissions":{"deny":[]}}"#, Some(High)),
            (
                r#"{"permissions":{"deny":["Bash(rm *)"]}}"#,
                r#"{"permissions":{"deny":["Bash(rm *)","Read(.env)"]}}"#,
                None,
            ),
            (
                r#"{"permissions":{"ask":["Bash(rm *)"]}}"#,
                r#"{"permissions":{"allow":["Bash(rm *)"]}}"#,
                Some(High),
            ),
            (r#"{"permissions":{"ask":["Bash(rm *)"]}}"#, r#"{"permissions":{"deny":["Bash(rm *)"]}}"#, None),
            (
                r#"{"permissions":{"allow":["Bash(ls)"]}}"#,
                r#"{"permissions":{"allow":["Bash(ls)","Bash(npm test)"]}}"#,
                None,
            ),
            (r#"{}"#, r#"{"permissions":{"defaultMode":"bypassPermissions"}}"#, Some(High)),
            (
                r#"{"permissions":{"defaultMode":"dontAsk"}}"#,
                r#"{"permissions":{"defaultMode":"default"}}"#,
                None,
            ),
            (r#"{"hooks":{"PreToolUse":[{"hooks":[{"command":"lint"}]}]}}"#, r#"{"hooks":{}}"#, Some(High)),
            (r#"{"hooks":{"Notification":[{"hooks":[{"command":"beep"}]}]}}"#, r#"{"hooks":{}}"#, None),
            (r#"{"model":"a"}"#, r#"{"model":"b"}"#, None),
            (r#"[]"#, r#"17"#, None),
        ];
        for (before, after, found) in rows {
            assert_eq!(judged(".claude/settings.json", before, after), found, "{before} -> {after}");
        }
        let installed = r#"{"version":2,"plugins":{"steadfast@s":[{"version":"1"}],"a@b":[]}}"#;
        let path = "/home/dev/.claude/plugins/installed_plugins.json";
        assert_eq!(judged(path, installed, r#"{"plugins":{"a@b":[]}}"#), Some(Critical));
        assert_eq!(judged(path, installed, r#"{"plugins":{"steadfast@s":[{"version":"2"}]}}"#), None);
        let plugin = r#"{"hooks":{"Stop":[{"hooks":[{"command":"${CLAUDE_PLUGIN_ROOT}/hooks/run","args":["stop"]}]}]}}"#;
        let path = "/home/dev/.claude/plugins/cache/steadfast/steadfast/0.1.0/hooks/hooks.json";
        assert_eq!(judged(path, plugin, r#"{"hooks":{}}"#), Some(Critical));
        assert_eq!(judged("/home/dev/other/hooks/hooks.json", plugin, r#"{"hooks":{}}"#), None);
    }
}
