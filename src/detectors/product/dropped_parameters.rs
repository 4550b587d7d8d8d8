//! Options of functions that go from their heads together with what they did.

use std::collections::BTreeSet;

use crate::detectors::Case;
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::functions::{is_part_of_more, is_written_down};
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::parameters::{body_code, head_of, names, parameters, taken_apart};
use crate::detectors::product::refusals::has_tests_of;
use crate::languages::code::{bare, identifiers, is_log};
use crate::model::finding::Severity;

/// More lines than these, gone and new, are a rewrite.
const REWRITE: usize = 40;

/// The first function that has fewer options than before, of those that its body went by.
pub(super) fn parameter_dropped(case: &Case, revision: &Revision) -> Option<LostCheck> {
    let size: usize = revision.hunks().iter().map(|it| it.gone.len() + it.come.len()).sum();
    // What comes with names of its own may do the same in another way.
    if size > REWRITE || has_new_names(revision) || revision.after.broken || is_part_of_more(case, revision) {
        return None;
    }
    revision.working().find_map(|(_, _, before, after)| {
        if before.name != after.name || before.name.is_empty() || has_tests_of(case, before.name) {
            return None;
        }
        let all =
            |text, function| [parameters(revision, text, function), taken_apart(text, function)].concat();
        let (was, is) = (all(revision.old, before), all(revision.new, after));
        let options = taken_apart(revision.old, before);
        let head = head_of(revision.old, before);
        let code = body_code(revision, revision.old, before);
        let is_used = |name: &str| code.lines().any(|line| names(line, name) && !is_log(line));
        let is_lost = |name: &&&str| {
            !is.contains(*name)
                && name.len() > 2
                && (is_optional(head, name) || options.contains(*name))
                && is_used(name)
                && !identifiers(revision.new).any(|it| it == **name)
        };
        // One with another name in its place is the same.
        let lost = was
            .iter()
            .find(is_lost)
            .filter(|_| is.len() < was.len() && is.iter().all(|it| was.contains(it)))
            .filter(|lost| !is_written_down(case, lost))?;
        let what = format!("`{}` would have no `{lost}` any more", before.name);
        Some(LostCheck::new(before.line, before.name, what, Severity::Medium))
    })
}

/// Whether a name comes that the text before has not. Most come from the lines in whose place they stand.
fn has_new_names(revision: &Revision) -> bool {
    let come = revision.hunks().iter().flat_map(|it| &it.come);
    let mut names: BTreeSet<&str> = come.flat_map(|line| identifiers(line.text)).collect();
    let mut known = identifiers(revision.middle().before).chain(identifiers(revision.old));
    while !names.is_empty() {
        let Some(word) = known.next() else { return true };
        names.remove(word);
    }
    false
}

/// Whether a parameter has a value of its own where nothing is given: `limit=20`, `limit: int = 20`, `limit?: number`.
fn is_optional(head: &str, name: &str) -> bool {
    let parts = head.split([',', '(']);
    parts.into_iter().filter(|part| names(part, name)).any(|part| {
        let part = bare(part);
        part.contains('=') || part.contains(&format!("{name}?")) || part.contains("Option<")
    })
}
