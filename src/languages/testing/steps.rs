//! The statements of a test's body as far as they can end the test, in the grammars of the class-based languages.
//!
//! A statement is followed a bounded number of levels; what can't be read ends nothing.

use tree_sitter::Node;

use crate::languages::assertions::calls::{CallParts, call};
use crate::languages::testing::outline_builder::{OutlineBuilder, OutlineStep};
use crate::languages::testing::skip_condition::constant;
use crate::languages::tree::{has_else, parts};

/// How a call skips the test that it stands in.
pub(crate) enum Skipping {
    /// Whenever it is reached.
    Always,
    /// When its first argument holds.
    When,
    /// Unless its first argument holds.
    Unless,
}

/// Reads a statement of a body as far as it can end a test. `skips` names the calls that do.
pub(crate) fn step(sketch: &OutlineBuilder, node: Node, skips: &[(&str, Skipping)]) -> OutlineStep {
    step_within(sketch, node, skips, 0)
}

fn step_within(sketch: &OutlineBuilder, node: Node, skips: &[(&str, Skipping)], depth: usize) -> OutlineStep {
    let inner = |node: Option<Node>| match node {
        Some(node) if depth < 8 => step_within(sketch, node, skips, depth + 1),
        _ => OutlineStep::Other,
    };
    match node.kind() {
        "return_statement" | "return_expression" => OutlineStep::Return,
        "control_transfer_statement" if sketch.text(node).starts_with("return") => OutlineStep::Return,
        "throw_statement"
        | "throw_expression"
        | "control_transfer_statement"
        | "expression_statement"
        | "try_expression"
        | "await_expression" => inner(parts(node).last().copied()),
        // `GTEST_SKIP() << "why"`.
        "binary_expression" => inner(node.child_by_field_name("left")),
        "if_statement" | "if_expression" if !has_else(node) => branch(sketch, node, inner),
        _ => call(node, sketch.source).map_or(OutlineStep::Other, |call| call_step(sketch, &call, skips)),
    }
}

fn branch<'t>(
    sketch: &OutlineBuilder,
    node: Node<'t>,
    read: impl Fn(Option<Node<'t>>) -> OutlineStep,
) -> OutlineStep {
    let condition = node.child_by_field_name("condition");
    let field = node.child_by_field_name("consequence").or_else(|| node.child_by_field_name("body"));
    let body = field.or_else(|| parts(node).last().copied().filter(|it| Some(*it) != condition));
    let steps = body.map(statements).unwrap_or_default().into_iter().map(|it| read(Some(it)));
    match steps.into_iter().find(|step| matches!(step, OutlineStep::Skip(_) | OutlineStep::Return)) {
        Some(found) => {
            let condition = condition.map(|it| sketch.text(it)).unwrap_or_default();
            OutlineStep::If(condition.to_owned(), Box::new(found))
        }
        None => OutlineStep::Other,
    }
}

fn call_step(sketch: &OutlineBuilder, call: &CallParts, skips: &[(&str, Skipping)]) -> OutlineStep {
    let receiver = call.receiver.map(|it| sketch.text(it)).unwrap_or_default();
    let owner = receiver.rsplit(['.', '\\']).next().unwrap_or(receiver);
    let is_meant = |known: &str| match known.split_once('.') {
        Some((class, name)) => owner == class && call.name == name,
        None => call.name.rsplit(['.', '\\']).next() == Some(known),
    };
    let Some((known, how)) = skips.iter().find(|(known, _)| is_meant(known)) else {
        return OutlineStep::Other;
    };
    let condition = call.arguments.first().map(|it| sketch.text(*it)).unwrap_or_default();
    let skip = Box::new(OutlineStep::Skip(format!("{known}()")));
    match (how, constant(condition)) {
        (Skipping::Always, _) => *skip,
        (Skipping::When, Some(true)) | (Skipping::Unless, Some(false)) => *skip,
        (Skipping::When | Skipping::Unless, Some(_)) => OutlineStep::Other,
        (Skipping::When, None) => OutlineStep::If(condition.to_owned(), skip),
        (Skipping::Unless, None) => OutlineStep::If(format!("!({condition})"), skip),
    }
}

/// The statements of a body, whatever the grammar puts around them.
pub(crate) fn statements(body: Node) -> Vec<Node> {
    const LISTS: &[&str] =
        &["block", "compound_statement", "statements", "function_body", "do_block", "lambda_literal", "body"];
    let mut node = body;
    for _ in 0..4 {
        if !LISTS.contains(&node.kind()) {
            return vec![node];
        }
        match parts(node)[..] {
            [only] if LISTS.contains(&only.kind()) && node.kind() != "block" => node = only,
            _ => break,
        }
    }
    parts(node)
}
