//! How Rust says no: words that leave with an error, and what puts a value in an error's place.

use crate::languages::code::Refusing;

pub(crate) static REFUSING: Refusing = Refusing {
    comment: "//",
    single_quotes: false,
    words: &["Err", "bail", "ensure", "panic", "ok_or", "ok_or_else", "assert", "assert_eq", "unreachable"],
    starts: &[],
    returned: &[],
    texts: &[],
    passing: &["?;", "?)", "?.", "?,", "?{", ".expect(", ".unwrap()"],
    fallbacks: &["unwrap_or", ".ok()", ".filter_map(", ".flatten()", "else{continue", "elsecontinue"],
};
