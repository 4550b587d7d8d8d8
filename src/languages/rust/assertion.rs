//! Assertions in Rust: the macros of the standard library and of crates that stand for them.

use tree_sitter::Node;

use crate::languages::testing::outline::SkipCondition;
use crate::languages::testing::outline_builder::AssertionSpan;
use crate::languages::testing::skip_condition::{holds, when};
use crate::languages::tree::text;

pub(super) fn assertion(node: Node, source: &str) -> Option<AssertionSpan> {
    match node.kind() {
        "macro_invocation" => {
            let name = text(node.child_by_field_name("macro")?, source);
            let tokens = node.named_child(node.named_child_count().checked_sub(1)?.try_into().ok()?)?;
            is_assertion(name).then(|| AssertionSpan::at(node, is_trivial(name, text(tokens, source))))?
        }
        // A method such as `expect![[..]].assert_eq(..)`, or a function of the project's own.
        "call_expression" => {
            let callee = text(node.child_by_field_name("function")?, source);
            let path = callee.split("::<").next().unwrap_or(callee);
            let name = path.rsplit(['.', ':']).next().unwrap_or(path);
            ["assert", "check_", "verify_", "expect_"]
                .iter()
                .any(|word| name.starts_with(word))
                .then(|| AssertionSpan::at(node, false))?
        }
        // Inside the tokens of another macro.
        "identifier" => {
            let rest = source.get(node.end_byte()..)?;
            let name = text(node, source);
            if !is_assertion(name) || !rest.starts_with('!') {
                return None;
            }
            let arguments = node.next_sibling()?.next_sibling()?;
            Some(AssertionSpan {
                start: node.start_byte(),
                end: arguments.end_byte(),
                trivial: is_trivial(name, text(arguments, source)),
            })
        }
        _ => None,
    }
}

fn is_assertion(path: &str) -> bool {
    let name = path.rsplit("::").next().unwrap_or(path);
    ["assert", "debug_assert", "prop_assert", "check"].iter().any(|word| name.starts_with(word))
        || matches!(name, "panic" | "unreachable")
}

fn is_trivial(path: &str, arguments: &str) -> bool {
    let inside = arguments.get(1..arguments.len().saturating_sub(1)).unwrap_or_default().trim();
    let name = path.rsplit("::").next().unwrap_or(path);
    let is_literal = |text: &str| {
        text.parse::<f64>().is_ok()
            || matches!(text, "true" | "false" | "()")
            || (text.starts_with('"') && text.ends_with('"'))
    };
    match name {
        "assert" | "debug_assert" | "prop_assert" => {
            let condition = inside.split(", \"").next().unwrap_or(inside).trim_end_matches(',').trim();
            holds(condition) || when(condition) == Some(SkipCondition::Always)
        }
        "assert_eq" | "debug_assert_eq" | "prop_assert_eq" => {
            let mut sides = inside.splitn(3, ',').map(str::trim);
            matches!((sides.next(), sides.next()), (Some(left), Some(right)) if left == right && is_literal(left))
        }
        _ => false,
    }
}
