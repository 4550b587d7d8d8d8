//! What is declared still and read no more: an option, a field, something that is handed over.

use crate::detectors::engine::revision::Revision;
use crate::languages::code::{identifiers, plain};
use crate::model::words::is_name_part;

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
        let is_alone = reads(revision.new) == 1 && reads(revision.old) > 1;
        is_alone && is_declared_only(revision, name) || is_only_kept(revision, name)
    })
}

/// Whether a field that was read is only given its value now: `this.timeout = options.timeout ?? 500`.
fn is_only_kept(revision: &Revision, name: &str) -> bool {
    const HOLDERS: &[&str] = &["this.", "self.", "@", "$this->", "self::", "_", "m_"];
    let held = |line: &str| {
        let left =
            line.split_once('=').filter(|(_, rest)| !rest.starts_with(['=', '>'])).map(|it| it.0.trim());
        left.is_some_and(|left| HOLDERS.iter().any(|holder| left == format!("{holder}{name}")))
    };
    let is_read = |line: &str| {
        let plain = plain(revision.words, line);
        HOLDERS.iter().take(4).any(|holder| {
            let whole = format!("{holder}{name}");
            plain.split(&whole).skip(1).any(|rest| !rest.starts_with(is_name_part))
        }) && !held(plain.trim())
    };
    let is_field = revision.new.lines().any(|line| held(plain(revision.words, line).trim()));
    let other_file = name.starts_with('_') || !revision.new.contains("private");
    is_field && !other_file && revision.old.lines().any(is_read) && !revision.new.lines().any(is_read)
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
