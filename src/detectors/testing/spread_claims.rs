//! Lost tests of which each claim stands in a row of a new table, or in a new line of another test: a construct that takes
//! rows, sections that became tests of their own.

use std::collections::BTreeSet;

use crate::detectors::TestComparison;
use crate::detectors::engine::hunks::{CodeLine, hunks};
use crate::detectors::testing::joined_rows::without_messages;
use crate::detectors::testing::row_pieces::{LineRows, constants, values};
use crate::detectors::testing::written_calls::WrittenCalls;
use crate::languages::code::identifiers;
use crate::languages::{Assertion, Language, Strength, Test};

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
    "yield",
    "test_case",
    "Scenario Outline",
];
/// Parts of the names of what asserts, in lower case without `_`.
const ASSERTING: &[&str] =
    &["assert", "expect", "should", "tobe", "toequal", "equal", "check", "require", "throw", "raise"];

/// Whether each claim of a lost test stands in new lines, with the same values and about the same calls.
pub(super) fn is_spread(comparison: &TestComparison, test: &Test) -> bool {
    let (Some(before), Some(after)) =
        (comparison.change.before.as_deref(), comparison.change.after.as_deref())
    else {
        return false;
    };
    let claims: Vec<&Assertion> = test.assertions.iter().filter(|it| !it.trivial && !it.swallowed).collect();
    let comment = Language::of_path(&comparison.change.path).map_or("//", |it| it.refusing().comment);
    let Some(differ) = hunks(comment, before, after).filter(|_| !claims.is_empty()) else { return false };
    let come: Vec<CodeLine> = differ.iter().flat_map(|it| it.come.iter().copied()).collect();
    let known: BTreeSet<String> = values(after).into_iter().collect();
    let text = test.text_in(Some(before));
    let title = test.title.trim_matches(['"', '\'', '`']);
    let is_kept = |value: &String| known.contains(value) || title.contains(value.as_str());
    let least = claims.iter().filter_map(|it| it.claim.strength).min();
    let mut left = NewLines { comparison, come: &come, least, taken: BTreeSet::new() };
    values(&without_titles(&without_messages(text))).iter().all(is_kept)
        && claims.iter().all(|claim| left.take(before, test, claim))
}

/// The lines that are new, each of which stands for one claim.
struct NewLines<'c> {
    comparison: &'c TestComparison<'c>,
    come: &'c [CodeLine<'c>],
    /// What the weakest claim of the lost test says.
    least: Option<Strength>,
    /// The lines, and the rows in them, that stand for a claim already.
    taken: BTreeSet<(usize, Option<usize>)>,
}

impl NewLines<'_> {
    /// Takes the line that says what a claim says, if there is one.
    fn take(&mut self, before: &str, test: &Test, claim: &Assertion) -> bool {
        let text = without_messages(&written(before, claim));
        let wanted = values(&text);
        let calls = calls(&text, test);
        let has_values = |line: &str| {
            let there = values(line);
            wanted.iter().all(|it| there.iter().filter(|other| *other == it).count() >= count(&wanted, it))
        };
        let says_it = |line: &str, at: usize| {
            let has_calls = calls.iter().all(|call| identifiers(line).any(|word| word == call));
            has_values(line) && has_calls && self.claims(at, claim)
        };
        let is_row = |row: &str| self.is_row(row, &text, (&calls, &wanted));
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
        let place = self.come.iter().enumerate().find_map(place).filter(|_| !wanted.is_empty());
        place.is_some_and(|it| self.taken.insert(it))
    }

    /// Whether a new line is an assertion that says as much as another.
    fn claims(&self, at: usize, claim: &Assertion) -> bool {
        let number = self.come.get(at).map_or(0, |it| it.number);
        self.asserted(number).any(|it| {
            !it.trivial
                && !it.swallowed
                && it.claim.strength >= claim.claim.strength
                && it.claim.negated == claim.claim.negated
        })
    }

    /// What the tests assert in a line.
    fn asserted(&self, number: u32) -> impl Iterator<Item = &Assertion> {
        let running = self.comparison.after.tests.iter().filter(|it| it.skipped.is_none());
        running.flat_map(|it| &it.assertions).filter(move |it| it.line == number)
    }

    /// Whether a line is a row of a new table, beside a line that asserts of the same calls as a lost statement.
    /// One value may be the same for all rows, and stand in the asserting line.
    fn is_row(&self, line: &str, text: &str, (calls, wanted): (&[String], &[String])) -> bool {
        let lower = |word: &str| word.replace('_', "").to_lowercase();
        let asserts = |word: &&str| ASSERTING.iter().any(|it| lower(word).contains(it));
        let own: Vec<&str> = identifiers(text).filter(asserts).collect();
        let row: Vec<&str> = identifiers(line).collect();
        let there = values(line);
        let short = |known: &[String]| {
            let each =
                wanted.iter().filter(|it| known.iter().filter(|own| own == it).count() < count(wanted, it));
            each.collect::<BTreeSet<_>>().len()
        };
        let says = |it: &CodeLine| {
            let words: Vec<&str> = identifiers(it.text).collect();
            let all: Vec<String> = there.iter().cloned().chain(values(it.text)).collect();
            let has = |words: &[&str], call: &String| words.contains(&call.as_str());
            // An error that a row names may be of any kind.
            let is_weaker = |it: &Assertion| {
                it.claim.subject != "raise" && it.claim.strength.is_some_and(|is| Some(is) < self.least)
            };
            own.iter().any(|word| words.contains(word))
                && !self.asserted(it.number).any(is_weaker)
                && constants(text).all(|name| words.contains(&name) || row.contains(&name))
                && calls.iter().all(|call| has(&words, call) || has(&row, call))
                && (calls.is_empty() || calls.iter().any(|call| has(&words, call)))
                && short(&all) == 0
        };
        if !there.iter().any(|it| wanted.contains(it)) || short(&there) > 1 {
            return false;
        }
        let is_table = self.come.iter().any(|it| TABLES.iter().any(|word| it.text.contains(word)));
        let is_claim = identifiers(line).any(|word| asserts(&word));
        is_table && !is_claim && !own.is_empty() && self.come.iter().any(says)
    }
}

