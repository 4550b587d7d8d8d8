//! The statements of a test's body in JavaScript as far as they skip the test or leave it.

use tree_sitter::Node;

use crate::languages::javascript::chain::chain;
use crate::languages::javascript::words::HOLDERS;
use crate::languages::testing::outline_builder::{OutlineBuilder, OutlineStep};
use crate::languages::tree::{field, parts};

/// Reads a statement of a test's body.
pub(super) fn step(sketch: &OutlineBuilder, node: Node) -> OutlineStep {
    match node.kind() {
        "return_statement" => match parts(node).first().map(|value| call_step(sketch, *value)) {
            Some(OutlineStep::Skip(mark)) => OutlineStep::Skip(mark),
            _ => OutlineStep::Return,
        },
        "expression_statement" => {
            parts(node).first().map_or(OutlineStep::Other, |value| call_step(sketch, *value))
        }
        "if_statement" => {
            let condition = field(node, "condition").map(|it| sketch.text(it)).unwrap_or_default();
            let Some(branch) = field(node, "consequence") else { return OutlineStep::Other };
            let inner = if branch.kind() == "statement_block" { parts(branch) } else { vec![branch] };
            let steps = inner.iter().map(|statement| step(sketch, *statement));
            match steps.into_iter().find(|step| matches!(step, OutlineStep::Skip(_) | OutlineStep::Return)) {
                Some(found) => OutlineStep::If(condition.to_owned(), Box::new(found)),
                None => OutlineStep::Other,
            }
        }
        _ => OutlineStep::Other,
    }
}

/// `this.skip()`, `t.skip()`, `test.skip()`, `pending()`; Playwright's `test.skip(condition, reason)`.
pub(super) fn call_step(sketch: &OutlineBuilder, node: Node) -> OutlineStep {
    let (Some(callee), Some(arguments)) = (field(node, "function"), field(node, "arguments")) else {
        return OutlineStep::Other;
    };
    let Some(chain) = chain(callee, sketch.source) else { return OutlineStep::Other };
    let skips = match chain.members[..] {
        [] => chain.root == "pending",
        [member] => {
            matches!(member, "skip" | "fixme" | "todo")
                && (matches!(chain.root, "this" | "test" | "it") || HOLDERS.contains(&chain.root))
        }
        _ => false,
    };
    if !skips {
        return OutlineStep::Other;
    }
    let skip = OutlineStep::Skip(format!("{}()", sketch.text(callee)));
    match parts(arguments).first() {
        Some(condition)
            if matches!(chain.root, "test" | "it")
                && !matches!(condition.kind(), "string" | "template_string") =>
        {
            OutlineStep::If(sketch.text(*condition).to_owned(), Box::new(skip))
        }
        _ => skip,
    }
}
