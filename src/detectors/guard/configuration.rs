//! `aiwg.yml` before against after, by its own reader: a table says of every key which way it weakens the guard.
//!
//! What is compared is what holds, so a file that is gone or broken counts as the defaults, and comments, order and
//! other owners' keys say nothing.

use std::path::Path;

use serde_json::Value;

use crate::config::{Config, KEYS};
use crate::detectors::guard::weakening::GuardWeakening;
use crate::model::event::ShellDialect;
use crate::model::finding::RegressionType;
use crate::model::finding::{Change, Severity};
use crate::shell;

/// Which way a key weakens.
enum WeakeningDirection {
    /// True becomes false.
    Off,
    /// A smaller number. None is without limit.
    Lower,
    /// A larger number. None is without limit.
    Higher,
    /// An earlier word of these; one that is not among them is not compared.
    Earlier(&'static [&'static str]),
    /// An entry less.
    Fewer,
    /// An entry more.
    More,
    /// A command that is gone, or that says nothing.
    Hollow,
    /// Something is set that was not, or was another.
    Set,
    /// Told by comparing the configurations.
    By(fn(&Config, &Config) -> bool),
}

use Severity::{Critical, High, Medium};

const LEVELS: &[&str] = &["OFF", "MINIMAL", "STANDARD", "AGGRESSIVE"];
/// Programs that say nothing of a project.
const SAYS_NOTHING: &[&str] = &["true", ":", "echo", "exit", "printf"];
/// To this iteration levels are compared.
const LAST_COMPARED: u32 = 50;

/// Every key that guards, which way it weakens, and how bad that is. A key that is not here takes nothing away: a budget
/// that is only reported, or a time after which a verification fails.
const KEYS_THAT_GUARD: &[(&str, WeakeningDirection, Severity)] = &[
    ("enabled", WeakeningDirection::Off, Critical),
    ("detection.mode", WeakeningDirection::Earlier(&["off", "minimal", "standard", "aggressive"]), Critical),
    ("detection.patterns_enabled", WeakeningDirection::By(looks_for_less), Critical),
    ("pattern_severity", WeakeningDirection::By(takes_lighter), High),
    ("allowed_paths", WeakeningDirection::More, High),
    ("allowed_commands", WeakeningDirection::More, High),
    ("denied_commands", WeakeningDirection::Fewer, High),
    ("protected_paths", WeakeningDirection::Fewer, High),
    ("build_folders", WeakeningDirection::More, High),
    ("recovery.max_retries", WeakeningDirection::Higher, High),
    ("recovery.auto_escalate_on_critical", WeakeningDirection::Off, High),
    ("recovery.human_gate_timeout_minutes", WeakeningDirection::Higher, Medium),
    ("notes", WeakeningDirection::Earlier(&["off", "on"]), Medium),
    ("notify.command", WeakeningDirection::By(tells_otherwise), High),
    ("notify.terminal", WeakeningDirection::Earlier(&["off", "bell", "desktop"]), Medium),
    ("commands.test", WeakeningDirection::Hollow, High),
    ("commands.coverage", WeakeningDirection::Hollow, High),
    ("commands.lint", WeakeningDirection::Hollow, High),
    ("commands.types", WeakeningDirection::Hollow, High),
    ("commands.build", WeakeningDirection::Hollow, High),
    ("commands.list", WeakeningDirection::Hollow, High),
    ("custom_metrics", WeakeningDirection::Fewer, High),
    ("measuring.start_seconds", WeakeningDirection::Lower, Medium),
    ("measuring.stop_seconds", WeakeningDirection::Lower, Medium),
    ("best_output_selection.enabled", WeakeningDirection::Off, Medium),
    ("best_output_selection.quality_threshold", WeakeningDirection::Lower, Medium),
    ("best_output_selection.require_verification", WeakeningDirection::Off, High),
    ("verification.prove", WeakeningDirection::Earlier(&["off", "auto", "always"]), High),
    ("checkpoints.max_file_mb", WeakeningDirection::Lower, High),
    ("checkpoints.max_call_mb", WeakeningDirection::Lower, High),
    ("checkpoints.max_call_files", WeakeningDirection::Lower, High),
    ("checkpoints.max_total_mb", WeakeningDirection::Lower, High),
    ("checkpoints.retention_days", WeakeningDirection::Lower, High),
    ("checkpoints.keep", WeakeningDirection::Lower, High),
    ("reinforcement.default_level", WeakeningDirection::Earlier(LEVELS), Medium),
    ("reinforcement.escalation_thresholds", WeakeningDirection::By(reminds_less), Medium),
    ("reinforcement.quality_plateau_threshold", WeakeningDirection::Lower, Medium),
    ("reinforcement.templates_dir", WeakeningDirection::Set, Medium),
    ("reinforcement.token_budgets.minimal", WeakeningDirection::Lower, Medium),
    ("reinforcement.token_budgets.standard", WeakeningDirection::Lower, Medium),
    ("reinforcement.token_budgets.aggressive", WeakeningDirection::Lower, Medium),
    ("reinforcement.token_budgets.adaptive", WeakeningDirection::Lower, Medium),
    ("reinforcement.token_budgets.session", WeakeningDirection::Lower, Medium),
];

