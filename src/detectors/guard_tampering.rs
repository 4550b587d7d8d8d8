//! Changes that switch Steadfast itself off: its state, its hooks, its settings.
//!
//! Settings are read as data and compared; an edit beside them passes.

use serde_json::Value;

use super::{Case, Detector, Example};
use crate::finding::{Change, Finding, RegressionType, Severity};
use crate::languages::file_name;
use crate::shell;

/// The guard's state, hooks or settings changed.
pub(super) static TAMPERED: Detector = Detector {
    id: "SF-001",
    name: "Guard Tampering",
    aliases: &["Hook Tampering"],
    regression_type: NO_REGRESSION,
    severity: Severity::Critical,
    family: module_path!(),
    what: "A change of Steadfast's own state, hooks or settings that would make it see or say less.",
    why: "A guard that the guarded one can switch off guards nothing.",
    instead: "Settings of the guard are a person's to change, outside of the session; other settings in the same file pass.",
    catches: CATCHES,
    spares: SPARES,
    detect,
};

const NO_REGRESSION: Option<RegressionType> = None;

/// Files of a host that hold hooks.
const HOOK_FILES: &[&str] = &["settings.json", "settings.local.json", "hooks.json", "managed-settings.json"];
const CONFIGURATIONS: &[&str] = &["aiwg.yml", "aiwg.yaml", ".aiwg.yml", ".aiwg.yaml"];
/// What marks a hook as ours.
const HOOK: &str = "steadfast-hook";
/// Bounds how often a Stop hook may continue a turn.
const STOP_CAP: &str = "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP";
/// Modes in which fewer findings act.
const WEAK_MODES: &[&str] = &["off", "minimal"];

fn detect(case: &Case, findings: &mut Vec<Finding>) {
    for change in case.evidence.changes.iter().filter(|change| change.before != change.after) {
        let path = change.path.replace('\\', "/");
        let name = file_name(&path);
        let what = if format!("/{path}").contains("/.aiwg/ralph/") {
            Some("the guard's own state and log would be changed".to_owned())
        } else if HOOK_FILES.contains(&name) {
            hooks(change)
        } else if CONFIGURATIONS.contains(&name) {
            configuration(change)
        } else if left_to_decide(change) {
            Some("a decision at the human gate would be left for a person's own terminal to run".to_owned())
        } else {
            None
        };
        if what.is_none() && HOOK_FILES.contains(&name) {
            findings.extend(guards_lost(change));
        }
        findings.extend(what.map(|what| TAMPERED.finding(&change.path, what)));
    }
}

/// Whether a file that runs by itself at a person's terminal would decide there from now on.
fn left_to_decide(change: &Change) -> bool {
    let decides = |text: &Option<String>| {
        text.as_deref().is_some_and(|text| shell::decides_by_itself(&change.path, text))
    };
    decides(&change.after) && !decides(&change.before)
}

fn hooks(change: &Change) -> Option<String> {
    let read =
        |text: &Option<String>| text.as_deref().and_then(|text| serde_json::from_str::<Value>(text).ok());
    let before = read(&change.before).unwrap_or_default();
    let after = read(&change.after).unwrap_or_default();
    let kept = entries(&after);
    if entries(&before).iter().any(|entry| !kept.contains(entry)) {
        return Some(format!("hook entries that run {HOOK} would be removed or altered"));
    }
    let is_set = |value: &Value| value.get("disableAllHooks").and_then(Value::as_bool) == Some(true);
    if is_set(&after) && !is_set(&before) {
        return Some("`disableAllHooks` would switch every hook off".to_owned());
    }
    let cap = |value: &Value| value.pointer(&format!("/env/{STOP_CAP}")).cloned();
    if cap(&before) != cap(&after) {
        return Some(format!("`{STOP_CAP}` would change"));
    }
    let is_off = |value: &Value| {
        let plugins = value.get("enabledPlugins").and_then(Value::as_object);
        plugins.is_some_and(|all| {
            all.iter().any(|(name, on)| name.starts_with("steadfast") && *on == Value::Bool(false))
        })
    };
    (is_off(&after) && !is_off(&before)).then(|| "the plugin would be disabled".to_owned())
}

