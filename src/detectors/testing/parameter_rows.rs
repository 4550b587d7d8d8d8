//! The rows of a parametrised test of googletest, which stand outside of it: `INSTANTIATE_TEST_SUITE_P(All, Suite, Values(…))`.

use crate::detectors::testing::word_edit::each_word;
use crate::languages::Test;

/// How the rows of a suite begin.
const HEADS: &[&str] = &["INSTANTIATE_TEST_SUITE_P(", "INSTANTIATE_TEST_CASE_P("];

/// The text of a test's rows and how many they are, where the test asks for one of them.
pub(super) fn rows_of<'t>(test: &Test, text: &str, source: Option<&'t str>) -> Option<(&'t str, usize)> {
    if !text.contains("GetParam()") && !text.contains("TEST_P(") {
        return None;
    }
    let suite = test.name.rsplit(" > ").nth(1)?;
    let source = source?;
    let block = HEADS.iter().find_map(|head| {
        source.match_indices(head).find_map(|(at, _)| {
            let block = closed(source.get(at + head.len()..)?)?;
            let is_own = block.split(',').nth(1).is_some_and(|it| it.trim() == suite);
            is_own.then_some(block)
        })
    })?;
    let values = block.split_once("Values(").and_then(|(_, rest)| closed(rest))?;
    Some((values, pieces(values)))
}

/// A text up to where the parenthesis closes that was open before it.
fn closed(text: &str) -> Option<&str> {
    let mut depth = 1i32;
    let mut all = each_word(text);
    let end = all.find_map(|(at, word)| {
        depth += i32::from(word == "(") - i32::from(word == ")");
        (depth == 0).then_some(at)
    })?;
    text.get(..end)
}

/// How many values a list has at its top.
fn pieces(list: &str) -> usize {
    let mut depth = 0i32;
    let is_end = |(_, word): &(usize, &str)| {
        depth += i32::from(matches!(*word, "(" | "{" | "[")) - i32::from(matches!(*word, ")" | "}" | "]"));
        depth == 0 && *word == ","
    };
    each_word(list).filter(is_end).count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_counted_at_their_top() {
        for (list, expected) in
            [("Case{{1, 2}, true}, Case{{3, 4}, false}", 2), ("1, 2, f(3, 4)", 3), ("\"a, b\"", 1)]
        {
            assert_eq!(pieces(list), expected, "{list}");
        }
        assert_eq!(closed("All, Suite, Values(f(1), 2)); x()"), Some("All, Suite, Values(f(1), 2)"));
    }
}
