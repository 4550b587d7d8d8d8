//! Conditions in a CI server's configuration: under which a step or a job runs, may fail, and is waited for.

use crate::detectors::checks::ci_steps::{checks, was_there};
use crate::detectors::checks::setting_keys::{has, place};
use crate::detectors::checks::source_globs::{GlobReach, reach};
use crate::languages::SettingEntry;

/// Keys that let a step or a job fail without consequence.
const LENIENT: &[&str] = &["continue-on-error", "allow_failure", "continueOnError", "ignore-errors"];
/// What a condition asks of that a change has nothing to do with: where it is met rarely, a check runs rarely.
const ELSEWHERE: &[&str] = &[
    "github.ref",
    "github.base_ref",
    "github.head_ref",
    "github.run_number",
    "github.event.label",
    "github.event.head_commit",
    "github.event.commits",
    "github.event.inputs",
    "commit_message",
    "'schedule'",
    "'workflow_dispatch'",
    "'release'",
    "\"schedule\"",
    "vars.",
    "env.",
    "inputs.",
    "secrets.",
    "failure()",
    "variables[",
    "$run_",
    "$ci_commit_tag",
    "$ci_commit_branch",
    "$ci_commit_message",
    "build.sourcebranch",
    "pipeline.parameters",
];
/// Jobs that bring something to its users, or stand for all others, by parts of their names.
const LAST: &[&str] =
    &["deploy", "publish", "release", "ship", "gate", "required", "green", "status", "merge", "promote"];

pub(super) fn lenient(before: &[SettingEntry], after: &[SettingEntry]) -> Option<(String, u32)> {
    let is_lenient = |entry: &&SettingEntry| LENIENT.contains(&entry.name()) && is_yes(&entry.value);
    let count = |all: &[SettingEntry]| all.iter().filter(is_lenient).count();
    if count(after) <= count(before) {
        return None;
    }
    let mut new = after.iter().filter(is_lenient).filter(|it| !has(before, it));
    let found = new.find(|it| checks(after, place(it)) && was_there(before, after, place(it)))?;
    Some((format!("`{}: true` would let a check fail unseen", found.name()), found.line))
}

pub(super) fn never(before: &[SettingEntry], after: &[SettingEntry]) -> Option<(String, u32)> {
    let is_never = |entry: &&SettingEntry| {
        let value = entry.value.trim_start_matches("${{").trim_end_matches("}}").trim();
        (entry.name() == "if" && value == "false")
            || (entry.name() == "when" && matches!(value, "never" | "manual"))
    };
    let count = |all: &[SettingEntry]| all.iter().filter(is_never).count();
    if count(after) <= count(before) {
        return None;
    }
    let mut new = after.iter().filter(is_never).filter(|it| !has(before, it));
    let found = new.find(|it| was_there(before, after, place(it)))?;
    Some((format!("`{}: {}` would keep a step or a job from running", found.name(), found.value), found.line))
}

/// A condition that no run meets: it asks for an event that starts nothing here, or for the opposite of what it asked.
pub(super) fn impossible(before: &[SettingEntry], after: &[SettingEntry]) -> Option<(String, u32)> {
    let mut new = after.iter().filter(|it| it.name() == "if" && !has(before, it));
    let found = new.find(|it| {
        let old = before.iter().find(|old| old.key == it.key);
        let is_turned = old.is_some_and(|old| is_opposite(&old.value, &it.value));
        let place = place(it);
        (is_turned || asks_other_event(after, &it.value))
            && checks(after, place)
            && was_there(before, after, place)
    })?;
    Some((format!("a check would run only where `{}`", found.value), found.line))
}

/// Whether a condition has a part of another turned around: `draft == true` for `draft == false`.
fn is_opposite(old: &str, new: &str) -> bool {
    let parts = |text: &str| text.split("&&").map(|it| it.trim().to_owned()).collect::<Vec<_>>();
    let turned = |part: &str| match part.split_once(" == ") {
        Some((left, "false")) => Some(format!("{left} == true")),
        Some((left, "true")) => Some(format!("{left} == false")),
        _ => None,
    };
    parts(old).iter().filter_map(|part| turned(part)).any(|part| parts(new).contains(&part))
}

/// Whether a condition asks for an event of which the workflow says nothing.
fn asks_other_event(all: &[SettingEntry], condition: &str) -> bool {
    if condition.contains("||") || all.iter().any(|it| it.key.starts_with("on.workflow_call")) {
        return false;
    }
    let mut asked =
        condition.split("github.event_name == '").skip(1).filter_map(|rest| rest.split('\'').next());
    let is_known = |event: &str| {
        all.iter().any(|it| {
            let is_on = it.key == "on" || it.key.starts_with("on[") || it.key.starts_with("on.");
            is_on
                && (it.value == event
                    || it.key == format!("on.{event}")
                    || it.key.starts_with(&format!("on.{event}.")))
        })
    };
    let has_events =
        all.iter().any(|it| it.key == "on" || it.key.starts_with("on.") || it.key.starts_with("on["));
    has_events && asked.any(|event| !is_known(event))
}