/// The worst that a change takes from the guard.
pub(crate) fn weakened(change: &Change) -> Option<GuardWeakening> {
    let read = |text: &Option<String>| Config::parse(text.as_deref().unwrap_or_default().as_bytes()).config;
    let (before, after) = (read(&change.before), read(&change.after));
    if before == after {
        return None;
    }
    let found = KEYS_THAT_GUARD.iter().filter_map(|(path, way, severity)| {
        let key = KEYS.iter().find(|key| key.path == *path)?;
        let (old, new) = ((key.value)(&before), (key.value)(&after));
        let weaker = match way {
            WeakeningDirection::By(is_weaker) => is_weaker(&before, &after),
            way => is_weaker(way, &old, &new),
        };
        weaker.then(|| {
            GuardWeakening::new(*severity, format!("`agent_persistence.{path}` would be {}", shown(&new)))
        })
    });
    let mut found: Vec<GuardWeakening> = found.collect();
    let worst = found.iter().map(|it| it.severity).max()?;
    found.retain(|it| it.severity == worst);
    let what = found.iter().map(|it| it.what.as_str()).collect::<Vec<_>>().join("; ");
    Some(GuardWeakening::new(worst, what))
}

fn is_weaker(way: &WeakeningDirection, before: &Value, after: &Value) -> bool {
    let number = |value: &Value| value.as_f64().unwrap_or(f64::INFINITY);
    match way {
        WeakeningDirection::Off => *before == Value::Bool(true) && *after == Value::Bool(false),
        WeakeningDirection::Lower => number(after) < number(before),
        WeakeningDirection::Higher => number(after) > number(before),
        WeakeningDirection::Earlier(words) => {
            let place = |value: &Value| words.iter().position(|word| value.as_str() == Some(word));
            matches!((place(before), place(after)), (Some(before), Some(after)) if after < before)
        }
        WeakeningDirection::Fewer => !holds_all(after, before),
        WeakeningDirection::More => !holds_all(before, after),
        WeakeningDirection::Hollow => {
            !says_nothing(before) && after.is_null() || says_nothing_new(before, after)
        }
        WeakeningDirection::Set => !after.is_null() && before != after,
        WeakeningDirection::By(_) => false,
    }
}

/// Whether `all` has every entry of `some`: items of lists, keys with their values of objects.
fn holds_all(all: &Value, some: &Value) -> bool {
    match (all, some) {
        (Value::Array(all), Value::Array(some)) => some.iter().all(|item| all.contains(item)),
        (Value::Object(all), Value::Object(some)) => {
            some.iter().all(|(key, value)| all.get(key).is_some_and(|it| !says_nothing_new(value, it)))
        }
        (_, Value::Array(some)) => some.is_empty(),
        (_, Value::Object(some)) => some.is_empty(),
        _ => true,
    }
}

fn says_nothing(command: &Value) -> bool {
    let Some(command) = command.as_str() else { return command.is_null() };
    command.split_whitespace().next().is_none_or(|program| SAYS_NOTHING.contains(&program))
}

fn says_nothing_new(before: &Value, after: &Value) -> bool {
    after.is_string()
        && says_nothing(after)
        && before != after
        && !(before.is_string() && says_nothing(before))
}

/// Programs that tell a person something.
const NOTIFIERS: &[&str] = &[
    "afplay",
    "curl",
    "dunstify",
    "growlnotify",
    "kdialog",
    "notify-send",
    "osascript",
    "paplay",
    "say",
    "terminal-notifier",
    "wall",
    "zenity",
];

