//! How C# says no: words that leave with an error, and what puts a value in an error's place.

use crate::languages::code::Refusing;

pub(crate) static REFUSING: Refusing = Refusing {
    comment: "//",
    single_quotes: false,
    words: &["throw", "Conflict", "Forbid", "ValidationProblem", "AddModelError", "Problem"],
    starts: &["ThrowIf"],
    returned: &[],
    texts: &["Result.Fail", "Results.Problem"],
    passing: &[".First(", ".Single("],
    fallbacks: &["??", "GetValueOrDefault(", "OrDefault("],
};
