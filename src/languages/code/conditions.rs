//! Which conditions are decided by a constant among their operands.

use tree_sitter::Node;

use crate::languages::testing::skip_condition::{constant, holds};
use crate::languages::tree::{parts, text};

/// The constant that a condition is because of a constant among its operands.
pub(super) fn fixed(node: Node, source: &str, depth: usize) -> Option<bool> {
    let content = text(node, source);
    if content.len() < 24
        && let Some(value) = constant(content)
    {
        return Some(value);
    }
    if depth > 8 {
        return None;
    }
    // A count is never less than nothing: `rows.length >= 0`.
    if content.len() < 60 && !content.contains("||") && holds(content) {
        return Some(true);
    }
    match node.kind() {
        "parenthesized_expression" | "condition_clause" | "tuple_expression" => {
            fixed(node.named_child(0)?, source, depth + 1)
        }
        "binary_expression"
        | "boolean_operator"
        | "conjunction_expression"
        | "disjunction_expression"
        | "binary_operator" => {
            let field = |names: [&str; 2]| names.into_iter().find_map(|name| node.child_by_field_name(name));
            let operator = text(field(["operator", "op"])?, source);
            let sides = [field(["left", "lhs"])?, field(["right", "rhs"])?];
            let absorbing = match operator {
                "&&" | "and" => false,
                "||" | "or" => true,
                _ => return None,
            };
            sides
                .into_iter()
                .any(|side| fixed(side, source, depth + 1) == Some(absorbing))
                .then_some(absorbing)
        }
        // Dart's sides have no names.
        "logical_and_expression" | "logical_or_expression" => {
            let absorbing = node.kind() == "logical_or_expression";
            parts(node)
                .into_iter()
                .any(|side| fixed(side, source, depth + 1) == Some(absorbing))
                .then_some(absorbing)
        }
        _ => None,
    }
}
