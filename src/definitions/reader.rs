//! Values out of a located tree: each of the wrong kind becomes a problem, and reading goes on.

use std::borrow::Cow;

use super::condition::Condition;
use super::inputs::placeholders;
use super::model::{List, Literal, Text};
use super::problem::{Problem, Weight};
use super::tree::{Key, Node, Place, Tree};
use super::vocabulary::{VARIABLES, is_variable, nearest};

/// The most problems that are collected; an error is never lost among warnings.
const MOST: usize = 200;
/// The most that is shown of an unknown word, characters.
const SHOWN: usize = 60;

/// Reads one file and collects what is wrong with it.
pub(super) struct Reader<'a> {
    source: &'a str,
    /// What is wrong so far.
    pub(super) problems: Vec<Problem>,
    /// What is right and has no effect; worth nothing in a file with errors, which is not used at all.
    idle: Vec<Problem>,
}

impl<'a> Reader<'a> {
    /// Everything that is wrong with the file.
    pub(super) fn finish(self) -> Vec<Problem> {
        let mut problems = self.problems;
        if problems.iter().all(|problem| problem.weight == Weight::Warning) {
            problems.extend(self.idle);
        }
        problems.sort_by_key(|problem| (problem.line, problem.column));
        problems
    }

    pub(super) fn new(source: &'a str) -> Self {
        Reader { source, problems: Vec::new(), idle: Vec::new() }
    }

    pub(super) fn error(&mut self, at: Place, message: impl Into<String>) {
        self.report(Weight::Error, at, message.into(), None);
    }

    /// Something that is right and has no effect.
    pub(super) fn idle(&mut self, at: Place, message: String) {
        if self.idle.len() < MOST {
            self.idle.push(Problem::new(Weight::Warning, self.source, at, message, None));
        }
    }