/// Somebody's own guard gone: an event of whose hooks none is left.
fn guards_lost(change: &Change) -> Option<Finding> {
    const GUARDED: &[&str] = &["PreToolUse", "PostToolUse"];
    let events = |text: &Option<String>| -> Option<Vec<String>> {
        let settings = serde_json::from_str::<Value>(text.as_deref()?).ok()?;
        let hooks = settings.get("hooks").and_then(Value::as_object).cloned().unwrap_or_default();
        let held = hooks.into_iter().filter(|(_, groups)| groups.as_array().is_some_and(|it| !it.is_empty()));
        Some(held.map(|(event, _)| event).collect())
    };
    let (before, after) = (events(&change.before)?, events(&change.after)?);
    let lost = GUARDED.iter().find(|event| {
        let has = |all: &[String]| all.iter().any(|it| it == *event);
        has(&before) && !has(&after)
    })?;
    let what = format!("the hooks of `{lost}` would be gone");
    Some(Finding { severity: Severity::High, confidence: 0.8, ..TAMPERED.finding(&change.path, what) })
}

/// Each of our hook entries with the event and the matcher that it stands under.
fn entries(settings: &Value) -> Vec<(String, Option<Value>, Value)> {
    let mut entries = Vec::new();
    let events = settings.get("hooks").and_then(Value::as_object);
    for (event, groups) in events.into_iter().flatten() {
        for group in groups.as_array().into_iter().flatten() {
            for hook in group.get("hooks").and_then(Value::as_array).into_iter().flatten() {
                if names_us(hook) {
                    entries.push((event.clone(), group.get("matcher").cloned(), hook.clone()));
                }
            }
        }
    }
    entries
}

fn names_us(hook: &Value) -> bool {
    let is_ours = |value: &Value| value.as_str().is_some_and(|text| text.contains(HOOK));
    hook.get("command").is_some_and(is_ours)
        || hook.get("args").and_then(Value::as_array).is_some_and(|all| all.iter().any(is_ours))
}

fn configuration(change: &Change) -> Option<String> {
    let before = settings(change.before.as_deref().unwrap_or_default());
    let after = settings(change.after.as_deref().unwrap_or_default());
    let value = |settings: &[(String, String)], key: &str| {
        settings.iter().rev().find(|(name, _)| name == key).map(|(_, value)| value.to_lowercase())
    };
    let is_off = |settings: &[(String, String)]| {
        value(settings, "enabled").is_some_and(|value| matches!(&*value, "false" | "no" | "off"))
    };
    if is_off(&after) && !is_off(&before) {
        return Some("`agent_persistence.enabled` would be off".to_owned());
    }
    let weak = |settings: &[(String, String)]| {
        let mode = value(settings, "detection.mode").unwrap_or_default();
        // YAML reads a bare `off` as false.
        let mode = if mode == "false" { "off" } else { &mode };
        WEAK_MODES.iter().rev().position(|weak| *weak == mode).map_or(0, |rank| rank + 1)
    };
    if weak(&after) > weak(&before) {
        let mode = WEAK_MODES.iter().rev().nth(weak(&after) - 1)?;
        return Some(format!("`agent_persistence.detection.mode` would be {mode}"));
    }
    let patterns = |settings: &[(String, String)]| {
        let list = value(settings, "detection.patterns_enabled")?;
        Some(
            list.split(',')
                .map(|item| item.trim().to_owned())
                .filter(|item| !item.is_empty())
                .collect::<Vec<_>>(),
        )
    };
    let kept = patterns(&after)?;
    let all = patterns(&before);
    let gone = all.is_none_or(|all| all.iter().any(|pattern| !kept.contains(pattern)));
    gone.then(|| "`agent_persistence.detection.patterns_enabled` would have fewer patterns".to_owned())
}

