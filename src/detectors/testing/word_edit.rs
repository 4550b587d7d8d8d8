//! The words in which two texts differ: names, numbers, texts in quotes and signs.

use std::collections::BTreeSet;

use crate::detectors::engine::hunks::CodeLine;
use crate::model::words::is_name_part;

/// More words than these are another text.
const LONGEST: usize = 60;
/// The words in which two texts differ, as one piece.
pub(crate) struct Edit<'t> {
    /// Where it begins in the text before.
    pub(crate) start: usize,
    /// The words that are gone.
    pub(crate) gone: Vec<&'t str>,
    /// The words that have come.
    pub(crate) come: Vec<&'t str>,
    /// Where it ends in the text before.
    pub(crate) end: usize,
}

impl<'t> Edit<'t> {
    /// The edit between two texts. `None` where it is larger than a few lines of data.
    pub(crate) fn of(old: &'t str, new: &'t str) -> Option<Self> {
        let same = old.bytes().zip(new.bytes()).take_while(|(a, b)| a == b).count();
        let most = old.len().min(new.len()) - same;
        let tail = old.bytes().rev().zip(new.bytes().rev()).take(most).take_while(|(a, b)| a == b).count();
        let mut start = same;
        while !old.is_char_boundary(start) {
            start -= 1;
        }
        // The whole words that the difference stands in.
        let line = old.get(..start)?.rfind('\n').map_or(0, |at| at + 1);
        let mut tail = tail;
        while !old.is_char_boundary(old.len() - tail) {
            tail -= 1;
        }
        let line_end = |text: &str| {
            let at = text.len() - tail;
            text.get(at..).and_then(|rest| rest.find('\n')).map_or(text.len(), |end| at + end)
        };
        let (old_words, new_words) =
            (words(old.get(line..line_end(old))?), words(new.get(line..line_end(new))?));
        if old_words.len() > LONGEST * 4 || new_words.len() > LONGEST * 4 {
            return None;
        }
        let text = |(_, word): &(usize, &'t str)| *word;
        let same = old_words.iter().zip(&new_words).take_while(|(a, b)| text(a) == text(b)).count();
        let most = old_words.len().min(new_words.len()) - same;
        let back = old_words
            .iter()
            .rev()
            .zip(new_words.iter().rev())
            .take(most)
            .take_while(|(a, b)| text(a) == text(b))
            .count();
        let cut = |all: &[(usize, &'t str)]| -> Vec<&'t str> {
            all.get(same..all.len() - back).unwrap_or_default().iter().map(text).collect()
        };
        let (gone, come) = (cut(&old_words), cut(&new_words));
        let start = line + old_words.get(same).map_or(0, |(at, _)| *at);
        let end = old_words.get(old_words.len() - back).map_or(line_end(old), |(at, _)| line + at);
        (gone.len() <= LONGEST && come.len() <= LONGEST).then_some(Edit { start, gone, come, end })
    }
}

/// Whether a word is a single sign.
pub(crate) fn is_sign(word: &str) -> bool {
    word.len() == 1 && !word.starts_with(is_name_part)
}

/// Whether a word is a value written out.
pub(crate) fn is_data(word: &str) -> bool {
    word.starts_with(['"', '\'', '`'])
        || word.len() > 1 && word.starts_with('%')
        || word.starts_with(|c: char| c.is_ascii_digit())
        || matches!(word, "true" | "false" | "null" | "nil" | "None" | "True" | "False")
}

/// Whether a word is a name.
pub(crate) fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Words, numbers, texts in quotes and signs, with where each begins.
pub(crate) fn words(text: &str) -> Vec<(usize, &str)> {
    each_word(text).collect()
}

/// The same, one after the other.
pub(crate) fn each_word(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let (start, byte) = (at, bytes.get(at)?);
            at = end_of_word(bytes, start, *byte);
            if !byte.is_ascii_whitespace()
                && let Some(word) = text.get(start..at)
            {
                return Some((start, word));
            }
        }
    })
}

/// Where the word ends that begins with `byte` at `start`.
fn end_of_word(bytes: &[u8], start: usize, byte: u8) -> usize {
    let mut at = start + 1;
    match byte {
        b'"' | b'\'' | b'`' => {
            while bytes.get(at).is_some_and(|it| *it != byte && *it != b'\n') {
                at += 1 + usize::from(bytes.get(at) == Some(&b'\\'));
            }
            (at + 1).min(bytes.len())
        }
        b'%' => end_of_percent(bytes, start).unwrap_or(at),
        _ if byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80 => {
            let is_number = byte.is_ascii_digit();
            while bytes.get(at).is_some_and(|it| {
                it.is_ascii_alphanumeric() || *it == b'_' || *it >= 0x80 || is_number && *it == b'.'
            }) {
                at += 1;
            }
            at
        }
        _ => at,
    }
}

/// Where a text of Ruby ends that begins with `%`: `%(a "b")`, `%w[a b]`. `None` for a sign that divides.
fn end_of_percent(bytes: &[u8], start: usize) -> Option<usize> {
    let before = start.checked_sub(1).and_then(|at| bytes.get(at)).copied().unwrap_or(b' ');
    let kind = usize::from(bytes.get(start + 1).is_some_and(|it| b"qQwWiI".contains(it)));
    let open = *bytes.get(start + 1 + kind)?;
    let close = match open {
        b'(' => b')',
        b'[' => b']',
        // `%{` begins a map of Elixir.
        b'{' if kind > 0 => b'}',
        _ => return None,
    };
    if !b" ([,=".contains(&before) {
        return None;
    }
    let rest = bytes.get(start + 2 + kind..)?;
    let mut depth = 1usize;
    let end = rest.iter().take_while(|byte| **byte != b'\n').position(|byte| {
        depth += usize::from(*byte == open);
        depth -= usize::from(*byte == close);
        depth == 0
    })?;
    Some(start + 3 + kind + end)
}

/// The number and the text of the line at a place.
pub(crate) fn line_at(text: &str, at: usize) -> (u32, &str) {
    let head = text.get(..at).unwrap_or_default();
    let start = head.rfind('\n').map_or(0, |at| at + 1);
    let number = u32::try_from(head.matches('\n').count() + 1).unwrap_or(0);
    (number, text.get(start..).unwrap_or_default().lines().next().unwrap_or_default())
}

/// The words and signs of a line.
pub(super) fn words_of<'a>(line: &CodeLine<'a>) -> impl Iterator<Item = &'a str> {
    each_word(line.text).map(|(_, word)| word)
}

/// What the words of some lines are made of.
pub(super) fn parts_of<'l, 'a: 'l>(lines: impl Iterator<Item = &'l CodeLine<'a>>) -> BTreeSet<String> {
    lines.flat_map(words_of).flat_map(parts).collect()
}

/// The words that a word of a line is made of: those of a text, a number without its type, a name.
pub(super) fn parts(word: &str) -> Vec<String> {
    let is_text = word.starts_with(['"', '\'', '`']);
    let all = word.split(|c: char| !(is_name_part(c) || c == '.')).filter(|it| !it.is_empty());
    let bare = |it: &str| match it.starts_with(|c: char| c.is_ascii_digit()) {
        true => it.replace('_', "").trim_end_matches(|c: char| c.is_ascii_alphabetic()).to_owned(),
        false => it.to_owned(),
    };
    all.filter(|it| is_text || it.len() > 1 || it.starts_with(|c: char| c.is_ascii_digit()))
        .map(bare)
        .collect()
}
