//! Values of tests and of their data that are other ones while all around them stays: which of them would need another
//! answer of the code, and what the code is called that they are about.
//!
//! What only says the same in another form, a sample under another name, a date that has moved on and a word that is
//! spelled right now need none.

use std::collections::BTreeMap;

use crate::detectors::engine::hunks::{CodeLine, TextHunk, hunks};
use crate::detectors::engine::line_pairs::{is_even, line_pairs};
use crate::detectors::testing::given_sides::is_date;
use crate::detectors::testing::said_elsewhere::fails;
use crate::detectors::testing::same_values::{is_same, parts_renamed};
use crate::detectors::testing::test_lines::is_beside;
use crate::detectors::testing::value_pairs::{OtherValue, differing, has_labels};
use crate::languages::{Language, data_of_tests};
use crate::model::finding::Change;

/// More lines than these are a rewrite.
const MOST: usize = 24;
/// Dates up to this year have passed: one that moved beyond it was moved on.
const PASSED: u32 = 2024;

/// What is other in a change of values alone.
#[derive(Debug, Default)]
pub(crate) struct HeldValues {
    /// The lines before that have other values now.
    pub(crate) lines: Vec<String>,
    /// How many values are given to the code, and how many are expected of it.
    pub(crate) given: usize,
    /// The same of what is expected.
    pub(crate) expected: usize,
}

impl HeldValues {
    /// The values of a change that need another answer of the code; `None` where there are none.
    pub(crate) fn of(change: &Change) -> Option<Self> {
        let (old, new) = (change.before.as_deref()?, change.after.as_deref()?);
        let is_data_file = data_of_tests(&change.path);
        let comment = match is_data_file {
            true => "\u{0}",
            false => Language::of_path(&change.path)?.refusing().comment,
        };
        let all = hunks(comment, old, new)?;
        if all.iter().map(|it| it.gone.len()).sum::<usize>() > MOST {
            return None;
        }
        if is_data_file && is_recorded(&change.path) {
            return recorded(&all);
        }
        held(old, &all, is_data_file)
    }

    /// The same of a change of a few lines that differ in values alone: `None` for any other change, and a count of none
    /// where all say the same or are samples.
    pub(super) fn of_values_alone(old: &str, all: &[TextHunk], most: usize) -> Option<Self> {
        let lines: usize = all.iter().map(|it| it.gone.len()).sum();
        let mut pairs = all.iter().flat_map(|it| it.gone.iter().zip(&it.come));
        let has_labels = has_labels(old);
        let is_alike = all.iter().all(is_even)
            && lines <= most
            && pairs.all(|(old, new)| is_about(old) && differing(old, new, has_labels).is_some());
        is_alike.then(|| held(old, all, false).unwrap_or_default())
    }
}

/// Whether a line is about what is tested.
fn is_about(line: &CodeLine) -> bool {
    !is_beside(line.text) && !fails(line.text)
}

/// Whether a file records what came out.
fn is_recorded(path: &str) -> bool {
    let lower = path.to_lowercase();
    ["snapshot", ".snap", "golden", ".approved", ".expected", "expected/", ".verified"]
        .iter()
        .any(|part| lower.contains(part))
}

/// What came out is another one in some lines.
fn recorded(all: &[TextHunk]) -> Option<HeldValues> {
    let other = line_pairs(all).filter(|(old, new)| !is_same(old.text, new.text) && has_value(old.text));
    let lines: Vec<String> = other.map(|(old, _)| old.text.to_owned()).collect();
    let expected = lines.len();
    (expected > 0).then_some(HeldValues { lines, given: 0, expected })
}

fn has_value(line: &str) -> bool {
    line.chars().any(|c| c.is_ascii_digit()) || line.contains(['"', '\''])
}

fn held(old: &str, all: &[TextHunk], is_data_file: bool) -> Option<HeldValues> {
    let has_labels = has_labels(old);
    let about = line_pairs(all).filter(|(old, _)| is_data_file || is_about(old));
    let others: Vec<OtherValue> =
        about.filter_map(|(old, new)| differing(old, new, has_labels)).flatten().collect();
    let renamed = renamings(&others);
    let needs = |it: &&OtherValue| {
        let is_sample = parts_renamed(it.was, it.is).is_some_and(|parts| {
            let of_sample = |(was, is): &(&str, &str)| renamed.get(was) == Some(&Some(*is));
            !parts.is_empty() && parts.iter().all(of_sample)
        });
        !is_sample && !is_same(it.was, it.is) && !is_moved_on(it.was, it.is)
    };
    let mut found = HeldValues::default();
    for value in others.iter().filter(needs) {
        found.given += usize::from(value.is_given);
        found.expected += usize::from(!value.is_given);
        if !found.lines.iter().any(|line| line == value.line) {
            found.lines.push(value.line.to_owned());
        }
    }
    (!found.lines.is_empty()).then_some(found)
}

/// The parts of values that are others in the same way wherever they stand: what is given under another name and comes out
/// under that. `None` for one that became several.
fn renamings<'t>(others: &[OtherValue<'t>]) -> BTreeMap<&'t str, Option<&'t str>> {
    let mut all: BTreeMap<&str, (Option<&str>, bool, bool)> = BTreeMap::new();
    for value in others {
        let Some(parts) = parts_renamed(value.was, value.is) else { continue };
        for (was, is) in parts {
            let entry = all.entry(was).or_insert((Some(is), false, false));
            entry.0 = entry.0.filter(|known| *known == is);
            entry.1 |= value.is_given;
            entry.2 |= !value.is_given;
        }
    }
    // A word that is only given is a sample; a number has to come out as well, and so has what is only expected to go in.
    let is_sample = |was: &str, given: bool, expected: bool| {
        given && (expected || was.chars().all(|c| c.is_alphabetic()))
    };
    all.into_iter()
        .map(|(was, (is, given, expected))| (was, is.filter(|_| is_sample(was, given, expected))))
        .collect()
}

/// Whether a date has passed and the other has not.
fn is_moved_on(was: &str, is: &str) -> bool {
    let year = |word: &str| -> Option<u32> {
        word.trim_matches(['"', '\'', '`']).get(..4).and_then(|it| it.parse().ok())
    };
    is_date(was) && is_date(is) && year(was) < year(is) && year(is) > Some(PASSED)
}
