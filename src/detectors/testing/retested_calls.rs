//! Lost tests whose question is asked anew under another name: the same code is called with the same inputs, and at least
//! as much is claimed of what it gives, in one test or as a row of a table.

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::detectors::TestComparison;
use crate::detectors::testing::said_within::is_refusal;
use crate::detectors::testing::written_calls::{WrittenCalls, number_of};
use crate::languages::code::bare;
use crate::languages::{Assertion, Strength, Test};

/// A new test, and what it asks.
pub(super) struct NewQuestion<'t> {
    test: &'t Test,
    /// Its text, in which nothing looks like a range that is none.
    text: Cow<'t, str>,
    calls: WrittenCalls,
}

/// What the new tests of a file ask.
pub(super) fn new_questions<'t>(comparison: &'t TestComparison) -> Vec<NewQuestion<'t>> {
    // Kotlin's `3 to 40` is a pair, and no range.
    let has_pairs = [".kt", ".kts"].iter().any(|end| comparison.change.path.ends_with(end));
    let question = |test: &'t Test| {
        let text = test.text_in(comparison.change.after.as_deref());
        let text = if has_pairs { Cow::from(text.replace(" to ", ", ")) } else { Cow::from(text) };
        NewQuestion { test, calls: WrittenCalls::of(&text, &test.title), text }
    };
    comparison.new_tests().map(question).collect()
}

/// Whether a new test asks the question of a lost one, and claims at least as much.
pub(super) fn is_retested(comparison: &TestComparison, new: &[NewQuestion], old: &Test) -> bool {
    let text = old.text_in(comparison.change.before.as_deref());
    if old.suite || new.is_empty() {
        return false;
    }
    let asked = WrittenCalls::of(text, &old.title);
    let asks = |new: &NewQuestion| {
        calls_the_same(&asked, new) && has_inputs(old, &asked, new) && claims_as_much(old, text, new.test)
    };
    !asked.names.is_empty() && new.iter().any(asks)
}

/// Whether a test names each function that another calls.
fn calls_the_same(asked: &WrittenCalls, new: &NewQuestion) -> bool {
    asked.names.iter().all(|name| new.calls.names.contains(name) || new.test.body.mentions(name))
}

/// Whether what a test gives, and the very values that it expects, stand in another. Without any value the other has to
/// claim more, or make the same call.
fn has_inputs(old: &Test, asked: &WrittenCalls, new: &NewQuestion) -> bool {
    let NewQuestion { test: new, text, calls: there } = new;
    let mut wanted: BTreeSet<&str> = asked.inputs.iter().map(String::as_str).collect();
    let exact = old.assertions.iter().filter(|it| is_exact(it)).map(|it| it.claim.expected.as_str());
    let expected: Vec<WrittenCalls> = exact.map(|text| WrittenCalls::of(text, "")).collect();
    wanted.extend(expected.iter().flat_map(|it| &it.values).map(String::as_str));
    let is_there = |value: &&str| there.values.contains(*value) || is_in_range(value, text);
    let all = bare(text);
    let same_call = || asked.calls.iter().any(|call| all.contains(call.as_str()));
    wanted.iter().all(is_there) && (!wanted.is_empty() || strongest(new) > strongest(old) || same_call())
}

fn is_exact(assertion: &Assertion) -> bool {
    assertion.claim.strength == Some(Strength::Exact) && !assertion.claim.negated && !assertion.trivial
}

/// How much the strongest claim of a test says that always counts.
fn strongest(test: &Test) -> Option<Strength> {
    let counting = test.assertions.iter().filter(|it| !it.trivial && !it.swallowed && !it.claim.negated);
    counting.filter_map(|it| it.claim.strength).max()
}

/// Whether a number lies in a range that a text writes out: `-3..<30`, `range(2, 50)`, `(1 to 9)`.
fn is_in_range(value: &str, text: &str) -> bool {
    const SIGNS: &[&str] = &["..<", "..=", "...", "..", " to ", " until "];
    let Some(number) = number_of(value).filter(|it| it.fract() == 0.0) else { return false };
    let is_digit = |c: char| c.is_ascii_digit() || matches!(c, '-' | '_');
    let first = |rest: &str| number_of(rest.split(|c| !is_digit(c)).next().unwrap_or_default());
    let last = |head: &str| number_of(head.rsplit(|c| !is_digit(c)).next().unwrap_or_default());
    let holds = |from: Option<f64>, to: Option<f64>, closed: bool| {
        from.zip(to).is_some_and(|(from, to)| from <= number && (number < to || closed && number == to))
    };
    let between = |sign: &&str| {
        let closed = matches!(*sign, "..=" | "..." | " to ");
        text.match_indices(sign).any(|(at, _)| {
            holds(last(text.get(..at).unwrap_or_default()), first(&text[at + sign.len()..]), closed)
        })
    };
    let called = text.match_indices("range(").any(|(at, word)| {
        let (from, rest) = text[at + word.len()..].split_once(',').unwrap_or_default();
        holds(number_of(from.trim()), first(rest.trim_start()), false)
    });
    called || SIGNS.iter().any(between)
}

/// Whether each claim of a test has one in another that says at least as much: of a refusal that something is refused, of
/// a value as exactly what it is.
fn claims_as_much(old: &Test, text: &str, new: &Test) -> bool {
    let counts = |it: &&Assertion| !it.trivial && !it.swallowed;
    let refuses = || new.assertions.iter().filter(counts).any(is_refused);
    let as_strong = |it: &Assertion| {
        new.assertions.iter().filter(counts).any(|other| {
            other.claim.strength >= it.claim.strength
                && other.claim.negated <= it.claim.negated
                && (!other.conditional || it.conditional)
        })
    };
    let mut all = old.assertions.iter().filter(|it| !it.trivial).peekable();
    if all.peek().is_none() {
        let lower = text.to_lowercase();
        let awaits_error = ["throw", "raise"].iter().any(|word| lower.contains(word));
        return if awaits_error { refuses() } else { strongest(new) == Some(Strength::Exact) };
    }
    // A value that compares the whole answer says as well that the answer is a refusal.
    let names_refusal = || new.assertions.iter().filter(counts).any(is_exact);
    all.all(|it| match it.claim.subject == "raise" || it.claim.strength.is_none() && is_refused(it) {
        true => refuses(),
        false => as_strong(it) || it.claim.strength.is_none() && names_refusal(),
    })
}

/// Whether an assertion says that something is refused, the call of a framework that hands the error over among them.
fn is_refused(assertion: &Assertion) -> bool {
    is_refusal(assertion) || assertion.text.starts_with("intercept[")
}
