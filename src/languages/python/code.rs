//! How Python writes functions, guards and handlers.

use tree_sitter::Node;

use crate::languages::code::{CaughtError, Exit, Syntax, body_range, callee, fields, fork, pair};
use crate::languages::tree::{parts, text};

/// Kinds of errors that are about everything.
const ALL: &[&str] = &["", "Exception", "BaseException", "builtins.Exception"];
/// Calls that end a request or the process with an error.
const ENDS: &[&str] = &["abort", "sys.exit", "flask.abort", "self.send_error", "self.fail", "exit"];

pub(crate) static SYNTAX: Syntax = Syntax {
    functions: &["function_definition"],
    branches: &["if_statement", "elif_clause"],
    calls: &["call"],
    settings: &["keyword_argument", "assignment", "pair"],
    marks: &[],
    function: fields,
    branch: fork,
    call: callee,
    setting: pair,
    is_test: |_, _| false,
    exit,
    caught,
    catching: &["except_clause", "with_statement"],
};

fn exit(node: Node, source: &str) -> Option<Exit> {
    match node.kind() {
        "raise_statement" => Some(Exit::Error),
        "return_statement" => Some(Exit::Leave),
        "expression_statement" => {
            let callee = node.named_child(0)?.child_by_field_name("function")?;
            ENDS.contains(&text(callee, source)).then_some(Exit::Error)
        }
        _ => None,
    }
}

fn caught<'t, 's>(node: Node<'t>, source: &'s str) -> Option<CaughtError<'t, 's>> {
    if node.kind() == "except_clause" {
        let value = node.child_by_field_name("value");
        let value =
            value.map(|it| if it.kind() == "as_pattern" { it.named_child(0).unwrap_or(it) } else { it });
        let caught = value.map(|it| text(it, source)).unwrap_or_default();
        let body = parts(node).into_iter().rfind(|it| it.kind() == "block");
        let watched = body_range(node.parent());
        return Some(CaughtError::Handler { caught, broad: ALL.contains(&caught), body, watched });
    }
    let clause = parts(node).into_iter().find(|it| it.kind() == "with_clause")?;
    let item = *parts(clause).first()?;
    let call = item.child_by_field_name("value").filter(|it| it.kind() == "call")?;
    let name = text(call.child_by_field_name("function")?, source);
    if !matches!(name, "suppress" | "contextlib.suppress") {
        return None;
    }
    let caught = text(*parts(call.child_by_field_name("arguments")?).first()?, source);
    let watched = body_range(Some(node));
    Some(CaughtError::Handler { caught, broad: ALL.contains(&caught), body: None, watched })
}
