//! What a node's kind means to the pass that gives each test its body.

use crate::languages::testing::outline_builder::Grammar;
use crate::languages::testing::swallowed;

/// What a node's kind means to the pass over all nodes.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum NodeClass {
    Plain,
    Comment,
    Loop,
    Asserting,
    AssertingWord,
    Branch,
    Try,
    Nothing,
    Word,
}

impl NodeClass {
    /// The class of all nodes of one kind.
    pub(super) fn of(kind: &str, grammar: &Grammar) -> NodeClass {
        if kind.contains("comment") {
            NodeClass::Comment
        } else if matches!(kind, "if_statement" | "if_expression" | "preproc_if") {
            NodeClass::Branch
        } else if matches!(kind, "try_statement" | "with_statement") || swallowed::TRIES.contains(&kind) {
            NodeClass::Try
        } else if grammar.loops.contains(&kind) {
            NodeClass::Loop
        } else if kind == "identifier" && grammar.asserting.contains(&kind) {
            NodeClass::AssertingWord
        } else if kind.ends_with("identifier") || matches!(kind, "primitive_type" | "name" | "alias") {
            NodeClass::Word
        } else if grammar.asserting.contains(&kind) {
            NodeClass::Asserting
        } else if matches!(kind, "string_start" | "string_end" | "escape_sequence" | "self" | "this") {
            NodeClass::Nothing
        } else {
            NodeClass::Plain
        }
    }
}
