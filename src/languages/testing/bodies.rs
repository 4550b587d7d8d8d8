//! One pass over all nodes of a tree, the same for every language, that gives each test its body and its assertions.
//!
//! Nothing here recurses, so the depth of a text costs nothing.

use std::ops::Range;

use tree_sitter::Node;

use crate::languages::assertions::model::AssertionClaim;
use crate::languages::body::Body;
use crate::languages::code::swallowing;
use crate::languages::testing::joined_claims;
use crate::languages::testing::node_class::NodeClass;
use crate::languages::testing::outline::{Assertion, Outline, Test, bare_lines};
use crate::languages::testing::outline_builder::{AssertionSpan, Grammar, OutlineBuilder};
use crate::languages::testing::skip_condition::constant;
use crate::languages::testing::swallowed;
use crate::languages::tree::{each_node_within, has_else, line, parts, text};

/// Fills bodies, assertions, comments and the rest from the nodes below `root`, and gives the outline.
pub(crate) fn finish(sketch: OutlineBuilder, root: Node) -> Outline {
    let OutlineBuilder { mut outline, source, grammar, .. } = sketch;
    outline.broken = root.has_error();
    outline.readable = true;
    let mut pass = Pass::new(&mut outline, source, grammar);
    each_node_within(root, &[], &mut |node, above| pass.visit(node, above));
    pass.seal();
    outline
}

struct Pass<'o, 's> {
    outline: &'o mut Outline,
    source: &'s str,
    grammar: &'static Grammar,
    classes: Vec<Option<NodeClass>>,
    /// Tests and strays by where they begin: (span, index, is a test).
    units: Vec<(Range<usize>, usize, bool)>,
    next: usize,
    open: Vec<usize>,
    asserted_until: usize,
    dead: Vec<Range<usize>>,
    /// Regions whose errors are swallowed, and those under a condition, that have begun so far.
    swallowing: Vec<Range<usize>>,
    branches: Vec<Range<usize>>,
}

impl<'o, 's> Pass<'o, 's> {
    fn new(outline: &'o mut Outline, source: &'s str, grammar: &'static Grammar) -> Self {
        let mut dead: Vec<_> = outline.dead.iter().map(|dead| dead.span.clone()).collect();
        dead.sort_by_key(|span| span.start);
        let tests = outline.tests.iter().enumerate().map(|(index, test)| (test.span.clone(), index, true));
        let strays =
            outline.strays.iter().enumerate().map(|(index, stray)| (stray.span.clone(), index, false));
        let mut units: Vec<_> = tests.chain(strays).collect();
        units.sort_by_key(|(span, ..)| span.start);
        Pass {
            outline,
            source,
            grammar,
            classes: Vec::new(),
            units,
            next: 0,
            open: Vec::new(),
            asserted_until: 0,
            dead,
            swallowing: Vec::new(),
            branches: Vec::new(),
        }
    }

    /// Takes one node; answers whether to look inside.
    fn visit(&mut self, node: Node, above: &[Node]) -> bool {
        let range = node.byte_range();
        if self.is_dead(&range) {
            return false;
        }
        self.go_on_to(range.start);
        let class = self.class(node);
        match class {
            NodeClass::Comment => {
                self.outline.comments.extend(bare_lines(text(node, self.source)));
                return false;
            }
            // What never runs says nothing.
            NodeClass::Branch if is_never(node, self.source) => return false,
            NodeClass::Loop => self.each_open_test(|test| test.looped = true),
            NodeClass::Branch => {
                self.branches.extend(node.child_by_field_name("consequence").map(|it| it.byte_range()))
            }
            NodeClass::Try => {
                let region = swallowing(node, self.source).or_else(|| swallowed::region(node, self.source));
                self.swallowing.extend(region);
            }
            _ => {}
        }
        // Elixir's `try` is a call.
        if class == NodeClass::Asserting && text(node, self.source).starts_with("try do") {
            self.swallowing.extend(swallowed::region(node, self.source));
        }
        if matches!(class, NodeClass::Asserting | NodeClass::AssertingWord)
            && range.start >= self.asserted_until
            && let Some(found) = (self.grammar.assertion)(node, self.source)
        {
            // What stands in a block of its own asserts by itself: `AssertParse(…) { … XCTAssertEqual(…) }`.
            self.asserted_until = block_in(node).unwrap_or(found.end);
            self.assertions(&found, node, is_awaited(above));
        }
        if node.child_count() == 0 && node.is_named() {
            self.leaf(node, class);
        }
        true
    }

    /// Whether a node stands where nothing runs.
    fn is_dead(&self, range: &Range<usize>) -> bool {
        let after = self.dead.partition_point(|dead| dead.start <= range.start);
        let dead = after.checked_sub(1).and_then(|at| self.dead.get(at));
        dead.is_some_and(|dead| range.end <= dead.end && range.start < dead.end)
    }

