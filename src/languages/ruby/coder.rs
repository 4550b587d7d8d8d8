//! Where the reading of Ruby code stands: the functions, branches and handlers that are open, and what was found so far.

use std::collections::BTreeSet;
use std::ops::Range;

use super::reader::RubyReader;
use super::token::RubyToken;
use crate::languages::code::Code;

/// What a branch asks, and where.
#[derive(Clone, Copy)]
pub(super) struct BranchQuestion<'s> {
    pub(super) condition: &'s str,
    pub(super) negated: bool,
    /// Whether the branch is the first statement of its function.
    pub(super) first: bool,
    pub(super) line: u32,
}

/// What a block is, as far as errors and input go.
pub(super) enum BlockKind<'s> {
    Function(usize),
    Branch { question: BranchQuestion<'s>, plain: bool },
    Other,
}

/// An open block: what it is, where its body begins, and the handler that is open in it.
pub(super) struct OpenBlock<'s> {
    pub(super) open: BlockKind<'s>,
    pub(super) brace: bool,
    pub(super) body: usize,
    /// The statement that it is a part of.
    pub(super) statement: usize,
    pub(super) handler: Option<Rescue<'s>>,
}

pub(super) struct Rescue<'s> {
    pub(super) caught: &'s str,
    pub(super) watched: Range<usize>,
    pub(super) body: usize,
    pub(super) line: u32,
}

pub(super) struct RubyCoder<'s> {
    pub(super) reader: RubyReader<'s>,
    pub(super) code: Code<'s>,
    pub(super) frames: Vec<OpenBlock<'s>>,
    pub(super) comments: Vec<Range<usize>>,
    /// Names of variables: a word without arguments that is one of them calls nothing.
    pub(super) variables: BTreeSet<&'s str>,
}

impl<'s> RubyCoder<'s> {
    pub(super) fn word(&self, at: usize) -> &'s str {
        self.reader.word(at)
    }

    pub(super) fn token(&self, at: usize) -> Option<&RubyToken<'s>> {
        self.reader.tokens.get(at)
    }

    pub(super) fn line(&self, at: usize) -> u32 {
        self.token(at).map_or(0, |it| it.line)
    }

    /// The source from a token up to another, which is left out.
    pub(super) fn between(&self, from: usize, to: usize) -> &'s str {
        if from >= to {
            return "";
        }
        self.reader.source.get(self.reader.start(from)..self.reader.end(to - 1)).unwrap_or_default()
    }

    pub(super) fn owner(&self) -> Option<usize> {
        self.frames.iter().rev().find_map(|frame| match frame.open {
            BlockKind::Function(index) => Some(index),
            _ => None,
        })
    }

    pub(super) fn push(&mut self, open: BlockKind<'s>, brace: bool, body: usize) {
        let statement = self.reader.statement;
        self.frames.push(OpenBlock { open, brace, body, statement, handler: None });
    }
}
