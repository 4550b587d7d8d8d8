//! Items that a test about an order is given in the order already: it asks for nothing then.

use crate::detectors::engine::code_lines::closing;
use crate::detectors::engine::hunks::hunks;
use crate::detectors::testing::explained_values::is_explained;
use crate::detectors::testing::test_inputs::ChangedTestInput;
use crate::detectors::{Case, TestComparison};
use crate::languages::Test;
use crate::model::finding::Severity;

/// What names of tests have that are about an order, in lower case.
const ORDERS: &[&str] = &[
    "sort",
    "order",
    "newest",
    "oldest",
    "latest",
    "earliest",
    "rank",
    "priorit",
    "chronolog",
    "descend",
    "ascend",
    "by_date",
    "bydate",
    "by date",
    "first",
];
/// How a list of items begins.
const LISTS: &[&str] =
    &["[", "Seq(", "List(", "listOf(", "List.of(", "Arrays.asList(", "vec![", "{", "Vector("];

/// The test about an order whose list would be another order of the same items.
pub(super) fn reordered(case: &Case, comparison: &TestComparison) -> Option<ChangedTestInput> {
    let (old, new) = (comparison.change.before.as_deref()?, comparison.change.after.as_deref()?);
    let all = hunks("//", old, new)?;
    let (line, test) = all.iter().filter(|it| it.gone.len() == 1 && it.come.len() == 1).find_map(|hunk| {
        let (gone, come) = (hunk.gone.first()?, hunk.come.first()?);
        let test = comparison.before.tests.iter().find(|it| !it.suite && it.span.contains(&gone.at))?;
        (is_about_order(test) && is_permuted(gone.text, come.text) && !is_claim(gone.text))
            .then_some((*gone, test))
    })?;
    let is_kept = comparison.kept().any(|(before, after)| {
        before.name == test.name
            && before.assertions.iter().map(|it| &it.text).eq(after.assertions.iter().map(|it| &it.text))
    });
    (is_kept && !is_explained(case, comparison.change)).then(|| ChangedTestInput {
        what: format!(
            "`{}` would be given its items in another order, while it is about their order",
            test.name
        ),
        line: line.number,
        severity: Severity::High,
        lost: vec![test.name.clone()],
    })
}

fn is_about_order(test: &Test) -> bool {
    let name = test.title.to_lowercase();
    ORDERS.iter().any(|word| name.contains(word))
}

/// Whether a line says what is expected.
fn is_claim(line: &str) -> bool {
    let lower = line.to_lowercase();
    ["assert", "expect", "should", "want", "must"].iter().any(|word| lower.contains(word))
}

/// Whether two lines differ in nothing but the order of the items of a list.
fn is_permuted(old: &str, new: &str) -> bool {
    LISTS.iter().any(|head| {
        let (Some((before, rest)), Some((before_new, rest_new))) =
            (old.split_once(head), new.split_once(head))
        else {
            return false;
        };
        let (Some(end), Some(end_new)) = (closing(rest), closing(rest_new)) else { return false };
        let (Some(inside), Some(inside_new)) = (rest.get(..end), rest_new.get(..end_new)) else {
            return false;
        };
        let (mut items, mut others) = (parted(inside), parted(inside_new));
        let is_named =
            |it: &&str| !it.starts_with(['{', '(', '[']) && (it.contains(": ") || it.contains('='));
        let differ = items != others && items.len() > 1 && !items.iter().any(is_named);
        items.sort_unstable();
        others.sort_unstable();
        before == before_new && differ && items == others && rest.get(end..) == rest_new.get(end_new..)
    })
}

/// The items of a list, parted by commas outside of brackets.
fn parted(text: &str) -> Vec<&str> {
    let (mut depth, mut from, mut all) = (0i32, 0, Vec::new());
    for (at, c) in text.char_indices() {
        depth += i32::from(matches!(c, '(' | '[' | '{')) - i32::from(matches!(c, ')' | ']' | '}'));
        if c == ',' && depth == 0 {
            all.extend(text.get(from..at).map(str::trim));
            from = at + 1;
        }
    }
    all.extend(text.get(from..).map(str::trim));
    all.into_iter().filter(|it| !it.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_order_of_the_same_items_is_told() {
        assert!(is_permuted("rows = [b, a(1, 2), c]", "rows = [a(1, 2), b, c]"));
        assert!(is_permuted("val r = replay(Seq(b(2), a(1)))", "val r = replay(Seq(a(1), b(2)))"));
        assert!(!is_permuted("rows = [b, a]", "rows = [b, c]"));
        assert!(!is_permuted("rows = [b, a]", "cells = [a, b]"));
    }
}
