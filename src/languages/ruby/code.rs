//! What Ruby code does about errors and input, token by token.
//!
//! Blocks are matched as for tests; what does not match is called broken. A statement is judged by its tokens alone.

use std::collections::BTreeSet;
use std::ops::Range;

use super::super::code::{BodyKind, Call, Code, Condition, Exit, Function, Guard, Handler, Remark, Setting};
use super::block::Reader;
use super::meaning::fixed;
use super::token::{Kind, Token, tokens};
use crate::languages::ruby::testing::{BRANCHES, OPENERS};
use crate::languages::testing::outline::Outline;
use crate::languages::testing::outline_builder::DEEPEST;

/// Calls that leave with an error.
pub(super) const RAISES: &[&str] = &["raise", "fail", "abort", "exit", "throw", "halt", "head"];
/// Kinds of errors that are about everything.
const ALL: &[&str] = &["", "StandardError", "Exception", "=>"];

/// What a block is, as far as errors and input go.
enum Open<'s> {
    Function(usize),
    Branch { condition: &'s str, negated: bool, first: bool, plain: bool, line: u32 },
    Other,
}

/// An open block: what it is, where its body begins, and the handler that is open in it.
struct Frame<'s> {
    open: Open<'s>,
    brace: bool,
    body: usize,
    /// The statement that it is a part of.
    statement: usize,
    handler: Option<Rescue<'s>>,
}

struct Rescue<'s> {
    caught: &'s str,
    watched: Range<usize>,
    body: usize,
    line: u32,
}

pub(super) struct Coder<'s> {
    pub(super) reader: Reader<'s>,
    code: Code<'s>,
    frames: Vec<Frame<'s>>,
    comments: Vec<Range<usize>>,
    /// Names of variables: a word without arguments that is one of them calls nothing.
    variables: BTreeSet<&'s str>,
}

/// Reads a text.
pub(crate) fn code(source: &str) -> Code<'_> {
    let found = tokens(source);
    let mut code = Code::default();
    let (mut line, mut from) = (1u32, 0usize);
    for comment in &found.comments {
        let passed = source.as_bytes().get(from..comment.start).unwrap_or_default();
        line += u32::try_from(memchr::memchr_iter(b'\n', passed).count()).unwrap_or(0);
        from = comment.start;
        code.comments.push(Remark { text: source.get(comment.clone()).unwrap_or_default(), line });
    }
    let reader = Reader::new(source, found.list, Outline::default());
    let mut coder =
        Coder { reader, code, frames: Vec::new(), comments: found.comments, variables: BTreeSet::new() };
    for at in 0..coder.reader.tokens.len() {
        coder.take(at);
        if coder.frames.len() > DEEPEST {
            break;
        }
    }
    coder.code.broken |= !coder.frames.is_empty();
    coder.code.words.seal();
    let variables = coder.variables;
    coder.code.calls.retain(|call| !call.arguments.is_empty() || !variables.contains(call.callee));
    coder.code
}

