//! What statements of Ruby come to: how they leave, which constant they give, what a handler's do.
//!
//! A statement is a range of tokens; what isn't understood is called work.

use std::ops::Range;

use super::coder::RubyCoder;
use super::token::RubyTokenKind;
use crate::languages::code::{BodyKind, Exit, HandlerEffect};
use crate::languages::ruby::words::{BRANCHES, OPENERS, RAISES};
use crate::languages::testing::skip_condition::constant;

/// First words of what writes a log.
const LOGS: &[&str] =
    &["puts", "warn", "p", "pp", "logger", "log", "Rails", "Logger", "print", "@logger", "error"];
/// Words that are values by themselves.
const VALUES: &[&str] = &["nil", "true", "false"];

impl<'s> RubyCoder<'s> {
    /// The statements between two tokens, each from its first token to the one after its last.
    pub(super) fn statements(&self, from: usize, to: usize) -> Vec<Range<usize>> {
        let mut list: Vec<Range<usize>> = Vec::new();
        let (mut level, mut loops) = (0usize, false);
        for at in from..to {
            let word = self.word(at);
            if level == 0 && !matches!(word, ";" | "end") && (at == from || self.reader.begins(at)) {
                if let Some(last) = list.last_mut() {
                    last.end = at;
                }
                list.push(at..to);
            }
            let is_keyword = self.reader.is_keyword(at);
            let opens = matches!(word, "{" | "(" | "[")
                || (is_keyword
                    && ((word == "do" && !std::mem::take(&mut loops))
                        || word == "def"
                        || word == "module"
                        || OPENERS.contains(&word)
                        || (BRANCHES.contains(&word)
                            && (self.reader.begins(at) || self.reader.is_value(at)))));
            if opens && matches!(word, "while" | "until" | "for") {
                loops = self.reader.line_rest(at).any(|it| self.word(it) == "do");
            }
            if opens {
                level += 1;
            } else if matches!(word, "}" | ")" | "]") || (is_keyword && word == "end") {
                level = level.saturating_sub(1);
            } else if level == 0
                && is_keyword
                && matches!(word, "rescue" | "ensure")
                && self.reader.begins(at)
            {
                // What watches over the whole is more than its first statements.
                list.push(at..to);
            }
        }
        list
    }

    fn is_modified(&self, statement: &Range<usize>) -> bool {
        statement
            .clone()
            .skip(1)
            .any(|at| matches!(self.word(at), "if" | "unless") && self.reader.is_keyword(at))
    }

    /// How a statement leaves, if that is all it does.
    pub(super) fn exit(&self, statement: &Range<usize>) -> Option<Exit> {
        let word = self.word(statement.start);
        if self.is_modified(statement) {
            return None;
        }
        if RAISES.contains(&word) {
            return Some(Exit::Error);
        }
        matches!(word, "return" | "next").then_some(Exit::Leave)
    }

    /// The constant that a statement gives, if that is all it does.
    pub(super) fn constant_of(&self, statement: &Range<usize>) -> Option<&'s str> {
        let returns = usize::from(matches!(self.word(statement.start), "return" | "next"));
        let (from, to) = (statement.start + returns, statement.end);
        let is_part = |at: usize| {
            self.token(at).is_some_and(|token| match token.kind {
                RubyTokenKind::Text => !token.text.contains("#{"),
                RubyTokenKind::Symbol | RubyTokenKind::Number => true,
                RubyTokenKind::Mark => {
                    matches!(token.text, "[" | "]" | "{" | "}" | "," | ":" | "=" | ">" | "-" | "." | ";")
                }
                RubyTokenKind::Word => {
                    VALUES.contains(&token.text)
                        || (self.word(at + 1) == ":")
                        || (token.text == "freeze" && self.word(at.wrapping_sub(1)) == ".")
                }
            })
        };
        (from < to && (from..to).all(is_part)).then(|| self.between(from, to))
    }

    pub(super) fn body_kind(&self, from: usize, to: usize) -> BodyKind<'s> {
        let statements = self.statements(from, to);
        let [only] = &statements[..] else {
            return if statements.is_empty() { BodyKind::Nothing } else { BodyKind::Work };
        };
        let text = self.between(only.start, only.end).to_lowercase();
        let says = |word: &&str| text.contains(*word);
        if self.exit(only) == Some(Exit::Error)
            && ["notimplemented", "not implemented", "unimplemented", "todo"].iter().any(says)
        {
            return BodyKind::Unimplemented;
        }
        if self.word(only.start) == "return" && only.len() == 1 {
            return BodyKind::Nothing;
        }
        self.constant_of(only).map_or(BodyKind::Work, BodyKind::Constant)
    }

    /// What the statements of a handler do.
    pub(super) fn effect(&self, from: usize, to: usize) -> HandlerEffect {
        let raises = |at: usize| {
            RAISES.contains(&self.word(at)) && self.word(at.wrapping_sub(1)) != "." && !self.is_symbolic(at)
        };
        if (from..to).any(raises) {
            return HandlerEffect::Raised;
        }
        let mut effect = HandlerEffect::Silent;
        for statement in self.statements(from, to) {
            let word = self.word(statement.start);
            let value = self.constant_of(&statement);
            let of_one = if value.is_some_and(|it| it == "nil") || (word == "next" && statement.len() == 1) {
                HandlerEffect::Silent
            } else if value.is_some() || (word == "return" && statement.len() == 1) {
                HandlerEffect::Constant
            } else if LOGS.contains(&word) {
                HandlerEffect::Logged
            } else {
                HandlerEffect::Handled
            };
            effect = effect.max(of_one);
        }
        effect
    }

    /// Whether a word is a label or a part of a name.
    fn is_symbolic(&self, at: usize) -> bool {
        self.word(at + 1) == ":" && self.token(at + 1).is_some_and(|it| !it.spaced)
    }
}

/// The constant that a condition is because of a constant among its operands.
pub(super) fn fixed(condition: &str) -> Option<bool> {
    if let Some(value) = constant(condition) {
        return Some(value);
    }
    if condition.contains(['"', '\'']) {
        let head = condition.trim_start();
        return (head.starts_with("false &&") || head.starts_with("false and"))
            .then_some(false)
            .or_else(|| (head.starts_with("true ||") || head.starts_with("true or")).then_some(true));
    }
    let by = |words: [&str; 2], absorbing: bool| {
        let mut parts = condition.split(words[0]).flat_map(|it| it.split(words[1]));
        parts.any(|it| constant(it) == Some(absorbing)).then_some(absorbing)
    };
    match condition.contains("||") || condition.contains(" or ") {
        true if condition.contains("&&") => None,
        true => by(["||", " or "], true),
        false => by(["&&", " and "], false),
    }
}
