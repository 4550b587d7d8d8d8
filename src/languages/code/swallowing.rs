//! Regions whose errors a statement swallows.

use std::ops::Range;

use tree_sitter::Node;

use crate::languages::code::constants::gives_constant;
use crate::languages::code::statements::{is_empty, is_log, statements};
use crate::languages::tree::{parts, text};

/// The region whose errors a statement swallows: a `try` whose handlers all do nothing.
pub(in crate::languages) fn swallowing(node: Node, source: &str) -> Option<Range<usize>> {
    let body = node.child_by_field_name("body")?;
    if node.kind() == "with_statement" {
        let head = source.get(node.start_byte()..body.start_byte())?;
        return (head.contains("suppress(Exception") || head.contains("suppress(AssertionError"))
            .then(|| body.byte_range());
    }
    let handlers: Vec<Node> = parts(node)
        .into_iter()
        .filter(|part| matches!(part.kind(), "catch_clause" | "except_clause"))
        .collect();
    let is_silent = |handler: &Node| {
        let block = handler
            .child_by_field_name("body")
            .or_else(|| parts(*handler).into_iter().rfind(|it| it.kind() == "block"));
        let only_logs =
            |it: &Node| is_empty(*it, source) || is_log(*it, source) || gives_constant(*it, source).is_some();
        let catches_assertions = handler.child_by_field_name("value").is_none_or(|value| {
            let kind = text(value, source);
            ["Exception", "BaseException", "AssertionError"].iter().any(|it| kind.starts_with(it))
        });
        catches_assertions && block.is_none_or(|block| statements(block).iter().all(only_logs))
    };
    handlers.iter().any(is_silent).then(|| body.byte_range())
}
