//! The calls that make tests and groups in Ruby, with their titles and their marks.

use super::reader::{RubyBlock, RubyReader};
use super::token::RubyTokenKind;
use crate::languages::ruby::words::{HOOKS, SUITES, TESTS};
use crate::languages::testing::outline::{Skip, Test};
use crate::languages::testing::outline_builder::{Suite, Title, place};

impl RubyReader<'_> {
    pub(super) fn opens_example(&self, head: usize, at: usize) -> bool {
        let is_bare = at == head + 1;
        let after_value = self.tokens.get(at - 1).is_some_and(|it| {
            matches!(it.kind, RubyTokenKind::Text | RubyTokenKind::Symbol) || it.text == ")"
        });
        is_bare || after_value || HOOKS.contains(&self.word(head))
    }

    /// What the block of a call is.
    pub(super) fn call_block(&mut self, head: usize, at: usize) -> Option<RubyBlock> {
        let written = self.word(head);
        let letter = |list: &[&str]| written.strip_prefix(['x', 'f']).filter(|rest| list.contains(rest));
        let plain = letter(TESTS).or_else(|| letter(SUITES)).unwrap_or(written);
        if HOOKS.contains(&plain) {
            return Some(RubyBlock::Hook(Vec::new()));
        }
        let mut marks = self.metadata(head + 1, at);
        if plain != written && written.starts_with('x') {
            marks.skip = Some(Skip::always(written));
        } else if plain != written {
            marks.focus = Some(written.to_owned());
        }
        let title_at = (head + 1..at).find(|it| self.tokens.get(*it).is_some_and(|it| it.text != "("));
        let title =
            title_at.and_then(|it| self.tokens.get(it)).map(|it| it.text.to_owned()).unwrap_or_default();
        if SUITES.contains(&plain) {
            let close = (head + 1..at).find(|it| self.word(*it) == ",").unwrap_or(at);
            let whole =
                self.source.get(self.start(head + 1)..self.end(close.saturating_sub(1))).unwrap_or_default();
            let name = whole.trim_matches(['(', ')', '"', '\'', ' ']).to_owned();
            self.suites.push(Suite { name, ..marks });
            return Some(RubyBlock::Suite { class: false, private: false });
        }
        // `skip "x" do` and `pending "x" do` are examples as well.
        let is_skipped_example = matches!(written, "skip" | "pending") && !title.is_empty();
        if is_skipped_example {
            marks.skip = Some(Skip::always(written));
        } else if !TESTS.contains(&plain) {
            return None;
        }
        let span = title_at.and_then(|it| self.tokens.get(it)).map_or(0..0, |it| it.span.clone());
        let text = if title.is_empty() { self.new_one_liner(at)? } else { title };
        Some(self.test(Title { text, span }, self.start(self.statement), head, marks))
    }

    /// The title of a one-liner. `None` where its group has it already: the same words there say the same twice.
    fn new_one_liner(&self, at: usize) -> Option<String> {
        let title = self.one_liner(at);
        let suite = self.suites.last().map(|suite| suite.name.as_str()).unwrap_or_default();
        let name = format!("{suite} > {title}");
        let is_there = self.outline.tests.iter().rev().take(100).any(|test| test.name.ends_with(&name));
        (!is_there).then_some(title)
    }

    /// `it { is_expected.to be_valid }` is named by what it says.
    pub(super) fn one_liner(&self, at: usize) -> String {
        let line = self.source.get(self.end(at)..).unwrap_or_default().lines().next().unwrap_or_default();
        line.trim().trim_end_matches('}').trim().to_owned()
    }

    /// `:skip`, `skip: "why"`, `focus: true` behind a title.
    pub(super) fn metadata(&self, from: usize, to: usize) -> Suite {
        let mut marks = Suite::default();
        for at in from..to {
            let Some(token) = self.tokens.get(at) else { continue };
            let label = token.kind == RubyTokenKind::Word && self.word(at + 1) == ":";
            if token.kind != RubyTokenKind::Symbol && !label {
                continue;
            }
            let value = self.tokens.get(at + 2).map(|it| it.text).filter(|_| label).unwrap_or("true");
            let is_on = !matches!(value, "false" | "nil");
            let mark = if label { format!("{}: {value}", token.text) } else { format!(":{}", token.text) };
            match token.text {
                "skip" | "pending" if is_on => marks.skip = Some(Skip::always(mark)),
                "focus" if is_on => marks.focus = Some(mark),
                "if" if value == "false" => marks.skip = Some(Skip::always(mark)),
                "unless" if value == "true" => marks.skip = Some(Skip::always(mark)),
                _ => {}
            }
        }
        marks
    }

    pub(super) fn test(&mut self, title: Title, start: usize, head: usize, marks: Suite) -> RubyBlock {
        if self.is_dead() {
            return RubyBlock::Other;
        }
        let line = self.tokens.get(head).map_or(0, |it| it.line);
        let span = start..self.source.len();
        let looped = self.frames.iter().any(|frame| matches!(frame.block, RubyBlock::Loop));
        let test = Test {
            title: title.text,
            looped,
            skipped: marks.skip,
            focused: marks.focus,
            line,
            span,
            title_span: title.span,
            ..Test::default()
        };
        place(&mut self.outline, &self.suites, test);
        self.events.resize_with(self.outline.tests.len(), Vec::new);
        RubyBlock::Test(self.outline.tests.len() - 1)
    }

    pub(super) fn line_loops(&self, at: usize) -> bool {
        (self.statement..at)
            .any(|it| matches!(self.word(it), "each" | "times" | "each_with_index" | "each_pair" | "map"))
    }
}
