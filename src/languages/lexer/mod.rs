//! The first look at a file: a lexer of some tens of microseconds that strips comments and strings and counts.
//!
//! It suspects too much and decides nothing: what it lets pass is never parsed, so a text that it can't follow to the
//! end is always suspect.

pub(crate) mod comment;
pub(crate) mod floods;

mod literal;

/// What the lexer has to know about a language.
pub(crate) struct Lexicon {
    /// What begins a comment to the end of the line.
    pub(super) comment: &'static str,
    /// Whether `/* */` exists, and nests.
    pub(super) block_comments: Option<Nesting>,
    /// Whose strings it has.
    pub(super) strings: Strings,
    /// Whether nesting is told by indentation rather than by braces.
    pub(super) indented: bool,
    /// Whether a word, with the text before and after it, is the head of a test.
    pub(super) head: fn(&str, &str, &str) -> bool,
    /// Words that open what tests stand in; before the first of them or of the tests, single lines don't matter.
    pub(super) scopes: &'static [&'static str],
    /// Words that skip or focus tests.
    pub(super) marks: &'static [&'static str],
    /// What a comment that skips begins with, if there is such a thing.
    pub(super) comment_mark: Option<&'static str>,
}

/// How comments nest.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Nesting {
    Flat,
    Nested,
}

/// Whose string literals.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Strings {
    JavaScript,
    Python,
    Rust,
    Go,
    Java,
    CSharp,
    Php,
    Kotlin,
    Cpp,
    Swift,
    Elixir,
    Ruby,
    Dart,
}

/// What the lexer counted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LexerCounts {
    /// Heads of tests.
    pub tests: usize,
    /// Words that may skip or focus tests.
    pub marks: usize,
    /// Words that may keep code from running.
    pub controls: usize,
    /// The lines of code from the first test or suite on, with their depth, as hashes. In the order of the text.
    lines: Vec<u64>,
    /// Whether the text ended inside a comment or a string, so that nothing above is sure.
    pub unsure: bool,
}

/// Words that may keep code from running, in any language.
const CONTROLS: &[&str] = &["return", "if", "false", "False", "exit"];

impl LexerCounts {
    /// Whether a change from `self` to `after` may take away a test, or what a test does. `false` is certain.
    pub fn is_suspicious(&self, after: &LexerCounts) -> bool {
        if self.unsure || after.unsure {
            return true;
        }
        self.tests > 0
            && (after.tests < self.tests
                || after.marks > self.marks
                || after.controls > self.controls
                || !is_inserted(&self.lines, &after.lines))
    }
}

/// Whether nothing but one piece was put in: what another place has of the same lines takes no line's place.
fn is_inserted(old: &[u64], new: &[u64]) -> bool {
    let head = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let rest = old.len() - head;
    let tail = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(old, new)| old == new).count();
    tail == rest
}

pub(super) fn scan(lexicon: &'static Lexicon, source: &str) -> LexerCounts {
    let mut lexer = Lexer::new(lexicon, source);
    lexer.run();
    lexer.scan
}

pub(super) struct Lexer<'s> {
    lexicon: &'s Lexicon,
    source: &'s str,
    bytes: &'s [u8],
    at: usize,
    scan: LexerCounts,
    /// Hash of the current line's code, and how many letters it has.
    line: u64,
    letters: usize,
    depth: u64,
    line_depth: u64,
    fresh: bool,
    started: bool,
    /// The last byte of code, and the last word.
    last: u8,
    word: &'s str,
    /// The names of tests that were defined, where a later one may replace them.
    heads: Vec<&'s str>,
}

const EMPTY_LINE: u64 = 0xcbf2_9ce4_8422_2325;

