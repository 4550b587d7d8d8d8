//! Gates of coverage: lowered, gone, or passed by files that are left out of the count.
//!
//! Values are compared with their direction: a gate may rise.

use crate::detectors::checks::both_settings::{both, code_settings};
use crate::detectors::checks::build_exclusions::uncounted;
use crate::detectors::checks::gate_lines;
use crate::detectors::checks::moved_gates::asks_as_much;
use crate::detectors::checks::setting_keys::{SettingFinding, SettingRemark, ends, has, in_list, push};
use crate::detectors::checks::source_globs::{GlobReach, reach};
use crate::detectors::{Case, Detector, Pattern, PatternProof};
use crate::languages::{SettingEntry, file_name, settings};
use crate::model::finding::{Change, Finding, RegressionType, Severity};

/// Gates of coverage lowered.
pub(crate) static LOWERED: Detector = Detector {
    pattern: Pattern {
        id: "LP-R003",
        name: "Coverage Gate Lowered",
        aliases: &["Coverage Threshold Lowered", "Coverage Exclusion Config"],
        regression_type: Some(RegressionType::CoverageRegression),
        severity: Severity::High,
        what: "The coverage that a run has to reach is lowered or gone, or files are left out of the count.",
        why: "The gate passes while less is tested.",
        instead: "Tests for what is not covered reach the gate.",
        proof: PatternProof::Changes,
    },
    detect: lowered,
};

/// Gates by the end of their keys.
const GATES: &[&str] = &[
    "fail_under",
    "lines",
    "branches",
    "functions",
    "statements",
    "target",
    "minimum_coverage",
    "cov-fail-under",
    "fail-under-lines",
    "break",
    "check-coverage",
    "checkCoverage",
    "collectCoverage",
    "check_coverage",
    "minimum",
    "fail-under",
    "threshold.file",
    "threshold.package",
    "threshold.total",
];

/// Lists of what isn't counted.
const UNCOUNTED: &[&str] = &[
    "omit",
    "exclude_lines",
    "coveragePathIgnorePatterns",
    "exclude_also",
    "ignore",
    "exclude",
    "sonar.coverage.exclusions",
];

fn lowered(case: &Case, findings: &mut Vec<Finding>) {
    for change in case.evidence.changes.iter().filter(|change| change.before != change.after) {
        let found = match both(change).or_else(|| code_settings(change)) {
            Some((before, after)) => gates(case, change, &before, &after),
            None if change.before.is_none() => new_file(change),
            None => minimum(case, change).map(SettingRemark::from),
        };
        let found = found.or_else(|| gate_lines::lowered(change)).or_else(|| uncounted(change));
        push(&LOWERED, change, found, findings);
    }
}

/// Sources as a whole that a new file of a coverage tool takes out of the count.
fn new_file(change: &Change) -> Option<SettingRemark> {
    let name = file_name(&change.path);
    if !COVERAGE_FILES.iter().any(|part| name.contains(part)) {
        return None;
    }
    let entries = settings(&change.path, change.after.as_deref()?)?;
    let is_whole = |it: &&SettingEntry| it.value.contains('*') && reach(&it.value) == GlobReach::Sources;
    let entry = entries.iter().filter(|it| is_uncounted(name, it)).find(is_whole)?;
    Some(SettingRemark::of_check(format!("`{}` would not be counted", entry.value), entry.line, &entry.value))
}

/// The least coverage in a build file that is not read as values: `minimum = "0.85"`, `minimum_coverage 90`.
fn minimum(case: &Case, change: &Change) -> Option<SettingFinding> {
    let name = file_name(&change.path);
    let says = |it: &Change| it.after.as_deref().is_some_and(|text| text.contains("minimum_coverage"));
    let is_moved = || case.all_changes().any(|it| it.path != change.path && says(it));
    if !matches!(
        name,
        "build.gradle"
            | "build.gradle.kts"
            | "pom.xml"
            | "spec_helper.rb"
            | "test_helper.rb"
            | "rails_helper.rb"
            | ".simplecov"
            | "Rakefile"
            | "Directory.Build.props"
            | "build.sbt"
    ) && !name.ends_with(".csproj")
    {
        return None;
    }
    let numbers = |text: &str| -> Vec<(f64, u32)> {
        let number = |line: &str| {
            let words = ["minimum", "coverageMinimum", "<Threshold>"];
            let rest = words.iter().find_map(|word| line.split(word).nth(1))?;
            let rest = rest.trim_start_matches(|c: char| !c.is_ascii_digit());
            let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
            rest.get(..end)?.parse().ok()
        };
        let code = (1u32..).zip(text.lines()).filter(|(_, line)| !line.trim_start().starts_with(['#', '/']));
        code.filter_map(|(at, line)| Some((number(line)?, at))).collect()
    };
    let (was, is) = (numbers(change.before.as_deref()?), numbers(change.after.as_deref()?));
    // SimpleCov has no other place for it but a file of its own.
    let is_simplecov = name.ends_with(".rb") || name == ".simplecov";
    if let Some((old, line)) = was.first().filter(|_| is_simplecov && is.is_empty() && !is_moved()) {
        return Some((format!("the least coverage of {old} would be gone"), *line, Severity::High));
    }
    let (old, (new, line)) =
        was.iter().zip(&is).find(|((old, _), (new, _))| was.len() == is.len() && new < old)?;
    Some((format!("the least coverage would go from {} to {new}", old.0), *line, Severity::High))
}

