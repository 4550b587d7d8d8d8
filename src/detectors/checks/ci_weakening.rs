//! Checks of the CI server: steps that are gone, can't fail, are never run, or check less.
//!
//! Steps are compared by their commands, so that a step may move, get a new name or another runner.

use std::collections::BTreeSet;

use crate::detectors::checks::both_settings::both;
use crate::detectors::checks::check_command::{is_check, is_nothing};
use crate::detectors::checks::ci_conditions::{impossible, lenient, never, restricted, unneeded, unwatched};
use crate::detectors::checks::ci_steps::{commands, is_workflow};
use crate::detectors::checks::command_pairs::{STRICT_BUILDS, piped};
use crate::detectors::checks::moved_gates::without_moved;
use crate::detectors::checks::successors::takes_over;
use crate::detectors::checks::weaker_command::{skips, weaker};
use crate::detectors::{Case, Detector, Pattern, PatternProof};
use crate::languages::{SettingEntry, settings};
use crate::model::counted;
use crate::model::finding::{Change, Finding, RegressionType, Severity};

/// A workflow weakened.
pub(crate) static WEAKENED: Detector = Detector {
    pattern: Pattern {
        id: "LP-R002",
        name: "CI Weakening",
        aliases: &["Workflow Weakening"],
        regression_type: Some(RegressionType::TestSkipping),
        severity: Severity::High,
        what: "A check that the CI server runs is gone, can't fail any more, is never run, or checks less.",
        why: "What the server doesn't check reaches the users unchecked.",
        instead: "A step that moves to another job or workflow first, or does the same another way, passes.",
        proof: PatternProof::Changes,
    },
    detect,
};

/// Events without which a change isn't checked before it is merged.
const TRIGGERS: &[&str] = &["pull_request", "merge_group", "pr"];
fn detect(case: &Case, findings: &mut Vec<Finding>) {
    for change in case
        .evidence
        .changes
        .iter()
        .filter(|change| is_workflow(&change.path) && change.before != change.after)
    {
        if change.after.as_deref().is_none_or(|after| after.trim().is_empty()) {
            findings.extend(gone(case, change));
            continue;
        }
        let change = &*without_moved(case, change);
        let Some((before, after)) = both(change) else { continue };
        let found = lenient(&before, &after)
            .or_else(|| never(&before, &after))
            .or_else(|| restricted(&before, &after))
            .or_else(|| impossible(&before, &after))
            .or_else(|| unneeded(&before, &after))
            .or_else(|| steps(case, change, &before, &after))
            .or_else(|| triggers(&before, &after))
            .or_else(|| unwatched(&before, &after))
            .or_else(|| flags(&before, &after));
        findings.extend(found.map(|(what, line)| {
            let mut finding = WEAKENED.finding(&change.path, what);
            finding.line = Some(line).filter(|line| *line > 0);
            finding.confidence = 0.9;
            finding
        }));
    }
}

/// A workflow that is deleted, or stays under a name that no server reads.
fn gone(case: &Case, change: &Change) -> Option<Finding> {
    let before = settings(&change.path, change.before.as_deref()?)?;
    let (text, line) = commands(&before).into_iter().find(|(text, _)| is_check(text))?;
    // Another server, or another workflow, that checks takes its place.
    let others = case.all_changes().filter(|other| other.path != change.path && is_workflow(&other.path));
    let is_elsewhere = others
        .filter_map(|other| settings(&other.path, other.after.as_deref()?))
        .any(|all| commands(&all).iter().any(|(text, _)| is_check(text)));
    if is_elsewhere {
        return None;
    }
    let mut finding =
        WEAKENED.finding(&change.path, format!("the workflow that runs `{text}` would be gone"));
    finding.line = Some(line).filter(|line| *line > 0);
    finding.confidence = 0.8;
    // What an older service's file says may be read by nobody any more.
    if !change.path.contains(".github/workflows/") {
        finding.severity = Severity::Medium;
    }
    Some(finding)
}

/// What of `all` is not in `known`, as often as it is there.
fn beyond<'c>(all: &'c [(String, u32)], known: &[(String, u32)]) -> Vec<&'c (String, u32)> {
    counted::beyond(all, known.iter().map(|(text, _)| text.as_str()), |(text, _)| text.as_str())
}

