//! The tests of one file as values.
//!
//! An outline says what the text holds, never what that means.

use std::ops::Range;

use crate::languages::assertions::model::AssertionClaim;
use crate::languages::body::Body;

/// How the title of a test begins that stands for the examples of a shared group.
pub(crate) const BEHAVES_LIKE: &str = "behaves like ";

/// What a file holds.
#[derive(Debug, Clone, Default)]
pub struct Outline {
    /// Every test, in the order of the text.
    pub tests: Vec<Test>,
    /// Functions that no runner collects.
    pub strays: Vec<StrayFunction>,
    /// Regions that never run: constant-false branches, strings that stand alone, functions nobody calls.
    pub dead: Vec<DeadRegion>,
    /// The lines of all comments, see [`bare_lines`]. Sorted.
    pub comments: Vec<u64>,
    /// The tokens outside of functions that are not tests, of tests and of dead regions: where a table that tests
    /// share would be.
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
    /// The mark that expects it to fail: `#[should_panic]`. Fine where the test is made for it.
    pub inverted: Option<String>,
    /// The mark that focuses it, so that others do not run.
    pub focused: Option<String>,
    /// What it says.
    pub body: Body,
    /// Its assertions, those of its parts included.
    pub assertions: Vec<Assertion>,
    /// The rows of its table, when it has one that can be counted.
    pub cases: Option<usize>,
    /// Whether it loops, is made in a loop, or has a table that can't be counted.
    pub looped: bool,
    /// Whether it has named parts which are tests of their own.
    pub suite: bool,
    /// Where it is, in bytes; decorators and attributes included.
    pub span: Range<usize>,
    /// Where its title is, in bytes: no part of the body, so that a rename keeps the body.
    pub title_span: Range<usize>,
}

impl Test {
    /// Its text in the source that it was read from; empty where there is none.
    pub(crate) fn text_in<'s>(&self, source: Option<&'s str>) -> &'s str {
        source.and_then(|it| it.get(self.span.clone())).unwrap_or_default()
    }
}

/// Why a test does not run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skip {
    /// The mark as written: `it.skip`, `#[ignore]`.
    pub mark: String,
    /// When the mark holds.
    pub when: SkipCondition,
    /// Whether it stands on something larger than the test.
    pub suite: bool,
}

impl Skip {
    /// A skip that holds everywhere, with this mark on the test itself.
    pub(crate) fn always(mark: impl Into<String>) -> Skip {
        Skip { mark: mark.into(), when: SkipCondition::Always, suite: false }
    }
}

/// When a condition holds, the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SkipCondition {
    /// Everywhere.
    Always,
    /// Where the result counts: on a CI server.
    InCi,
    /// Unless a build tag, or a feature made for it, is asked for.
    ByDefault,
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
    /// What it claims.
    pub claim: AssertionClaim,
    /// Whether an error that it raises is swallowed around it.
    pub swallowed: bool,
    /// Whether it stands under a condition.
    pub conditional: bool,
    /// Whether its result is waited for or returned.
    pub awaited: bool,
}

/// A function that is no test.
#[derive(Debug, Clone, Default)]
pub struct StrayFunction {
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
pub struct DeadRegion {
    /// Where it is, in bytes.
    pub span: Range<usize>,
    /// What makes it so, as the end of a sentence: "stand inside `if (false)`".
    pub why: String,
    /// Its lines, see [`bare_lines`]. Sorted.
    pub lines: Vec<u64>,
}

impl SkipCondition {
    /// Whether the test does not run where its result counts.
    pub fn stops(self) -> bool {
        matches!(self, SkipCondition::Always | SkipCondition::InCi)
    }
}

impl Outline {
    /// How many tests a runner would count: a test with named parts counts as its parts.
    pub fn count(&self) -> usize {
        self.tests.iter().filter(|test| !test.suite).count()
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
