//! How C and C++ says no: words that leave with an error, and what puts a value in an error's place.

use crate::languages::code::Refusing;

pub(crate) static REFUSING: Refusing = Refusing {
    comment: "//",
    single_quotes: false,
    words: &["throw", "abort", "terminate", "unexpected"],
    starts: &["InvalidArgument"],
    returned: &[],
    texts: &[
        "return-1",
        "returnStatus::Inv",
        "Error(",
        "exit(EXIT_FAILURE",
        "exit(1",
        "return-errno",
        "return-E",
        "gotofail",
        "gotoerr",
    ],
    passing: &[".value()", ".at("],
    fallbacks: &["value_or("],
};
