//! Tests in Ruby: rspec, minitest and test-unit.
//!
//! Read by hand, block by block: the published grammar aborts the process on some here-documents. A text whose blocks
//! don't close is called broken.

mod assertion;
mod token;

use std::ops::Range;

use super::condition::{constant, when};
use super::outline::{Assertion, Dead, Outline, Skip, Stray, Test, When, bare_lines};
use super::scan::{Lexicon, Strings};
use super::sketch::{DEEPEST, Suite, place};
use token::{Kind, Token, tokens};

const TESTS: &[&str] = &["it", "specify", "example", "scenario", "test", "its"];
const SUITES: &[&str] = &[
    "describe",
    "context",
    "feature",
    "shared_examples",
    "shared_examples_for",
    "shared_context",
    "example_group",
];
/// Methods and blocks that run before each test.
const HOOKS: &[&str] = &["before", "setup", "around", "prepend_before"];
const SKIPS: &[&str] = &["skip", "pending", "omit", "pend"];
/// Words that open a block up to `end` wherever they stand.
const OPENERS: &[&str] = &["class", "module", "def", "begin", "case"];
/// Words that do so at the start of a statement only.
const BRANCHES: &[&str] = &["if", "unless", "while", "until", "for"];
const KEYWORDS: &[&str] = &[
    "do", "end", "if", "unless", "else", "elsif", "then", "def", "class", "module", "begin", "rescue",
    "ensure", "case", "when", "while", "until", "for", "in", "return", "next", "self", "true", "false",
    "nil", "and", "or", "not",
];

pub(super) const LEXICON: Lexicon = Lexicon {
    comment: "#",
    block_comments: None,
    strings: Strings::Ruby,
    indented: true,
    head: is_head,
    scopes: &["class", "module", "describe", "context"],
    marks: &[
        "skip",
        "pending",
        "omit",
        "pend",
        "focus",
        "xit",
        "xspecify",
        "xexample",
        "xscenario",
        "xdescribe",
        "xcontext",
        "xfeature",
        "xtest",
        "fit",
        "fdescribe",
        "fcontext",
        "fspecify",
        "fexample",
        "private",
        "next",
        "unless",
        "begin",
        "__END__",
    ],
    comment_mark: None,
};

/// For the lexer: `it "`, `it {`, `def test_x`.
fn is_head(word: &str, before: &str, after: &str) -> bool {
    if TESTS.contains(&word)
        || (word.starts_with(['x', 'f']) && TESTS.contains(&word.get(1..).unwrap_or_default()))
    {
        return after.trim_start_matches([' ', '(']).starts_with(['"', '\'', '{', '%'])
            || after.trim_start().starts_with("do");
    }
    word.starts_with("test") && before.trim_end().ends_with("def")
}

/// What a block is.
enum Block {
    /// A class, a module or a group of examples.
    Suite {
        class: bool,
        private: bool,
    },
    /// The test with this index.
    Test(usize),
    Stray(usize),
    Hook(Vec<Event>),
    /// A branch inside of a test or a hook, with its condition.
    Branch(String),
    /// A branch that is never taken.
    Dead(usize),
    /// A block that runs once for each of something.
    Loop,
    Other,
}

/// What can end a test early, or shows that it has not been ended.
enum Event {
    Skip(String, Option<When>),
    Return(Option<When>),
    Assertion,
}

struct Frame {
    block: Block,
    brace: bool,
}

struct Reader<'s> {
    source: &'s str,
    tokens: Vec<Token<'s>>,
    outline: Outline,
    frames: Vec<Frame>,
    suites: Vec<Suite>,
    events: Vec<Vec<Event>>,
    /// The first token of the statement, and whether an assertion was found in it.
    statement: usize,
    asserted: bool,
    /// Parentheses and brackets that are open.
    parens: usize,
    /// Whether the next `do` belongs to a loop that is open already.
    loops: bool,
}

