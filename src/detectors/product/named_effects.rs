//! Functions that are named for an effect and do not have it any more: `evict_idle` that removes nothing.
//!
//! The name is what the rest of the project goes by. A call of something new may have the effect under another name.

use crate::detectors::Case;
use crate::detectors::engine::hunks::CodeLine;
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::short;
use crate::detectors::product::does_less::is_neutral;
use crate::detectors::product::functions::{called_in, is_part_of_more};
use crate::detectors::product::handed_work::is_handed_on;
use crate::detectors::product::lasting_effects::is_lasting;
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::refusals::has_tests_of;
use crate::languages::code::{identifiers, is_log};
use crate::model::finding::Severity;
use crate::model::words::is_name_part;

/// Verbs of effects besides those of calls that outlive the call, in lower case.
const VERBS: &[&str] = &[
    "prune", "clean", "cleanup", "clear", "close", "cancel", "reset", "move", "rename", "apply", "ship",
    "migrate", "backup", "restore", "merge", "retry", "rotate", "drain", "stop", "start", "ban", "block",
    "lock", "unlock",
];
/// A verb shorter than this stands for many things.
const TELLING: usize = 4;

/// The first function that has lost the effect of its name.
pub(super) fn named_effect_lost(case: &Case, revision: &Revision) -> Option<LostCheck> {
    if revision.after.broken || !revision.added.is_empty() {
        return None;
    }
    let (line, name, call) = revision.working().find_map(|(_, _, before, after)| {
        let verb = first_word(before.name);
        let is_effect = is_lasting(before.name) || VERBS.contains(&verb.as_str());
        if before.name != after.name || !is_effect || verb.len() < TELLING {
            return None;
        }
        let (was, is) = (revision.old.get(before.body.clone())?, revision.new.get(after.body.clone())?);
        let has_effect = |call: &&str| is_lasting(call) || first_word(call) == verb;
        let lost = called_in(was).into_iter().find(has_effect)?;
        let come: Vec<&CodeLine> = revision.hunks().iter().flat_map(|it| &it.come).collect();
        let is_there = called_in(is).iter().any(has_effect) || come.iter().any(|it| works(was, it.text));
        let is_later = || is_handed_on(revision.hunks(), lost);
        (!is_there && was != is && !is_later()).then(|| (before.line, before.name, lost.to_owned()))
    })?;
    if has_tests_of(case, name) || is_part_of_more(case, revision) {
        return None;
    }
    let what =
        format!("`{name}` would not do what its name says any more: `{}` would not be called", short(&call));
    Some(LostCheck::new(line, name, what, Severity::High))
}

/// Whether a new line may have the effect another way: it calls what was not called, or gives something a value.
fn works(was: &str, line: &str) -> bool {
    if is_log(line) {
        return false;
    }
    if ["del ", "delete ", "unset("].iter().any(|head| line.starts_with(head)) {
        return true;
    }
    let known = |name: &&str| is_neutral(name) || identifiers(was).any(|word| word == *name);
    let assigns = line.split_once('=').is_some_and(|(left, right)| {
        !right.starts_with(['=', '>', '~'])
            && left.contains(['.', '[', '@', '>'])
            && !left.ends_with(['=', '!', '<', '>'])
    });
    let is_block = |name: &str| line.contains(&format!("{name} {{")) && !is_neutral(name);
    assigns
        || !called_in(line).iter().all(known)
        || identifiers(line).any(|word| is_block(word) && !identifiers(was).any(|it| it == word))
}

/// The first word of a name, in lower case: `release` of `ReleaseExpiredAsync`.
fn first_word(name: &str) -> String {
    let name = name.trim_start_matches(['_', '#']);
    let mut rest = name.char_indices().skip(1);
    let end = rest
        .find(|(_, c)| c.is_uppercase() || !is_name_part(*c) || *c == '_')
        .map_or(name.len(), |(at, _)| at);
    name.get(..end).unwrap_or(name).to_lowercase()
}
