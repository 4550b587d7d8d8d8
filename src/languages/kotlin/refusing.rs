//! How Kotlin says no: words that leave with an error, and what puts a value in an error's place.

use crate::languages::code::Refusing;

pub(crate) static REFUSING: Refusing = Refusing {
    comment: "//",
    single_quotes: false,
    words: &["throw", "require", "requireNotNull", "check", "checkNotNull", "error"],
    starts: &[],
    returned: &[],
    texts: &["Result.failure(", ".left()", "Either.Left(", "ensure(", "ensureNotNull(", "raise("],
    passing: &["!!", "getValue(", "getOrThrow("],
    fallbacks: &["?:", "getOrDefault(", "getOrElse(", "getOrNull(", "OrNull(", "OrNull{"],
};
