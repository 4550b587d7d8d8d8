//! Tests that a later definition of the same name takes the place of, where a language keeps the last one only.

use std::collections::HashMap;

use crate::detectors::TestComparison;
use crate::languages::Test;

/// Files in whose language the last definition of a name is the one that runs.
const LAST_WINS: &[&str] = &[".py", ".rb"];

/// The tests that another of their name would run instead of.
pub(super) fn overwritten<'c>(comparison: &'c TestComparison) -> Vec<&'c Test> {
    let path = &comparison.change.path;
    if !LAST_WINS.iter().any(|end| path.ends_with(end)) {
        return Vec::new();
    }
    let source = comparison.change.after.as_deref();
    let is_defined =
        |test: &Test| test.text_in(source).lines().any(|line| line.trim_start().starts_with("def test"));
    let (before, after) = (by_name(&comparison.before.tests), by_name(&comparison.after.tests));
    let lost = comparison.before.tests.iter().filter(|test| {
        let name = test.name.as_str();
        let mut now = after.get(name).into_iter().flatten();
        let (first, second) = (now.next(), now.next());
        let is_first =
            first.is_some_and(|it| it.text_in(source) == test.text_in(comparison.change.before.as_deref()));
        is_first
            && before.get(name).is_some_and(|all| all.len() == 1)
            && second.is_some_and(|it| is_defined(it))
    });
    lost.collect()
}

/// The tests of a file by their names, in the order of the text.
fn by_name(tests: &[Test]) -> HashMap<&str, Vec<&Test>> {
    let mut by_name: HashMap<&str, Vec<&Test>> = HashMap::new();
    for test in tests {
        by_name.entry(test.name.as_str()).or_default().push(test);
    }
    by_name
}
