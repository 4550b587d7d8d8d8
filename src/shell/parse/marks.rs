//! One character of a word under way, with how it was written, because that alone decides whether the shell acts on it.

use crate::shell::model::{PATTERN_SIGNS, UNKNOWN, UNSEEN};

/// One character of a word under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WordChar {
    /// Written bare: the shell may act on it.
    Plain(char),
    /// Quoted or escaped: only itself.
    Quoted(char),
    /// Part of a pattern that was expanded before (the value of a loop's variable), in quotes too.
    Pattern(char),
    /// Printed by `$(echo …)` or `$(printf …)`, as far as that can be reckoned.
    Printed(char),
    /// A tilde of a value that is expanded bare: the shell leaves it as it is.
    Tilde,
    /// A blank that separates fields.
    Split,
    /// No letter: of what the word names only some is meant, chosen by a test that can't be made here.
    Some,
    /// Something that isn't known.
    Unknown,
    /// Something that comes from the network or out of an encoding.
    Unseen,
}

impl WordChar {
    /// The mark of a private character; `None` for any other.
    pub(crate) fn private(character: char) -> Option<WordChar> {
        match character {
            UNKNOWN => Some(WordChar::Unknown),
            UNSEEN => Some(WordChar::Unseen),
            _ => PATTERN_SIGNS
                .iter()
                .find(|(private, _)| *private == character)
                .map(|it| WordChar::Pattern(it.1)),
        }
    }
}

/// A word under way.
pub(crate) type WordChars = Vec<WordChar>;
