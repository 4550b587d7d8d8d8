//! Inputs that stood at a limit of the product and stand far beyond it now, beside a limit that the session has moved: 301
//! hours that became 10,000 while 300 became 400. A test of the new limit stands at the new limit.

use crate::detectors::engine::hunks::CodeLine;
use crate::detectors::engine::line_pairs::{is_even, line_pairs, places_of};
use crate::detectors::testing::explained_values::{product_changes, uncommented};
use crate::detectors::testing::shifted_inputs::expects_the_same;
use crate::detectors::testing::test_inputs::{ChangedTestInput, unit};
use crate::detectors::testing::word_edit::{is_sign, words_of};
use crate::detectors::{Case, TestComparison};
use crate::languages::Language;
use crate::model::finding::{Change, Severity};

/// More lines than these are other tests.
const FEW: usize = 4;
/// So near to a limit, as a part of it, stands what tests it.
const NEAR: f64 = 0.1;
/// So far from a limit stands what tests nothing of it.
const FAR: f64 = 0.45;
/// Seconds of a unit, by its order.
const SECONDS: &[f64] =
    &[1e-9, 1e-6, 1e-3, 1.0, 60.0, 3600.0, 86_400.0, 604_800.0, 2_592_000.0, 31_536_000.0];

/// A number of a line, as it is written and in seconds where a unit of time stands beside it.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Amount {
    plain: f64,
    scaled: f64,
}

/// A limit before and after.
type Moved = (Amount, Amount);

/// The first test whose input left a limit that the session has moved.
pub(super) fn left_its_limit(case: &Case, comparison: &TestComparison) -> Option<ChangedTestInput> {
    let all = comparison.places()?;
    let lines: usize = all.iter().map(|it| it.gone.len()).sum();
    if !all.iter().all(is_even) || !(1..=FEW).contains(&lines) {
        return None;
    }
    let inputs: Vec<(&CodeLine, &CodeLine, Vec<Moved>)> = line_pairs(all)
        .map(|(was, is)| (was, is, moved(was, is)))
        .filter(|(.., amounts)| amounts.iter().any(is_other))
        .collect();
    let keeps_claims = || {
        let mut kept = comparison.kept().filter(|(before, _)| !before.suite);
        comparison.kept().count() == comparison.before.tests.len()
            && kept.all(|(before, after)| before.assertions.is_empty() || expects_the_same(before, after))
    };
    if inputs.is_empty() || !keeps_claims() {
        return None;
    }
    // What the session did besides is asked last: git has to tell.
    let limits: Vec<Moved> = product_changes(case, &comparison.change.path).flat_map(limits_of).collect();
    let (was, is, _) = inputs.iter().find(|(.., amounts)| limits.iter().any(|it| leaves(amounts, it)))?;
    let own = comparison.before.tests.iter().filter(|test| !test.suite && test.span.contains(&was.at));
    Some(ChangedTestInput {
        what: format!(
            "`{}` would become `{}`, far from where the limit is since this session moved it",
            was.text, is.text
        ),
        line: was.number,
        severity: Severity::High,
        lost: own.map(|test| test.name.clone()).collect(),
    })
}

/// The limits that a change of the product moves.
fn limits_of<'a>(change: &'a Change) -> Vec<Moved> {
    let Some((language, all)) = Language::of_path(&change.path).zip(places_of(change)) else {
        return Vec::new();
    };
    let bare =
        |line: &CodeLine<'a>| CodeLine { text: uncommented(language.refusing().comment, line.text), ..*line };
    let found = line_pairs(&all).flat_map(|(was, is)| moved(&bare(was), &bare(is)));
    found.filter(is_other).collect()
}

/// The amounts of two lines that have as many of them, and the same names but for those of units.
fn moved(was: &CodeLine, is: &CodeLine) -> Vec<Moved> {
    let (old, new): (Vec<&str>, Vec<&str>) = (words_of(was).collect(), words_of(is).collect());
    let is_plain = |word: &str| number(word).is_some() || unit(word).is_some() || is_sign(word);
    let names = |all: &[&str]| -> Vec<String> {
        all.iter().filter(|it| !is_plain(it)).map(|it| (*it).to_owned()).collect()
    };
    let (before, after) = (amounts(&old), amounts(&new));
    if before.len() != after.len() || names(&old) != names(&new) {
        return Vec::new();
    }
    before.into_iter().zip(after).collect()
}

