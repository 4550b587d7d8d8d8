//! The commands that tox runs in its environments.

use std::collections::BTreeSet;

use crate::detectors::checks::check_command::{is_check, words};
use crate::detectors::checks::command_pairs;
use crate::detectors::checks::narrowed_command::single_test;
use crate::detectors::checks::setting_keys::{SettingFinding, ends, list_of, place};
use crate::languages::{SettingEntry, file_name};
use crate::model::finding::Severity;

/// The commands of tox's environments: one that is weaker or gone, or whose failure is ignored by a dash before it.
pub(super) fn weakened(
    path: &str,
    before: &[SettingEntry],
    after: &[SettingEntry],
) -> Option<SettingFinding> {
    if !matches!(file_name(path), "tox.ini" | "setup.cfg" | "pyproject.toml" | "tox.toml") {
        return None;
    }
    let (old, new) = (commands(before), commands(after));
    let is_known = |it: &SettingEntry| old.iter().any(|was| place(was) == place(it) && was.value == it.value);
    let gained: Vec<&SettingEntry> = new.iter().copied().filter(|it| !is_known(it)).collect();
    if let Some(it) = gained.iter().find(|it| is_ignored(it, &old)) {
        return Some((format!("a failure of `{}` would be ignored", it.value), it.line, Severity::High));
    }
    if let Some(found) = left_out(before, after) {
        return Some(found);
    }
    let line = gained.first().map_or(0, |it| it.line);
    let environments: BTreeSet<&str> = old.iter().map(|it| place(it)).collect();
    environments.into_iter().find_map(|environment| {
        let (was, is) = (run_in(&old, environment), run_in(&new, environment));
        let lost: Vec<&str> = was.iter().copied().filter(|it| !is.contains(it)).collect();
        let come: Vec<&str> = is.iter().copied().filter(|it| !was.contains(it)).collect();
        let how = command_pairs::weakened(&lost, &come, false).map(|how| (how, Severity::High));
        let one = || Some((format!("only `{}` would be run", one_alone(&lost, &come)?), Severity::Medium));
        let (how, severity) = how.or_else(one).filter(|_| !is.is_empty())?;
        // What another environment runs has moved there.
        let has_moved =
            |text: &&str| new.iter().any(|other| place(other) != environment && other.value == **text);
        (!lost.iter().any(has_moved)).then_some((how, line, severity))
    })
}

/// The one file of tests that a command would run, where it ran more.
fn one_alone(lost: &[&str], come: &[&str]) -> Option<String> {
    let ([old], [new]) = (lost, come) else { return None };
    single_test(&words(old), &words(new))
}

/// An environment that checks, and that a run of all would leave out although it is still there.
fn left_out(before: &[SettingEntry], after: &[SettingEntry]) -> Option<SettingFinding> {
    let listed = |all: &[SettingEntry]| -> Vec<String> {
        let own = all.iter().filter(|it| matches!(list_of(it.name()), "envlist" | "env_list"));
        own.flat_map(|it| {
            it.value.split([',', ' ', '\n']).map(str::trim).map(str::to_owned).collect::<Vec<_>>()
        })
        .filter(|name| !name.is_empty())
        .collect()
    };
    let (was, is) = (listed(before), listed(after));
    let checks = commands(after);
    let gone = was
        .into_iter()
        .filter(|name| !is.contains(name))
        .find(|name| checks.iter().any(|it| place(it) == format!("testenv:{name}") && is_check(&it.value)));
    let name = gone.filter(|_| !is.is_empty())?;
    Some((format!("a run of all environments would leave out `{name}`"), 0, Severity::Medium))
}

fn commands(all: &[SettingEntry]) -> Vec<&SettingEntry> {
    let is_command = |it: &&SettingEntry| it.key.starts_with("testenv") && ends(&it.key, &["commands"]);
    all.iter().filter(is_command).filter(|it| !it.value.is_empty()).collect()
}

fn run_in<'e>(commands: &[&'e SettingEntry], environment: &str) -> Vec<&'e str> {
    commands.iter().filter(|it| place(it) == environment).map(|it| it.value.as_str()).collect()
}

/// Whether a check has a dash before it, in an environment that heeded the same program's failure.
fn is_ignored(it: &SettingEntry, old: &[&SettingEntry]) -> bool {
    let program = |command: &str| words(command.trim_start_matches(['-', ' '])).first().cloned();
    let was_heeded = |was: &&SettingEntry| {
        place(was) == place(it) && !was.value.starts_with('-') && program(&was.value) == program(&it.value)
    };
    it.value.starts_with('-') && is_check(&it.value) && old.iter().any(was_heeded)
}
