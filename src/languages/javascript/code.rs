//! How JavaScript and TypeScript write functions, guards and handlers.

use tree_sitter::Node;

use crate::languages::code::{CaughtError, Exit, FunctionNodes, Syntax, body_range, callee, fork, pair};
use crate::languages::tree::{parts, text};

/// Callbacks that pass an error on.
const PASSES_ON: &[&str] = &["next", "reject", "cb", "callback", "done", "fail"];

pub(crate) static SYNTAX: Syntax = Syntax {
    functions: &[
        "function_declaration",
        "generator_function_declaration",
        "method_definition",
        "arrow_function",
        "function_expression",
    ],
    branches: &["if_statement"],
    calls: &["call_expression"],
    settings: &["pair", "assignment_expression"],
    marks: &[],
    function,
    branch: fork,
    call: callee,
    setting: pair,
    is_test: |_, _| false,
    exit,
    caught,
    catching: &["catch_clause", "call_expression"],
};

fn function<'t>(node: Node<'t>, _source: &str) -> Option<FunctionNodes<'t>> {
    let name = node.child_by_field_name("name").or_else(|| name(node))?;
    Some(FunctionNodes { name, body: node.child_by_field_name("body")? })
}

/// A function without a name of its own is called like what holds it.
fn name(node: Node) -> Option<Node> {
    let holder = node.parent()?;
    match holder.kind() {
        "variable_declarator" => holder.child_by_field_name("name").filter(|it| it.kind() == "identifier"),
        "pair" => holder.child_by_field_name("key"),
        "public_field_definition" | "field_definition" => {
            holder.child_by_field_name("name").or_else(|| holder.child_by_field_name("property"))
        }
        "assignment_expression" => {
            let left = holder.child_by_field_name("left")?;
            Some(left.child_by_field_name("property").unwrap_or(left))
        }
        _ => None,
    }
}

fn exit(node: Node, source: &str) -> Option<Exit> {
    match node.kind() {
        "throw_statement" => Some(Exit::Error),
        "return_statement" => {
            let value = parts(node).first().copied();
            let is_error = value.is_some_and(|value| passes_on(value, source));
            Some(if is_error { Exit::Error } else { Exit::Leave })
        }
        "expression_statement" => {
            let value = node.named_child(0)?;
            passes_on(value, source).then_some(Exit::Error)
        }
        _ => None,
    }
}

/// `next(err)`, `reject(new Error(..))`, `res.status(400)...`, `Promise.reject(..)`.
fn passes_on(value: Node, source: &str) -> bool {
    let callee = match value.kind() {
        "call_expression" => value.child_by_field_name("function"),
        _ => None,
    };
    let Some(callee) = callee else { return false };
    let name = text(callee, source);
    let arguments = value.child_by_field_name("arguments").map(|it| text(it, source)).unwrap_or_default();
    let carries = arguments.len() > 2 && !arguments.starts_with("(null");
    (PASSES_ON.contains(&name) && carries)
        || ["(err)", "(err,", "(error)", "(error,"].iter().any(|word| arguments.starts_with(word))
        || (name.ends_with("reject") && carries)
        || matches!(name, "process.exit" | "settle" | "abort")
        || ["status(4", "status(5", "sendStatus"].iter().any(|word| name.contains(word))
}

fn caught<'t, 's>(node: Node<'t>, source: &'s str) -> Option<CaughtError<'t, 's>> {
    match node.kind() {
        "catch_clause" => Some(CaughtError::Handler {
            caught: "",
            broad: true,
            body: node.child_by_field_name("body"),
            watched: body_range(node.parent()),
        }),
        "call_expression" => {
            let callee = node.child_by_field_name("function")?;
            let property = callee.child_by_field_name("property")?;
            if text(property, source) != "catch" {
                return None;
            }
            let function = *parts(node.child_by_field_name("arguments")?).first()?;
            if !matches!(function.kind(), "arrow_function" | "function_expression") {
                return None;
            }
            Some(CaughtError::Handler {
                caught: "",
                broad: true,
                body: function.child_by_field_name("body"),
                watched: callee.child_by_field_name("object").map(|it| it.byte_range()).unwrap_or_default(),
            })
        }
        _ => None,
    }
}
