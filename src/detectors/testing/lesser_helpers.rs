//! Functions of the tests' own that assert for them, and assert less now, while nothing else of the file asserts more.

use crate::detectors::TestComparison;
use crate::detectors::engine::line_pairs::line_pairs;
use crate::detectors::testing::assertion_weakening::real;
use crate::languages::assertions::chains::claim;
use crate::languages::{Outline, Strength};

/// More new words than these make it another function.
const FEW: usize = 6;

/// The helper that asserts less, with its line before.
pub(super) fn lesser(comparison: &TestComparison) -> Option<(String, u32)> {
    let (before, after) = (&comparison.before, &comparison.after);
    let all = |outline: &Outline| {
        let own = outline.tests.iter().filter(|it| !it.suite).map(real).sum::<usize>();
        own + outline.strays.iter().map(|it| it.assertions).sum::<usize>()
    };
    if all(after) >= all(before) {
        return if all(after) == all(before) { looser_claim(comparison) } else { None };
    }
    before.strays.iter().filter(|old| old.assertions > 0).find_map(|old| {
        let mut twins = before.strays.iter().filter(|it| it.name == old.name);
        let is_single = twins.next().is_some() && twins.next().is_none();
        let new = after.strays.iter().find(|it| it.name == old.name).filter(|_| is_single)?;
        let asks = |test: &&crate::languages::Test| !test.suite && test.body.mentions(&old.name);
        let is_used = before.tests.iter().any(|it| asks(&it)) && after.tests.iter().any(|it| asks(&it));
        let is_less = new.assertions < old.assertions && new.body.minus(&old.body).len() <= FEW;
        // ScalaTest's `value` fails by itself where there is none.
        let text = comparison.change.after.as_deref().unwrap_or_default();
        let own = text.get(new.span.clone()).unwrap_or_default().trim_end();
        let fails_itself = ["EitherValues", "OptionValues", "TryValues"].iter().any(|it| text.contains(it))
            && own.trim_end_matches('}').trim_end().ends_with(".value");
        (is_used && is_less && !fails_itself).then(|| (old.name.clone(), old.line))
    })
}

/// The helper of which one line claims less now: `assertEquals(error, expected)` that became `assertNotNull(error)`.
fn looser_claim(comparison: &TestComparison) -> Option<(String, u32)> {
    // Without a helper that claims something no text need be compared.
    comparison.before.strays.iter().find(|it| it.assertions > 0)?;
    line_pairs(comparison.places()?).find_map(|(was, is)| {
        let holder =
            comparison.before.strays.iter().find(|it| it.assertions > 0 && it.span.contains(&was.at))?;
        let is_used = comparison.after.tests.iter().any(|it| !it.suite && it.body.mentions(&holder.name));
        let (exact, loose) = (claim(was.text), claim(is.text));
        let is_exact = exact.strength == Some(Strength::Exact) && !exact.negated && exact.expected.len() > 1;
        let is_loose = loose.strength.is_some_and(|it| it < Strength::Partial) && loose.expected.is_empty();
        let is_kept = is.text.contains(exact.expected.as_str()) || exact.expected == "true";
        (is_used && is_exact && is_loose && !is_kept).then(|| (holder.name.clone(), was.number))
    })
}
