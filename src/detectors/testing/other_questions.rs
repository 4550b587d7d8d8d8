//! Assertions that ask another question of the same: what comes in any order, the least of something for the most of it, each
//! item that may be there for all of them, or what the same code says for the value that was written out.

use crate::detectors::TestComparison;
use crate::detectors::testing::kept_tests::{AssertionLoss, in_after, in_before, is_kept_elsewhere};
use crate::languages::code::{bare, identifiers};
use crate::languages::{Assertion, Strength, Test};
use crate::model::finding::Severity;

/// Parts of matchers that take any order.
const ANY_ORDER: &[&str] = &[
    "InAnyOrder",
    "inAnyOrder",
    "match_array",
    "contain_exactly",
    "assertCountEqual",
    "assertItemsEqual",
    "ElementsMatch",
    "UnorderedElementsAre",
    "AreEquivalent",
    "EquivalentTo",
    "ameMembers",
    "arrayContainingExactly",
    "assertEqualsCanonicalizing",
    "IgnoringOrder",
    "ignoringOrder",
    "theSameElementsAs",
];
/// What gives up the order, and the number of times, around a value; then behind one.
const SETS: &[&str] = &["Set(", "set(", "newSet(", "newHashSet<>(", "HashSet(", "frozenset(", "MapSet.new("];
const TO_SETS: &[&str] = &[".toSet()", ".to_set", ".toSet", ".ToHashSet()", ".Distinct()", ".distinct()"];
/// Words of titles that are about the number of times.
const ONCE: &[&str] = &["duplicate", "uniq", "dedup", "distinct", "once", "twice"];
/// Words before `order` that make it a sequence, where it is not the last word.
const IN_ORDER: &[&str] = &["in", "keeps", "keep", "preserves", "same", "stable"];
/// Names of a bound, and of what is further in.
const EXTREMES: &[(&str, &[&str])] = &[
    ("max", &["min", "mean", "avg", "median"]),
    ("p99", &["p50", "p90", "min", "mean"]),
    ("worst", &["best"]),
    ("longest", &["shortest"]),
    ("highest", &["lowest"]),
    ("largest", &["smallest"]),
    ("slowest", &["fastest"]),
];

/// How one of the new assertions asks another question than an old one.
pub(super) fn asked_otherwise(
    comparison: &TestComparison,
    old: &Assertion,
    all: &[&Assertion],
) -> Option<AssertionLoss> {
    if old.claim.negated || old.trivial || old.claim.subject.len() < 2 || is_kept_elsewhere(comparison, old) {
        return None;
    }
    all.iter().filter(|it| !it.claim.negated).find_map(|new| {
        let (severity, how) = any_order(comparison, old, new)
            .or_else(|| by_itself(old, new))
            .or_else(|| further_in(old, new))?;
        let (was, is) = (in_before(comparison, old), in_after(comparison, new));
        Some((severity, old.line, format!("`{was}` would become `{is}`, which {how}")))
    })
}

/// An order, or a number of times, that is not asked for any more.
fn any_order(
    comparison: &TestComparison,
    old: &Assertion,
    new: &Assertion,
) -> Option<(Severity, &'static str)> {
    if old.claim.strength != Some(Strength::Exact) || !old.claim.expected.contains(',') {
        return None;
    }
    let (was, is) = (old.claim.subject.as_str(), new.claim.subject.as_str());
    let loses = |text: &str| ANY_ORDER.iter().any(|word| text.contains(word));
    let is_set = SETS.iter().any(|set| *is == format!("{set}{was})"))
        || TO_SETS.iter().any(|end| *is == format!("{was}{end}"));
    let loses_now = was == is && loses(&new.text) && !loses(&old.text);
    if !is_set && !loses_now {
        return None;
    }
    // A part of them is asked for as well.
    if is_set && new.claim.strength < Some(Strength::Exact) {
        return Some((Severity::High, "takes any order and other items"));
    }
    let of_old = |test: &&Test| test.assertions.iter().any(|it| it.line == old.line && it.text == old.text);
    let title = comparison.before.tests.iter().find(of_old).map(|test| title_words(&test.title))?;
    let is_sequence = title.iter().enumerate().any(|(at, word)| {
        let before = at.checked_sub(1).and_then(|at| title.get(at));
        word == "order" && (at + 1 == title.len() || before.is_some_and(|it| IN_ORDER.contains(&it.as_str())))
            || matches!(word.as_str(), "sorted" | "sorts" | "ordered" | "sequence")
    });
    let is_once = is_set && title.iter().any(|word| ONCE.iter().any(|it| word.starts_with(it)));
    let severity = if is_sequence || is_once { Severity::High } else { Severity::Medium };
    Some((severity, if is_set { "takes any order and any number of times" } else { "takes any order" }))
}

