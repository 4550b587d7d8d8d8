//! One token of an interpreter's source.

/// A token.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum SourceToken {
    Name(String),
    /// A literal.
    Text(Option<String>),
    /// A literal with expressions put into it, piece by piece.
    Mixed(Vec<Vec<SourceToken>>),
    Sign(char),
}

impl SourceToken {
    /// By how many brackets what follows stands deeper: 1, -1 or 0.
    pub(super) fn step(&self) -> isize {
        match self {
            SourceToken::Sign('(' | '[' | '{') => 1,
            SourceToken::Sign(')' | ']' | '}') => -1,
            _ => 0,
        }
    }
}
