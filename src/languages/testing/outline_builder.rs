//! An outline under construction: what the walk of every language needs.
//!
//! A language's own file finds where tests are; what they say is filled in for all languages alike. Walks are bounded
//! by [`DEEPEST`].

use std::cell::Cell;
use std::ops::Range;

use tree_sitter::Node;

use crate::languages::assertions::model::Claim;
use crate::languages::testing::outline::{Dead, Outline, Skip, Stray, Test, When, bare_lines};
use crate::languages::testing::skip_condition::when;
use crate::languages::tree::{each_node, line, text};

/// A level of nesting while a grammar's file walks.
#[derive(Debug, Clone, Default)]
pub(crate) struct Suite {
    pub(crate) name: String,
    pub(crate) skip: Option<Skip>,
    pub(crate) focus: Option<String>,
}

/// One statement at the start of a test, as far as it can end the test.
pub(crate) enum OutlineStep {
    /// Skips, with this mark.
    Skip(String),
    /// Returns.
    Return,
    /// Does either under a condition.
    If(String, Box<OutlineStep>),
    /// Anything else.
    Other,
}

/// A grammar, and how its tree says what a test is.
pub(crate) struct Grammar {
    /// Loads the grammar.
    pub(crate) parser: fn() -> tree_sitter::Language,
    /// Finds tests, strays and dead regions.
    pub(crate) walk: fn(&mut Sketch, Node),
    /// Recognises an assertion.
    pub(crate) assertion: fn(Node, &str) -> Option<Found>,
    /// Reads what an assertion claims.
    pub(crate) claim: fn(Node, &str) -> Claim,
    /// The kinds of nodes that can be assertions.
    pub(crate) asserting: &'static [&'static str],
    /// The kinds of nodes that loop.
    pub(crate) loops: &'static [&'static str],
}

/// An outline under construction.
pub(crate) struct Sketch<'s> {
    pub(crate) source: &'s str,
    pub(crate) grammar: &'static Grammar,
    pub(crate) suites: Vec<Suite>,
    pub(crate) outline: Outline,
    /// Classes whose set-up skips, by name.
    pub(crate) skipping: Vec<(String, Skip)>,
    /// How often [`Sketch::is_unused`] may still read the whole text.
    searches: Cell<usize>,
}

/// Nodes deeper than this below a grammar's walk are not looked into: no test is nested so deep, hostile text is.
pub(crate) const DEEPEST: usize = 120;
const MOST_SEARCHES: usize = 200;

impl<'s> Sketch<'s> {
    pub(crate) fn new(source: &'s str, grammar: &'static Grammar) -> Self {
        Sketch {
            source,
            grammar,
            suites: Vec::new(),
            outline: Outline::default(),
            skipping: Vec::new(),
            searches: Cell::new(MOST_SEARCHES),
        }
    }

