//! Features switched off in configuration.
//!
//! Only a flag that was on and is off counts; what its name is about decides whether it is a feature at all.

use crate::detectors::checks::both_settings::both;
use crate::detectors::product::probes;
use crate::detectors::{Case, Detector, Pattern, PatternProof};
use crate::languages::{Language, SettingEntry, file_name, is_test_path};
use crate::model::finding::{Change, Finding, RegressionType, Severity};
use crate::model::words::is_name_part;
use crate::model::words::words;

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
        proof: PatternProof::Changes,
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
        findings.extend(probes::lost(change).map(|(what, line)| {
            let mut finding = DISABLED.finding(&change.path, what);
            (finding.line, finding.severity) = (Some(line).filter(|it| *it > 0), Severity::Medium);
            finding
        }));
        // The guard's own settings have a detector of their own.
        let is_own = file_name(&change.path).contains("aiwg");
        let is_hidden = change.path.starts_with('.') && !holds_variables(&change.path);
        if is_test_path(&change.path) || is_hidden || is_own {
            continue;
        }
        let Some((before, after)) = flags(change) else { continue };
        // In a file of features every key is one.
        let stem = file_name(&change.path).split('.').next().unwrap_or_default();
        let is_flag = |key: &str| is_feature(key) || is_feature(&format!("{stem}.{key}"));
        let is_on = |entry: &&SettingEntry| entry.value.eq_ignore_ascii_case("true") && is_flag(&entry.key);
        let off = switched_off(&before, &after, &is_flag);
        let has = |key: &str| after.iter().any(|it| it.key == key);
        let is_renamed = after.iter().any(|it| is_on(&it) && !before.iter().any(|old| old.key == it.key));
        let gone = before.iter().filter(is_on).filter(|it| !is_renamed && !after.is_empty() && !has(&it.key));
        let gone: Vec<&SettingEntry> = gone.collect();
        let Some(first) = off.first().or(gone.first()) else { continue };
        let what = match (off.len(), gone.len()) {
            (1, _) => format!("`{}` would be switched off", first.key),
            (0, 1) => format!("the flag `{}` would be gone", first.key),
            (0, several) => format!("{several} flags would be gone"),
            (several, _) => format!("{several} features would be switched off"),
        };
        let mut finding = DISABLED.finding(&change.path, what);
        finding.line = Some(first.line).filter(|line| *line > 0);
        finding.lost = off.iter().chain(&gone).map(|it| it.key.clone()).collect();
        finding.severity = if off.len() > 1 { Severity::High } else { Severity::Medium };
        finding.confidence = 0.8;
        findings.push(finding);
    }
}

/// The flags that were on and are off. In code a name may stand in several places, as an argument does: such a one is off
/// where it is off more often than before, and on less often.
fn switched_off<'e>(
    before: &[SettingEntry],
    after: &'e [SettingEntry],
    is_flag: &dyn Fn(&str) -> bool,
) -> Vec<&'e SettingEntry> {
    let says = |entry: &SettingEntry, key: &str, value: &str| {
        entry.key == key && entry.value.eq_ignore_ascii_case(value)
    };
    let count =
        |all: &[SettingEntry], key: &str, value: &str| all.iter().filter(|it| says(it, key, value)).count();
    let mut known: Vec<&str> = Vec::new();
    let mut off = Vec::new();
    for key in before.iter().map(|it| it.key.as_str()).filter(|key| is_flag(key)) {
        let (was_on, is_on) = (count(before, key, "true"), count(after, key, "true"));
        let (was_off, is_off) = (count(before, key, "false"), count(after, key, "false"));
        if !known.contains(&key) && is_on < was_on && is_off > was_off {
            known.push(key);
            off.extend(after.iter().find(|it| says(it, key, "false")));
        }
    }
    off
}

/// The settings of a file before and after, or the values of its code that are said to be true or false.
fn flags(change: &Change) -> Option<(Vec<SettingEntry>, Vec<SettingEntry>)> {
    if holds_variables(&change.path) {
        return Some((variables(change.before.as_deref()?), variables(change.after.as_deref()?)));
    }
    if Language::of_path(&change.path).is_none() {
        return both(change);
    }
    let (before, after) = (change.before.as_deref()?, change.after.as_deref()?);
    // A flag that is gone from code went with what it was asked for.
    let (mut before, after) = (switches(before), switches(after));
    before.retain(|old| after.iter().any(|new| new.key == old.key));
    Some((before, after))
}

/// Parts of the names of files whose variables are for one machine, or for development and tests.
const OF_ONE_MACHINE: &[&str] = &["local", "test", "testing", "dev", "development"];

/// Whether a file says a variable a line: `.env`, `deploy.env`, `.env.production`, `application.properties`.
fn holds_variables(path: &str) -> bool {
    let mut parts = file_name(path).split('.').peekable();
    let is_properties = path.ends_with(".properties");
    (is_properties || parts.clone().any(|part| part == "env"))
        && !parts.any(|part| OF_ONE_MACHINE.contains(&part))
}

/// The variables that are on or off, however that is said.
fn variables(text: &str) -> Vec<SettingEntry> {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim_start().starts_with(['#', '!']));
    let entry = |(line, text): (u32, &str)| {
        let (name, value) = text.split_once('=')?;
        let name = name.trim().trim_start_matches("export ").trim();
        let value = value.split(" #").next()?.trim().trim_matches(['"', '\'']).to_ascii_lowercase();
        let value = match value.as_str() {
            "true" | "1" | "on" | "yes" | "enabled" => "true",
            "false" | "0" | "off" | "no" | "disabled" => "false",
            _ => return None,
        };
        Some(SettingEntry { key: name.to_owned(), value: value.to_owned(), line })
    };
    lines.filter_map(entry).collect()
}

/// The lines of code that say of a name that it is true or false: `const enableSearch: boolean = true;`.
fn switches(text: &str) -> Vec<SettingEntry> {
    let mut switches = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim_end().trim_end_matches([';', ',']);
        let value = ["true", "false", "True", "False"].into_iter().find(|value| line.ends_with(value));
        let Some((value, head)) = value.and_then(|value| Some((value, line.strip_suffix(value)?.trim_end())))
        else {
            continue;
        };
        let name = match (head.strip_suffix('='), head.strip_suffix(':')) {
            // What is compared is not said.
            (Some(head), _) if !head.ends_with(['=', '!', '<', '>', ':']) => {
                head.split_once(':').map_or(head, |(name, _)| name)
            }
            (_, Some(head)) => head,
            _ => continue,
        };
        let key =
            name.trim_end().rsplit(|c| !is_name_part(c)).find(|word| !word.is_empty()).unwrap_or_default();
        switches.push(SettingEntry { key: key.to_owned(), value: value.to_owned(), line: number });
    }
    switches
}

/// Whether a key names a feature: `features.search`, `enableSearch`, `search_enabled`.
fn is_feature(key: &str) -> bool {
    let words = words(key);
    let is_one_of = |known: &[&str]| words.iter().any(|word| known.contains(&&**word));
    is_one_of(WORDS) && !is_one_of(OTHERS)
}
