//! The parts of a redirection as it is written.

use tree_sitter::Node;

use crate::shell::model::Word;
use crate::shell::parse::reader::{ScriptReader, slice};

/// The parts of a redirection.
#[derive(Default)]
pub(super) struct RedirectParts<'t> {
    pub(super) operator: &'t str,
    pub(super) descriptor: &'t str,
    /// Whether a text stands there instead of a file.
    pub(super) is_here: bool,
    /// Whether the file is what a command prints.
    pub(super) is_output: bool,
    pub(super) words: Vec<Word>,
}

impl ScriptReader {
    /// A redirection as it is written.
    pub(super) fn parts_of<'t>(&mut self, node: Node<'t>, text: &'t str) -> RedirectParts<'t> {
        let mut cursor = node.walk();
        let parts: Vec<Node> = node.children(&mut cursor).collect();
        let is_output = parts.iter().any(|part| part.kind() == "process_substitution");
        let mut found = RedirectParts { is_output, ..RedirectParts::default() };
        for part in parts {
            match part.kind() {
                "file_descriptor" => found.descriptor = slice(part, text),
                // `3<<<text`: the grammar takes it for a file with a mistake before it.
                "ERROR" if slice(part, text).starts_with('<') => found.is_here = true,
                sign if !part.is_named() => found.operator = sign,
                _ => found.words.extend(self.words_of(part, text)),
            }
        }
        found
    }
}
