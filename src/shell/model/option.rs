//! Options as words: letters in a cluster, and names with their values.

use crate::shell::model::Word;

/// Whether a word is a cluster of short options with a letter: `-rf` has an `f`, `--force` has none.
pub(crate) fn has_letter(word: &str, letter: char) -> bool {
    word.strip_prefix('-').is_some_and(|letters| !letters.starts_with('-') && letters.contains(letter))
}

/// Each word behind the program as the name of an option, with the value behind its `=` or else the next word.
pub(crate) fn named_values(words: &[Word]) -> impl Iterator<Item = (&str, Option<&str>)> {
    words.iter().enumerate().skip(1).map(|(index, word)| match word.text.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (word.text.as_str(), words.get(index + 1).map(|next| next.text.as_str())),
    })
}
