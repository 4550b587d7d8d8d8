//! Tests that are given or expect something else, in whatever words, since the session took work, a check or an answer
//! from what they are about.

use crate::detectors::engine::hunks::{CodeLine, TextHunk};
use crate::detectors::testing::explained_values::{Reason, reason};
use crate::detectors::testing::test_inputs::ChangedTestInput;
use crate::detectors::testing::test_lines::is_import;
use crate::detectors::{Case, TestComparison};
use crate::languages::Test;
use crate::languages::code::is_log;
use crate::model::finding::Severity;

/// More lines than these are other tests.
const FEW: usize = 10;

/// The first test that a change of a few lines fits to code which does less.
pub(super) fn fitted_to_loss(case: &Case, comparison: &TestComparison) -> Option<ChangedTestInput> {
    let all = comparison.places()?;
    let lines: usize = all.iter().map(|it| it.gone.len().max(it.come.len())).sum();
    if !(1..=FEW).contains(&lines) || !all.iter().all(is_replaced) {
        return None;
    }
    let (was, is, test) = first_in_a_test(comparison, all)?;
    // What the session did besides is asked last: git has to tell.
    let Reason::Loss(loss) = reason(case, comparison.change) else { return None };
    loss.is_severe.then(|| ChangedTestInput {
        what: format!(
            "`{}` would become `{}`, while {} does less since this session began",
            was.text, is.text, loss.said
        ),
        line: was.number,
        severity: Severity::High,
        lost: vec![test.name.clone()],
    })
}

/// Whether a place has other lines of work for those that it had.
fn is_replaced(hunk: &TextHunk) -> bool {
    let works = |lines: &[CodeLine]| lines.iter().any(|it| !is_import(it.text) && !is_log(it.text));
    works(&hunk.gone) && works(&hunk.come)
}

/// The first lines that differ in a test which stays under its name and claims something.
fn first_in_a_test<'c, 'h, 'a>(
    comparison: &'c TestComparison,
    all: &'h [TextHunk<'a>],
) -> Option<(&'h CodeLine<'a>, &'h CodeLine<'a>, &'c Test)> {
    let claims = |test: &Test| test.assertions.iter().any(|it| !it.trivial);
    let is_same = |(before, after): &(&Test, &Test)| {
        !before.suite && before.title == after.title && before.skipped == after.skipped && claims(before)
    };
    let kept: Vec<&Test> = comparison.kept().filter(is_same).map(|(before, _)| before).collect();
    all.iter().find_map(|hunk| {
        let (was, is) = (hunk.gone.first()?, hunk.come.first()?);
        let test = kept.iter().find(|test| test.span.contains(&was.at))?;
        Some((was, is, *test))
    })
}
