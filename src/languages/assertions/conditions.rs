//! What an assertion claims that is a condition: `assert a == b`, `assert {:ok, _} = run()`.

use crate::languages::assertions::links::parted;
use crate::languages::assertions::model::{AssertionClaim, Strength, compared};
use crate::languages::assertions::refinement::ONE_OF;
use Strength::{Exact, Exists, Kind, Partial};

/// `a == b`, `a != nil`, `not is_nil(a)`, `a`.
pub(super) fn condition(text: &str) -> Option<AssertionClaim> {
    // A claim may go on in the next line.
    let joined = text.lines().map(str::trim).collect::<Vec<_>>().join(" ");
    let text = joined.trim();
    if let Some(found) = pattern(text) {
        return Some(found);
    }
    if ["||", " or "].iter().any(|word| parted(text, word).is_some()) {
        return Some(compared(&text.replace(" or ", "||"), "true", "", Kind, false));
    }
    if let Some((left, right)) = parted(text, " in ").filter(|(_, right)| right.trim_start().starts_with('['))
    {
        return Some(compared(left, ONE_OF, right, Partial, false));
    }
    for (operator, strength) in [
        ("===", Exact),
        ("==", Exact),
        ("!==", Exists),
        ("!=", Exists),
        ("=~", Partial),
        (">=", Partial),
        ("<=", Partial),
        (" > ", Partial),
        (" < ", Partial),
        (" in ", Partial),
    ] {
        let Some((left, right)) = parted(text, operator) else { continue };
        let (subject, expected) = if is_literal(left) { (right, left) } else { (left, right) };
        return Some(compared(subject, operator.trim(), expected, strength, false));
    }
    let bare = text.strip_prefix("not ").or_else(|| text.strip_prefix('!')).unwrap_or(text).trim();
    let bare = bare.strip_prefix('(').and_then(|it| it.strip_suffix(')')).unwrap_or(bare);
    let absence = bare.strip_prefix("is_nil(").or_else(|| bare.strip_prefix("is_null("));
    if let Some(subject) = absence.and_then(|it| it.strip_suffix(')')) {
        return Some(compared(subject, "notnull", "", if bare == text { Exact } else { Exists }, false));
    }
    Some(compared(text, "true", "", Kind, false))
}

/// Whether a value is written out.
pub(super) fn is_literal(text: &str) -> bool {
    let text = text.trim();
    text.starts_with(['"', '\'', ':', '@']) && !text.starts_with("::")
        || text.starts_with(|c: char| c.is_ascii_digit() || c == '-')
        || matches!(text, "true" | "false" | "nil" | "null" | "nullptr")
}

/// `{:error, _} = run(1)`: a value that fits a pattern, in Elixir.
fn pattern(text: &str) -> Option<AssertionClaim> {
    let (left, right) =
        parted(text, " = ").filter(|(left, _)| left.starts_with(['{', '%', '[', ':', '"']))?;
    let bytes = left.as_bytes();
    let is_word =
        |at: usize| bytes.get(at).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_' || *b == b'?');
    let blanks = left.match_indices('_').filter(|(at, _)| !at.checked_sub(1).is_some_and(is_word)).count();
    let says = left.contains([':', '"', '%']) || left.contains(|c: char| c.is_ascii_digit());
    // `%Order{}` fits whatever the order says.
    let is_bare_struct = left.starts_with('%') && left.trim_end().ends_with("{}");
    let strength = match (blanks, says) {
        _ if is_bare_struct => Kind,
        (0, _) => Exact,
        (_, true) => Partial,
        (_, false) => Exists,
    };
    Some(compared(right, "=", left, strength, false))
}
