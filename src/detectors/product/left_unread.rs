//! What is declared still and read no more: an option, a field, something that is handed over.

use crate::detectors::engine::revision::Revision;
use crate::languages::code::{identifiers, plain};

/// A name shorter than this stands for many things.
const TELLING: usize = 4;

/// The first name that the gone lines read, and that the file only declares now: once, outside of every body.
pub(super) fn left_unread<'a>(revision: &Revision<'a>) -> Option<&'a str> {
    let gone = revision.hunks().iter().flat_map(|it| &it.gone);
    let names = gone.flat_map(|line| {
        identifiers(line.text).filter(|name| name.len() >= TELLING && name.starts_with(char::is_lowercase))
    });
    let mut names: Vec<&str> = names.collect();
    names.dedup();
    names.into_iter().find(|name| {
        let reads = |text: &str| {
            let lines =
                text.lines().filter(|line| identifiers(&plain(revision.words, line)).any(|it| it == *name));
            lines.count()
        };
        reads(revision.new) == 1 && reads(revision.old) > 1 && is_declared_only(revision, name)
    })
}

/// Whether the one line that has a name was there before, and declares it: a field, a parameter of a type or an option.
fn is_declared_only(revision: &Revision, name: &str) -> bool {
    let mut at = 0;
    let place = revision.new.split_inclusive('\n').find_map(|line| {
        let start = at;
        at += line.len();
        identifiers(&plain(revision.words, line)).any(|it| it == name).then_some((start, line.trim()))
    });
    let Some((start, line)) = place else { return false };
    let within = start + line.find(name).unwrap_or_default();
    let in_body = revision
        .after
        .functions
        .iter()
        .any(|it| it.body.contains(&within) && !it.name.is_empty() && it.body.start < start);
    let is_head = ["import ", "use ", "from ", "using ", "func ", "def ", "fn "]
        .iter()
        .any(|head| line.starts_with(head));
    !in_body
        && !is_head
        && line.contains([':', '$', '(', '?'])
        && revision.old.lines().any(|it| it.trim() == line)
}
