//! How Dart writes functions, guards and handlers.

use tree_sitter::Node;

use crate::languages::code::{Callee, CaughtError, Exit, FunctionNodes, Syntax, fork};
use crate::languages::tree::{parts, text};

/// Kinds of errors that are about everything.
const ALL: &[&str] = &["", "Object", "Exception", "Error", "dynamic"];
/// Calls that leave with an error, or end the process.
const ENDS: &[&str] = &["Error.throwWithStackTrace(", "exit("];
/// What a `return` gives that is an error.
const GIVEN: &[&str] = &["Future.error(", "Stream.error("];
/// What handles the error of a future.
const HANDLING: &[&str] = &["catchError", "onError"];
/// How deep the name of a function stands in its signature.
const DEEPEST: usize = 4;

pub(crate) static SYNTAX: Syntax = Syntax {
    functions: &[
        "function_declaration",
        "getter_declaration",
        "setter_declaration",
        "local_function_declaration",
        "method_declaration",
    ],
    branches: &["if_statement"],
    calls: &[
        "call_expression",
        "cascade_call_expression",
        "const_object_expression",
        "constructor_invocation",
        "new_expression",
    ],
    settings: &[
        "assignment_expression",
        "field_initializer",
        "initialized_identifier",
        "initialized_variable_declaration",
        "map_element",
        "named_argument",
        "static_final_declaration",
    ],
    marks: &["annotation"],
    function,
    branch: fork,
    call,
    setting,
    is_test: |_, _| false,
    exit,
    caught,
    catching: &["catch_clause", "type", "call_expression"],
};

/// The name stands in the signature; a constructor is called by its last name.
fn function<'t>(node: Node<'t>, _source: &str) -> Option<FunctionNodes<'t>> {
    let body = parts(node).into_iter().rfind(|it| it.kind() == "function_body")?;
    Some(FunctionNodes { name: name_of(node)?, body })
}

/// The name of a function that is declared.
pub(super) fn name_of(node: Node) -> Option<Node> {
    let mut signature = node;
    for _ in 0..DEEPEST {
        let mut cursor = signature.walk();
        let named: Vec<Node> = signature.children_by_field_name("name", &mut cursor).collect();
        if let Some(last) = named.into_iter().rfind(|it| it.kind() == "identifier") {
            return Some(last);
        }
        if let Some(operator) = signature.child_by_field_name("operator") {
            return Some(operator);
        }
        signature = parts(signature).into_iter().find(|it| it.kind().ends_with("signature"))?;
    }
    None
}

fn call(node: Node) -> Option<Callee> {
    let field = |name| node.child_by_field_name(name);
    let name = field("function").or_else(|| field("property")).or_else(|| field("type"))?;
    Some(Callee { name: (name, name), arguments: field("arguments") })
}

fn setting(node: Node) -> Option<(Node, Node)> {
    let field = |names: [&str; 3]| names.into_iter().find_map(|name| node.child_by_field_name(name));
    if node.kind() == "named_argument" {
        return match parts(node)[..] {
            [label, value] => Some((label, value)),
            _ => None,
        };
    }
    Some((field(["name", "left", "key"])?, field(["value", "right", "value"])?))
}

fn exit(node: Node, source: &str) -> Option<Exit> {
    match node.kind() {
        "expression_statement" => {
            let inner = node.named_child(0)?;
            let content = text(inner, source);
            let ends = inner.kind() == "throw_expression" || ENDS.iter().any(|it| content.starts_with(it));
            (ends && content != "exit(0)").then_some(Exit::Error)
        }
        // What throws as a statement is counted there.
        "throw_expression" => {
            node.parent().is_none_or(|it| it.kind() != "expression_statement").then_some(Exit::Error)
        }
        "rethrow_statement" => Some(Exit::Error),
        "return_statement" => {
            let value = parts(node).first().map(|it| text(*it, source)).unwrap_or_default();
            let is_error = GIVEN.iter().any(|it| value.starts_with(it));
            Some(if is_error { Exit::Error } else { Exit::Leave })
        }
        _ => None,
    }
}

/// `on X catch (e) { … }`, `catch (_) { … }`, `on X { … }`, `f().catchError((_) => 0)`, `f().ignore()`.
fn caught<'t, 's>(node: Node<'t>, source: &'s str) -> Option<CaughtError<'t, 's>> {
    if node.kind() == "call_expression" {
        return of_future(node, source);
    }
    let around = node.parent().filter(|it| it.kind() == "try_statement")?;
    let next = node.next_named_sibling()?;
    let kind = match node.kind() {
        // The type of `on X catch (e)`: its clause is asked.
        "type" if next.kind() == "catch_clause" => return None,
        "type" => Some(node),
        _ => node.prev_named_sibling().filter(|it| it.kind() == "type"),
    };
    let caught = kind.map(|it| text(it, source)).unwrap_or_default();
    Some(CaughtError::Handler {
        caught,
        broad: ALL.contains(&caught),
        body: block_behind(node),
        watched: around.child_by_field_name("body")?.byte_range(),
    })
}

/// The block of a handler, which stands behind its head.
pub(crate) fn block_behind(head: Node) -> Option<Node> {
    let mut next = head.next_named_sibling();
    while let Some(node) = next.filter(|it| it.kind().contains("comment")) {
        next = node.next_named_sibling();
    }
    next.filter(|it| it.kind() == "block")
}

fn of_future<'t, 's>(node: Node<'t>, source: &'s str) -> Option<CaughtError<'t, 's>> {
    let member = node.child_by_field_name("function").filter(|it| it.kind() == "member_expression")?;
    let (name, call) = (member.child_by_field_name("property")?, member.child_by_field_name("object")?);
    let name = text(name, source);
    if name == "ignore" && call.kind() == "call_expression" {
        return Some(CaughtError::Drop { call, how: "`.ignore()`" });
    }
    if !HANDLING.contains(&name) {
        return None;
    }
    let arguments = parts(node.child_by_field_name("arguments")?);
    let closure = arguments.first().filter(|it| it.kind() == "function_expression")?;
    // `test:` says which errors it takes.
    let is_chosen = arguments.iter().any(|it| text(*it, source).starts_with("test:"));
    let inside = parts(closure.child_by_field_name("body")?);
    Some(CaughtError::Handler {
        caught: "",
        broad: !is_chosen,
        body: inside.first().copied(),
        watched: call.byte_range(),
    })
}
