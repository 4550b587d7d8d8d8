//! Refusals in the same words at another place of a statement: in an expression, or put together by a function that refuses for
//! several values.

use crate::detectors::engine::hunks::{CodeLine, TextHunk};
use crate::detectors::engine::revision::Revision;
use crate::languages::code::{bare, refuses};

/// Whether the very error that was thrown is thrown in an expression now: `.orElseThrow(() -> new NoMember(id))`,
/// `$row ?? throw new NoMember($id)`.
pub(super) fn is_given_to_another(revision: &Revision, hunk: &TextHunk, refusal: CodeLine) -> bool {
    const LEAST: usize = 12;
    let heads = ["throw ", "raise "];
    let error = heads.iter().find_map(|head| refusal.text.trim().strip_prefix(head)).map(bare);
    let error = error.unwrap_or_default();
    let error = error.trim_end_matches(';');
    error.len() > LEAST
        && hunk.come.iter().any(|it| refuses(revision.words, it.text) && bare(it.text).contains(error))
}

/// Whether a body says the end of a message, and the new lines give it the beginning: `"seats out of range"` as
/// `inRange("seats", seats)`.
pub(super) fn is_put_together(said: &str, body: &str, come: &[&CodeLine]) -> bool {
    const LEAST: usize = 6;
    let mut ends = body.split('"').skip(1).step_by(2).filter(|it| it.trim().len() > LEAST);
    ends.any(|end| {
        let begin = said.strip_suffix(end).unwrap_or_default();
        let given = format!("\"{begin}\"");
        begin.len() > 2 && come.iter().any(|it| it.text.contains(&given))
    })
}