/// Whether a value says yes, whatever the run: what depends on a job's own matrix may be meant for one part of it.
fn is_yes(value: &str) -> bool {
    let bare = value.trim_start_matches("${{").trim_end_matches("}}").trim();
    bare == "true" || value.starts_with("${{") && bare != "false" && !bare.contains("matrix.")
}

/// A check that would run under a new condition which a change rarely meets.
pub(super) fn restricted(before: &[SettingEntry], after: &[SettingEntry]) -> Option<(String, u32)> {
    let conditions = |all: &[SettingEntry]| all.iter().filter(|it| is_condition(it)).count();
    if conditions(after) <= conditions(before) {
        return None;
    }
    let is_new = |it: &&SettingEntry| !has(before, it);
    let mut new = after.iter().filter(|it| is_condition(it)).filter(is_new);
    let found = new.find(|it| {
        let place = job_place(it);
        // Another of a job's rules may let it run for each change.
        let of_job = after.iter().filter(|other| is_condition(other) && job_place(other) == place);
        is_rare(&it.value)
            && !of_job.into_iter().any(|other| other.value.contains("merge_request"))
            && checks(after, place)
            && was_there(before, after, place)
    })?;
    Some((format!("a check would run only where `{}`", found.value), found.line))
}

fn is_condition(entry: &SettingEntry) -> bool {
    let name = entry.name();
    name == "if" || name == "condition" || entry.key.contains(".only[") || name == "only"
}

/// The job or the step that a condition is about.
fn job_place(entry: &SettingEntry) -> &str {
    let key = ["rules[", "only"].iter().find_map(|part| {
        let at = entry.key.rfind(&format!(".{part}"))?;
        entry.key.get(..at)
    });
    key.unwrap_or_else(|| place(entry))
}

fn is_rare(condition: &str) -> bool {
    let lower = condition.to_lowercase();
    // Not for one robot, or not in a fork: everybody else is checked.
    let parts = lower.split("&&").filter(|part| !part.contains("!=") || part.contains("github.ref"));
    let mut parts = parts.filter(|part| !part.contains("||") || !part.contains("pull_request"));
    matches!(lower.trim(), "schedules" | "tags" | "web" | "triggers")
        || parts.any(|part| ELSEWHERE.iter().any(|word| part.contains(word)))
}

/// A job that brings the work to its users and waits no longer for one that checks.
pub(super) fn unneeded(before: &[SettingEntry], after: &[SettingEntry]) -> Option<(String, u32)> {
    let needs = |all: &[SettingEntry], job: &str| -> Vec<String> {
        let key = format!("{job}.needs");
        all.iter()
            .filter(|it| {
                it.key == key || it.key == format!("{key}[]") || it.key.starts_with(&format!("{key}["))
            })
            .map(|it| it.value.clone())
            .collect()
    };
    let reached = |job: &str| {
        let (mut seen, mut open) = (Vec::new(), vec![job.to_owned()]);
        while let Some(next) = open.pop().filter(|_| seen.len() < 200) {
            for need in needs(after, &next) {
                let full = next.rsplit_once('.').map_or(need.clone(), |(jobs, _)| format!("{jobs}.{need}"));
                if !seen.contains(&full) {
                    seen.push(full.clone());
                    open.push(full);
                }
            }
        }
        seen
    };
    let listed = before.iter().filter_map(|it| Some((it, it.key.split_once(".needs")?.0)));
    listed.into_iter().find_map(|(entry, job)| {
        let name = job.rsplit('.').next().unwrap_or(job).to_lowercase();
        let other =
            job.rsplit_once('.').map_or(entry.value.clone(), |(jobs, _)| format!("{jobs}.{}", entry.value));
        let is_last = LAST.iter().any(|word| name.contains(word));
        let is_there = |place: &str| after.iter().any(|it| it.key.starts_with(&format!("{place}.")));
        let is_lost = is_last && is_there(job) && is_there(&other) && !reached(job).contains(&other);
        (is_lost && checks(before, &format!("{other}.")))
            .then(|| (format!("`{name}` would not wait for the checks of `{}`", entry.value), entry.line))
    })
}

/// Paths for which nothing would be checked any more, though they are the sources.
pub(super) fn unwatched(before: &[SettingEntry], after: &[SettingEntry]) -> Option<(String, u32)> {
    let listed = |all: &'_ [SettingEntry], name: &str| -> Vec<SettingEntry> {
        all.iter().filter(|it| it.key.starts_with("on.") && it.name() == name).cloned().collect()
    };
    let was = listed(before, "paths-ignore");
    let ignored = listed(after, "paths-ignore")
        .into_iter()
        .find(|it| !was.iter().any(|old| old.value == it.value) && reach(&it.value) == GlobReach::Sources);
    if let Some(new) = ignored {
        return Some((format!("a change of `{}` would start no check", new.value), new.line));
    }
    let (was, is) = (listed(before, "paths"), listed(after, "paths"));
    let has_sources = |all: &[SettingEntry]| all.iter().any(|it| reach(&it.value) != GlobReach::Others);
    let first = is.first()?;
    (!has_sources(&is) && (was.is_empty() || has_sources(&was)))
        .then(|| ("a change of the sources would start no check".to_owned(), first.line))
}
