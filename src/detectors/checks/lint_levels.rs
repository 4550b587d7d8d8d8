//! Levels of lints that stand in the code or beside it: `#![deny(…)]` that only warns, rules that a file of PHPStan or of
//! golangci-lint takes away for whole folders.

use crate::detectors::checks::cargo_lints::allowed;
use crate::detectors::checks::setting_keys::SettingFinding;
use crate::detectors::checks::source_globs::{GlobReach, reach};
use crate::languages::code::bare;
use crate::languages::file_name;
use crate::model::finding::{Change, Severity};

/// Groups of the compiler's lints.
const GROUPS: &[&str] = &[
    "unused",
    "rust_2018_idioms",
    "rust_2018_compatibility",
    "rust_2021_compatibility",
    "rust_2024_compatibility",
    "nonstandard_style",
    "future_incompatible",
    "let_underscore",
    "keyword_idents",
    "refining_impl_trait",
    "clippy::all",
];

/// A lint that stops nothing any more, or folders in which none is looked for.
pub(super) fn lowered(change: &Change) -> Option<SettingFinding> {
    let (before, after) = (change.before.as_deref()?, change.after.as_deref()?);
    let name = file_name(&change.path);
    if name.ends_with(".rs") {
        return undenied(before, after);
    }
    if name == "Cargo.toml" {
        return allowed(before, after);
    }
    if name.starts_with("phpstan") && name.contains(".neon") {
        return included(before, after);
    }
    if name.starts_with(".golangci") { excluded(before, after) } else { None }
}

/// The lints that a crate or a module denies.
fn denied(text: &str) -> Vec<(String, u32)> {
    let mut all = Vec::new();
    for (number, line) in (1u32..).zip(text.lines()) {
        let line = bare(line);
        let inside = ["#![deny(", "#![forbid("].iter().find_map(|head| line.strip_prefix(head));
        let Some(inside) = inside.and_then(|it| it.split(')').next()) else { continue };
        all.extend(inside.split(',').filter(|it| !it.is_empty()).map(|it| (it.to_owned(), number)));
    }
    all
}

fn undenied(before: &str, after: &str) -> Option<SettingFinding> {
    let (old, new) = (denied(before), denied(after));
    let (lint, line) = old.iter().find(|(lint, _)| !new.iter().any(|(it, _)| it == lint))?;
    // A group takes the place of its lints.
    let is_covered = new.iter().any(|(it, _)| {
        matches!(it.as_str(), "warnings" | "clippy::all")
            && it != lint
            && lint.starts_with("clippy::") == it.starts_with("clippy::")
    });
    let is_parted = lint == "warnings" && is_in_groups(&old, &new);
    (!is_covered && !is_parted)
        .then(|| (format!("the lint `{lint}` would not be denied any more"), *line, Severity::High))
}

/// Whether groups of lints take the place of all warnings, which a new compiler adds to: what is unused, which most
/// warnings are, or several others.
fn is_in_groups(old: &[(String, u32)], new: &[(String, u32)]) -> bool {
    let is_new = |group: &str| !old.iter().any(|(it, _)| it == group);
    let named = new.iter().map(|(it, _)| it.as_str());
    let groups: Vec<&str> = named.filter(|it| GROUPS.contains(it) && is_new(it)).collect();
    groups.contains(&"unused") || groups.len() > 1
}

/// Whether a file makes every warning of the compiler a failure: `rustflags = ["-D", "warnings"]`, `clippy -- -D warnings`.
pub(super) fn denies_warnings(text: &str) -> bool {
    let said = text.lines().map(|line| line.split('#').next().unwrap_or_default());
    let letters = |line: &str| line.chars().filter(|c| !matches!(c, ' ' | '\t' | '"' | '\'' | ',')).collect();
    let bare: Vec<String> = said.map(letters).collect();
    let text = bare.join(" ");
    ["-Dwarnings", "--denywarnings", "--deny=warnings", "-Fwarnings", "-D warnings"]
        .iter()
        .any(|it| text.contains(it))
}

