//! The definition of a method in Ruby: its name, and where its body is.

use super::coder::{BlockKind, RubyCoder};
use super::token::RubyTokenKind;
use crate::languages::code::{BodyKind, Function};

impl RubyCoder<'_> {
    pub(super) fn define(&mut self, at: usize) {
        let name_at = if self.word(at + 2) == "." { at + 3 } else { at + 1 };
        let name_end = self.name_end(name_at);
        let name = self.between(name_at, name_end + 1);
        let mut head = name_end;
        let mut level = 0usize;
        while let Some(token) = self.token(head + 1) {
            let mark = if token.kind == RubyTokenKind::Mark { token.text } else { "" };
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
        self.push(BlockKind::Function(index), false, body);
    }

    /// The last token of a method's name: `==`, `[]=` and `name=` are several.
    pub(super) fn name_end(&self, at: usize) -> usize {
        let is_operator = self.token(at).is_some_and(|it| it.kind == RubyTokenKind::Mark);
        let belongs = |it: usize| {
            let adjoins =
                self.token(it).is_some_and(|token| token.kind == RubyTokenKind::Mark && !token.spaced);
            let is_setter = || it == at + 1 && self.word(it) == "=" && self.word(it + 1) == "(";
            adjoins && if is_operator { self.word(it) != "(" } else { is_setter() }
        };
        (at + 1..at + 4).take_while(|it| belongs(*it)).last().unwrap_or(at)
    }
}
