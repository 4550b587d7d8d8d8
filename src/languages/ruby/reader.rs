//! Where the reading of a Ruby text stands: its tokens, the blocks that are open, and what was found so far.
//!
//! Asking for a token that is not there gives an empty word.

use crate::languages::ruby::ending::EndingEvent;
use crate::languages::ruby::token::{RubyToken, RubyTokenKind};
use crate::languages::ruby::words::KEYWORDS;
use crate::languages::testing::outline::Outline;
use crate::languages::testing::outline_builder::Suite;

/// What a block is.
pub(super) enum RubyBlock {
    /// A class, a module or a group of examples.
    Suite {
        class: bool,
        private: bool,
    },
    /// The test with this index.
    Test(usize),
    Stray(usize),
    Hook(Vec<EndingEvent>),
    /// A branch inside of a test or a hook, with its condition.
    Branch(String),
    /// A branch that is never taken.
    Dead(usize),
    /// `begin` with the line that it stands on.
    Begin(u32),
    /// A block that runs once for each of something.
    Loop,
    Other,
}

pub(super) struct BlockFrame {
    pub(super) block: RubyBlock,
    pub(super) brace: bool,
}

pub(super) struct RubyReader<'s> {
    pub(super) source: &'s str,
    pub(super) tokens: Vec<RubyToken<'s>>,
    pub(super) outline: Outline,
    pub(super) frames: Vec<BlockFrame>,
    pub(super) suites: Vec<Suite>,
    pub(super) events: Vec<Vec<EndingEvent>>,
    /// The first token of the statement, and whether an assertion was found in it.
    pub(super) statement: usize,
    pub(super) asserted: bool,
    /// Parentheses and brackets that are open.
    pub(super) parens: usize,
    /// Whether the next `do` belongs to a loop that is open already.
    pub(super) loops: bool,
}

impl<'s> RubyReader<'s> {
    pub(super) fn new(source: &'s str, tokens: Vec<RubyToken<'s>>, outline: Outline) -> Self {
        RubyReader {
            source,
            tokens,
            outline,
            frames: Vec::new(),
            suites: Vec::new(),
            events: Vec::new(),
            statement: 0,
            asserted: false,
            parens: 0,
            loops: false,
        }
    }

    pub(super) fn word(&self, at: usize) -> &'s str {
        self.tokens
            .get(at)
            .filter(|it| matches!(it.kind, RubyTokenKind::Word | RubyTokenKind::Mark))
            .map_or("", |it| it.text)
    }

    pub(super) fn start(&self, at: usize) -> usize {
        self.tokens.get(at).map_or(self.source.len(), |it| it.span.start)
    }

    pub(super) fn end(&self, at: usize) -> usize {
        self.tokens.get(at).map_or(self.source.len(), |it| it.span.end)
    }

    /// Whether a statement begins at a token.
    pub(super) fn begins(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else { return true };
        let Some(token) = self.tokens.get(at) else { return false };
        let last = self.word(before);
        let goes_on =
            matches!(last, "," | "." | "=" | "&" | "(" | "[" | "+" | "-" | "*" | "\\" | "<" | "?" | ":")
                || (last == "|" && self.word(before.saturating_sub(1)) == "|");
        if token.begins_line {
            return !goes_on && !matches!(token.text, "." | "&");
        }
        matches!(last, ";" | "then" | "do" | "else" | "begin" | "ensure")
            || last == "{"
            || self.ends_parameters(before)
    }

    /// `do |a, b|`: whether the bar at a token closes the parameters of a block.
    pub(super) fn ends_parameters(&self, at: usize) -> bool {
        if self.word(at) != "|" {
            return false;
        }
        let open = (at.saturating_sub(24)..at).rev().find(|it| self.word(*it) == "|");
        open.and_then(|it| it.checked_sub(1)).is_some_and(|it| matches!(self.word(it), "do" | "{"))
    }

    /// Whether a word is no method, label or symbol of the same name.
    pub(super) fn is_keyword(&self, at: usize) -> bool {
        let label = self.word(at + 1) == ":"
            && !self.tokens.get(at + 1).is_some_and(|it| it.spaced)
            && self.word(at + 2) != ":";
        let member = at > 0 && (self.word(at - 1) == "." || self.word(at - 1) == "def");
        KEYWORDS.contains(&self.word(at)) && !label && !member
    }

    /// `x = if a`: a branch that is a value.
    pub(super) fn is_value(&self, at: usize) -> bool {
        at > 0 && matches!(self.word(at - 1), "=" | "(" | "[" | "," | "|" | "return" | "&" | "!" | "<")
    }

    pub(super) fn line_rest(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        (at + 1..self.tokens.len())
            .take_while(|it| self.tokens.get(*it).is_some_and(|token| !token.begins_line))
    }

    /// The source from a token to the end of its line.
    pub(super) fn condition(&self, at: usize) -> String {
        let last =
            self.line_rest(at).take_while(|it| !matches!(self.word(*it), "then" | ";")).last().unwrap_or(at);
        self.source.get(self.start(at)..self.end(last)).unwrap_or_default().to_owned()
    }
}
