//! Numbers that a test is given, moved while all that it expects stays: off a bound, out of a tie, farther in time.
//!
//! Only lines that are the same but for such numbers are read, in tests whose assertions are as they were.

use crate::detectors::TestComparison;
use crate::detectors::engine::hunks::{CodeLine, TextHunk};
use crate::detectors::testing::given_sides::{is_date, is_given, signed};
use crate::detectors::testing::test_inputs::{ChangedTestInput, is_surrounding, unit};
use crate::detectors::testing::test_lines::{bound, is_beside};
use crate::languages::Test;
use crate::model::finding::Severity;

/// More lines than these are more than another value.
const SMALL: usize = 4;

/// The first test that is given another number for the same claims.
pub(super) fn moved(comparison: &TestComparison, all: &[TextHunk]) -> Option<ChangedTestInput> {
    let kept = comparison.kept().filter(|(before, after)| !before.suite && claims_the_same(before, after));
    kept.into_iter().find_map(|(before, _)| {
        let here = |line: &&CodeLine| before.span.contains(&line.at);
        let own: Vec<&TextHunk> =
            all.iter().filter(|it| it.gone.first().is_some_and(|it| here(&it))).collect();
        let lines: usize = own.iter().map(|it| it.gone.len()).sum();
        let is_even =
            own.iter().all(|it| it.gone.len() == it.come.len() && it.gone.iter().all(|it| here(&it)));
        if lines == 0 || lines > SMALL || !is_even {
            return None;
        }
        let pairs = || own.iter().flat_map(|it| it.gone.iter().zip(&it.come));
        let is_alike = |(old, new): (&CodeLine, &CodeLine)| {
            number_moved(old.text, new.text).is_some() || name(old).is_some() && name(old) == name(new)
        };
        if !pairs().all(is_alike) {
            return None;
        }
        let (line, was, is) = pairs().find_map(|(old, new)| {
            let (was, is) = number_moved(old.text, new.text)?;
            Some((old, was, is))
        })?;
        Some(ChangedTestInput {
            what: format!("the input {was} would become {is}, and what `{}` expects stays", before.title),
            line: line.number,
            severity: Severity::High,
            lost: vec![before.name.clone()],
        })
    })
}

/// The name that a line gives to a value.
fn name<'t>(line: &CodeLine<'t>) -> Option<&'t str> {
    bound(line.text).map(|(name, _)| name)
}

/// Whether a test asserts something, and word for word what it asserted.
fn claims_the_same(before: &Test, after: &Test) -> bool {
    let texts =
        |test: &'_ Test| -> Vec<String> { test.assertions.iter().map(|it| it.text.clone()).collect() };
    before.name == after.name
        && before.skipped == after.skipped
        && before.assertions.iter().any(|it| !it.trivial)
        && texts(before) == texts(after)
}

/// The number, or the unit of time or size, in which two lines differ and that is given to what is tested.
fn number_moved<'t>(old: &'t str, new: &'t str) -> Option<(&'t str, &'t str)> {
    let (before, after) = (signed(old), signed(new));
    if before.len() != after.len() || is_beside(old) {
        return None;
    }
    let number = |word: &str| word.replace('_', "").parse::<f64>().ok();
    let pairs = before.iter().zip(&after).enumerate().filter(|(_, ((_, was), (_, is)))| was != is);
    let mut first = None;
    for (at, ((_, was), (_, is))) in pairs {
        let numbers = number(was).zip(number(is));
        // `1` and `1.0` are the same number.
        if numbers.is_some_and(|(was, is)| (was - is).abs() < f64::EPSILON) {
            continue;
        }
        let is_unit = || unit(was).zip(unit(is)).is_some_and(|(was, is)| was != is);
        let is_number = numbers.is_some() && is_given(old, at) && !(is_date(was) && is_date(is));
        if !is_number && !is_unit() || is_of_surroundings(old, at) {
            return None;
        }
        first = first.or(Some((*was, *is)));
    }
    first
}

/// Whether a word of a line is given to something that says when or where a test runs, by the calls around it, by its key or
/// by the name that the line gives it.
pub(super) fn is_of_surroundings(line: &str, at: usize) -> bool {
    let all = signed(line);
    let word = |at: Option<usize>| at.and_then(|at| all.get(at)).map(|(_, word)| *word).unwrap_or_default();
    let (mut depth, mut is_behind) = (0usize, false);
    // What reads a log is no log.
    let mut around = vec![bound(line).map_or("", |(name, _)| name).trim_start_matches("log")];
    for place in (0..at).rev() {
        match word(Some(place)) {
            ")" | "]" | "}" => depth += 1,
            "(" | "[" | "{" if depth > 0 => depth -= 1,
            "(" => {
                is_behind = false;
                around.push(word(place.checked_sub(1)));
            }
            // The key of another argument is none of this one.
            "," if depth == 0 => is_behind = true,
            "=" | ":" if depth == 0 && !is_behind => around.push(word(place.checked_sub(1))),
            _ => {}
        }
    }
    around.into_iter().any(|name| is_surrounding(name.trim_matches(['"', '\''])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_units_that_are_given_are_told() {
        for (old, new, is_moved) in [
            ("cart.add(\"tea\", 300)", "cart.add(\"tea\", 310)", true),
            ("for n in [0, -1, 65]:", "for n in [0, -1, -65]:", true),
            ("clock.advance(Duration.ofSeconds(30))", "clock.advance(Duration.ofHours(30))", true),
            ("seen = now.plusSeconds(1)", "seen = now.plusDays(1)", true),
            ("cart.add(\"tea\", 300)", "cart.add(\"milk\", 300)", false),
            ("cart.add(\"tea\", 3)", "cart.add(\"tea\", 3.0)", false),
            ("sleep(3)", "sleep(5)", false),
            ("write(&path, &raw[..raw.len() - 3])", "write(&path, &raw[..raw.len() - 9])", true),
            ("serve(root, timeout=3)", "serve(root, timeout=9)", false),
            ("port := 8080", "port := 8081", false),
            ("due = date(2020, 1)", "due = date(2021, 1)", false),
        ] {
            assert_eq!(number_moved(old, new).is_some(), is_moved, "{old} -> {new}");
        }
    }
}
