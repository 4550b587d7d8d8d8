//! Values that files without tests of their own hand to tests, made easy: factories, fixtures and samples that lost the
//! letters, signs or items that they were there for.

use crate::detectors::Case;
use crate::detectors::engine::hunks::CodeLine;
use crate::detectors::engine::line_pairs::{is_even, places_of};
use crate::detectors::testing::cut_items::is_shortened;
use crate::detectors::testing::explained_values::{Reason, reason};
use crate::detectors::testing::test_inputs::ChangedTestInput;
use crate::detectors::testing::word_edit::{is_data, words};
use crate::languages::{count_tests, data_of_tests, is_test_path};
use crate::model::finding::{Change, Severity};

/// More lines than these are other samples.
const FEW: usize = 4;

/// The first value of such a file that is an easy one now, while nothing that the tests are about has changed.
pub(super) fn eased(case: &Case, change: &Change) -> Option<ChangedTestInput> {
    let old = change.before.as_deref()?;
    if !is_test_path(&change.path) || data_of_tests(&change.path) {
        return None;
    }
    let all = places_of(change)?;
    if !all.iter().all(is_even) || all.iter().map(|it| it.gone.len()).sum::<usize>() > FEW {
        return None;
    }
    let mut pairs = all.iter().flat_map(|it| it.gone.iter().zip(&it.come));
    let (was, is) = pairs.find(|(was, is)| is_easier(was, is))?;
    // What the session did besides is asked last: git has to tell.
    let is_helper = count_tests(&change.path, old) == Some(0);
    if !is_helper || matches!(reason(case, change), Reason::Change) {
        return None;
    }
    Some(ChangedTestInput {
        what: format!("`{}` would be `{}`, which asks less of the code", was.text, is.text),
        line: was.number,
        severity: Severity::High,
        lost: Vec::new(),
    })
}

/// Whether a line is the same but for a text that lost its letters beyond ASCII, or but for items of a list.
fn is_easier(was: &CodeLine, is: &CodeLine) -> bool {
    let (old, new) = (words(was.text), words(is.text));
    let pairs = old.iter().zip(&new).map(|((_, a), (_, b))| (*a, *b)).filter(|(a, b)| a != b);
    let differing: Vec<(&str, &str)> = pairs.collect();
    let is_plain = |(a, b): &(&str, &str)| is_data(a) && is_data(b) && !a.is_ascii() && b.is_ascii();
    let keeps_form = old.len() == new.len() && differing.iter().all(|(a, b)| is_data(a) && is_data(b));
    keeps_form && differing.iter().any(is_plain) || is_shortened(was.text, is.text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_that_lose_what_was_hard_are_easier() {
        let line = |text| CodeLine { text, at: 0, number: 1 };
        for (was, is, expected) in [
            ("return User(\"Zoë\", 17)", "return User(\"Zoe\", 17)", true),
            ("items=[3, 0, -2],", "items=[3],", true),
            ("return User(\"Ann\", 17)", "return User(\"Bob\", 17)", false),
            ("return User(\"Zoe\", 17)", "return User(\"Zoë\", 17)", false),
        ] {
            assert_eq!(is_easier(&line(was), &line(is)), expected, "{was} -> {is}");
        }
    }
}
