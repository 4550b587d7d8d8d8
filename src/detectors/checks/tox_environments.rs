//! The commands that tox runs in its environments.

use std::collections::BTreeSet;

use crate::detectors::checks::check_command::{is_check, words};
use crate::detectors::checks::command_pairs;
use crate::detectors::checks::setting_keys::Found;
use crate::languages::{Entry, file_name};
use crate::model::finding::Severity;

/// The commands of tox's environments: one that is weaker or gone, or whose failure is ignored by a dash before it.
pub(super) fn weakened(path: &str, before: &[Entry], after: &[Entry]) -> Option<Found> {
    if !matches!(file_name(path), "tox.ini" | "setup.cfg" | "pyproject.toml" | "tox.toml") {
        return None;
    }
    let listed = |all: &[Entry]| -> Vec<(String, String, u32)> {
        let is_command = |it: &&Entry| {
            it.key.starts_with("testenv") && it.key.trim_end_matches("[]").ends_with(".commands")
        };
        let own = all.iter().filter(is_command).filter(|it| !it.value.is_empty());
        own.map(|it| (it.key.trim_end_matches("[]").to_owned(), it.value.clone(), it.line)).collect()
    };
    let (old, new) = (listed(before), listed(after));
    let mut gained = new.iter().filter(|it| !old.iter().any(|was| was.0 == it.0 && was.1 == it.1));
    let is_ignored = |it: &&(String, String, u32)| it.1.starts_with('-') && is_check(&it.1);
    let was_heeded = |it: &(String, String, u32)| {
        old.iter().any(|was| {
            was.0 == it.0
                && !was.1.starts_with('-')
                && words(&was.1).first() == words(it.1.trim_start_matches(['-', ' '])).first()
        })
    };
    if let Some((_, command, line)) = gained.clone().filter(is_ignored).find(|it| was_heeded(it)) {
        return Some((format!("a failure of `{command}` would be ignored"), *line, Severity::High));
    }
    let line = gained.next().map_or(0, |it| it.2);
    let of = |all: &[(String, String, u32)], section: &str| -> Vec<String> {
        all.iter().filter(|it| it.0 == section).map(|it| it.1.clone()).collect()
    };
    let sections: BTreeSet<&str> = old.iter().map(|it| it.0.as_str()).collect();
    sections.into_iter().find_map(|section| {
        let (was, is) = (of(&old, section), of(&new, section));
        let lost: Vec<&str> = was.iter().filter(|it| !is.contains(it)).map(String::as_str).collect();
        let come: Vec<&str> = is.iter().filter(|it| !was.contains(it)).map(String::as_str).collect();
        let how = command_pairs::weakened(&lost, &come, false).filter(|_| !is.is_empty())?;
        // What another environment runs has moved there.
        let is_moved =
            lost.iter().any(|it| new.iter().any(|(other, text, _)| other != section && text == it));
        (!is_moved).then_some((how, line, Severity::High))
    })
}
