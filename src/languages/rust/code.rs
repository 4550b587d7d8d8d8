//! How Rust writes functions, guards and dropped errors.

use tree_sitter::Node;

use crate::languages::code::{CaughtError, Exit, Syntax, callee, fields, fork, pair};
use crate::languages::tree::{parts, text};

/// Macros that leave with an error.
const MACROS: &[&str] = &["panic", "bail", "anyhow::bail", "unreachable", "return_err", "err"];
/// Methods that drop an error.
const DROPPING: &[(&str, &str)] =
    &[("ok", "`.ok()`"), ("unwrap_or_default", "`.unwrap_or_default()`"), ("unwrap_or", "`.unwrap_or()`")];

pub(crate) static SYNTAX: Syntax = Syntax {
    functions: &["function_item", "mod_item"],
    branches: &["if_expression"],
    calls: &["call_expression", "macro_invocation"],
    settings: &["field_initializer"],
    marks: &["attribute_item", "inner_attribute_item"],
    function: fields,
    branch: fork,
    call: callee,
    setting: pair,
    is_test,
    exit,
    caught,
    catching: &["let_declaration", "call_expression"],
};

/// A module of tests, or a function that is one.
fn is_test(node: Node, source: &str) -> bool {
    let mut before = node.prev_named_sibling();
    while let Some(sibling) =
        before.filter(|it| it.kind() == "attribute_item" || it.kind().contains("comment"))
    {
        let mark = text(sibling, source);
        if mark.starts_with("#[")
            && (mark.contains("cfg(test)") || mark.contains("test]") || mark.contains("test("))
        {
            return true;
        }
        before = sibling.prev_named_sibling();
    }
    false
}

fn exit(node: Node, source: &str) -> Option<Exit> {
    match node.kind() {
        "expression_statement" => {
            exit(node.named_child(0).filter(|it| it.kind() != "expression_statement")?, source)
        }
        "return_expression" => {
            let is_error = parts(node).first().is_some_and(|value| is_error(*value, source));
            Some(if is_error { Exit::Error } else { Exit::Leave })
        }
        "macro_invocation" => {
            let name = text(node.child_by_field_name("macro")?, source);
            MACROS.contains(&name).then_some(Exit::Error)
        }
        "call_expression" if is_error(node, source) => {
            let block = node.parent().filter(|it| it.kind() == "block")?;
            (block.end_byte() > node.end_byte()).then_some(Exit::Error)
        }
        _ => None,
    }
}

fn is_error(value: Node, source: &str) -> bool {
    let content = text(value, source);
    value.kind() == "call_expression" && (content.starts_with("Err(") || content.starts_with("Some(Err("))
}

fn caught<'t, 's>(node: Node<'t>, source: &'s str) -> Option<CaughtError<'t, 's>> {
    if node.kind() == "let_declaration" {
        let (pattern, value) = (node.child_by_field_name("pattern")?, node.child_by_field_name("value")?);
        if let Some(block) = node.child_by_field_name("alternative") {
            return Some(CaughtError::Guard { condition: value, block });
        }
        let is_call = matches!(value.kind(), "call_expression" | "await_expression" | "reference_expression");
        return (text(pattern, source) == "_" && is_call)
            .then_some(CaughtError::Drop { call: value, how: "`let _ =`" });
    }
    let callee = node.child_by_field_name("function")?;
    let method = text(callee.child_by_field_name("field")?, source);
    let (_, how) = DROPPING.iter().find(|(name, _)| *name == method)?;
    Some(CaughtError::Drop { call: callee.child_by_field_name("value")?, how })
}
