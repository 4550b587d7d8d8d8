//! Lists of what has to be there, or of what is refused, that get shorter while what they name is still in the file.

use crate::detectors::Case;
use crate::detectors::engine::code_lines::{QUOTES, quoted};
use crate::detectors::engine::hunks::{CodeLine, TextHunk};
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::short;
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::refusals::has_tests_of;
use crate::languages::code::identifiers;
use crate::model::finding::Severity;

/// What names of such lists have, in lower case and without `_`.
const NAMES: &[&str] = &[
    "require",
    "mandatory",
    "forbid",
    "block",
    "denied",
    "deny",
    "banned",
    "reserved",
    "protected",
    "sensitive",
    "dangerous",
    "disallow",
    "rejected",
    "blacklist",
    "embargo",
    "sanction",
    "redact",
    "prohibited",
    "restricted",
    "masked",
];
/// So many lines above an item its list may begin.
const ABOVE: usize = 16;

/// The first such list that has lost an item.
pub(super) fn shortened(case: &Case, revision: &Revision) -> Option<LostCheck> {
    revision.hunks().iter().find_map(|hunk| {
        let line = hunk.gone.iter().find(|it| !texts(it.text).is_empty())?;
        let name = list_name(revision, line)?;
        let (old, new) = (all(&hunk.gone), all(&hunk.come));
        let lost = old.iter().find(|it| !new.contains(it))?;
        let is_shorter = new.len() < old.len() && new.iter().all(|it| old.contains(it)) && is_list_only(hunk);
        // It moved to another list of the file, or is gone from it as a whole.
        let count = |text: &str| texts(text).iter().filter(|it| *it == lost).count();
        let (before, after) = (count(revision.old), count(revision.new));
        // A list that goes as a whole takes its check along: who asked for it is judged by that.
        let stays = !new.is_empty() || identifiers(revision.new).any(|it| it == name);
        if !is_shorter || !stays || after >= before || has_tests_of(case, name) {
            return None;
        }
        let is_named_still = after > 0 || identifiers(revision.new).any(|it| it == *lost);
        // A field that is gone altogether need not be there.
        let lower = name.to_lowercase();
        if !is_named_still && (lower.contains("requir") || lower.contains("mandat")) {
            return None;
        }
        let what = format!("`{lost}` would be gone from `{name}`: {}", short(line.text));
        let severity = if is_named_still { Severity::High } else { Severity::Medium };
        Some(LostCheck::new(line.number, name, what, severity))
    })
}

/// Whether all that comes is a part of a list.
fn is_list_only(hunk: &TextHunk) -> bool {
    hunk.come.len() <= hunk.gone.len() && hunk.gone.len() <= 12
}

/// The name of the list that a line stands in, where it says that something must or may not be.
fn list_name<'a>(revision: &Revision<'a>, line: &CodeLine<'a>) -> Option<&'a str> {
    let at = usize::try_from(line.number).ok()?;
    let above: Vec<&str> = revision.old.lines().take(at).collect();
    let opens = |it: &str| it.contains(['[', '(', '{', '~', '%']);
    let (left, rest) = above.iter().rev().take(ABOVE).find_map(|it| {
        let parts = it
            .split_once('=')
            .or_else(|| it.trim_start().strip_prefix('@').and_then(|it| it.split_once(' ')));
        parts.filter(|(_, rest)| opens(rest) && !rest.starts_with(['=', '>']))
    })?;
    let is_open = rest.contains(line.text.trim_end_matches(';'))
        || line.text.contains(rest.trim_end_matches(';'))
        || rest.trim_end().ends_with(['[', '(', '{']);
    // `fields: Set<Name> = [` has its type behind the name.
    let name = identifiers(left.split(':').next().unwrap_or(left)).last()?;
    let lower = name.replace('_', "").to_lowercase();
    (is_open && !left.contains('(') && NAMES.iter().any(|it| lower.contains(it))).then_some(name)
}

fn all<'a>(lines: &[CodeLine<'a>]) -> Vec<&'a str> {
    lines.iter().flat_map(|it| texts(it.text)).collect()
}

/// What stands in quotes in a text, and the symbols of it.
fn texts(text: &str) -> Vec<&str> {
    let quoted = text.lines().flat_map(|line| quoted(line, QUOTES));
    let symbols = text.split([' ', '[', ',', '(']).filter_map(|it| it.strip_prefix(':'));
    let symbols = symbols.map(|it| it.trim_end_matches([']', ',', ')']));
    quoted.chain(symbols).filter(|it| it.len() > 1 && !it.contains(' ')).collect()
}
