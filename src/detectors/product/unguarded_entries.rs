//! Entries from the outside that lose what stands in front of their handler.

use crate::detectors::engine::hunks::CodeLine;
use crate::detectors::engine::line_pairs::line_pairs;
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::short;
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::quiet_removal::ROUTES;
use crate::languages::code::{identifiers, plain};
use crate::model::finding::Severity;

/// Parts of names of what lets not everybody through, in lower case.
const GUARDING: &[&str] = &[
    "auth",
    "user",
    "login",
    "admin",
    "permission",
    "guard",
    "valid",
    "limit",
    "csrf",
    "verif",
    "require",
    "ensure",
    "protect",
    "session",
    "role",
    "check",
    "token",
    "policy",
    "throttle",
];

/// The first entry whose guard is gone, with all else in its line as it was.
pub(super) fn guard_off_entry(revision: &Revision) -> Option<LostCheck> {
    line_pairs(revision.hunks()).find_map(|(gone, come)| {
        let guard = lost_guard(revision, gone, come)?;
        let what = format!("`{guard}` would not stand in front of `{}` any more", short(come.text));
        Some(LostCheck::new(gone.number, gone.text, what, Severity::High))
    })
}

fn lost_guard(revision: &Revision, gone: &CodeLine, come: &CodeLine) -> Option<String> {
    let is_entry = ROUTES.iter().any(|head| gone.text.starts_with(head) && come.text.starts_with(head));
    let path = |line: &CodeLine| line.text.split(['"', '\'']).nth(1).map(str::to_owned);
    if !is_entry || path(gone) != path(come) {
        return None;
    }
    let (old, new) = (plain(revision.words, gone.text), plain(revision.words, come.text));
    let left: Vec<&str> = identifiers(&new).collect();
    let lost: Vec<&str> = identifiers(&old).filter(|word| !left.contains(word)).collect();
    let known: Vec<&str> = identifiers(&old).collect();
    let is_guard = |word: &str| {
        let lower = word.to_lowercase();
        GUARDING.iter().any(|part| lower.contains(part))
    };
    // The handler stays, and nothing else has come.
    let is_same = left.iter().all(|word| known.contains(word)) && left.last() == known.last();
    lost.into_iter().find(|word| is_same && is_guard(word)).map(str::to_owned)
}
