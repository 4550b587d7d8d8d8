//! How Swift says no: words that leave with an error, and what puts a value in an error's place.

use crate::languages::code::Refusing;

pub(crate) static REFUSING: Refusing = Refusing {
    comment: "//",
    single_quotes: false,
    words: &["throw", "fatalError", "precondition", "preconditionFailure", "assertionFailure"],
    starts: &[],
    returned: &[],
    texts: &[".failure(", ".cancelAuthenticationChallenge", ".rejectProtectionSpace"],
    passing: &["try", "try!"],
    fallbacks: &["??", "try?"],
};