fn amounts(words: &[&str]) -> Vec<Amount> {
    let at = |index: Option<usize>| index.and_then(|it| words.get(it)).copied().unwrap_or_default();
    let named = |index: usize| {
        // `ofMinutes(16)`, `days=42`, `minutes: 5`, `5 * time.Second`, `600 seconds`.
        let before = [index.checked_sub(2), index.checked_sub(1)];
        let after = [Some(index + 1), Some(index + 2), Some(index + 4)];
        before.into_iter().chain(after).find_map(|it| unit(at(it)))
    };
    let amount = |(index, word): (usize, &&str)| {
        let plain = number(word)?;
        let scale = named(index).and_then(|it| SECONDS.get(usize::from(it))).copied().unwrap_or(1.0);
        Some(Amount { plain, scaled: plain * scale })
    };
    words.iter().enumerate().filter_map(amount).collect()
}

fn number(word: &str) -> Option<f64> {
    let bare = word.trim_matches(['"', '\'', '`']).replace('_', "");
    let end = bare.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(bare.len());
    let is_typed = matches!(bare.get(end..)?, "" | "L" | "l" | "m" | "f" | "d" | "u" | "n" | "F" | "D" | "M");
    bare.get(..end).filter(|_| is_typed)?.parse().ok()
}

fn is_other(amounts: &Moved) -> bool {
    amounts.0 != amounts.1
}

/// Whether one of the amounts of a line stood at a limit, by itself or beside another one, and stands far from it now.
fn leaves(amounts: &[Moved], limit: &Moved) -> bool {
    let far = |was: f64, is: f64, (from, to): (f64, f64)| {
        from > 0.0
            && to > 0.0
            && (from - to).abs() > f64::EPSILON
            && (was - from).abs() <= NEAR * from
            && (is - to).abs() >= FAR * to
    };
    // Without its unit a limit is comparable only where that is the same: 30 seconds are less than one minute.
    let has_one_unit = limit.0.plain * limit.1.scaled == limit.1.plain * limit.0.scaled;
    let plain = if has_one_unit { (limit.0.plain, limit.1.plain) } else { (0.0, 0.0) };
    let scaled = (limit.0.scaled, limit.1.scaled);
    let is_far = |(was, is): &Moved| far(was.plain, is.plain, plain) || far(was.scaled, is.scaled, scaled);
    // `check({100, 126})`: the limit is one of their distance.
    let beside = |other: &Moved, (was, is): &Moved| {
        !is_other(other) && far((was.plain - other.0.plain).abs(), (is.plain - other.1.plain).abs(), plain)
    };
    let mut others = amounts.iter().filter(|it| is_other(it));
    others.any(|it| is_far(it) || amounts.iter().any(|other| beside(other, it)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_follows_its_limit_or_leaves_it() {
        let line = |text| CodeLine { text, at: 0, number: 1 };
        let of = |was, is| moved(&line(was), &line(is));
        for (limit, input, expected) in [
            (("if h > 300 {", "if h > 400 {"), ("hours(301)", "hours(9_000)"), true),
            (("if h > 300 {", "if h > 400 {"), ("hours(301)", "hours(401)"), false),
            (("if h > 300 {", "if h > 400 {"), ("hours(250)", "hours(9_000)"), false),
            (("MAX = 1000", "MAX = 950"), ("board(990)", "board(900)"), false),
            (("DEPTH = 32", "DEPTH = 64"), ("nest(40)", "nest(80)"), false),
            (("TTL = ofMinutes(15)", "TTL = ofHours(15)"), ("go(ofMinutes(16))", "go(ofDays(1))"), true),
            (("SKEW = ofSeconds(30)", "SKEW = ofMinutes(1)"), ("at(31)", "at(61)"), false),
            (("TTL = ofMinutes(10)", "TTL = ofMinutes(30)"), ("ttl(601)", "ttl(1801)"), false),
            (("SPREAD = 25.0", "SPREAD = 125.0"), ("tick({100, 126})", "tick({100, 300})"), true),
            (("SPREAD = 25.0", "SPREAD = 15.0"), ("tick({100, 126})", "tick({100, 116})"), false),
        ] {
            let (limits, inputs) = (of(limit.0, limit.1), of(input.0, input.1));
            let found = limits.iter().any(|it| leaves(&inputs, it));
            assert_eq!(found, expected, "{limit:?}: {input:?}");
        }
    }
}