    /// Closes what has ended before a place, and opens what begins there.
    fn go_on_to(&mut self, start: usize) {
        // Spans nest, so that those which have ended are on top.
        let ended = |unit: &usize| self.units.get(*unit).is_none_or(|(span, ..)| span.end <= start);
        while self.open.last().is_some_and(ended) {
            self.open.pop();
        }
        while self.units.get(self.next).is_some_and(|(span, ..)| span.start <= start) {
            self.open.push(self.next);
            self.next += 1;
        }
        self.swallowing.retain(|span| span.end > start);
        self.branches.retain(|span| span.end > start);
    }

    fn class(&mut self, node: Node) -> NodeClass {
        let id = usize::from(node.kind_id());
        if self.classes.len() <= id {
            self.classes.resize(id + 1, None);
        }
        if let Some(Some(class)) = self.classes.get(id) {
            return *class;
        }
        let class = NodeClass::of(node.kind(), self.grammar);
        if let Some(slot) = self.classes.get_mut(id) {
            *slot = Some(class);
        }
        class
    }

    fn leaf(&mut self, node: Node, class: NodeClass) {
        let content = text(node, self.source);
        let add = |body: &mut Body| match class {
            NodeClass::Word | NodeClass::AssertingWord => body.word(content),
            NodeClass::Nothing => {}
            _ => body.literal(content),
        };
        let at = node.start_byte();
        for unit in &self.open {
            let Some((_, index, is_test)) = self.units.get(*unit) else { continue };
            if *is_test {
                if let Some(test) = self.outline.tests.get_mut(*index)
                    && !test.title_span.contains(&at)
                {
                    add(&mut test.body);
                }
            } else if let Some(stray) = self.outline.strays.get_mut(*index) {
                add(&mut stray.body);
            }
        }
        if self.open.is_empty() {
            add(&mut self.outline.outside);
        }
    }

    /// Takes what a node asserts: one claim, or those that a chain joins.
    fn assertions(&mut self, found: &AssertionSpan, node: Node, awaited: bool) {
        let written = self.source.get(found.start..found.end).unwrap_or_default();
        let is_swallowed = |span: &Range<usize>| span.contains(&found.start);
        let first = Assertion {
            line: line(node),
            text: String::new(),
            trivial: found.trivial,
            claim: AssertionClaim::default(),
            swallowed: self.swallowing.iter().any(is_swallowed),
            conditional: false,
            awaited,
        };
        for assertion in joined_claims::each(first, written, || (self.grammar.claim)(node, self.source)) {
            self.assertion(found.start, &assertion);
        }
    }

    fn assertion(&mut self, start: usize, assertion: &Assertion) {
        for unit in &self.open {
            let Some((_, index, is_test)) = self.units.get(*unit) else { continue };
            if !is_test {
                if let Some(stray) = self.outline.strays.get_mut(*index) {
                    stray.assertions += 1;
                }
            } else if let Some(test) = self.outline.tests.get_mut(*index) {
                let within = |it: &Range<usize>| test.span.start <= it.start && it.end <= test.span.end;
                let mut branches = self.branches.iter().filter(|span| span.contains(&start));
                let conditional = branches.any(within);
                test.assertions.push(Assertion { conditional, ..assertion.clone() });
            }
        }
    }

    fn each_open_test(&mut self, mut change: impl FnMut(&mut Test)) {
        for unit in &self.open {
            if let Some((_, index, true)) = self.units.get(*unit)
                && let Some(test) = self.outline.tests.get_mut(*index)
            {
                change(test);
            }
        }
    }

    fn seal(self) {
        self.outline.tests.iter_mut().for_each(|test| test.body.seal());
        self.outline.strays.iter_mut().for_each(|stray| stray.body.seal());
        self.outline.outside.seal();
        self.outline.comments.sort_unstable();
    }
}

/// Whether what an assertion gives is waited for, or handed on.
fn is_awaited(above: &[Node]) -> bool {
    const WAITING: &[&str] =
        &["await_expression", "await", "return_statement", "arrow_function", "arguments", "array"];
    above.last().is_some_and(|around| WAITING.contains(&around.kind()))
}

/// Where the block of statements begins that a call of Swift ends with.
fn block_in(node: Node) -> Option<usize> {
    let suffix = parts(node).last().copied().filter(|it| it.kind() == "call_suffix")?;
    let block = parts(suffix).last().copied().filter(|it| it.kind() == "lambda_literal")?;
    let lines = block.end_position().row - block.start_position().row;
    (lines > 1).then(|| block.start_byte())
}

fn is_never(branch: Node, source: &str) -> bool {
    let condition = branch.child_by_field_name("condition").map(|it| text(it, source)).unwrap_or_default();
    constant(condition) == Some(false) && !has_else(branch)
}