/// The scalars under `agent_persistence`, by their dotted path below it; lists joined by commas. Lines that are no
/// plain YAML are passed over.
fn settings(text: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut stack: Vec<(usize, String)> = Vec::new();
    for line in text.lines() {
        let content = line.split(" #").next().unwrap_or_default();
        let bare = content.trim();
        if bare.is_empty() || bare.starts_with('#') {
            continue;
        }
        let indent = content.len() - content.trim_start().len();
        if let Some(item) = bare.strip_prefix("- ") {
            let key = path(&stack);
            match found.iter_mut().find(|(name, _)| *name == key) {
                Some((_, list)) => list.extend([",", scalar(item)]),
                None => found.push((key, scalar(item).to_owned())),
            }
            continue;
        }
        let Some((key, value)) = bare.split_once(':') else { continue };
        stack.retain(|(outer, _)| *outer < indent);
        stack.push((indent, scalar(key).to_owned()));
        flow(&path(&stack), value.trim(), &mut found);
    }
    let below =
        |(name, value): (String, String)| Some((name.strip_prefix("agent_persistence.")?.to_owned(), value));
    found.into_iter().filter_map(below).collect()
}

/// A value on the key's own line: a scalar, `[a, b]`, or `{ key: value, ... }` with nothing but scalars and lists in it.
fn flow(key: &str, value: &str, found: &mut Vec<(String, String)>) {
    let Some(inside) = value.strip_prefix('{') else {
        if !value.is_empty() {
            found.push((
                key.to_owned(),
                value.trim_matches(['[', ']']).split(',').map(scalar).collect::<Vec<_>>().join(","),
            ));
        }
        return;
    };
    let mut prefix = key.to_owned();
    for part in inside.split_inclusive(['{', '}', ',']) {
        let (text, end) = part.split_at(part.len().saturating_sub(1));
        if let Some((name, value)) = text.split_once(':') {
            let name = format!("{prefix}.{}", scalar(name));
            match (end, scalar(value)) {
                ("{", _) => prefix = name,
                (_, value) => found.push((name, value.trim_start_matches('[').to_owned())),
            }
        } else if let Some((_, list)) = found.last_mut().filter(|_| !text.trim().is_empty()) {
            list.extend([",", scalar(text).trim_end_matches(']')]);
        }
        if end == "}" {
            prefix = prefix.rsplit_once('.').map_or(String::new(), |(outer, _)| outer.to_owned());
        }
    }
}

fn path(stack: &[(usize, String)]) -> String {
    stack.iter().map(|(_, key)| key.as_str()).collect::<Vec<_>>().join(".")
}

fn scalar(text: &str) -> &str {
    text.trim().trim_matches(['"', '\''])
}

const HOOKED: &str = r#"{"model":"x","hooks":{"PreToolUse":[{"matcher":"Bash|Edit","hooks":[{"type":"command","command":"bin/steadfast-hook pre-tool-use","timeout":10}]}]}}"#;
const YAML: &str = "name: shop\nagent_persistence:\n  enabled: true\n  detection:\n    mode: standard # the default\n    patterns_enabled:\n      - test_deletion\n      - feature_removal\n";