    pub(crate) fn text(&self, node: Node) -> &'s str {
        text(node, self.source)
    }

    /// Adds a test below the open suites. `test` has its own title, spans and marks; the rest is filled here.
    pub(crate) fn add(&mut self, mut test: Test, head: Node) {
        test.line = line(head);
        place(&mut self.outline, &self.suites, test);
    }

    /// Marks all tests from the index on as skipped by what their suite does before each.
    pub(crate) fn skip_since(&mut self, first: usize, skip: &Skip) {
        for test in self.outline.tests.iter_mut().skip(first).filter(|test| test.skipped.is_none()) {
            test.skipped = Some(Skip { suite: true, ..skip.clone() });
        }
    }

    pub(crate) fn stray(&mut self, name: &str, node: Node) {
        let name = name.to_owned();
        self.outline.strays.push(Stray {
            name,
            line: line(node),
            span: node.byte_range(),
            ..Stray::default()
        });
    }

    pub(crate) fn dead(&mut self, node: Node, why: String) {
        self.dead_range(node.byte_range(), why);
    }

    /// The same for a region that is no single node.
    pub(crate) fn dead_range(&mut self, span: Range<usize>, why: String) {
        let mut lines: Vec<u64> = bare_lines(self.source.get(span.clone()).unwrap_or_default()).collect();
        lines.sort_unstable();
        self.outline.dead.push(Dead { span, why, lines });
    }

    /// Whether the identifier stands in the text only once, so that nobody uses what it names. Asked too often, it
    /// calls every name used.
    pub(crate) fn is_unused(&self, name: &str) -> bool {
        let left = self.searches.get();
        self.searches.set(left.saturating_sub(1));
        if left == 0 {
            return false;
        }
        let is_part =
            |byte: Option<&u8>| byte.is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_' || *b == b'$');
        let bytes = self.source.as_bytes();
        let whole = |at: &usize| {
            !is_part(at.checked_sub(1).and_then(|i| bytes.get(i))) && !is_part(bytes.get(at + name.len()))
        };
        !name.is_empty() && self.source.match_indices(name).map(|(at, _)| at).filter(whole).nth(1).is_none()
    }

    /// What ends a test before its first assertion: a skip, a return, or either under a condition. A plain return
    /// before any other assertion does so as well.
    pub(crate) fn gate(&self, statements: &[Node], read: fn(&Sketch, Node) -> OutlineStep) -> Option<Skip> {
        let steps: Vec<OutlineStep> = statements.iter().map(|statement| read(self, *statement)).collect();
        // Mostly nothing ends it, and where its assertions are does not matter.
        let last = steps.iter().rposition(|step| !matches!(step, OutlineStep::Other))?;
        let mut has_asserted = false;
        for (index, (statement, step)) in statements.iter().zip(steps).enumerate().take(last + 1) {
            let skip = |mark: &str, when| Some(Skip { mark: mark.to_owned(), when, suite: false });
            let rest = statements.get(index + 1..).unwrap_or_default();
            let cuts = || {
                let asserts = |nodes: &[Node]| nodes.iter().any(|node| self.asserts(*node));
                // Swift's grammar takes the next line for what a bare `return` returns.
                let is_bare =
                    self.text(*statement).lines().next().is_some_and(|line| line.trim() == "return");
                if is_bare && self.asserts(*statement) {
                    return true;
                }
                // A test without assertions fails by what it calls.
                !self.asserts(*statement) && (asserts(rest) || !rest.is_empty() && !asserts(statements))
            };
            match step {
                OutlineStep::Return if cuts() => return skip("return", When::Always),
                _ if has_asserted => {}
                OutlineStep::Skip(mark) => return skip(&mark, When::Always),
                OutlineStep::If(condition, step) => {
                    let when = when(&condition);
                    match *step {
                        OutlineStep::Skip(mark) => {
                            if let Some(when) = when {
                                return skip(&mark, when);
                            }
                        }
                        OutlineStep::Return if matches!(when, Some(When::Always | When::InCi)) && cuts() => {
                            return skip("return", when?);
                        }
                        _ => {}
                    }
                }
                OutlineStep::Return | OutlineStep::Other => {}
            }
            has_asserted = has_asserted || self.asserts(*statement);
        }
        None
    }

    fn asserts(&self, node: Node) -> bool {
        let mut found = false;
        each_node(node, &mut |node| {
            found = found || (node.is_named() && (self.grammar.assertion)(node, self.source).is_some());
            !found
        });
        found
    }
}

/// Adds a test below suites: it gets its name, and what the suites do to it.
pub(crate) fn place(outline: &mut Outline, suites: &[Suite], mut test: Test) {
    let names = suites.iter().map(|suite| suite.name.as_str()).filter(|name| !name.is_empty());
    test.name = names.chain([test.title.as_str()]).collect::<Vec<_>>().join(" > ");
    if test.cases == Some(0) && test.skipped.is_none() {
        test.skipped =
            Some(Skip { mark: "a table without rows".to_owned(), when: When::Always, suite: false });
    }
    for suite in suites.iter().rev() {
        if test.skipped.as_ref().is_none_or(|skip| !skip.when.stops()) && suite.skip.is_some() {
            test.skipped = suite.skip.clone().map(|skip| Skip { suite: true, ..skip });
        }
        if test.focused.is_none() {
            test.focused.clone_from(&suite.focus);
        }
    }
    outline.tests.push(test);
}

/// An assertion that a grammar's file has recognised, in bytes.
pub(crate) struct Found {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) trivial: bool,
}

impl Found {
    pub(crate) fn at(node: Node, trivial: bool) -> Option<Found> {
        Some(Found { start: node.start_byte(), end: node.end_byte(), trivial })
    }
}
