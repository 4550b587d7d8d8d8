//! Tables of tests with fewer rows than before.

use crate::detectors::TestComparison;
use crate::detectors::testing::kept_tests::own_tests;
use crate::detectors::testing::word_edit::{each_word, is_data};
use crate::languages::Test;
use crate::model::finding::Severity;

/// Whether a value of each row that is gone stands in tests that are new.
fn is_in_new_tests(comparison: &TestComparison, before: &Test, after: &Test, lost_rows: usize) -> bool {
    let (old, new) = (comparison.change.before.as_deref(), comparison.change.after.as_deref());
    let is_new = |it: &&Test| !comparison.before.tests.iter().any(|old| old.name == it.name);
    let others: Vec<&str> = comparison.after.tests.iter().filter(is_new).map(|it| it.text_in(new)).collect();
    let is = after.text_in(new);
    let data = each_word(before.text_in(old)).map(|(_, word)| word).filter(|word| is_data(word));
    let lost: Vec<&str> =
        data.filter(|word| word.len() > 3 && *word != "true" && !is.contains(word)).collect();
    let is_there =
        |word: &&&str| others.iter().any(|text| text.contains(word.trim_matches(['"', '\'', '`'])));
    // What names a row, and what is said of a failure, may go.
    lost.iter().filter(is_there).count() >= lost_rows
}

/// A table with fewer rows.
pub(super) fn rows(
    comparison: &TestComparison,
    before: &Test,
    after: &Test,
) -> Option<(Severity, u32, String)> {
    // A table that is gone altogether has no rows to count.
    let (was, is) = (before.cases?, after.cases.unwrap_or(0));
    let of = |test: &Test| test.cases.unwrap_or(1);
    let all: usize = comparison.before.tests.iter().map(of).sum();
    let left: usize = own_tests(comparison).map(of).sum();
    // Tests that are made in a loop have as many rows as that.
    let is_loop = after.cases.is_none() && after.looped && !before.looped;
    let is_less = is < was && (left < all || after.cases.is_none()) && !is_loop;
    let added = after.body.minus(&before.body).len();
    (is_less && added == 0 && !is_in_new_tests(comparison, before, after, was - is)).then(|| {
        (Severity::High, before.line, format!("{} of {was} rows of the table would be gone", was - is))
    })
}
