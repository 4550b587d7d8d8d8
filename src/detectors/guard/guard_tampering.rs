//! Changes that switch Steadfast itself off: its state, its hooks, its settings.
//!
//! Settings are read as data and compared; an edit beside them passes.

use crate::detectors::guard::configuration;
use crate::detectors::guard::host_settings;

pub use crate::detectors::guard::host_settings::listed_tools;

use crate::detectors::{Case, Detector, Example};
use crate::languages::file_name;
pub(crate) use crate::model::finding::{Change, Finding, RegressionType, Severity};
use crate::shell;

/// The guard's state, hooks or settings changed.
pub(crate) static TAMPERED: Detector = Detector {
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

/// Files of a host that say which hooks and plugins run.
const HOST_FILES: &[&str] = &[
    "settings.json",
    "settings.local.json",
    "hooks.json",
    "managed-settings.json",
    "installed_plugins.json",
];
const CONFIGURATIONS: &[&str] = &["aiwg.yml", "aiwg.yaml", ".aiwg.yml", ".aiwg.yaml"];

/// What a change of settings takes from the guard.
pub(crate) struct Weakening {
    pub(crate) what: String,
    pub(crate) severity: Severity,
    pub(crate) confidence: f32,
}

impl Weakening {
    pub(crate) fn new(severity: Severity, what: String) -> Self {
        Weakening { what, severity, confidence: 0.95 }
    }
}

fn detect(case: &Case, findings: &mut Vec<Finding>) {
    for change in case.evidence.changes.iter().filter(|change| change.before != change.after) {
        let path = change.path.replace('\\', "/");
        let name = file_name(&path);
        let weakening = if format!("/{path}").contains("/.aiwg/ralph/") {
            let what = "the guard's own state and log would be changed";
            Some(Weakening::new(Severity::Critical, what.to_owned()))
        } else if HOST_FILES.contains(&name) {
            host_settings::weakened(&path, change)
        } else if CONFIGURATIONS.contains(&name) {
            configuration::weakened(change)
        } else if left_to_decide(change) {
            let what = "a decision at the human gate would be left for a person's own terminal to run";
            Some(Weakening::new(Severity::Critical, what.to_owned()))
        } else {
            None
        };
        findings.extend(weakening.map(|Weakening { what, severity, confidence }| Finding {
            severity,
            confidence,
            ..TAMPERED.finding(&change.path, what)
        }));
    }
}

/// Whether a file that runs by itself at a person's terminal would decide there from now on.
fn left_to_decide(change: &Change) -> bool {
    let decides = |text: &Option<String>| {
        text.as_deref().is_some_and(|text| shell::decides_by_itself(&change.path, text))
    };
    decides(&change.after) && !decides(&change.before)
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
