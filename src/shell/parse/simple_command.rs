//! A simple command as written, its words as the program gets them.

use tree_sitter::Node;

use crate::shell::model::{Command, CommandInput, Word, first_line};
use crate::shell::parse::reader::{ScriptReader, slice};
use crate::shell::parse::redirect::Redirections;

impl ScriptReader {
    pub(super) fn simple(&mut self, node: Node, text: &str, input: CommandInput) {
        let command = self.command(node, text, input);
        self.run(command);
    }

    /// The command as written, its words as the program gets them.
    pub(super) fn command(&mut self, node: Node, text: &str, input: CommandInput) -> Command {
        let mut command = Command { source: first_line(slice(node, text)), input, ..Command::default() };
        let mut given = Redirections::default();
        let mut skip_to = 0;
        let mut cursor = node.walk();
        let parts: Vec<Node> = node.named_children(&mut cursor).collect();
        for part in parts {
            if part.start_byte() < skip_to {
                continue;
            }
            match part.kind() {
                "variable_assignment" => {
                    let (name, values) = self.assigned(part, text);
                    let value = values.as_deref().and_then(|values| self.known_text(values.first()?));
                    command.assignments.push((name, value));
                }
                "file_redirect" => {
                    given.input = std::mem::take(&mut command.input);
                    self.file_redirect(part, text, &mut given);
                    command.input = std::mem::take(&mut given.input);
                }
                "herestring_redirect" => command.input = self.herestring(part, text),
                "comment" => {}
                // `!(keep)`: the grammar takes the pattern apart; it names some files of the directory.
                "ERROR" if matches!(slice(part, text), "!" | "?" | "*" | "+" | "@") => {
                    skip_to = part.next_sibling().map_or(0, |next| next.end_byte());
                    // What a `!` leaves out is few: the rest is meant.
                    let partial = slice(part, text) != "!";
                    let text = "*".to_owned();
                    command.words.push(Word { text, known: true, glob: true, partial, ..Word::default() });
                }
                "ERROR" => {
                    self.unread(slice(part, text));
                    self.substitutions(part, text);
                }
                _ => command.words.extend(self.words_of(part, text)),
            }
        }
        command.redirects.append(&mut given.redirects);
        command.words.append(&mut given.extra);
        command
    }
}
