//! Calls and settings of Ruby code, word by word.

use super::coder::RubyCoder;
use super::token::RubyTokenKind;
use crate::languages::code::{Call, Setting};
use crate::languages::ruby::words::RAISES;

impl<'s> RubyCoder<'s> {
    pub(super) fn plain_word(&mut self, at: usize, word: &'s str, begins: bool) {
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
    pub(super) fn closing(&self, open: usize) -> Option<usize> {
        let mut level = 0usize;
        (open..open + 300).find(|it| {
            level += usize::from(self.word(*it) == "(");
            level = level.saturating_sub(usize::from(self.word(*it) == ")"));
            level == 0
        })
    }

    pub(super) fn assignment(&mut self, at: usize) {
        if self.word(at + 1) == ">" {
            let name =
                at.checked_sub(1).and_then(|it| self.token(it)).filter(|it| it.kind != RubyTokenKind::Mark);
            if let Some((name, line)) = name.map(|it| (it.text, it.line)) {
                self.setting(name, at + 2, line);
            }
        } else if at > 0 && !matches!(self.word(at + 1), "=" | "~") && self.word(at - 1) != "=" {
            self.setting(self.word(at - 1), at + 1, self.line(at));
        }
    }

    /// Adds a setting whose value begins at a token.
    pub(super) fn setting(&mut self, name: &'s str, from: usize, line: u32) {
        let ends = |it: &usize| {
            self.token(*it).is_none_or(|token| {
                (token.begins_line && *it > from)
                    || (token.kind == RubyTokenKind::Mark && matches!(token.text, "," | ")" | "}" | ";"))
            })
        };
        let to = (from..from + 12).find(ends).unwrap_or(from);
        let value = self.between(from, to);
        if !value.is_empty() && !name.is_empty() {
            self.code.settings.push(Setting { name, value, line });
        }
    }
}
