//! How Java writes functions, guards and handlers.

use tree_sitter::Node;

use crate::languages::code::{
    Callee, CaughtError, Exit, FunctionNodes, Syntax, body_range, fields, fork, pair,
};
use crate::languages::tree::{parts, text};

/// Kinds of errors that are about everything.
const ALL: &[&str] = &["Exception", "Throwable", "RuntimeException", "Error"];

pub(crate) static SYNTAX: Syntax = Syntax {
    functions: &[
        "method_declaration",
        "constructor_declaration",
        "compact_constructor_declaration",
        "lambda_expression",
    ],
    branches: &["if_statement"],
    calls: &["method_invocation"],
    settings: &["assignment_expression", "element_value_pair", "variable_declarator"],
    marks: &["annotation", "marker_annotation"],
    function,
    branch: fork,
    call,
    setting: pair,
    is_test: |_, _| false,
    exit,
    caught,
    catching: &["catch_clause"],
};

/// A lambda is called like the variable that holds it.
fn function<'t>(node: Node<'t>, source: &str) -> Option<FunctionNodes<'t>> {
    if node.kind() != "lambda_expression" {
        return fields(node, source);
    }
    let holder = node.parent().filter(|it| it.kind() == "variable_declarator")?;
    Some(FunctionNodes { name: holder.child_by_field_name("name")?, body: node.child_by_field_name("body")? })
}

fn call(node: Node) -> Option<Callee> {
    let name = node.child_by_field_name("name")?;
    let first = node.child_by_field_name("object").unwrap_or(name);
    Some(Callee { name: (first, name), arguments: node.child_by_field_name("arguments") })
}

fn exit(node: Node, source: &str) -> Option<Exit> {
    match node.kind() {
        "throw_statement" => Some(Exit::Error),
        "return_statement" => Some(Exit::Leave),
        "expression_statement" => text(node, source).starts_with("System.exit(").then_some(Exit::Error),
        _ => None,
    }
}

fn caught<'t, 's>(node: Node<'t>, source: &'s str) -> Option<CaughtError<'t, 's>> {
    let head = parts(node).into_iter().find(|it| it.kind() == "catch_formal_parameter")?;
    let kinds = parts(head).into_iter().find(|it| it.kind() == "catch_type");
    let caught = kinds.map(|it| text(it, source)).unwrap_or_default();
    let last = caught.rsplit('.').next().unwrap_or(caught);
    Some(CaughtError::Handler {
        caught,
        broad: ALL.contains(&last),
        body: node.child_by_field_name("body"),
        watched: body_range(node.parent()),
    })
}