/// Whether nobody is told any more, or by a program that does something else: the guard starts it unasked, and nothing
/// judges it then.
fn tells_otherwise(before: &Config, after: &Config) -> bool {
    let value = |config: &Config| config.notify.command.clone().map_or(Value::Null, Value::from);
    let hollow = is_weaker(&WeakeningDirection::Hollow, &value(before), &value(after));
    let root = Path::new("/");
    let does_more = |command: &String| {
        let script = shell::read_at(command, ShellDialect::Posix, root, root);
        let tells = |one: &shell::Command| NOTIFIERS.contains(&one.program());
        !script.commands.iter().all(tells) || !shell::of_script(&script).effects.is_empty()
    };
    let new = after.notify.command.as_ref().filter(|new| before.notify.command.as_ref() != Some(new));
    hollow || new.is_some_and(does_more)
}

fn looks_for_less(before: &Config, after: &Config) -> bool {
    RegressionType::ALL.iter().any(|kind| before.looks_for(*kind) && !after.looks_for(*kind))
}

/// Whether a pattern counts for less than it did, be that by its own severity or by the catalogue's.
fn takes_lighter(before: &Config, after: &Config) -> bool {
    let usual = |id: &str| {
        let known = crate::detectors::DETECTORS.iter().find(|detector| detector.id == id);
        known.map_or(High, |detector| detector.severity)
    };
    let ids = before.pattern_severity.keys().chain(after.pattern_severity.keys());
    let mut weighed = ids.map(|id| (before.severity_of(id, usual(id)), after.severity_of(id, usual(id))));
    // Nothing is less than the lowest.
    weighed.any(|(before, after)| after < before)
}

fn reminds_less(before: &Config, after: &Config) -> bool {
    let place = |config: &Config, iteration| {
        let level = config.reinforcement.level_at(iteration).name();
        LEVELS.iter().position(|known| *known == level)
    };
    (1..=LAST_COMPARED).any(|iteration| {
        let levels = (place(before, iteration), place(after, iteration));
        matches!(levels, (Some(before), Some(after)) if after < before)
    })
}

