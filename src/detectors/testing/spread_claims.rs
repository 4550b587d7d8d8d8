//! Lost tests of which each claim stands in a row of a new table, or in a new line of another test: a construct that takes
//! rows, sections that became tests of their own.

use std::collections::BTreeSet;

use crate::detectors::TestComparison;
use crate::detectors::engine::code_lines::QUOTES;
use crate::detectors::engine::hunks::CodeLine;
use crate::detectors::testing::joined_rows::without_messages;
use crate::detectors::testing::lost_claims::{
    LostClaim, asserts, awaits_error, only_fails, without_failures, without_titles,
};
use crate::detectors::testing::row_pieces::{LineRows, constants, documented_rows, values};
use crate::detectors::testing::said_within::{is_caught, is_refusal};
use crate::detectors::testing::tested_functions::lines_of;
use crate::detectors::testing::word_edit::each_word;
use crate::languages::code::identifiers;
use crate::languages::{Assertion, Strength, Test};

/// How constructs are written that take rows.
const TABLES: &[&str] = &[
    "withData",
    "withTests",
    "forAll",
    "row(",
    "where:",
    "Table(",
    "arguments:",
    "CsvSource",
    "MethodSource",
    "InlineData",
    "MemberData",
    "TestCase",
    "DataRow",
    "->with(",
    "ataProvider",
    "#[case",
    "#[values",
    "INSTANTIATE",
    "::Values(",
    "GENERATE",
    "each",
    "parametrize",
    "subTest",
    "for ",
    "forEach",
    "Each",
    "foreach",
    "TestWith",
    "testWith",
    "yield",
    "test_case",
    "Scenario Outline",
];

/// What comes with a change of a file: the lines, and the values of the whole text after.
pub(super) struct Spread<'t> {
    come: Vec<CodeLine<'t>>,
    known: BTreeSet<String>,
}

impl<'t> Spread<'t> {
    /// `None` where more differs than an edit is.
    pub(super) fn of(comparison: &'t TestComparison) -> Option<Self> {
        let (before, after) = (comparison.change.before.as_deref()?, comparison.change.after.as_deref()?);
        let places = comparison.places()?;
        let mut come: Vec<CodeLine> = places.iter().flat_map(|it| it.come.iter().copied()).collect();
        come.extend(documented_rows(before, after));
        Some(Spread { come, known: values(after).into_iter().collect() })
    }
}

/// Whether each claim of a lost test stands in new lines, with the same values and about the same calls.
pub(super) fn is_spread(comparison: &TestComparison, new: Option<&Spread>, test: &Test) -> bool {
    let (Some(Spread { come, known }), Some(before)) = (new, comparison.change.before.as_deref()) else {
        return false;
    };
    // What only fails the test where no error comes is said with the error.
    let counts = |it: &&Assertion| !it.trivial && !it.swallowed && !only_fails(it);
    let claims: Vec<&Assertion> = test.assertions.iter().filter(counts).collect();
    if claims.is_empty() {
        return false;
    }
    let text = test.text_in(Some(before));
    let title = test.title.trim_matches(['"', '\'', '`']);
    let is_name = |value: &str| each_word(text).any(|(_, word)| word == value);
    let is_kept = |value: &String| {
        // The heads of a table are the names of what it gives.
        value == "true" || known.contains(value) || title.contains(value.as_str()) || is_name(value)
    };
    let least = claims.iter().filter_map(|it| it.claim.strength).min();
    let mut left = NewLines { comparison, come, least, taken: BTreeSet::new() };
    values(&without_titles(&without_failures(&without_messages(text)))).iter().all(is_kept)
        && claims.iter().all(|claim| left.take(before, test, claim))
}

/// The lines that are new, each of which stands for one claim.
struct NewLines<'c, 'a> {
    comparison: &'c TestComparison<'a>,
    come: &'c [CodeLine<'c>],
    /// What the weakest claim of the lost test says.
    least: Option<Strength>,
    /// The lines, and the rows in them, that stand for a claim already.
    taken: BTreeSet<(usize, Option<usize>)>,
}

impl NewLines<'_, '_> {
    /// Takes the line that says what a claim says, if there is one.
    fn take(&mut self, before: &str, test: &Test, claim: &Assertion) -> bool {
        let claim = LostClaim::of(before, test, claim);
        let LostClaim { ref calls, ref wanted, .. } = claim;
        let has_values = |line: &str| {
            let there = values(line);
            wanted.iter().all(|it| there.iter().filter(|other| *other == it).count() >= count(wanted, it))
        };
        let says_it = |line: &str, at: usize| {
            let has = |line: &str, call: &String| identifiers(line).any(|word| word == call);
            // What a loop gave stands in rows now.
            let in_rows = |call: &String| test.looped && self.come.iter().any(|it| has(it.text, call));
            let has_calls = calls.iter().all(|call| has(line, call) || in_rows(call));
            has_values(line) && has_calls && self.claims(at, &claim)
        };
        let is_row = |row: &str| self.is_row(row, &claim);
        let place = |(at, line): (usize, &CodeLine)| {
            let is_taken = |piece: Option<usize>| self.taken.contains(&(at, piece));
            let LineRows { rows, bracketed } = LineRows::of(line.text);
            let is_used = self.taken.range((at, Some(0))..=(at, Some(usize::MAX))).next().is_some();
            if is_taken(None) {
                return None;
            }
            if !is_used && says_it(line.text, at) {
                return Some((at, None));
            }
            let mut free = rows.iter().enumerate().filter(|(piece, _)| !is_taken(Some(*piece)));
            let piece = free.find(|(_, row)| is_row(row)).map(|(piece, _)| (at, Some(piece)));
            piece.or_else(|| (!is_used && !bracketed && is_row(line.text)).then_some((at, None)))
        };
        let place =
            self.come.iter().enumerate().find_map(place).filter(|_| !wanted.is_empty() || test.looped);
        place.is_some_and(|it| self.taken.insert(it))
    }

