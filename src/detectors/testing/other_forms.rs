//! Refusals that tests ask for in another form: a fluent one of the same library, a handler that looks at the error behind
//! a call that must not come through, the error itself for a mark that awaits a panic, a loop over what is refused.
//!
//! Everything that the old form names has to stand in the new one: the call, its values, the kind of the error.

use std::ops::Range;

use crate::detectors::engine::hunks::{CodeLine, hunks};
use crate::detectors::testing::said_within::{FAILURES, is_refusal};
use crate::languages::code::bare;
use crate::languages::{Language, Test};
use crate::model::finding::Change;
use crate::model::words::is_name_part;

/// How assertions are written whose parts come after the error that they await.
const FLUENT: &[&str] = &[
    ".Should().Throw<",
    ".Should().ThrowExactly<",
    ".Should().ThrowAsync<",
    ".Should().ThrowExactlyAsync<",
    ".isThrownBy(",
    "assertThatThrownBy(",
    "shouldThrow<",
    "shouldThrowExactly<",
];
/// Words of the form itself, and of the names that a test gives.
const OF_THE_FORM: &[&str] = &[
    "this", "self", "class", "typeof", "pytest", "val", "let", "const", "var", "mut", "auto", "unwrap", "in",
    "of",
];
/// Words that begin a loop, or a table.
const LOOPS: &[&str] =
    &["for", "foreach", "forEach", "each", "parametrize", "ParameterizedTest", "TestCase", "InlineData"];
/// Words that take an error for what is asked about.
const ERRORS: &[&str] = &["unwrap_err", "expect_err", "is_err", "Err", "err"];
/// Words with which a line is left, hushed or turned, and such as ask for a part.
const EASING: &[&str] = &[
    "if", "unless", "when", "skip", "todo", "pending", "ignore", "except", "catch", "rescue", "continue",
    "break", "return", "next", "or", "true", "not", "ne", "take", "drop", "filter", "first", "head",
];
const OF_PARTS: &[&str] = &[
    "contains",
    "contain",
    "include",
    "includes",
    "match",
    "matches",
    "matching",
    "startsWith",
    "any",
    "anything",
];

/// Whether a test in which no assertion says any more that something is refused says so in another form.
pub(super) fn refuses_otherwise(before: &Test, after: &Test, text: &str) -> bool {
    let refusals: Vec<&str> =
        before.assertions.iter().filter(|it| is_refusal(it)).map(|it| it.text.as_str()).collect();
    let (new, closed) = (words(text), bare(text));
    // An assertion is kept without its blanks: the words of a text are one there.
    let says = |word: &str| new.clone().any(|new| new == word) || word.len() > 3 && closed.contains(word);
    let is_named = |text: &&str| words(text).filter(|it| is_of_the_case(it)).all(says);
    let fluent = after.assertions.iter().filter(|it| !it.swallowed && !it.conditional && is_fluent(&it.text));
    refusals.iter().all(is_named) && fluent.count() + must_not_come_through(text) >= refusals.len()
}

fn is_fluent(text: &str) -> bool {
    let bare = bare(text);
    FLUENT.iter().any(|form| bare.contains(form))
}

/// How many handlers look at an error behind a call after which the test fails.
fn must_not_come_through(text: &str) -> usize {
    let (mut is_open, mut fails, mut found) = (false, false, 0);
    for line in text.lines().map(|line| line.trim_start_matches([' ', '\t', '}'])) {
        let lower = line.to_lowercase().replace('_', "");
        let begins = |heads: &[&str]| heads.iter().any(|head| lower.starts_with(head));
        if begins(&["try {", "try{", "try:", "try do", "begin", "do {"]) || lower == "try" {
            (is_open, fails) = (true, false);
        } else if begins(&["catch", "except", "rescue"]) {
            found += usize::from(is_open && fails);
            is_open = false;
        } else {
            fails |= FAILURES.iter().any(|call| lower.contains(call));
        }
    }
    found
}

/// Whether what the lines of a test asked for that is gone is asked for in its place: in a loop, or of the error itself
/// where a mark awaited a panic. `title` is the line of its name.
pub(super) fn is_asked_anew(change: &Change, lines: &Range<u32>, title: u32, awaits_panic: bool) -> bool {
    let (Some(old), Some(new)) = (change.before.as_deref(), change.after.as_deref()) else { return false };
    let comment = Language::of_path(&change.path).map_or("#", |language| language.refusing().comment);
    let Some(all) = hunks(comment, old, new) else { return false };
    let is_of_test = |line: &CodeLine| lines.contains(&line.number);
    let first = all.iter().position(|it| it.gone.iter().any(is_of_test));
    let last = all.iter().rposition(|it| it.gone.iter().any(is_of_test));
    let (Some(first), Some(last)) = (first, last) else { return false };
    let places = all.get(first..=last).unwrap_or_default();
    let gone = places.iter().flat_map(|it| &it.gone).filter(|it| is_of_test(it) && it.number != title);
    let gone: Vec<&str> = gone.map(|it| it.text).collect();
    let come: Vec<&str> = places.iter().flat_map(|it| &it.come).map(|it| it.text).collect();
    says_all(&gone, &come, awaits_panic)
}

fn says_all(gone: &[&str], come: &[&str], awaits_panic: bool) -> bool {
    let (was, is) = (gone.join("\n"), come.join("\n"));
    let has = |text: &str, word: &str| words(text).any(|it| it == word);
    let code = outside_texts(come);
    let gains = |all: &[&str]| all.iter().any(|word| has(&code, word) && !has(&was, word));
    let gains_sign = |sign: &str| is.contains(sign) && !was.contains(sign);
    let is_local = |word: &str| {
        ["val ", "let ", "const ", "var ", "auto "]
            .iter()
            .any(|head| was.contains(&format!("{head}{word} = ")))
    };
    let named = words(&was).filter(|it| is_of_the_case(it) && !is_local(it));
    let is_form = if awaits_panic { ERRORS.iter().any(|it| has(&is, it)) } else { gains(LOOPS) };
    let is_eased = gains(EASING)
        || ["||", "!=", "*\"", "\"*"].iter().any(|sign| gains_sign(sign))
        || !awaits_panic && gains(OF_PARTS);
    is_form && !is_eased && named.clone().count() > 1 && named.clone().all(|it| has(&is, it))
}

/// What lines say outside of their texts: a title may have any word.
fn outside_texts(lines: &[&str]) -> String {
    lines.iter().flat_map(|line| line.split('"').step_by(2)).collect::<Vec<_>>().join("\n")
}

/// Whether a word says what a test is about, and not how it asks.
fn is_of_the_case(word: &str) -> bool {
    let lower = word.to_lowercase();
    let is_asking =
        ["assert", "expect", "throw", "raise", "should_panic"].iter().any(|it| lower.contains(it));
    !OF_THE_FORM.contains(&word) && !is_asking
}

/// The names and numbers of a text, those of its texts among them; a number with its sign and its fraction.
fn words(text: &str) -> impl Iterator<Item = &str> + Clone {
    text.split(|c: char| !is_name_part(c) && !matches!(c, '-' | '.'))
        .flat_map(|part| {
            let is_number = part.trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit());
            let marks: &[char] = if is_number { &[] } else { &['-', '.'] };
            part.split(marks)
        })
        .map(|it| it.trim_start_matches('$'))
        .filter(|it| !it.is_empty())
}
