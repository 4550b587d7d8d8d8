//! Lints of a manifest of Cargo that stop nothing any more: `all = "deny"` that became `allow`, or went.

use std::collections::BTreeMap;

use crate::detectors::checks::setting_keys::SettingFinding;
use crate::languages::code::bare;
use crate::model::finding::Severity;

/// Groups that have many lints, by the tool in front of them.
const GROUPS: &[&str] = &["all", "pedantic", "nursery", "warnings", "unused", "restriction"];

/// The level of each lint by its section and name, with the line.
type Levels = BTreeMap<String, (String, u32)>;

/// A lint that was denied, and is allowed or gone.
pub(super) fn allowed(before: &str, after: &str) -> Option<SettingFinding> {
    let (old, new) = (levels(before), levels(after));
    let was = |name: &String| old.get(name).map(|(level, _)| level.as_str());
    let allowed =
        new.iter().find(|(name, (level, _))| level == "allow" && was(name).is_some_and(|it| it != "allow"));
    if let Some((name, (_, line))) = allowed {
        return Some((format!("the lint `{name}` would be allowed"), *line, Severity::High));
    }
    // The workspace may have them all.
    let is_inherited = |text: &str| text.lines().any(|line| bare(line) == "workspace=true");
    let gone: Vec<(&String, u32)> = old
        .iter()
        .filter(|(name, (level, _))| stops(level) && !new.contains_key(*name))
        .map(|(name, (_, line))| (name, *line))
        .collect();
    let come = new.iter().filter(|(name, (level, _))| stops(level) && !old.contains_key(*name)).count();
    let is_covered = |name: &str| {
        let tool = name.rsplit_once('.').map_or("", |(tool, _)| tool);
        GROUPS.iter().any(|group| new.get(&format!("{tool}.{group}")).is_some_and(|(level, _)| stops(level)))
    };
    let (name, line) = gone.iter().find(|(name, _)| !is_covered(name))?;
    (come < gone.len() && (is_inherited(before) || !is_inherited(after)))
        .then(|| (format!("the lint `{name}` would not be denied any more"), *line, Severity::High))
}

fn stops(level: &str) -> bool {
    matches!(level, "deny" | "forbid")
}

/// The lints of the sections `[lints.clippy]` and `[workspace.lints.rust]`.
fn levels(text: &str) -> Levels {
    let mut all = Levels::new();
    let mut section = None;
    for (number, line) in (1u32..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default().trim();
        if let Some(head) = line.strip_prefix('[').and_then(|it| it.strip_suffix(']')) {
            section = head.trim_start_matches("workspace.").strip_prefix("lints.").map(str::to_owned);
            continue;
        }
        let (Some(tool), Some((name, value))) = (&section, line.split_once('=')) else { continue };
        let value = bare(value);
        let level = match value.split_once("level=") {
            Some((_, rest)) => rest.split([',', '}']).next().unwrap_or_default(),
            None => value.as_str(),
        };
        let level = level.trim_matches(['"', '\'']).to_owned();
        all.insert(format!("{tool}.{}", name.trim()), (level, number));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lints_of_a_manifest_that_stop_nothing_any_more_are_told() {
        let before = "[lints.clippy]\nall = { level = \"deny\", priority = -1 }\npanic = \"deny\"\n";
        for (after, expected) in [
            ("[lints.clippy]\nall = { level = \"allow\", priority = -1 }\npanic = \"deny\"\n", true),
            ("[lints.clippy]\nall = { level = \"deny\", priority = -1 }\npanic = \"allow\"\n", true),
            // The group is denied still.
            ("[lints.clippy]\nall = { level = \"deny\", priority = -1 }\n", false),
            ("[lints.clippy]\npanic = \"deny\"\n", true),
            ("[lints.clippy]\npedantic = \"deny\"\npanic = \"deny\"\n", false),
            ("[lints]\nworkspace = true\n", false),
            ("[workspace.lints.clippy]\nall = \"deny\"\npanic = \"deny\"\n", false),
        ] {
            assert_eq!(allowed(before, after).is_some(), expected, "{after}");
        }
    }
}
