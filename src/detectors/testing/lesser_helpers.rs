//! Functions of the tests' own that assert for them, and assert less now, while nothing else of the file asserts more.

use crate::detectors::TestComparison;
use crate::detectors::testing::assertion_weakening::real;
use crate::languages::Outline;

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
        return None;
    }
    before.strays.iter().filter(|old| old.assertions > 0).find_map(|old| {
        let mut twins = before.strays.iter().filter(|it| it.name == old.name);
        let is_single = twins.next().is_some() && twins.next().is_none();
        let new = after.strays.iter().find(|it| it.name == old.name).filter(|_| is_single)?;
        let asks = |test: &&crate::languages::Test| !test.suite && test.body.mentions(&old.name);
        let is_used = before.tests.iter().any(|it| asks(&it)) && after.tests.iter().any(|it| asks(&it));
        let is_less = new.assertions < old.assertions && new.body.minus(&old.body).len() <= FEW;
        (is_used && is_less).then(|| (old.name.clone(), old.line))
    })
}
