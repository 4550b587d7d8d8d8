//! Changes that switch Steadfast itself off: its state, its hooks, its settings.
//!
//! Settings are read as data and compared; an edit beside them passes.

use std::path::Path;

use crate::detectors::guard::agents_hooks;
use crate::detectors::guard::configuration;
use crate::detectors::guard::hook_texts;
use crate::detectors::guard::host_settings;
use crate::detectors::guard::meant_off;

pub use crate::detectors::guard::host_settings::listed_tools;

use crate::detectors::guard::weakening::GuardWeakening;
use crate::detectors::{Case, Detector, Pattern, PatternProof};
use crate::hosts::hook_files;
use crate::languages::file_name;
use crate::model::finding::{Change, Finding, RegressionType, Severity};
use crate::shell;

/// The guard's state, hooks or settings changed.
pub(crate) static TAMPERED: Detector = Detector {
    pattern: Pattern {
        id: "SF-001",
        name: "Guard Tampering",
        aliases: &["Hook Tampering"],
        regression_type: NO_REGRESSION,
        severity: Severity::Critical,
        what: "A change of Steadfast's own state, hooks or settings that would make it see or say less.",
        why: "A guard that the guarded one can switch off guards nothing.",
        instead: "Settings of the guard are a person's to change, outside of the session; other settings in the same file pass.",
        proof: PatternProof::Changes,
    },
    detect,
};

const NO_REGRESSION: Option<RegressionType> = None;

/// Files of Claude Code that say which hooks and plugins run.
const SETTINGS: &[&str] = &[
    "settings.json",
    "settings.local.json",
    "hooks.json",
    "managed-settings.json",
    "installed_plugins.json",
];
const CONFIGURATIONS: &[&str] = &["aiwg.yml", "aiwg.yaml", ".aiwg.yml", ".aiwg.yaml"];

/// Where the guard keeps its state, within a path.
const OWN_STATE: &str = "/.aiwg/ralph/";
/// What helps whoever would write there.
const LEAVE_STATE: &str = "The guard writes its state itself, and nothing else does; a person changes it with `steadfast` in \
                           their own terminal.";

fn detect(case: &Case, findings: &mut Vec<Finding>) {
    for change in case.evidence.changes.iter().filter(|change| change.before != change.after) {
        let path = change.path.replace('\\', "/");
        let name = file_name(&path);
        let weakening = if format!("/{path}").contains(OWN_STATE) {
            let what = "the guard's own state and log would be changed";
            Some(GuardWeakening::new(Severity::Critical, what.to_owned()))
        } else if says_which_hooks_run(&path) {
            hooks_weakened(&path, change)
        } else if CONFIGURATIONS.contains(&name) {
            configuration::weakened(change).or_else(|| meant_off::meant(change))
        } else if let Some(weakening) = agents_hooks::added_to_text(change) {
            Some(weakening)
        } else if left_to_decide(change) {
            let what = "a decision at the human gate would be left for a person's own terminal to run";
            Some(GuardWeakening::new(Severity::Critical, what.to_owned()))
        } else {
            None
        };
        let is_state = format!("/{path}").contains(OWN_STATE);
        findings.extend(weakening.map(|GuardWeakening { what, severity, confidence }| {
            let found = TAMPERED.finding(&change.path, what);
            let mend = if is_state { LEAVE_STATE.to_owned() } else { found.mend.clone() };
            Finding { severity, confidence, mend, ..found }
        }));
    }
}

/// The worst that a change of a host's settings or of the configuration takes from the guard.
pub fn weakening_of(change: &Change) -> Option<(Severity, String)> {
    if change.before == change.after {
        return None;
    }
    let weakening = match file_name(&change.path) {
        name if CONFIGURATIONS.contains(&name) => configuration::weakened(change),
        _ if says_which_hooks_run(&change.path) => hooks_weakened(&change.path, change),
        _ => None,
    };
    weakening.map(|it| (it.severity, it.what))
}

fn says_which_hooks_run(path: &str) -> bool {
    SETTINGS.contains(&file_name(path)) || hook_files::ends_as_hook_file(Path::new(path))
}

fn hooks_weakened(path: &str, change: &Change) -> Option<GuardWeakening> {
    match path.ends_with(".json") {
        true => host_settings::weakened(path, change),
        false => hook_texts::weakened(path, change),
    }
}

/// Whether a file that runs by itself at a person's terminal would decide there from now on.
fn left_to_decide(change: &Change) -> bool {
    let decides = |text: &Option<String>| {
        text.as_deref().is_some_and(|text| shell::decides_by_itself(&change.path, text))
    };
    decides(&change.after) && !decides(&change.before)
}
