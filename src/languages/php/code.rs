//! How PHP writes functions, guards and handlers.

use tree_sitter::Node;

use crate::languages::code::{
    BranchNodes, Callee, CaughtError, Exit, FunctionNodes, Syntax, body_range, pair,
};
use crate::languages::tree::{parts, text};

/// Kinds of errors that are about everything.
const ALL: &[&str] = &["Exception", "Throwable", "Error"];

pub(crate) static SYNTAX: Syntax = Syntax {
    functions: &["method_declaration", "function_definition", "anonymous_function", "arrow_function"],
    branches: &["if_statement"],
    calls: &[
        "function_call_expression",
        "member_call_expression",
        "nullsafe_member_call_expression",
        "scoped_call_expression",
        "exit_statement",
    ],
    settings: &["array_element_initializer", "assignment_expression", "arguments", "argument"],
    marks: &["attribute_list"],
    function,
    branch,
    call,
    setting,
    is_test: |_, _| false,
    exit,
    caught,
    catching: &["catch_clause", "error_suppression_expression"],
};

/// A closure is called like the variable that holds it.
fn function<'t>(node: Node<'t>, _source: &str) -> Option<FunctionNodes<'t>> {
    let held = || {
        let holder = node.parent().filter(|it| it.kind() == "assignment_expression")?;
        holder.child_by_field_name("left")
    };
    let name = node.child_by_field_name("name").or_else(held)?;
    Some(FunctionNodes { name, body: node.child_by_field_name("body")? })
}

fn branch<'t>(node: Node<'t>, _source: &str) -> Option<BranchNodes<'t>> {
    let condition = node.child_by_field_name("condition")?;
    let block = match node.child_by_field_name("alternative") {
        Some(_) => None,
        None => node.child_by_field_name("body"),
    };
    Some(BranchNodes { condition: (condition, condition), block, negated: false })
}

fn call(node: Node) -> Option<Callee> {
    if node.kind() == "exit_statement" {
        return Some(Callee { name: (node.child(0)?, node.child(0)?), arguments: node.named_child(0) });
    }
    let field = |name| node.child_by_field_name(name);
    let name = field("function").or_else(|| field("name"))?;
    let first = field("object").or_else(|| field("scope")).unwrap_or(name);
    Some(Callee { name: (first, name), arguments: field("arguments") })
}

/// A pair of an array, an assignment, a named argument, or an option that is set by its constant.
fn setting(node: Node) -> Option<(Node, Node)> {
    let inside = parts(node);
    match (node.kind(), &inside[..]) {
        ("array_element_initializer", [name, value]) => Some((*name, *value)),
        ("argument", [name, value]) if node.child_by_field_name("name").is_some() => Some((*name, *value)),
        ("arguments", [_, name, value]) => Some((*name, *value)),
        ("assignment_expression", _) => pair(node),
        _ => None,
    }
}

fn exit(node: Node, source: &str) -> Option<Exit> {
    match node.kind() {
        "expression_statement" => {
            let inner = node.named_child(0)?;
            let ends = inner.kind() == "throw_expression"
                || text(inner, source).starts_with("abort(")
                || (inner.kind() == "exit_statement" && !text(inner, source).contains("(0)"));
            ends.then_some(Exit::Error)
        }
        "throw_expression" => {
            node.parent().is_none_or(|it| it.kind() != "expression_statement").then_some(Exit::Error)
        }
        "return_statement" => Some(Exit::Leave),
        "exit_statement" => Some(Exit::Error),
        _ => None,
    }
}

fn caught<'t, 's>(node: Node<'t>, source: &'s str) -> Option<CaughtError<'t, 's>> {
    if node.kind() == "error_suppression_expression" {
        let call = node.named_child(0).filter(|it| it.kind().ends_with("call_expression"))?;
        return Some(CaughtError::Drop { call, how: "`@`" });
    }
    let caught = text(node.child_by_field_name("type")?, source);
    Some(CaughtError::Handler {
        caught,
        broad: ALL.contains(&caught.trim_start_matches('\\')),
        body: node.child_by_field_name("body"),
        watched: body_range(node.parent()),
    })
}
