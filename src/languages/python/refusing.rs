//! How Python says no: words that leave with an error, and what puts a value in an error's place.

use crate::languages::code::Refusing;

pub(crate) static REFUSING: Refusing = Refusing {
    comment: "#",
    single_quotes: true,
    words: &["raise", "abort"],
    starts: &["HttpResponseForbidden", "HttpResponseBadRequest"],
    returned: &[],
    texts: &["sys.exit(", "add_error(", "raise_for_status(", ".parse_args("],
    passing: &["raise_for_status("],
    fallbacks: &[
        ".get(", "orelse", "or''", "getattr(", "or\"\"", "or0", "or[]", "or{}", "else0", "elseNone",
        "else''", "else\"\"",
    ],
};
