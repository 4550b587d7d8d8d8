//! How PHP says no: words that leave with an error, and what puts a value in an error's place.

use crate::languages::code::Refusing;

pub(crate) static REFUSING: Refusing = Refusing {
    comment: "//",
    single_quotes: true,
    words: &["throw", "abort", "abort_if", "abort_unless", "exit", "die"],
    starts: &[],
    returned: &[],
    texts: &["withErrors(", "addError("],
    passing: &["firstOrFail(", "findOrFail("],
    fallbacks: &["??", "?:"],
};