/// Reads a text.
pub(super) fn outline(source: &str) -> Outline {
    let found = tokens(source);
    let mut outline = Outline { readable: true, ..Outline::default() };
    for comment in &found.comments {
        outline.comments.extend(bare_lines(source.get(comment.clone()).unwrap_or_default()));
    }
    outline.comments.sort_unstable();
    let mut reader = Reader {
        source,
        tokens: found.list,
        outline,
        frames: Vec::new(),
        suites: Vec::new(),
        events: Vec::new(),
        statement: 0,
        asserted: false,
        parens: 0,
        loops: false,
    };
    for at in 0..reader.tokens.len() {
        reader.take(at);
        // No test is nested so deep, hostile text is.
        if reader.frames.len() > DEEPEST {
            break;
        }
    }
    reader.finish()
}

impl<'s> Reader<'s> {
    fn word(&self, at: usize) -> &'s str {
        self.tokens.get(at).filter(|it| matches!(it.kind, Kind::Word | Kind::Mark)).map_or("", |it| it.text)
    }

    fn start(&self, at: usize) -> usize {
        self.tokens.get(at).map_or(self.source.len(), |it| it.span.start)
    }

    fn end(&self, at: usize) -> usize {
        self.tokens.get(at).map_or(self.source.len(), |it| it.span.end)
    }

    /// Whether a statement begins at a token.
    fn begins(&self, at: usize) -> bool {
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
    fn ends_parameters(&self, at: usize) -> bool {
        if self.word(at) != "|" {
            return false;
        }
        let open = (at.saturating_sub(24)..at).rev().find(|it| self.word(*it) == "|");
        open.and_then(|it| it.checked_sub(1)).is_some_and(|it| matches!(self.word(it), "do" | "{"))
    }

    fn take(&mut self, at: usize) {
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
            (Kind::Mark, "(" | "[") => self.parens += 1,
            (Kind::Mark, ")" | "]") => self.parens = self.parens.saturating_sub(1),
            (Kind::Mark, "{") => self.open_block(at, true),
            (Kind::Mark, "}") => self.close(at, true),
            (Kind::Word, word) if self.is_keyword(at) => self.keyword(at, word),
            _ => self.content(at, &token),
        }
    }

    /// Whether a word is no method, label or symbol of the same name.
    fn is_keyword(&self, at: usize) -> bool {
        let label = self.word(at + 1) == ":"
            && !self.tokens.get(at + 1).is_some_and(|it| it.spaced)
            && self.word(at + 2) != ":";
        let member = at > 0 && (self.word(at - 1) == "." || self.word(at - 1) == "def");
        KEYWORDS.contains(&self.word(at)) && !label && !member
    }

    fn keyword(&mut self, at: usize, word: &str) {
        match word {
            "end" => self.close(at, false),
            "do" if self.loops => self.loops = false,
            "do" => self.open_block(at, false),
            "def" => self.define(at),
            "class" | "module" => self.open_class(at),
            _ if OPENERS.contains(&word) => self.push(Block::Other, false),
            _ if BRANCHES.contains(&word) && (self.begins(at) || self.is_value(at)) => {
                self.open_branch(at, word)
            }
            "true" | "false" | "nil" => self.say(Kind::Text, word),
            _ => {}
        }
    }

    /// `x = if a`: a branch that is a value.
    fn is_value(&self, at: usize) -> bool {
        at > 0 && matches!(self.word(at - 1), "=" | "(" | "[" | "," | "|" | "return" | "&" | "!" | "<")
    }

    fn push(&mut self, block: Block, brace: bool) {
        self.frames.push(Frame { block, brace });
    }

    fn open_branch(&mut self, at: usize, word: &str) {
        if matches!(word, "while" | "until" | "for") {
            let has_do = self.line_rest(at).any(|it| self.word(it) == "do");
            self.loops = has_do;
            self.mark_looped();
            return self.push(Block::Other, false);
        }
        let condition = self.condition(at + 1);
        let never = if word == "if" { Some(false) } else { Some(true) };
        if constant(&condition).is_some() && constant(&condition) == never && self.begins(at) {
            let why = format!("stand inside `{word} {condition}`");
            self.outline.dead.push(Dead { span: self.start(at)..self.source.len(), why, lines: Vec::new() });
            return self.push(Block::Dead(self.outline.dead.len() - 1), false);
        }
        let condition = if word == "if" { condition } else { format!("!({condition})") };
        self.push(Block::Branch(condition), false);
    }

    fn line_rest(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        (at + 1..self.tokens.len())
            .take_while(|it| self.tokens.get(*it).is_some_and(|token| !token.begins_line))
    }

    /// The source from a token to the end of its line.
    fn condition(&self, at: usize) -> String {
        let last =
            self.line_rest(at).take_while(|it| !matches!(self.word(*it), "then" | ";")).last().unwrap_or(at);
        self.source.get(self.start(at)..self.end(last)).unwrap_or_default().to_owned()
    }

    fn open_class(&mut self, at: usize) {
        let name: String = self
            .line_rest(at)
            .take_while(|it| {
                let token = self.tokens.get(*it);
                *it == at + 1 || token.is_some_and(|token| !token.spaced)
            })
            .map(|it| self.word(it))
            .collect();
        self.suites.push(Suite { name, ..Suite::default() });
        self.push(Block::Suite { class: true, private: false }, false);
    }

    fn define(&mut self, at: usize) {
        let name_at = if self.word(at + 2) == "." { at + 3 } else { at + 1 };
        let name = self.word(name_at).to_owned();
        let is_endless = self.line_rest(name_at).find(|it| self.word(*it) == "=").is_some_and(|it| {
            let before = self.word(it - 1);
            (it == name_at + 1 || before == ")") && self.tokens.get(it).is_some_and(|token| token.spaced)
        });
        let private = self.frames.iter().rev().find_map(|frame| match frame.block {
            Block::Suite { private, .. } => Some(private),
            _ => None,
        });
        let is_open =
            private == Some(false) && !matches!(self.word(at.wrapping_sub(1)), "private" | "protected");
        let start = self.start(self.statement.min(at));
        let block = if name.starts_with("test") && is_open && name_at == at + 1 {
            let span = self.tokens.get(name_at).map_or(0..0, |it| it.span.clone());
            self.test(name, span, start, at, Suite::default())
        } else if HOOKS.contains(&name.as_str()) {
            Block::Hook(Vec::new())
        } else {
            let line = self.tokens.get(at).map_or(0, |it| it.line);
            let span = start..self.source.len();
            self.outline.strays.push(Stray { name, line, span, ..Stray::default() });
            Block::Stray(self.outline.strays.len() - 1)
        };
        if !is_endless {
            self.push(block, false);
        }
    }

    /// Takes `do` or `{`.
    fn open_block(&mut self, at: usize, brace: bool) {
        let mut block = Block::Other;
        if self.parens == 0 && !self.is_dead() {
            // `RSpec.describe`.
            let head = if self.word(self.statement + 1) == "." && self.word(self.statement) == "RSpec" {
                self.statement + 2
            } else {
                self.statement
            };
            if head < at && (!brace || self.opens_example(head, at)) {
                block = self.call_block(head, at).unwrap_or(Block::Other);
            }
            if self.line_loops(at) {
                self.mark_looped();
                block = Block::Loop;
            }
        }
        self.push(block, brace);
    }

    fn opens_example(&self, head: usize, at: usize) -> bool {
        let is_bare = at == head + 1;
        let after_value = self
            .tokens
            .get(at - 1)
            .is_some_and(|it| matches!(it.kind, Kind::Text | Kind::Symbol) || it.text == ")");
        is_bare || after_value || HOOKS.contains(&self.word(head))
    }

    fn line_loops(&self, at: usize) -> bool {
        (self.statement..at)
            .any(|it| matches!(self.word(it), "each" | "times" | "each_with_index" | "each_pair" | "map"))
    }

    fn mark_looped(&mut self) {
        for frame in &self.frames {
            if let Block::Test(index) = frame.block
                && let Some(test) = self.outline.tests.get_mut(index)
            {
                test.looped = true;
            }
        }
    }

    fn is_dead(&self) -> bool {
        self.frames.iter().any(|frame| matches!(frame.block, Block::Dead(_)))
    }

    /// What the block of a call is.
    fn call_block(&mut self, head: usize, at: usize) -> Option<Block> {
        let written = self.word(head);
        let letter = |list: &[&str]| written.strip_prefix(['x', 'f']).filter(|rest| list.contains(rest));
        let plain = letter(TESTS).or_else(|| letter(SUITES)).unwrap_or(written);
        if HOOKS.contains(&plain) {
            return Some(Block::Hook(Vec::new()));
        }
        let skip = |mark: &str| Some(Skip { mark: mark.to_owned(), when: When::Always, suite: false });
        let mut marks = self.metadata(head + 1, at);
        if plain != written && written.starts_with('x') {
            marks.skip = skip(written);
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
            return Some(Block::Suite { class: false, private: false });
        }
        // `skip "x" do` and `pending "x" do` are examples as well.
        let is_skipped_example = matches!(written, "skip" | "pending") && !title.is_empty();
        if is_skipped_example {
            marks.skip = skip(written);
        } else if !TESTS.contains(&plain) {
            return None;
        }
        let span = title_at.and_then(|it| self.tokens.get(it)).map_or(0..0, |it| it.span.clone());
        if title.is_empty() {
            let title = self.one_liner(at);
            // The same words in the same group say the same twice.
            let suite = self.suites.last().map(|suite| suite.name.as_str()).unwrap_or_default();
            let name = format!("{suite} > {title}");
            if self.outline.tests.iter().rev().take(100).any(|test| test.name.ends_with(&name)) {
                return None;
            }
            return Some(self.test(title, span, self.start(self.statement), head, marks));
        }
        Some(self.test(title, span, self.start(self.statement), head, marks))
    }

    /// `it { is_expected.to be_valid }` is named by what it says.
    fn one_liner(&self, at: usize) -> String {
        let line = self.source.get(self.end(at)..).unwrap_or_default().lines().next().unwrap_or_default();
        line.trim().trim_end_matches('}').trim().to_owned()
    }

    /// `:skip`, `skip: "why"`, `focus: true` behind a title.
    fn metadata(&self, from: usize, to: usize) -> Suite {
        let mut marks = Suite::default();
        for at in from..to {
            let Some(token) = self.tokens.get(at) else { continue };
            let label = token.kind == Kind::Word && self.word(at + 1) == ":";
            if token.kind != Kind::Symbol && !label {
                continue;
            }
            let value = self.tokens.get(at + 2).map(|it| it.text).filter(|_| label).unwrap_or("true");
            let is_on = !matches!(value, "false" | "nil");
            let mark = if label { format!("{}: {value}", token.text) } else { format!(":{}", token.text) };
            let always = |mark| Some(Skip { mark, when: When::Always, suite: false });
            match token.text {
                "skip" | "pending" if is_on => marks.skip = always(mark),
                "focus" if is_on => marks.focus = Some(mark),
                "if" if value == "false" => marks.skip = always(mark),
                "unless" if value == "true" => marks.skip = always(mark),
                _ => {}
            }
        }
        marks
    }

    fn test(
        &mut self,
        title: String,
        title_span: Range<usize>,
        start: usize,
        head: usize,
        marks: Suite,
    ) -> Block {
        if self.is_dead() {
            return Block::Other;
        }
        let line = self.tokens.get(head).map_or(0, |it| it.line);
        let span = start..self.source.len();
        let looped = self.frames.iter().any(|frame| matches!(frame.block, Block::Loop));
        let test = Test {
            title,
            looped,
            skipped: marks.skip,
            focused: marks.focus,
            line,
            span,
            title_span,
            ..Test::default()
        };
        place(&mut self.outline, &self.suites, test);
        self.events.resize_with(self.outline.tests.len(), Vec::new);
        Block::Test(self.outline.tests.len() - 1)
    }

    fn close(&mut self, at: usize, brace: bool) {
        // A brace that closes nothing is left alone, so that one mistake does not end everything.
        if self.frames.last().is_none_or(|frame| frame.brace != brace) {
            self.outline.broken = true;
            return;
        }
        let Some(frame) = self.frames.pop() else { return };
        let end = self.end(at);
        match frame.block {
            Block::Suite { .. } => drop(self.suites.pop()),
            Block::Test(index) => {
                if let Some(test) = self.outline.tests.get_mut(index) {
                    test.span.end = end;
                    let events = self.events.get_mut(index).map(std::mem::take).unwrap_or_default();
                    if test.skipped.as_ref().is_none_or(|skip| !skip.when.stops()) {
                        test.skipped = ended(&events).or(test.skipped.take());
                    }
                }
            }
            Block::Stray(index) => {
                if let Some(stray) = self.outline.strays.get_mut(index) {
                    stray.span.end = end;
                }
            }
            Block::Hook(events) => {
                let skip = ended(&events).filter(|skip| skip.mark != "return");
                if let (Some(skip), Some(suite)) = (skip, self.suites.last_mut()) {
                    suite.skip.get_or_insert(skip);
                }
            }
            Block::Dead(index) => {
                if let Some(dead) = self.outline.dead.get_mut(index) {
                    dead.span.end = end;
                    dead.lines = bare_lines(self.source.get(dead.span.clone()).unwrap_or_default()).collect();
                    dead.lines.sort_unstable();
                }
            }
            Block::Branch(_) | Block::Loop | Block::Other => {}
        }
    }

    /// What a statement's first word does to the test around it.
    fn judge_statement(&mut self, at: usize) {
        let word = self.word(at);
        if matches!(word, "private" | "protected")
            && self.tokens.get(at + 1).is_none_or(|next| next.begins_line)
            && let Some(Frame { block: Block::Suite { class: true, private }, .. }) = self.frames.last_mut()
        {
            *private = true;
        }
        if word == "public"
            && let Some(Frame { block: Block::Suite { private, .. }, .. }) = self.frames.last_mut()
        {
            *private = false;
        }
        let is_bodyless = TESTS.contains(&word)
            && self.tokens.get(at + 1).is_some_and(|it| it.kind == Kind::Text)
            && !self.line_rest(at).any(|it| matches!(self.word(it), "do" | "{" | "," | "."));
        if is_bodyless
            && matches!(self.frames.last(), Some(Frame { block: Block::Suite { class: false, .. }, .. }))
        {
            self.bodyless(at);
        }
        let is_skip = SKIPS.contains(&word)
            && !matches!(self.word(at + 1), "=" | ".")
            && !self.line_rest(at).any(|it| self.word(it) == "do");
        if !is_skip && !matches!(word, "return" | "next") {
            return;
        }
        let modifier =
            self.line_rest(at).find(|it| matches!(self.word(*it), "if" | "unless") && self.is_keyword(*it));
        let mut condition = modifier.map(|it| {
            let text = self.condition(it + 1);
            if self.word(it) == "if" { text } else { format!("!({text})") }
        });
        let mut frames = self.frames.iter_mut().rev();
        let mut frame = frames.next();
        if let Some(Frame { block: Block::Branch(branch), .. }) = frame {
            condition.get_or_insert_with(|| branch.clone());
            frame = frames.next();
        }
        let time = match condition {
            None => Some(When::Always),
            Some(condition) => when(&condition),
        };
        let event = if is_skip { Event::Skip(word.to_owned(), time) } else { Event::Return(time) };
        match frame.map(|frame| &mut frame.block) {
            Some(Block::Test(index)) => {
                if let Some(events) = self.events.get_mut(*index) {
                    events.push(event);
                }
            }
            Some(Block::Hook(events)) => events.push(event),
            _ => {}
        }
    }

    /// `it "does this"` alone is a promise.
    fn bodyless(&mut self, at: usize) {
        let Some(title) = self.tokens.get(at + 1).cloned() else { return };
        let skip = Some(Skip { mark: "no block".to_owned(), when: When::Always, suite: false });
        let marks = Suite { skip, ..Suite::default() };
        self.test(title.text.to_owned(), title.span.clone(), self.start(at), at, marks);
        if let Some(test) = self.outline.tests.last_mut() {
            test.span.end = title.span.end;
        }
    }

    fn content(&mut self, at: usize, token: &Token) {
        if self.is_dead() || token.kind == Kind::Mark {
            return;
        }
        let is_dotted = at > 0 && self.word(at - 1) == ".";
        if token.kind == Kind::Word && !self.asserted && assertion::is_word(token.text, is_dotted) {
            self.asserted = true;
            self.assert(at);
        }
        let is_title = |frame: &Frame| match frame.block {
            Block::Test(index) => {
                self.outline.tests.get(index).is_some_and(|test| test.title_span.contains(&token.span.start))
            }
            _ => false,
        };
        if !self.frames.last().is_some_and(is_title) {
            self.say(token.kind, token.text);
        }
    }

    /// Adds a token to every test and function that is open, or to what is outside of them.
    fn say(&mut self, kind: Kind, text: &str) {
        let mut inside = false;
        for frame in &self.frames {
            let body = match frame.block {
                Block::Test(index) => self.outline.tests.get_mut(index).map(|test| &mut test.body),
                Block::Stray(index) => self.outline.strays.get_mut(index).map(|stray| &mut stray.body),
                _ => None,
            };
            if let Some(body) = body {
                inside = true;
                if kind == Kind::Word { body.word(text) } else { body.literal(text) }
            }
        }
        if !inside && !self.is_dead() {
            let outside = &mut self.outline.outside;
            if kind == Kind::Word { outside.word(text) } else { outside.literal(text) }
        }
    }

    fn assert(&mut self, at: usize) {
        let last = self.line_rest(at).last().unwrap_or(at);
        let from = if self.word(at.wrapping_sub(1)) == "." { self.statement } else { at };
        let code = self.source.get(self.start(from)..self.end(last)).unwrap_or_default();
        let text: String = code.chars().filter(|c| !c.is_whitespace()).take(400).collect();
        let line = self.tokens.get(at).map_or(0, |it| it.line);
        let trivial = assertion::is_trivial(code);
        for frame in &mut self.frames {
            match &mut frame.block {
                Block::Test(index) => {
                    if let Some(test) = self.outline.tests.get_mut(*index) {
                        test.assertions.push(Assertion { line, text: text.clone(), trivial });
                    }
                    if let Some(events) = self.events.get_mut(*index) {
                        events.push(Event::Assertion);
                    }
                }
                Block::Stray(index) => {
                    if let Some(stray) = self.outline.strays.get_mut(*index) {
                        stray.assertions += 1;
                    }
                }
                _ => {}
            }
        }
    }

    fn finish(mut self) -> Outline {
        self.outline.broken |= !self.frames.is_empty();
        self.outline.tests.iter_mut().for_each(|test| test.body.seal());
        self.outline.strays.iter_mut().for_each(|stray| stray.body.seal());
        self.outline.outside.seal();
        self.outline
    }
}

