//! What single statements do to the Ruby test around them: skip it, leave it, assert.

use super::ending::EndingEvent;
use super::reader::{BlockFrame, RubyBlock, RubyReader};
use super::token::{RubyToken, RubyTokenKind};
use crate::languages::assertions::chains;
use crate::languages::ruby::assertion;
use crate::languages::ruby::words::{SHARED, SKIPS, TESTS};
use crate::languages::testing::outline::{Assertion, BEHAVES_LIKE, Skip, SkipCondition};
use crate::languages::testing::outline_builder::{Suite, Title};
use crate::languages::testing::skip_condition::when;

impl RubyReader<'_> {
    /// What a statement's first word does to the test around it.
    pub(super) fn judge_statement(&mut self, at: usize) {
        let word = self.word(at);
        self.visibility(at, word);
        self.without_block(at, word);
        let is_skip = SKIPS.contains(&word)
            && !matches!(self.word(at + 1), "=" | ".")
            && !self.line_rest(at).any(|it| self.word(it) == "do");
        if is_skip || matches!(word, "return" | "next") {
            self.leaves(at, is_skip.then(|| word.to_owned()));
        }
    }

    /// `private` and `public`: whether the methods that follow in a class are called by a runner.
    fn visibility(&mut self, at: usize, word: &str) {
        if matches!(word, "private" | "protected")
            && self.tokens.get(at + 1).is_none_or(|next| next.begins_line)
            && let Some(BlockFrame { block: RubyBlock::Suite { class: true, private }, .. }) =
                self.frames.last_mut()
        {
            *private = true;
        }
        if word == "public"
            && let Some(BlockFrame { block: RubyBlock::Suite { private, .. }, .. }) = self.frames.last_mut()
        {
            *private = false;
        }
    }

    /// `it "does this"` and `it_behaves_like "x"`, in a group.
    fn without_block(&mut self, at: usize, word: &str) {
        let is_bodyless = TESTS.contains(&word)
            && self.tokens.get(at + 1).is_some_and(|it| it.kind == RubyTokenKind::Text)
            && !self.line_rest(at).any(|it| matches!(self.word(it), "do" | "{" | "," | "."));
        if is_bodyless
            && matches!(
                self.frames.last(),
                Some(BlockFrame { block: RubyBlock::Suite { class: false, .. }, .. })
            )
        {
            self.bodyless(at);
        }
        let is_shared = SHARED.contains(&word)
            && self.tokens.get(at + 1).is_some_and(|it| it.kind == RubyTokenKind::Text);
        if is_shared
            && matches!(
                self.frames.last(),
                Some(BlockFrame { block: RubyBlock::Suite { class: false, .. }, .. })
            )
        {
            self.shared(at);
        }
    }

    /// A test that is left where a statement stands: skipped with a mark, or returned from.
    fn leaves(&mut self, at: usize, mark: Option<String>) {
        let modifier =
            self.line_rest(at).find(|it| matches!(self.word(*it), "if" | "unless") && self.is_keyword(*it));
        let mut condition = modifier.map(|it| {
            let text = self.condition(it + 1);
            if self.word(it) == "if" { text } else { format!("!({text})") }
        });
        let mut frames = self.frames.iter_mut().rev();
        let mut frame = frames.next();
        if let Some(BlockFrame { block: RubyBlock::Branch(branch), .. }) = frame {
            condition.get_or_insert_with(|| branch.clone());
            frame = frames.next();
        }
        let time = match condition {
            None => Some(SkipCondition::Always),
            Some(condition) => when(&condition),
        };
        let event = match mark {
            Some(mark) => EndingEvent::Skip(mark, time),
            None => EndingEvent::Return(time),
        };
        match frame.map(|frame| &mut frame.block) {
            Some(RubyBlock::Test(index)) => {
                if let Some(events) = self.events.get_mut(*index) {
                    events.push(event);
                }
            }
            Some(RubyBlock::Hook(events)) => events.push(event),
            _ => {}
        }
    }

    /// `it "does this"` alone is a promise.
    pub(super) fn bodyless(&mut self, at: usize) {
        let Some(title) = self.tokens.get(at + 1).cloned() else { return };
        let marks = Suite { skip: Some(Skip::always("no block")), ..Suite::default() };
        let text = title.text.to_owned();
        self.test(Title { text, span: title.span.clone() }, self.start(at), at, marks);
        if let Some(test) = self.outline.tests.last_mut() {
            test.span.end = title.span.end;
        }
    }

    /// `it_behaves_like 'x'`: all of its examples are one test here.
    fn shared(&mut self, at: usize) {
        let Some(title) = self.tokens.get(at + 1).cloned() else { return };
        let text = format!("{BEHAVES_LIKE}{}", title.text);
        self.test(Title { text, span: title.span.clone() }, self.start(at), at, Suite::default());
        if let Some(test) = self.outline.tests.last_mut() {
            test.span.end = title.span.end;
            test.body.word(title.text);
        }
    }

    /// Notes an assertion in every test and function that is open.
    pub(super) fn assert(&mut self, at: usize) {
        let last = self.end_of_assertion(at);
        let from = if self.word(at.wrapping_sub(1)) == "." { self.statement } else { at };
        let code = self.source.get(self.start(from)..self.end(last)).unwrap_or_default();
        let assertion = Assertion {
            line: self.tokens.get(at).map_or(0, |it| it.line),
            text: code.chars().filter(|c| !c.is_whitespace()).take(400).collect(),
            trivial: assertion::is_trivial(code),
            claim: chains::claim(code),
            swallowed: false,
            conditional: false,
            awaited: true,
        };
        for frame in &mut self.frames {
            match &mut frame.block {
                RubyBlock::Test(index) => {
                    if let Some(test) = self.outline.tests.get_mut(*index) {
                        test.assertions.push(assertion.clone());
                    }
                    if let Some(events) = self.events.get_mut(*index) {
                        events.push(EndingEvent::Assertion);
                    }
                }
                RubyBlock::Stray(index) => {
                    if let Some(stray) = self.outline.strays.get_mut(*index) {
                        stray.assertions += 1;
                    }
                }
                _ => {}
            }
        }
    }

    /// The last token of the assertion that begins at one.
    fn end_of_assertion(&self, at: usize) -> usize {
        // A brace that closes the test's own block ends the assertion.
        let mut depth = 0usize;
        let inside = self.line_rest(at).take_while(|it| {
            match self.word(*it) {
                "{" | "(" | "[" => depth += 1,
                "}" | ")" | "]" if depth == 0 => return false,
                "}" | ")" | "]" => depth -= 1,
                _ => {}
            }
            true
        });
        let mut last = inside.last().unwrap_or(at);
        // A line that ends with a dot goes on, and so does one before a line that begins with a dot.
        for _ in 0..4 {
            let goes_on = self.word(last) == "." || self.word(last + 1) == ".";
            if goes_on && self.tokens.get(last + 1).is_some() {
                last = self.line_rest(last + 1).last().unwrap_or(last + 1);
            }
        }
        last
    }

    /// Adds a token to every test and function that is open, or to what is outside of them.
    pub(super) fn say(&mut self, kind: RubyTokenKind, text: &str) {
        let mut inside = false;
        for frame in &self.frames {
            let body = match frame.block {
                RubyBlock::Test(index) => self.outline.tests.get_mut(index).map(|test| &mut test.body),
                RubyBlock::Stray(index) => self.outline.strays.get_mut(index).map(|stray| &mut stray.body),
                _ => None,
            };
            if let Some(body) = body {
                inside = true;
                if kind == RubyTokenKind::Word { body.word(text) } else { body.literal(text) }
            }
        }
        if !inside && !self.is_dead() {
            let outside = &mut self.outline.outside;
            if kind == RubyTokenKind::Word { outside.word(text) } else { outside.literal(text) }
        }
    }

    pub(super) fn content(&mut self, at: usize, token: &RubyToken) {
        if self.is_dead() || token.kind == RubyTokenKind::Mark {
            return;
        }
        let is_dotted = at > 0 && self.word(at - 1) == ".";
        if token.kind == RubyTokenKind::Word && !self.asserted && assertion::is_word(token.text, is_dotted) {
            self.asserted = true;
            self.assert(at);
        }
        let is_title = |frame: &BlockFrame| match frame.block {
            RubyBlock::Test(index) => {
                self.outline.tests.get(index).is_some_and(|test| test.title_span.contains(&token.span.start))
            }
            _ => false,
        };
        if !self.frames.last().is_some_and(is_title) {
            self.say(token.kind, token.text);
        }
    }
}
