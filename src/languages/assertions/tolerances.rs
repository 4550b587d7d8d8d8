//! Tolerances by how they are written: under a name, or left to the library.

/// How a tolerance is given by its name.
const NAMED: &[&str] = &["abs=", "rel=", "tol=", "delta=", "accuracy:", "epsilon=", "margin="];

/// Whether a number is given as the tolerance in a text in lower case.
pub(super) fn is_named(lower: &str, number: &str) -> bool {
    NAMED.iter().any(|name| lower.contains(&format!("{name}{number}")))
}

/// Whether a comparison leaves its tolerance to what the library takes for rounding: one in a million, or less.
pub(super) fn has_default_tolerance(text: &str) -> bool {
    // With how many arguments a tolerance is among them.
    const TINY: &[(&str, usize)] = &[("pytest.approx(", 2), ("=approx(", 2), ("math.isclose(", 3)];
    TINY.iter().any(|(call, least)| {
        let inside = text.split_once(call).map(|(_, rest)| rest);
        inside.is_some_and(|rest| arguments(rest) < *least)
    })
}

/// How many arguments stand before the bracket that closes a call.
fn arguments(inside: &str) -> usize {
    let (mut depth, mut count) = (0i32, 1);
    for c in inside.chars() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => break,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => count += 1,
            _ => {}
        }
    }
    count
}
