//! How earlier statements of a text have ended by the time that a later one runs: what has ended well under `set -e`,
//! and which file a test has found absent.

use tree_sitter::Node;

use crate::shell::parse::reader::{ScriptReader, slice};

/// Tests that fail where a file is not there.
const TESTS_FOR_A_FILE: &[&str] = &["-f", "-e", "-r", "-s"];

impl ScriptReader {
    /// Reads an `if`; what runs behind a test that a file is not there is told so.
    pub(super) fn condition(&mut self, node: Node, text: &str) {
        let start = self.script.commands.len();
        self.children(node, text);
        let has_others = node
            .named_children(&mut node.walk())
            .any(|part| part.kind() != "comment" && part.kind().ends_with("_clause"));
        let Some(condition) = node.child_by_field_name("condition").filter(|_| !has_others) else { return };
        let absent = self.absent_after(condition, text, true);
        for command in self.script.commands.get_mut(start..).unwrap_or_default() {
            command.absent = command.absent.take().or_else(|| absent.clone());
        }
    }

    /// Reads what runs where the condition has failed.
    pub(super) fn else_clause(&mut self, node: Node, text: &str) {
        let start = self.script.commands.len();
        self.children(node, text);
        let condition = node.parent().and_then(|parent| parent.child_by_field_name("condition"));
        if condition.is_some_and(|condition| condition.kind() != "negated_command") {
            let own = self.script.commands.get_mut(start..).unwrap_or_default();
            own.iter_mut().for_each(|command| command.instead = true);
        }
    }

    /// The file that a test says is not there, where the test has ended so.
    pub(super) fn absent_after(&mut self, test: Node, text: &str, well: bool) -> Option<String> {
        match test.kind() {
            "test_command" => self.absent_after(test.named_child(0)?, text, well),
            "negated_command" => self.absent_after(test.named_child(0)?, text, !well),
            "unary_expression" => {
                let operator = slice(test.child(0)?, text);
                let operand =
                    test.named_child(u32::try_from(test.named_child_count()).ok()?.checked_sub(1)?)?;
                match operator {
                    "!" => self.absent_after(operand, text, !well),
                    _ if !well && TESTS_FOR_A_FILE.contains(&operator) => {
                        self.tested_file(test, operand, text)
                    }
                    _ => None,
                }
            }
            // `test -f key`
            "command" => {
                let words: Vec<Node> = test.named_children(&mut test.walk()).collect();
                let texts: Vec<&str> = words.iter().map(|word| slice(*word, text)).collect();
                let (operator, negated) = match texts.as_slice() {
                    ["test", operator, _] => (*operator, false),
                    ["test", "!", operator, _] => (*operator, true),
                    _ => return None,
                };
                let is_absent = well == negated && TESTS_FOR_A_FILE.contains(&operator);
                let operand = *words.last().filter(|_| is_absent)?;
                self.tested_file(test, operand, text)
            }
            _ => None,
        }
    }

    /// The file that a test is about, as a program would get its name.
    fn tested_file(&mut self, test: Node, operand: Node, text: &str) -> Option<String> {
        // The grammar takes a bare tilde in brackets for an operator.
        let written = slice(test, text).rsplit_once(' ').map_or("", |(_, last)| last);
        let is_plain = |below: &&str| below.chars().all(|it| it.is_alphanumeric() || "/._-".contains(it));
        match written.strip_prefix("~/").filter(is_plain) {
            Some(below) => Some(self.home.join(below).to_string_lossy().into_owned()),
            None => self.words_of(operand, text).into_iter().next().map(|word| word.text),
        }
    }

    /// Under `set -e` a statement runs only when those before it have ended well. Of a list or a condition, and of what
    /// runs other commands, that is not known.
    pub(super) fn follow_what_ended_well(&mut self, node: Node, start: usize, well_from: &mut Option<usize>) {
        let read = self.script.commands.get_mut(start..).unwrap_or_default();
        if let Some(from) = *well_from {
            let follows = |own: Option<usize>| Some(own.map_or(from, |own| own.min(from)));
            read.iter_mut().for_each(|command| command.follows = follows(command.follows));
        }
        let ends_the_text = match node.kind() {
            "command" | "redirected_statement" => read.len() <= 1,
            kind => kind == "variable_assignment",
        };
        let next = start + read.len();
        *well_from = if ends_the_text { well_from.or(Some(start)) } else { Some(next) };
    }
}
