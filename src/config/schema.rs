//! Every key of the block as data: its path, what it means, how it is read and how it is shown.
//!
//! An unknown key is a warning and never fatal: a newer version, or another tool, may know it.

use serde::Serialize;
use serde_json::{Map, Value as Json};

use super::setting::{SettingReader, SettingType, number, number_schema, whole, whole_schema};
use super::{Config, LoadedConfig};
use crate::yaml::{YamlNode, YamlTree, few_slips, nearest};

/// One key.
pub struct ConfigKey {
    /// Its path in the block, with dots.
    pub path: &'static str,
    /// What it means, in a line.
    pub about: &'static str,
    /// Reads a value into the configuration; false when it was not taken.
    read: fn(&mut Config, &YamlNode, &mut SettingReader) -> bool,
    /// The value that holds.
    pub value: fn(&Config) -> Json,
    /// What a JSON Schema says of a value.
    pub schema: fn() -> Json,
}

/// A row of the table: the path, the field, for a number its bounds, and what it means.
macro_rules! key {
    ($path:literal, $($field:ident).+, $about:literal) => {
        key!($path, $about, $($field).+, SettingType::read, json)
    };
    ($path:literal, $($field:ident).+, whole $range:expr, $about:literal) => {
        key!($path, $about, $($field).+, |node, reader| whole(node, $range, reader), json, || whole_schema($range))
    };
    ($path:literal, $($field:ident).+, whole_or_none $range:expr, $about:literal) => {
        key!($path, $about, $($field).+, |node, reader| whole(node, $range, reader).map(Some), json,
            || whole_schema($range))
    };
    ($path:literal, $($field:ident).+, number $range:expr, $about:literal) => {
        key!($path, $about, $($field).+, |node, reader| number(node, $range, reader), json, || number_schema($range))
    };
    ($path:literal, $about:literal, $($field:ident).+, $read:expr, $json:expr) => {
        key!($path, $about, $($field).+, $read, $json, || schema_of(|config| &config.$($field).+))
    };
    ($path:literal, $about:literal, $($field:ident).+, $read:expr, $json:expr, $schema:expr) => {
        ConfigKey {
            path: $path,
            about: $about,
            read: |config, node, reader| set(&mut config.$($field).+, node, reader, $read),
            value: |config| $json(&config.$($field).+),
            schema: $schema,
        }
    };
}

