//! Limits of a linter that are raised, and rules that would only warn.

use crate::detectors::checks::setting_keys::SettingFinding;
use crate::languages::SettingEntry;
use crate::model::finding::Severity;

/// What a limit is called, in lower case with `-`.
const LIMITS: &[&str] = &[
    "max",
    "max-complexity",
    "complexity",
    "max-lines",
    "max-lines-per-function",
    "max-depth",
    "max-params",
    "max-statements",
    "maxissues",
    "maxwarnings",
    "max-args",
    "max-branches",
    "max-nested-callbacks",
    "cognitive-complexity-threshold",
    "too-many-arguments-threshold",
    "too-many-lines-threshold",
    "type-complexity-threshold",
    "min-complexity",
    "threshold",
    "allowedlines",
    "warning",
    "error",
];

/// A limit that is twice as high or more, or a rule that stops nothing any more.
pub(super) fn raised(before: &[SettingEntry], after: &[SettingEntry]) -> Option<SettingFinding> {
    let nth = |all: &[SettingEntry], at: usize| -> usize {
        let key = all.get(at).map(|it| it.key.as_str()).unwrap_or_default();
        all.get(..at).unwrap_or_default().iter().filter(|it| it.key == key).count()
    };
    before.iter().enumerate().find_map(|(at, old)| {
        let new = after.iter().filter(|it| it.key == old.key).nth(nth(before, at))?;
        limit(old, new).or_else(|| warned(old, new))
    })
}

fn limit(old: &SettingEntry, new: &SettingEntry) -> Option<SettingFinding> {
    let (was, is): (f64, f64) = (old.value.parse().ok()?, new.value.parse().ok()?);
    let name = old.name().to_lowercase().replace('_', "-");
    let is_limit =
        LIMITS.contains(&name.as_str()) || old.key.contains("rules.") && LIMITS.iter().any(|it| name == *it);
    // How wide a line may be is a matter of taste.
    let is_layout = ["linelength", "line-length", "line_length", "max-len", "layout"]
        .iter()
        .any(|it| old.key.to_lowercase().contains(it));
    (is_limit && !is_layout && was > 0.0 && is >= was * 2.0).then(|| {
        (
            format!(
                "the limit `{}` would go from {} to {}",
                old.key.trim_end_matches("[]"),
                old.value,
                new.value
            ),
            new.line,
            Severity::High,
        )
    })
}

fn warned(old: &SettingEntry, new: &SettingEntry) -> Option<SettingFinding> {
    let is_rule = old.key.contains("rules.") || old.key.contains("lints.") || old.name() == "severity";
    let stops = matches!(old.value.as_str(), "error" | "deny" | "forbid" | "2");
    let warns =
        matches!(new.value.as_str(), "warn" | "warning" | "1" | "info" | "hint" | "note" | "suggestion");
    (is_rule && stops && warns).then(|| {
        (format!("`{}` would only warn", old.key.trim_end_matches("[]")), new.line, Severity::Medium)
    })
}
