//! Edits of the project's settings that are meant to switch the guard off, and that its own reader finds nothing in: a key
//! that it does not know, or a file that is gone.
//!
//! What such an edit really takes away `configuration` says; here is only what its writer is after.

use crate::detectors::guard::weakening::GuardWeakening;
use crate::languages::{SettingEntry, settings};
use crate::model::finding::{Change, Severity};

/// Values by which something is off.
const OFF: &[&str] = &["false", "off", "no", "disabled", "none", "never"];
/// Words of keys that are about a guard.
const OF_A_GUARD: &[&str] =
    &["guard", "steadfast", "laziness", "detection", "regression", "protect", "hooks"];
/// Keys at the top of the file that are about all of it.
const OF_ALL: &[&str] = &["enabled", "mode", "active", "enforce"];
/// Keys that the guard knows are judged by what they take away.
const KNOWN: &str = "agent_persistence";

/// What a change is meant to switch off.
pub(super) fn meant(change: &Change) -> Option<GuardWeakening> {
    let (before, after) =
        (change.before.as_deref().unwrap_or_default(), change.after.as_deref().unwrap_or_default());
    if says_something(before) && !says_something(after) {
        let what = "the project's settings of the guard would be gone, so that its defaults hold".to_owned();
        return Some(GuardWeakening::new(Severity::Medium, what));
    }
    let old = switched_off(&change.path, before);
    let new = switched_off(&change.path, after).into_iter().find(|key| !old.contains(key))?;
    let what = format!("`{new}` would be off, by which somebody means to switch the guard off");
    Some(GuardWeakening::new(Severity::Medium, what))
}

/// Whether a text has more than remarks.
fn says_something(text: &str) -> bool {
    text.lines().map(str::trim).any(|line| !line.is_empty() && !line.starts_with('#'))
}

/// The keys of a guard that are off, each by its way from the top.
fn switched_off(path: &str, text: &str) -> Vec<String> {
    let is_off = |it: &SettingEntry| OFF.contains(&it.value.to_lowercase().as_str());
    let all = settings(path, text).unwrap_or_default().into_iter();
    all.filter(|it| is_off(it) && is_of_a_guard(&it.key)).map(|it| it.key).collect()
}

fn is_of_a_guard(key: &str) -> bool {
    match key.split_once('.') {
        None if OF_ALL.contains(&key) => true,
        _ => {
            // What stands below another owner's key is that one's.
            let first = key.split('.').next().unwrap_or_default();
            first != KNOWN && OF_A_GUARD.iter().any(|word| first.to_lowercase().contains(word))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(before: &str, after: Option<&str>) -> bool {
        let (before, after) = (Some(before.to_owned()), after.map(str::to_owned));
        meant(&Change { path: "aiwg.yml".to_owned(), before, after }).is_some()
    }

    #[test]
    fn what_is_meant_to_switch_the_guard_off_is_told() {
        for (before, after) in [
            ("guard:\n  enabled: true\n", Some("guard:\n  enabled: false\n")),
            ("steadfast: on\n", Some("steadfast: off\n")),
            ("mode: strict\n", Some("mode: \"off\" # for now\n")),
            ("name: shop\n", Some("name: shop\nlaziness_detection:\n  active: no\n")),
            ("name: shop\n", None),
            ("name: shop\n", Some("# nothing\n")),
        ] {
            assert!(found(before, after), "{before} {after:?}");
        }
    }

    #[test]
    fn other_owners_keys_and_remarks_are_none() {
        for (before, after) in [
            ("telemetry:\n  enabled: true\n", Some("telemetry:\n  enabled: false\n")),
            ("guard:\n  enabled: false\n", Some("guard:\n  enabled: true\n")),
            ("guard:\n  enabled: false\n", Some("# a remark\nguard:\n  enabled: false\n")),
            ("name: shop\n", Some("name: shop\n# guard: off\n")),
            ("other:\n  detection: on\n", Some("other:\n  detection: off\n")),
            ("# nothing\n", None),
            ("agent_persistence:\n  hooks: on\n", Some("agent_persistence:\n  hooks: off\n")),
        ] {
            assert!(!found(before, after), "{before} {after:?}");
        }
    }
}
