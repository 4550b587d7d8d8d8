//! Work of a function that was done, in whose place less stands now, beside a new comment that puts the rest off.
//!
//! The comment alone is nothing, and neither is less work: a change that has both says of itself that it is not done.

use crate::detectors::engine::hunks::{CodeLine, TextHunk};
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::short;
use crate::detectors::product::functions::called_in;
use crate::detectors::product::parameters::{names, parameters};
use crate::detectors::product::softened_handlers::is_telling;
use crate::languages::code::{Comment, Function, identifiers, plain, refuses};
use crate::model::finding::Severity;

/// How a comment puts work off, in lower case.
const PUT_OFF: &[&str] = &[
    "to follow",
    "comes later",
    "come later",
    "follows later",
    "done later",
    "added later",
    "add later",
    "filled in",
    "fill in",
    "not yet",
    "to be done",
    "to be implemented",
    "to be added",
    "will be implemented",
    "will be added",
    "coming with",
    "comes with the",
    "in the next step",
    "not there yet",
    "is wired up in",
    "moves to the",
    "next sprint",
    "next iteration",
    "next release",
    "next pr",
    "follow-up",
    "follow up",
    "until we",
    "once we",
    "work in progress",
    "hardcoded",
    "hard-coded",
    "real implementation",
    "real logic",
    "in a real",
];
/// What a comment waits for that says "until", in lower case.
const DECIDED: &[&str] = &[
    "is chosen",
    "is decided",
    "is ready",
    "are ready",
    "is there",
    "is available",
    "is merged",
    "lands",
    "is settled",
    "is agreed",
    "is built",
    "is set up",
    "is in place",
    "is known",
    "goes live",
];
/// How a comment says that what stands here is less than it has to be, in lower case.
const LESS: &[&str] =
    &["for now", "simplified", "for the time being", "stopgap", "naive", "comes later", "to follow"];
/// Calls by which time only goes by, which is no work.
const WAITS: &[&str] = &["delayed", "delay", "sleep", "setTimeout", "nextTick"];
/// What a comment wants to take away another day: nothing is undone by that.
const TAKES_AWAY: &[&str] =
    &["remove", "drop ", "delete", "clean up", "cleanup", "get rid", "inline ", "rename", "deprecat"];

/// The first function that does less than it did, with what is said of it.
pub(super) fn put_off<'r, 'a>(revision: &'r Revision<'a>) -> Option<(&'r Function<'a>, String, Severity)> {
    if revision.old.is_empty() {
        return None;
    }
    let mut remarks = revision.new_comments().filter(|it| puts_off(it.text));
    remarks.find_map(|remark| {
        let hunk = revision.hunks().iter().find(|hunk| is_beside(hunk, remark))?;
        let function = function_at(revision, remark.line)?;
        if !does_less(revision, hunk, remark.text) && !forgets_named(revision, hunk, remark.text, function) {
            return None;
        }
        let line = hunk.gone.first()?;
        let what = format!("`{}` would put off what it did by `{}`", function.name, short(line.text));
        Some((function, what, Severity::High))
    })
}

/// Whether a comment says that work is left for another day.
pub(super) fn puts_off(text: &str) -> bool {
    let lower = text.to_lowercase();
    let has = |all: &[&str]| all.iter().any(|it| lower.contains(it));
    // A list of things to do is a word of the trade, in lower case.
    let is_marked = ["TODO", "FIXME"].iter().any(|mark| text.contains(mark))
        || lower.trim_start_matches(|c: char| !c.is_alphabetic()).starts_with("todo:");
    let waits = lower.contains("until ") && has(DECIDED);
    let is_labelled = lower.trim_start_matches(|c: char| !c.is_alphabetic()).starts_with("placeholder");
    (is_marked || is_labelled || waits || has(PUT_OFF) || has(LESS)) && !has(TAKES_AWAY)
}

