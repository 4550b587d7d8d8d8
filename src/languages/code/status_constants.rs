//! Statuses of HTTP that say no, as constants name them: beside a status such a word is one like any other.

/// The names.
const CONSTANT_STATUSES: &[&str] = &[
    "CONFLICT",
    "GONE",
    "LOCKED",
    "NOT_ACCEPTABLE",
    "PAYMENT_REQUIRED",
    "UNSUPPORTED_MEDIA_TYPE",
    "PAYLOAD_TOO_LARGE",
    "CONTENT_TOO_LARGE",
    "REQUEST_TIMEOUT",
    "EXPECTATION_FAILED",
    "FAILED_DEPENDENCY",
    "BAD_GATEWAY",
    "GATEWAY_TIMEOUT",
    "NOT_IMPLEMENTED",
];

/// `CONFLICT`, `HTTP_409_CONFLICT`, `StatusConflict`, `Status409Conflict`.
pub(super) fn is_status_constant(word: &str) -> bool {
    let is_failure = |rest: &str| rest.starts_with(['4', '5']);
    let is_named = |rest: &str| {
        let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit()).to_uppercase();
        CONSTANT_STATUSES.iter().any(|it| it.replace('_', "") == rest)
    };
    CONSTANT_STATUSES.contains(&word)
        || word.strip_prefix("HTTP_").is_some_and(is_failure)
        || word.strip_prefix("Status").is_some_and(|rest| is_failure(rest) || is_named(rest))
}
