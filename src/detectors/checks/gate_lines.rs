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
    if let Some(found) =
        filtered(&change.path, before, after).or_else(|| conditional(&change.path, before, after))
    {
        return Some(found);
    }
    if !is_list_of_commands(&change.path) {
        return None;
    }
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let mut gone = old.iter().filter(|line| !new.contains(line) && is_gate(line));
    if let Some(found) = unfailing(&old, &new) {
        return Some(found);
    }
    gone.find_map(|line| {
        let mut come = (1u32..).zip(&new).filter(|(_, other)| !old.contains(other));
        let numbers = |other: &str| twins(line, other).or_else(|| keyed(line, other));
        let (at, was, is) = come.find_map(|(at, other)| numbers(other).map(|(was, is)| (at, was, is)))?;
        let what = format!("`{}` would go from {was} to {is}", line.trim());
        (is < was).then(|| (what, at, Severity::High).into())
    })
}

/// A comparison in awk that gave the status, and is only printed.
fn unfailing(old: &[&str], new: &[&str]) -> Option<SettingRemark> {
    let program = old.iter().filter(|line| !new.contains(line)).find_map(|line| awk_status(line))?;
    let mut come = (1u32..).zip(new).filter(|(_, line)| !old.contains(line));
    if come.clone().any(|(_, line)| awk_status(line).is_some()) {
        return None;
    }
    let (at, line) = come.find(|(_, line)| awk(line) == Some(program))?;
    let what = format!("`{}` would not fail for a lower number any more", line.trim());
    Some((what, at, Severity::High).into())
}

/// A gate that holds only under a condition of the machine: `minimum_coverage 90 unless ENV["CI"]`.
fn conditional(path: &str, before: &str, after: &str) -> Option<SettingRemark> {
    if !path.ends_with(".rb") && file_name(path) != ".simplecov" {
        return None;
    }
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
    let large = new.clone().find(|(_, line)| is_of_large_files(line));
    if let Some((at, line)) = large {
        return Some(
            (format!("larger files would not be counted any more: `{line}`"), at, Severity::High).into(),
        );
    }
    let (at, path) = new.find_map(|(at, line)| {
        let value = line.strip_prefix("add_filter")?.split(['\'', '"']).nth(1)?;
        (reach(value) == GlobReach::Sources).then_some((at, value))
    })?;
    Some(SettingRemark::of_check(format!("`{path}` would not be counted any more"), at, path))
}

/// Whether a block leaves out of the count what has many lines, or everything.
fn is_of_large_files(line: &str) -> bool {
    let bare: String = line.chars().filter(|c| !c.is_whitespace()).collect();
    let block = bare.strip_prefix("add_filter{").or_else(|| bare.strip_prefix("add_filterdo"));
    block.is_some_and(|it| {
        let is_large = [".count>", ".size>", ".length>"].iter().any(|size| it.contains(size));
        is_large || it.ends_with("true}")
    })
}

/// The options of a call of awk, which stand before its program.
fn awk(line: &str) -> Option<&str> {
    let line = line.trim();
    let at = line.find("awk ")?;
    line.get(at..)?.split('\'').next()
}

/// The same, where the program ends with a comparison for its status: `exit have < min`.
fn awk_status(line: &str) -> Option<&str> {
    let own = awk(line)?;
    let is_compared = |rest: &str| {
        let value = rest.split(['}', ';', '\n']).next().unwrap_or(rest);
        value.contains(['<', '>'])
    };
    let has_gate =
        |line: &str| ["min", "cov", "lcov", "percent"].iter().any(|it| line.to_lowercase().contains(it));
    (has_gate(line) && line.split("exit").skip(1).any(is_compared)).then_some(own)
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

/// The numbers in which two lines differ, where they differ in nothing else: what is said of a failure may repeat them.
fn twins(old: &str, new: &str) -> Option<(f64, f64)> {
    let number = |c: char| c.is_ascii_digit() || c == '.';
    let (old, new) = (old.trim(), new.trim());
    let same = old.bytes().zip(new.bytes()).take_while(|(a, b)| a == b).count();
    // The number that the difference stands in begins before it.
    let start = old.get(..same)?.trim_end_matches(number).len();
    let cut = |text: &'_ str| -> Option<(String, String)> {
        let rest = text.get(start..)?;
        let end = rest.find(|c| !number(c)).unwrap_or(rest.len());
        Some((rest.get(..end)?.to_owned(), rest.get(end..)?.to_owned()))
    };
    let ((was, tail), (is, other)) = (cut(old)?, cut(new)?);
    let is_same = tail == other || !was.is_empty() && tail.replace(&was, &is) == other;
    was.parse().ok().zip(is.parse().ok()).filter(|_| is_same)
}

/// The numbers behind the same key, where the lines differ in more: `threshold: 90` and `threshold: 0, …`.
fn keyed(old: &str, new: &str) -> Option<(f64, f64)> {
    const KEYS: &[&str] = &["threshold:"];
    let number = |text: &str, key: &str| -> Option<f64> {
        let rest = text.split_once(key)?.1.trim_start();
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        rest.get(..end)?.parse().ok()
    };
    KEYS.iter().find_map(|key| number(old, key).zip(number(new, key)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twins_differ_in_a_number() {
        assert_eq!(twins("MIN := 80", "MIN := 25"), Some((80.0, 25.0)));
        assert_eq!(twins("  if (( cov < 85 )); then", "  if (( cov < 5 )); then"), Some((85.0, 5.0)));
        assert_eq!(twins("MIN := 80", "MAX := 25"), None);
        let message = |least: u8| format!("if (cov < {least}) {{ print \"less than {least} %\"; exit 1 }}");
        assert_eq!(twins(&message(85), &message(5)), Some((85.0, 5.0)));
        assert_eq!(twins("a", "b"), None);
    }
}
