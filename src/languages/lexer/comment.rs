//! Where comments end, and what they say about tests.

use crate::languages::lexer::{Lexer, Nesting, Strings};

impl Lexer<'_> {
    pub(super) fn line_comment(&mut self) {
        if self.lexicon.comment_mark.is_some_and(|mark| self.starts_with(mark)) {
            self.scan.marks += 1;
        }
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        self.at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
    }

    /// Whether `=begin` stands here, at the start of its line.
    pub(super) fn starts_document(&self) -> bool {
        self.starts_with("=begin")
            && self.at.checked_sub(1).is_none_or(|at| self.bytes.get(at) == Some(&b'\n'))
    }

    /// Takes the lines of a comment up to `=end`, or to the end of the text.
    pub(super) fn document(&mut self) {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let end = memchr::memmem::find(rest, b"\n=end").map(|at| at + "\n=end".len());
        self.at += end.unwrap_or(rest.len());
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        self.at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
    }

    pub(super) fn block_comment(&mut self) {
        let start = self.at;
        self.skip_block_comment();
        // PHPUnit takes a mark in a comment for one in the code.
        let comment = self.source.get(start..self.at).unwrap_or_default();
        if self.lexicon.strings == Strings::Php && comment.starts_with("/**") && comment.contains("@test") {
            self.scan.tests += 1;
            self.started = true;
        }
    }

    fn skip_block_comment(&mut self) {
        let nested = self.lexicon.block_comments == Some(Nesting::Nested);
        let mut level = 0usize;
        while self.at < self.bytes.len() {
            if self.peek(0) == b'/' && self.peek(1) == b'*' && (nested || level == 0) {
                level += 1;
                self.at += 2;
            } else if self.peek(0) == b'*' && self.peek(1) == b'/' {
                level -= 1;
                self.at += 2;
                if level == 0 {
                    return;
                }
            } else {
                if self.peek(0) == b'\n' {
                    self.end_line();
                }
                self.at += 1;
            }
        }
        self.scan.unsure = true;
    }
}