impl<'s> Coder<'s> {
    pub(super) fn word(&self, at: usize) -> &'s str {
        self.reader.word(at)
    }

    pub(super) fn token(&self, at: usize) -> Option<&Token<'s>> {
        self.reader.tokens.get(at)
    }

    fn line(&self, at: usize) -> u32 {
        self.token(at).map_or(0, |it| it.line)
    }

    /// The source from a token up to another, which is left out.
    pub(super) fn between(&self, from: usize, to: usize) -> &'s str {
        if from >= to {
            return "";
        }
        self.reader.source.get(self.reader.start(from)..self.reader.end(to - 1)).unwrap_or_default()
    }

    fn owner(&self) -> Option<usize> {
        self.frames.iter().rev().find_map(|frame| match frame.open {
            Open::Function(index) => Some(index),
            _ => None,
        })
    }

    fn push(&mut self, open: Open<'s>, brace: bool, body: usize) {
        let statement = self.reader.statement;
        self.frames.push(Frame { open, brace, body, statement, handler: None });
    }

    fn take(&mut self, at: usize) {
        let begins = self.reader.begins(at);
        if begins {
            self.reader.statement = at;
        }
        let Some(token) = self.token(at).cloned() else { return };
        match (token.kind, token.text) {
            (Kind::Mark, "{") => self.push(Open::Other, true, at + 1),
            (Kind::Mark, "}") => self.close(at, true),
            (Kind::Mark, "=") => self.assignment(at),
            (Kind::Word, word) if self.reader.is_keyword(at) => self.keyword(at, word, begins),
            (Kind::Word, word) => self.plain_word(at, word, begins),
            (Kind::Symbol, word) => self.code.words.word(word),
            _ => {}
        }
    }

    fn keyword(&mut self, at: usize, word: &str, begins: bool) {
        match word {
            "end" => self.close(at, false),
            "do" if self.reader.loops => self.reader.loops = false,
            "do" => self.push(Open::Other, false, self.after_parameters(at)),
            "def" => self.define(at),
            "class" if self.word(at + 1) == "<" => self.push(Open::Other, false, at + 1),
            _ if OPENERS.contains(&word) || word == "module" => self.push(Open::Other, false, at + 1),
            _ if BRANCHES.contains(&word) && (begins || self.reader.is_value(at)) => self.branch(at, word),
            "if" | "unless" => self.modifier(at, word == "unless"),
            "elsif" => {
                let condition = self.condition(at + 1);
                self.condition_at(condition, false, at);
                self.forget_guard(at);
            }
            "else" | "ensure" | "when" => self.forget_guard(at),
            "rescue" if begins => self.rescue(at),
            "rescue" => self.rescue_in_line(at),
            "return" if begins => self.returns(at),
            _ => {}
        }
    }

    /// Whether a `return` gives nothing.
    fn returns(&mut self, at: usize) {
        let value = self.word(at + 1);
        let is_bare = self.token(at + 1).is_none_or(|it| it.begins_line) || matches!(value, "if" | "unless");
        if (is_bare || matches!(value, "nil" | "false"))
            && let Some(function) = self.owner().and_then(|index| self.code.functions.get_mut(index))
        {
            function.nothings += 1;
        }
    }

    /// The first token after the parameters of a block.
    fn after_parameters(&self, at: usize) -> usize {
        if self.word(at + 1) != "|" {
            return at + 1;
        }
        let close = (at + 2..at + 26).find(|it| self.word(*it) == "|");
        close.map_or(at + 1, |it| it + 1)
    }

    /// A condition as written, over as many lines as it takes.
    fn condition(&self, from: usize) -> &'s str {
        let mut to = from + 1;
        while let Some(token) = self.token(to) {
            let ends = matches!(token.text, "then" | ";") && token.kind != Kind::Text;
            if ends || (token.begins_line && self.reader.begins(to)) || to > from + 200 {
                break;
            }
            to += 1;
        }
        self.between(from, to)
    }

    fn condition_at(&mut self, text: &'s str, negated: bool, at: usize) {
        let (owner, line) = (self.owner(), self.line(at));
        self.code.conditions.push(Condition { owner, text, fixed: fixed(text), negated, line });
    }

    fn branch(&mut self, at: usize, word: &str) {
        if matches!(word, "while" | "until" | "for") {
            let has_do = self.reader.line_rest(at).any(|it| self.word(it) == "do");
            self.reader.loops = has_do;
            return self.push(Open::Other, false, at + 1);
        }
        let condition = self.condition(at + 1);
        let negated = word == "unless";
        self.condition_at(condition, negated, at);
        let end = self.reader.start(at + 1) + condition.len();
        let body =
            (at + 1..self.reader.tokens.len()).find(|it| self.reader.start(*it) >= end).unwrap_or(at + 1);
        let body = body + usize::from(self.word(body) == "then");
        let first = self.is_first(at);
        let line = self.line(at);
        self.push(Open::Branch { condition, negated, first, plain: true, line }, false, body);
    }

    /// Whether a statement is the first of its function.
    fn is_first(&self, at: usize) -> bool {
        matches!(self.frames.last(), Some(Frame { open: Open::Function(_), body, .. }) if *body == at)
    }

    /// A branch with another is no guard, and a handler ends before what follows it.
    fn forget_guard(&mut self, at: usize) {
        if let Some(Frame { open: Open::Branch { plain, .. }, .. }) = self.frames.last_mut() {
            *plain = false;
        }
        self.end_handler(at);
    }

    /// `raise x if y`.
    fn modifier(&mut self, at: usize, negated: bool) {
        let condition = self.condition(at + 1);
        self.condition_at(condition, negated, at);
        let from = self.reader.statement;
        let first = self.is_first(from);
        self.guard(from, at, condition, negated, first, self.line(from));
    }

    fn guard(&mut self, from: usize, to: usize, condition: &'s str, negated: bool, first: bool, line: u32) {
        let statements = self.statements(from, to);
        let Some(last) = statements.last() else { return };
        let exits: Vec<Exit> = statements.iter().filter_map(|it| self.exit(it)).collect();
        let Some(exit) = exits.iter().min_by_key(|exit| **exit != Exit::Error).copied() else { return };
        if statements.len() > 3 || self.exit(last).is_none() {
            return;
        }
        let gives = self.constant_of(last).filter(|_| exit == Exit::Leave);
        self.code.guards.push(Guard { owner: self.owner(), condition, negated, exit, gives, first, line });
    }

    fn define(&mut self, at: usize) {
        let name_at = if self.word(at + 2) == "." { at + 3 } else { at + 1 };
        let name_end = self.name_end(name_at);
        let name = self.between(name_at, name_end + 1);
        let mut head = name_end;
        let mut level = 0usize;
        while let Some(token) = self.token(head + 1) {
            let mark = if token.kind == Kind::Mark { token.text } else { "" };
            if level == 0 && (token.begins_line || mark == ";") || head > name_at + 300 {
                break;
            }
            level = (level + usize::from(mark == "(")).saturating_sub(usize::from(mark == ")"));
            head += 1;
            if level == 0 && mark == ")" {
                break;
            }
        }
        let body = head + 1 + usize::from(self.word(head + 1) == ";");
        let endless = (self.word(head + 1) == "=" && self.token(head + 1).is_some_and(|it| it.spaced))
            .then_some(head + 2)
            .or_else(|| (head > name_end && self.word(name_end + 1) == "=").then_some(name_end + 2));
        let (start, line) = (self.reader.start(at), self.line(at));
        let from = self.reader.end(head);
        let index = self.code.functions.len();
        let mut function = Function {
            name,
            line,
            span: start..self.reader.source.len(),
            body: from..self.reader.source.len(),
            statements: 0,
            body_kind: BodyKind::Work,
            cut: false,
            nothings: 0,
            throws: 0,
        };
        self.code.words.word(name);
        if let Some(value) = endless {
            let end = self.reader.line_rest(value).last().unwrap_or(value);
            function.span.end = self.reader.end(end);
            function.body = self.reader.start(value)..self.reader.end(end);
            function.statements = 1;
            function.body_kind = self.body_kind(value, end + 1);
            self.code.functions.push(function);
            return;
        }
        self.code.functions.push(function);
        self.push(Open::Function(index), false, body);
    }

    /// The last token of a method's name: `==`, `[]=` and `name=` are several.
    fn name_end(&self, at: usize) -> usize {
        let is_operator = self.token(at).is_some_and(|it| it.kind == Kind::Mark);
        let belongs = |it: usize| {
            let adjoins = self.token(it).is_some_and(|token| token.kind == Kind::Mark && !token.spaced);
            let is_setter = || it == at + 1 && self.word(it) == "=" && self.word(it + 1) == "(";
            adjoins && if is_operator { self.word(it) != "(" } else { is_setter() }
        };
        (at + 1..at + 4).take_while(|it| belongs(*it)).last().unwrap_or(at)
    }

    fn rescue(&mut self, at: usize) {
        self.end_handler(at);
        let rest: Vec<usize> = self.reader.line_rest(at).collect();
        let stop = rest
            .iter()
            .position(|it| self.word(*it) == "then" || (self.word(*it) == "=" && self.word(*it + 1) == ">"));
        let last = rest.get(..stop.unwrap_or(rest.len())).unwrap_or_default().last();
        let caught = last.map_or("", |last| self.between(at + 1, last + 1));
        let body = rest.last().map_or(at + 1, |it| it + 1);
        let line = self.line(at);
        if let Some(frame) = self.frames.last_mut() {
            let watched = frame.body..at;
            frame.handler = Some(Rescue { caught, watched, body, line });
        }
    }

    /// `load rescue nil`.
    fn rescue_in_line(&mut self, at: usize) {
        let end = self.reader.line_rest(at).last().unwrap_or(at) + 1;
        let watched = self.between(self.reader.statement, at);
        let effect = self.effect(at + 1, end);
        self.code.handlers.push(Handler {
            owner: self.owner(),
            caught: "",
            broad: true,
            effect,
            explained: false,
            watched,
            line: self.line(at),
        });
    }

    fn end_handler(&mut self, at: usize) {
        let Some(rescue) = self.frames.last_mut().and_then(|frame| frame.handler.take()) else { return };
        let watched = self.between(rescue.watched.start, rescue.watched.end);
        let effect = self.effect(rescue.body, at);
        let inside = self.reader.end(rescue.body.saturating_sub(1))..self.reader.start(at);
        let explained = self.comments.iter().filter(|it| inside.contains(&it.start)).any(|it| {
            let text = self.reader.source.get(it.clone()).unwrap_or_default();
            text.split(|c: char| !c.is_alphabetic()).filter(|word| word.len() > 1).count() >= 3
        });
        self.code.handlers.push(Handler {
            owner: self.owner(),
            caught: rescue.caught,
            broad: ALL.contains(&rescue.caught),
            effect,
            explained,
            watched,
            line: rescue.line,
        });
    }

    fn close(&mut self, at: usize, brace: bool) {
        if self.frames.last().is_none_or(|frame| frame.brace != brace) {
            self.code.broken = true;
            return;
        }
        self.end_handler(at);
        let Some(frame) = self.frames.pop() else { return };
        self.reader.statement = frame.statement;
        match frame.open {
            Open::Function(index) => {
                let body_kind = self.body_kind(frame.body, at);
                let statements = self.statements(frame.body, at);
                let (end, start) = (self.reader.end(at), self.reader.start(at));
                let returns = statements.iter().position(|it| self.exit(it) == Some(Exit::Leave));
                if let Some(function) = self.code.functions.get_mut(index) {
                    function.span.end = end;
                    function.body.end = start.max(function.body.start);
                    function.body_kind = body_kind;
                    function.statements = statements.len();
                    function.cut = returns.is_some_and(|it| it + 1 < statements.len());
                }
            }
            Open::Branch { condition, negated, first, plain: true, line } => {
                self.guard(frame.body, at, condition, negated, first, line);
            }
            Open::Branch { .. } | Open::Other => {}
        }
    }

    fn plain_word(&mut self, at: usize, word: &'s str, begins: bool) {
        self.code.words.word(word);
        if begins
            && RAISES.contains(&word)
            && let Some(function) = self.owner().and_then(|index| self.code.functions.get_mut(index))
        {
            function.throws += 1;
        }
        let next = self.word(at + 1);
        let is_label =
            next == ":" && self.token(at + 1).is_some_and(|it| !it.spaced) && self.word(at + 2) != ":";
        if is_label {
            return self.setting(word, at + 2, self.line(at));
        }
        let has_parens = next == "(" && self.token(at + 1).is_some_and(|it| !it.spaced);
        let is_name = has_parens || word.starts_with(|c: char| c.is_lowercase() || c == '_');
        let is_assigned = next == "=" && !matches!(self.word(at + 2), "=" | "~");
        if is_assigned {
            self.variables.insert(word);
        }
        if !is_name || is_assigned {
            return;
        }
        let mut first = at;
        while first >= 2 && self.word(first - 1) == "." {
            first -= if self.word(first - 2) == "&" && first >= 3 { 3 } else { 2 };
        }
        let end = self.reader.line_rest(at).last().unwrap_or(at) + 1;
        let inside = |it: &usize| !matches!(self.word(*it), "}" | ";");
        let end = match has_parens {
            true => self.closing(at + 1).map_or(end, |it| it + 1),
            false => (at + 1..end).take_while(inside).last().unwrap_or(at) + 1,
        };
        let arguments = if has_parens || begins { self.between(at + 1, end) } else { "" };
        self.code.calls.push(Call {
            owner: self.owner(),
            callee: self.between(first, at + 1),
            arguments,
            alone: first == self.reader.statement,
            line: self.line(at),
        });
    }

    /// The parenthesis that closes the one at a token.
    fn closing(&self, open: usize) -> Option<usize> {
        let mut level = 0usize;
        (open..open + 300).find(|it| {
            level += usize::from(self.word(*it) == "(");
            level = level.saturating_sub(usize::from(self.word(*it) == ")"));
            level == 0
        })
    }

    fn assignment(&mut self, at: usize) {
        if self.word(at + 1) == ">" {
            let name = at.checked_sub(1).and_then(|it| self.token(it)).filter(|it| it.kind != Kind::Mark);
            if let Some((name, line)) = name.map(|it| (it.text, it.line)) {
                self.setting(name, at + 2, line);
            }
        } else if at > 0 && !matches!(self.word(at + 1), "=" | "~") && self.word(at - 1) != "=" {
            self.setting(self.word(at - 1), at + 1, self.line(at));
        }
    }

    /// Adds a setting whose value begins at a token.
    fn setting(&mut self, name: &'s str, from: usize, line: u32) {
        let ends = |it: &usize| {
            self.token(*it).is_none_or(|token| {
                (token.begins_line && *it > from)
                    || (token.kind == Kind::Mark && matches!(token.text, "," | ")" | "}" | ";"))
            })
        };
        let to = (from..from + 12).find(ends).unwrap_or(from);
        let value = self.between(from, to);
        if !value.is_empty() && !name.is_empty() {
            self.code.settings.push(Setting { name, value, line });
        }
    }
}
