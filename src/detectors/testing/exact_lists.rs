//! Claims about how many there are that became claims about all of it: `toHaveLength(1)` and `toEqual([{ id: 3 }])`.
//!
//! They say more than before where the list has as many items as were counted, or where nobody can count them.

use crate::detectors::TestComparison;
use crate::detectors::engine::code_lines::closing;
use crate::detectors::engine::hunks::{CodeLine, TextHunk};
use crate::detectors::testing::kept_tests::beyond;
use crate::detectors::testing::row_pieces::split;
use crate::detectors::testing::same_subjects::LocalSubjects;
use crate::detectors::testing::weaker_assertion::counts;
use crate::languages::code::bare;
use crate::languages::{Assertion, Strength, Test, measured};

/// How calls end whose arguments are the items of a list.
const MAKERS: &[&str] = &["Of", ".of", "asList", "Array", "List", "Set"];
/// What asks for a part of a list.
const PARTS: &[&str] = &["first", "last", "at(", "get(", "single", "head", "take", "slice", "find", "pop"];

/// The places of a file's tests, without the lines of claims that only counted and say now what was counted.
pub(super) fn without_exact_lists<'a>(
    comparison: &TestComparison,
    all: &[TextHunk<'a>],
) -> Vec<TextHunk<'a>> {
    let kept = comparison.kept().filter(|(before, _)| !before.suite);
    let pairs: Vec<(&Assertion, &Assertion)> =
        kept.flat_map(|(before, after)| exact_lists(comparison, before, after)).collect();
    if pairs.is_empty() {
        return all.to_vec();
    }
    let is_of = |line: &CodeLine, claim: &Assertion| {
        let text = bare(line.text);
        line.number >= claim.line && claim.text.contains(text.trim_end_matches([';', ',']))
    };
    let mut rest = all.to_vec();
    for hunk in &mut rest {
        hunk.gone.retain(|line| !pairs.iter().any(|(old, _)| is_of(line, old)));
        hunk.come.retain(|line| !pairs.iter().any(|(_, new)| is_of(line, new)));
    }
    rest.retain(|it| !it.gone.is_empty() || !it.come.is_empty());
    rest
}

/// The claims of a test that only counted, each with the one that says now what was counted.
fn exact_lists<'t>(
    comparison: &TestComparison,
    before: &'t Test,
    after: &'t Test,
) -> Vec<(&'t Assertion, &'t Assertion)> {
    let lost = beyond(&before.assertions, &after.assertions);
    let counting: Vec<&Assertion> = lost.into_iter().filter(|it| counts_all(it)).collect();
    if counting.is_empty() {
        return Vec::new();
    }
    let gained = beyond(&after.assertions, &before.assertions);
    let names = LocalSubjects::of(comparison, before, after);
    let pair = |old: &'t Assertion| {
        let new = gained.iter().find(|new| is_listed(&names, old, new))?;
        Some((old, *new))
    };
    counting.into_iter().filter_map(pair).collect()
}

fn counts_all(it: &Assertion) -> bool {
    !it.claim.negated && !it.trivial && counts(&it.claim)
}

/// Whether a claim has all items of what another only counted.
fn is_listed(names: &LocalSubjects, old: &Assertion, new: &Assertion) -> bool {
    let is_exact = new.claim.strength == Some(Strength::Exact) && !new.claim.negated;
    if !is_exact || new.trivial || new.swallowed || new.conditional && !old.conditional || counts(&new.claim)
    {
        return false;
    }
    let ((was, was_expected), (is, is_expected)) = (names.claimed(&old.claim), names.claims(&new.claim));
    let Some((counted, number)) = counted(&was, &was_expected) else { return false };
    let expected = match () {
        () if is_whole(&is, counted) => &is_expected,
        () if is_whole(&is_expected, counted) => &is,
        () => return false,
    };
    items(expected).is_none_or(|items| items == number)
}

/// What is counted, and how many there are.
fn counted<'c>(subject: &'c str, expected: &'c str) -> Option<(&'c str, usize)> {
    let number = |text: &str| {
        let digits = text.trim_end_matches(['u', 'U', 'l', 'L', 'z']).trim_end_matches("usize");
        digits.parse::<usize>().ok()
    };
    if let Some(number) = number(expected) {
        return Some((measured(subject).unwrap_or(subject), number));
    }
    Some((measured(expected)?, number(subject)?))
}

/// Whether a subject is all of what was counted, or what is worked out of each of its items.
fn is_whole(subject: &str, counted: &str) -> bool {
    let rest = subject.find(counted).and_then(|at| subject.get(at + counted.len()..));
    let is_part = |rest: &str| {
        let own = rest.trim_start_matches(['?', '!', '.', '-', '>']);
        rest.starts_with('[') || PARTS.iter().any(|part| own.starts_with(part))
    };
    !counted.is_empty() && rest.is_some_and(|rest| !is_part(rest))
}

/// How many items a list has that is written down.
fn items(text: &str) -> Option<usize> {
    let text = text.trim_start_matches('&');
    let brackets = text.match_indices(['[', '{', '(']).find_map(|(at, _)| {
        let inside = text.get(at + 1..)?;
        let end = closing(inside)?;
        (at + 1 + end + 1 == text.len()).then_some((text.get(..at)?, text.get(at..=at)?, inside.get(..end)?))
    });
    let (head, bracket, inside) = brackets?;
    let is_call = bracket == "(" && !head.is_empty() && !MAKERS.iter().any(|maker| head.ends_with(maker));
    if is_call || head.starts_with('%') || inside.contains("for") && inside.contains("in") {
        return None;
    }
    // A collection that is made of another: `Set.of([1, 2])`.
    if let Some(inner) = items(inside).filter(|_| inside.ends_with([']', '}']) && split(inside).len() == 1)
        && bracket == "("
    {
        return Some(inner);
    }
    Some(split(inside).iter().filter(|it| !it.trim().is_empty()).count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_of_lists_are_counted_in_every_form() {
        for (text, expected) in [
            ("[]", Some(0)),
            ("[{id:3,name:\"a, b\"},{id:4}]", Some(2)),
            ("[1,2,]", Some(2)),
            ("vec![1,2,3]", Some(3)),
            ("&[1]", Some(1)),
            ("listOf(\"a\",\"b\")", Some(2)),
            ("List.of(1)", Some(1)),
            ("[]string{\"a\",\"b\"}", Some(2)),
            ("new[]{1,2}", Some(2)),
            ("(\"a\",\"b\")", Some(2)),
            ("Set([1,2])", Some(2)),
            ("rows(3)", None),
            ("wanted", None),
            ("%w[ab]", None),
        ] {
            assert_eq!(items(text), expected, "{text}");
        }
    }

    #[test]
    fn a_part_of_a_list_is_not_the_list() {
        for (subject, expected) in [
            ("rows", true),
            ("rows.map(r=>r.id)", true),
            ("array_column(rows,'id')", true),
            ("rows[0]", false),
            ("rows.first()", false),
            ("rows?.at(0)", false),
            ("lines", false),
        ] {
            assert_eq!(is_whole(subject, "rows"), expected, "{subject}");
        }
    }
}