/// All keys, in the order in which they are shown.
#[rustfmt::skip]
pub static KEYS: &[ConfigKey] = &[
    key!("enabled", enabled, "Whether any hook acts at all"),
    key!("detection.mode", detection.mode, "How strictly findings are acted on"),
    key!("detection.patterns_enabled", detection.patterns_enabled, "The regression types that are looked for; null is all"),
    key!("reinforcement.default_level", reinforcement.default_level, "The level before any threshold is reached"),
    key!("reinforcement.escalation_thresholds", "Which level holds from which iteration on",
        reinforcement.escalation_thresholds, SettingType::read, thresholds),
    key!("reinforcement.quality_plateau_threshold", reinforcement.quality_plateau_threshold, number 0.0..=1.0,
        "Changes of quality below this share are a plateau"),
    key!("reinforcement.templates_dir", reinforcement.templates_dir, "A folder with texts of your own"),
    key!("reinforcement.token_budgets.minimal", reinforcement.token_budgets.minimal, whole 0..=100_000, "Tokens of a reminder at MINIMAL"),
    key!("reinforcement.token_budgets.standard", reinforcement.token_budgets.standard, whole 0..=100_000, "Tokens of a reminder at STANDARD"),
    key!("reinforcement.token_budgets.aggressive", reinforcement.token_budgets.aggressive, whole 0..=100_000, "Tokens of a reminder at AGGRESSIVE"),
    key!("reinforcement.token_budgets.adaptive", reinforcement.token_budgets.adaptive, whole 0..=100_000, "Tokens of a reminder at ADAPTIVE"),
    key!("reinforcement.token_budgets.session", reinforcement.token_budgets.session, whole_or_none 0..=10_000_000,
        "Tokens of all reminders of a session; null is without limit"),
    key!("recovery.max_retries", recovery.max_retries, whole 0..=100, "Tries to mend a regression before a person is asked"),
    key!("recovery.auto_escalate_on_critical", recovery.auto_escalate_on_critical, "Whether a critical one goes to a person at once"),
    key!("recovery.human_gate_timeout_minutes", recovery.human_gate_timeout_minutes, whole_or_none 1..=5_256_000,
        "When a waiting gate is overdue; null waits forever"),
    key!("best_output_selection.enabled", best_output_selection.enabled, "Whether the best iteration is taken instead of the last"),
    key!("best_output_selection.quality_threshold", best_output_selection.quality_threshold, number 0.0..=100.0, "The least acceptable quality"),
    key!("best_output_selection.require_verification", best_output_selection.require_verification, "Whether an unverified iteration is out"),
    key!("performance.detection_latency_budget_ms", performance.detection_latency_budget_ms, whole 1..=3_600_000, "What a hook may take, 95th percentile"),
    key!("performance.max_integration_overhead_percentage", performance.max_integration_overhead_percentage, number 0.0..=1000.0,
        "What all hooks may add to an iteration"),
    key!("commands.test", commands.test, "Runs the tests"),
    key!("commands.lint", commands.lint, "Runs the linter"),
    key!("commands.coverage", commands.coverage, "Measures coverage"),
    key!("commands.types", commands.types, "Checks types"),
    key!("commands.build", commands.build, "Builds"),
    key!("commands.list", commands.list, "Lists the tests without running them"),
    key!("custom_metrics", custom_metrics, "Numbers of your own by name: commands that print one"),
    key!("measuring.start_seconds", measuring.start_seconds, whole 0..=86_400, "What measuring may take before a loop starts"),
    key!("measuring.stop_seconds", measuring.stop_seconds, whole 0..=86_400, "What measuring may take after an iteration; 0 runs nothing"),
    key!("protected_paths", protected_paths, "Globs of files that the agent may not write"),
    key!("denied_commands", denied_commands, "Commands that never run without a person, by program and arguments"),
    key!("allowed_commands", allowed_commands, "Commands that lose nothing the project cares about, by program and arguments"),
    key!("allowed_paths", allowed_paths, "Globs of files in which no finding acts"),
    key!("pattern_severity", "A pattern's own severity by its id, or off", pattern_severity, SettingType::read, severities),
    key!("notes", notes, "Whether advice is given; off silences that alone, and nothing that stops a call"),
    key!("notify.command", notify.command, "A command that is run on a critical finding"),
    key!("notify.terminal", notify.terminal, "What the session's terminal does then: bell, desktop (a notification), or off"),
    key!("verification.timeout_seconds", verification.timeout_seconds, whole 1..=86_400, "What the completion commands may take"),
    key!("verification.prove", verification.prove, "When a criterion that passes is run with the tests of the loop's start: off, auto (they changed), always"),
    key!("build_folders", build_folders, "Folders that a build makes again"),
    key!("checkpoints.max_file_mb", checkpoints.max_file_mb, whole 1..=1_000_000, "The largest file that is kept, MiB"),
    key!("checkpoints.max_call_mb", checkpoints.max_call_mb, whole 1..=1_000_000, "All files of one call together, MiB"),
    key!("checkpoints.max_call_files", checkpoints.max_call_files, whole 1..=10_000_000, "How many files of one call are kept"),
    key!("checkpoints.max_total_mb", checkpoints.max_total_mb, whole 1..=10_000_000,
        "What all that is kept may take, MiB: the oldest calls' checkpoints go first"),
    key!("checkpoints.retention_days", checkpoints.retention_days, whole 1..=36_500, "Days after which a checkpoint may go"),
    key!("checkpoints.keep", checkpoints.keep, whole 0..=1_000_000, "How many of the newest stay, however old"),
];

