//! How Go says no: words that leave with an error, and what puts a value in an error's place.

use crate::languages::code::Refusing;

pub(crate) static REFUSING: Refusing = Refusing {
    comment: "//",
    single_quotes: false,
    words: &["panic", "Errorf", "StatusBadRequest"],
    starts: &["Fatal", "Abort"],
    returned: &["Err"],
    texts: &["errors.", "http.Error(", "os.Exit(1"],
    passing: &[],
    fallbacks: &[],
};
