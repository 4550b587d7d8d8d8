//! Assertions in Go: methods of the test that fail it, and calls of packages that assert.

use tree_sitter::Node;

use crate::languages::go::claims::{FAILS, failing_branch};
use crate::languages::testing::outline_builder::AssertionSpan;
use crate::languages::testing::skip_condition::holds;
use crate::languages::tree::{parts, text};

/// Packages whose calls assert.
const PACKAGES: &[&str] = &["assert", "require", "is", "qt", "gotest", "check"];

pub(super) fn assertion(node: Node, source: &str) -> Option<AssertionSpan> {
    if node.kind() != "call_expression" {
        return None;
    }
    let callee = node.child_by_field_name("function")?;
    let arguments = node.child_by_field_name("arguments").map(parts).unwrap_or_default();
    let name = text(callee, source);
    let Some(field) = callee.child_by_field_name("field") else {
        let asserts = name == "Expect"
            || ["assert", "expect", "require", "Assert"].iter().any(|it| name.starts_with(it));
        return asserts.then(|| AssertionSpan::at(node, false))?;
    };
    let field = text(field, source);
    let operand = callee.child_by_field_name("operand").map(|it| text(it, source)).unwrap_or_default();
    // `err.Error()` is the text of an error, and no failure.
    let is_text = field == "Error" && arguments.is_empty();
    let asserts = (FAILS.contains(&field) && operand.len() <= 3 && !is_text)
        || PACKAGES.contains(&operand)
        || operand.starts_with("Expect(")
        || operand.starts_with("gomega.")
        || ["Assert", "Require", "assert"].iter().any(|it| field.starts_with(it))
        || operand.ends_with("Require()");
    if !asserts {
        return None;
    }
    let values: Vec<&str> = arguments.iter().map(|it| text(*it, source)).collect();
    let is_literal = |text: &&str| {
        text.parse::<f64>().is_ok() || matches!(*text, "true" | "false" | "nil") || text.starts_with('"')
    };
    let trivial = match (field, &values[..]) {
        ("True", [.., value]) if values.len() <= 2 => holds(value),
        ("Equal" | "EqualValues", [_, left, right, ..]) => left == right && is_literal(left),
        ("NoError" | "Nil", [_, value, ..]) => *value == "nil",
        _ => false,
    };
    // The condition is part of what a branch that fails asserts.
    let branch = failing_branch(node, source)
        .and_then(|it| it.child_by_field_name("initializer").or(it.child_by_field_name("condition")));
    Some(AssertionSpan {
        start: branch.map_or(node.start_byte(), |it| it.start_byte()),
        end: node.end_byte(),
        trivial,
    })
}
