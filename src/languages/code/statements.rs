//! What a statement or a list of statements comes to: nothing, a constant, a stub, a line in a log.
//!
//! Judged by kinds of nodes; only names and messages are compared as text.

use tree_sitter::Node;

use crate::languages::code::constants::gives_constant;
use crate::languages::code::model::BodyKind;
use crate::languages::tree::{parts, text};

/// First words of what writes a log.
pub(super) const LOGS: &[&str] = &[
    "Console",
    "Debug",
    "LOG",
    "LOGGER",
    "Log",
    "Logger",
    "NSLog",
    "System",
    "Timber",
    "Trace",
    "_log",
    "_logger",
    "console",
    "dbg",
    "debug",
    "debugPrint",
    "debugPrintStack",
    "developer",
    "eprint",
    "eprintln",
    "error",
    "error_log",
    "fmt",
    "fprintf",
    "info",
    "log",
    "logger",
    "logging",
    "os_log",
    "perror",
    "print",
    "printf",
    "println",
    "qWarning",
    "slog",
    "spdlog",
    "trace",
    "tracing",
    "trigger_error",
    "warn",
    "warnings",
];

/// The same with what stands before it.
pub(super) const LOG_HEADS: &[&str] = &[
    "self.log",
    "this.log",
    "this._log",
    "app.log",
    "$this->log",
    "$logger",
    "$this->logger",
    "std::cerr",
    "std::cout",
    "IO.puts",
    "IO.warn",
    "IO.inspect",
    "e.printStackTrace",
    "ex.printStackTrace",
];

/// Kinds of nodes that are logs when their text begins like one.
const LOGGING: &[&str] =
    &["expression_statement", "call_expression", "macro_invocation", "call", "binary_expression"];

/// How statements begin that only say that something is missing.
const RAISES: &[&str] =
    &["throw", "raise", "panic", "fatalerror(", "preconditionfailure(", "return status::notsupported("];

/// What they say, in lower case.
const MISSING: &[&str] = &[
    "not implemented",
    "notimplemented",
    "unimplemented",
    "not yet implemented",
    "todo",
    "unsupportedoperation",
    "notsupportedexception",
];

/// Statements that are nothing else.
const STUBS: &[&str] =
    &["todo!", "unimplemented!", "todo(", "unimplemented(", "std::abort()", "abort()", "assert(false)"];

/// The statements of a block; a single statement is its own list.
pub(super) fn statements(block: Node) -> Vec<Node> {
    match block.kind() {
        "statement_block"
        | "block"
        | "compound_statement"
        | "constructor_body"
        | "statements"
        | "body"
        | "computed_property"
        | "function_body"
        | "function_expression_body"
        | "arrow_expression_clause"
        | "indented_block"
        | "catch_block"
        | "else_clause" => {
            let list: Vec<Node> = parts(block).into_iter().filter(|it| !HEADS.contains(&it.kind())).collect();
            match list[..] {
                [only] if matches!(only.kind(), "statement_list" | "statements" | "block") => {
                    statements_of(only)
                }
                _ => list,
            }
        }
        "do_block" => parts(block).into_iter().filter(|it| !it.kind().ends_with("_block")).collect(),
        kind if kind.contains("comment") => Vec::new(),
        _ => vec![block],
    }
}

/// What may stand before the statements of a handler.
const HEADS: &[&str] = &["catch_keyword", "pattern", "user_type", "where_clause"];

/// The block of a handler in Kotlin is below its head, and so is Go's list.
fn statements_of(inner: Node) -> Vec<Node> {
    let list = parts(inner);
    match list[..] {
        [only] if only.kind() == "statements" => parts(only),
        _ => list,
    }
}

pub(super) fn is_declaration(node: Node) -> bool {
    let kind = node.kind();
    kind == "empty_statement"
        || kind == "local_function_statement"
        || kind == "local_function_declaration"
        || kind == "function_item"
        || kind == "function_definition"
        || kind == "class_declaration"
        || kind == "function_declaration"
}

fn is_docstring(node: Node) -> bool {
    node.kind() == "expression_statement" && node.named_child(0).is_some_and(|it| it.kind() == "string")
}

/// What a list of statements comes to.
pub(super) fn body_kind<'s>(statements: &[Node], source: &'s str) -> BodyKind<'s> {
    let rest = match statements {
        [first, rest @ ..] if is_docstring(*first) => rest,
        all => all,
    };
    match rest {
        [] => BodyKind::Nothing,
        [only] if is_empty(*only, source) => BodyKind::Nothing,
        [only] if is_unimplemented(*only, source) => BodyKind::Unimplemented,
        [only] => gives_constant(*only, source).map_or(BodyKind::Work, BodyKind::Constant),
        _ => BodyKind::Work,
    }
}

pub(super) fn is_empty(node: Node, source: &str) -> bool {
    match node.kind() {
        "pass_statement" | "continue_statement" | "continue_expression" | "empty_statement" | "ellipsis" => {
            true
        }
        "return_statement" | "return_expression" => parts(node).is_empty(),
        "control_transfer_statement" => matches!(text(node, source).trim(), "return" | "continue" | "break"),
        "expression_statement" => {
            matches!(text(node, source).trim_end_matches(';'), "" | "..." | "()" | "void 0")
        }
        "unit_expression" => true,
        "assignment_statement" => text(node, source).starts_with("_ ="),
        _ => false,
    }
}

/// `throw new Error("Not implemented")`, `raise NotImplementedError`, `todo!()`, `panic("not implemented")`.
fn is_unimplemented(node: Node, source: &str) -> bool {
    let content = text(node, source);
    if content.len() > 300 {
        return false;
    }
    let inner =
        if node.kind() == "expression_statement" { node.named_child(0).unwrap_or(node) } else { node };
    match inner.kind() {
        // Scala's name for what is not there yet.
        "operator_identifier" | "identifier" => content == "???",
        "throw_statement"
        | "throw_expression"
        | "raise_statement"
        | "call_expression"
        | "call"
        | "macro_invocation"
        | "control_transfer_statement"
        | "function_call_expression"
        | "invocation_expression" => {
            let lower = content.to_lowercase();
            let head = lower.trim_start();
            STUBS.iter().any(|word| head.starts_with(word))
                || (RAISES.iter().any(|word| head.starts_with(word))
                    && MISSING.iter().any(|words| lower.contains(words)))
        }
        _ => false,
    }
}

pub(super) fn is_log(node: Node, source: &str) -> bool {
    let content = text(node, source);
    let first = content.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
    LOGGING.contains(&node.kind())
        && (LOGS.contains(&first) || LOG_HEADS.iter().any(|head| content.starts_with(head)))
}

/// Whether a comment in a handler says more than that the error is ignored.
pub(super) fn has_reason(body: Node, source: &str) -> bool {
    let mut cursor = body.walk();
    body.children(&mut cursor).filter(|child| child.kind().contains("comment")).any(|comment| {
        let words = text(comment, source).split(|c: char| !c.is_alphabetic()).filter(|word| word.len() > 1);
        words.count() >= 3
    })
}