const CATCHES: &[Example] = &[
    // Somebody's own guard.
    Example::edit(
        ".claude/settings.json",
        r#"{"model":"x","hooks":{"PreToolUse":[{"matcher":"Edit|Write","hooks":[{"type":"command","command":"guard.sh"}]}]}}"#,
        r#"{"model":"x"}"#,
    ),
    Example {
        path: ".git/hooks/post-commit",
        before: None,
        after: Some("#!/bin/sh\nsteadfast gate approve </dev/tty\n"),
        elsewhere: None,
    },
    Example::edit("/home/dev/.bashrc", "alias ll='ls -l'\n", "alias ll='ls -l'\nsteadfast gate approve\n"),
    Example::edit(".aiwg/ralph/loops/a/state.json", "{}", "{\"status\":\"completed\"}"),
    Example::deletion("/home/dev/shop/.aiwg/ralph/loops/a/hook-log.jsonl", "{}\n"),
    Example::edit(".claude/settings.json", HOOKED, r#"{"model":"x"}"#),
    Example::deletion(".claude/settings.json", HOOKED),
    Example::edit(
        ".claude/settings.json",
        HOOKED,
        r#"{"model":"x","hooks":{"PreToolUse":[{"matcher":"Nothing","hooks":[{"type":"command","command":"bin/steadfast-hook pre-tool-use","timeout":10}]}]}}"#,
    ),
    Example::edit(".claude/settings.json", HOOKED, "{ broken"),
    Example {
        path: ".claude/settings.local.json",
        before: None,
        after: Some(r#"{"disableAllHooks":true}"#),
        elsewhere: None,
    },
    Example::edit(".claude/settings.local.json", "{}", r#"{"env":{"CLAUDE_CODE_STOP_HOOK_BLOCK_CAP":"1"}}"#),
    Example::edit(".claude/settings.json", "{}", r#"{"enabledPlugins":{"steadfast@steadfast":false}}"#),
    Example::edit(
        "aiwg.yml",
        YAML,
        "name: shop\nagent_persistence:\n  enabled: false\n  detection:\n    mode: standard\n    patterns_enabled:\n      - test_deletion\n      - feature_removal\n",
    ),
    Example::edit(
        "aiwg.yml",
        YAML,
        "name: shop\nagent_persistence:\n  enabled: true\n  detection:\n    mode: \"off\"\n    patterns_enabled:\n      - test_deletion\n      - feature_removal\n",
    ),
    Example::edit(
        "aiwg.yml",
        YAML,
        "name: shop\nagent_persistence:\n  enabled: true\n  detection:\n    mode: standard\n    patterns_enabled: [feature_removal]\n",
    ),
    Example::edit("aiwg.yml", "name: shop\n", "name: shop\nagent_persistence: { enabled: false }\n"),
    Example::edit(
        "aiwg.yml",
        "name: shop\n",
        "name: shop\nagent_persistence: { detection: { mode: minimal } }\n",
    ),
];

const SPARES: &[Example] = &[
    Example::edit(
        ".claude/settings.json",
        HOOKED,
        r#"{"model":"y","hooks":{"PreToolUse":[{"matcher":"Bash|Edit","hooks":[{"timeout":10,"type":"command","command":"bin/steadfast-hook pre-tool-use"}]}],"Stop":[{"hooks":[{"type":"command","command":"say done"}]}]}}"#,
    ),
    Example::edit(
        ".claude/settings.json",
        r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"say done"}]}]}}"#,
        "{}",
    ),
    Example::edit(".claude/settings.json", "{}", HOOKED),
    Example::edit(
        ".husky/pre-commit",
        "npm test\n",
        "npm test\nsteadfast check --staged\n# steadfast gate approve is a person's\n",
    ),
    Example::edit("docs/gate.md", "a\n", "Run `steadfast gate approve` in a terminal.\n"),
    Example::edit(".vscode/settings.json", "{ // comment\n}", "{}"),
    Example::edit(
        "aiwg.yml",
        YAML,
        "name: store\nagent_persistence:\n  enabled: true\n  detection:\n    mode: aggressive\n    patterns_enabled: [test_deletion, feature_removal, error_suppression]\n",
    ),
    Example::edit(
        "aiwg.yml",
        "other:\n  enabled: true\n  detection:\n    mode: standard\n",
        "other:\n  enabled: false\n  detection:\n    mode: off\n",
    ),
    Example::edit(".aiwg/requirements/notes.md", "a\n", "b\n"),
];
