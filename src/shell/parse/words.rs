//! The words of a command: from nodes of the grammar to what the program gets, substitutions read on the way.

use std::path::PathBuf;

use tree_sitter::Node;

use crate::shell::model::{CommandInput, Word};
use crate::shell::parse::marks::{WordChar, WordChars};
use crate::shell::parse::reader::{ScriptReader, TREE_LEVELS, slice};
use crate::shell::parse::{output, unquote};

/// The most values that one word may take from variables with several.
const MOST_VALUES: usize = 64;

impl ScriptReader {
    /// All words that the shell makes of an argument.
    pub(crate) fn words_of(&mut self, node: Node, text: &str) -> Vec<Word> {
        // `"$@"` and `"${list[@]}"` are as many words as there are values, so every value makes its own.
        let before = self.script.commands.len();
        let alternatives = self.marks_of(node, text);
        let home = self.tilde();
        let mut words: Vec<Word> =
            alternatives.iter().flat_map(|marks| unquote::words(marks, &home)).collect();
        // `rm $(git ls-files src)`: the names that it prints are words of their own.
        if node.kind() == "command_substitution" && alternatives == [vec![WordChar::Unknown]] {
            let last = self.script.commands.len().checked_sub(1).filter(|last| *last >= before);
            let named =
                last.and_then(|last| output::words_from(&self.script, &CommandInput::From(last), false));
            words = named.unwrap_or(words);
        }
        if !self.fuel.spend(words.iter().map(|word| word.text.len()).sum()) {
            self.too_much(slice(node, text));
        }
        words
    }

    /// What a tilde stands for: the home, or what the text has made it.
    fn tilde(&self) -> PathBuf {
        let set =
            self.place.variables.get("HOME").and_then(|values| self.known_text(values.as_ref()?.first()?));
        set.map_or_else(|| self.home.clone(), PathBuf::from)
    }

    /// An argument as one word.
    pub(crate) fn word_of(&mut self, node: Node, text: &str) -> Word {
        let alternatives = self.marks_of(node, text);
        let home = self.tilde();
        alternatives.first().map(|marks| unquote::word(marks, &home)).unwrap_or_default()
    }

    /// The text inside of a heredoc.
    pub(crate) fn quoted_marks(&mut self, node: Node, text: &str) -> WordChars {
        self.inside_quotes(node, text, node.start_byte(), node.end_byte())
            .into_iter()
            .next()
            .unwrap_or_default()
    }

    /// The values that a word may have.
    pub(crate) fn marks_of(&mut self, node: Node, text: &str) -> Vec<WordChars> {
        if self.depth >= TREE_LEVELS {
            self.too_much(slice(node, text));
            return vec![vec![WordChar::Unknown]];
        }
        self.depth += 1;
        let marks = self.values_of(node, text);
        self.depth -= 1;
        if !self.fuel.spend(marks.iter().map(Vec::len).sum::<usize>() + 1) {
            self.too_much(slice(node, text));
            return vec![vec![WordChar::Unknown]];
        }
        marks
    }

    fn values_of(&mut self, node: Node, text: &str) -> Vec<WordChars> {
        let raw = slice(node, text);
        match node.kind() {
            // What a `!` leaves out is few: the rest is meant.
            "extglob_pattern" if raw.starts_with("!(") && raw.ends_with(')') => vec![unquote::bare("*")],
            "word" | "number" | "variable_name" | "extglob_pattern" | "regex" | "special_variable_name" => {
                vec![unquote::bare(raw)]
            }
            "raw_string" => vec![unquote::quoted(inside(raw, 1, 1))],
            "ansi_c_string" => vec![unquote::ansi_c(inside(raw, 2, 1))],
            "string" => self.inside_quotes(node, text, node.start_byte() + 1, node.end_byte() - 1),
            "translated_string" => {
                self.inside_quotes(node, text, node.start_byte() + 2, node.end_byte().saturating_sub(1))
            }
            "command_name" | "concatenation" => self.joined(node, text),
            "simple_expansion" | "expansion" => self.variable(node, text, false),
            "process_substitution" if raw.starts_with(">(") => {
                vec![unquote::quoted(&self.sink(inside(raw, 2, 1)))]
            }
            "command_substitution" | "process_substitution" => {
                let value = self.substitution(node, text);
                vec![unquote::expansion(&value, false, &self.separators())]
            }
            "brace_expression" => vec![unquote::bare(raw)],
            _ => {
                self.substitutions(node, text);
                vec![vec![WordChar::Unknown]]
            }
        }
    }

    fn joined(&mut self, node: Node, text: &str) -> Vec<WordChars> {
        let mut values = vec![WordChars::new()];
        let mut cursor = node.walk();
        let parts: Vec<Node> = node.children(&mut cursor).collect();
        for part in parts {
            // A bare `$` before a quote or at the end is a token of its own.
            let next = if part.is_named() {
                self.marks_of(part, text)
            } else {
                vec![unquote::bare(slice(part, text))]
            };
            values = self.product(values, next);
        }
        values
    }

    /// Every value with every continuation, up to a bound; beyond it nothing is known.
    fn product(&mut self, mut values: Vec<WordChars>, next: Vec<WordChars>) -> Vec<WordChars> {
        if let [only] = next.as_slice() {
            values.iter_mut().for_each(|value| value.extend_from_slice(only));
            return values;
        }
        let sizes = |marks: &[WordChars]| marks.iter().map(Vec::len).sum::<usize>();
        let size = sizes(&values) * next.len() + sizes(&next) * values.len();
        if values.len() * next.len() > MOST_VALUES || !self.fuel.spend(size) {
            return vec![vec![WordChar::Unknown]];
        }
        values
            .iter()
            .flat_map(|value| next.iter().map(move |tail| [value.clone(), tail.clone()].concat()))
            .collect()
    }

    /// Double quotes. The grammar names only some of the text between the expansions, so the gaps count too.
    fn inside_quotes(&mut self, node: Node, text: &str, start: usize, end: usize) -> Vec<WordChars> {
        let mut values = vec![WordChars::new()];
        let mut position = start;
        let mut cursor = node.walk();
        let parts: Vec<Node> = node.named_children(&mut cursor).collect();
        for part in parts {
            let kind = part.kind();
            if !matches!(
                kind,
                "simple_expansion" | "expansion" | "command_substitution" | "arithmetic_expansion"
            ) {
                continue;
            }
            // The grammar counts the blanks between two expansions as the second one's.
            let range = part.byte_range();
            let whole = text.get(range.clone()).unwrap_or_default();
            let blanks = whole.len() - whole.trim_start().len();
            let gap = text.get(position..range.start + blanks).unwrap_or_default();
            values = self.product(values, vec![unquote::double_quoted(gap)]);
            let next = match kind {
                "command_substitution" => {
                    let value = self.substitution(part, text);
                    vec![unquote::expansion(&value, true, "")]
                }
                "arithmetic_expansion" => {
                    self.substitutions(part, text);
                    vec![vec![WordChar::Unknown]]
                }
                _ => self.variable(part, text, true),
            };
            values = self.product(values, next);
            position = range.end;
        }
        let rest = text.get(position..end.max(position)).unwrap_or_default();
        self.product(values, vec![unquote::double_quoted(rest)])
    }
}

/// `text` without its first and last bytes, as far as it has them.
fn inside(text: &str, start: usize, end: usize) -> &str {
    text.get(start..text.len().saturating_sub(end)).unwrap_or_default()
}