fn says_less(text: &str) -> bool {
    let lower = text.to_lowercase();
    LESS.iter().any(|it| lower.contains(it))
}

/// Whether a comment stands right above a line that comes in a place, or behind one.
fn is_beside(hunk: &TextHunk, remark: &Comment) -> bool {
    let size = u32::try_from(remark.text.trim_end().lines().count()).unwrap_or(1).max(1);
    let is_near = |line: &CodeLine| line.number >= remark.line && line.number <= remark.line + size;
    !hunk.gone.is_empty() && hunk.come.iter().any(is_near)
}

/// Whether the lines that come are a part of what the lines that go did, and nothing else does the rest.
fn does_less(revision: &Revision, hunk: &TextHunk, remark: &str) -> bool {
    let line = |it: &CodeLine| format!("{}\n", plain(revision.words, &it.text.replace(remark.trim(), "")));
    // What only tells of the work does none of it.
    let works = |it: &&CodeLine| !is_telling(it.text);
    let code = |lines: &[CodeLine]| -> String { lines.iter().filter(works).map(line).collect() };
    let (old, new) = (code(&hunk.gone), code(&hunk.come));
    let (called, calls) = (called_in(&old), called_in(&new));
    let size = |text: &str| identifiers(text).count();
    let (before, after) = (size(&old), size(&new));
    let lost = called.iter().filter(|it| it.len() > 2 && !calls.contains(it)).count();
    let is_smaller = if lost > 0 { after < before } else { after * 3 <= before * 2 };
    let is_wait = |name: &&str| WAITS.contains(name);
    let mut others = calls.iter().filter(|it| !called.contains(it) && !is_wait(it));
    // Another function may do it now: one of this file, or one that is brought in.
    let is_known = |name: &str| {
        revision.after.functions.iter().any(|it| it.name == name) || is_brought_in(revision, name)
    };
    let is_part = if says_less(remark) && after * 2 <= before {
        !others.any(|name| is_known(name))
    } else {
        others.next().is_none()
    };
    let decides = |text: &str| {
        identifiers(text)
            .filter(|word| matches!(*word, "if" | "elif" | "elsif" | "case" | "when" | "unless"))
            .count()
    };
    // Several decisions are work as well.
    let had_work = !called.is_empty() || decides(&old) > 1 && decides(&new) == 0;
    had_work && is_smaller && is_part
}

/// Whether the lines that come do without a parameter that a comment names, and that those which go worked with.
fn forgets_named(revision: &Revision, hunk: &TextHunk, remark: &str, function: &Function) -> bool {
    let is_work = |line: &&CodeLine| !is_telling(line.text) && !refuses(revision.words, line.text);
    let uses = |lines: &[CodeLine], name: &str| {
        lines.iter().filter(is_work).any(|it| names(&it.text.replace(remark.trim(), ""), name))
    };
    let all = parameters(revision, revision.new, function);
    let mut forgotten = all.iter().filter(|it| it.len() > 2 && names(remark, it));
    forgotten.any(|it| uses(&hunk.gone, it) && !uses(&hunk.come, it))
}

/// Whether a line outside of functions names something: an import.
fn is_brought_in(revision: &Revision, name: &str) -> bool {
    let heads = ["import ", "from ", "use ", "using ", "require ", "#include", "const {"];
    let mut lines = revision.new.lines().map(str::trim_start);
    lines.any(|line| {
        heads.iter().any(|head| line.starts_with(head)) && identifiers(line).any(|word| word == name)
    })
}

/// The function around a line after, which was there before.
fn function_at<'r, 'a>(revision: &'r Revision<'a>, line: u32) -> Option<&'r Function<'a>> {
    let at = revision.after.functions.iter().rposition(|it| {
        let size = revision.new.get(it.span.clone()).unwrap_or_default().lines().count();
        it.line <= line && line < it.line + u32::try_from(size).unwrap_or(0)
    })?;
    revision.predecessor(at)?;
    revision.after.functions.get(at)
}