    /// Whether a new line is an assertion that says as much as another.
    fn claims(&self, at: usize, lost: &LostClaim) -> bool {
        let Some(line) = self.come.get(at) else { return false };
        let claim = &lost.claim.claim;
        let says = |it: &Assertion| it.claim.strength >= claim.strength && it.claim.negated == claim.negated;
        self.asserted(line.number).any(|it| !it.trivial && !it.swallowed && says(it))
            || is_refusal(lost.claim) && self.says_as_much(line, lost, &[])
            || is_caught(&claim.subject) && self.asserted(line.number).any(is_refusal)
    }

    /// What the tests assert in a line.
    fn asserted(&self, number: u32) -> impl Iterator<Item = &Assertion> {
        let running = self.comparison.after.tests.iter().filter(|it| it.skipped.is_none());
        running.flat_map(|it| &it.assertions).filter(move |it| it.line == number)
    }

    /// Whether a line says in words of its own, with those of a row, what a claim says: that something is refused, or as
    /// much of a value.
    fn says_as_much(&self, line: &CodeLine, lost: &LostClaim, row: &[&str]) -> bool {
        let claim = lost.claim;
        let is_kind = |word: &&str| word.ends_with("Error") || word.ends_with("Exception");
        let names_kind = |text: &str| {
            let mut kinds = identifiers(&claim.text).filter(is_kind);
            kinds.all(|kind| text.contains(kind) || row.contains(&kind))
        };
        let says = |it: &Assertion| match is_refusal(claim) {
            true => is_refusal(it) && names_kind(&it.text),
            false => it.claim.strength >= claim.claim.strength && it.claim.negated == claim.claim.negated,
        };
        self.asserted(line.number).any(|it| !it.trivial && !it.swallowed && says(it))
            || lost.is_beside && self.stands_in_refusal(line.number, names_kind)
    }

    /// Whether a line stands in a test that awaits a refusal of some kind.
    fn stands_in_refusal(&self, number: u32, is_kind: impl Fn(&str) -> bool) -> bool {
        let text = self.comparison.change.after.as_deref().unwrap_or_default();
        self.comparison.after.tests.iter().any(|it| {
            it.skipped.is_none()
                && it.assertions.iter().any(|it| is_refusal(it) && is_kind(&it.text))
                && lines_of(text, it).contains(&number)
        })
    }

    /// The words of a line, and those of what it calls that is new as well: a matcher of the file's own.
    fn words_of<'t>(&'t self, line: &'t CodeLine) -> Vec<&'t str> {
        let mut words: Vec<&str> = identifiers(line.text).collect();
        let is_called = |name: &&str| line.text.contains(&format!("{name}("));
        let called: Vec<&str> = words.iter().copied().filter(is_called).collect();
        for (head, next) in self.come.iter().zip(self.come.iter().skip(1)) {
            let is_head = head.number != line.number && head.text.ends_with(['{', '>', '=', ':', ')']);
            if is_head && called.iter().any(|name| head.text.contains(&format!("{name}("))) {
                words.extend(identifiers(head.text).chain(identifiers(next.text)));
            }
        }
        words
    }

    /// Whether a line is a row of a new table, beside a line that asserts of the same calls as a lost statement.
    /// Values may be the same for all rows, and stand in the asserting line.
    fn is_row(&self, line: &str, lost: &LostClaim) -> bool {
        let LostClaim { text, calls, wanted, .. } = lost;
        let own: Vec<&str> = identifiers(text).filter(|word| asserts(word)).collect();
        let row: Vec<&str> = identifiers(line).collect();
        let there = values(line);
        let short = |known: &[String]| {
            let each =
                wanted.iter().filter(|it| known.iter().filter(|own| own == it).count() < count(wanted, it));
            each.collect::<BTreeSet<_>>().len()
        };
        let says = |it: &CodeLine| {
            let words = self.words_of(it);
            let all: Vec<String> = there.iter().cloned().chain(values(it.text)).collect();
            let has = |words: &[&str], call: &String| words.contains(&call.as_str());
            let awaits = is_refusal(lost.claim) && words.iter().any(|word| awaits_error(word));
            // An error that a row names may be of any kind.
            let is_weaker = |it: &Assertion| {
                !awaits
                    && it.claim.subject != "raise"
                    && it.claim.strength.is_some_and(|is| Some(is) < self.least)
            };
            (own.iter().any(|word| words.contains(word)) || self.says_as_much(it, lost, &row))
                && !self.asserted(it.number).any(is_weaker)
                && constants(text).all(|name| words.contains(&name) || row.contains(&name))
                && calls.iter().all(|call| has(&words, call) || has(&row, call))
                && (calls.is_empty() || calls.iter().any(|call| has(&words, call)))
                && short(&all) == 0
        };
        let is_table = self.come.iter().any(|it| TABLES.iter().any(|word| it.text.contains(word)));
        let is_claim = each_word(line).any(|(_, word)| !word.starts_with(QUOTES) && asserts(word));
        let is_of_case = there.iter().any(|it| wanted.contains(it));
        is_of_case && is_table && !is_claim && !own.is_empty() && self.come.iter().any(says)
    }
}

fn count(all: &[String], value: &String) -> usize {
    all.iter().filter(|it| *it == value).count()
}
