//! How C# writes functions, guards and handlers.

use tree_sitter::Node;

use crate::languages::code::{CaughtError, Exit, FunctionNodes, Syntax, body_range, callee, fork, pair};
use crate::languages::tree::{parts, text};

/// Kinds of errors that are about everything.
const ALL: &[&str] = &["", "Exception", "System.Exception"];

pub(crate) static SYNTAX: Syntax = Syntax {
    functions: &[
        "method_declaration",
        "constructor_declaration",
        "local_function_statement",
        "accessor_declaration",
        "property_declaration",
        "operator_declaration",
        "conversion_operator_declaration",
    ],
    branches: &["if_statement"],
    calls: &["invocation_expression"],
    settings: &["assignment_expression", "argument", "attribute_argument"],
    marks: &["attribute_list", "preproc_pragma", "preproc_nullable", "preproc_nullable_directive"],
    function,
    branch: fork,
    call: callee,
    setting,
    is_test: |_, _| false,
    exit,
    caught,
    catching: &["catch_clause", "assignment_expression"],
};

/// An accessor is called like its property, an operator like its sign.
fn function<'t>(node: Node<'t>, _source: &str) -> Option<FunctionNodes<'t>> {
    let body = node.child_by_field_name("body");
    let (name, body) = match node.kind() {
        "accessor_declaration" => (node.parent()?.parent()?.child_by_field_name("name")?, body?),
        "property_declaration" => {
            let value = node.child_by_field_name("value").filter(|it| it.kind() == "arrow_expression_clause");
            (node.child_by_field_name("name")?, value?)
        }
        "operator_declaration" => (node.child_by_field_name("operator")?, body?),
        "conversion_operator_declaration" => (node.child_by_field_name("type")?, body?),
        _ => (node.child_by_field_name("name")?, body?),
    };
    Some(FunctionNodes { name, body })
}

fn setting(node: Node) -> Option<(Node, Node)> {
    if node.kind() == "assignment_expression" {
        return pair(node);
    }
    let name = node.child_by_field_name("name")?;
    let value = node.named_child(1)?;
    Some((name, value))
}

fn exit(node: Node, source: &str) -> Option<Exit> {
    match node.kind() {
        "throw_statement" | "throw_expression" => Some(Exit::Error),
        "return_statement" => Some(Exit::Leave),
        "expression_statement" => text(node, source).starts_with("Environment.Exit(").then_some(Exit::Error),
        _ => None,
    }
}

fn caught<'t, 's>(node: Node<'t>, source: &'s str) -> Option<CaughtError<'t, 's>> {
    if node.kind() == "assignment_expression" {
        let (name, value) = pair(node)?;
        let drops = text(name, source) == "_" && value.kind() == "invocation_expression";
        return drops.then_some(CaughtError::Drop { call: value, how: "`_ =`" });
    }
    let head = parts(node).into_iter().find(|it| it.kind() == "catch_declaration");
    let caught = head.and_then(|it| it.child_by_field_name("type")).map(|it| text(it, source));
    let caught = caught.unwrap_or_default();
    Some(CaughtError::Handler {
        caught,
        broad: ALL.contains(&caught),
        body: node.child_by_field_name("body"),
        watched: body_range(node.parent()),
    })
}
