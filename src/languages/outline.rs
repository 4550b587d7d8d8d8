//! The tests of one file as a parser sees them.
//!
//! A grammar's own file finds where tests are; one pass over all leaves, the same for every language, then gives each
//! its body and its assertions. Nothing here recurses, so the depth of a text costs nothing.

use std::ops::Range;

use tree_sitter::Node;

use super::Grammar;
use super::body::Body;

/// What a file holds.
#[derive(Debug, Clone, Default)]
pub struct Outline {
    /// Every test, in the order of the text.
    pub tests: Vec<Test>,
    /// Functions that no runner collects.
    pub strays: Vec<Stray>,
    /// Regions that never run: constant-false branches, strings that stand alone, functions nobody calls.
    pub dead: Vec<Dead>,
    /// The lines of all comments, see [`bare_lines`]. Sorted.
    pub comments: Vec<u64>,
    /// The tokens outside of tests: where a table that tests share would be.
    pub outside: Body,
    /// `false` when the text is too large to be parsed, so that absence proves nothing.
    pub readable: bool,
    /// Whether the text has syntax errors, so that a test may be there unseen.
    pub broken: bool,
}

/// One test, or one named part of a test.
#[derive(Debug, Clone, Default)]
pub struct Test {
    /// `Suite > case`, all nesting included.
    pub name: String,
    /// The last part of the name.
    pub title: String,
    /// The line of its head, from 1.
    pub line: u32,
    /// Why it does not run, if so.
    pub skipped: Option<Skip>,
    /// The mark that focuses it, so that others do not run.
    pub focused: Option<String>,
    /// What it says.
    pub body: Body,
    /// Its assertions, those of its parts included.
    pub assertions: Vec<Assertion>,
    /// The rows of its table, when it has one that can be counted.
    pub cases: Option<usize>,
    /// Whether it loops, or is made in a loop.
    pub looped: bool,
    /// Whether it has named parts which are tests of their own.
    pub suite: bool,
    /// Where it is, in bytes; decorators and attributes included.
    pub span: Range<usize>,
    /// Where its title is, in bytes: no part of the body, so that a rename keeps the body.
    pub title_span: Range<usize>,
}

/// Why a test does not run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skip {
    /// The mark as written: `it.skip`, `#[ignore]`.
    pub mark: String,
    /// When the mark holds.
    pub when: When,
    /// Whether it stands on something larger than the test.
    pub suite: bool,
}

/// When a condition holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// Everywhere.
    Always,
    /// Where the result counts: on a CI server.
    InCi,
    /// On some platforms, versions or settings.
    Sometimes,
}

/// One assertion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assertion {
    /// The line, from 1.
    pub line: u32,
    /// The text without white space.
    pub text: String,
    /// Whether it holds whatever the code under test does: `assert True`.
    pub trivial: bool,
}

/// A function that is no test.
#[derive(Debug, Clone, Default)]
pub struct Stray {
    /// Its name.
    pub name: String,
    /// The line of its head, from 1.
    pub line: u32,
    /// Where it is, in bytes.
    pub span: Range<usize>,
    /// What it says.
    pub body: Body,
    /// How many assertions it has.
    pub assertions: usize,
}

/// A region that never runs.
#[derive(Debug, Clone)]
pub struct Dead {
    /// What makes it so, as the end of a sentence: "stand inside `if (false)`".
    pub why: String,
    /// Its lines, see [`bare_lines`].
    pub lines: Vec<u64>,
}

impl Outline {
    /// How many tests a runner would count: a test with named parts counts as its parts.
    pub fn count(&self) -> usize {
        self.tests.iter().filter(|test| !test.suite).count()
    }
}

/// A level of nesting while a grammar's file walks.
#[derive(Debug, Clone, Default)]
pub(super) struct Suite {
    pub(super) name: String,
    pub(super) skip: Option<Skip>,
    pub(super) focus: Option<String>,
}

/// One statement at the start of a test, as far as it can end the test.
pub(super) enum Step {
    /// Skips, with this mark.
    Skip(String),
    /// Returns.
    Return,
    /// Does either under a condition.
    If(String, Box<Step>),
    /// Anything else.
    Other,
}