/// Whether a key of the file is about coverage.
fn is_gate(path: &str, entry: &SettingEntry) -> bool {
    let name = file_name(path);
    let key = entry.key.to_lowercase();
    let is_coverage_file = name.contains("nycrc")
        || name.contains("coverage")
        || name.contains("codecov")
        || name.starts_with("c8")
        || name.starts_with("stryker");
    let is_named = key.contains("cov")
        || key.contains("threshold")
        || matches!(entry.name(), "fail_under" | "fail-under" | "minimum_coverage");
    let is_runner_code =
        name.contains("config") && matches!(entry.name(), "lines" | "branches" | "functions" | "statements");
    ends(&entry.key, GATES) && (is_coverage_file || is_named || is_runner_code)
}

fn number(value: &str) -> Option<f64> {
    value.trim().trim_end_matches('%').parse().ok()
}

fn gates(
    case: &Case,
    change: &Change,
    before: &[SettingEntry],
    after: &[SettingEntry],
) -> Option<SettingRemark> {
    let is_moved = |it: &SettingEntry| asks_as_much(case, &change.path, it.name(), Some(&it.value));
    let mut gates = before.iter().filter(|it| is_gate(&change.path, it));
    gates
        .find_map(|old| lowered_gate(old, before, after).filter(|_| !is_moved(old)))
        .map(SettingRemark::from)
        .or_else(|| newly_uncounted(file_name(&change.path), before, after))
        .or_else(|| no_longer_counted(before, after))
        .or_else(|| informing(file_name(&change.path), before, after).map(SettingRemark::from))
}

/// A file less in a list of those that are counted, or one that the list takes out again.
fn no_longer_counted(before: &[SettingEntry], after: &[SettingEntry]) -> Option<SettingRemark> {
    let listed = |all: &[SettingEntry]| -> Vec<(String, u32)> {
        let own = all.iter().filter(|it| ends(&it.key, COUNTED) || in_list(&it.key, COUNTED));
        own.map(|it| (it.value.clone(), it.line)).collect()
    };
    let (was, is) = (listed(before), listed(after));
    let out = is.iter().find(|(value, _)| {
        value.starts_with('!')
            && !was.iter().any(|(old, _)| old == value)
            && reach(value) != GlobReach::Others
    });
    if let Some((value, line)) = out {
        let pattern = value.trim_start_matches('!');
        return Some(SettingRemark::of_check(
            format!("`{pattern}` would not be counted any more"),
            *line,
            pattern,
        ));
    }
    let lost = was.iter().find(|(old, _)| !old.starts_with('!') && !is.iter().any(|(value, _)| value == old));
    let is_within = |old: &str| {
        let place = old.trim_end_matches("**/*").trim_end_matches(['*', '/']);
        let inner = |value: &str| {
            value.len() > place.len()
                && value.starts_with(place)
                && old.contains('*')
                && !value.contains("**")
        };
        is.iter().all(|(value, _)| was.iter().any(|(old, _)| old == value) || inner(value))
    };
    let (value, line) = lost.filter(|(old, _)| {
        !is.is_empty() && (is.len() < was.len() || is.len() == was.len() && is_within(old))
    })?;
    Some(SettingRemark::of_check(format!("`{value}` would not be counted any more"), *line, value))
}

