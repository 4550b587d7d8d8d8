//! Where a literal of Ruby ends: strings, lists of words, regular expressions, here-documents.

use super::{RubyLexer, RubyTokenKind};

impl RubyLexer<'_> {
    pub(super) fn quoted(&mut self, open: usize, opening: u8, closing: u8, interpolates: bool) {
        let start = self.at + open;
        let mut end = start;
        let (mut level, mut braces) = (1usize, 0usize);
        while let Some(byte) = self.bytes.get(end) {
            let next = self.bytes.get(end + 1);
            if *byte == b'\\' {
                end += 1;
            } else if interpolates && *byte == b'#' && next == Some(&b'{') {
                braces += 1;
                end += 1;
            } else if braces > 0 {
                braces -= usize::from(*byte == b'}');
                braces += usize::from(*byte == b'{');
            } else if *byte == closing {
                level -= 1;
                if level == 0 {
                    break;
                }
            } else if *byte == opening {
                level += 1;
            }
            end += 1;
        }
        let end = end.min(self.bytes.len());
        self.push(RubyTokenKind::Text, start..end, (end + 1).min(self.bytes.len()));
    }

    /// `%w[a b]`, `%q(a)`, `%(a)`.
    pub(super) fn percent(&mut self) -> bool {
        let letter = usize::from(self.peek(1).is_ascii_alphabetic());
        let opening = self.peek(1 + letter);
        if letter == 1 && !b"wWiIqQrsx".contains(&self.peek(1)) {
            return false;
        }
        let closing = match opening {
            b'(' => b')',
            b'[' => b']',
            b'{' => b'}',
            b'<' => b'>',
            b'|' | b'!' | b'/' | b'~' => opening,
            _ => return false,
        };
        self.quoted(2 + letter, opening, closing, true);
        true
    }

    /// `<<~TEXT`: the text begins with the next line.
    pub(super) fn here_document(&mut self) -> bool {
        let rest = self.source.get(self.at..).unwrap_or_default();
        let Some(inner) = rest.strip_prefix("<<") else { return false };
        let inner = inner.strip_prefix(['~', '-']).unwrap_or(inner);
        let bare = inner.trim_start_matches(['"', '\'', '`']);
        let tag = bare.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
        let is_tag =
            tag.starts_with(|c: char| c.is_ascii_uppercase() || c == '_') && inner.len() - bare.len() <= 1;
        if !is_tag || self.pending.len() > 8 {
            return false;
        }
        self.pending.push(tag);
        let length = (rest.len() - bare.len()) + tag.len() + (inner.len() - bare.len());
        self.push(RubyTokenKind::Mark, self.at..self.at + 2, self.at + length);
        true
    }
}