/// An outline under construction.
pub(super) struct Sketch<'s> {
    pub(super) source: &'s str,
    pub(super) grammar: &'static Grammar,
    pub(super) suites: Vec<Suite>,
    pub(super) outline: Outline,
}

/// Nodes deeper than this below a grammar's walk are not looked into: no test is nested so deep, hostile text is.
pub(super) const DEEPEST: usize = 120;

impl<'s> Sketch<'s> {
    pub(super) fn new(source: &'s str, grammar: &'static Grammar) -> Self {
        Sketch { source, grammar, suites: Vec::new(), outline: Outline::default() }
    }

    pub(super) fn text(&self, node: Node) -> &'s str {
        text(node, self.source)
    }

    /// Adds a test below the open suites. `test` has its own title, spans and marks; the rest is filled here.
    pub(super) fn add(&mut self, mut test: Test, head: Node) {
        test.line = line(head);
        test.name = self
            .suites
            .iter()
            .map(|suite| suite.name.as_str())
            .filter(|name| !name.is_empty())
            .chain([test.title.as_str()])
            .collect::<Vec<_>>()
            .join(" > ");
        if test.cases == Some(0) && test.skipped.is_none() {
            test.skipped =
                Some(Skip { mark: "a table without rows".to_owned(), when: When::Always, suite: false });
        }
        for suite in self.suites.iter().rev() {
            if test.skipped.as_ref().is_none_or(|skip| skip.when == When::Sometimes) && suite.skip.is_some() {
                test.skipped = suite.skip.clone().map(|skip| Skip { suite: true, ..skip });
            }
            if test.focused.is_none() {
                test.focused.clone_from(&suite.focus);
            }
        }
        self.outline.tests.push(test);
    }

    /// Marks all tests from the index on as skipped by what their suite does before each.
    pub(super) fn skip_since(&mut self, first: usize, skip: &Skip) {
        for test in self.outline.tests.iter_mut().skip(first).filter(|test| test.skipped.is_none()) {
            test.skipped = Some(Skip { suite: true, ..skip.clone() });
        }
    }

    pub(super) fn stray(&mut self, name: &str, node: Node) {
        let name = name.to_owned();
        self.outline.strays.push(Stray {
            name,
            line: line(node),
            span: node.byte_range(),
            ..Stray::default()
        });
    }

    pub(super) fn dead(&mut self, node: Node, why: String) {
        let lines = bare_lines(self.text(node)).collect();
        self.outline.dead.push(Dead { why, lines });
    }

    /// Whether the identifier stands in the text only once, so that nobody uses what it names.
    pub(super) fn is_unused(&self, name: &str) -> bool {
        let is_part =
            |byte: Option<&u8>| byte.is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_' || *b == b'$');
        let bytes = self.source.as_bytes();
        let whole = |at: &usize| {
            !is_part(at.checked_sub(1).and_then(|i| bytes.get(i))) && !is_part(bytes.get(at + name.len()))
        };
        !name.is_empty() && self.source.match_indices(name).map(|(at, _)| at).filter(whole).nth(1).is_none()
    }

    /// What ends a test before its first assertion: a skip, a return, or either under a condition.
    pub(super) fn gate(&self, statements: &[Node], read: fn(&Sketch, Node) -> Step) -> Option<Skip> {
        for (index, statement) in statements.iter().enumerate() {
            let skip = |mark: &str, when| Some(Skip { mark: mark.to_owned(), when, suite: false });
            let rest = statements.get(index + 1..).unwrap_or_default();
            let cuts = || !self.asserts(*statement) && rest.iter().any(|node| self.asserts(*node));
            match read(self, *statement) {
                Step::Skip(mark) => return skip(&mark, When::Always),
                Step::Return if cuts() => return skip("return", When::Always),
                Step::If(condition, step) => {
                    let when = when(&condition);
                    match *step {
                        Step::Skip(mark) => {
                            if let Some(when) = when {
                                return skip(&mark, when);
                            }
                        }
                        Step::Return if matches!(when, Some(When::Always | When::InCi)) && cuts() => {
                            return skip("return", when?);
                        }
                        _ => {}
                    }
                }
                Step::Return | Step::Other => {}
            }
            if self.asserts(*statement) {
                return None;
            }
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

    /// Fills bodies, assertions, comments and the rest from the leaves, and gives the outline.
    pub(super) fn finish(mut self, root: Node) -> Outline {
        self.outline.broken = root.has_error();
        self.outline.readable = true;
        let mut pass = Pass::new(&mut self.outline, self.source, self.grammar);
        each_node(root, &mut |node| pass.visit(node));
        pass.seal();
        self.outline
    }
}

/// What a node's kind means to the pass over all nodes.
#[derive(Clone, Copy, PartialEq)]
enum Class {
    Plain,
    Comment,
    Loop,
    Asserting,
    Nothing,
    Word,
}

struct Pass<'o, 's> {
    outline: &'o mut Outline,
    source: &'s str,
    grammar: &'static Grammar,
    classes: Vec<Option<Class>>,
    /// Tests and strays by where they begin: (span, index, is a test).
    units: Vec<(Range<usize>, usize, bool)>,
    next: usize,
    open: Vec<usize>,
    asserted_until: usize,
}

impl<'o, 's> Pass<'o, 's> {
    fn new(outline: &'o mut Outline, source: &'s str, grammar: &'static Grammar) -> Self {
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
        }
    }

    /// Takes one node; answers whether to look inside.
    fn visit(&mut self, node: Node) -> bool {
        let range = node.byte_range();
        self.open.retain(|unit| self.units.get(*unit).is_some_and(|(span, ..)| span.end > range.start));
        while self.units.get(self.next).is_some_and(|(span, ..)| span.start <= range.start) {
            self.open.push(self.next);
            self.next += 1;
        }
        let class = self.class(node);
        match class {
            Class::Comment => {
                self.outline.comments.extend(bare_lines(text(node, self.source)));
                return false;
            }
            Class::Loop => self.each_open_test(|test| test.looped = true),
            _ => {}
        }
        if (class == Class::Asserting || class == Class::Word)
            && range.start >= self.asserted_until
            && let Some(found) = (self.grammar.assertion)(node, self.source)
        {
            self.asserted_until = found.end;
            self.assertion(&found, line(node));
        }
        if node.child_count() == 0 && node.is_named() {
            self.leaf(node, class);
        }
        true
    }

    fn class(&mut self, node: Node) -> Class {
        let id = usize::from(node.kind_id());
        if self.classes.len() <= id {
            self.classes.resize(id + 1, None);
        }
        if let Some(Some(class)) = self.classes.get(id) {
            return *class;
        }
        let kind = node.kind();
        let class = if kind.contains("comment") {
            Class::Comment
        } else if self.grammar.loops.contains(&kind) {
            Class::Loop
        } else if kind.ends_with("identifier") || kind == "primitive_type" {
            Class::Word
        } else if self.grammar.asserting.contains(&kind) {
            Class::Asserting
        } else if matches!(kind, "string_start" | "string_end" | "escape_sequence" | "self" | "this") {
            Class::Nothing
        } else {
            Class::Plain
        };
        if let Some(slot) = self.classes.get_mut(id) {
            *slot = Some(class);
        }
        class
    }

    fn leaf(&mut self, node: Node, class: Class) {
        let content = text(node, self.source);
        let add = |body: &mut Body| match class {
            Class::Word => body.word(content),
            Class::Nothing => {}
            _ => body.literal(content),
        };
        let at = node.start_byte();
        let mut in_test = false;
        for unit in &self.open {
            let Some((_, index, is_test)) = self.units.get(*unit) else { continue };
            if *is_test {
                in_test = true;
                if let Some(test) = self.outline.tests.get_mut(*index)
                    && !test.title_span.contains(&at)
                {
                    add(&mut test.body);
                }
            } else if let Some(stray) = self.outline.strays.get_mut(*index) {
                add(&mut stray.body);
            }
        }
        if !in_test {
            add(&mut self.outline.outside);
        }
    }

    fn assertion(&mut self, found: &Found, line: u32) {
        let text: String = self
            .source
            .get(found.start..found.end)
            .unwrap_or_default()
            .chars()
            .filter(|c| !c.is_whitespace())
            .take(400)
            .collect();
        for unit in &self.open {
            let Some((_, index, is_test)) = self.units.get(*unit) else { continue };
            if !is_test {
                if let Some(stray) = self.outline.strays.get_mut(*index) {
                    stray.assertions += 1;
                }
            } else if let Some(test) = self.outline.tests.get_mut(*index) {
                test.assertions.push(Assertion { line, text: text.clone(), trivial: found.trivial });
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

/// An assertion that a grammar's file has recognised, in bytes.
pub(super) struct Found {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) trivial: bool,
}

impl Found {
    pub(super) fn at(node: Node, trivial: bool) -> Option<Found> {
        Some(Found { start: node.start_byte(), end: node.end_byte(), trivial })
    }
}

/// Visits a node and all below it in the order of the text. `visit` answers whether to look inside.
pub(super) fn each_node<'t>(root: Node<'t>, visit: &mut impl FnMut(Node<'t>) -> bool) {
    let mut cursor = root.walk();
    loop {
        if visit(cursor.node()) && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
        }
    }
}

/// A node's named children without comments.
pub(super) fn parts<'t>(node: Node<'t>) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|child| !child.kind().contains("comment")).collect()
}

