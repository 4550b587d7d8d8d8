//! An outline under construction: what the walk of every language needs.
//!
//! A language's own file finds where tests are; what they say is filled in for all languages alike. Walks are bounded
//! by [`DEEPEST`].

use std::cell::Cell;
use std::ops::Range;

use tree_sitter::Node;

use crate::languages::assertions::model::AssertionClaim;
use crate::languages::testing::outline::{DeadRegion, Outline, Skip, StrayFunction, Test, bare_lines};
use crate::languages::tree::{line, text};

mod gate;

/// A level of nesting while a grammar's file walks.
#[derive(Debug, Clone, Default)]
pub(crate) struct Suite {
    pub(crate) name: String,
    pub(crate) skip: Option<Skip>,
    pub(crate) focus: Option<String>,
}

/// A test's title, and where it stands.
#[derive(Debug, Clone, Default)]
pub(crate) struct Title {
    pub(crate) text: String,
    /// Empty where the title is made at run time.
    pub(crate) span: Range<usize>,
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
    pub(crate) walk: fn(&mut OutlineBuilder, Node),
    /// Recognises an assertion.
    pub(crate) assertion: fn(Node, &str) -> Option<AssertionSpan>,
    /// Reads what an assertion claims.
    pub(crate) claim: fn(Node, &str) -> AssertionClaim,
    /// The kinds of nodes that can be assertions.
    pub(crate) asserting: &'static [&'static str],
    /// The kinds of nodes that loop.
    pub(crate) loops: &'static [&'static str],
}

/// An outline under construction.
pub(crate) struct OutlineBuilder<'s> {
    pub(crate) source: &'s str,
    pub(crate) grammar: &'static Grammar,
    pub(crate) suites: Vec<Suite>,
    pub(crate) outline: Outline,
    /// Classes whose set-up skips, by name.
    pub(crate) skipping: Vec<(String, Skip)>,
    /// How often [`OutlineBuilder::is_unused`] may still read the whole text.
    searches: Cell<usize>,
}

/// Nodes deeper than this below a grammar's walk are not looked into: no test is nested so deep, hostile text is.
pub(crate) const DEEPEST: usize = 120;
const MOST_SEARCHES: usize = 200;

impl<'s> OutlineBuilder<'s> {
    pub(crate) fn new(source: &'s str, grammar: &'static Grammar) -> Self {
        OutlineBuilder {
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

    /// Adds a test whose body may hold others: then it is their suite, and what skips it skips them.
    pub(crate) fn add_around(&mut self, test: Test, head: Node, walk_body: impl FnOnce(&mut Self)) {
        let (name, skipped) = (test.title.clone(), test.skipped.clone());
        self.add(test, head);
        let index = self.outline.tests.len() - 1;
        self.within(Suite { name, ..Suite::default() }, walk_body);
        if self.outline.tests.len() > index + 1 {
            if let Some(test) = self.outline.tests.get_mut(index) {
                test.suite = true;
            }
            if let Some(skip) = skipped {
                self.skip_since(index + 1, &skip);
            }
        }
    }

    /// Walks what stands in a suite.
    pub(crate) fn within(&mut self, suite: Suite, walk: impl FnOnce(&mut Self)) {
        self.suites.push(suite);
        walk(self);
        self.suites.pop();
    }

    /// Marks all tests from the index on as skipped by what their suite does before each.
    pub(crate) fn skip_since(&mut self, first: usize, skip: &Skip) {
        for test in self.outline.tests.iter_mut().skip(first).filter(|test| test.skipped.is_none()) {
            test.skipped = Some(Skip { suite: true, ..skip.clone() });
        }
    }

    pub(crate) fn stray(&mut self, name: &str, node: Node) {
        let name = name.to_owned();
        self.outline.strays.push(StrayFunction {
            name,
            line: line(node),
            span: node.byte_range(),
            ..StrayFunction::default()
        });
    }

    pub(crate) fn dead(&mut self, node: Node, why: String) {
        self.dead_range(node.byte_range(), why);
    }

    /// The same for a region that is no single node.
    pub(crate) fn dead_range(&mut self, span: Range<usize>, why: String) {
        let mut lines: Vec<u64> = bare_lines(self.source.get(span.clone()).unwrap_or_default()).collect();
        lines.sort_unstable();
        self.outline.dead.push(DeadRegion { span, why, lines });
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
}

/// Adds a test below suites: it gets its name, and what the suites do to it.
pub(crate) fn place(outline: &mut Outline, suites: &[Suite], mut test: Test) {
    let names = suites.iter().map(|suite| suite.name.as_str()).filter(|name| !name.is_empty());
    test.name = names.chain([test.title.as_str()]).collect::<Vec<_>>().join(" > ");
    if test.cases == Some(0) && test.skipped.is_none() {
        test.skipped = Some(Skip::always("a table without rows"));
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
pub(crate) struct AssertionSpan {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) trivial: bool,
}

impl AssertionSpan {
    pub(crate) fn at(node: Node, trivial: bool) -> Option<AssertionSpan> {
        Some(AssertionSpan { start: node.start_byte(), end: node.end_byte(), trivial })
    }
}
