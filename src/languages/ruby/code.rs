//! What Ruby code does about errors and input, token by token.
//!
//! Blocks are matched as for tests; what does not match is called broken. A statement is judged by its tokens alone.

use std::collections::BTreeSet;

use super::coder::{BlockKind, BranchQuestion, OpenBlock, RubyCoder};
use super::meaning::fixed;
use super::reader::RubyReader;
use super::token::{RubyTokenKind, tokens};
use crate::languages::code::{Code, Comment, Condition, Exit, Guard};
use crate::languages::ruby::words::{BRANCHES, OPENERS};
use crate::languages::testing::outline::Outline;
use crate::languages::testing::outline_builder::DEEPEST;

/// Reads a text.
pub(crate) fn code(source: &str) -> Code<'_> {
    let found = tokens(source);
    let mut code = Code::default();
    let (mut line, mut from) = (1u32, 0usize);
    for comment in &found.comments {
        let passed = source.as_bytes().get(from..comment.start).unwrap_or_default();
        line += u32::try_from(memchr::memchr_iter(b'\n', passed).count()).unwrap_or(0);
        from = comment.start;
        code.comments.push(Comment { text: source.get(comment.clone()).unwrap_or_default(), line });
    }
    let reader = RubyReader::new(source, found.list, Outline::default());
    let mut coder =
        RubyCoder { reader, code, frames: Vec::new(), comments: found.comments, variables: BTreeSet::new() };
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

impl<'s> RubyCoder<'s> {
    fn take(&mut self, at: usize) {
        let begins = self.reader.begins(at);
        if begins {
            self.reader.statement = at;
        }
        let Some(token) = self.token(at).cloned() else { return };
        match (token.kind, token.text) {
            (RubyTokenKind::Mark, "{") => self.push(BlockKind::Other, true, at + 1),
            (RubyTokenKind::Mark, "}") => self.close(at, true),
            (RubyTokenKind::Mark, "=") => self.assignment(at),
            (RubyTokenKind::Word, word) if self.reader.is_keyword(at) => self.keyword(at, word, begins),
            (RubyTokenKind::Word, word) => self.plain_word(at, word, begins),
            (RubyTokenKind::Symbol, word) => self.code.words.word(word),
            _ => {}
        }
    }

    fn keyword(&mut self, at: usize, word: &str, begins: bool) {
        match word {
            "end" => self.close(at, false),
            "do" if self.reader.loops => self.reader.loops = false,
            "do" => self.push(BlockKind::Other, false, self.after_parameters(at)),
            "def" => self.define(at),
            "class" if self.word(at + 1) == "<" => self.push(BlockKind::Other, false, at + 1),
            _ if OPENERS.contains(&word) || word == "module" => self.push(BlockKind::Other, false, at + 1),
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
            let ends = matches!(token.text, "then" | ";") && token.kind != RubyTokenKind::Text;
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
            return self.push(BlockKind::Other, false, at + 1);
        }
        let condition = self.condition(at + 1);
        let negated = word == "unless";
        self.condition_at(condition, negated, at);
        let end = self.reader.start(at + 1) + condition.len();
        let body =
            (at + 1..self.reader.tokens.len()).find(|it| self.reader.start(*it) >= end).unwrap_or(at + 1);
        let body = body + usize::from(self.word(body) == "then");
        let first = self.is_first(at);
        let question = BranchQuestion { condition, negated, first, line: self.line(at) };
        self.push(BlockKind::Branch { question, plain: true }, false, body);
    }

    /// Whether a statement is the first of its function.
    fn is_first(&self, at: usize) -> bool {
        matches!(self.frames.last(), Some(OpenBlock { open: BlockKind::Function(_), body, .. }) if *body == at)
    }

    /// A branch with another is no guard, and a handler ends before what follows it.
    fn forget_guard(&mut self, at: usize) {
        if let Some(OpenBlock { open: BlockKind::Branch { plain, .. }, .. }) = self.frames.last_mut() {
            *plain = false;
        }
        self.end_handler(at);
    }

    /// `raise x if y`.
    fn modifier(&mut self, at: usize, negated: bool) {
        let condition = self.condition(at + 1);
        self.condition_at(condition, negated, at);
        let from = self.reader.statement;
        let question =
            BranchQuestion { condition, negated, first: self.is_first(from), line: self.line(from) };
        self.guard(from, at, question);
    }

    /// Notes a guard, where all that stands between two tokens leaves the function.
    fn guard(&mut self, from: usize, to: usize, question: BranchQuestion<'s>) {
        let statements = self.statements(from, to);
        let Some(last) = statements.last() else { return };
        let exits: Vec<Exit> = statements.iter().filter_map(|it| self.exit(it)).collect();
        let Some(exit) = exits.iter().min_by_key(|exit| **exit != Exit::Error).copied() else { return };
        if statements.len() > 3 || self.exit(last).is_none() {
            return;
        }
        let gives = self.constant_of(last).filter(|_| exit == Exit::Leave);
        let BranchQuestion { condition, negated, first, line } = question;
        self.code.guards.push(Guard { owner: self.owner(), condition, negated, exit, gives, first, line });
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
            BlockKind::Function(index) => {
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
            BlockKind::Branch { question, plain: true } => self.guard(frame.body, at, question),
            BlockKind::Branch { .. } | BlockKind::Other => {}
        }
    }
}
