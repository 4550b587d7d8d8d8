//! Gates of coverage that stand in a command or a variable: `COVER_MIN := 80`, `if [ "$cov" -lt 80 ]`.
//!
//! A line is compared with its twin: the one that differs from it in a number only.

use crate::detectors::checks::ci_steps::is_workflow;
use crate::detectors::checks::setting_keys::SettingRemark;
use crate::detectors::checks::source_globs::{GlobReach, reach};
use crate::languages::file_name;
use crate::model::finding::{Change, Severity};

/// What a line says that is a gate of coverage.
const SIGNS: &[&str] = &["cov", "min", "under", "threshold", "-lt", "<", "floor", "least"];

/// What a line says that is a gate by its own name.
const NAMED: &[&str] = &[
    "minbound",
    "minimum_coverage",
    "fail-under",
    "fail_under",
    "--min=",
    "<minimum>",
    "min_coverage",
    "mincoverage",
    "minimum =",
];

/// A gate in a command or a variable that is lower than before.
pub(super) fn lowered(change: &Change) -> Option<SettingRemark> {
    let (before, after) = (change.before.as_deref()?, change.after.as_deref()?);
    if let Some(found) = filtered(&change.path, before, after).or_else(|| conditional(before, after)) {
        return Some(found);
    }
    if !is_list_of_commands(&change.path) {
        return None;
    }
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let mut gone = old.iter().filter(|line| !new.contains(line) && is_gate(line));
    gone.find_map(|line| {
        let mut come = (1u32..).zip(&new).filter(|(_, other)| !old.contains(other));
        let (at, was, is) = come.find_map(|(at, other)| twins(line, other).map(|(was, is)| (at, was, is)))?;
        let what = format!("`{}` would go from {was} to {is}", line.trim());
        (is < was).then(|| (what, at, Severity::High).into())
    })
}

/// A gate that holds only under a condition of the machine: `minimum_coverage 90 unless ENV["CI"]`.
fn conditional(before: &str, after: &str) -> Option<SettingRemark> {
    const CONDITIONS: &[&str] = &[" unless ENV", " if ENV"];
    let gates = before.lines().map(str::trim).filter(|line| line.starts_with("minimum_coverage"));
    let mut gates = gates.filter(|line| !CONDITIONS.iter().any(|it| line.contains(it)));
    gates.find_map(|gate| {
        let is_gate_then = |line: &str| {
            let rest = line.trim().strip_prefix(gate);
            rest.is_some_and(|rest| CONDITIONS.iter().any(|it| rest.starts_with(it)))
        };
        let (at, line) = (1u32..).zip(after.lines()).find(|(_, line)| is_gate_then(line))?;
        let what = format!("the gate would hold only sometimes: `{}`", line.trim());
        Some((what, at, Severity::High).into())
    })
}

/// Sources that SimpleCov would not count any more.
fn filtered(path: &str, before: &str, after: &str) -> Option<SettingRemark> {
    if !matches!(file_name(path), ".simplecov" | "spec_helper.rb" | "test_helper.rb" | "rails_helper.rb") {
        return None;
    }
    let known: Vec<&str> = before.lines().map(str::trim).collect();
    let mut new = (1u32..).zip(after.lines().map(str::trim)).filter(|(_, line)| !known.contains(line));
    let (at, path) = new.find_map(|(at, line)| {
        let value = line.strip_prefix("add_filter")?.split(['\'', '"']).nth(1)?;
        (reach(value) == GlobReach::Sources).then_some((at, value))
    })?;
    Some(SettingRemark::of_check(format!("`{path}` would not be counted any more"), at, path))
}

fn is_list_of_commands(path: &str) -> bool {
    let name = file_name(path);
    is_workflow(path)
        || [
            "Makefile",
            "makefile",
            "GNUmakefile",
            "justfile",
            "Justfile",
            "Jenkinsfile",
            "Dockerfile",
            "noxfile.py",
            "mix.exs",
            "build.gradle",
            "build.gradle.kts",
            "Fastfile",
            "coveralls.json",
            "composer.json",
            "package.json",
            "tox.ini",
        ]
        .contains(&name)
        || [".sh", ".bash", ".mk"].iter().any(|end| name.ends_with(end))
}

/// Whether a line says how much coverage is asked for.
fn is_gate(line: &str) -> bool {
    let lower = line.to_lowercase();
    let own = lower.trim_start();
    let is_named = NAMED.iter().any(|sign| lower.contains(sign));
    let is_about_coverage = lower.contains("cov") && SIGNS.iter().skip(1).any(|sign| lower.contains(sign));
    !own.starts_with('#') && (is_named || is_about_coverage)
}

/// The numbers in which two lines differ, where they differ in nothing else.
fn twins(old: &str, new: &str) -> Option<(f64, f64)> {
    let number = |c: char| c.is_ascii_digit() || c == '.';
    let (old, new) = (old.trim(), new.trim());
    let same = old.bytes().zip(new.bytes()).take_while(|(a, b)| a == b).count();
    // The number that the difference stands in begins before it.
    let start = old.get(..same)?.trim_end_matches(number).len();
    let cut = |text: &str| -> Option<(f64, String)> {
        let rest = text.get(start..)?;
        let end = rest.find(|c| !number(c)).unwrap_or(rest.len());
        Some((rest.get(..end)?.parse().ok()?, rest.get(end..)?.to_owned()))
    };
    let ((was, tail), (is, other)) = (cut(old)?, cut(new)?);
    (tail == other).then_some((was, is))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twins_differ_in_a_number() {
        assert_eq!(twins("MIN := 80", "MIN := 25"), Some((80.0, 25.0)));
        assert_eq!(twins("  if (( cov < 85 )); then", "  if (( cov < 5 )); then"), Some((85.0, 5.0)));
        assert_eq!(twins("MIN := 80", "MAX := 25"), None);
        assert_eq!(twins("a", "b"), None);
    }
}
