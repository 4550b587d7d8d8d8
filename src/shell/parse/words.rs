//! The words of a command: from nodes of the grammar to what the program gets, substitutions read on the way.

use tree_sitter::Node;

use crate::shell::model::Word;
use crate::shell::parse::unquote::{Mark, Marks};
use crate::shell::parse::{Reader, TREE_LEVELS, output, pattern_marks, slice, unquote};
use crate::shell::wrappers::remote_exec;

/// The most values that one word may take from variables with several.
const MOST_VALUES: usize = 64;

impl Reader {
    /// All words that the shell makes of an argument.
    pub(crate) fn words_of(&mut self, node: Node, text: &str) -> Vec<Word> {
        // `"$@"` and `"${list[@]}"` are as many words as there are values, so every value makes its own.
        let alternatives = self.marks_of(node, text);
        let home = self.home.clone();
        let words: Vec<Word> = alternatives.iter().flat_map(|marks| unquote::words(marks, &home)).collect();
        if !self.fuel.spend(words.iter().map(|word| word.text.len()).sum()) {
            self.too_much(slice(node, text));
        }
        words
    }

    /// An argument as one word.
    pub(crate) fn word_of(&mut self, node: Node, text: &str) -> Word {
        let alternatives = self.marks_of(node, text);
        let home = self.home.clone();
        alternatives.first().map(|marks| unquote::word(marks, &home)).unwrap_or_default()
    }

    /// The text inside of a heredoc.
    pub(crate) fn quoted_marks(&mut self, node: Node, text: &str) -> Marks {
        self.inside_quotes(node, text, node.start_byte(), node.end_byte())
            .into_iter()
            .next()
            .unwrap_or_default()
    }

    /// The values that a word may have.
    pub(crate) fn marks_of(&mut self, node: Node, text: &str) -> Vec<Marks> {
        if self.depth >= TREE_LEVELS {
            self.unread(slice(node, text));
            return vec![vec![Mark::Unknown]];
        }
        self.depth += 1;
        let marks = self.values_of(node, text);
        self.depth -= 1;
        if !self.fuel.spend(marks.iter().map(Vec::len).sum::<usize>() + 1) {
            self.too_much(slice(node, text));
            return vec![vec![Mark::Unknown]];
        }
        marks
    }

