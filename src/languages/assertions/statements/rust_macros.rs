//! What an asserting macro of Rust claims.

use super::put;
use crate::languages::assertions::model::{AssertionClaim, Strength::Exact};

/// `assert_eq!(a, b)`, `assert!(a == b)`, `assert!(a.is_ok())`.
pub(super) fn rust_macro(content: &str) -> Option<AssertionClaim> {
    let (name, rest) = content.split_once('!')?;
    let name = name.rsplit("::").next().unwrap_or(name).trim();
    let inside = rest.trim().trim_end_matches(';');
    let inside = inside.get(1..inside.len().checked_sub(1)?)?;
    let arguments = split(inside, ",");
    let first = arguments.first().copied().unwrap_or_default();
    match name {
        "assert_eq" | "debug_assert_eq" | "prop_assert_eq" | "assert_ne" => {
            Some(put(first, name, arguments.get(1).copied().unwrap_or_default(), false))
        }
        "assert" | "debug_assert" | "prop_assert" => {
            if split(first, "||").len() > 1 {
                return Some(put(first, "assert", "", false));
            }
            if let [left, right] = split(first, "==")[..] {
                return Some(put(left, "==", right, false));
            }
            for (sign, matcher) in
                [(" >= ", ">="), (" <= ", "<="), (" > ", ">"), (" < ", "<"), (" != ", "!=")]
            {
                if let [left, right] = split(first, sign)[..] {
                    return Some(put(left, matcher, right, false));
                }
            }
            if let Some(tokens) = first.trim().strip_prefix("matches!") {
                let inner = split(tokens.get(1..tokens.len().checked_sub(1)?)?, ",");
                return matching(inner.first()?, inner.get(1)?);
            }
            for (method, kind) in
                [(".is_ok()", "ok"), (".is_some()", "exists"), (".is_err()", "error"), (".is_none()", "ok")]
            {
                if let Some(subject) = first.trim().strip_suffix(method) {
                    return Some(put(subject, kind, "", false));
                }
            }
            Some(put(first, "assert", "", false))
        }
        "assert_matches" | "debug_assert_matches" => matching(first, arguments.get(1)?),
        _ => None,
    }
}

/// A value that fits a pattern: one without a part that is left open is the value itself.
fn matching(subject: &str, pattern: &str) -> Option<AssertionClaim> {
    let (open, guard) = match split(pattern.trim(), " if ")[..] {
        [pattern, guard] => (pattern, guard),
        _ => (pattern.trim(), ""),
    };
    // What a guard compares is as good as written in the pattern.
    let is_compared = |word: &str| {
        let parts = guard.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        guard.contains("==") && !guard.contains("||") && parts.into_iter().any(|it| it == word)
    };
    let code: String = open.split('"').step_by(2).collect();
    let mut words = code
        .split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '"' | '\'')))
        .filter(|word| word.starts_with(|c: char| c.is_lowercase() || c == '_'));
    let names_part = |word: &str| {
        code.split_once(word).is_some_and(|(_, rest)| rest.trim_start().starts_with([':', '(', '.']))
    };
    let is_open = code.contains('|')
        || code.contains("..")
        || words.any(|word| {
            !names_part(word) && !matches!(word, "true" | "false" | "ref" | "mut") && !is_compared(word)
        });
    let open = put(subject, "matches", pattern.trim(), false);
    Some(if is_open { open } else { AssertionClaim { strength: Some(Exact), ..open } })
}

/// Splits a text at a separator, outside of brackets and strings.
fn split<'t>(content: &'t str, separator: &str) -> Vec<&'t str> {
    let (mut depth, mut start, mut pieces) = (0i32, 0usize, Vec::new());
    let bytes = content.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => {
                at += 1;
                while bytes.get(at).is_some_and(|it| *it != b'"') {
                    at += 1 + usize::from(bytes.get(at) == Some(&b'\\'));
                }
            }
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            _ if depth == 0 && bytes.get(at..).is_some_and(|rest| rest.starts_with(separator.as_bytes())) => {
                pieces.extend(content.get(start..at));
                at += separator.len();
                start = at;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    pieces.extend(content.get(start..).filter(|rest| !rest.trim().is_empty()));
    pieces
}