    /// A word that is not one of `known`.
    pub(super) fn unknown<'k>(
        &mut self,
        at: Place,
        what: &str,
        word: &str,
        known: impl IntoIterator<Item = &'k str>,
    ) {
        let shown: String = word.chars().take(SHOWN).collect();
        self.report(Weight::Error, at, format!("{shown:?} is no {what}"), nearest(word, known));
    }

    fn report(&mut self, weight: Weight, at: Place, message: String, near: Option<&str>) {
        let is_error = |problem: &Problem| problem.weight == Weight::Error;
        let is_first_error = weight == Weight::Error && !self.problems.iter().any(is_error);
        if self.problems.len() < MOST || is_first_error {
            self.problems.push(Problem::new(weight, self.source, at, message, near));
        }
    }

    fn mismatch<T>(&mut self, node: &Node, expected: &str) -> Option<T> {
        self.error(node.at, format!("{expected} is expected here, not {}", node.value.kind()));
        None
    }

    /// The fields of a mapping that say something. A field that nobody knows is left alone, unless it looks like a slip
    /// of a known one.
    pub(super) fn fields<'n>(&mut self, node: &'n Node, known: &[&str]) -> Vec<(&'n Key, &'n Node)> {
        let Some(entries) = self.entries(node) else { return Vec::new() };
        for (key, _) in entries.iter().filter(|(key, _)| !known.contains(&key.name.as_str())) {
            let near = nearest(&key.name, known.iter().copied());
            if near.is_some() {
                self.report(Weight::Warning, key.at, format!("{:?} has no effect", key.name), near);
            }
        }
        entries
            .iter()
            .filter(|(_, value)| value.value != Tree::Null)
            .map(|(key, value)| (key, value))
            .collect()
    }

    /// All entries of a mapping.
    pub(super) fn entries<'n>(&mut self, node: &'n Node) -> Option<&'n [(Key, Node)]> {
        match &node.value {
            Tree::Map(entries) => Some(entries),
            _ => self.mismatch(node, "a mapping"),
        }
    }

    /// Each element of a list by `read`; those that can't be read are left out.
    pub(super) fn list<T>(
        &mut self,
        node: &Node,
        mut read: impl FnMut(&mut Self, &Node) -> Option<T>,
    ) -> Option<List<T>> {
        let Tree::List(nodes) = &node.value else { return self.mismatch(node, "a list") };
        Some(nodes.iter().filter_map(|node| read(self, node)).collect::<Vec<T>>().into())
    }

    pub(super) fn text(&mut self, node: &Node) -> Option<Text> {
        match &node.value {
            Tree::Text(text) => Some(Cow::Owned(text.clone())),
            _ => self.mismatch(node, "a text"),
        }
    }

    pub(super) fn boolean(&mut self, node: &Node) -> Option<bool> {
        match node.value {
            Tree::Bool(value) => Some(value),
            _ => self.mismatch(node, "true or false"),
        }
    }

    /// A whole number from `least`.
    pub(super) fn whole(&mut self, node: &Node, least: u64) -> Option<u64> {
        match node.value {
            Tree::Integer(value) if u64::try_from(value).is_ok_and(|value| value >= least) => {
                Some(value as u64)
            }
            Tree::Integer(_) | Tree::Float(_) => {
                self.error(node.at, format!("a whole number from {least} is expected here"));
                None
            }
            _ => self.mismatch(node, "a whole number"),
        }
    }

    /// A number that is not negative.
    pub(super) fn number(&mut self, node: &Node) -> Option<f64> {
        let number = match node.value {
            Tree::Integer(value) => value as f64,
            Tree::Float(value) => value,
            _ => return self.mismatch(node, "a number"),
        };
        if number >= 0.0 && number.is_finite() {
            return Some(number);
        }
        self.error(node.at, "a number from 0 is expected here");
        None
    }

    /// One of the words of an enumeration.
    pub(super) fn word<T: Copy>(
        &mut self,
        node: &Node,
        what: &str,
        of: fn(&str) -> Option<T>,
        all: &[T],
        name: fn(T) -> &'static str,
    ) -> Option<T> {
        let text = self.text(node)?;
        let word = of(&text);
        if word.is_none() {
            self.unknown(node.at, what, &text, all.iter().map(|word| name(*word)));
        }
        word
    }

    /// Any value, its placeholders checked.
    pub(super) fn literal(&mut self, node: &Node) -> Literal {
        match &node.value {
            Tree::Null => Literal::Null,
            Tree::Bool(value) => Literal::Bool(*value),
            Tree::Integer(value) => Literal::Integer(*value),
            Tree::Float(value) => Literal::Float(*value),
            Tree::Text(text) => {
                self.check_placeholders(node.at, text);
                Literal::Text(Cow::Owned(text.clone()))
            }
            Tree::List(nodes) => {
                Literal::List(nodes.iter().map(|node| self.literal(node)).collect::<Vec<_>>().into())
            }
            Tree::Map(entries) => {
                let entries =
                    entries.iter().map(|(key, value)| (key.name.clone().into(), self.literal(value)));
                Literal::Map(entries.collect::<Vec<_>>().into())
            }
        }
    }

    /// A text with placeholders.
    pub(super) fn message(&mut self, node: &Node) -> Option<Text> {
        let text = self.text(node)?;
        self.check_placeholders(node.at, &text);
        Some(text)
    }

    fn check_placeholders(&mut self, at: Place, text: &str) {
        for name in placeholders(text).into_iter().filter(|name| !is_variable(name)) {
            self.unknown(at, "variable", name, VARIABLES.iter().copied());
        }
    }

    /// The text of a condition that can be evaluated.
    pub(super) fn condition(&mut self, node: &Node) -> Option<Text> {
        let text = self.text(node)?;
        match Condition::parse(&text) {
            Ok(condition) => {
                for name in condition.names().into_iter().filter(|name| !is_variable(name)) {
                    self.unknown(node.at, "variable", name, VARIABLES.iter().copied());
                }
            }
            Err(error) => self.error(node.at, error.to_string()),
        }
        Some(text)
    }
}

/// Puts what was read, if anything was.
pub(super) fn put<T>(slot: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *slot = value;
    }
}