fn set<T>(
    field: &mut T,
    node: &YamlNode,
    reader: &mut SettingReader,
    read: impl FnOnce(&YamlNode, &mut SettingReader) -> Option<T>,
) -> bool {
    let value = read(node, reader);
    let taken = value.is_some();
    if let Some(value) = value {
        *field = value;
    }
    taken
}

/// The schema of the type of a field.
fn schema_of<T: SettingType>(_: fn(&Config) -> &T) -> Json {
    T::schema()
}

fn json<T: Serialize>(value: &T) -> Json {
    serde_json::to_value(value).unwrap_or_default()
}

fn thresholds(thresholds: &super::LevelThresholds) -> Json {
    let entries = thresholds.0.iter().map(|(from, level)| (format!("iteration_{from}"), level.name().into()));
    Json::Object(entries.collect::<Map<_, _>>())
}

fn severities(
    severities: &std::collections::BTreeMap<String, Option<crate::model::finding::Severity>>,
) -> Json {
    let name = |severity: &Option<crate::model::finding::Severity>| {
        severity.map_or("off", |severity| severity.name())
    };
    Json::Object(severities.iter().map(|(id, severity)| (id.clone(), name(severity).into())).collect())
}

/// Applies the block to the defaults. `text` is the file, for excerpts.
pub(super) fn apply(block: &YamlNode, text: &str) -> LoadedConfig {
    let mut loaded = LoadedConfig::default();
    let mut reader = SettingReader::new(text);
    section("", block, &mut loaded, &mut reader);
    loaded.problems = reader.problems.problems;
    loaded.named = reader.named;
    loaded
}

/// Reads a mapping of keys. The depth is the schema's, not the file's.
fn section(path: &str, node: &YamlNode, loaded: &mut LoadedConfig, reader: &mut SettingReader) {
    let entries = match &node.value {
        YamlTree::Map(entries) => entries,
        YamlTree::Null => return,
        value => {
            reader.path = if path.is_empty() { super::BLOCK.to_owned() } else { path.to_owned() };
            return reader.wrong(node.at, "a mapping of keys", value);
        }
    };
    for (n, (key, value)) in entries.iter().enumerate() {
        let child = if path.is_empty() { key.name.clone() } else { format!("{path}.{}", key.name) };
        if let Some((first, _)) = entries[..n].iter().find(|(earlier, _)| earlier.name == key.name) {
            let message = format!("{child} is there twice; the value in line {} holds", first.at.line);
            reader.problems.error(key.at, message);
        } else if let Some(known) = KEYS.iter().find(|known| known.path == child) {
            reader.path = child;
            // A key without a value is a key that is not set.
            if value.value != YamlTree::Null && (known.read)(&mut loaded.config, value, reader) {
                loaded.lines.insert(known.path, key.at.line);
            }
        } else if is_section(&child) {
            section(&child, value, loaded, reader);
        } else {
            let message = format!("unknown key {child}{}", hint(path, &key.name));
            reader.problems.warning(key.at, message);
        }
    }
}

fn is_section(path: &str) -> bool {
    KEYS.iter().any(|key| key.path.strip_prefix(path).is_some_and(|rest| rest.starts_with('.')))
}

/// What an unknown key was meant to be: a near name in the same section, or the same name in another.
fn hint(section: &str, name: &str) -> String {
    let prefix = if section.is_empty() { String::new() } else { format!("{section}.") };
    let siblings = KEYS.iter().filter_map(|key| key.path.strip_prefix(&prefix)?.split('.').next());
    if let Some(near) = nearest(name, siblings, few_slips) {
        return format!("; did you mean {prefix}{near}?");
    }
    let elsewhere = KEYS.iter().find(|key| key.path.rsplit('.').next() == Some(name));
    elsewhere.map(|key| format!("; did you mean {}?", key.path)).unwrap_or_default()
}
