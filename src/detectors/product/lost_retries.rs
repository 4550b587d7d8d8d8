//! Work that was tried again when it failed, and is tried once now.

use crate::detectors::Case;
use crate::detectors::engine::hunks::CodeLine;
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::short;
use crate::detectors::product::functions::other_code;
use crate::detectors::product::left_unread::left_unread;
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::promises::{AGAIN, parts};
use crate::detectors::product::refusals::has_tests_of;
use crate::languages::code::{Guard, identifiers, plain};
use crate::model::finding::Severity;
use crate::model::words::is_name_part;

/// How lines begin that repeat what stands below them.
const LOOPS: &[&str] = &["for", "while", "loop", "until", "repeat", "do"];
/// More lines than these are a rewrite.
const REWRITE: usize = 60;

/// What says that a call was only interrupted, or has to wait.
const INTERRUPTED: &[&str] = &[
    "EINTR",
    "EAGAIN",
    "EWOULDBLOCK",
    "Interrupted",
    "InterruptedError",
    "WouldBlock",
    "InterruptedIOException",
];

/// A branch that went on with the next try where a call was only interrupted, and is gone with nothing in its place.
pub(super) fn interrupted(case: &Case, revision: &Revision) -> Option<LostCheck> {
    let hunks = revision.hunks();
    if hunks.iter().any(|it| !it.come.is_empty()) {
        return None;
    }
    let is_asked = |line: &CodeLine| identifiers(line.text).any(|word| INTERRUPTED.contains(&word));
    let goes_on =
        |line: &CodeLine| identifiers(line.text).any(|word| matches!(word, "continue" | "retry" | "next"));
    let hunk = hunks.iter().find(|it| it.gone.len() <= 6 && it.gone.iter().any(goes_on))?;
    let line = hunk.gone.iter().find(|it| is_asked(it))?;
    let name = revision.old_function_at(line.at).map_or("", |it| it.name);
    let is_left = identifiers(revision.new).any(|word| INTERRUPTED.contains(&word));
    let what = format!("`{}` would be gone: what was only interrupted would fail", short(line.text));
    (!is_left && !has_tests_of(case, name)).then(|| LostCheck::of_line(line, name, what, Severity::High))
}

/// The first loop of tries that goes while its work stays.
pub(super) fn tried_once(case: &Case, revision: &Revision) -> Option<LostCheck> {
    let size: usize = revision.hunks().iter().map(|it| it.gone.len() + it.come.len()).sum();
    let mut gone = revision.hunks().iter().flat_map(|it| &it.gone);
    if size > REWRITE || !gone.any(|line| is_loop(&plain(revision.words, line.text.trim()))) {
        return None;
    }
    let (line, text) = looped(revision, revision.old)?;
    if looped(revision, revision.new).is_some() || is_asked_for(revision, revision.new) {
        return None;
    }
    let gone = revision.hunks().iter().flat_map(|it| &it.gone).any(|it| it.number == line);
    let is_elsewhere = other_code(case, revision).any(|it| {
        let count = |text: &Option<String>| {
            text.as_deref().map_or(0, |text| identifiers(text).filter(|it| is_about(it)).count())
        };
        count(&it.after) > count(&it.before)
    });
    let at = revision.hunks().iter().flat_map(|it| &it.gone).find(|it| it.number == line)?;
    let name = revision.old_function_at(at.at).map_or("", |it| it.name);
    if !gone || is_elsewhere || has_tests_of(case, name) || !is_called_still(revision, line) {
        return None;
    }
    let unread = left_unread(revision).filter(|name| is_about(name));
    // One plain call is left of the whole loop.
    let (lost, come) =
        revision.hunks().iter().fold((0, 0), |(lost, come), it| (lost + it.gone.len(), come + it.come.len()));
    let is_cut = lost >= 4 && come <= 2;
    let severity = if unread.is_some() || is_cut { Severity::High } else { Severity::Medium };
    let what = format!("`{}` would be gone: what fails would not be tried again", short(&text));
    Some(LostCheck::new(line, name, what, severity))
}

/// Whether a guard ended a loop of tries, and somebody else tries again now.
pub(super) fn is_tried_otherwise(revision: &Revision, guard: &Guard) -> bool {
    identifiers(guard.condition).any(is_about)
        && looped(revision, revision.old).is_some()
        && looped(revision, revision.new).is_none()
        && is_asked_for(revision, revision.new)
}

fn is_about(name: &str) -> bool {
    let words = parts(name);
    words.iter().any(|word| AGAIN.contains(&word.as_str()))
}

/// Whether a line of code begins a loop, or the next try.
fn is_loop(code: &str) -> bool {
    let first = identifiers(code).next().unwrap_or_default();
    LOOPS.contains(&first) || code.contains(".times do") || code.trim() == "retry" || code.contains("'outer:")
}

/// The first loop about tries in a text, with its line.
fn looped(revision: &Revision, text: &str) -> Option<(u32, String)> {
    let lines: Vec<&str> = text.lines().collect();
    let depth = |line: &str| line.len() - line.trim_start().len();
    lines.iter().enumerate().find_map(|(at, line)| {
        let code = plain(revision.words, line.trim());
        if !is_loop(&code) {
            return None;
        }
        let block = lines
            .iter()
            .skip(at + 1)
            .take(30)
            .take_while(|it| it.trim().is_empty() || depth(it) > depth(line));
        let said = std::iter::once(&code).any(|it| identifiers(it).any(is_about))
            || block.clone().any(|it| identifiers(&plain(revision.words, it)).any(is_about));
        said.then(|| (u32::try_from(at + 1).unwrap_or_default(), line.trim().to_owned()))
    })
}

/// Whether a text has somebody else try again: a call, a mark or an option about it.
fn is_asked_for(revision: &Revision, text: &str) -> bool {
    text.lines().any(|line| {
        let code = plain(revision.words, line.trim());
        let lower = code.to_lowercase();
        let is_call = code.split('(').rev().skip(1).any(|head| {
            let callee = head
                .rsplit(|c: char| !(is_name_part(c) || matches!(c, '.' | ':')))
                .next()
                .unwrap_or_default();
            !callee.starts_with(['.', ':']) && is_about(callee)
        });
        let is_given = [
            "retries:",
            "retries=",
            "retry:",
            "retry=",
            "attempts:",
            "attempts=",
            "withretry",
            "retrypolicy",
        ]
        .iter()
        .any(|it| lower.replace(' ', "").contains(it))
            && code.contains('(')
            && !code.contains("function ")
            && !code.contains("def ");
        is_call || is_given || code.starts_with('@') && is_about(code.trim_start_matches('@'))
    })
}

/// Whether what the loop called is called still.
fn is_called_still(revision: &Revision, line: u32) -> bool {
    let near = revision.before.calls.iter().filter(|it| it.line > line && it.line < line + 20);
    let last = |callee: &str| callee.rsplit(['.', ':', '>']).next().unwrap_or_default().to_owned();
    let now: Vec<String> = revision.after.calls.iter().map(|it| last(it.callee)).collect();
    near.into_iter().any(|it| now.contains(&last(it.callee)))
}
