//! Assertions of JavaScript on what comes later, for which nobody waits: they end after the test has.

use crate::detectors::TestComparison;
use crate::detectors::testing::kept_tests::{beyond, in_before};
use crate::languages::{Assertion, Test};

/// An assertion that was waited for, and is there without.
pub(super) fn no_longer_awaited(
    comparison: &TestComparison,
    before: &Test,
    after: &Test,
) -> Option<(u32, String)> {
    let waits = |it: &Assertion| it.text.contains(".resolves.") || it.text.contains(".rejects.");
    let mut both = before.assertions.iter().filter_map(|old| {
        let new = after.assertions.iter().find(|new| new.text == old.text)?;
        Some((old, new))
    });
    // What is kept in a name may be waited for later.
    let is_kept = |new: &Assertion| line_of(comparison, new).contains(" = expect(");
    let (old, _) = both.find(|(old, new)| old.awaited && !new.awaited && waits(old) && !is_kept(new))?;
    Some((old.line, format!("nobody would wait for `{}`", in_before(comparison, old))))
}

/// The line of an assertion after the change.
fn line_of<'t>(comparison: &'t TestComparison, assertion: &Assertion) -> &'t str {
    let source = comparison.change.after.as_deref().unwrap_or_default();
    let at = usize::try_from(assertion.line).unwrap_or(1).saturating_sub(1);
    source.lines().nth(at).unwrap_or_default()
}

/// An assertion on what comes later that nobody waits for, where there was none: `expect(f()).resolves.toBe(3);`.
pub(super) fn floating(comparison: &TestComparison, before: &Test, after: &Test) -> Option<(u32, String)> {
    let is_script =
        ["js", "ts", "jsx", "tsx", "mjs", "cjs"].iter().any(|end| comparison.change.path.ends_with(end));
    let later = |it: &Assertion| {
        let bare = line_of(comparison, it).trim_start();
        let bare = bare.strip_prefix("void ").unwrap_or(bare);
        let is_own = bare.starts_with("expect(")
            && [".resolves.", ".rejects."].iter().any(|word| it.text.contains(word));
        let is_in_then = !["await", "return", "const", "let", "var", "expect", ".", "}"]
            .iter()
            .any(|head| bare.starts_with(head))
            && !bare.contains("=>{")
            && bare.split_once(".then(").is_some_and(|(_, rest)| rest.contains("expect("));
        (is_own && !it.awaited || is_in_then).then(|| bare.trim_end().to_owned())
    };
    let new = beyond(&after.assertions, &before.assertions);
    let found = new.into_iter().filter(|_| is_script).find_map(|it| Some((it.line, later(it)?)));
    let is_done =
        after.body.mentions("done") || after.body.mentions("all") || after.body.mentions("allSettled");
    found.filter(|_| !is_done).map(|(line, text)| (line, format!("nobody would wait for `{text}`")))
}