/// Commands that are gone or weaker.
fn steps(
    case: &Case,
    change: &Change,
    before: &[SettingEntry],
    after: &[SettingEntry],
) -> Option<(String, u32)> {
    let (old, new) = (commands(before), commands(after));
    let (lost, gained) = (beyond(&old, &new), beyond(&new, &old));
    if lost.len() == gained.len() {
        let mut pairs = lost.iter().zip(&gained);
        return pairs.find_map(|((was, _), (is, line))| Some((weaker_step(was, is, after)?, *line)));
    }
    if let Some(found) = unfailing(&lost, &gained) {
        return Some(found);
    }
    let (text, line) = lost.iter().find(|(text, _)| is_check(text) || compares_files(text))?;
    let others = case.all_changes().filter(|other| other.path != change.path);
    let is_elsewhere =
        others.filter_map(|other| other.after.as_deref()).any(|other| other.contains(text.as_str()));
    // Another check of the same kind stays: one of several platforms went.
    let start = |text: &str| text.split_whitespace().take(3).map(str::to_owned).collect::<Vec<_>>();
    let is_long = text.split_whitespace().count() > 5 && (lost.len() > 1 || !gained.is_empty());
    let is_kept = is_long && new.iter().any(|(other, _)| is_check(other) && start(other) == start(text));
    // A long step of a job that stays.
    let is_one_step =
        gained.is_empty() && lost.iter().all(|(_, at)| at == line) && jobs(before) == jobs(after);
    // A workflow that is rewritten is not judged by single steps.
    let is_added =
        |new: &&SettingEntry| !before.iter().any(|old| old.name() == new.name() && old.value == new.value);
    if (is_kept || lost.len() > 6) && !is_one_step || after.iter().filter(is_added).count() > 3 {
        return None;
    }
    let is_done = |old: &str| gained.iter().any(|(new, _)| takes_over(old, new));
    let is_replaced = gained.iter().any(|(text, _)| is_check(text))
        || is_check(text) && lost.iter().filter(|(old, _)| is_check(old)).all(|(old, _)| is_done(old))
        || after.iter().any(|it| it.name() == "uses" && !before.iter().any(|old| old.value == it.value));
    (!is_elsewhere && !is_replaced && gained.len() < lost.len())
        .then(|| (format!("the check `{text}` would be gone"), *line))
}

/// The names of a workflow's jobs.
fn jobs(all: &[SettingEntry]) -> BTreeSet<&str> {
    let names = all.iter().filter_map(|it| it.key.strip_prefix("jobs."));
    names.map(|key| key.split('.').next().unwrap_or(key)).collect()
}

/// How the command in the place of another checks less, in the words of the finding.
fn weaker_step(was: &str, is: &str, after: &[SettingEntry]) -> Option<String> {
    if is_check(was)
        && let Some(how) = weaker(was, is)
    {
        return Some(format!("the check `{was}` {how}"));
    }
    if compares_files(was) && !compares_files(is) && is.contains("git ") {
        return Some(format!("`{was}` would not fail any more where files differ"));
    }
    if let Some(program) = piped(was, is, has_pipefail(after)) {
        return Some(format!("`{was}` would end as `{program}` does, behind a pipe"));
    }
    if (is_check(was) && is_built_only(was, is)) || is_task_built_only(was, is) {
        return Some(format!("`{was}` would not be run any more, and `{is}` in its place"));
    }
    if was.contains("needs.") && was.contains("success") && is_nothing(is) {
        return Some(format!("`{was}` would not wait for a success any more"));
    }
    if let Some(flag) = skips(was, is) {
        return Some(format!("`{was}` would leave tests out (`{flag}`)"));
    }
    let says = |text: &str| ["skip", "disabl", "no test"].iter().any(|it| text.to_lowercase().contains(it));
    if is_nothing(is) && !is_nothing(was) && says(is) {
        return Some(format!("`{was}` would only say `{is}`"));
    }
    let is_looser = STRICT_BUILDS.iter().any(|flag| was.contains(flag) && !is.contains(flag));
    is_looser.then(|| format!("`{was}` would be less strict"))
}

/// Whether a command fails where the files differ from what is committed: what a step before it has written anew.
fn compares_files(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_diff = words.windows(2).any(|pair| pair[0] == "git" && pair[1].starts_with("diff"));
    let fails = words.iter().any(|it| matches!(*it, "--exit-code" | "--quiet"));
    let is_status =
        text.contains("git status --porcelain") && (text.contains("-z ") || text.contains("grep"));
    is_diff && fails || is_status
}

/// Whether a run of tests became a command that only builds, or asks for a version.
fn is_built_only(was: &str, is: &str) -> bool {
    const TESTS: &[&str] =
        &["test", "pytest", "rspec", "jest", "vitest", "phpunit", "ctest", "tests", "tox", "mocha"];
    const BUILDS: &[&str] =
        &["compileall", "py_compile", "build", "assemble", "compile", "--version", "--help", "classes"];
    let has = |text: &str, names: &[&str]| {
        text.split(|c: char| c.is_whitespace() || matches!(c, ':' | '/')).any(|word| names.contains(&word))
    };
    has(was, TESTS) && !has(is, TESTS) && has(is, BUILDS) && !is_check(is)
}

