//! How Dart says no: words that leave with an error, and what puts a value in an error's place.

use crate::languages::code::Refusing;

pub(crate) static REFUSING: Refusing = Refusing {
    comment: "//",
    single_quotes: true,
    words: &["throw", "rethrow", "throwWithStackTrace", "checkNotNull", "checkValidRange"],
    starts: &[],
    returned: &[],
    texts: &[
        "Future.error(",
        "Stream.error(",
        ".completeError(",
        ".addError(",
        "Result.error(",
        "Result.failure(",
        "returnLeft(",
        "returnleft(",
        "returnconstLeft(",
        "=>Left(",
        "=>left(",
        "returnErr(",
        "=>Err(",
        "returnFailure(",
        "=>Failure(",
        "exit(",
        "RangeError.check",
    ],
    // Of a lookup or a call: that a field is there is often only not known to the compiler.
    passing: &["]!.", "]!;", "]!)", "]!,", ")!.", ")!;", ")!)", ")!,", ".requireValue", ".getOrThrow("],
    fallbacks: &[
        "??",
        "tryParse(",
        ".catchError(",
        ".onError(",
        "orElse:",
        "OrNull",
        ".getOrElse(",
        ".ignore()",
    ],
};
