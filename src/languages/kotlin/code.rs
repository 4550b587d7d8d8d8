//! How Kotlin writes functions, guards and handlers.

use tree_sitter::Node;

use crate::languages::code::{BranchNodes, Callee, CaughtError, Exit, FunctionNodes, Syntax};
use crate::languages::tree::{has_else, parts, text};

/// Kinds of errors that are about everything.
const ALL: &[&str] = &["Exception", "Throwable", "RuntimeException", "Error"];

pub(crate) static SYNTAX: Syntax = Syntax {
    functions: &[
        "function_declaration",
        "getter",
        "setter",
        "secondary_constructor",
        "anonymous_initializer",
    ],
    branches: &["if_expression"],
    calls: &["call_expression"],
    settings: &["assignment", "value_argument", "property_declaration"],
    marks: &["annotation", "file_annotation"],
    function,
    branch,
    call,
    setting,
    is_test: |_, _| false,
    exit,
    caught,
    catching: &["catch_block", "call_expression"],
};

/// A getter is called like its property.
fn function<'t>(node: Node<'t>, _source: &str) -> Option<FunctionNodes<'t>> {
    let find = |kinds: &[&str]| parts(node).into_iter().find(|it| kinds.contains(&it.kind()));
    let body = find(&["function_body", "block"])?;
    let name = match node.kind() {
        "getter" | "setter" => {
            let property = node.prev_named_sibling().or_else(|| node.parent())?;
            let holder = if property.kind() == "property_declaration" { property } else { node.parent()? };
            let variable = parts(holder).into_iter().find(|it| it.kind() == "variable_declaration")?;
            variable.named_child(0)?
        }
        "anonymous_initializer" => node.child(0)?,
        "secondary_constructor" => find(&["function_value_parameters"])?,
        _ => node.child_by_field_name("name")?,
    };
    Some(FunctionNodes { name, body })
}

fn branch<'t>(node: Node<'t>, _source: &str) -> Option<BranchNodes<'t>> {
    let condition = node.child_by_field_name("condition")?;
    let block = parts(node).into_iter().find(|it| it.id() != condition.id());
    Some(BranchNodes {
        condition: (condition, condition),
        block: block.filter(|_| !has_else(node)),
        negated: false,
    })
}

fn call(node: Node) -> Option<Callee> {
    let inside = parts(node);
    let callee = *inside.first()?;
    let arguments = inside.get(1).copied();
    Some(Callee { name: (callee, callee), arguments })
}

fn setting(node: Node) -> Option<(Node, Node)> {
    if let (Some(left), Some(right)) = (node.child_by_field_name("left"), node.child_by_field_name("right")) {
        return Some((left, right));
    }
    match parts(node)[..] {
        [name, value] if matches!(name.kind(), "identifier" | "variable_declaration") => Some((name, value)),
        _ => None,
    }
}

fn exit(node: Node, source: &str) -> Option<Exit> {
    match node.kind() {
        "throw_expression" => Some(Exit::Error),
        "return_expression" => Some(Exit::Leave),
        "call_expression" => {
            let content = text(node, source);
            let ends = content.starts_with("error(") || content.starts_with("exitProcess(");
            (ends && !is_within_value(node)).then_some(Exit::Error)
        }
        _ => None,
    }
}

/// Whether an expression is only a part of another.
fn is_within_value(node: Node) -> bool {
    node.parent()
        .is_some_and(|it| matches!(it.kind(), "navigation_expression" | "value_argument" | "call_expression"))
}

fn caught<'t, 's>(node: Node<'t>, source: &'s str) -> Option<CaughtError<'t, 's>> {
    if node.kind() == "call_expression" {
        let callee = *parts(node).first()?;
        let inner = parts(callee);
        let ([call, method], "navigation_expression") = (&inner[..], callee.kind()) else { return None };
        let drops = text(*method, source) == "getOrNull" && text(*call, source).starts_with("runCatching");
        let (watched, body) = (call.byte_range(), None);
        return drops.then_some(CaughtError::Handler { caught: "", broad: true, body, watched });
    }
    let inside = parts(node);
    let kind = inside.iter().find(|it| it.kind().ends_with("type"));
    let caught = kind.map(|it| text(*it, source)).unwrap_or_default();
    let body = inside.iter().find(|it| it.kind() == "block").copied();
    let watched = node.parent().and_then(|it| parts(it).into_iter().find(|part| part.kind() == "block"));
    Some(CaughtError::Handler {
        caught,
        broad: ALL.contains(&caught),
        body,
        watched: watched.map(|it| it.byte_range()).unwrap_or_default(),
    })
}
