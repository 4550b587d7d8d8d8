//! Words for checking, in the names of functions and calls.

use crate::languages::code::bare;

/// First words of functions that answer whether something is so.
const ANSWERS: &[&str] = &[
    "is",
    "has",
    "can",
    "valid",
    "validate",
    "verify",
    "check",
    "authorize",
    "authorise",
    "authenticate",
    "allow",
    "allowed",
    "should",
    "matches",
    "contains",
    "exists",
    "ensure",
];

/// First words of calls that check.
pub(super) const CHECKS: &[&str] = &[
    "validate",
    "sanitize",
    "sanitise",
    "verify",
    "check",
    "ensure",
    "require",
    "authorize",
    "authenticate",
    "assert",
    "precondition",
    "throwif",
];

/// Whether the constant is the answer that all is well, of a function with such a name.
pub(crate) fn is_answer(name: &str, value: &str) -> bool {
    let value = bare(value);
    let is_true = value.eq_ignore_ascii_case("true") || value == "Ok(true)";
    let agrees = is_true || matches!(value.as_str(), "Ok(())" | "nil" | "None" | "null");
    agrees && (name.ends_with('?') || is_named(name, ANSWERS)) && (is_true || is_named(name, CHECKS))
}

/// Whether an identifier's first word is one of these: `isValid`, `is_valid`, `Validate`.
pub(super) fn is_named(name: &str, words: &[&str]) -> bool {
    let name = name.trim_start_matches(['_', '#']);
    let lower = name.to_lowercase();
    words.iter().any(|word| {
        lower.strip_prefix(word).is_some_and(|_| {
            let rest = name.get(word.len()..).unwrap_or_default();
            rest.is_empty() || rest.starts_with(|c: char| c.is_uppercase() || c == '_')
        })
    })
}

pub(super) fn short(condition: &str) -> String {
    let line = condition.split_whitespace().collect::<Vec<_>>().join(" ");
    line.char_indices().nth(60).map_or(line.clone(), |(at, _)| format!("{}...", &line[..at]))
}
