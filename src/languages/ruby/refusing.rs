//! How Ruby says no: words that leave with an error, and what puts a value in an error's place.

use crate::languages::code::Refusing;

pub(crate) static REFUSING: Refusing = Refusing {
    comment: "#",
    single_quotes: true,
    words: &["raise", "fail", "halt", "abort"],
    starts: &[],
    returned: &[],
    texts: &[
        "errors.add(",
        "errors.add:",
        "head:forbidden",
        "throw:abort",
        "status::forbidden",
        "status::conflict",
    ],
    passing: &["find_by!", "save!", "create!", "update!", "validate!"],
    fallbacks: &["||", ".to_i", "rescuenil", ".presence"],
};
