//! Work that goes from a function whose comment still says that it is done: "revokes the sessions", "drops the copy".
//!
//! Judged by the lines around, in any language. The edit must bring no new call that may do the same.

use crate::detectors::Case;
use crate::detectors::engine::hunks::{CodeLine, TextHunk, hunks};
use crate::detectors::product::check_words::short;
use crate::detectors::product::does_less::is_neutral;
use crate::detectors::product::functions::{called_in, has_company};
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::promises::{is_akin, is_telling, parts};
use crate::detectors::product::refusing_lines::done;
use crate::detectors::product::softened_handlers::is_telling as is_logged;
use crate::languages::code::{identifiers, is_log, refuses};
use crate::languages::{Language, is_test_path};
use crate::model::finding::{Change, Severity};

/// How files end whose languages have no reader here, but comments and calls of the common form.
const UNREAD: &[&str] = &[".groovy", ".zig"];
/// How lines of a comment begin.
const COMMENTS: &[&str] = &["///", "//!", "//", "/**", "/*", "*", "#", "--"];
/// Marks between a comment and what it is about.
const MARKS: &[&str] = &["@", "#[", "["];
/// Words that begin a branch or a loop, which is no function.
const BRANCHES: &[&str] = &[
    "if", "else", "elif", "elsif", "unless", "for", "foreach", "while", "switch", "match", "when", "case",
    "catch", "except", "rescue", "with", "try", "return", "await", "loop", "do", "guard",
];
/// Words in front of the name of a function that is defined.
const DEFINING: &[&str] = &["def", "fn", "func", "fun", "function", "defp"];
/// Words for one effect, by their beginnings.
const EFFECTS: &[&[&str]] = &[
    &["write", "save", "store", "persist"],
    &["delete", "remove", "drop", "forget", "purge", "evict"],
    &["notify", "notifi", "send", "publish", "emit", "announce"],
    &["revoke", "invalidate", "expire"],
    &["audit", "trail", "record"],
];
/// More lines than these, gone and new, are a rewrite.
const REWRITE: usize = 24;
/// What a comment says of work that is not there.
const ADMITTING: &[&str] =
    &["todo", "not ", "no longer", "without", "never", "instead", "deprecated", "caller", "should"];

/// The first piece of work that a comment still promises.
pub(super) fn promise_broken(case: &Case, change: &Change) -> Option<LostCheck> {
    let (old, new) = (change.before.as_deref()?, change.after.as_deref()?);
    let language = Language::of_path(&change.path);
    let is_read = language.is_some() || UNREAD.iter().any(|end| change.path.ends_with(end));
    if !is_read || is_test_path(&change.path) || old == new {
        return None;
    }
    let mark = language.map_or("//", |it| it.refusing().comment);
    let places = hunks(mark, old, new)?;
    let lines = places.iter().map(|it| it.gone.len() + it.come.len()).sum::<usize>();
    let is_new = |name: &&str| !is_neutral(name) && !identifiers(old).any(|word| word == *name);
    let come = || places.iter().flat_map(|it| &it.come);
    let calls_new = come()
        .filter(|line| !is_log(line.text) && !is_logged(line.text))
        .any(|line| called_in(line.text).iter().any(is_new));
    let grows = come().count() > places.iter().map(|it| it.gone.len()).sum::<usize>() + 1;
    if lines > REWRITE || calls_new || grows {
        return None;
    }
    let lost = places.iter().find_map(|place| of_place(place, change, (old, new)));
    // The work may be in another file of the session now; they are looked at where something is lost.
    lost.filter(|_| !has_company(case, change))
}

fn of_place(place: &TextHunk, change: &Change, (old, new): (&str, &str)) -> Option<LostCheck> {
    let refusing = Language::of_path(&change.path).map(Language::refusing);
    place.gone.iter().find_map(|line| {
        let is_refusal = refusing.is_some_and(|table| refuses(table, done(line.text)));
        if is_refusal || is_log(line.text) || !line.text.contains('(') {
            return None;
        }
        let (head, at) = documented(old, new, line)?;
        let (comment, body) = (comment_above(new, at), body_below(new, at));
        let said = comment.to_lowercase();
        if said.is_empty() || ADMITTING.iter().any(|word| said.contains(word)) {
            return None;
        }
        let left: Vec<String> = identifiers(&body).flat_map(parts).collect();
        let words = parts(&comment);
        let is_promised = |word: &String| {
            is_telling(word)
                && words.iter().any(|own| is_akin(word, own))
                && !left.iter().any(|it| is_akin(word, it) || is_akin(it, word))
        };
        let is_promised = |word: &String| is_promised(word) || is_said_otherwise(word, &words, &left);
        let name = lost_names(line, new, old).into_iter().find(|name| parts(name).iter().any(is_promised))?;
        let what = format!(
            "`{}` would be gone, while the comment above `{}` still says it",
            short(line.text),
            short(head.trim())
        );
        Some(LostCheck::new(line.number, &name, what, Severity::High))
    })
}

