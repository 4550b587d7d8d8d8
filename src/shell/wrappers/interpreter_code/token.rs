//! One token of an interpreter's source.

/// A token.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Token {
    Name(String),
    /// A literal.
    Text(Option<String>),
    /// A literal with expressions put into it, piece by piece.
    Mixed(Vec<Vec<Token>>),
    Sign(char),
}

impl Token {
    /// By how many brackets what follows stands deeper: 1, -1 or 0.
    pub(super) fn step(&self) -> isize {
        match self {
            Token::Sign('(' | '[' | '{') => 1,
            Token::Sign(')' | ']' | '}') => -1,
            _ => 0,
        }
    }
}
