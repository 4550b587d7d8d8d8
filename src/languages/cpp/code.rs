//! How C and C++ write functions, guards and handlers.

use tree_sitter::Node;

use crate::languages::code::{CaughtError, Exit, FunctionNodes, Syntax, body_range, callee, fork, pair};
use crate::languages::tree::{parts, text};

/// Calls that end the process.
const ENDS: &[&str] = &["abort", "std::abort", "exit", "std::exit", "std::terminate", "_exit"];
/// How deep a declarator may be nested.
const DEEPEST: usize = 12;

pub(crate) static SYNTAX: Syntax = Syntax {
    functions: &["function_definition"],
    branches: &["if_statement"],
    calls: &["call_expression"],
    settings: &["assignment_expression", "init_declarator", "argument_list"],
    marks: &["preproc_call", "attribute_declaration"],
    function,
    branch: fork,
    call: callee,
    setting,
    is_test: |_, _| false,
    exit,
    caught,
    catching: &["catch_clause", "cast_expression"],
};

/// The name stands inside of declarators: `int *A::f(void)`.
fn function<'t>(node: Node<'t>, _source: &str) -> Option<FunctionNodes<'t>> {
    let body = node.child_by_field_name("body").or_else(|| {
        let inside = parts(node).into_iter().find(|it| it.kind() == "try_statement")?;
        inside.child_by_field_name("body")
    })?;
    let mut name = node.child_by_field_name("declarator")?;
    for _ in 0..DEEPEST {
        let inner = name.child_by_field_name("declarator").or_else(|| match name.kind() {
            "qualified_identifier" => name.child_by_field_name("name"),
            "reference_declarator" | "parenthesized_declarator" => name.named_child(0),
            _ => None,
        });
        match inner {
            Some(inner) => name = inner,
            None => break,
        }
    }
    // In a text that isn't read well a statement may look like a function.
    (!name.kind().ends_with("_statement") && node.parent().is_none_or(|it| it.kind() != "compound_statement"))
        .then_some(FunctionNodes { name, body })
}

/// An assignment, or an option that is set by its constant.
fn setting(node: Node) -> Option<(Node, Node)> {
    if node.kind() != "argument_list" {
        return pair(node);
    }
    match parts(node)[..] {
        [_, name, value] => Some((name, value)),
        _ => None,
    }
}

fn exit(node: Node, source: &str) -> Option<Exit> {
    match node.kind() {
        "throw_statement" => Some(Exit::Error),
        "goto_statement" => {
            let label = text(node.child_by_field_name("label")?, source).to_lowercase();
            ["err", "fail", "bad"].iter().any(|word| label.contains(word)).then_some(Exit::Error)
        }
        "return_statement" => {
            let value = parts(node).first().map(|it| text(*it, source)).unwrap_or_default();
            let is_error = (value.starts_with("Status::") && !value.starts_with("Status::OK"))
                || (value.starts_with('-') && value.len() > 1)
                || value.starts_with("std::unexpected")
                || value.starts_with("absl::") && value.contains("Error(");
            Some(if is_error { Exit::Error } else { Exit::Leave })
        }
        "expression_statement" => {
            let callee = node.named_child(0)?.child_by_field_name("function")?;
            ENDS.contains(&text(callee, source)).then_some(Exit::Error)
        }
        _ => None,
    }
}

fn caught<'t, 's>(node: Node<'t>, source: &'s str) -> Option<CaughtError<'t, 's>> {
    if node.kind() == "cast_expression" {
        let call = node.child_by_field_name("value").filter(|it| it.kind() == "call_expression")?;
        let is_void = text(node.child_by_field_name("type")?, source) == "void";
        return is_void.then_some(CaughtError::Drop { call, how: "`(void)`" });
    }
    let caught = text(node.child_by_field_name("parameters")?, source);
    let caught = caught.trim_matches(['(', ')', ' ']);
    let broad = matches!(caught, "..." | "") || caught.contains("std::exception") || caught == "exception";
    Some(CaughtError::Handler {
        caught,
        broad,
        body: node.child_by_field_name("body"),
        watched: body_range(node.parent()),
    })
}