/// Whether a comment has another word for an effect of which nothing is left.
fn is_said_otherwise(word: &str, said: &[String], left: &[String]) -> bool {
    EFFECTS.iter().any(|group| {
        let is_of = |word: &str| group.iter().any(|head| word.starts_with(head));
        is_of(word) && said.iter().any(|it| is_of(it)) && !left.iter().any(|it| is_of(it))
    })
}

/// The names that a line calls, and what it calls them on, of which the text has fewer than before.
fn lost_names(line: &CodeLine, new: &str, old: &str) -> Vec<String> {
    let called = called_in(line.text);
    let count = |text: &str, name: &str| identifiers(text).filter(|it| *it == name).count();
    let lost = |name: &&str| !is_neutral(name) && count(new, name) < count(old, name);
    let is_lost = called.iter().any(&lost);
    let receivers = line.text.split('(').filter_map(|head| {
        let (holder, _) = head.rsplit_once('.')?;
        holder.split_whitespace().next_back()
    });
    let receivers = receivers.flat_map(identifiers);
    // What had a definition here that is gone too stands in the place of its call now.
    let is_inlined = |name: &&str| {
        let defined = |text: &str| DEFINING.iter().any(|word| text.contains(&format!("{word} {name}(")));
        defined(old) && !defined(new)
    };
    if called.iter().any(is_inlined) {
        return Vec::new();
    }
    let all = called.iter().copied().filter(|name| lost(name)).chain(receivers.filter(|_| is_lost));
    all.filter(|name| name.len() > 3).map(str::to_owned).collect()
}

fn depth(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The head that a line stood below and that has a comment above it now, with its place there.
fn documented<'t>(old: &'t str, new: &str, line: &CodeLine) -> Option<(&'t str, usize)> {
    let lines: Vec<&str> = old.lines().collect();
    let mut at = usize::try_from(line.number).ok()?.checked_sub(1)?;
    let mut limit = depth(lines.get(at)?);
    while limit > 0 {
        let is_head =
            |it: &usize| lines.get(*it).is_some_and(|line| !line.trim().is_empty() && depth(line) < limit);
        at = (0..at).rev().find(is_head)?;
        let head = lines.get(at)?;
        limit = depth(head);
        let now = new.lines().position(|it| same_head(it, head));
        if let Some(now) = now.filter(|now| !comment_above(new, *now).is_empty()) {
            return Some((head, now));
        }
    }
    None
}

/// Whether two lines are heads of one function: up to the parentheses they say the same.
fn same_head(line: &str, head: &str) -> bool {
    let first = identifiers(head).next().unwrap_or_default();
    if BRANCHES.contains(&first) {
        return false;
    }
    let name = |text: &'_ str| text.split('(').next().map(|it| it.trim().to_owned());
    let is_head = line.contains('(') || line.trim_start().starts_with("def ");
    is_head && name(line) == name(head)
}

/// The comment right above a line, without its marks.
fn comment_above(text: &str, at: usize) -> String {
    let lines: Vec<&str> = text.lines().take(at).map(str::trim).collect();
    let above = lines.into_iter().rev().skip_while(|line| MARKS.iter().any(|mark| line.starts_with(mark)));
    let is_comment =
        |line: &&str| COMMENTS.iter().any(|mark| line.starts_with(mark)) && !line.starts_with("#[");
    let mut found: Vec<&str> = above.take_while(is_comment).collect();
    found.reverse();
    found.join("\n")
}

/// What stands below a head and further in.
fn body_below(text: &str, at: usize) -> String {
    let mut lines = text.lines().skip(at);
    let Some(head) = lines.next() else { return String::new() };
    let inside =
        lines.take_while(|line| line.trim().is_empty() || depth(line) > depth(head) || line.trim() == "{");
    inside
        .filter(|line| !COMMENTS.iter().any(|mark| line.trim_start().starts_with(mark)))
        .collect::<Vec<_>>()
        .join("\n")
}
