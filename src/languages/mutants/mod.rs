//! Small faults for a source, from its syntax tree: what a test of the code has to notice.
//!
//! Pure: a text and the places in it that count give changes of the text. Each fault is one change of one line, as a
//! rule, and leaves a text that still parses; whether it still compiles only the compiler knows.

mod defaults;
mod forms;

use std::ops::Range;

use tree_sitter::Node;

use crate::languages::code::is_log;
use crate::languages::mutants::defaults::default_of;
use crate::languages::mutants::forms::{Forms, boundary, turned};
use crate::languages::reading::ParsedSource;
use crate::languages::registry::Language;
use crate::languages::tree::{each_node_within, line, parts, text};

/// A small fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mutant {
    /// What it replaces, in bytes.
    pub range: Range<usize>,
    /// By what.
    pub with: String,
    /// What it is.
    pub fault: MutantKind,
    /// Its line, from 1.
    pub line: u32,
}

/// What a fault is, the most telling first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MutantKind {
    /// A return gives nothing, or zero.
    ReturnDefault,
    /// A comparison says the opposite.
    ComparisonTurned,
    /// An error is not raised.
    RaiseRemoved,
    /// A branch is taken when it must not be.
    BranchNegated,
    /// A boundary is moved by one.
    BoundaryMoved,
    /// A constant is another.
    ConstantChanged,
    /// A call is not made.
    CallDropped,
}

impl MutantKind {
    /// The fault in words.
    pub fn words(self) -> &'static str {
        match self {
            MutantKind::ReturnDefault => "return replaced by a default",
            MutantKind::ComparisonTurned => "comparison turned",
            MutantKind::RaiseRemoved => "raise removed",
            MutantKind::BranchNegated => "branch negated",
            MutantKind::BoundaryMoved => "boundary moved",
            MutantKind::ConstantChanged => "constant changed",
            MutantKind::CallDropped => "call dropped",
        }
    }
}

impl Mutant {
    /// The text with the fault in it.
    pub fn applied(&self, source: &str) -> String {
        let before = source.get(..self.range.start).unwrap_or_default();
        let after = source.get(self.range.end..).unwrap_or_default();
        format!("{before}{}{after}", self.with)
    }

    /// The lines that it changes, before and after.
    pub fn lines(&self, source: &str) -> (String, String) {
        let start = source.get(..self.range.start).and_then(|text| text.rfind('\n')).map_or(0, |at| at + 1);
        let rest = source.get(self.range.end..).unwrap_or_default();
        let end = self.range.end + rest.find('\n').unwrap_or(rest.len());
        let before = source.get(start..self.range.start).unwrap_or_default();
        let after = source.get(self.range.end..end).unwrap_or_default();
        let old = source.get(start..end).unwrap_or_default();
        (old.to_owned(), format!("{before}{}{after}", self.with))
    }
}

/// The faults for the text of a file within the given places, in the order of the text; none where the language has no
/// forms for them or the text can't be parsed.
pub fn mutants(path: &str, source: &str, within: &[Range<usize>]) -> Vec<Mutant> {
    let Some(language) = Language::of_path(path) else { return Vec::new() };
    let Some(forms) = Forms::of(language) else { return Vec::new() };
    let reading = ParsedSource::new(language, source);
    let Some(tree) = reading.tree().filter(|tree| !tree.root_node().has_error()) else { return Vec::new() };
    let mut finder = Finder { forms, source, found: Vec::new() };
    each_node_within(tree.root_node(), &[], &mut |node, above| {
        let range = node.byte_range();
        let touches = within.iter().any(|place| place.start < range.end && range.start < place.end);
        if within.iter().any(|place| place.start <= range.start && range.end <= place.end) {
            finder.visit(node, above);
        }
        touches
    });
    let mut found = finder.found;
    found.sort_by_key(|mutant| (mutant.range.start, mutant.fault));
    found.dedup_by(|one, other| one.range == other.range && one.with == other.with);
    found
}

struct Finder<'s> {
    forms: &'static Forms,
    source: &'s str,
    found: Vec<Mutant>,
}

