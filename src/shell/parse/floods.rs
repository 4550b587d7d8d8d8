//! Loops and functions that start processes without end: `while true; do work & done`, and a function that starts
//! itself twice.

use tree_sitter::Node;

use crate::shell::parse::reader::slice;

/// The most nodes that are looked at for one loop or function.
const MOST_NODES: usize = 2_000;

/// Whether a loop never ends and starts processes that it does not wait for.
pub(crate) fn is_endless_start(node: Node, text: &str) -> bool {
    let condition = node.child_by_field_name("condition").map_or("", |condition| slice(condition, text));
    let body = node.child_by_field_name("body");
    let words: Vec<&str> = condition.trim_end_matches(';').split_whitespace().collect();
    let forever = match words.as_slice() {
        [only] => matches!(*only, "true" | ":" | "/bin/true" | "/usr/bin/true" | "((1))"),
        ["[", inside, "]"] | ["[[", inside, "]]"] => matches!(*inside, "true" | "1"),
        _ => false,
    };
    let Some(body) = body.filter(|_| forever && slice(node, text).starts_with("while")) else { return false };
    let mut cursor = body.walk();
    let parts: Vec<Node> = body.children(&mut cursor).collect();
    let starts = parts.iter().any(|part| part.kind() == "&");
    let first_word =
        |part: &Node| slice(*part, text).split_whitespace().next().unwrap_or_default().to_owned();
    let commands: Vec<String> =
        parts.iter().filter(|part| part.kind() == "command").map(first_word).collect();
    let has = |name: &str| commands.iter().any(|command| command == name);
    starts && (!has("wait") || has("disown")) && !has("break") && !has("exit") && !has("return")
}

/// Whether a function starts itself in a pipeline or in the background, so that every call makes more of them.
pub(crate) fn starts_itself(function: Node, text: &str) -> bool {
    let name = function.child_by_field_name("name").map_or("", |name| slice(name, text));
    let Some(body) = function.child_by_field_name("body").filter(|_| !name.is_empty()) else { return false };
    let mut open = vec![body];
    let mut looked = 0;
    while let Some(node) = open.pop() {
        looked += 1;
        if looked > MOST_NODES {
            return false;
        }
        let mut cursor = node.walk();
        let calls_itself = |node: Node| {
            node.kind() == "command" && slice(node, text).split_whitespace().next() == Some(name)
        };
        let children: Vec<Node> = node.children(&mut cursor).collect();
        let own = children.iter().filter(|child| calls_itself(**child)).count();
        let in_background = children.iter().any(|child| child.kind() == "&");
        if (node.kind() == "pipeline" && own > 1) || (own > 0 && in_background && node.kind() != "pipeline") {
            return true;
        }
        open.extend(
            children.into_iter().filter(|child| child.is_named() && child.kind() != "function_definition"),
        );
    }
    false
}
