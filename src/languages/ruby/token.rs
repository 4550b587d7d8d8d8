//! Ruby as tokens: comments and the many kinds of literals told from code.
//!
//! Total: any text gives tokens, and what is inside of a literal is never taken for code.

use std::ops::Range;

mod literals;

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RubyTokenKind {
    Word,
    /// The inside of a string, a list of words or a regular expression.
    Text,
    Symbol,
    Number,
    Mark,
}

#[derive(Clone, Debug)]
pub(super) struct RubyToken<'s> {
    pub(super) kind: RubyTokenKind,
    pub(super) text: &'s str,
    /// With its quotes.
    pub(super) span: Range<usize>,
    pub(super) line: u32,
    pub(super) begins_line: bool,
    pub(super) spaced: bool,
}

pub(super) struct Tokens<'s> {
    pub(super) list: Vec<RubyToken<'s>>,
    pub(super) comments: Vec<Range<usize>>,
}

/// Words after which an operand follows, so that `/` begins a regular expression.
const BEFORE_OPERAND: &[&str] = &[
    "if", "unless", "and", "or", "not", "when", "return", "while", "until", "in", "puts", "then", "do",
    "match",
];

struct RubyLexer<'s> {
    source: &'s str,
    bytes: &'s [u8],
    at: usize,
    line: u32,
    fresh: bool,
    spaced: bool,
    found: Tokens<'s>,
    /// Here-documents whose text begins with the next line.
    pending: Vec<&'s str>,
}

pub(super) fn tokens(source: &str) -> Tokens<'_> {
    let found = Tokens { list: Vec::new(), comments: Vec::new() };
    let bytes = source.as_bytes();
    let mut lexer =
        RubyLexer { source, bytes, at: 0, line: 1, fresh: true, spaced: false, found, pending: Vec::new() };
    lexer.run();
    lexer.found
}

impl<'s> RubyLexer<'s> {
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn rest(&self) -> &'s [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    fn run(&mut self) {
        while self.at < self.bytes.len() {
            let byte = self.peek(0);
            let at_margin = self.at == 0 || self.bytes.get(self.at - 1) == Some(&b'\n');
            if at_margin && (self.rest().starts_with(b"=begin") || self.rest().starts_with(b"__END__")) {
                self.block_comment();
            } else if byte == b'\n' {
                self.newline();
            } else if byte.is_ascii_whitespace() || (byte == b'\\' && self.peek(1) == b'\n') {
                self.spaced = true;
                // A line that goes on is no new one.
                if byte == b'\\' {
                    self.line += 1;
                    self.at += 1;
                }
                self.at += 1;
            } else if byte == b'#' {
                let length = memchr::memchr(b'\n', self.rest()).unwrap_or(self.rest().len());
                self.found.comments.push(self.at..self.at + length);
                self.at += length;
            } else {
                self.token(byte);
            }
        }
    }

    fn newline(&mut self) {
        self.at += 1;
        self.line += 1;
        self.fresh = true;
        for tag in std::mem::take(&mut self.pending) {
            let start = self.at;
            while self.at < self.bytes.len() {
                let from = self.at;
                let length = memchr::memchr(b'\n', self.rest()).map_or(self.rest().len(), |end| end + 1);
                self.at += length;
                self.line += 1;
                if self.source.get(from..self.at).is_some_and(|line| line.trim() == tag) {
                    let span = start..from;
                    let text = self.source.get(span.clone()).unwrap_or_default();
                    self.list_text(text, span);
                    break;
                }
            }
        }
    }

    /// A here-document's text belongs to the line that it was begun on.
    fn list_text(&mut self, text: &'s str, span: Range<usize>) {
        let (line, kind) = (self.line, RubyTokenKind::Text);
        self.found.list.push(RubyToken { kind, text, span, line, begins_line: false, spaced: true });
    }

    fn block_comment(&mut self) {
        let start = self.at;
        let rest = self.source.get(start..).unwrap_or_default();
        let end = if rest.starts_with("=begin") { rest.find("\n=end").map(|at| at + 5) } else { None };
        self.at = start + end.unwrap_or(rest.len());
        self.line +=
            self.bytes.get(start..self.at).unwrap_or_default().iter().filter(|b| **b == b'\n').count() as u32;
        self.found.comments.push(start..self.at);
    }

    fn push(&mut self, kind: RubyTokenKind, inner: Range<usize>, end: usize) {
        let span = self.at..end;
        let text = self.source.get(inner).unwrap_or_default();
        let (line, begins_line) = (self.line, std::mem::take(&mut self.fresh));
        let spaced = std::mem::take(&mut self.spaced) || begins_line;
        let inside = self.bytes.get(span.clone()).unwrap_or_default();
        self.line += inside.iter().filter(|byte| **byte == b'\n').count() as u32;
        self.found.list.push(RubyToken { kind, text, span, line, begins_line, spaced });
        self.at = end.max(self.at + 1);
    }

    fn token(&mut self, byte: u8) {
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
        match byte {
            b'"' | b'\'' | b'`' => self.quoted(1, byte, byte, byte != b'\''),
            b'/' if self.takes_operand() => self.quoted(1, b'/', b'/', true),
            b'%' if self.takes_operand() && self.percent() => {}
            b'<' if self.here_document() => {}
            b':' if matches!(self.peek(1), b'"' | b'\'') => self.quoted(2, self.peek(1), self.peek(1), true),
            b':' if is_name(self.peek(1)) && self.peek(1) != b':' && !self.follows(b':') => {
                let length = self.rest().iter().skip(1).take_while(|it| is_name(**it)).count() + 1;
                self.push(RubyTokenKind::Symbol, self.at + 1..self.at + length, self.at + length);
            }
            b'0'..=b'9' => {
                let length = self.rest().iter().take_while(|it| is_name(**it)).count();
                self.push(RubyTokenKind::Number, self.at..self.at + length, self.at + length);
            }
            _ if is_name(byte) || byte == b'@' || byte == b'$' => {
                let mut length =
                    1 + self.rest().iter().skip(1).take_while(|it| is_name(**it) || **it == b'@').count();
                if matches!(self.peek(length), b'?' | b'!') && self.peek(length + 1) != b'=' {
                    length += 1;
                }
                self.push(RubyTokenKind::Word, self.at..self.at + length, self.at + length);
            }
            _ => self.push(RubyTokenKind::Mark, self.at..self.at + 1, self.at + 1),
        }
    }

    fn follows(&self, byte: u8) -> bool {
        self.at > 0 && self.bytes.get(self.at - 1) == Some(&byte)
    }

    /// Whether an operand can stand here, so that `/` and `%` begin a literal.
    fn takes_operand(&self) -> bool {
        match self.found.list.last() {
            None => true,
            Some(_) if self.fresh => true,
            Some(last) => match last.kind {
                RubyTokenKind::Mark => !matches!(last.text, ")" | "]" | "}"),
                RubyTokenKind::Word if BEFORE_OPERAND.contains(&last.text) => true,
                RubyTokenKind::Word => {
                    self.spaced && !self.peek(1).is_ascii_whitespace() && self.peek(1) != b'='
                }
                _ => false,
            },
        }
    }
}
