//! Single rows of tables of tests that are there and no longer run: `pytest.param(…, marks=pytest.mark.skip)`, a field
//! `skip: true` that the loop over the rows asks for.
//!
//! Only a row that ran before counts: its values stand in a line that is gone.

use crate::detectors::TestComparison;
use crate::detectors::engine::hunks::{CodeLine, TextHunk};
use crate::detectors::testing::word_edit::{is_data, words};
use crate::languages::code::bare;

/// Marks of a row that keep it from running or from failing, without white space.
const MARKS: &[&str] = &[
    "marks=pytest.mark.skip",
    "marks=pytest.mark.xfail",
    "marks=[pytest.mark.skip",
    "marks=[pytest.mark.xfail",
    "marks=skip",
    "marks=xfail",
    ",Skip=\"",
    ",Ignore=\"",
    ",IgnoreReason=\"",
    "Explicit=true",
    ").Ignore(",
    ").Explicit(",
];
/// Fields of a row that a loop asks for, without white space.
const FIELDS: &[&str] =
    &["skip:true", "Skip:true", "skip=True", "skip=>true", "\"skip\":true", "\"skip\":True", ":skip=>true"];

/// The first row that carries a mark now, and how many do.
pub(super) fn skipped_row(comparison: &TestComparison) -> Option<(u32, String, usize)> {
    let new = comparison.change.after.as_deref()?;
    let may_mark = |text: &str| ["marks", "kip", "gnore", "xplicit"].iter().any(|word| text.contains(word));
    if !may_mark(new) {
        return None;
    }
    let all = comparison.places()?;
    let asks = asks_for_field(new);
    let marked: Vec<(&CodeLine, &str)> = all.iter().flat_map(|hunk| rows(hunk, asks)).collect();
    let (line, mark) = marked.first()?;
    Some((line.number, (*mark).trim_matches([',', ')', '.', '(', '"']).to_owned(), marked.len()))
}

/// The rows of a place that were there without a mark, as they were, each with its mark.
fn rows<'h>(hunk: &'h TextHunk, asks: bool) -> Vec<(&'h CodeLine<'h>, &'static str)> {
    let mut free: Vec<&CodeLine> = hunk.gone.iter().collect();
    let mut all = Vec::new();
    for come in &hunk.come {
        let Some(mark) = mark(come.text, asks) else { continue };
        let values = data(come.text);
        let is_row = |old: &&CodeLine| {
            let known = data(old.text);
            !known.is_empty()
                && self::mark(old.text, asks).is_none()
                && known.iter().all(|it| values.contains(it))
        };
        if let Some(at) = free.iter().position(is_row) {
            all.push((free.swap_remove(at), mark));
        }
    }
    all
}

fn mark(line: &str, asks: bool) -> Option<&'static str> {
    let text = bare(line);
    // One that holds on some machines, or by which a row has to fail, says something of the row.
    if text.contains("skipif")
        || text.contains("strict=True")
        || text.contains("mark.xfail(\"") && text.contains("condition")
    {
        return None;
    }
    let fields = if asks { FIELDS } else { &[] };
    MARKS.iter().chain(fields).find(|mark| text.contains(**mark)).copied()
}

/// Whether code of the tests skips what a field of a row says.
fn asks_for_field(text: &str) -> bool {
    text.lines().map(bare).any(|line| {
        let asks = ["if", "(", "unless", "&&"].iter().any(|it| line.contains(it));
        asks && [".skip", ".Skip", "[\"skip\"]", "['skip']", "[:skip]", "get(\"skip\")"]
            .iter()
            .any(|it| line.contains(it))
            && !FIELDS.iter().any(|field| line.contains(field))
    })
}

fn data(line: &str) -> Vec<&str> {
    words(line).into_iter().map(|(_, word)| word).filter(|word| is_data(word)).collect()
}
