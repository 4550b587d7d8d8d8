//! How Elixir writes functions, guards and handlers: all of them are calls.

use tree_sitter::Node;

use crate::languages::code::{BranchNodes, Callee, CaughtError, Exit, FunctionNodes, Syntax};
use crate::languages::tree::{parts, text};

const DEFINES: &[&str] = &["def", "defp", "defmacro", "defmacrop"];
/// Calls that leave with an error.
const RAISES: &[&str] = &["raise", "reraise", "throw", "exit"];
/// Kinds of nodes whose last expression is their value.
const BODIES: &[&str] = &["do_block", "body", "else_block"];

pub(crate) static SYNTAX: Syntax = Syntax {
    functions: &["call"],
    branches: &["call"],
    calls: &["call"],
    settings: &["pair"],
    marks: &["unary_operator"],
    function,
    branch,
    call,
    setting: |node| Some((node.child_by_field_name("key")?, node.child_by_field_name("value")?)),
    is_test: |_, _| false,
    exit,
    caught,
    catching: &["stab_clause", "binary_operator"],
};

fn arguments(node: Node) -> Vec<Node> {
    let list = parts(node).into_iter().find(|it| it.kind() == "arguments");
    list.map(parts).unwrap_or_default()
}

/// The block of a call, or the value of its `do:`.
fn body<'t>(node: Node<'t>, source: &str) -> Option<Node<'t>> {
    if let Some(block) = parts(node).into_iter().find(|it| it.kind() == "do_block") {
        return Some(block);
    }
    let keywords = arguments(node).into_iter().rfind(|it| it.kind() == "keywords")?;
    let pairs = parts(keywords);
    let pair = pairs
        .iter()
        .find(|it| it.child_by_field_name("key").is_some_and(|key| text(key, source).trim() == "do:"))?;
    pair.child_by_field_name("value")
}

fn target<'s>(node: Node, source: &'s str) -> Option<&'s str> {
    Some(text(node.child_by_field_name("target")?, source))
}

fn function<'t>(node: Node<'t>, source: &str) -> Option<FunctionNodes<'t>> {
    if !DEFINES.contains(&target(node, source)?) {
        return None;
    }
    let mut head = *arguments(node).first()?;
    if head.kind() == "binary_operator" {
        head = head.child_by_field_name("left")?;
    }
    let name = head.child_by_field_name("target").unwrap_or(head);
    Some(FunctionNodes { name, body: body(node, source)? })
}

fn branch<'t>(node: Node<'t>, source: &str) -> Option<BranchNodes<'t>> {
    let word = target(node, source).filter(|it| matches!(*it, "if" | "unless"))?;
    let condition = *arguments(node).first()?;
    let block = body(node, source)?;
    let has_else = parts(block).iter().any(|it| it.kind() == "else_block") && block.kind() == "do_block"
        || text(node, source).contains("else:");
    let block = Some(block).filter(|_| !has_else);
    Some(BranchNodes { condition: (condition, condition), block, negated: word == "unless" })
}

fn call(node: Node) -> Option<Callee> {
    let name = node.child_by_field_name("target")?;
    let arguments = parts(node).into_iter().find(|it| it.kind() == "arguments");
    Some(Callee { name: (name, name), arguments })
}

fn exit(node: Node, source: &str) -> Option<Exit> {
    match node.kind() {
        "call" => RAISES.contains(&target(node, source)?).then_some(Exit::Error),
        "tuple" => {
            let is_last = node.next_named_sibling().is_none();
            let is_value = node.parent().is_some_and(|it| BODIES.contains(&it.kind()));
            (is_last && is_value && text(node, source).starts_with("{:error")).then_some(Exit::Error)
        }
        "nil" | "boolean" => {
            let is_last = node.next_named_sibling().is_none_or(|it| it.kind().ends_with("_block"));
            let is_value = node.parent().is_some_and(|it| BODIES.contains(&it.kind()));
            (is_last && is_value).then_some(Exit::Leave)
        }
        _ => None,
    }
}

fn caught<'t, 's>(node: Node<'t>, source: &'s str) -> Option<CaughtError<'t, 's>> {
    if node.kind() == "binary_operator" {
        let field = |name| node.child_by_field_name(name);
        let (name, value) = (field("left")?, field("right")?);
        let drops =
            text(name, source) == "_" && text(field("operator")?, source) == "=" && value.kind() == "call";
        return drops.then_some(CaughtError::Drop { call: value, how: "`_ =`" });
    }
    let block = node.parent().filter(|it| matches!(it.kind(), "rescue_block" | "catch_block"))?;
    let whole = block.parent()?;
    let caught = node.child_by_field_name("left").map(|it| text(it, source)).unwrap_or_default();
    let is_all = !caught.contains(" in ") && caught.starts_with(|c: char| c.is_lowercase() || c == '_');
    Some(CaughtError::Handler {
        caught: if is_all { "" } else { caught },
        broad: is_all || caught.starts_with("_, _"),
        body: node.child_by_field_name("right"),
        watched: whole.start_byte()..block.start_byte(),
    })
}
