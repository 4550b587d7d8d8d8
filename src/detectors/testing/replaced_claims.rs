//! Exact claims of a test that went at once, with nothing but looser ones about the same things in their place:
//! `assert rows == [7, 3]` that became `assert answer is not None`.
//!
//! Claims about the very same value are paired elsewhere. Here it is enough that a new one names what an old one named.

use std::collections::BTreeSet;

use crate::detectors::TestComparison;
use crate::detectors::engine::code_lines::{QUOTES, quoted};
use crate::detectors::testing::assertion_weakening::{implied, is_delegated};
use crate::detectors::testing::kept_tests::{AssertionLoss, in_after, in_before, is_kept_elsewhere};
use crate::detectors::testing::same_subjects::LocalSubjects;
use crate::detectors::testing::weaker_assertion::counts;
use crate::languages::code::identifiers;
use crate::languages::{Assertion, Strength, Test, chance};
use crate::model::finding::Severity;

/// Parts of matchers that only bound a value, in lower case without `_`.
const BOUNDS: &[&str] =
    &["less", "greater", "atmost", "atleast", "above", "below", "lte", "gte", "between", "inrange", "within"];
/// The same as whole names.
const BOUND_NAMES: &[&str] =
    &["<", ">", "<=", ">=", "lt", "gt", "le", "ge", "expectlt", "expectgt", "expectle"];
/// Words of claims that name nothing that is tested.
const FRAME: &[&str] = &[
    "assert", "expect", "is", "not", "be", "to", "eq", "self", "this", "true", "false", "null", "nil",
    "none", "len", "length", "count", "size", "Assert", "that", "abs", "in", "for", "of",
];

/// The first exact claim that a looser one took the place of.
pub(super) fn looser_only(
    comparison: &TestComparison,
    names: &LocalSubjects,
    (before, after): (&Test, &Test),
    gone: &[&Assertion],
    left: &[&Assertion],
) -> Option<AssertionLoss> {
    let is_rewritten = before.name != after.name
        || is_delegated(comparison, before, after)
        || implied(after) > implied(before)
        || after.looped && !before.looped;
    // How many there are, where it was said what they are.
    let only_counts = |it: &&&Assertion| counts(&it.claim) && !gone.iter().any(|old| counts(&old.claim));
    let is_less = |it: &&Assertion| is_loose(it) || only_counts(&it);
    if is_rewritten || left.is_empty() || left.len() > gone.len() || !left.iter().all(is_less) {
        return None;
    }
    let mut exact = gone.iter().filter(|old| is_exact(old) && !is_kept_elsewhere(comparison, old));
    let (old, new) = exact.find_map(|old| {
        let named = named_by(&old.text, &names.claimed(&old.claim).0);
        let text = before.text_in(comparison.change.before.as_deref());
        let new = left.iter().filter(|new| !has_a_text_of(old, new)).find(|new| {
            let words = named_by(&new.claim.subject, &names.claims(&new.claim).0);
            words.iter().any(|word| named.contains(word))
                || is_filled_beside(text, &named, &new.claim.subject)
        })?;
        Some((*old, *new))
    })?;
    let (was, is) = (in_before(comparison, old), in_after(comparison, new));
    Some((Severity::High, old.line, format!("`{was}` would become `{is}`, which asks less")))
}

/// Whether a claim names a text that the claim before expected: then it says as much in another way.
fn has_a_text_of(old: &Assertion, new: &Assertion) -> bool {
    let mut texts = quoted(&old.claim.expected, QUOTES);
    texts.any(|text| text.len() > 3 && new.text.contains(text) && !old.claim.subject.contains(text))
}

/// Whether one call of a test fills what an old claim named and what a new one is about: `pop(&ring, out, &length)`.
fn is_filled_beside(test: &str, named: &BTreeSet<String>, subject: &str) -> bool {
    let about = identifiers(subject).next().filter(|word| word.len() > 1);
    let fills =
        |line: &str, name: &str| line.contains(&format!("&{name})")) || line.contains(&format!("&{name},"));
    about.is_some_and(|name| {
        let mut lines = test.lines().filter(|line| fills(line, name));
        lines.any(|line| identifiers(line).any(|word| named.contains(word)))
    })
}

/// The names in a claim, as written and with the test's own names resolved.
fn named_by(written: &str, resolved: &str) -> BTreeSet<String> {
    let all = identifiers(written).chain(identifiers(resolved));
    all.filter(|word| word.len() > 1 && !FRAME.contains(word)).map(str::to_owned).collect()
}

/// Whether a claim takes one value alone, or values as near to it as rounding.
fn is_exact(claim: &Assertion) -> bool {
    let it = &claim.claim;
    let is_near = || is_tolerant(&claim.text) && is_bound(&it.matcher);
    // `have_http_status(:accepted)`, `have_attributes(kind: "paid")`.
    let is_unread = || it.strength.is_none() && (chance(&claim.text).1 > 0 || claim.text.contains("(:"));
    !claim.trivial
        && !it.negated
        && it.subject != "raise"
        && (it.strength == Some(Strength::Exact) && !it.expected.is_empty() || is_near() || is_unread())
}

/// Whether a claim holds for most values: that one is there, of which kind it is, or a bound on one side.
fn is_loose(claim: &Assertion) -> bool {
    let it = &claim.claim;
    let is_wide =
        it.strength == Some(Strength::Partial) && is_bound(&it.matcher) && !is_tolerant(&claim.text);
    let is_bound_by_value = ["<", ">"].iter().any(|sign| it.expected.starts_with(sign));
    !claim.swallowed
        && !it.negated
        && it.subject != "raise"
        && (it.strength.is_some_and(|is| is <= Strength::Kind) && !is_question(it.subject.as_str())
            || is_wide
            || it.strength == Some(Strength::Partial) && is_bound_by_value)
}

/// Whether a condition compares values or asks something that its words say: it may say as much as before.
fn is_question(subject: &str) -> bool {
    subject.contains("==") || subject.contains("quals(") || subject.contains("&&")
}

fn is_bound(matcher: &str) -> bool {
    let name = matcher.to_lowercase().replace('_', "");
    BOUND_NAMES.contains(&name.as_str()) || BOUNDS.iter().any(|word| name.contains(word))
}

/// Whether a claim is about a distance: `(a - 3.0).abs() < 1e-9`.
fn is_tolerant(text: &str) -> bool {
    let lower = text.to_lowercase();
    lower.contains("abs(") && lower.contains('-')
}
