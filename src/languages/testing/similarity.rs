//! How much two tests look like one.
//!
//! The thresholds stand here and nowhere else.

use std::collections::BTreeSet;

use crate::languages::assertions::model::Strength;
use crate::languages::testing::outline::{Assertion, Test};
use crate::model::words::words;

/// Bodies at least this alike are one test under two names.
pub(crate) const SAME: f32 = 0.6;
/// Bodies at least this alike are one test when the titles are related as well.
pub(crate) const RELATED: f32 = 0.35;
/// Bodies at least this alike are one test when the titles are equal.
pub(crate) const NAMESAKE: f32 = 0.2;
/// With fewer tokens a body says too little to tell two tests apart.
pub(crate) const TINY: usize = 4;
/// The share of a test's lines, words or literals that must turn up for it to be found in something larger.
pub(crate) const MOST: f32 = 0.6;
pub(crate) const HALF: f32 = 0.5;
pub(crate) const NEARLY_ALL: f32 = 0.8;
/// More pairs than this are not compared one by one.
pub(crate) const MOST_PAIRS: usize = 250_000;

pub(crate) fn is_table(test: &Test) -> bool {
    test.looped || test.cases.is_some_and(|rows| rows > 1)
}

/// How much two tests look like one, or `None` when they are two.
pub(crate) fn likeness(old: &Test, new: &Test) -> Option<f32> {
    likeness_by(old, new, || kinship(&title_words(&old.title), &title_words(&new.title)))
}

/// The same with what the words of their titles have in common, which is asked only where titles and bodies leave it open.
pub(super) fn likeness_by(old: &Test, new: &Test, kinship: impl FnOnce() -> f32) -> Option<f32> {
    // What has no name of its own is one only by its values.
    let is_nameless = new.title_span.start > 0 && new.title_span.is_empty();
    if is_nameless && old.body.has_literals() && old.body.literals_within(&new.body) < HALF {
        return None;
    }
    let alike = old.body.similarity(&new.body);
    let is_tiny = old.body.len() < TINY && new.body.len() < TINY;
    if alike < NAMESAKE && !is_tiny && old.title != new.title {
        return None;
    }
    let titles = if old.title == new.title { 1.0 } else { kinship() };
    let is_one = alike >= SAME
        || (titles == 1.0 && (alike >= NAMESAKE || is_tiny || sets_up_elsewhere(old, new)))
        || (titles >= 0.5 && alike >= RELATED)
        || (alike >= RELATED && says_all(old, new));
    is_one.then_some(alike + titles / 2.0)
}

/// Whether a test has every assertion of another, word for word.
fn says_all(old: &Test, new: &Test) -> bool {
    let mut real = old.assertions.iter().filter(|it| !it.trivial).peekable();
    real.peek().is_some() && real.all(|it| new.assertions.iter().any(|other| other.text == it.text))
}

/// Whether a test that stands in another file than `old` did claims as much: as many things as exactly, about the values that
/// the old one names. A name alone carries nothing. Between two languages only the number counts.
pub(crate) fn claims_as_much(old: &Test, new: &Test, is_same_language: bool) -> bool {
    let is_set_up_elsewhere = is_same_language && sets_up_elsewhere(old, new);
    let keeps_values = |share: f32| {
        is_set_up_elsewhere || !old.body.has_literals() || old.body.literals_within(&new.body) >= share
    };
    if says_all(old, new) || !old.assertions.iter().any(is_real) {
        return true;
    }
    if is_table(new) {
        return keeps_values(HALF);
    }
    if new.assertions.is_empty() {
        // A helper may hold them.
        return old.body.has_literals()
            && keeps_values(NEARLY_ALL)
            && old.body.words_within(&new.body) >= MOST;
    }
    let count = |test: &Test, strength: Strength| {
        let says = |it: &&Assertion| is_real(it) && it.claim.strength.is_none_or(|has| has >= strength);
        test.assertions.iter().filter(says).count()
    };
    let strengths = [Strength::Nothing, Strength::Kind, Strength::Partial, Strength::Exact];
    let mut asked = strengths.into_iter().filter(|it| is_same_language || *it == Strength::Nothing);
    keeps_values(HALF) && asked.all(|strength| count(new, strength) >= count(old, strength))
}

/// Whether a test is another of its title whose samples stand around it now: each assertion is there but for its names, and no
/// value is new.
fn sets_up_elsewhere(old: &Test, new: &Test) -> bool {
    let mut forms: Vec<String> =
        new.assertions.iter().filter(|it| is_real(it)).map(|it| form(&it.text)).collect();
    let takes = |assertion: &Assertion| {
        let place = forms.iter().position(|it| *it == form(&assertion.text));
        place.map(|place| forms.swap_remove(place)).is_some()
    };
    old.title == new.title
        && new.body.has_literals()
        && new.body.names_only_literals_of(&old.body)
        && old.assertions.iter().filter(|it| is_real(it)).all(takes)
}

/// The text of an assertion without the names in it: its values and how they stand to each other.
fn form(text: &str) -> String {
    let (mut quote, mut is_in_name) = (None, false);
    let mut form = String::new();
    for letter in text.chars() {
        is_in_name =
            quote.is_none() && (letter.is_alphabetic() || letter == '_' || is_in_name && letter.is_numeric());
        match quote {
            Some(end) if end == letter => quote = None,
            None if matches!(letter, '"' | '\'' | '`') => quote = Some(letter),
            _ => {}
        }
        form.extend((!is_in_name).then_some(letter));
    }
    form
}

/// Whether an assertion can fail, and fails its test then.
fn is_real(assertion: &Assertion) -> bool {
    !assertion.trivial && !assertion.swallowed
}

/// Share of words that two titles have in common.
pub(super) fn kinship(left: &BTreeSet<String>, right: &BTreeSet<String>) -> f32 {
    let common = left.intersection(right).count();
    let all = left.len() + right.len() - common;
    if all == 0 { 0.0 } else { common as f32 / all as f32 }
}

/// Whether the first title names a whole of which the second is a part: `make response`, `make response no args`.
pub(crate) fn is_broader(whole: &str, part: &str) -> bool {
    let (whole, part) = (title_words(whole), title_words(part));
    whole.len() > 1 && whole.len() < part.len() && whole.is_subset(&part)
}

pub(crate) fn title_words(title: &str) -> BTreeSet<String> {
    let words = words(title).into_iter();
    words.filter(|word| !matches!(&**word, "test" | "should" | "it" | "the" | "a")).collect()
}

pub(crate) fn is_skipped(test: &Test) -> bool {
    test.skipped.as_ref().is_some_and(|skip| skip.when.stops())
}
