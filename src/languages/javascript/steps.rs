//! The statements of a test's body in JavaScript as far as they skip the test or leave it.

use tree_sitter::Node;

use crate::languages::javascript::chain::chain;
use crate::languages::javascript::words::HOLDERS;
use crate::languages::testing::outline_builder::{Sketch, Step};
use crate::languages::tree::parts;

/// Reads a statement of a test's body.
pub(super) fn step(sketch: &Sketch, node: Node) -> Step {
    match node.kind() {
        "return_statement" => match parts(node).first().map(|value| call_step(sketch, *value)) {
            Some(Step::Skip(mark)) => Step::Skip(mark),
            _ => Step::Return,
        },
        "expression_statement" => parts(node).first().map_or(Step::Other, |value| call_step(sketch, *value)),
        "if_statement" => {
            let condition =
                node.child_by_field_name("condition").map(|it| sketch.text(it)).unwrap_or_default();
            let Some(branch) = node.child_by_field_name("consequence") else { return Step::Other };
            let inner = if branch.kind() == "statement_block" { parts(branch) } else { vec![branch] };
            let steps = inner.iter().map(|statement| step(sketch, *statement));
            match steps.into_iter().find(|step| matches!(step, Step::Skip(_) | Step::Return)) {
                Some(found) => Step::If(condition.to_owned(), Box::new(found)),
                None => Step::Other,
            }
        }
        _ => Step::Other,
    }
}

/// `this.skip()`, `t.skip()`, `test.skip()`, `pending()`; Playwright's `test.skip(condition, reason)`.
pub(super) fn call_step(sketch: &Sketch, node: Node) -> Step {
    let (Some(callee), Some(arguments)) =
        (node.child_by_field_name("function"), node.child_by_field_name("arguments"))
    else {
        return Step::Other;
    };
    let Some(chain) = chain(callee, sketch.source) else { return Step::Other };
    let skips = match chain.members[..] {
        [] => chain.root == "pending",
        [member] => {
            matches!(member, "skip" | "fixme" | "todo")
                && (matches!(chain.root, "this" | "test" | "it") || HOLDERS.contains(&chain.root))
        }
        _ => false,
    };
    if !skips {
        return Step::Other;
    }
    let skip = Step::Skip(format!("{}()", sketch.text(callee)));
    match parts(arguments).first() {
        Some(condition)
            if matches!(chain.root, "test" | "it")
                && !matches!(condition.kind(), "string" | "template_string") =>
        {
            Step::If(sketch.text(*condition).to_owned(), Box::new(skip))
        }
        _ => skip,
    }
}