/// Whether a task of the project that checks became one of the same program that only builds: `mix check`, `mix compile`.
fn is_task_built_only(was: &str, is: &str) -> bool {
    const PROGRAMS: &[&str] = &[
        "mix",
        "gradle",
        "./gradlew",
        "mvn",
        "./mvnw",
        "make",
        "just",
        "task",
        "rake",
        "npm",
        "pnpm",
        "yarn",
        "composer",
        "sbt",
    ];
    const CHECKS: &[&str] = &["check", "verify", "ci", "checks", "validate"];
    const BUILDS: &[&str] = &["compile", "build", "assemble", "classes"];
    let is_word = |word: &&str| !word.contains('=') && *word != "run";
    let [old, new] = [was, is].map(|text| text.split_whitespace().filter(is_word).collect::<Vec<_>>());
    let ([program, check], [other, build]) = (old.as_slice(), new.as_slice()) else { return false };
    program == other && PROGRAMS.contains(program) && CHECKS.contains(check) && BUILDS.contains(build)
}

/// A check that could not fail any more, among others that went or came.
fn unfailing(lost: &[&(String, u32)], gained: &[&(String, u32)]) -> Option<(String, u32)> {
    let program = |text: &str| text.split_whitespace().next().map(str::to_owned);
    gained.iter().find_map(|(is, line)| {
        let mut olds = lost.iter().filter(|(was, _)| is_check(was) && program(was) == program(is));
        let (was, how) = olds.find_map(|(was, _)| {
            Some((was, weaker(was, is).filter(|how| how.starts_with("could not fail"))?))
        })?;
        Some((format!("the check `{was}` {how}"), *line))
    })
}

/// Whether the shell of every step fails with any part of a pipe: what GitHub's plain `bash` is started with.
fn has_pipefail(entries: &[SettingEntry]) -> bool {
    entries.iter().any(|it| it.value.contains("pipefail"))
        || entries.iter().filter(|it| it.name() == "shell").any(|it| it.value == "bash")
            && !entries.iter().any(|it| it.name() == "shell" && it.value.contains("{0}"))
}

fn triggers(before: &[SettingEntry], after: &[SettingEntry]) -> Option<(String, u32)> {
    let has = |all: &[SettingEntry], event: &str| {
        all.iter().any(|it| {
            it.key == format!("on.{event}")
                || it.key.starts_with(&format!("on.{event}."))
                || it.key == event
                || ((it.key.starts_with("on[") || it.key == "on") && it.value == event)
        })
    };
    // A workflow that only compares or formats what was pushed checks as well.
    let compares =
        |text: &str| ["--exit-code", "clang-format", "format", "lint"].iter().any(|it| text.contains(it));
    let analyses = |entry: &SettingEntry| {
        entry.name() == "uses"
            && ["codeql", "format", "lint", "pre-commit"].iter().any(|it| entry.value.contains(it))
    };
    let checks = commands(before).iter().any(|(text, _)| is_check(text) || compares(text))
        || before.iter().any(analyses);
    // Without any event of a change the checks wait for somebody to start them.
    let of_changes = |all: &[SettingEntry]| {
        [TRIGGERS, &["push", "schedule", "workflow_call"]].concat().iter().any(|it| has(all, it))
    };
    let pushed = || (has(before, "push") && !of_changes(after)).then_some(&"push");
    let is_lost = |event: &&&str| has(before, event) && !has(after, event);
    let lost = TRIGGERS.iter().find(is_lost).or_else(pushed)?;
    let is_replaced = TRIGGERS.iter().any(|event| has(after, event) && !has(before, event));
    (checks && !is_replaced).then(|| (format!("`{lost}` would not start the checks any more"), 0))
}

/// Flags in the environment that make a check strict.
fn flags(before: &[SettingEntry], after: &[SettingEntry]) -> Option<(String, u32)> {
    let strict = |entry: &&SettingEntry| {
        entry.name().ends_with("FLAGS") && (entry.value.contains("-D") || entry.value.contains("-Werror"))
    };
    before.iter().filter(strict).find_map(|old| {
        let new = after.iter().find(|it| it.key == old.key);
        let is_lost = new.is_some_and(|it| !it.value.contains("-D") && !it.value.contains("-Werror"));
        is_lost.then(|| (format!("`{}` would no longer be `{}`", old.name(), old.value), old.line))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const CI: &str = "on:\n  push:\n  pull_request:\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n      - run: npm ci\n      - name: Test\n        run: npm test\n      - name: Upload report\n        uses: actions/upload-artifact@v4\n";

    #[test]
    fn workflows_are_known_by_their_place() {
        assert!(is_workflow(".github/workflows/a.yml") && is_workflow("x/.gitlab-ci.yml"));
        assert!(!is_workflow("docs/ci.yml") && !is_workflow(".github/workflows/README.md"));
        assert!(!commands(&crate::languages::settings("a.yml", CI).unwrap()).is_empty());
    }
}
