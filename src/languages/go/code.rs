//! How Go writes functions, guards and dropped errors.

use tree_sitter::Node;

use crate::languages::code::{CaughtError, Exit, Syntax, callee, fields, fork, pair};
use crate::languages::tree::{parts, text};

pub(crate) static SYNTAX: Syntax = Syntax {
    functions: &["function_declaration", "method_declaration"],
    branches: &["if_statement"],
    calls: &["call_expression"],
    settings: &["keyed_element"],
    marks: &[],
    function: fields,
    branch: fork,
    call: callee,
    setting: pair,
    is_test: |_, _| false,
    exit,
    caught,
    catching: &["short_var_declaration", "assignment_statement"],
};

fn exit(node: Node, source: &str) -> Option<Exit> {
    match node.kind() {
        "return_statement" => {
            let values = parts(node).first().map(|it| parts(*it)).unwrap_or_default();
            let is_error = values.last().is_some_and(|value| is_error(text(*value, source)));
            Some(if is_error { Exit::Error } else { Exit::Leave })
        }
        "expression_statement" => {
            let callee = text(node.named_child(0)?.child_by_field_name("function")?, source);
            let last = callee.rsplit('.').next().unwrap_or(callee);
            let ends = callee == "panic"
                || last.starts_with("Fatal")
                || last.starts_with("Abort")
                || callee == "http.Error"
                || callee == "os.Exit";
            ends.then_some(Exit::Error)
        }
        _ => None,
    }
}

/// `err`, `errors.New(..)`, `fmt.Errorf(..)`, `ErrClosed`.
fn is_error(value: &str) -> bool {
    let head = value.split(['(', '{']).next().unwrap_or(value).trim_start_matches('&');
    let last = head.rsplit('.').next().unwrap_or(head);
    last == "err"
        || last.ends_with("Err")
        || last.ends_with("Error")
        || last.ends_with("Errorf")
        || last.starts_with("Err")
        || last.starts_with("err")
        || head.starts_with("errors.")
}

fn caught<'t, 's>(node: Node<'t>, source: &'s str) -> Option<CaughtError<'t, 's>> {
    let names = parts(node.child_by_field_name("left")?);
    let call = *parts(node.child_by_field_name("right")?).first()?;
    let drops =
        names.last().is_some_and(|name| text(*name, source) == "_") && call.kind() == "call_expression";
    drops.then_some(CaughtError::Drop { call, how: "`_`" })
}
