//! Variables of the shell: assignments, declarations, and what is known of a value.

use std::rc::Rc;

use tree_sitter::Node;

use crate::shell::model::{Command, Word, first_line};
use crate::shell::parse::marks::{WordChar, WordChars};
use crate::shell::parse::output::text::{FRESH_DIRECTORY, FRESH_HOME};
use crate::shell::parse::reader::{ScriptReader, slice};
use crate::shell::parse::unquote;

/// The most elements of an array that are known by their keys.
const MOST_ELEMENTS: usize = 64;

/// A word as the value of a loop's variable: its pattern stays one, in quotes too.
pub(super) fn pattern_marks(word: &Word) -> WordChars {
    word.text
        .chars()
        .map(|letter| if word.glob { WordChar::Pattern(letter) } else { WordChar::Quoted(letter) })
        .collect()
}

impl ScriptReader {
    pub(super) fn declaration(&mut self, node: Node, text: &str) {
        let mut cursor = node.walk();
        let parts: Vec<Node> = node.named_children(&mut cursor).collect();
        // All words are expanded before the first is assigned: `export A=rm B=$A` has the old `A` in `B`.
        let mut assigned = Vec::new();
        for part in parts {
            match part.kind() {
                "variable_assignment" => assigned.push(self.assigned(part, text)),
                _ => self.substitutions(part, text),
            }
        }
        let written = slice(node, text);
        self.exports_functions |=
            ["export -f", "declare -fx", "typeset -fx"].iter().any(|start| written.starts_with(start));
        if self.exports_functions {
            self.note_exported_functions(written);
        }
        let own = ["local", "declare", "typeset"].iter().any(|word| slice(node, text).starts_with(word));
        for (name, values) in assigned {
            if own {
                self.hide(&name);
            }
            let target = values.as_deref().and_then(|values| self.known_text(values.first()?));
            self.set(name.clone(), values);
            if written.starts_with("readonly") || written.starts_with("declare -r") {
                self.place.read_only.push(name);
            } else if let Some(target) =
                target.filter(|_| written.starts_with("declare -n") || written.starts_with("local -n"))
            {
                self.place.references.push((name, target));
            }
        }
    }

    /// `export -f npm`: each function that other programs get from now on, with its body, for what it stands before.
    fn note_exported_functions(&mut self, written: &str) {
        let names = written.split_whitespace().skip(2);
        let exported =
            names.filter_map(|name| Some((name.to_owned(), self.functions.get(name)?.body.clone())));
        for (name, body) in exported.collect::<Vec<_>>() {
            let words = ["export", "-f", &name, &body].map(Word::literal).to_vec();
            self.push(Command { words, source: first_line(written), ..Command::default() });
        }
    }

    /// Notes what a function's own variable hides.
    fn hide(&mut self, name: &str) {
        let old = self.place.variables.get(name).cloned();
        if let Some(frame) = self.locals.last_mut() {
            frame.push((name.to_owned(), old));
        }
    }

    pub(super) fn unset(&mut self, node: Node, text: &str) {
        let mut cursor = node.walk();
        for part in node.named_children(&mut cursor) {
            self.set(slice(part, text).to_owned(), None);
        }
    }

    pub(super) fn assignment(&mut self, node: Node, text: &str) {
        let (name, mut values) = self.assigned(node, text);
        let fresh = unquote::quoted(FRESH_DIRECTORY);
        if name == "HOME" && values.as_ref().is_some_and(|values| values.iter().all(|marks| *marks == fresh))
        {
            values = Some(vec![unquote::quoted(FRESH_HOME)]);
        }
        self.set(name, values);
    }

    pub(super) fn assigned(&mut self, node: Node, text: &str) -> (String, Option<Vec<WordChars>>) {
        let target = node.child_by_field_name("name");
        let name = target.map_or("", |name| slice(name, text)).to_owned();
        let adds = slice(node, text).get(name.len()..).is_some_and(|rest| rest.starts_with("+="));
        let mut is_array = false;
        let values = match node.child_by_field_name("value") {
            None => Some(vec![WordChars::new()]),
            Some(value) if value.kind() == "array" => {
                let mut cursor = value.walk();
                let parts: Vec<Node> = value.named_children(&mut cursor).collect();
                let words: Vec<Word> = parts.into_iter().flat_map(|part| self.words_of(part, text)).collect();
                let words = self.elements(&name, words, adds);
                is_array = true;
                words.iter().all(|word| word.known).then(|| words.iter().map(pattern_marks).collect())
            }
            Some(value) => {
                let values = self.marks_of(value, text).into_iter();
                Some(values.map(|marks| unquote::assigned(marks, &self.home)).collect())
            }
        };
        let values = match (adds, self.place.variables.get(&name), values) {
            (true, Some(Some(old)), Some(new)) if is_array => {
                Some(old.iter().chain(new.iter()).cloned().collect())
            }
            (true, Some(Some(old)), Some(new)) if old.len() == 1 && new.len() == 1 => Some(vec![
                old.iter().chain(new.iter()).flat_map(|marks| marks.iter().copied()).collect::<WordChars>(),
            ]),
            (true, _, _) => None,
            (false, _, values) => values,
        };
        (name, values)
    }

    /// The elements of an array, each also kept by its key: `[key]=value`, or its number.
    fn elements(&mut self, name: &str, words: Vec<Word>, adds: bool) -> Vec<Word> {
        let before = match self.place.variables.get(name) {
            Some(Some(values)) if adds => values.len(),
            _ => 0,
        };
        let mut elements = Vec::with_capacity(words.len());
        for (index, mut word) in words.into_iter().enumerate() {
            let keyed = word.text.strip_prefix('[').and_then(|rest| rest.split_once("]="));
            let key = match keyed {
                Some((key, value)) => {
                    let key = key.to_owned();
                    // The bracket of the key is no pattern.
                    word.glob = value.contains(['*', '?', '[']);
                    word.text = value.to_owned();
                    key
                }
                None => (before + index).to_string(),
            };
            if word.known && index < MOST_ELEMENTS {
                self.set(format!("{name}[{key}]"), Some(vec![pattern_marks(&word)]));
            }
            elements.push(word);
        }
        elements
    }

    pub(crate) fn set(&mut self, name: String, values: Option<Vec<WordChars>>) {
        // Another PATH makes the shell look for every program anew.
        if name == "PATH" {
            self.hashed.clear();
        }
        if self.place.read_only.contains(&name) {
            return;
        }
        Rc::make_mut(&mut self.place.variables).insert(name, values);
    }

    pub(crate) fn forget(&mut self, name: &str) {
        Rc::make_mut(&mut self.place.variables).remove(name);
    }

    pub(crate) fn known_text(&self, marks: &WordChars) -> Option<String> {
        let word = unquote::word(marks, &self.home);
        word.known.then_some(word.text)
    }
}
