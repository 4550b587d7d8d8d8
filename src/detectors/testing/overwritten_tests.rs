//! Tests that a later definition of the same name takes the place of, where a language keeps the last one only.

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
    let count = |tests: &[Test], name: &str| tests.iter().filter(|it| it.name == name).count();
    let lost = comparison.before.tests.iter().filter(|test| {
        let name = test.name.as_str();
        let mut now = comparison.after.tests.iter().filter(|it| it.name == name);
        let (first, second) = (now.next(), now.next());
        let is_first =
            first.is_some_and(|it| it.text_in(source) == test.text_in(comparison.change.before.as_deref()));
        count(&comparison.before.tests, name) == 1 && is_first && second.is_some_and(is_defined)
    });
    lost.collect()
}
