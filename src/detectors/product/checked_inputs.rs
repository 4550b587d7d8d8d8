//! Marks of single parameters that have what is given checked: `@Valid`, `@Min(1)`, `ParseIntPipe`, `ValidationPipe`.
//!
//! They stand within the line of a function's head; a mark in a line of its own is judged where all marks are.

use crate::detectors::engine::hunks::TextHunk;
use crate::detectors::product::mark_words::CHECKS;
use crate::languages::code::identifiers;
use crate::model::words::is_name_part;

/// How many marks of a head's parameters check what is given.
pub(super) fn checked_inputs(text: &str) -> usize {
    if text.starts_with('@') || !text.contains('(') {
        return 0;
    }
    let marks = text.match_indices(['@']).filter(|(at, _)| {
        let (before, rest) = text.split_at(*at);
        let name = rest.trim_start_matches('@').split(|c: char| !is_name_part(c)).next().unwrap_or_default();
        let is_check = name.starts_with(char::is_uppercase) && CHECKS.contains(&name.to_lowercase().as_str());
        before.ends_with([' ', '(', ',']) && is_check
    });
    marks.count() + identifiers(text).filter(|word| is_pipe(word)).count()
}

/// Whether a name is that of a pipe of Nest's that refuses what does not fit.
fn is_pipe(word: &str) -> bool {
    word.ends_with("ValidationPipe") || word.starts_with("Parse") && word.ends_with("Pipe")
}

/// Whether a line that comes has the input validated by a call.
pub(super) fn is_validated(hunk: &TextHunk) -> bool {
    let is_call = |text: &str| {
        identifiers(text).any(|word| {
            let word = word.to_lowercase();
            word.starts_with("validat") && word != "validation" || word.ends_with("parse")
        })
    };
    hunk.come.iter().any(|line| is_call(line.text))
}
