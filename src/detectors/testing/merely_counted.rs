//! What a test says of a value, where it said exactly what is in it: only how many there are, or that there is something; the
//! same items in any order, in a test that is about their order; a number with a margin that takes in much more.

use crate::detectors::TestComparison;
use crate::detectors::engine::code_lines::closing;
use crate::detectors::testing::kept_tests::{beyond, in_after, in_before, is_kept_elsewhere};
use crate::detectors::testing::row_pieces::split;
use crate::detectors::testing::test_lines::{bound, words_of};
use crate::languages::code::bare;
use crate::languages::{Assertion, Strength, Test, measured};
use crate::model::words::has_word;

/// What asks how many there are, or whether there is anything, in lower case without white space and `_`.
const COUNTING: &[&str] = &[
    "tohavelength(",
    "tobedefined(",
    "tobetruthy(",
    "tohavecount(",
    "haslength(",
    "havelength(",
    "hassize(",
    "havesize(",
    "notempty(",
    "isnotempty(",
    "not_empty",
    "assertcount(",
    "notnull(",
    "isnotnull(",
    "notnil(",
    "lengthof(",
    "isnotnone",
    "be_present",
    "assertlen(",
    "isnotnull",
    "notto.beempty",
    "nottobenull(",
];
/// What makes the order of items count for nothing, in the same form.
const UNORDERED: &[&str] = &[
    "arraycontaining(",
    "containexactly(",
    "matcharray(",
    "inanyorder(",
    "beequivalentto(",
    "elementsmatch(",
    "assertequalscanonicalizing(",
    "unorderedequals(",
    "samemembers(",
    "thesameelementsas(",
    "countequal(",
    "hassameelementsas(",
    "unorderedelementsare",
    "havethesameelements",
];
/// What puts both sides in order, or makes sets of them.
const SORTING: &[&str] = &["sorted(", "set(", ".sort", "sorted()", "enum.sort(", "mapset.new(", "toset"];
/// Words of titles of tests that are about the order of things.
const ORDER: &[&str] = &[
    "order",
    "orders",
    "ordered",
    "sort",
    "sorts",
    "sorted",
    "first",
    "last",
    "newest",
    "oldest",
    "latest",
    "earliest",
    "before",
    "ranked",
    "ranking",
    "ranks",
    "descending",
    "ascending",
    "highest",
    "lowest",
    "alphabetical",
    "chronological",
    "reversed",
    "reverses",
    "sequence",
];
/// From so large a margin on a number has no decimals left.
const COARSE: f64 = 0.5;

/// The first assertion of a test in whose place one that only counts has come, or one to which the order is nothing.
pub(super) fn merely_counted<'t>(
    comparison: &TestComparison,
    before: &'t Test,
    after: &'t Test,
) -> Option<(&'t Assertion, &'t Assertion)> {
    let (lost, new) =
        (beyond(&before.assertions, &after.assertions), beyond(&after.assertions, &before.assertions));
    if lost.is_empty() || new.is_empty() {
        return None;
    }
    let text = after.text_in(comparison.change.after.as_deref());
    let names: Vec<&str> =
        text.lines().filter_map(bound).map(|(name, _)| name).filter(|it| it.len() > 1).collect();
    lost.iter().filter(|old| is_exact(old)).find_map(|old| {
        let found = counted(comparison, old, &new, (after, &names))
            .or_else(|| unordered(old, &new, &before.title))
            .or_else(|| with_margin(old, &new))?;
        // The whole file is looked through last.
        (!is_kept_elsewhere(comparison, old)).then_some((*old, found))
    })
}

fn is_exact(it: &Assertion) -> bool {
    let is_list =
        it.claim.expected.starts_with(['[', '{', '(']) || it.claim.expected.contains(['"', '\'', '(']);
    it.claim.strength == Some(Strength::Exact)
        && !it.claim.negated
        && (is_list || it.claim.expected.len() > 2)
}

fn lower(text: &str) -> String {
    bare(text).to_lowercase().replace('_', "")
}

/// The new assertion that only counts what the old one said exactly, where no other says more of the same.
fn counted<'t>(
    comparison: &TestComparison,
    old: &Assertion,
    new: &[&'t Assertion],
    (after, names): (&Test, &[&str]),
) -> Option<&'t Assertion> {
    let is_list = old.claim.expected.starts_with(['[', '{', '(']) || old.claim.expected.contains("Of(");
    let written = in_before(comparison, old);
    let name = words_of(&written).find(|word| names.contains(word)).filter(|_| is_list)?;
    let is_about = |it: &Assertion| has_word(&in_after(comparison, it), name);
    let counts = |it: &Assertion| {
        let text = lower(&it.text);
        let is_measure = [&it.claim.subject, &it.claim.expected].iter().any(|side| measured(side).is_some());
        is_measure || COUNTING.iter().any(|word| text.contains(&word.replace('_', "")))
    };
    let found = new.iter().find(|it| is_about(it) && counts(it))?;
    after.assertions.iter().all(|it| counts(it) || !is_about(it)).then_some(*found)
}

/// The new assertion about the same items in any order, in a test that is about their order.
fn unordered<'t>(old: &Assertion, new: &[&'t Assertion], title: &str) -> Option<&'t Assertion> {
    let is_about_order =
        crate::model::words::words(title).iter().any(|word| ORDER.contains(&word.to_lowercase().as_str()));
    let frees = |text: &str| {
        UNORDERED.iter().any(|word| text.contains(word))
            || SORTING.iter().any(|word| text.matches(word).count() > 1)
    };
    let expected = old.claim.expected.trim_matches(['[', ']', '(', ')']);
    let first = expected.split([',', ';']).next().unwrap_or_default();
    let is_free =
        |it: &Assertion| frees(&lower(&it.text)) && !frees(&lower(&old.text)) && it.text.contains(first);
    let items = expected.split(',').count();
    new.iter().copied().find(|it| is_about_order && items > 1 && first.len() > 1 && is_free(it))
}

/// The new equation of the same two sides with a margin behind them.
fn with_margin<'t>(old: &Assertion, new: &[&'t Assertion]) -> Option<&'t Assertion> {
    let (head, was) = arguments(&old.text)?;
    let [one, other] = &was[..] else { return None };
    new.iter().copied().find(|it| {
        let Some((new_head, is)) = arguments(&it.text) else { return false };
        let [now, now_other, margin] = &is[..] else { return false };
        let value = margin.trim_end_matches(['f', 'd', 'm', 'F', 'D', 'M']).parse::<f64>();
        head == new_head
            && now.starts_with(one)
            && now_other.starts_with(other)
            && value.is_ok_and(|it| it >= COARSE)
    })
}

/// What is called in a text, and the arguments of it.
fn arguments(text: &str) -> Option<(&str, Vec<&str>)> {
    const EQUATIONS: &[&str] = &["assertEquals(", "AreEqual(", "XCTAssertEqual(", "assertEqual("];
    let head = EQUATIONS.iter().find(|head| text.contains(**head))?;
    let inner = text.split_once(head)?.1;
    Some((*head, split(inner.get(..closing(inner).unwrap_or(inner.len()))?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_of_an_equation_are_told_apart() {
        let (_, all) = arguments("assertEquals(sum(a,b),till.total(),2.0)").unwrap();
        assert_eq!(all, ["sum(a,b)", "till.total()", "2.0"]);
        assert!(arguments("assertThat(a).isEqualTo(b)").is_none());
    }
}