/// A coverage service that would only inform: its status can't be red any more.
fn informing(name: &str, before: &[SettingEntry], after: &[SettingEntry]) -> Option<SettingFinding> {
    if !name.contains("codecov") {
        return None;
    }
    let says = |it: &&SettingEntry| match it.name() {
        "informational" => it.value == "true",
        "if_ci_failed" | "if_not_found" => it.value == "success",
        "require_ci_to_pass" => matches!(it.value.as_str(), "false" | "no"),
        "project" | "patch" | "status" | "default" => matches!(it.value.as_str(), "off" | "false" | "no"),
        _ => false,
    };
    if let Some(new) = after.iter().filter(says).find(|it| !has(before, it)) {
        let what = format!("`{}: {}` would let any coverage pass", new.name(), new.value);
        return Some((what, new.line, Severity::High));
    }
    after.iter().filter(|it| it.name() == "threshold").find_map(|new| {
        let was = before.iter().find(|old| old.key == new.key).map_or(Some(0.0), |old| number(&old.value))?;
        let is = number(&new.value)?;
        (is > was + 2.0)
            .then(|| (format!("coverage could fall by {} at once", new.value), new.line, Severity::High))
    })
}

/// A gate that is lower than before, or gone.
fn lowered_gate(
    old: &SettingEntry,
    before: &[SettingEntry],
    after: &[SettingEntry],
) -> Option<SettingFinding> {
    const SWITCHES: &[&str] = &["check-coverage", "checkCoverage", "collectCoverage", "check_coverage"];
    let is_switch = SWITCHES.contains(&old.name()) && old.value == "true";
    let off = after.iter().find(|it| it.key == old.key && it.value == "false");
    if let Some(new) = off.filter(|_| is_switch) {
        return Some((format!("`{}` would be `false`", old.name()), new.line, Severity::High));
    }
    let was = number(&old.value)?;
    // In code several settings have one name: each is compared with its own place.
    let nth = before.iter().filter(|it| it.key == old.key).position(|it| it == old).unwrap_or(0);
    match after.iter().filter(|it| it.key == old.key).nth(nth) {
        Some(new) if number(&new.value).is_some_and(|is| is < was) => {
            let what = format!("`{}` would go from {} to {}", old.name(), old.value, new.value);
            Some((what, new.line, Severity::High))
        }
        None if !after.iter().any(|it| it.name() == old.name()) => {
            let what = format!("the gate `{}: {}` would be gone", old.name(), old.value);
            Some((what, old.line, Severity::High))
        }
        _ => None,
    }
}

/// Lines that may rightly be left out of the count, by what stands in their pattern.
const OTHERS: &[&str] = &[
    "pragma",
    "TYPE_CHECKING",
    "__main__",
    "__repr__",
    "NotImplementedError",
    "AssertionError",
    "abstractmethod",
    "overload",
    "Protocol",
    "if 0:",
    "self.debug",
    "assert_never",
    "unreachable",
];
/// How a body without work is written in a pattern: `...`.
const NO_BODY: &[&str] = &["\\.\\.\\.", "\\.{3}", "^...$"];
/// Lists of what is counted.
const COUNTED: &[&str] =
    &["collectCoverageFrom", "coverage.include", "nyc.include", "coverage.run.source", "run.source"];

/// Files that belong to tools of coverage alone, by a part of their names.
const COVERAGE_FILES: &[&str] = &["nycrc", "codecov", "coveragerc", "slather"];

/// Whether an entry of a file is in a list of what is not counted.
fn is_uncounted(name: &str, it: &SettingEntry) -> bool {
    let in_file = COVERAGE_FILES.iter().any(|part| name.contains(part));
    let key = it.key.to_lowercase();
    let named = ["cov", "nyc", "omit"].iter().any(|part| key.contains(part))
        || key.starts_with("run.")
        || key.starts_with("report.");
    (ends(&it.key, UNCOUNTED) || in_list(&it.key, UNCOUNTED)) && (named || in_file) && !it.value.is_empty()
}

/// A file more in a list of those that are not counted.
fn newly_uncounted(name: &str, before: &[SettingEntry], after: &[SettingEntry]) -> Option<SettingRemark> {
    let is_coverage = |it: &&SettingEntry| is_uncounted(name, it);
    let listed = |all: &'_ [SettingEntry]| all.iter().filter(is_coverage).count();
    let is_known = |new: &SettingEntry| before.iter().filter(is_coverage).any(|old| old.value == new.value);
    let is_other = |value: &str| {
        OTHERS.iter().chain(NO_BODY).any(|word| value.contains(word)) || reach(value) == GlobReach::Others
    };
    let mut new = after.iter().filter(is_coverage).filter(|it| !is_known(it));
    let found = new.find(|it| !is_other(&it.value))?;
    let what = format!("`{}` would not be counted any more", found.value);
    (listed(after) > listed(before)).then(|| SettingRemark::of_check(what, found.line, &found.value))
}
