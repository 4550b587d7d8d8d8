//! Regions whose errors are swallowed, in the grammars of the class-based languages and their kin.
//!
//! A handler that calls anything but a log, throws or asserts is no silence.

use std::ops::Range;

use tree_sitter::Node;

use crate::languages::tree::{each_node, text};

/// Statements that may hold handlers, besides `try_statement`.
pub(crate) const TRIES: &[&str] = &["try_expression", "do_statement"];
const HANDLERS: &[&str] = &["catch_clause", "catch_block", "rescue_block", "catch_declaration"];
const LOGS: &[&str] = &[
    "print",
    "println",
    "NSLog",
    "Log.",
    "log",
    "logger",
    "System.out",
    "System.err",
    "Console.",
    "IO.",
    "Logger.",
    "error_log",
    "e.print",
    "ex.print",
    "std::cout",
    "std::cerr",
    // To wait before the next try.
    "Thread.sleep",
    "Thread.Sleep",
    "TimeUnit.",
    "delay(",
    "sleep(",
    "usleep(",
    "Task.Delay",
    "Task.sleep",
    "std::this_thread::sleep",
    ":timer.sleep",
    "Process.sleep",
];

/// The region of a `try` of which a handler does nothing.
pub(crate) fn region(node: Node, source: &str) -> Option<Range<usize>> {
    let mut handlers = Vec::new();
    each_node(node, &mut |inner| {
        let is_handler = HANDLERS.contains(&inner.kind());
        let is_other_try =
            inner.id() != node.id() && (inner.kind() == "try_statement" || TRIES.contains(&inner.kind()));
        if is_handler {
            // Dart's block stands behind the head of its handler.
            let behind = inner.next_named_sibling().filter(|it| it.kind() == "block");
            let is_head = inner.kind() == "catch_clause" && behind.is_some();
            handlers.push(behind.filter(|_| is_head).unwrap_or(inner));
        }
        !is_handler && !is_other_try
    });
    let first = handlers.first()?;
    handlers.iter().any(|it| is_silent(*it, source)).then(|| node.start_byte()..first.start_byte())
}

fn is_silent(handler: Node, source: &str) -> bool {
    let mut silent = true;
    each_node(handler, &mut |node| {
        let kind = node.kind();
        let is_call =
            kind.contains("call") || kind.contains("invocation") || kind.contains("object_creation");
        let content = text(node, source);
        // Elixir's `->` and its alternatives are no calls, its operators are none either.
        if is_call && node.is_named() && kind != "call_suffix" && kind != "constructor_invocation" {
            silent &= LOGS.iter().any(|it| content.starts_with(it));
            return false;
        }
        let is_throw = kind.contains("throw") || kind.contains("assert") || kind.contains("yield");
        let is_jump = matches!(kind, "jump_expression" | "control_transfer_statement" | "throw_keyword")
            && content.starts_with("throw");
        silent &= !(is_throw || is_jump);
        // A value that the test keeps and may look at afterwards.
        silent &= !matches!(
            kind,
            "assignment_expression"
                | "assignment"
                | "compound_assignment_expr"
                | "augmented_assignment_expression"
                | "postfix_unary_expression"
                | "update_expression"
        );
        silent
    });
    silent
}
