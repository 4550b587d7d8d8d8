//! Features switched off in configuration.
//!
//! Only a flag that was on and is off counts; what its name is about decides whether it is a feature at all.

use crate::detectors::checks::runner_tampering::both;
use crate::detectors::{Case, Detector, Pattern, Proof};
use crate::languages::{Entry, file_name, is_test_path};
use crate::model::finding::{Finding, RegressionType, Severity};

/// Flags of features that were on.
pub(crate) static DISABLED: Detector = Detector {
    pattern: Pattern {
        id: "LP-008",
        name: "Feature Flag Disabling",
        aliases: &["Feature Flag Off"],
        regression_type: Some(RegressionType::FeatureRemoval),
        severity: Severity::High,
        what: "A feature that was switched on in the configuration is switched off.",
        why: "What doesn't work is hidden instead of mended.",
        instead: "A flag that stays on, or goes together with its feature, passes.",
        proof: Proof::Changes,
    },
    detect,
};

/// Words of keys that are about features.
const WORDS: &[&str] = &["feature", "features", "flag", "flags", "enable", "enabled"];
/// Words of keys about development only, and of opposites.
const OTHERS: &[&str] = &[
    "debug",
    "verbose",
    "mock",
    "experimental",
    "telemetry",
    "analytics",
    "disable",
    "disabled",
    "dev",
    "trace",
    "beta",
];

fn detect(case: &Case, findings: &mut Vec<Finding>) {
    for change in case.evidence.changes.iter().filter(|change| change.before != change.after) {
        // The guard's own settings have a detector of their own.
        let is_own = file_name(&change.path).contains("aiwg");
        if is_test_path(&change.path) || change.path.starts_with('.') || is_own {
            continue;
        }
        let Some((before, after)) = both(change) else { continue };
        // In a file of features every key is one.
        let stem = file_name(&change.path).split('.').next().unwrap_or_default();
        let is_flag = |key: &str| is_feature(key) || is_feature(&format!("{stem}.{key}"));
        let is_on = |entry: &&Entry| entry.value.eq_ignore_ascii_case("true") && is_flag(&entry.key);
        let is_off =
            |key: &str| after.iter().find(|it| it.key == key && it.value.eq_ignore_ascii_case("false"));
        let off: Vec<&Entry> = before.iter().filter(is_on).filter_map(|it| is_off(&it.key)).collect();
        let Some(first) = off.first() else { continue };
        let what = match off.len() {
            1 => format!("`{}` would be switched off", first.key),
            several => format!("{several} features would be switched off"),
        };
        let mut finding = DISABLED.finding(&change.path, what);
        finding.line = Some(first.line).filter(|line| *line > 0);
        finding.lost = off.iter().map(|it| it.key.clone()).collect();
        finding.severity = if off.len() > 1 { Severity::High } else { Severity::Medium };
        finding.confidence = 0.8;
        findings.push(finding);
    }
}

/// Whether a key names a feature: `features.search`, `enableSearch`, `search_enabled`.
fn is_feature(key: &str) -> bool {
    let mut spaced = String::with_capacity(key.len() + 8);
    for letter in key.chars() {
        if letter.is_uppercase() || !letter.is_alphanumeric() {
            spaced.push(' ');
        }
        if letter.is_alphanumeric() {
            spaced.extend(letter.to_lowercase());
        }
    }
    let words: Vec<&str> = spaced.split_whitespace().collect();
    words.iter().any(|word| WORDS.contains(word)) && !words.iter().any(|word| OTHERS.contains(word))
}
