//! Values that a builder of the test's own file gives by default now: what no claim asks about is another sample.

use crate::detectors::TestComparison;
use crate::detectors::engine::hunks::TextHunk;
use crate::languages::code::identifiers;
use crate::model::words::{has_word, is_name_part};

/// Words that a function is defined with, before its name.
const DEFINING: &[&str] =
    &["const ", "let ", "def ", "fun ", "func ", "function ", "fn ", "static ", "private ", "val ", "defp "];

/// Whether a value that is gone was one of a field for which a new builder, called in its place, has a value of its own, and
/// neither the test's name nor its claims have it.
pub(super) fn is_built(comparison: &TestComparison, hunk: &TextHunk, word: &str, written: &str) -> bool {
    let Some(line) = hunk.gone.iter().find(|line| line.text.contains(word)) else { return false };
    let Some(key) = key_of(line.text, word) else { return false };
    let calls = |name: &str| hunk.come.iter().any(|line| line.text.contains(&format!("{name}(")));
    let is_builder = |line: &str| {
        let bare = line.trim_start().trim_start_matches("export ").trim_start_matches("pub ");
        let rest = DEFINING.iter().find_map(|head| bare.strip_prefix(head));
        rest.and_then(|rest| identifiers(rest).next()).is_some_and(calls)
    };
    let has_default = written.lines().any(|line| key_at(line, key));
    let test = comparison.before.tests.iter().find(|it| !it.suite && it.span.contains(&line.at));
    let bare = word.trim_matches(['"', '\'', '`']).to_lowercase();
    let is_meant = test.is_none_or(|test| {
        let claims = |text: &str| text.to_lowercase().contains(&word.to_lowercase());
        test.title.to_lowercase().contains(&bare)
            || test.assertions.iter().any(|it| claims(&it.claim.expected))
            || test.text_in(comparison.change.before.as_deref()).matches(word).count() > 1
    });
    !is_meant && has_default && written.lines().any(is_builder)
}

/// The field that a value is given to: `code` of `code: "OLD"`.
fn key_of<'l>(line: &'l str, word: &str) -> Option<&'l str> {
    let head = line.get(..line.find(word)?)?.trim_end();
    let head = head.trim_end_matches(['=', '>', ':', ' ']).trim_end_matches(['"', '\'']);
    let start = head.rfind(|c: char| !is_name_part(c)).map_or(0, |at| at + 1);
    head.get(start..).filter(|key| key.len() > 1 && key.starts_with(char::is_alphabetic))
}

/// Whether a line gives a field a value.
fn key_at(line: &str, key: &str) -> bool {
    let is_given = |rest: &str| rest.trim_start_matches(['"', '\'', ' ']).starts_with([':', '=']);
    has_word(line, key)
        && line.match_indices(key).any(|(at, _)| line.get(at + key.len()..).is_some_and(is_given))
}
