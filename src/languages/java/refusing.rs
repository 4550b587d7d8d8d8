//! How Java says no: words that leave with an error, and what puts a value in an error's place.

use crate::languages::code::Refusing;

pub(crate) static REFUSING: Refusing = Refusing {
    comment: "//",
    single_quotes: false,
    words: &["throw", "orElseThrow", "requireNonNull", "requireNonNullElseThrow"],
    starts: &["checkArgument", "checkState", "checkNotNull"],
    returned: &[],
    texts: &["Assert.", "badRequest()", "notFound()", "rejectValue("],
    passing: &[".orElseThrow("],
    fallbacks: &["getOrDefault(", ".orElse(", "requireNonNullElse(", ".orElseGet("],
};
