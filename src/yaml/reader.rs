//! Values out of a located tree: each of the wrong kind becomes a problem, and reading goes on.

use super::nearest::{nearest, third};
use super::problem::{Problem, ProblemWeight};
use super::tree::{Position, YamlKey, YamlNode, YamlTree};

/// The most that is shown of an unknown word, characters.
const SHOWN: usize = 60;

/// Reads one file and collects what is wrong with it.
pub(crate) struct YamlReader<'a> {
    source: &'a str,
    /// The most problems that are collected; an error is never lost among warnings.
    most: usize,
    /// What is wrong so far.
    pub(crate) problems: Vec<Problem>,
    /// What is right and has no effect; worth nothing in a file with errors, which is not used at all.
    idle: Vec<Problem>,
}

impl<'a> YamlReader<'a> {
    pub(crate) fn new(source: &'a str, most: usize) -> Self {
        YamlReader { source, most, problems: Vec::new(), idle: Vec::new() }
    }

    /// Everything that is wrong with the file, in the order of its lines.
    pub(crate) fn finish(self) -> Vec<Problem> {
        let mut problems = self.problems;
        if problems.iter().all(|problem| problem.weight == ProblemWeight::Warning) {
            problems.extend(self.idle);
        }
        problems.sort_by_key(|problem| (problem.line, problem.column));
        problems
    }

    /// A problem of this file that is not collected.
    pub(crate) fn problem(&self, weight: ProblemWeight, at: Position, message: String) -> Problem {
        Problem::new(weight, self.source, at, message, None)
    }

    /// Something that is wrong.
    pub(crate) fn error(&mut self, at: Position, message: impl Into<String>) {
        self.report(ProblemWeight::Error, at, message.into(), None);
    }

    /// Something that was not understood, and that nothing depends on.
    pub(crate) fn warning(&mut self, at: Position, message: String) {
        self.report(ProblemWeight::Warning, at, message, None);
    }

    /// Something that is right and has no effect.
    pub(crate) fn idle(&mut self, at: Position, message: String) {
        if self.idle.len() < self.most {
            self.idle.push(self.problem(ProblemWeight::Warning, at, message));
        }
    }

    /// A word that is not one of `known`.
    pub(crate) fn unknown<'k>(
        &mut self,
        at: Position,
        what: &str,
        word: &str,
        known: impl IntoIterator<Item = &'k str>,
    ) {
        let shown: String = word.chars().take(SHOWN).collect();
        self.report(ProblemWeight::Error, at, format!("{shown:?} is no {what}"), nearest(word, known, third));
    }

    fn report(&mut self, weight: ProblemWeight, at: Position, message: String, near: Option<&str>) {
        let is_error = |problem: &Problem| problem.weight == ProblemWeight::Error;
        let is_first_error = weight == ProblemWeight::Error && !self.problems.iter().any(is_error);
        if self.problems.len() < self.most || is_first_error {
            self.problems.push(Problem::new(weight, self.source, at, message, near));
        }
    }

    fn mismatch<T>(&mut self, node: &YamlNode, expected: &str) -> Option<T> {
        self.error(node.at, format!("{expected} is expected here, not {}", node.value.kind()));
        None
    }

    /// The fields of a mapping that say something. A field that nobody knows is left alone, unless it looks like a slip
    /// of a known one.
    pub(crate) fn fields<'n>(
        &mut self,
        node: &'n YamlNode,
        known: &[&str],
    ) -> Vec<(&'n YamlKey, &'n YamlNode)> {
        let Some(entries) = self.entries(node) else { return Vec::new() };
        for (key, _) in entries.iter().filter(|(key, _)| !known.contains(&key.name.as_str())) {
            let near = nearest(&key.name, known.iter().copied(), third);
            if near.is_some() {
                self.report(ProblemWeight::Warning, key.at, format!("{:?} has no effect", key.name), near);
            }
        }
        let says = entries.iter().filter(|(_, value)| value.value != YamlTree::Null);
        says.map(|(key, value)| (key, value)).collect()
    }

    /// All entries of a mapping.
    pub(crate) fn entries<'n>(&mut self, node: &'n YamlNode) -> Option<&'n [(YamlKey, YamlNode)]> {
        node.value.as_map().or_else(|| self.mismatch(node, "a mapping"))
    }

    /// Each element of a list by `read`; those that can't be read are left out.
    pub(crate) fn list<T>(
        &mut self,
        node: &YamlNode,
        mut read: impl FnMut(&mut Self, &YamlNode) -> Option<T>,
    ) -> Option<Vec<T>> {
        let Some(nodes) = node.value.as_list() else { return self.mismatch(node, "a list") };
        Some(nodes.iter().filter_map(|node| read(self, node)).collect())
    }

    /// A text.
    pub(crate) fn text(&mut self, node: &YamlNode) -> Option<String> {
        let text = node.value.as_text().map(str::to_owned);
        text.or_else(|| self.mismatch(node, "a text"))
    }

    /// True or false.
    pub(crate) fn boolean(&mut self, node: &YamlNode) -> Option<bool> {
        node.value.as_bool().or_else(|| self.mismatch(node, "true or false"))
    }

    /// A whole number from `least`.
    pub(crate) fn whole(&mut self, node: &YamlNode, least: u64) -> Option<u64> {
        if node.value.as_number().is_none() {
            return self.mismatch(node, "a whole number");
        }
        let whole = node.value.as_whole(least..=u64::MAX);
        if whole.is_none() {
            self.error(node.at, format!("a whole number from {least} is expected here"));
        }
        whole
    }

    /// A number that is not negative.
    pub(crate) fn number(&mut self, node: &YamlNode) -> Option<f64> {
        let Some(number) = node.value.as_number() else { return self.mismatch(node, "a number") };
        if number >= 0.0 && number.is_finite() {
            return Some(number);
        }
        self.error(node.at, "a number from 0 is expected here");
        None
    }

    /// One of the words of an enumeration, which `name` writes.
    pub(crate) fn word<T: Copy>(
        &mut self,
        node: &YamlNode,
        what: &str,
        of: fn(&str) -> Option<T>,
        names: impl IntoIterator<Item = &'static str>,
    ) -> Option<T> {
        let text = self.text(node)?;
        let word = of(&text);
        if word.is_none() {
            self.unknown(node.at, what, &text, names);
        }
        word
    }
}
