//! Assertions that compare what the code gives with what the same code gives.

use crate::detectors::testing::kept_tests::{beyond, finding, in_after, judged, written};
use crate::detectors::testing::same_subjects::{LocalSubjects, called};
use crate::detectors::{Case, Detector, Pattern, PatternProof, TestComparison};
use crate::languages::code::bare;
use crate::languages::{Assertion, Strength, Test};
use crate::model::finding::{Finding, RegressionType, Severity};

/// Both sides of an assertion from the same code.
pub(crate) static CIRCULAR: Detector = Detector {
    pattern: Pattern {
        id: "LP-023",
        name: "Circular Test Logic",
        aliases: &["Self-comparison"],
        regression_type: Some(RegressionType::AssertionWeakening),
        severity: Severity::High,
        what: "An assertion compares what the code gives with what the same code gives.",
        why: "Both sides are wrong together, so that the test can't fail.",
        instead: "An expected value that is worked out by hand, or by other code, passes.",
        proof: PatternProof::Changes,
    },
    detect: circular,
};

fn circular(case: &Case, findings: &mut Vec<Finding>) {
    for comparison in case.comparisons() {
        let found =
            judged(comparison).find_map(|(before, after)| newly_circular(comparison, before, after)).or_else(
                || judged(comparison).find_map(|(before, after)| made_circular(comparison, before, after)),
            );
        if let Some((test, line, new)) = found {
            let what = format!(
                "`{}` would compare `{}` with itself",
                in_after(comparison, new),
                written(comparison.change.after.as_deref(), new.line, &new.claim.subject)
            );
            findings.push(finding(&CIRCULAR, comparison, test, line, what));
        }
    }
}

/// What compares one thing with itself: the test, the line, and the assertion.
type Circular<'t> = (&'t Test, u32, &'t Assertion);

/// A new assertion that does so, in the place of one that did not.
fn newly_circular<'t>(
    comparison: &TestComparison,
    before: &'t Test,
    after: &'t Test,
) -> Option<Circular<'t>> {
    let lost = beyond(&before.assertions, &after.assertions);
    let mut gained = beyond(&after.assertions, &before.assertions);
    gained.retain(|new| !lost.iter().any(|old| compares_itself(old, &new.claim.subject)));
    let old = lost.iter().find(|old| !old.claim.circular && !old.trivial)?;
    // One that compared with itself before, and does so in other words, is no worse.
    let count = |all: &[&Assertion]| all.iter().filter(|it| it.claim.circular && !it.trivial).count();
    if count(&gained) > count(&lost)
        && let Some(new) = gained.iter().find(|it| it.claim.circular && !it.trivial)
    {
        return Some((before, old.line, *new));
    }
    let names = LocalSubjects::of(comparison, before, after);
    let mut others = gained.iter().filter(|new| !lost.iter().any(|old| is_restated(old, new)));
    let new = others.find(|new| lost.iter().any(|old| is_answered(&names, old, new)))?;
    Some((before, old.line, *new))
}

/// An assertion that stays, while the test gives its names to other values.
fn made_circular<'t>(comparison: &TestComparison, before: &'t Test, after: &'t Test) -> Option<Circular<'t>> {
    if before.body == after.body {
        return None;
    }
    let names = LocalSubjects::of(comparison, before, after);
    let is_circular = |old, new| is_answered(&names, old, new) || is_made_same(&names, old, new);
    let new = after.assertions.iter().find(|new| {
        let known = before.assertions.iter().find(|old| old.text == new.text);
        known.is_some_and(|old| is_circular(old, *new))
    })?;
    Some((before, before.line, new))
}

/// Whether an assertion asks a value whether it equals itself, as one about equality does: `assertTrue(a.equals(a))`.
fn compares_itself(assertion: &Assertion, name: &str) -> bool {
    let text = bare(&assertion.text);
    let asks = |call: &str| {
        text.contains(&format!("{name}{call}{name})")) || text.contains(&format!("({name}{call}{name}"))
    };
    !name.is_empty()
        && [".equals(", ".Equals(", ".eql?(", ".isEqual(", ".eq(&", "=="].iter().any(|call| asks(call))
}

/// Whether an assertion compares the same two values as one before, in whatever order.
fn is_restated(old: &Assertion, new: &Assertion) -> bool {
    // `(long) size()`: the type of a value that is turned into another one.
    let uncast = |text: &str| {
        let cast = text.strip_prefix('(').and_then(|rest| rest.split_once(')'));
        let is_type = |name: &str| !name.is_empty() && name.chars().all(char::is_alphanumeric);
        cast.filter(|(name, rest)| is_type(name) && !rest.is_empty())
            .map_or(text, |(_, rest)| rest)
            .trim()
            .to_owned()
    };
    let sides = |it: &Assertion| {
        let mut both = [uncast(&it.claim.subject), uncast(&it.claim.expected)];
        both.sort_unstable();
        both
    };
    sides(old) == sides(new)
}

/// Whether what is expected comes from the call that is under test, where it came from elsewhere before.
fn is_answered(names: &LocalSubjects, old: &Assertion, new: &Assertion) -> bool {
    let exact =
        |it: &Assertion| it.claim.strength == Some(Strength::Exact) && !it.claim.negated && !it.trivial;
    if !exact(old) || !exact(new) {
        return false;
    }
    let ((was, was_expected), (is, expected)) = (names.claimed(&old.claim), names.claims(&new.claim));
    let Some(subject) = called(&is) else { return false };
    called(&expected) == Some(subject)
        && (called(&was) == Some(subject) && called(&was_expected) != Some(subject)
            || called(&was_expected) == Some(subject) && called(&was) != Some(subject))
}

/// Whether what is asserted about is made of what is expected, and was not: `got := want`.
fn is_made_same(names: &LocalSubjects, old: &Assertion, new: &Assertion) -> bool {
    let ((was, was_expected), (is, expected)) = (names.claimed(&old.claim), names.claims(&new.claim));
    new.claim.strength == Some(Strength::Exact) && is == expected && was != was_expected && is.len() > 1
}
