//! Work that an edit says is there, in a document, a comment or a log, while a comment beside it puts the same off.

use std::collections::BTreeSet;

use crate::detectors::engine::revision::Revision;
use crate::languages::code::{Function, admissions, is_log};
use crate::model::finding::Severity;

/// A word shorter than this stands for many things.
const TELLING: usize = 6;
/// Words of comments that are about no work in particular, in lower case.
const COMMON: &[&str] = &[
    "should",
    "before",
    "return",
    "returns",
    "little",
    "simple",
    "implement",
    "implemented",
    "implementation",
    "support",
    "supported",
    "future",
    "placeholder",
    "version",
    "client",
    "function",
    "method",
    "follow",
    "release",
    "temporary",
    "temporarily",
    "instead",
    "because",
    "always",
    "current",
    "currently",
    "default",
    "result",
    "results",
    "needed",
    "actual",
    "proper",
    "values",
    "number",
    "handle",
    "handled",
    "another",
    "without",
    "request",
    "response",
    "record",
    "records",
    "change",
    "called",
    "please",
    "really",
];

/// The first function of which new words say both.
pub(super) fn claimed<'r, 'a>(revision: &'r Revision<'a>) -> Option<(&'r Function<'a>, String, Severity)> {
    if revision.old.is_empty() {
        return None;
    }
    let known = words_of(revision.old);
    revision.new_admissions().filter(|it| !is_about_a_state(it.text)).find_map(|remark| {
        let put_off: BTreeSet<String> = words_of(remark.text).difference(&known).cloned().collect();
        let word = put_off
            .iter()
            .find(|word| is_claimed(revision, remark.line, word) && !is_done(revision, word))?;
        let at = revision.after.functions.iter().rposition(|it| {
            let size = revision.new.get(it.span.clone()).unwrap_or_default().lines().count();
            it.line <= remark.line && remark.line < it.line + u32::try_from(size).unwrap_or(0)
        })?;
        let function = revision.after.functions.get(at)?;
        revision.predecessor(at)?;
        let what = format!("`{}` would say that it has `{word}`, and put it off", function.name);
        Some((function, what, Severity::High))
    })
}

/// Whether a comment only tells what is so while the code runs: `the connection is not yet established`.
fn is_about_a_state(text: &str) -> bool {
    const WORK: &[&str] =
        &["implement", "support", "wire", "done", "handle", "add", "writ", "need", "finish", "hook"];
    let lower = text.to_lowercase();
    let states = ["is not yet", "are not yet", "was not yet", "were not yet", "has not yet", "have not yet"];
    let is_work = |rest: &str| WORK.iter().any(|word| rest.trim_start().starts_with(word));
    let told: usize =
        states.iter().map(|head| lower.split(head).skip(1).filter(|rest| !is_work(rest)).count()).sum();
    told > 0 && told >= admissions(text)
}

/// Whether a new comment that puts nothing off, or a new log, has a word.
fn is_claimed(revision: &Revision, line: u32, word: &str) -> bool {
    let says = |text: &str| words_of(text).contains(word);
    let comments = revision.new_comments().filter(|it| it.line != line);
    let logs = revision.hunks().iter().flat_map(|it| &it.come).filter(|it| is_log(it.text));
    comments.filter(|it| admissions(it.text) == 0).any(|it| says(it.text))
        || logs.into_iter().any(|it| says(it.text))
}

/// Whether new code has a word outside of logs.
fn is_done(revision: &Revision, word: &str) -> bool {
    let mut come = revision.hunks().iter().flat_map(|it| &it.come);
    come.any(|it| !is_log(it.text) && it.text.to_lowercase().contains(word))
}

/// The words of a text that tell what it is about, in lower case; of a word's forms the part that they have in common.
fn words_of(text: &str) -> BTreeSet<String> {
    let lower = text.to_lowercase();
    let all =
        lower.split(|c: char| !c.is_alphabetic()).filter(|it| it.len() >= TELLING && !COMMON.contains(it));
    all.map(|word| word.trim_end_matches('s').to_owned()).collect()
}