impl<'s> Lexer<'s> {
    fn new(lexicon: &'s Lexicon, source: &'s str) -> Self {
        Lexer {
            lexicon,
            source,
            bytes: source.as_bytes(),
            at: 0,
            scan: LexerCounts::default(),
            line: EMPTY_LINE,
            letters: 0,
            depth: 0,
            line_depth: 0,
            fresh: true,
            started: false,
            last: b'\n',
            word: "",
            heads: Vec::new(),
        }
    }

    pub(super) fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    pub(super) fn starts_with(&self, text: &str) -> bool {
        self.bytes.get(self.at..).is_some_and(|rest| rest.starts_with(text.as_bytes()))
    }

    fn run(&mut self) {
        while self.at < self.bytes.len() {
            let byte = self.peek(0);
            if byte == b'\n' {
                self.end_line();
                self.at += 1;
            } else if byte.is_ascii_whitespace() {
                self.depth += u64::from(self.fresh && self.lexicon.indented);
                self.at += 1;
            } else if self.starts_with(self.lexicon.comment)
                || (byte == b'#' && self.peek(1) != b'[' && self.lexicon.strings == Strings::Php)
            {
                self.line_comment();
            } else if self.fresh && self.lexicon.strings == Strings::Ruby && self.starts_document() {
                self.document();
            } else if byte == b'/' && self.peek(1) == b'*' && self.lexicon.block_comments.is_some() {
                self.block_comment();
            } else {
                self.code(byte);
            }
        }
        self.end_line();
    }

    fn code(&mut self, byte: u8) {
        if self.fresh {
            self.fresh = false;
            self.line_depth = self.depth;
        }
        if byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$' || byte >= 0x80 {
            self.take_word();
        } else if !self.string(byte) {
            match byte {
                b'{' if !self.lexicon.indented => self.depth += 1,
                b'}' if !self.lexicon.indented => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
            self.feed(byte);
            self.at += 1;
        }
    }

    fn feed(&mut self, byte: u8) {
        self.line = (self.line ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        self.letters += usize::from(byte.is_ascii_alphanumeric());
        self.last = byte;
    }

    pub(super) fn end_line(&mut self) {
        if self.letters > 0 && self.started {
            self.scan.lines.push(self.line ^ self.line_depth.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        }
        self.line = EMPTY_LINE;
        self.letters = 0;
        self.fresh = true;
        if self.lexicon.indented {
            self.depth = 0;
        }
    }

    fn take_word(&mut self) {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let is_part =
            |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte == b'$' || *byte >= 0x80;
        let length = rest.iter().position(|byte| !is_part(byte)).unwrap_or(rest.len());
        let (start, end) = (self.at, self.at + length);
        let word = self.source.get(start..end).unwrap_or_default();
        self.weigh(word, start, end);
        for byte in word.bytes() {
            self.feed(byte);
        }
        // A word apart from the next one is not the same as both written together.
        self.feed(b' ');
        self.last = b'a';
        self.word = word;
        self.at = end;
        match self.lexicon.strings {
            Strings::Rust if matches!(word, "r" | "br" | "cr") => self.raw_string(),
            Strings::Cpp if word.ends_with('R') && self.peek(0) == b'"' => self.delimited_string(),
            _ => {}
        }
    }

    fn weigh(&mut self, word: &'s str, start: usize, end: usize) {
        let before = self.source.get(..start).unwrap_or_default();
        let after = self.source.get(end..).unwrap_or_default();
        if (self.lexicon.head)(word, before, after) {
            self.scan.tests += 1;
            self.started = true;
            // A second definition of a name may take the place of the first.
            if matches!(self.lexicon.strings, Strings::Python | Strings::Ruby) && word.starts_with("test_") {
                self.scan.marks += usize::from(self.heads.contains(&word));
                self.heads.push(word);
            }
        } else if self.lexicon.scopes.contains(&word) {
            self.started = true;
        }
        if self.lexicon.marks.contains(&word) {
            self.scan.marks += 1;
        } else if CONTROLS.contains(&word) {
            self.scan.controls += 1;
        }
    }
}
