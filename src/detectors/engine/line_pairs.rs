//! Places in which the texts of a change differ, and which line stands there in the place of which.

use crate::detectors::engine::hunks::{CodeLine, TextHunk, hunks};
use crate::languages::Language;
use crate::model::finding::Change;

/// Where the two texts of a change differ; `None` where one of them is not there, the language is not known, or too much
/// differs.
pub(crate) fn places_of(change: &Change) -> Option<Vec<TextHunk<'_>>> {
    let (old, new) = (change.before.as_deref()?, change.after.as_deref()?);
    hunks(Language::of_path(&change.path)?.refusing().comment, old, new)
}

/// Whether a place has as many lines as before: each stands for the one in its place.
pub(crate) fn is_even(hunk: &TextHunk) -> bool {
    hunk.gone.len() == hunk.come.len()
}

/// The lines of the even places, each with the one in its place.
pub(crate) fn line_pairs<'h, 'a>(
    places: &'h [TextHunk<'a>],
) -> impl Iterator<Item = (&'h CodeLine<'a>, &'h CodeLine<'a>)> {
    places.iter().filter(|hunk| is_even(hunk)).flat_map(|hunk| hunk.gone.iter().zip(&hunk.come))
}
