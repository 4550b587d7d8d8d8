//! The commands that tox runs in its environments.

use std::collections::BTreeSet;

use crate::detectors::checks::check_command::{is_check, words};
use crate::detectors::checks::command_pairs;
use crate::detectors::checks::setting_keys::{SettingFinding, ends, place};
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
    let line = gained.first().map_or(0, |it| it.line);
    let environments: BTreeSet<&str> = old.iter().map(|it| place(it)).collect();
    environments.into_iter().find_map(|environment| {
        let (was, is) = (run_in(&old, environment), run_in(&new, environment));
        let lost: Vec<&str> = was.iter().copied().filter(|it| !is.contains(it)).collect();
        let come: Vec<&str> = is.iter().copied().filter(|it| !was.contains(it)).collect();
        let how = command_pairs::weakened(&lost, &come, false).filter(|_| !is.is_empty())?;
        // What another environment runs has moved there.
        let has_moved =
            |text: &&str| new.iter().any(|other| place(other) != environment && other.value == **text);
        (!lost.iter().any(has_moved)).then_some((how, line, Severity::High))
    })
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
