//! What an assertion claims: about what, how exactly, and against which value.
//!
//! Values only: the readers of the languages fill them. What they don't understand claims nothing, and is never called
//! weaker.

/// What an assertion claims.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AssertionClaim {
    /// What it is about, without white space.
    pub subject: String,
    /// The matcher's name: `toBe`, `assertEqual`, `==`.
    pub matcher: String,
    /// What it is compared with, without white space.
    pub expected: String,
    /// How much it says; `None` when the matcher isn't known.
    pub strength: Option<Strength>,
    /// Whether it claims the opposite.
    pub negated: bool,
    /// Whether both sides are the same code, so that it always holds.
    pub circular: bool,
}

/// How much an assertion says, the least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strength {
    /// It holds whatever the value is.
    Nothing,
    /// Something is there, or something was called.
    Exists,
    /// A value is true or false, empty, or of a type.
    Kind,
    /// A value is part of another, or within bounds.
    Partial,
    /// The value is this one.
    Exact,
}

/// A text without white space, as far as a claim keeps it.
pub(super) fn bare(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).take(400).collect()
}

/// A claim whose strength is known.
pub(crate) fn compared(
    subject: &str,
    matcher: &str,
    expected: &str,
    strength: Strength,
    negated: bool,
) -> AssertionClaim {
    AssertionClaim {
        subject: bare(subject),
        matcher: matcher.to_owned(),
        expected: bare(expected),
        strength: Some(strength),
        negated,
        circular: false,
    }
}