/// A value as a person reads it, cut to a length.
fn shown(value: &Value) -> String {
    let text = match value {
        Value::Null => "unset".to_owned(),
        Value::String(text) => text.clone(),
        value => value.to_string(),
    };
    let mut shown: String = text.chars().take(80).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(before: &str, after: &str) -> Option<(Severity, String)> {
        let block = |text: &str| Some(format!("name: shop\nagent_persistence:\n{text}\n"));
        let change = Change { path: "aiwg.yml".to_owned(), before: block(before), after: block(after) };
        weakened(&change).map(|it| (it.severity, it.what))
    }

    #[test]
    fn every_key_that_guards_is_judged_by_its_direction_and_the_way_back_is_silent() {
        let rows = [
            ("enabled: true", "enabled: false", Critical),
            ("enabled: true", "enabled: no", Critical),
            ("detection: { mode: aggressive }", "detection: { mode: standard }", Critical),
            ("detection: { mode: standard }", "detection: { mode: \"off\" }", Critical),
            ("", "detection: { patterns_enabled: [test_deletion] }", Critical),
            ("pattern_severity: { LP-001: critical }", "pattern_severity: { LP-001: low }", High),
            ("", "pattern_severity: { LP-001: \"off\" }", High),
            ("allowed_paths: []", "allowed_paths: [\"tests/**\"]", High),
            ("", "allowed_commands: [\"rm -rf *\"]", High),
            ("denied_commands: [\"git push --force\"]", "denied_commands: []", High),
            ("protected_paths: [\"src/**\", \"db/**\"]", "protected_paths: [\"db/**\"]", High),
            ("protected_paths: [\"src/**\"]", "", High),
            ("", "build_folders: [src]", High),
            ("recovery: { max_retries: 3 }", "recovery: { max_retries: 100 }", High),
            ("", "recovery: { max_retries: 4 }", High),
            ("", "recovery: { auto_escalate_on_critical: false }", High),
            (
                "recovery: { human_gate_timeout_minutes: 30 }",
                "recovery: { human_gate_timeout_minutes: null }",
                Medium,
            ),
            ("notify: { command: \"notify-send x\" }", "notify: {}", High),
            ("notify: { command: \"notify-send x\" }", "notify: { command: \"true\" }", High),
            ("notify: { command: \"notify-send x\" }", "notify: { command: \"rm -rf tests\" }", High),
            (
                "notify: { command: \"notify-send x\" }",
                "notify: { command: \"notify-send x; git clean -fdx\" }",
                High,
            ),
            ("notify: { terminal: bell }", "notify: { terminal: \"off\" }", Medium),
            ("commands: { test: \"npm test\" }", "commands: { test: \"echo ok\" }", High),
            ("", "commands: { coverage: \":\" }", High),
            ("custom_metrics: { size: \"wc -l x\" }", "custom_metrics: {}", High),
            ("", "measuring: { stop_seconds: 0 }", Medium),
            ("", "measuring: { start_seconds: 1 }", Medium),
            ("", "best_output_selection: { enabled: false }", Medium),
            ("", "best_output_selection: { quality_threshold: 10 }", Medium),
            (
                "best_output_selection: { require_verification: true }",
                "best_output_selection: { require_verification: false }",
                High,
            ),
            ("", "verification: { prove: off }", High),
            ("", "checkpoints: { max_file_mb: 1 }", High),
            ("", "checkpoints: { max_call_mb: 1 }", High),
            ("", "checkpoints: { max_call_files: 1 }", High),
            ("", "checkpoints: { max_total_mb: 1 }", High),
            ("", "checkpoints: { retention_days: 1 }", High),
            ("", "checkpoints: { keep: 0 }", High),
            ("", "reinforcement: { default_level: \"OFF\" }", Medium),
            ("", "reinforcement: { escalation_thresholds: { iteration_3: MINIMAL } }", Medium),
            ("", "reinforcement: { quality_plateau_threshold: 0.0 }", Medium),
            ("", "reinforcement: { templates_dir: soft }", Medium),
            ("", "reinforcement: { token_budgets: { minimal: 0 } }", Medium),
            ("", "reinforcement: { token_budgets: { standard: 0 } }", Medium),
            ("", "reinforcement: { token_budgets: { aggressive: 0 } }", Medium),
            ("", "reinforcement: { token_budgets: { adaptive: 0 } }", Medium),
            ("", "reinforcement: { token_budgets: { session: 10 } }", Medium),
            // The worst is told.
            (
                "detection: { mode: standard }",
                "detection: { mode: minimal }\n  checkpoints: { keep: 0 }",
                Critical,
            ),
        ];
        for (strong, weak, severity) in rows {
            let (strong, weak) = (format!("  {strong}"), format!("  {weak}"));
            let found = judged(&strong, &weak);
            assert_eq!(found.as_ref().map(|it| it.0), Some(severity), "{strong} -> {weak}: {found:?}");
            // A folder of one's own texts is no weaker when it goes.
            assert_eq!(judged(&weak, &strong), None, "{weak} -> {strong}");
        }
    }

    #[test]
    fn what_takes_nothing_away_is_silent() {
        for (before, after) in [
            ("  enabled: true", "  enabled: true # on"),
            ("  enabled: true", "  detection: { mode: standard }\n  enabled: true"),
            ("  protected_paths: [a, b]", "  protected_paths: [b, a, c]"),
            ("  commands: { test: npm test }", "  commands: { test: pnpm test }"),
            ("  custom_metrics: { size: wc -l x }", "  custom_metrics: { size: wc -c x, more: cat y }"),
            (
                "  performance: { detection_latency_budget_ms: 500 }",
                "  performance: { detection_latency_budget_ms: 5 }",
            ),
            ("  verification: { timeout_seconds: 60 }", "  verification: { timeout_seconds: 600 }"),
            ("  recovery: { max_retries: 3 }", "  recovery: { max_retries: 0 }"),
            ("  unknown: 1", "  unknown: 2"),
        ] {
            assert_eq!(judged(before, after), None, "{before} -> {after}");
        }
        let change = |before: &str, after: Option<&str>| {
            let text = |text: &str| text.to_owned();
            weakened(&Change { path: "aiwg.yml".into(), before: Some(text(before)), after: after.map(text) })
                .map(|it| it.what)
        };
        let strict = "agent_persistence:\n  detection: { mode: aggressive }\n";
        assert_eq!(change("a: 1\n", Some("a: [")), None, "nothing of ours was there");
        assert_eq!(change("agent_persistence:\n  enabled: true\n", None), None, "that is the default");
        for after in [None, Some(""), Some("agent_persistence: {"), Some("other: 1\n")] {
            assert!(change(strict, after).is_some_and(|it| it.contains("detection.mode")), "{after:?}");
        }
    }

    #[test]
    fn every_row_names_a_key() {
        for (path, ..) in KEYS_THAT_GUARD {
            assert!(KEYS.iter().any(|key| key.path == *path), "{path}");
        }
        let said = |path: &str| KEYS_THAT_GUARD.iter().any(|(known, ..)| *known == path);
        let unsaid: Vec<&str> = KEYS.iter().map(|key| key.path).filter(|path| !said(path)).collect();
        assert_eq!(
            unsaid,
            [
                "performance.detection_latency_budget_ms",
                "performance.max_integration_overhead_percentage",
                "verification.timeout_seconds",
            ],
            "a new key is a decision"
        );
    }
}
