//! The texts of heredocs and here-strings.

use tree_sitter::Node;

use crate::shell::model::{CommandInput, UNKNOWN, Word};
use crate::shell::parse::reader::{ScriptReader, slice};
use crate::shell::parse::unquote;

impl ScriptReader {
    /// The text of a heredoc; a `literal` one is taken as it is.
    pub(crate) fn heredoc_body(
        &mut self,
        body: Node,
        text: &str,
        literal: bool,
        redirect: Node,
    ) -> CommandInput {
        let raw = slice(body, text);
        let strips = slice(redirect, text).starts_with("<<-");
        let content = if literal || !raw.contains(['$', '`', '\\']) {
            raw.to_owned()
        } else {
            let marks = self.quoted_marks(body, text);
            let word = unquote::word(&marks, &self.home);
            if !word.known {
                return CommandInput::Sketch(word.text);
            }
            word.text
        };
        CommandInput::Text(match strips {
            true => content.lines().map(|line| format!("{}\n", line.trim_start_matches('\t'))).collect(),
            false => content,
        })
    }

    pub(crate) fn herestring(&mut self, node: Node, text: &str) -> CommandInput {
        let mut cursor = node.walk();
        let parts: Vec<Node> = node.named_children(&mut cursor).collect();
        let descriptor =
            parts.iter().find(|part| part.kind() == "file_descriptor").map(|part| slice(*part, text));
        let before = self.script.commands.len();
        let word = parts.last().map(|word| self.word_of(*word, text));
        let alone = word.as_ref().is_some_and(|word| word.text == UNKNOWN.to_string());
        let read = self.here_word(descriptor.unwrap_or_default(), word);
        // `<<< "$(ls src)"`: what it prints, and nothing else.
        match self.script.commands.len().checked_sub(1).filter(|last| alone && *last >= before) {
            Some(last) => CommandInput::From(last),
            None => read,
        }
    }

    /// The text of a here-string, which a descriptor of its own keeps for later.
    pub(crate) fn here_word(&mut self, descriptor: &str, word: Option<Word>) -> CommandInput {
        if let (false, Some(word)) = (descriptor.is_empty(), &word) {
            let path = self.descriptor(descriptor);
            self.files.insert(path, word.text.clone() + "\n");
        }
        match word {
            Some(word) if word.known => CommandInput::Text(word.text + "\n"),
            Some(word) => CommandInput::Sketch(word.text + "\n"),
            None => CommandInput::Unknown,
        }
    }
}
