//! How Scala writes functions, guards and handlers.

use tree_sitter::Node;

use crate::languages::code::{Callee, CaughtError, Exit, Syntax, fields, fork};
use crate::languages::tree::text;

/// Kinds of errors that are about everything.
const ALL: &[&str] = &["Exception", "Throwable", "RuntimeException", "NonFatal", "Error"];
/// What makes nothing or a default of a `Try` that failed.
const FORGETTING: &[&str] = &["toOption", "getOrElse"];

pub(crate) static SYNTAX: Syntax = Syntax {
    functions: &["function_definition"],
    branches: &["if_expression"],
    calls: &["call_expression"],
    settings: &["val_definition", "var_definition", "assignment_expression"],
    marks: &["annotation"],
    function: fields,
    branch: fork,
    call,
    setting,
    is_test: |_, _| false,
    exit,
    caught,
    catching: &["case_clause", "field_expression"],
};

fn call(node: Node) -> Option<Callee> {
    let name = node.child_by_field_name("function")?;
    Some(Callee { name: (name, name), arguments: node.child_by_field_name("arguments") })
}

fn setting(node: Node) -> Option<(Node, Node)> {
    let field = |names: [&str; 2]| names.iter().find_map(|name| node.child_by_field_name(name));
    Some((field(["pattern", "left"])?, field(["value", "right"])?))
}

fn exit(node: Node, source: &str) -> Option<Exit> {
    match node.kind() {
        "throw_expression" => Some(Exit::Error),
        "return_expression" => Some(Exit::Leave),
        "call_expression" => {
            let content = text(node, source);
            (content.starts_with("sys.error(") || content.starts_with("sys.exit(")).then_some(Exit::Error)
        }
        _ => None,
    }
}

/// A case of a `catch`, and a `Try` whose error is forgotten.
fn caught<'t, 's>(node: Node<'t>, source: &'s str) -> Option<CaughtError<'t, 's>> {
    if node.kind() == "field_expression" {
        let call = node.child_by_field_name("value").filter(|it| it.kind() == "call_expression")?;
        let forgets = FORGETTING.contains(&text(node.child_by_field_name("field")?, source));
        let is_try = text(call.child_by_field_name("function")?, source) == "Try";
        let watched = call.child_by_field_name("arguments")?.byte_range();
        return (forgets && is_try).then_some(CaughtError::Handler {
            caught: "",
            broad: true,
            body: None,
            watched,
        });
    }
    let clause = node.parent()?.parent().filter(|it| it.kind() == "catch_clause")?;
    let watched = clause.parent()?.child_by_field_name("body")?.byte_range();
    let pattern = node.child_by_field_name("pattern")?;
    let kind = pattern.child_by_field_name("type");
    let caught = kind.map(|it| text(it, source)).unwrap_or_default();
    let broad = ALL.contains(&caught) || matches!(pattern.kind(), "wildcard" | "identifier");
    Some(CaughtError::Handler { caught, broad, body: body(node), watched })
}

/// What a case does: what throws, or else what it gives.
fn body(clause: Node) -> Option<Node> {
    let mut cursor = clause.walk();
    let all: Vec<Node> =
        clause.children_by_field_name("body", &mut cursor).filter(|it| it.is_named()).collect();
    all.iter().find(|it| it.kind() == "throw_expression").or(all.last()).copied()
}
