//! What asserts in Python: the statement, and the methods of unittest, pytest and mock.

use tree_sitter::Node;

use crate::languages::testing::outline_builder::AssertionSpan;
use crate::languages::testing::skip_condition::{constant, holds};
use crate::languages::tree::{parts, text};

pub(super) fn assertion(node: Node, source: &str) -> Option<AssertionSpan> {
    match node.kind() {
        "assert_statement" => {
            AssertionSpan::at(node, parts(node).first().is_some_and(|it| is_true(*it, source)))
        }
        "call" => {
            let name = text(node.child_by_field_name("function")?, source);
            let last = name.rsplit('.').next().unwrap_or(name);
            let asserts = last.trim_start_matches('_').starts_with("assert")
                || (name == last
                    && ["check_", "verify_", "ensure_", "expect_"].iter().any(|word| name.starts_with(word)))
                || matches!(
                    name,
                    "pytest.raises"
                        | "pytest.warns"
                        | "pytest.fail"
                        | "self.fail"
                        | "raises"
                        | "fail"
                        | "expect"
                )
                || (name.starts_with("self.") && last.starts_with("fail"))
                || is_golden(name);
            if !asserts {
                return None;
            }
            let arguments = node.child_by_field_name("arguments").map(parts).unwrap_or_default();
            let trivial = match (last, &arguments[..]) {
                ("assertTrue", [it, ..]) => is_true(*it, source),
                ("assertFalse", [it, ..]) => constant(text(*it, source)) == Some(false),
                ("assertEqual" | "assertEquals" | "assertIs", [left, right, ..]) => {
                    is_literal(*left) && text(*left, source) == text(*right, source)
                }
                _ => false,
            };
            AssertionSpan::at(node, trivial)
        }
        _ => None,
    }
}

/// Whether a call compares with a file that stands beside the test, as fixtures of golden files do.
fn is_golden(name: &str) -> bool {
    let Some((holder, last)) = name.rsplit_once('.') else { return name == "verify" };
    holder.ends_with("_regression") && last == "check"
        || holder == "approvaltests" && last.starts_with("verify")
        || matches!(holder, "golden" | "approvals") && last.starts_with("verify")
}

fn is_literal(node: Node) -> bool {
    matches!(node.kind(), "integer" | "float" | "string" | "true" | "false" | "none")
}

/// Whether an expression holds whatever the code under test does.
fn is_true(node: Node, source: &str) -> bool {
    match node.kind() {
        "true" => true,
        "integer" => text(node, source) != "0",
        "string" => !text(node, source).trim_matches(['"', '\'']).is_empty(),
        "parenthesized_expression" => node.named_child(0).is_some_and(|it| it.kind() == "true"),
        // A tuple with anything in it is true: `assert (x == 1, "message")`.
        "tuple" => node.named_child_count() > 0,
        "boolean_operator" => text(node, source).ends_with("or True"),
        "comparison_operator" if holds(text(node, source)) => true,
        "comparison_operator" => match parts(node)[..] {
            [left, right] => {
                is_literal(left)
                    && text(left, source) == text(right, source)
                    && text(node, source).contains("==")
            }
            _ => false,
        },
        _ => false,
    }
}
