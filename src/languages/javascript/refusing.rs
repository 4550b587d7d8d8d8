//! How JavaScript and TypeScript says no: words that leave with an error, and what puts a value in an error's place.

use crate::languages::code::Refusing;

pub(crate) static REFUSING: Refusing = Refusing {
    comment: "//",
    single_quotes: true,
    words: &["throw", "reject"],
    starts: &[],
    returned: &[],
    texts: &[
        "next(err",
        "next(new",
        ".catch(next",
        "process.exit(1",
        "returnerr(",
        "errAsync(",
        "Effect.fail(",
        "E.left(",
        "returnleft(",
    ],
    passing: &[".unwrap()"],
    fallbacks: &["??", "||", ".catch(()=>"],
};
