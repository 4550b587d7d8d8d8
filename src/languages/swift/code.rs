//! How Swift writes functions, guards and handlers.

use tree_sitter::Node;

use crate::languages::code::{BranchNodes, Callee, CaughtError, Exit, FunctionNodes, Syntax};
use crate::languages::tree::{has_else, parts, text};

/// Calls that end the process.
const ENDS: &[&str] = &["fatalError(", "preconditionFailure(", "exit("];

pub(crate) static SYNTAX: Syntax = Syntax {
    functions: &[
        "function_declaration",
        "init_declaration",
        "deinit_declaration",
        "computed_property",
        "subscript_declaration",
    ],
    branches: &["if_statement", "guard_statement"],
    calls: &["call_expression"],
    settings: &["assignment", "value_argument"],
    marks: &["attribute"],
    function,
    branch,
    call,
    setting,
    is_test: |_, _| false,
    exit,
    caught,
    catching: &["catch_block", "try_expression"],
};

/// A computed property is called like the property.
fn function<'t>(node: Node<'t>, _source: &str) -> Option<FunctionNodes<'t>> {
    if node.kind() == "computed_property" {
        return Some(FunctionNodes { name: node.parent()?.child_by_field_name("name")?, body: node });
    }
    Some(FunctionNodes { name: node.child_by_field_name("name")?, body: node.child_by_field_name("body")? })
}

/// A condition of several parts is taken as a whole.
fn branch<'t>(node: Node<'t>, _source: &str) -> Option<BranchNodes<'t>> {
    let inside = parts(node);
    let block = inside.iter().find(|it| it.kind() == "statements").copied();
    let end = block.map_or(node.end_byte(), |it| it.start_byte());
    let first = *inside.first().filter(|it| it.kind() != "statements")?;
    let last =
        *inside.iter().rfind(|it| it.end_byte() <= end && !matches!(it.kind(), "statements" | "else"))?;
    let negated = node.kind() == "guard_statement";
    let block = block.filter(|_| negated || !has_else(node));
    Some(BranchNodes { condition: (first, last), block, negated })
}

fn call(node: Node) -> Option<Callee> {
    let inside = parts(node);
    let callee = *inside.first()?;
    let arguments = inside.get(1).copied();
    Some(Callee { name: (callee, callee), arguments })
}

fn setting(node: Node) -> Option<(Node, Node)> {
    let field = |name| node.child_by_field_name(name);
    let name = field("target").or_else(|| field("name"))?;
    Some((name, field("result").or_else(|| field("value"))?))
}

/// Whether the value of a `return` stands in the next line, further in.
fn goes_on(node: Node, content: &str) -> bool {
    let next = node.next_named_sibling();
    content.trim() == "return"
        && next.is_some_and(|it| it.start_position().column > node.start_position().column)
}

fn exit(node: Node, source: &str) -> Option<Exit> {
    match node.kind() {
        "control_transfer_statement" => {
            let content = text(node, source);
            if content.starts_with("throw") {
                Some(Exit::Error)
            } else {
                (content.starts_with("return") && !goes_on(node, content)).then_some(Exit::Leave)
            }
        }
        "call_expression" => {
            let content = text(node, source);
            ENDS.iter().any(|head| content.starts_with(head)).then_some(Exit::Error)
        }
        _ => None,
    }
}

fn caught<'t, 's>(node: Node<'t>, source: &'s str) -> Option<CaughtError<'t, 's>> {
    if node.kind() == "try_expression" {
        let call = node.child_by_field_name("expr")?;
        return text(node, source).starts_with("try?").then_some(CaughtError::Drop { call, how: "`try?`" });
    }
    let watched = node.parent().and_then(|it| parts(it).into_iter().find(|part| part.kind() == "statements"));
    let kind = node.child_by_field_name("error");
    let caught = kind.map(|it| text(it, source)).unwrap_or_default();
    Some(CaughtError::Handler {
        caught,
        broad: caught.is_empty() || matches!(caught, "let error" | "_"),
        body: Some(node),
        watched: watched.map(|it| it.byte_range()).unwrap_or_default(),
    })
}