impl Finder<'_> {
    fn visit(&mut self, node: Node, above: &[Node]) {
        let kind = node.kind();
        let forms = self.forms;
        if forms.comparing.contains(&kind) {
            self.comparison(node);
        }
        if forms.branches.contains(&kind) {
            self.branch(node);
        }
        if forms.returns.contains(&kind) {
            self.returns(node, above);
        }
        if forms.raises.contains(&kind) {
            self.add(node, MutantKind::RaiseRemoved, forms.nothing.to_owned());
        }
        if forms.numbers.contains(&kind) {
            self.number(node);
        }
        if forms.truths.contains(&kind) {
            self.truth(node);
        }
        if forms.statements.contains(&kind) {
            self.statement(node);
        }
        if forms.functions.contains(&kind) {
            self.tail(node);
        }
    }

    fn text(&self, node: Node) -> &str {
        text(node, self.source)
    }

    fn add(&mut self, node: Node, fault: MutantKind, with: String) {
        self.found.push(Mutant { range: node.byte_range(), with, fault, line: line(node) });
    }

    fn comparison(&mut self, node: Node) {
        let mut cursor = node.walk();
        let operators: Vec<Node> = node.children(&mut cursor).filter(|child| !child.is_named()).collect();
        for operator in operators {
            let sign = self.text(operator).to_owned();
            if let Some(other) = turned(&sign) {
                self.add(operator, MutantKind::ComparisonTurned, other.to_owned());
            }
            if let Some(other) = boundary(&sign) {
                self.add(operator, MutantKind::BoundaryMoved, other.to_owned());
            }
        }
    }

    fn branch(&mut self, node: Node) {
        let Some(condition) = node.child_by_field_name("condition") else { return };
        if condition.kind().starts_with("let_") {
            return;
        }
        let inner = if condition.kind() == "parenthesized_expression" {
            parts(condition).first().copied().unwrap_or(condition)
        } else {
            condition
        };
        let negated = self.forms.negated.replace("{}", self.text(inner));
        self.add(inner, MutantKind::BranchNegated, negated);
    }

    fn returns(&mut self, node: Node, above: &[Node]) {
        let function = above.iter().rev().find(|it| self.forms.functions.contains(&it.kind()));
        let Some(value) = parts(node).first().copied() else { return };
        let default = default_of(self.forms.language, function.copied(), value, self.source);
        if let Some(with) = default.filter(|with| *with != self.text(value)) {
            self.add(value, MutantKind::ReturnDefault, with);
        }
    }

    /// A function's last expression is what it gives, in Rust and in short functions of JavaScript.
    fn tail(&mut self, node: Node) {
        let Some(body) = node.child_by_field_name("body") else { return };
        let value = match self.forms.language {
            Language::Rust if node.child_by_field_name("return_type").is_some() => {
                let last = parts(body).last().copied();
                last.filter(|it| !it.kind().ends_with("_statement") && !it.kind().ends_with("_declaration"))
            }
            Language::JavaScript | Language::TypeScript | Language::Tsx => {
                Some(body).filter(|body| node.kind() == "arrow_function" && body.kind() != "statement_block")
            }
            _ => None,
        };
        let Some(value) = value else { return };
        let default = default_of(self.forms.language, Some(node), value, self.source);
        if let Some(with) = default.filter(|with| *with != self.text(value)) {
            self.add(value, MutantKind::ReturnDefault, with);
        }
    }

    fn number(&mut self, node: Node) {
        let written = self.text(node);
        let other = match (written.parse::<i64>(), written.parse::<f64>()) {
            (Ok(number), _) => number.checked_add(1).map(|it| it.to_string()),
            (_, Ok(number)) if number.is_finite() => Some((number + 1.0).to_string()),
            _ => None,
        };
        if let Some(other) = other {
            self.add(node, MutantKind::ConstantChanged, other);
        }
    }

    fn truth(&mut self, node: Node) {
        let other = match self.text(node) {
            "true" => "false",
            "false" => "true",
            "True" => "False",
            "False" => "True",
            _ => return,
        };
        self.add(node, MutantKind::ConstantChanged, other.to_owned());
    }

    /// A statement that is nothing but a call. What only logs is nothing that a test has to notice.
    fn statement(&mut self, node: Node) {
        let Some(mut inner) = parts(node).first().copied() else { return };
        while matches!(inner.kind(), "await_expression" | "await" | "try_expression") {
            let Some(next) = parts(inner).first().copied() else { return };
            inner = next;
        }
        if !self.forms.calls.contains(&inner.kind()) || is_log(self.text(node)) {
            return;
        }
        let called = self.text(inner);
        let raises =
            ["panic", "bail!", "ensure!", "unreachable!"].iter().any(|word| called.starts_with(word));
        let fault = if raises { MutantKind::RaiseRemoved } else { MutantKind::CallDropped };
        self.add(node, fault, self.forms.nothing.to_owned());
    }
}

#[cfg(test)]
mod tests;