/// The files that PHPStan includes: rules that go, and a list of errors to be ignored that comes.
fn included(before: &str, after: &str) -> Option<SettingFinding> {
    let files = |text: &str| -> Vec<(String, u32)> {
        let items =
            (1u32..).zip(text.lines()).filter_map(|(at, line)| Some((line.trim().strip_prefix("- ")?, at)));
        items
            .filter(|(it, _)| it.ends_with(".neon") || it.ends_with(".neon.php"))
            .map(|(it, at)| (it.to_owned(), at))
            .collect()
    };
    let (old, new) = (files(before), files(after));
    let lost = old.iter().find(|(it, _)| it.contains("rules") && !new.iter().any(|(other, _)| other == it));
    if let Some((file, line)) = lost {
        return Some((format!("the rules of `{file}` would not be looked for"), *line, Severity::High));
    }
    let (file, line) =
        new.iter().find(|(it, _)| it.contains("baseline") && !old.iter().any(|(other, _)| other == it))?;
    Some((format!("what `{file}` lists would be ignored"), *line, Severity::High))
}

/// A rule of golangci-lint that leaves all linters out for a folder of sources.
fn excluded(before: &str, after: &str) -> Option<SettingFinding> {
    let rules = |text: &str| -> Vec<(String, bool, u32)> {
        let mut all: Vec<(String, bool, u32)> = Vec::new();
        for (number, line) in (1u32..).zip(text.lines()) {
            let bare = line.trim();
            if let Some(path) = bare.strip_prefix("- path:") {
                all.push((path.trim().trim_matches(['"', '\'']).to_owned(), false, number));
            } else if let Some((_, is_narrow, _)) = all.last_mut() {
                let text = bare
                    .strip_prefix("text:")
                    .or_else(|| bare.strip_prefix("source:"))
                    .map(|it| it.trim().trim_matches(['"', '\'']));
                *is_narrow |=
                    bare.starts_with("linters:") || text.is_some_and(|it| !matches!(it, ".*" | ".+" | "."));
            }
        }
        all
    };
    let known = rules(before);
    let new = rules(after).into_iter().find(|(path, is_narrow, _)| {
        !is_narrow
            && reach(path) == GlobReach::Sources
            && !known.iter().any(|(old, narrow, _)| old == path && !narrow)
    })?;
    Some((format!("nothing would be reported of `{}`", new.0), new.2, Severity::High))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(path: &str, before: &str, after: &str) -> bool {
        let text = |it: &str| Some(it.to_owned());
        lowered(&Change { path: path.to_owned(), before: text(before), after: text(after) }).is_some()
    }

    #[test]
    fn lints_that_stop_nothing_any_more_are_told() {
        let deny = "#![deny(clippy::unwrap_used, clippy::panic)]\n";
        assert!(told("src/lib.rs", deny, "#![warn(clippy::unwrap_used)]\n"));
        assert!(!told("src/lib.rs", deny, "#![forbid(clippy::unwrap_used, clippy::panic)]\n"));
        assert!(!told("src/lib.rs", deny, "#![deny(clippy::panic, clippy::unwrap_used, missing_docs)]\n"));
        let all = "#![deny(warnings)]\n";
        assert!(!told("src/lib.rs", all, "#![deny(unused, missing_docs)]\n"));
        assert!(told("src/lib.rs", all, "#![deny(dead_code, missing_docs)]\n"));
        assert!(told("src/lib.rs", "#![deny(warnings, unused)]\n", "#![deny(unused)]\n"));
    }

    #[test]
    fn what_denies_all_warnings_is_read() {
        for text in [
            "[build]\nrustflags = [\"-D\", \"warnings\"]\n",
            "[build]\nrustflags = [\n  \"-D\",\n  \"warnings\",\n]\n",
            "env:\n  RUSTFLAGS: -Dwarnings\n",
            "cargo clippy --all-targets -- -D warnings\n",
        ] {
            assert!(denies_warnings(text), "{text}");
        }
        assert!(!denies_warnings("# cargo clippy -- -D warnings\ncargo clippy -- -W warnings\n"));
    }

    #[test]
    fn rules_left_out_for_whole_folders_are_told() {
        let neon = |file: &str| format!("includes:\n  - {file}\nparameters:\n  level: 8\n");
        let rules = neon("vendor/phpstan/phpstan-strict-rules/rules.neon");
        assert!(told("phpstan.neon", &rules, &neon("phpstan-baseline.neon")));
        assert!(!told("phpstan.neon", &rules, &rules.replace("level: 8", "level: 9")));
        let golangci = |rule: &str| format!("issues:\n  exclude-rules:\n{rule}");
        let narrow = "    - path: internal/\n      linters: [gosec]\n";
        assert!(told(
            ".golangci.yml",
            &golangci(""),
            &golangci("    - path: internal/\n      text: \".*\"\n")
        ));
        assert!(!told(".golangci.yml", &golangci(""), &golangci(narrow)));
    }
}
