//! Assertions that are still there and can't fail the test any more: left early, caught, not awaited, under a condition.

use crate::detectors::TestComparison;
use crate::detectors::testing::early_exits::{is_of_tests, left_early};
use crate::detectors::testing::empty_loops;
use crate::detectors::testing::kept_tests::{AssertionLoss, in_before};
use crate::detectors::testing::said_within::{FAILURES, is_caught_only};
use crate::detectors::testing::unawaited::{floating, no_longer_awaited};
use crate::languages::Test;
use crate::model::finding::Severity;

/// Assertions that are still there and can't fail the test any more, with the line and the severity.
pub(super) fn hidden(comparison: &TestComparison, before: &Test, after: &Test) -> Option<AssertionLoss> {
    if let Some(how) = empty_loops::emptied(comparison, before, after) {
        return Some((Severity::High, first_line(before), how));
    }
    let high = |(line, what)| (Severity::High, line, what);
    if let Some(found) = left_early(comparison, before, after).or_else(|| floating(comparison, before, after))
    {
        return Some(high(found));
    }
    let was = before.text_in(comparison.change.before.as_deref());
    let is = after.text_in(comparison.change.after.as_deref());
    if is_caught_only((&before.assertions, was), (&after.assertions, is)) {
        let what = "nothing would fail where no error is thrown".to_owned();
        return Some((Severity::High, first_line(before), what));
    }
    let swallowed = |test: &Test| test.assertions.iter().filter(|it| it.swallowed).count();
    // What tries again and gives up at last fails then.
    let gives_up = || {
        let lower = |text: &str| text.to_lowercase().replace('_', "");
        let fails = |text: &str| FAILURES.iter().map(|it| lower(text).matches(it).count()).sum::<usize>();
        fails(is) > fails(was)
    };
    if swallowed(after) > swallowed(before) && !gives_up() {
        let old = after.assertions.iter().find(|it| it.swallowed && !it.trivial)?;
        let was_there = before.assertions.iter().find(|it| it.text == old.text && !it.swallowed)?;
        let what = format!("the failure of `{}` would be swallowed", in_before(comparison, was_there));
        return Some((Severity::Critical, was_there.line, what));
    }
    if let Some(found) = no_longer_awaited(comparison, before, after) {
        return Some(high(found));
    }
    let always = |test: &Test| test.assertions.iter().filter(|it| !it.conditional && !it.trivial).count();
    let same = before.assertions.len() == after.assertions.len()
        && before.assertions.iter().zip(&after.assertions).all(|(old, new)| old.text == new.text);
    (same && always(before) > 0 && always(after) == 0).then(|| {
        // Under a condition about the machine some of them may have to.
        let severity = if is_of_tests(was, is) { Severity::High } else { Severity::Medium };
        (severity, first_line(before), "the assertions would run under a condition only".to_owned())
    })
}

/// The line of a test's first assertion.
fn first_line(test: &Test) -> u32 {
    test.assertions.first().map_or(test.line, |it| it.line)
}
