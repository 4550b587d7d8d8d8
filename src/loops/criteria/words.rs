//! A criterion cut into words, with what is quoted kept whole.
//!
//! Every word remembers where it stands in the text, so that a command is handed on byte for byte.

use std::ops::Range;

/// One word of a criterion.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CriterionWord {
    /// Where it stands in the text, quotes included.
    pub span: Range<usize>,
    /// Lower case, without a comma or full stop at the end: for comparing with the words of the language.
    pub plain: String,
    /// What is between the quotes when the whole word is one quoted piece.
    pub quoted: Option<Range<usize>>,
    /// Whether a comma or semicolon ended it.
    pub ends_part: bool,
}

impl CriterionWord {
    /// Whether it is this word of the language, and not a quoted one.
    pub(crate) fn is(&self, word: &str) -> bool {
        self.quoted.is_none() && self.plain == word
    }

    /// Whether it is a word of the language, and in this table.
    pub(crate) fn is_in(&self, table: &str) -> bool {
        self.quoted.is_none() && listed(table, &self.plain)
    }

    /// Whether it is one of these words of the language.
    pub(crate) fn is_any(&self, words: &[&str]) -> bool {
        self.quoted.is_none() && words.contains(&self.plain.as_str())
    }
}

/// Whether a table, words with blanks between, holds the word.
pub(crate) fn listed(table: &str, word: &str) -> bool {
    table.split_ascii_whitespace().any(|entry| entry == word)
}

/// Cuts `text` into words. `None` when a quote or bracket is not closed.
pub(crate) fn cut(text: &str) -> Option<Vec<CriterionWord>> {
    let bytes = text.as_bytes();
    let mut words = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at].is_ascii_whitespace() {
            at += 1;
            continue;
        }
        let end = word_end(bytes, at)?;
        words.push(word(text, at..end));
        at = end;
    }
    Some(words)
}

/// The end of the word that starts at `start`: the next space outside quotes and brackets.
fn word_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut open: Option<u8> = None;
    let mut depth = 0usize;
    let mut at = start;
    while at < bytes.len() {
        let byte = bytes[at];
        match open {
            Some(quote) if byte == quote => open = None,
            Some(b'"') if byte == b'\\' => at += 1,
            Some(_) => {}
            None => match byte {
                b'\\' => at += 1,
                b'"' | b'`' => open = Some(byte),
                // The apostrophe of "doesn't" opens nothing.
                b'\'' if at == start || !bytes[at - 1].is_ascii_alphanumeric() => open = Some(byte),
                b'(' => depth += 1,
                b')' => depth = depth.saturating_sub(1),
                _ if byte.is_ascii_whitespace() && depth == 0 => return Some(at),
                _ => {}
            },
        }
        at += 1;
    }
    (open.is_none() && depth == 0).then_some(bytes.len())
}

fn word(text: &str, span: Range<usize>) -> CriterionWord {
    let raw = text.get(span.clone()).unwrap_or_default();
    let trimmed = raw.trim_end_matches([',', ';', '.', '!']);
    let ends_part = raw.ends_with([',', ';']);
    let first = trimmed.bytes().next();
    let whole = matches!(first, Some(b'`' | b'"' | b'\''))
        && trimmed.len() >= 3
        && trimmed.bytes().next_back() == first
        && trimmed[1..trimmed.len() - 1].bytes().all(|byte| Some(byte) != first);
    let quoted = whole.then(|| span.start + 1..span.start + trimmed.len() - 1);
    CriterionWord { span, plain: trimmed.to_lowercase(), quoted, ends_part }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_keep_quotes_whole() {
        let cases: &[(&str, Option<&[&str]>)] = &[
            ("npm test passes.", Some(&["npm", "test", "passes"])),
            ("`npm test` passes", Some(&["`npm test`", "passes"])),
            ("sh -c 'a and b' passes", Some(&["sh", "-c", "'a and b'", "passes"])),
            ("it doesn't fail", Some(&["it", "doesn't", "fail"])),
            ("echo $(date +%s) passes", Some(&["echo", "$(date +%s)", "passes"])),
            ("echo \"a \\\" b\" x", Some(&["echo", "\"a \\\" b\"", "x"])),
            ("`npm test passes", None),
            ("echo (a", None),
            ("  ", Some(&[])),
        ];
        for (text, expected) in cases {
            let plain = cut(text).map(|words| words.into_iter().map(|word| word.plain).collect::<Vec<_>>());
            let expected =
                expected.map(|words| words.iter().map(|word| word.to_string()).collect::<Vec<_>>());
            assert_eq!(plain, expected, "{text}");
        }
    }
}
