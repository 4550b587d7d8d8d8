//! How a text changed, for people.

/// How a text changed, line by line, with a line around each change.
pub(crate) fn diff(old: &str, new: &str) -> String {
    if old == new {
        return String::new();
    }
    let diff = similar::TextDiff::from_lines(old, new);
    diff.unified_diff().context_radius(1).missing_newline_hint(false).to_string()
}
