//! Tolerances by how they are written: under a name, or left to the library.

use crate::languages::assertions::links::{arguments as split, parted};
use crate::languages::assertions::model::{AssertionClaim, Strength};

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

/// How the distance of two numbers is asked for.
const DISTANCES: &[&str] =
    &["abs(", "Math.abs(", "math.Abs(", "math.fabs(", "fabs(", "std::abs(", "std::fabs(", "Swift.abs("];
/// A tolerance up to this is for rounding alone.
const ROUNDING: f64 = 1e-4;

/// What a claim says that two numbers are hardly apart: `abs(f(1) - 2.5) < 1e-9` says that `f(1)` is `2.5`, and with a
/// larger tolerance that it is about that.
pub(super) fn near(claim: &AssertionClaim) -> Option<AssertionClaim> {
    if let Some(close) = close(claim) {
        return Some(close);
    }
    let (distance, tolerance) = match claim.matcher.as_str() {
        "<" | "<=" => (claim.subject.as_str(), claim.expected.as_str()),
        _ => {
            claim.subject.split_once('<').filter(|_| claim.expected.is_empty() || claim.expected == "true")?
        }
    };
    let inside = DISTANCES.iter().find_map(|head| distance.strip_prefix(head)?.strip_suffix(')'));
    let inside = inside.or_else(|| distance.strip_suffix(").abs()")?.strip_prefix('('))?;
    let tolerance: f64 = tolerance.trim_start_matches('=').trim_end_matches(['f', 'F', 'd']).parse().ok()?;
    let is_exact = tolerance > 0.0 && tolerance <= ROUNDING;
    let (subject, expected) =
        ["-", "+"].iter().find_map(|sign| parted(inside, sign)).unwrap_or((inside, "0"));
    let matcher = if is_exact { "==" } else { "<" }.to_owned();
    let strength = Some(if is_exact { Strength::Exact } else { Strength::Partial });
    let (subject, expected) = (subject.to_owned(), expected.to_owned());
    Some(AssertionClaim { subject, matcher, expected, strength, ..AssertionClaim::default() })
}

/// `math.isclose(f(1), 2.5, rel_tol=0, abs_tol=1e-3)`, with what the library takes where no tolerance is given.
fn close(claim: &AssertionClaim) -> Option<AssertionClaim> {
    const CLOSE: f64 = 1e-3;
    let inside = claim.subject.strip_prefix("math.isclose(")?.strip_suffix(')')?;
    let all = split(inside);
    let [subject, expected, rest @ ..] = all.as_slice() else { return None };
    let tolerances = rest.iter().filter_map(|it| it.split_once("_tol=")?.1.parse::<f64>().ok());
    let is_exact = tolerances.fold(0.0, f64::max) <= CLOSE;
    let strength = Some(if is_exact { Strength::Exact } else { Strength::Partial });
    let (subject, expected) = ((*subject).to_owned(), (*expected).to_owned());
    Some(AssertionClaim {
        subject,
        matcher: "isclose".to_owned(),
        expected,
        strength,
        ..AssertionClaim::default()
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
