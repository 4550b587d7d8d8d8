//! Where string literals and regular expressions end, in each language's own way.

use crate::languages::lexer::{Lexer, Strings};

impl Lexer<'_> {
    /// Takes a string literal, if one begins here.
    pub(crate) fn string(&mut self, byte: u8) -> bool {
        match (self.lexicon.strings, byte) {
            (Strings::Python, b'"' | b'\'') => {
                let triple = self.peek(1) == byte && self.peek(2) == byte;
                if triple {
                    self.quoted(3, &[byte; 3], true, true)
                } else {
                    self.quoted(1, &[byte], false, true)
                }
            }
            (Strings::Dart, b'"' | b'\'') => {
                // `r'…'` knows no escapes.
                let is_raw = self.at.checked_sub(1).and_then(|at| self.bytes.get(at)) == Some(&b'r')
                    && self.word == "r";
                if self.peek(1) == byte && self.peek(2) == byte {
                    self.quoted(3, &[byte; 3], true, !is_raw);
                } else {
                    self.quoted(1, &[byte], false, !is_raw);
                }
            }
            (Strings::JavaScript, b'"' | b'\'') => self.quoted(1, &[byte], false, true),
            (Strings::JavaScript, b'`') => self.quoted(1, b"`", true, true),
            (Strings::JavaScript, b'/') if self.is_regex() => self.regex(),
            (Strings::Go, b'"' | b'\'') => self.quoted(1, &[byte], false, true),
            (Strings::Go, b'`') => self.quoted(1, b"`", true, false),
            (Strings::Rust, b'"') => self.quoted(1, b"\"", true, true),
            (Strings::Rust, b'\'')
                if self.peek(1) == b'\\' || self.peek(1) >= 0x80 || self.peek(2) == b'\'' =>
            {
                self.quoted(1, b"'", false, true);
            }
            (Strings::Java | Strings::CSharp | Strings::Kotlin | Strings::Swift | Strings::Elixir, b'"') => {
                let escapes =
                    matches!(self.lexicon.strings, Strings::Java | Strings::Swift | Strings::Elixir);
                if self.peek(1) == b'"' && self.peek(2) == b'"' {
                    self.quoted(3, b"\"\"\"", true, escapes);
                } else {
                    // `@"..."` of C# goes on over lines and knows no escapes; Elixir's goes on and knows them.
                    let before = self.bytes.get(..self.at).unwrap_or_default();
                    let is_verbatim = self.lexicon.strings == Strings::CSharp
                        && (before.ends_with(b"@") || before.ends_with(b"@$"));
                    let many_lines = is_verbatim || self.lexicon.strings == Strings::Elixir;
                    self.quoted(1, b"\"", many_lines, !is_verbatim);
                }
            }
            (Strings::Cpp, b'\'') if self.last.is_ascii_digit() => return false,
            (Strings::Cpp, b'"') => self.quoted(1, b"\"", false, true),
            (Strings::Java | Strings::CSharp | Strings::Kotlin | Strings::Cpp, b'\'') => {
                self.quoted(1, b"'", false, true)
            }
            (Strings::Ruby, b'<')
                if self.starts_with("<<~") || self.starts_with("<<-") || self.starts_with("<<'") =>
            {
                self.here_document(2);
            }
            (Strings::Php | Strings::Ruby, b'"' | b'\'') => self.quoted(1, &[byte], true, true),
            (Strings::Php, b'<') if self.starts_with("<<<") => self.here_document(3),
            _ => return false,
        }
        true
    }

    /// Takes a text up to the line that begins with its tag. `open` is how long its mark is.
    fn here_document(&mut self, open: usize) {
        self.take(open);
        while matches!(self.peek(0), b' ' | b'"' | b'\'' | b'-' | b'~') {
            self.take(1);
        }
        let rest = self.source.get(self.at..).unwrap_or_default();
        let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let tag = rest.get(..length).unwrap_or_default();
        if tag.is_empty() {
            return;
        }
        let mut end = 0;
        for line in rest.split_inclusive('\n') {
            let is_last = end > 0 && line.trim_start().starts_with(tag);
            if is_last {
                end += line.len() - line.trim_start().len() + tag.len();
                break;
            }
            end += line.len();
        }
        let end = self.at + end;
        while self.at < end {
            if self.peek(0) == b'\n' {
                self.end_line();
                self.at += 1;
            } else {
                self.take(1);
            }
        }
    }

    fn quoted(&mut self, open: usize, close: &[u8], many_lines: bool, escapes: bool) {
        self.take(open);
        while self.at < self.bytes.len() {
            if self.bytes.get(self.at..).is_some_and(|rest| rest.starts_with(close)) {
                return self.take(close.len());
            }
            match self.peek(0) {
                b'\n' if !many_lines => return,
                b'\n' => {
                    self.end_line();
                    self.at += 1;
                }
                b'\\' if escapes => self.take(2),
                _ => self.take(1),
            }
        }
        self.scan.unsure |= many_lines;
    }

    fn take(&mut self, count: usize) {
        for _ in 0..count {
            self.feed(self.peek(0));
            self.at += 1;
        }
    }

    pub(crate) fn raw_string(&mut self) {
        let hashes =
            self.bytes.get(self.at..).unwrap_or_default().iter().take_while(|byte| **byte == b'#').count();
        if self.peek(hashes) == b'"' && hashes < 256 {
            let mut close = vec![b'#'; hashes + 1];
            close[0] = b'"';
            self.quoted(hashes + 1, &close, true, false);
        }
    }

    /// Takes `"x(...)x"` of C++, after its `R`.
    pub(crate) fn delimited_string(&mut self) {
        let rest = self.bytes.get(self.at + 1..).unwrap_or_default();
        let length = rest.iter().take(17).position(|byte| *byte == b'(');
        if let Some(tag) = length.and_then(|length| rest.get(..length)) {
            let close = [b")", tag, b"\""].concat();
            self.quoted(tag.len() + 2, &close, true, false);
        }
    }

    fn is_regex(&self) -> bool {
        matches!(
            self.last,
            b'(' | b','
                | b'='
                | b':'
                | b'['
                | b'!'
                | b'&'
                | b'|'
                | b'?'
                | b'{'
                | b'}'
                | b';'
                | b'+'
                | b'\n'
                | b'>'
        ) || (self.last == b'a' && matches!(self.word, "return" | "typeof" | "case" | "in" | "of"))
    }

    fn regex(&mut self) {
        let mut in_class = false;
        self.take(1);
        while self.at < self.bytes.len() {
            match self.peek(0) {
                b'\n' => return,
                b'\\' => self.take(2),
                b'/' if !in_class => return self.take(1),
                byte => {
                    in_class = (in_class || byte == b'[') && byte != b']';
                    self.take(1);
                }
            }
        }
    }
}
