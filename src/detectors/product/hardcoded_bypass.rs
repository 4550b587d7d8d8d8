//! Product code that behaves for its tests: branches on a test run, answers for the tests' own values.
//!
//! Only a branch that leaves, in code that is no test, counts; a condition that was there before does not.

use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::short;
use crate::detectors::product::expected_files::expected_read;
use crate::detectors::product::run_marks::has_run;
use crate::detectors::product::sample_values::is_for_sample;
use crate::detectors::product::shell_work::test_asked;
use crate::detectors::{Case, Detector, Pattern, PatternProof};
use crate::languages::code::{Guard, bare, refuses};
use crate::languages::file_name;
use crate::model::finding::{Finding, RegressionType, Severity};

/// Branches on a test run.
pub(crate) static TEST_RUN: Detector = Detector {
    pattern: Pattern {
        id: "LP-015",
        name: "Hardcoded Test Bypass",
        aliases: &["Test Environment Branch"],
        regression_type: Some(RegressionType::ValidationBypass),
        severity: Severity::Critical,
        what: "Product code asks whether a test runs it, and then leaves without doing its work.",
        why: "What the tests see is not what the users get.",
        instead: "Code that does the same whoever runs it passes, and so does a value that is passed in from outside.",
        proof: PatternProof::Changes,
    },
    detect: test_run,
};

/// What a CI server sets.
const SERVERS: &[&str] = &["process.env.CI", "'CI'", "\"CI\"", "GITHUB_ACTIONS"];

/// Words in the names of functions that rightly do less where nobody looks on.
const FOR_PEOPLE: &[&str] = &[
    "interactive",
    "color",
    "colour",
    "tty",
    "spinner",
    "progress",
    "telemetry",
    "analytics",
    "notif",
    "update",
    "prompt",
    "anim",
    "banner",
    "browser",
];

/// Names of files that choose settings by environment.
const SETTINGS: &[&str] = &[
    "config",
    "settings",
    "setup",
    "env",
    "environment",
    "conf",
    "logger",
    "webpack",
    "babel",
    "jest",
    "vite",
];

pub(super) fn finding(detector: &Detector, revision: &Revision, guard: &Guard, what: String) -> Finding {
    let mut finding = detector.finding(&revision.change.path, what);
    finding.line = Some(guard.line);
    finding.confidence = 0.9;
    finding
}

pub(super) fn is_new(revision: &Revision, condition: &str) -> bool {
    let text = bare(condition);
    !revision.before.conditions.iter().any(|it| bare(it.text) == text)
}

/// A region of code that is built only where no test is: `#ifndef UNIT_TEST`, `#[cfg(not(test))]` over code that was there.
fn unbuilt(revision: &Revision) -> Option<(String, u32)> {
    let is_region = |line: &str| {
        let bare = bare(line).to_lowercase();
        let is_about_tests = bare.contains("test") && !bare.contains("canimport") && !bare.contains("death");
        bare == "#[cfg(not(test))]" || bare.starts_with("#if") && is_about_tests
    };
    let count = |text: &str| text.lines().filter(|line| is_region(line)).count();
    let middle = revision.middle();
    if revision.old.is_empty() || count(middle.after) <= count(middle.before) {
        return None;
    }
    let was_there =
        |line: &str| line.trim().len() > 3 && revision.old.lines().any(|old| old.trim() == line.trim());
    let lines: Vec<&str> = revision.new.lines().collect();
    let at = lines
        .iter()
        .position(|line| is_region(line) && !was_there(line))
        .or_else(|| lines.iter().rposition(|line| is_region(line)))?;
    let line = lines.get(at)?.trim().to_owned();
    lines.get(at + 1).is_some_and(|next| was_there(next)).then(|| (line, u32::try_from(at + 1).unwrap_or(0)))
}

fn test_run(case: &Case, findings: &mut Vec<Finding>) {
    for change in case.evidence.changes {
        findings.extend(test_asked(change).map(|(at, line)| {
            let what =
                format!("`{}` would make the script do something else where it is tested", short(&line));
            let mut found = TEST_RUN.finding(&change.path, what);
            (found.line, found.severity) = (Some(at), Severity::High);
            found
        }));
    }
    for revision in case.revisions().iter().filter(|revision| !revision.is_test) {
        findings.extend(expected_read(revision).map(|lost| lost.finding(&TEST_RUN, revision)));
        findings.extend(unbuilt(revision).map(|(line, at)| {
            let what = format!("`{line}` would make the code do something else where it is tested");
            let mut found = TEST_RUN.finding(&revision.change.path, what);
            (found.line, found.severity) = (Some(at), Severity::High);
            found
        }));
    }
    for revision in case.revisions().iter().filter(|revision| !revision.is_test) {
        let stem = file_name(&revision.change.path).split('.').next().unwrap_or_default();
        let found = revision.after.guards.iter().find_map(|guard| {
            let text = bare(guard.condition);
            let is_negated =
                guard.negated != (text.trim_start_matches('(').starts_with('!') || text.starts_with("not"));
            let in_run = has_run(&text);
            let in_server = SERVERS.iter().any(|word| text.contains(word)) && !is_for_people(revision, guard);
            let is_sample =
                !is_negated && is_answer_of_old(revision, guard) && is_for_sample(guard.condition);
            let is_sure = in_run || is_sample || (in_server && answers_for_work(revision, guard));
            ((in_run || in_server || is_sample) && !is_negated && is_new(revision, guard.condition))
                .then_some((guard, is_sure))
        });
        let Some((guard, is_sure)) = found else {
            let elsewhere = asked(revision).or_else(|| chosen(revision));
            findings.extend(elsewhere.filter(|_| !SETTINGS.contains(&stem)));
            continue;
        };
        let what = match is_for_sample(guard.condition) {
            true => format!("`{}` would answer for one sample value", guard.condition),
            false => format!("`{}` would end the code early where it is tested", guard.condition),
        };
        let mut found = finding(&TEST_RUN, revision, guard, what);
        if !is_sure || SETTINGS.contains(&stem) {
            found.severity = Severity::Medium;
        } else if revision.old.is_empty() {
            found.severity = Severity::High;
        }
        findings.push(found);
    }
}