/// The words of a title, in lower case.
fn title_words(title: &str) -> Vec<String> {
    let mut spaced = String::new();
    for c in title.chars() {
        if c.is_uppercase() {
            spaced.push(' ');
        }
        spaced.extend(c.to_lowercase());
    }
    spaced.split(|c: char| !c.is_alphanumeric()).filter(|it| !it.is_empty()).map(str::to_owned).collect()
}

/// A value that was written out, and is worked out by the very function that the assertion is about.
fn by_itself(old: &Assertion, new: &Assertion) -> Option<(Severity, &'static str)> {
    let is_exact = |it: &Assertion| it.claim.strength == Some(Strength::Exact);
    let is_written = old
        .claim
        .expected
        .starts_with(|c: char| c.is_ascii_digit() || matches!(c, '"' | '\'' | '[' | '{' | '-'));
    let (name, given) = new.claim.subject.split_once('(')?;
    let (other, gives) = new.claim.expected.split_once('(')?;
    let is_name = name.len() > 2 && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | ':'));
    let shares = || identifiers(given).any(|word| word.len() > 1 && identifiers(gives).any(|it| it == word));
    let is_same = is_name && name == other && old.claim.subject == new.claim.subject;
    (is_exact(old) && is_exact(new) && is_written && is_same && shares())
        .then_some((Severity::High, "compares it with what the same code gives"))
}

/// A bound of the most that became one of less: `min <= 10` for `max <= 10`.
fn further_in(old: &Assertion, new: &Assertion) -> Option<(Severity, &'static str)> {
    let matcher = old.claim.matcher.to_lowercase();
    let is_most = ["_le", "_lt"].iter().any(|end| matcher.ends_with(end))
        || ["less", "below", "atmost", "at_most", "<"].iter().any(|word| matcher.contains(word));
    let is_alike = old.claim.matcher == new.claim.matcher && old.claim.expected == new.claim.expected;
    let (was, is) = (old.claim.subject.to_lowercase(), new.claim.subject.to_lowercase());
    let is_less = || {
        EXTREMES
            .iter()
            .any(|(most, less)| less.iter().any(|it| was.contains(most) && was.replacen(most, it, 1) == is))
    };
    (is_most && is_alike && is_less())
        .then_some((Severity::High, "asks about a smaller value than the largest"))
}

/// A claim about all of something, in whose place each item that a loop comes to is one of several: nothing fails where none is
/// there, and none that is missing is missed.
pub(super) fn one_by_one(
    comparison: &TestComparison,
    after: &Test,
    gone: &[&Assertion],
    new: &[&Assertion],
) -> Option<AssertionLoss> {
    let text = after.text_in(comparison.change.after.as_deref());
    let heads: Vec<String> =
        text.lines().filter(|line| line.trim_start().starts_with("for")).map(bare).collect();
    gone.iter().filter(|old| old.claim.strength == Some(Strength::Exact) && !old.claim.negated).find_map(
        |old| {
            let whole = old.claim.subject.as_str();
            let is_asked = |it: &&&Assertion| it.claim.subject.contains(whole) && !it.trivial;
            let in_loop = |new: &&&Assertion| {
                let item = new.claim.subject.as_str();
                let of = [format!("{item}in{whole}"), format!("{item}of{whole}"), format!("{item}:{whole}")];
                new.claim.strength <= Some(Strength::Partial)
                    && item.len() > 1
                    && heads.iter().any(|head| of.iter().any(|it| head.contains(it)))
            };
            let is_plain = whole.len() > 1 && whole.chars().all(|c| c.is_alphanumeric() || c == '_');
            let found =
                new.iter().find(in_loop).filter(|_| is_plain && !new.iter().any(|it| is_asked(&it)))?;
            let (was, is) = (in_before(comparison, old), in_after(comparison, found));
            Some((
                Severity::High,
                old.line,
                format!("`{was}` would become `{is}` for each item that is there, which asks less"),
            ))
        },
    )
}