pub(super) fn text<'s>(node: Node, source: &'s str) -> &'s str {
    source.get(node.byte_range()).unwrap_or_default()
}

/// A node's line, from 1.
pub(super) fn line(node: Node) -> u32 {
    u32::try_from(node.start_position().row).unwrap_or(u32::MAX).saturating_add(1)
}

/// The constant that a condition is, if it is one.
pub(super) fn constant(condition: &str) -> Option<bool> {
    let bare = condition.trim().trim_start_matches('(').trim_end_matches(')').trim();
    match bare {
        "true" | "True" | "1" | "!0" | "!false" | "not False" | "all()" | "all(" => return Some(true),
        "false" | "False" | "0" | "!1" | "!true" | "not True" | "None" | "null" | "any()" | "any(" => {
            return Some(false);
        }
        _ => {}
    }
    let (left, right) = bare.split_once("===").or_else(|| bare.split_once("=="))?;
    let number = |text: &str| text.trim().parse::<u64>().ok();
    Some(number(left)? == number(right)?)
}

/// When a condition under which a test is skipped holds; `None` for never.
pub(super) fn when(condition: &str) -> Option<When> {
    const SERVERS: &[&str] = &[
        "CI",
        "GITHUB_ACTIONS",
        "GITLAB_CI",
        "CONTINUOUS_INTEGRATION",
        "TRAVIS",
        "CIRCLECI",
        "BUILDKITE",
        "isCI",
        "is_ci",
        "IS_CI",
    ];
    match constant(condition) {
        Some(true) => return Some(When::Always),
        Some(false) => return None,
        None => {}
    }
    let bare = condition.trim().trim_start_matches('(').trim_start();
    if bare.ends_with("or True")
        || bare.ends_with("|| true")
        || bare.starts_with("True or")
        || bare.starts_with("true ||")
    {
        return Some(When::Always);
    }
    let mut words = bare.split(|c: char| !c.is_alphanumeric() && c != '_');
    let inverted = bare.starts_with('!') || bare.starts_with("not ");
    if !inverted && words.any(|word| SERVERS.contains(&word)) {
        Some(When::InCi)
    } else {
        Some(When::Sometimes)
    }
}

/// The condition's opposite, for marks that say when a test runs.
pub(super) fn when_not(condition: &str) -> Option<When> {
    match constant(condition) {
        Some(true) => None,
        Some(false) => Some(When::Always),
        None => Some(When::Sometimes),
    }
}

/// The lines of a text as hashes, without indentation and comment marks, those with hardly a word left out. Code and
/// the same code commented out give the same lines.
pub fn bare_lines(text: &str) -> impl Iterator<Item = u64> + '_ {
    text.lines().filter_map(|line| {
        let bare = line.trim_matches(|c: char| c.is_whitespace() || matches!(c, '/' | '*' | '#' | '!'));
        let words = bare.bytes().filter(u8::is_ascii_alphanumeric).take(3).count();
        (words == 3).then(|| {
            let content = bare.bytes().filter(|byte| !byte.is_ascii_whitespace());
            content.fold(0xcbf2_9ce4_8422_2325, |sum: u64, byte| {
                (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            })
        })
    })
}
