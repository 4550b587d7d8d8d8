//! Parsing a text within bounds: of size, of steps and of what a grammar's scanner may read.
//!
//! A text that is too hard is given up and never waited for.

use std::cell::Cell;
use std::ops::ControlFlow;

use tree_sitter::{InputEdit, ParseOptions, Parser, Point, Tree};

use crate::languages::differing::{common_end, common_start};
use crate::languages::lexer::{self, Lexicon, Nesting, Strings};
use crate::languages::testing::outline_builder::Grammar;

/// Larger texts are not parsed, nor are those with more lines or a longer one: they would take too long, and mostly they
/// are data or generated.
const LARGEST: usize = 256 << 10;
pub(super) const MOST_LINES: usize = 15_000;
pub(super) const LONGEST_LINE: usize = 100_000;

/// How often the parser may report progress before it is stopped (it does so every 100 operations), per byte and at
/// least: a dozen times what ordinary texts take, so that only error recovery run wild is stopped.
const BYTES_PER_STEP: usize = 5;
const LEAST_STEPS: usize = 2_000;

/// How much it may be given to read, in bytes: a scanner that looks ahead to the end from every place is stopped.
/// Ordinary texts are given as a whole, and four times to forty if they are small.
const LEAST_READ: usize = 4 << 20;
const MOST_READINGS: usize = 8;

const MOST_COMMENTS: usize = 200;
/// Bytes times quotes of a text in Kotlin whose raw string has no end: its scanner looks for one from each of them.
const MOST_QUOTED: usize = 10_000_000;

/// Parses a text as `bytes`; `None` when it is too hard. With the tree of another
/// text, only what differs is parsed.
pub(super) fn parse(
    grammar: &Grammar,
    lexicon: &'static Lexicon,
    source: &str,
    bytes: &[u8],
    old: Option<&Tree>,
) -> Option<Tree> {
    // A scanner of nested comments or of raw strings looks for an end that isn't there from every place it tries.
    let is_endless = lexicon.block_comments == Some(Nesting::Nested) && lexer::scan(lexicon, source).unsure;
    if is_endless && memchr::memmem::find_iter(source.as_bytes(), b"/*").nth(MOST_COMMENTS).is_some() {
        return None;
    }
    let quotes = || memchr::memchr_iter(b'"', source.as_bytes()).count();
    if is_endless && lexicon.strings == Strings::Kotlin && quotes() * source.len() > MOST_QUOTED {
        return None;
    }
    let mut parser = Parser::new();
    parser.set_language(&(grammar.parser)()).ok()?;
    let most = (LEAST_STEPS + source.len() / BYTES_PER_STEP) / if is_endless { 8 } else { 1 };
    let most_read = LEAST_READ + source.len() * MOST_READINGS;
    let (steps, bytes_read) = (Cell::new(0usize), Cell::new(0usize));
    let is_over = || steps.get() > most || bytes_read.get() > most_read;
    let mut progress = |_: &tree_sitter::ParseState| {
        steps.set(steps.get() + 1);
        if is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    // Never cut short, though it is over: a scanner may wait for ever for what no longer comes. Its caller stops at the
    // next report.
    let mut read = |at: usize, _| {
        let rest = bytes.get(at..).unwrap_or_default();
        bytes_read.set(bytes_read.get() + rest.len());
        rest
    };
    let options = ParseOptions::new().progress_callback(&mut progress);
    let tree = parser.parse_with_options(&mut read, old, Some(options));
    tree.filter(|_| !is_over())
}

/// The one stretch in which two texts differ.
pub(super) fn difference(before: &str, after: &str) -> InputEdit {
    let (old, new) = (before.as_bytes(), after.as_bytes());
    let same = common_start(old, new);
    // A change in the middle of a letter changes the letter.
    let start = (0..=same).rev().find(|at| before.is_char_boundary(*at)).unwrap_or(0);
    let rest = |bytes: &[u8]| bytes.len() - start;
    let tail = common_end(old, new);
    let most = tail.min(rest(old)).min(rest(new));
    let tail = (0..=most).rev().find(|tail| before.is_char_boundary(old.len() - tail)).unwrap_or(0);
    let point = |bytes: &[u8], at: usize| {
        let text = bytes.get(..at).unwrap_or_default();
        let line = memchr::memrchr(b'\n', text).map_or(0, |end| end + 1);
        Point::new(memchr::memchr_iter(b'\n', text).count(), at - line)
    };
    let (old_end, new_end) = (old.len() - tail, new.len() - tail);
    InputEdit {
        start_byte: start,
        old_end_byte: old_end,
        new_end_byte: new_end,
        start_position: point(old, start),
        old_end_position: point(old, old_end),
        new_end_position: point(new, new_end),
    }
}

/// Whether a text is too large to be parsed.
pub(super) fn is_too_large(source: &str) -> bool {
    let (mut lines, mut start) = (0, 0);
    let is_long = |end: usize| {
        let length = end - start;
        (lines, start) = (lines + 1, end + 1);
        length > LONGEST_LINE || lines > MOST_LINES
    };
    source.len() > LARGEST
        || memchr::memchr_iter(b'\n', source.as_bytes()).any(is_long)
        || source.len() - start > LONGEST_LINE
}
