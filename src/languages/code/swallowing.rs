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
    let only_logs =
        |it: &Node| is_empty(*it, source) || is_log(*it, source) || gives_constant(*it, source).is_some();
    let is_silent = |handler: &Node| {
        let block = handler
            .child_by_field_name("body")
            .or_else(|| parts(*handler).into_iter().rfind(|it| it.kind() == "block"));
        let catches_assertions = handler.child_by_field_name("value").is_none_or(|value| {
            let kind = text(value, source);
            ["Exception", "BaseException", "AssertionError"].iter().any(|it| kind.starts_with(it))
        });
        catches_assertions && block.is_none_or(|block| statements(block).iter().all(only_logs))
    };
    let beside = handlers_beside(node, body, source);
    let is_silent_beside = |block: &Node| statements(*block).iter().all(only_logs);
    let mut own = handlers.iter().filter(|it| !is_head(**it));
    (own.any(is_silent) || beside.iter().any(is_silent_beside)).then(|| body.byte_range())
}

/// Whether a handler's block stands behind it, as in Dart, and not in it.
fn is_head(handler: Node) -> bool {
    handler.kind() == "catch_clause"
        && handler.child_by_field_name("body").is_none()
        && handler.next_named_sibling().is_some_and(|it| it.kind() == "block")
}

/// The blocks of Dart's handlers that take what an assertion throws.
fn handlers_beside<'t>(node: Node<'t>, body: Node, source: &str) -> Vec<Node<'t>> {
    const TAKING: &[&str] = &["Object", "Exception", "TestFailure", "dynamic"];
    let all = parts(node);
    let kind_of = |at: usize| {
        let front = all.get(..at).unwrap_or_default();
        front.iter().rev().take_while(|it| it.kind() != "block").find(|it| it.kind() == "type")
    };
    let takes = |at: usize| kind_of(at).is_none_or(|kind| TAKING.contains(&text(*kind, source)));
    let is_other = |it: &Node| it.kind() == "block" && it.id() != body.id();
    all.iter().enumerate().filter(|(at, it)| is_other(it) && takes(*at)).map(|(_, it)| *it).collect()
}
