//! The blocks of a Ruby text: what opens one, what closes it, and what it is.
//!
//! Every block is opened and closed once; what does not match is called broken and skipped.

use super::ending::ended;
use super::reader::{BlockFrame, RubyBlock, RubyReader};
use super::token::RubyTokenKind;
use crate::languages::ruby::words::{BRANCHES, HOOKS, OPENERS};
use crate::languages::testing::outline::{DeadRegion, Outline, StrayFunction, bare_lines};
use crate::languages::testing::outline_builder::{Suite, Title};
use crate::languages::testing::skip_condition::constant;

impl RubyReader<'_> {
    pub(super) fn take(&mut self, at: usize) {
        if self.begins(at) {
            self.statement = at;
            self.asserted = false;
            // A parenthesis that was never closed must not hide the rest of the file.
            if matches!(self.word(at), "def" | "class" | "module" | "describe" | "context" | "end") {
                self.parens = 0;
            }
            self.judge_statement(at);
        }
        let Some(token) = self.tokens.get(at).cloned() else { return };
        match (token.kind, token.text) {
            (RubyTokenKind::Mark, "(" | "[") => self.parens += 1,
            (RubyTokenKind::Mark, ")" | "]") => self.parens = self.parens.saturating_sub(1),
            (RubyTokenKind::Mark, "{") => self.open_block(at, true),
            (RubyTokenKind::Mark, "}") => self.close(at, true),
            (RubyTokenKind::Word, word) if self.is_keyword(at) => self.keyword(at, word),
            _ => self.content(at, &token),
        }
    }

    pub(super) fn keyword(&mut self, at: usize, word: &str) {
        match word {
            "end" => self.close(at, false),
            "do" if self.loops => self.loops = false,
            "do" => self.open_block(at, false),
            "def" => self.define(at),
            "class" | "module" => self.open_class(at),
            "begin" => {
                let line = self.tokens.get(at).map_or(0, |it| it.line);
                self.push(RubyBlock::Begin(line), false);
            }
            "rescue" => self.rescue(at),
            _ if OPENERS.contains(&word) => self.push(RubyBlock::Other, false),
            _ if BRANCHES.contains(&word) && (self.begins(at) || self.is_value(at)) => {
                self.open_branch(at, word)
            }
            "true" | "false" | "nil" => self.say(RubyTokenKind::Text, word),
            _ => {}
        }
    }

    /// Marks what was asserted since `begin` when the handler does nothing about it.
    fn rescue(&mut self, at: usize) {
        let last = self.frames.last().map(|frame| &frame.block);
        let (since, test) = match last {
            Some(RubyBlock::Begin(line)) => {
                let tests = self.frames.iter().rev().find_map(|frame| match frame.block {
                    RubyBlock::Test(index) => Some(index),
                    _ => None,
                });
                (*line, tests)
            }
            Some(RubyBlock::Test(index)) => (0, Some(*index)),
            _ => return,
        };
        let Some(test) = test.filter(|_| self.is_silent(at)) else { return };
        if let Some(test) = self.outline.tests.get_mut(test) {
            test.assertions.iter_mut().filter(|it| it.line >= since).for_each(|it| it.swallowed = true);
        }
    }

    /// Whether a handler neither raises nor asserts nor calls anything.
    fn is_silent(&self, at: usize) -> bool {
        const MOST: usize = 400;
        // The kinds of error and the name stand on the line of `rescue`.
        let body = at + 1 + self.line_rest(at).take_while(|it| self.word(*it) != ";").count();
        let ends = |it: &usize| matches!(self.word(*it), "end" | "ensure" | "else" | "rescue");
        let inside = (body..self.tokens.len().min(body + MOST)).take_while(|it| !ends(it));
        inside.into_iter().all(|it| {
            let word = self.word(it);
            let is_plain = self.tokens.get(it).is_none_or(|token| token.kind != RubyTokenKind::Word);
            is_plain && word != "=" || matches!(word, "nil" | "true" | "false" | "puts" | "p" | "warn" | "e")
        })
    }

    pub(super) fn push(&mut self, block: RubyBlock, brace: bool) {
        self.frames.push(BlockFrame { block, brace });
    }

    pub(super) fn open_branch(&mut self, at: usize, word: &str) {
        if matches!(word, "while" | "until" | "for") {
            let has_do = self.line_rest(at).any(|it| self.word(it) == "do");
            self.loops = has_do;
            self.mark_looped();
            return self.push(RubyBlock::Other, false);
        }
        let condition = self.condition(at + 1);
        let never = if word == "if" { Some(false) } else { Some(true) };
        if constant(&condition).is_some() && constant(&condition) == never && self.begins(at) {
            let why = format!("stand inside `{word} {condition}`");
            self.outline.dead.push(DeadRegion {
                span: self.start(at)..self.source.len(),
                why,
                lines: Vec::new(),
            });
            return self.push(RubyBlock::Dead(self.outline.dead.len() - 1), false);
        }
        let condition = if word == "if" { condition } else { format!("!({condition})") };
        self.push(RubyBlock::Branch(condition), false);
    }

    pub(super) fn open_class(&mut self, at: usize) {
        let name: String = self
            .line_rest(at)
            .take_while(|it| {
                let token = self.tokens.get(*it);
                *it == at + 1 || token.is_some_and(|token| !token.spaced)
            })
            .map(|it| self.word(it))
            .collect();
        self.suites.push(Suite { name, ..Suite::default() });
        self.push(RubyBlock::Suite { class: true, private: false }, false);
    }

    pub(super) fn define(&mut self, at: usize) {
        let name_at = if self.word(at + 2) == "." { at + 3 } else { at + 1 };
        let name = self.word(name_at).to_owned();
        let is_endless = self.line_rest(name_at).find(|it| self.word(*it) == "=").is_some_and(|it| {
            let before = self.word(it - 1);
            (it == name_at + 1 || before == ")") && self.tokens.get(it).is_some_and(|token| token.spaced)
        });
        let private = self.frames.iter().rev().find_map(|frame| match frame.block {
            RubyBlock::Suite { private, .. } => Some(private),
            _ => None,
        });
        let is_open =
            private == Some(false) && !matches!(self.word(at.wrapping_sub(1)), "private" | "protected");
        let start = self.start(self.statement.min(at));
        let block = if name.starts_with("test") && is_open && name_at == at + 1 {
            let span = self.tokens.get(name_at).map_or(0..0, |it| it.span.clone());
            self.test(Title { text: name, span }, start, at, Suite::default())
        } else if HOOKS.contains(&name.as_str()) {
            RubyBlock::Hook(Vec::new())
        } else {
            let line = self.tokens.get(at).map_or(0, |it| it.line);
            let span = start..self.source.len();
            self.outline.strays.push(StrayFunction { name, line, span, ..StrayFunction::default() });
            RubyBlock::Stray(self.outline.strays.len() - 1)
        };
        if !is_endless {
            self.push(block, false);
        }
    }

    /// Takes `do` or `{`.
    pub(super) fn open_block(&mut self, at: usize, brace: bool) {
        let mut block = RubyBlock::Other;
        if self.parens == 0 && !self.is_dead() {
            // `RSpec.describe`.
            let head = if self.word(self.statement + 1) == "." && self.word(self.statement) == "RSpec" {
                self.statement + 2
            } else {
                self.statement
            };
            if head < at && (!brace || self.opens_example(head, at)) {
                block = self.call_block(head, at).unwrap_or(RubyBlock::Other);
            }
            if self.line_loops(at) {
                self.mark_looped();
                block = RubyBlock::Loop;
            }
        }
        self.push(block, brace);
    }

    pub(super) fn mark_looped(&mut self) {
        for frame in &self.frames {
            if let RubyBlock::Test(index) = frame.block
                && let Some(test) = self.outline.tests.get_mut(index)
            {
                test.looped = true;
            }
        }
    }

    pub(super) fn is_dead(&self) -> bool {
        self.frames.iter().any(|frame| matches!(frame.block, RubyBlock::Dead(_)))
    }

    pub(super) fn close(&mut self, at: usize, brace: bool) {
        // A brace that closes nothing is left alone, so that one mistake does not end everything.
        if self.frames.last().is_none_or(|frame| frame.brace != brace) {
            self.outline.broken = true;
            return;
        }
        let Some(frame) = self.frames.pop() else { return };
        let end = self.end(at);
        match frame.block {
            RubyBlock::Suite { .. } => drop(self.suites.pop()),
            RubyBlock::Test(index) => {
                if let Some(test) = self.outline.tests.get_mut(index) {
                    test.span.end = end;
                    let events = self.events.get_mut(index).map(std::mem::take).unwrap_or_default();
                    if test.skipped.as_ref().is_none_or(|skip| !skip.when.stops()) {
                        test.skipped = ended(&events).or(test.skipped.take());
                    }
                }
            }
            RubyBlock::Stray(index) => {
                if let Some(stray) = self.outline.strays.get_mut(index) {
                    stray.span.end = end;
                }
            }
            RubyBlock::Hook(events) => {
                let skip = ended(&events).filter(|skip| skip.mark != "return");
                if let (Some(skip), Some(suite)) = (skip, self.suites.last_mut()) {
                    suite.skip.get_or_insert(skip);
                }
            }
            RubyBlock::Dead(index) => {
                if let Some(dead) = self.outline.dead.get_mut(index) {
                    dead.span.end = end;
                    dead.lines = bare_lines(self.source.get(dead.span.clone()).unwrap_or_default()).collect();
                    dead.lines.sort_unstable();
                }
            }
            RubyBlock::Begin(_) | RubyBlock::Branch(_) | RubyBlock::Loop | RubyBlock::Other => {}
        }
    }

    pub(super) fn finish(mut self) -> Outline {
        self.outline.broken |= !self.frames.is_empty();
        self.outline.tests.iter_mut().for_each(|test| test.body.seal());
        self.outline.strays.iter_mut().for_each(|stray| stray.body.seal());
        self.outline.outside.seal();
        self.outline
    }
}
