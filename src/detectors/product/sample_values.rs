//! Values that only examples and tests have, in conditions.

/// Values that only examples and tests have, as they stand in a literal, in lower case.
const SAMPLES: &[&str] = &[
    "@example.",
    "@test.",
    "test@",
    "foo@bar",
    "@localhost",
    "testuser",
    "test_user",
    "test-user",
    "test123",
    "password123",
    "john doe",
    "jane doe",
    "4242424242424242",
    "4111111111111111",
];

/// What a name of a secret holds, in lower case.
const SECRETS: &[&str] = &["password", "passwd", "pwd", "secret", "token", "pass"];

/// Whether a condition holds for one sample value only, or for one pair of a name and a secret.
pub(super) fn is_for_sample(condition: &str) -> bool {
    let all: Vec<&str> = condition.split("&&").flat_map(|part| part.split(" and ")).collect();
    if !all.iter().all(|part| compares_with_text(part)) {
        return false;
    }
    let lower = condition.to_lowercase();
    let is_sample = SAMPLES.iter().any(|sample| lower.contains(sample));
    is_sample || (all.len() > 1 && SECRETS.iter().any(|word| lower.contains(word)))
}

/// `name === "text"`, of a text that is not empty.
fn compares_with_text(part: &str) -> bool {
    let text = part.trim().trim_start_matches('(').trim_end_matches(')');
    let Some((left, right)) = text.split_once("===").or_else(|| text.split_once("==")) else { return false };
    let (left, right) = (left.trim(), right.trim());
    let is_quoted = right.len() > 2 && right.starts_with(['"', '\'']) && right.ends_with(['"', '\'']);
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '$' | '?');
    is_quoted && !left.is_empty() && left.chars().all(is_name)
}
