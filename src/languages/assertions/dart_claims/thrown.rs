//! What a matcher of Dart claims of an error that is thrown: `throwsA(isA<X>().having(…))`, `throwsArgumentError`.

use tree_sitter::Node;

use crate::languages::assertions::model::{AssertionClaim, Strength, compared};
use crate::languages::tree::text;
use Strength::{Exact, Exists, Kind, Partial};

/// Errors that every error is, and those that nearly every one is.
const ANY: &[&str] = &["", "Object", "dynamic"];
const NEARLY_ANY: &[&str] = &["Exception", "Error"];
/// `X` of `isA<X>()`.
pub(super) fn generic(text: &str) -> &str {
    text.split_once('<').and_then(|(_, rest)| rest.split_once(['>', '<'])).map_or("", |(kind, _)| kind)
}

/// `throwsA(isA<X>())`, `throwsA(equals(x))`, `throwsA(anything)`.
pub(super) fn thrown_by(matcher: Node, source: &str) -> AssertionClaim {
    let written = text(matcher, source);
    let bare = written.strip_prefix("const ").unwrap_or(written);
    if ["isA<", "TypeMatcher<", "isInstanceOf<"].iter().any(|head| bare.starts_with(head)) {
        return thrown(generic(written), written.contains(".having("));
    }
    match written {
        "anything" | "isNotNull" => thrown("", false),
        _ => match written.strip_prefix("is").filter(|it| it.chars().all(char::is_alphanumeric)) {
            Some(kind) => thrown(kind, false),
            None => compared("raise", "throws", written, Exact, false),
        },
    }
}

/// The claim that an error of a kind is thrown; one with a message says more.
pub(super) fn thrown(kind: &str, says_more: bool) -> AssertionClaim {
    let strength = match kind {
        _ if says_more => Exact,
        it if ANY.contains(&it) => Exists,
        it if NEARLY_ANY.contains(&it) => Kind,
        _ => Partial,
    };
    compared("raise", "throws", kind, strength, false)
}