/// A question of a function that was there whether a test runs it, which leads elsewhere without leaving at once.
fn asked(revision: &Revision) -> Option<Finding> {
    let condition = revision.after.conditions.iter().find(|it| {
        let text = bare(it.text);
        let is_old = it.owner.is_some_and(|owner| revision.predecessor(owner).is_some());
        has_run(&text)
            && is_old
            && !(it.negated || text.trim_start_matches('(').starts_with('!') || text.starts_with("not"))
            && !revision.before.conditions.iter().any(|old| has_run(&bare(old.text)))
    })?;
    let from = usize::try_from(condition.line).unwrap_or_default();
    let below = revision.new.lines().skip(from).take(5).map(str::trim_start);
    let leaves = below
        .take_while(|line| !line.starts_with('}'))
        .any(|line| line.starts_with("return") || line.contains(") return ") || line.starts_with('?'));
    // What is refused otherwise is let through.
    let function = condition.owner.and_then(|it| revision.after.functions.get(it));
    let body = function.and_then(|it| revision.new.get(it.body.clone())).unwrap_or_default();
    let is_refused = body.lines().any(|line| refuses(revision.words, line));
    // What is only told or shown in another way gives the same answers.
    if !leaves && !is_refused {
        return None;
    }
    let what = format!("`{}` would lead elsewhere where the code is tested", condition.text);
    let mut found = TEST_RUN.finding(&revision.change.path, what);
    found.line = Some(condition.line);
    found.severity = Severity::High;
    found.confidence = 0.8;
    Some(found)
}

/// A choice within a statement of a function that was there, by whether a test runs it: `inTest ? fixed : work()`.
fn chosen(revision: &Revision) -> Option<Finding> {
    let line = revision.hunks().iter().find_map(|hunk| {
        hunk.come.iter().enumerate().find_map(|(at, line)| {
            let text = bare(line.text);
            let near: String = hunk.come.iter().skip(at).take(5).map(|it| format!("{}\n", it.text)).collect();
            let is_choice = near.contains("? ") && near.contains(" : ")
                || near.contains("\n? ") && near.contains("\n: ")
                || near.contains(" if ") && near.contains(" else ")
                || near.contains("= if ") && near.contains("else");
            let is_told = !line.text.starts_with("if") && !text.contains("!=");
            (has_run(&text) && is_choice && is_told).then_some(*line)
        })
    })?;
    let new = revision.after.functions.iter().rposition(|it| it.body.contains(&line.at))?;
    revision.predecessor(new)?;
    if has_run(&bare(revision.old)) {
        return None;
    }
    let what = format!("`{}` would choose by whether a test runs it", short(line.text));
    let mut found = TEST_RUN.finding(&revision.change.path, what);
    (found.line, found.severity, found.confidence) = (Some(line.number), Severity::High, 0.85);
    Some(found)
}

/// Whether a function that was there before gives a constant here.
fn is_answer_of_old(revision: &Revision, guard: &Guard) -> bool {
    guard.gives.is_some() && guard.owner.is_some_and(|owner| revision.predecessor(owner).is_some())
}

/// Whether a function only shows something to people, and may rightly show nothing to a server.
fn is_for_people(revision: &Revision, guard: &Guard) -> bool {
    let function = guard.owner.and_then(|owner| revision.after.functions.get(owner));
    function.is_some_and(|it| FOR_PEOPLE.iter().any(|word| it.name.to_lowercase().contains(word)))
}

/// Whether a function that works a value out would give a constant instead.
fn answers_for_work(revision: &Revision, guard: &Guard) -> bool {
    let Some(function) = guard.owner.and_then(|owner| revision.after.functions.get(owner)) else {
        return false;
    };
    let body = revision.new.get(function.body.clone()).unwrap_or_default();
    let works_out = body.split("return").skip(1).any(|rest| {
        let value = rest.lines().next().unwrap_or_default().trim().trim_end_matches(';');
        value.contains('(')
    });
    guard.gives.is_some_and(|value| !matches!(bare(value).as_str(), "true" | "false" | "True" | "False"))
        && guard.first
        && works_out
}