    fn values_of(&mut self, node: Node, text: &str) -> Vec<Marks> {
        let raw = slice(node, text);
        match node.kind() {
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
                vec![vec![Mark::Unknown]]
            }
        }
    }

    fn joined(&mut self, node: Node, text: &str) -> Vec<Marks> {
        let mut values = vec![Marks::new()];
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
    fn product(&mut self, mut values: Vec<Marks>, next: Vec<Marks>) -> Vec<Marks> {
        if let [only] = next.as_slice() {
            values.iter_mut().for_each(|value| value.extend_from_slice(only));
            return values;
        }
        let sizes = |marks: &[Marks]| marks.iter().map(Vec::len).sum::<usize>();
        let size = sizes(&values) * next.len() + sizes(&next) * values.len();
        if values.len() * next.len() > MOST_VALUES || !self.fuel.spend(size) {
            return vec![vec![Mark::Unknown]];
        }
        values
            .iter()
            .flat_map(|value| next.iter().map(move |tail| [value.clone(), tail.clone()].concat()))
            .collect()
    }

    /// Double quotes. The grammar names only some of the text between the expansions, so the gaps count too.
    fn inside_quotes(&mut self, node: Node, text: &str, start: usize, end: usize) -> Vec<Marks> {
        let mut values = vec![Marks::new()];
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
            let gap = text.get(position..part.start_byte()).unwrap_or_default();
            values = self.product(values, vec![unquote::double_quoted(gap)]);
            let next = match kind {
                "command_substitution" => {
                    let value = self.substitution(part, text);
                    vec![unquote::expansion(&value, true, "")]
                }
                "arithmetic_expansion" => {
                    self.substitutions(part, text);
                    vec![vec![Mark::Unknown]]
                }
                _ => self.variable(part, text, true),
            };
            values = self.product(values, next);
            position = part.end_byte();
        }
        let rest = text.get(position..end.max(position)).unwrap_or_default();
        self.product(values, vec![unquote::double_quoted(rest)])
    }

    /// `$X`, `${X}`, `${X:-word}`, `${X[@]}`; other operators give something unknown.
    fn variable(&mut self, node: Node, text: &str, in_quotes: bool) -> Vec<Marks> {
        let mut cursor = node.walk();
        let parts: Vec<Node> = node.children(&mut cursor).collect();
        let mut name = None;
        let mut operator = "";
        let mut fallback = None;
        for part in &parts {
            match part.kind() {
                "variable_name" | "special_variable_name" if name.is_none() => {
                    name = Some(slice(*part, text))
                }
                "subscript" if name.is_none() => {
                    name = part.child_by_field_name("name").map(|name| slice(name, text));
                }
                "$" | "${" | "}" => {}
                _ if part.is_named() && fallback.is_none() => fallback = Some(*part),
                _ if !part.is_named() => operator = slice(*part, text),
                _ => {}
            }
        }
        let value = name.and_then(|name| self.value(name));
        let usable = name.is_some() && parts.get(1).map(|part| part.kind()) != Some("#");
        let values = match (operator, value) {
            ("", value) if usable => value,
            (":-" | "-" | ":=" | "=", Some(value)) if usable => Some(value),
            (":-" | "-", None) if usable => fallback.map(|word| self.marks_of(word, text)),
            (":=" | "=", None) if usable => {
                let given = fallback.map(|word| self.marks_of(word, text));
                self.set(name.unwrap_or_default().to_owned(), given.clone());
                given
            }
            (":+" | "+", Some(_)) if usable => fallback.map(|word| self.marks_of(word, text)),
            (":?" | "?", value) if usable => value,
            _ => {
                self.substitutions(node, text);
                None
            }
        };
        match values {
            Some(values) => {
                let separators = self.separators();
                values.iter().map(|value| unquote::expansion(value, in_quotes, &separators)).collect()
            }
            None => vec![vec![Mark::Unknown]],
        }
    }

    /// Characters other than blanks at which an unquoted value is split.
    fn separators(&self) -> String {
        let set =
            self.place.variables.get("IFS").and_then(|values| self.known_text(values.as_ref()?.first()?));
        set.unwrap_or_default()
    }

    fn value(&self, name: &str) -> Option<Vec<Marks>> {
        let reference = self.place.references.iter().rev().find(|(own, _)| own == name);
        let name = reference.map_or(name, |(_, target)| target.as_str());
        if let Some(value) = self.place.variables.get(name) {
            return value.clone();
        }
        let one = |text: &str| Some(vec![unquote::quoted(text)]);
        match name {
            "HOME" => one(&self.home.to_string_lossy()),
            "PWD" => one(&self.place.directory.as_ref()?.to_string_lossy()),
            "OLDPWD" => one(&self.place.previous.as_ref()?.to_string_lossy()),
            "SHELL" => one("bash"),
            "TMPDIR" => one("/tmp"),
            "IFS" => one(" "),
            "@" | "*" => Some(self.place.arguments.as_ref()?.iter().map(handed_marks).collect()),
            _ => {
                let position: usize = name.parse().ok()?;
                let word = self.place.arguments.as_ref()?.get(position.checked_sub(1)?)?;
                Some(vec![handed_marks(word)])
            }
        }
    }

    /// Reads the commands of `$(…)`, and gives its text where that is known.
    fn substitution(&mut self, node: Node, text: &str) -> Marks {
        let before = self.script.commands.len();
        let mut printed = Some(String::new());
        self.isolated(|reader| {
            let mut cursor = node.walk();
            let parts: Vec<Node> = node.named_children(&mut cursor).collect();
            for part in parts {
                let first = reader.script.commands.len();
                reader.statement(part, text);
                let last = reader.script.commands.len().checked_sub(1).filter(|last| *last >= first);
                // Only the last stage of a pipeline says what the whole prints; of `a && b` nobody knows which run.
                let output = match last {
                    // `cd` and assignments print nothing.
                    None if part.kind() == "command" => Some(String::new()),
                    None => None,
                    Some(_) if part.kind() == "list" => None,
                    Some(last) => output::text_of(&reader.script, last),
                };
                printed = printed.take().zip(output).map(|(before, output)| before + &output);
            }
        });
        let Some(last) = self.script.commands.len().checked_sub(1).filter(|last| *last >= before) else {
            return vec![Mark::Unknown];
        };
        let unseen = remote_exec::prints(&self.script, last);
        match (node.kind(), printed) {
            (_, None) if unseen => vec![Mark::Unseen],
            ("process_substitution", Some(text)) => unquote::quoted(&self.virtual_file(text)),
            (_, Some(text)) => {
                let text = text.trim_end_matches('\n');
                match self.script.commands.get(last).map(crate::shell::model::Command::program) {
                    Some("pwd" | "mktemp") => unquote::quoted(text),
                    _ => unquote::printed(text),
                }
            }
            (_, None) => vec![Mark::Unknown],
        }
    }

    /// Reads the commands of every substitution below a node, and nothing else of it.
    pub(crate) fn substitutions(&mut self, node: Node, text: &str) {
        let mut found = Vec::new();
        let mut cursor = node.walk();
        let is_one = |node: Node| matches!(node.kind(), "command_substitution" | "process_substitution");
        'walk: loop {
            let here = cursor.node();
            if is_one(here) {
                found.push(here);
            } else if cursor.goto_first_child() {
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    break 'walk;
                }
            }
        }
        for substitution in found {
            self.substitution(substitution, text);
        }
    }
}

/// A word as a parameter. What `find` hands over stays a choice of files, in quotes too; which of them a test left is
/// not known.
pub(crate) fn handed_marks(word: &Word) -> Marks {
    match (word.known, word.glob || word.below, word.partial) {
        (false, ..) | (_, true, true) => vec![Mark::Unknown],
        (_, true, false) if word.glob => pattern_marks(word),
        (_, true, false) => {
            let text = format!("{}/**/*", word.text.trim_end_matches('/'));
            pattern_marks(&Word { text, glob: true, ..word.clone() })
        }
        (_, false, _) => unquote::quoted(&word.text),
    }
}

/// `text` without its first and last bytes, as far as it has them.
fn inside(text: &str, start: usize, end: usize) -> &str {
    text.get(start..text.len().saturating_sub(end)).unwrap_or_default()
}
