//! kotest's tests of rows that have no head of their own: `withData(1, 2) { … }`.

use tree_sitter::Node;

use crate::languages::testing::outline::{Skip, Test};
use crate::languages::testing::outline_builder::OutlineBuilder;
use crate::languages::tree::text;

/// So much of the first row names the test, in letters.
const SHOWN: usize = 40;

/// Adds the test of some rows.
pub(super) fn of_rows(sketch: &mut OutlineBuilder, node: Node, rows: &[Node], skipped: Option<Skip>) {
    let begin = rows.first().map(|it| sketch.text(*it)).unwrap_or_default();
    let title = format!("withData({})", begin.chars().take(SHOWN).collect::<String>());
    let (span, start) = (node.byte_range(), node.start_byte());
    let cases = (rows.len() > 1).then_some(rows.len());
    let looped = cases.is_none();
    sketch
        .add(Test { title, skipped, span, title_span: start..start, cases, looped, ..Test::default() }, node);
}

/// Whether a block has heads of tests or of suites, so that it is no test itself.
pub(super) fn holds_heads(lambda: Node, source: &str, heads: &[&[&str]]) -> bool {
    let text = text(lambda, source);
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    heads.iter().copied().flatten().any(|head| {
        let call = format!("{head}(");
        text.match_indices(&call).any(|(at, _)| !text.get(..at).is_some_and(|it| it.ends_with(is_part)))
    })
}
