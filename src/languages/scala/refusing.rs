//! How Scala says no: words that leave with an error, and what puts a value in an error's place.

use crate::languages::code::Refusing;

pub(crate) static REFUSING: Refusing = Refusing {
    comment: "//",
    single_quotes: false,
    words: &["throw", "require", "requireNonNull", "raiseError"],
    starts: &[],
    returned: &[],
    texts: &[
        "Left(",
        "Failure(",
        ".asLeft",
        ".invalid",
        "Future.failed(",
        "ZIO.fail(",
        "IO.raiseError(",
        "sys.error(",
        "sys.exit(",
        "Validated.Invalid(",
        "Invalid(",
        "Either.cond(",
        "Validated.cond(",
        ".toRight(",
        ".filterOrElse(",
        ".ensure(",
        ".ensureOr(",
    ],
    passing: &[".flatMap(", ".toTry.get", ".fold(throw_", ".getOrElse(throw", ".rethrow", ".orDie"],
    fallbacks: &[
        ".getOrElse(",
        ".orElse(",
        ".toOption",
        ".recover{",
        ".recover(",
        ".recoverWith",
        ".handleError",
    ],
};
