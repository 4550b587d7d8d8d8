//! One assertion in the place of another about the same thing, and how it asks for less.

use crate::detectors::TestComparison;
use crate::detectors::testing::caught_refusals::is_caught_now;
use crate::detectors::testing::kept_tests::{AssertionLoss, in_after, in_before, is_kept_elsewhere};
use crate::detectors::testing::same_subjects::{alternatives, is_loosened_call, says_all};
use crate::languages::{
    Assertion, AssertionClaim, Language, LooserBy, Strength, chance, gives_up_bound, is_close_enough,
    is_coarse, looser, measured,
};
use crate::model::finding::Severity;

/// How an assertion in the place of another about the same thing asks for less.
pub(super) fn replaced(
    comparison: &TestComparison,
    old: &Assertion,
    new: &Assertion,
) -> Option<AssertionLoss> {
    if is_kept_elsewhere(comparison, old) {
        return None;
    }
    let high = |what: String| Some((Severity::High, old.line, what));
    let (old_text, new_text) = (|| in_before(comparison, old), || in_after(comparison, new));
    if old.claim.strength.is_none() && is_loosened_call(old, new) {
        return high(format!("`{}` would take more values than `{}`", new_text(), old_text()));
    }
    let (was, is) = (old.claim.strength?, new.claim.strength?);
    // What was true or false and is compared with a text now has another type.
    if was == Strength::Kind
        && old.claim.expected.is_empty()
        && is == Strength::Exists
        && new.claim.expected.starts_with(['"', '\''])
    {
        return None;
    }
    if is < was {
        return says_less(comparison, old, new);
    }
    if only_counts(&old.claim, &new.claim) {
        return high(format!("`{}` would become `{}`, which says how many alone", old_text(), new_text()));
    }
    if let Some(found) = allows_more(comparison, old, new) {
        return Some(found);
    }
    if comparison.change.path.ends_with(".go") && has_fewer_alternatives(old, new) {
        return high(format!("`{}` would fail under fewer conditions", new_text()));
    }
    let is_turned = old.claim.negated != new.claim.negated
        && old.claim.matcher == new.claim.matcher
        && old.claim.expected == new.claim.expected;
    if is_turned { high(format!("`{}` would become its opposite", old_text())) } else { None }
}

/// Whether a claim is about how many there are, and was about what they are.
fn only_counts(old: &AssertionClaim, new: &AssertionClaim) -> bool {
    let is_number = |text: &str| text.chars().all(|c| c.is_ascii_digit());
    counts(new) && !counts(old) && old.expected.len() > 2 && !is_number(&old.expected)
}

/// Whether a claim is about how many there are.
pub(super) fn counts(it: &AssertionClaim) -> bool {
    // In lower case without `_`.
    const COUNTING: &[&str] = &[
        "haslength",
        "tohavelength",
        "havelength",
        "assertcount",
        "tohavecount",
        "havecount",
        "hassize",
        "havesize",
        "lengthof",
        "len",
        "size",
        "countis",
        "assertlength",
    ];
    let name = it.matcher.to_lowercase().replace('_', "");
    let sides = [&it.subject, &it.expected];
    COUNTING.contains(&name.as_str()) || sides.iter().any(|side| measured(side).is_some())
}

/// A claim of less strength than the one before.
fn says_less(comparison: &TestComparison, old: &Assertion, new: &Assertion) -> Option<AssertionLoss> {
    let (was, is) = (in_before(comparison, old), in_after(comparison, new));
    if is_absence(&old.claim) && is_absence(&new.claim) {
        return Some((Severity::Medium, old.line, format!("`{was}` would become its opposite")));
    }
    let is_same_truth = is_typed(&comparison.change.path) && is_truth(&old.claim, &new.claim);
    let is_near = || is_close_enough(&old.text, &new.text) && !is_coarse(&old.text, &new.text);
    let is_extended = || old.claim.matcher == new.claim.matcher && says_all(&old.claim, &new.claim);
    if is_same_truth || is_near() || is_extended() || is_caught_now(comparison, old, new) {
        return None;
    }
    Some((Severity::High, old.line, format!("`{was}` would become `{is}`, which says less")))
}

/// Whether a condition of Go's, under which a test fails, has fewer parts one of which is enough, or more that all have to hold.
fn has_fewer_alternatives(old: &Assertion, new: &Assertion) -> bool {
    let ((any, all), (any_now, all_now)) = (alternatives(&old.text), alternatives(&new.text));
    any_now < any || all_now > all && any_now == any
}

/// Whether a value of a language is true or false by its type alone, so that nothing else passes for true.
fn is_typed(path: &str) -> bool {
    use Language::{CSharp, Cpp, Dart, Go, Java, Kotlin, Rust, Scala, Swift};
    matches!(Language::of_path(path), Some(CSharp | Cpp | Dart | Go | Java | Kotlin | Rust | Scala | Swift))
}

/// Whether a value that was compared with `true` is asked for itself now.
fn is_truth(old: &AssertionClaim, new: &AssertionClaim) -> bool {
    let was = !old.negated && old.expected == "true" && old.strength == Some(Strength::Exact);
    was && !new.negated && new.strength == Some(Strength::Kind) && matches!(&*new.expected, "" | "true")
}

/// An assertion with the same matcher that takes more values: a wider tolerance, a lower bound, any value for a given one.
fn allows_more(comparison: &TestComparison, old: &Assertion, new: &Assertion) -> Option<AssertionLoss> {
    let told = |how: &str| {
        format!("`{}` would {how} than `{}`", in_after(comparison, new), in_before(comparison, old))
    };
    if is_coarse(&old.text, &new.text) {
        return Some((Severity::High, old.line, told("allow more")));
    }
    if takes_any_error(&old.claim, &new.claim) || takes_any_text(&new.text) && !takes_any_text(&old.text) {
        return Some((Severity::High, old.line, told("take more errors")));
    }
    if gives_up_bound(&old.text, &new.text) {
        return Some((Severity::High, old.line, told("allow more")));
    }
    if let Some(much) = looser(&old.text, &new.text) {
        let severity = if much == LooserBy::Much { Severity::High } else { Severity::Medium };
        return Some((severity, old.line, told("allow more")));
    }
    let ((was_open, was_said), (is_open, is_said)) = (chance(&old.text), chance(&new.text));
    let is_alike = old.claim.matcher == new.claim.matcher || old.claim.strength == new.claim.strength;
    let is_open = is_open > was_open && is_said < was_said && is_alike;
    is_open.then(|| (Severity::High, old.line, told("take more values")))
}

/// Whether an error of one kind may be of several now.
fn takes_any_error(old: &AssertionClaim, new: &AssertionClaim) -> bool {
    let several = |it: &AssertionClaim| it.expected.starts_with('(') && it.expected.contains(',');
    old.subject == "raise" && new.subject == "raise" && several(new) && !several(old)
}

/// Whether an assertion asks for a text that any text fits.
fn takes_any_text(text: &str) -> bool {
    ["\".*\"", "'.*'", "/.*/", "/.+/", "/^/", "/(?:)/"].iter().any(|it| text.contains(it))
}

/// Whether a claim is that there is something, or that there is nothing: to turn it is to say as much.
fn is_absence(claim: &AssertionClaim) -> bool {
    const WORDS: &[&str] = &["null", "nil", "none", "undefined", "empty"];
    let name = claim.matcher.to_lowercase();
    let of = |text: &str| WORDS.iter().any(|word| text.ends_with(word));
    of(&name) || of(&claim.expected.to_lowercase())
}