/// What ends a test before its first assertion.
fn ended(events: &[Event]) -> Option<Skip> {
    let mut has_asserted = false;
    for (at, event) in events.iter().enumerate() {
        let rest = events.get(at + 1..).unwrap_or_default();
        let cuts = rest.iter().any(|event| matches!(event, Event::Assertion));
        let skip = |mark: &str, when| Some(Skip { mark: mark.to_owned(), when, suite: false });
        match event {
            Event::Assertion => has_asserted = true,
            Event::Skip(mark, Some(when)) if !has_asserted => return skip(mark, *when),
            Event::Return(Some(When::Always)) if cuts => return skip("return", When::Always),
            Event::Return(Some(When::InCi)) if cuts && !has_asserted => return skip("return", When::InCi),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::cases::{Case, check, names};

    const SPEC: &str = "RSpec.describe Cart do\n  it 'adds' do\n    expect(add(1, 2)).to eq(3)\n  end\n\n  context 'when full' do\n    it 'drops' do\n      expect(drop(9)).to eq(8)\n    end\n  end\nend\n";
    const ONE: &str = "describe Cart do\n  it 'adds' do\n    expect(add(1, 2)).to eq(3)\n  end\nend\n";
    const UNIT: &str = "class CartTest < Minitest::Test\n  def test_adds\n    assert_equal 3, add(1, 2)\n  end\n\n  def test_drops\n    assert drop(9) == 8\n  end\nend\n";

    const CASES: &[Case] = &[
        (
            "one deleted",
            SPEC,
            "RSpec.describe Cart do\n  it 'adds' do\n    expect(add(1, 2)).to eq(3)\n  end\nend\n",
            &["Cart > when full > drops: Lost"],
        ),
        (
            "method deleted",
            UNIT,
            "class CartTest < Minitest::Test\n  def test_adds\n    assert_equal 3, add(1, 2)\n  end\nend\n",
            &["CartTest > test_drops: Lost"],
        ),
        (
            "commented out",
            ONE,
            "describe Cart do\n  # it 'adds' do\n  #   expect(add(1, 2)).to eq(3)\n  # end\nend\n",
            &["Cart > adds: CommentedOut"],
        ),
        (
            "commented out as a block",
            ONE,
            "describe Cart do\n=begin\n  it 'adds' do\n    expect(add(1, 2)).to eq(3)\n  end\n=end\nend\n",
            &["Cart > adds: CommentedOut"],
        ),
        (
            "dead branch",
            ONE,
            "describe Cart do\n  if false\n    it 'adds' do\n      expect(add(1, 2)).to eq(3)\n    end\n  end\nend\n",
            &["Cart > adds: Dead"],
        ),
        (
            "renamed",
            UNIT,
            "class CartTest < Minitest::Test\n  def _test_adds\n    assert_equal 3, add(1, 2)\n  end\n\n  def test_drops\n    assert drop(9) == 8\n  end\nend\n",
            &["CartTest > test_adds: Uncollected _test_adds"],
        ),
        (
            "made private",
            UNIT,
            "class CartTest < Minitest::Test\n  def test_adds\n    assert_equal 3, add(1, 2)\n  end\n\n  private\n\n  def test_drops\n    assert drop(9) == 8\n  end\nend\n",
            &["CartTest > test_drops: Uncollected test_drops"],
        ),
        (
            "an x",
            ONE,
            "describe Cart do\n  xit 'adds' do\n    expect(add(1, 2)).to eq(3)\n  end\nend\n",
            &["Cart > adds: Always"],
        ),
        (
            "suite with an x",
            ONE,
            "xdescribe Cart do\n  it 'adds' do\n    expect(add(1, 2)).to eq(3)\n  end\nend\n",
            &["Cart > adds: Always suite"],
        ),
        (
            "metadata",
            ONE,
            "describe Cart do\n  it 'adds', skip: 'flaky' do\n    expect(add(1, 2)).to eq(3)\n  end\nend\n",
            &["Cart > adds: Always"],
        ),
        (
            "a symbol on the suite",
            ONE,
            "describe Cart, :skip do\n  it 'adds' do\n    expect(add(1, 2)).to eq(3)\n  end\nend\n",
            &["Cart > adds: Always suite"],
        ),
        (
            "skipped by a call",
            UNIT,
            "class CartTest < Minitest::Test\n  def test_adds\n    skip 'flaky'\n    assert_equal 3, add(1, 2)\n  end\n\n  def test_drops\n    omit\n    assert drop(9) == 8\n  end\nend\n",
            &["CartTest > test_adds: Always", "CartTest > test_drops: Always"],
        ),
        (
            "set-up that skips",
            UNIT,
            "class CartTest < Minitest::Test\n  def setup\n    skip\n  end\n\n  def test_adds\n    assert_equal 3, add(1, 2)\n  end\n\n  def test_drops\n    assert drop(9) == 8\n  end\nend\n",
            &["CartTest > test_adds: Always suite", "CartTest > test_drops: Always suite"],
        ),
        (
            "left out in CI",
            UNIT,
            "class CartTest < Minitest::Test\n  def test_adds\n    return if ENV['CI']\n    assert_equal 3, add(1, 2)\n  end\n\n  def test_drops\n    if ENV['CI']\n      skip\n    end\n    assert drop(9) == 8\n  end\nend\n",
            &["CartTest > test_adds: InCi", "CartTest > test_drops: InCi"],
        ),
        (
            "focus",
            SPEC,
            "RSpec.describe Cart do\n  fit 'adds' do\n    expect(add(1, 2)).to eq(3)\n  end\n\n  context 'when full' do\n    it 'drops' do\n      expect(drop(9)).to eq(8)\n    end\n  end\nend\n",
            &["Cart > when full > drops: Unfocused"],
        ),
        (
            "trivial",
            ONE,
            "describe Cart do\n  it 'adds' do\n    expect(true).to be(true)\n  end\nend\n",
            &["Cart > adds: Trivial"],
        ),
        (
            "emptied",
            UNIT,
            "class CartTest < Minitest::Test\n  def test_adds\n  end\n\n  def test_drops\n    assert true\n  end\nend\n",
            &["CartTest > test_adds: Silent", "CartTest > test_drops: Trivial"],
        ),
        (
            "skipped where something is missing",
            ONE,
            "describe Cart do\n  it 'adds' do\n    skip 'needs zlib' unless defined?(Zlib)\n    expect(add(1, 2)).to eq(3)\n  end\nend\n",
            &["Cart > adds: Sometimes"],
        ),
        (
            "from minitest to rspec",
            UNIT,
            "RSpec.describe Cart do\n  it 'adds' do\n    expect(add(1, 2)).to eq(3)\n  end\n  it('drops') { expect(drop(9)).to eq(8) }\nend\n",
            &[],
        ),
        (
            "renamed and moved",
            SPEC,
            "describe Basket do\n  specify 'sums up' do\n    expect(add(1, 2)).to eq(3)\n  end\n  it 'takes away' do\n    expect(drop(9)).to eq(8)\n  end\nend\n",
            &[],
        ),
        (
            "merged into a loop",
            "describe A do\n  it('short') { expect(width('ab')).to eq(2) }\n  it('long') { expect(width('abcdefgh')).to eq(8) }\nend\n",
            "describe A do\n  it 'has a width' do\n    { 'ab' => 2, 'abcdefgh' => 8 }.each do |text, size|\n      expect(width(text)).to eq(size)\n    end\n  end\nend\n",
            &[],
        ),
        (
            "a method called skip",
            ONE,
            "describe Cart do\n  it 'adds' do\n    cart.skip(1)\n    expect(add(1, 2)).to eq(3)\n  end\nend\n",
            &[],
        ),
    ];

    #[test]
    fn changes_of_tests_are_told_apart() {
        check("spec/cart_spec.rb", CASES);
    }

    #[test]
    fn tests_have_stable_names() {
        let source = "module A\n  class BTest < Test::Unit::TestCase\n    def test_c = assert(x)\n    def test_d\n      y = if z then 1 else 2 end\n      while y do break end\n      text = <<~EOT\n        don't it 'e' do\n      EOT\n      assert_match(/it 'f' do/, text) if y\n    end\n    def self.test_g; end\n    test \"h i\" do\n      assert_equal %w[a b], x.map { |v| v.to_s }\n    end\n    def class_name; self.class.name; end\n  end\nend\nRSpec.describe J, type: :model do\n  let(:k) { { l: 1 } }\n  it { is_expected.to be_valid }\n  describe '#m' do\n    it('n') { expect(k).to eq(l: 1) }\n    it 'o'\n  end\nend\n__END__\nit 'p' do\nend\n";
        let expected = [
            "A > BTest > test_c",
            "A > BTest > test_d",
            "A > BTest > h i",
            "J > is_expected.to be_valid",
            "J > #m > n",
            "J > #m > o",
        ];
        assert_eq!(names("spec/a_spec.rb", source), expected);
    }
}
