//! Claims of tests that were fitted to what the code does, as a comment beside them says.

use crate::detectors::engine::hunks::hunks;
use crate::detectors::testing::word_edit::{is_data, words};
use crate::languages::Language;
use crate::languages::differing::DifferingMiddle;
use crate::model::finding::Change;

/// What such a comment says, in lower case.
const FITTED: &[&str] = &[
    "match actual",
    "match the actual",
    "match current",
    "match the current",
    "matches current",
    "match what the code",
    "match the output",
    "match new output",
    "match the code's",
    "what the code returns",
    "what the code does now",
    "adjusted to the current",
    "adjusted to actual",
    "updated to current",
    "so the test passes",
    "so that the test passes",
    "to make the test pass",
    "to make it pass",
];
/// More lines than these are more than an expectation.
const MOST: usize = 12;

/// The line of a claim whose values changed together with such a comment, and what the comment says.
pub(super) fn fitted(change: &Change) -> Option<(u32, String)> {
    let (old, new) = (change.before.as_deref()?, change.after.as_deref()?);
    let mark = Language::of_path(&change.path)?.refusing().comment;
    // What both texts begin and end with is no new comment.
    let middle = DifferingMiddle::of(old, new);
    let said = middle.after.lines().zip(middle.first_line(new)..).find(|(line, _)| {
        let comment = line.find(mark).and_then(|at| line.get(at..)).unwrap_or_default().to_lowercase();
        FITTED.iter().any(|words| comment.contains(words)) && !old.contains(line.trim())
    });
    let (text, number) = said?;
    let places = hunks(mark, old, new)?;
    let near = |line: u32| line.abs_diff(number) <= 3;
    let values = |text: &str| words(text).into_iter().filter(|(_, word)| is_data(word)).count();
    let hunk =
        places.iter().find(|hunk| hunk.come.iter().any(|line| near(line.number)) && !hunk.gone.is_empty())?;
    let line = hunk.gone.iter().find(|line| values(line.text) > 0)?;
    let is_small = hunk.gone.len() + hunk.come.len() <= MOST;
    is_small.then(|| (line.number, text.trim().trim_start_matches(mark).trim().to_owned()))
}