fn count(all: &[String], value: &String) -> usize {
    all.iter().filter(|it| *it == value).count()
}

/// A claim as it is written: of the lines that it stands in its own part.
fn written(source: &str, claim: &Assertion) -> String {
    let from = usize::try_from(claim.line).unwrap_or(1).saturating_sub(1);
    let lines = source.lines().skip(from).take(12).collect::<Vec<_>>().join("\n");
    let starts = lines.char_indices().filter(|(_, c)| !c.is_whitespace()).map(|(at, _)| at);
    let own = starts.take(400).find_map(|start| {
        let mut left = claim.text.chars();
        let mut expected = left.next();
        for (at, c) in lines.get(start..)?.char_indices().filter(|(_, c)| !c.is_whitespace()) {
            match expected {
                Some(it) if it == c => expected = left.next(),
                Some(_) => return None,
                None => return lines.get(start..start + at),
            }
        }
        expected.is_none().then(|| lines.get(start..)).flatten()
    });
    own.or_else(|| lines.lines().next()).unwrap_or_default().trim().to_owned()
}

/// Heads of parts of tests, which are followed by a title.
const TITLED: &[&str] = &[
    "SECTION", "describe", "it", "test", "context", "Run", "subTest", "should", "scenario", "given", "when",
    "then",
];

/// A test's text without its head and the titles of its parts.
fn without_titles(text: &str) -> String {
    let line = |line: &str| {
        let is_head = identifiers(line).take(3).any(|word| TITLED.contains(&word));
        let quote = line.find(['"', '\'', '`']).filter(|_| is_head);
        let Some((start, mark)) = quote.and_then(|at| Some((at, line.get(at..)?.chars().next()?))) else {
            return line.to_owned();
        };
        let rest = line.get(start + 1..).unwrap_or_default();
        let end = rest.find(mark).map_or(rest.len(), |at| at + 1);
        format!("{}{}", line.get(..start).unwrap_or_default(), rest.get(end..).unwrap_or_default())
    };
    // In its first line a test has its own title and its tags.
    text.lines().skip(1).map(line).collect::<Vec<_>>().join("\n")
}

/// The functions that a statement calls, without those that assert.
fn calls(text: &str, test: &Test) -> Vec<String> {
    let is_asserting = |name: &str| {
        let lower = name.replace('_', "").to_lowercase();
        ASSERTING.iter().any(|it| lower.contains(it))
    };
    let all = WrittenCalls::of(text, &test.title).names;
    all.into_iter()
        .filter(|it| !is_asserting(it) && it.len() > 2 && !test.title.contains(it.as_str()))
        .collect()
}
