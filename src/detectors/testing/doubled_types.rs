//! A double of the very type that a file of tests is about, in tests that made the real one: `Mock<Importer>` in
//! `ImporterTests`, `class MockDesk extends Mock implements Desk` in `desk_test`, a spy of the subject that is told answers.
//!
//! What is called on such an object asks the double.

use crate::detectors::testing::replaced_subjects::ChangedTestLines;
use crate::detectors::testing::stand_in_values::{doubles_in, own_function};
use crate::detectors::testing::test_lines::{bound, constructs, declared, is_fake, is_import, words_of};
use crate::languages::subject;
use crate::model::words::has_word;

/// What makes a spy of an object.
const SPIES: &[&str] = &["spyk(", "spyk<", "spy(", "spy<"];
/// How a method is told what it answers.
const TELLING: &[&str] = &[
    "every {",
    "every{",
    "coEvery",
    "when(",
    ".when(",
    "doReturn",
    "doThrow",
    "doAnswer",
    "doNothing",
    "stub(",
    ".returns",
    "given(",
];
/// Words in front of the type that a double is of.
const BEFORE: &[&str] = &["spec", "spec_set", "classOf", "new", "type", "typeof", "ref", "relaxed"];

/// The type that the tests at a path are about and have a double of now, with the line.
pub(super) fn doubled_type(path: &str, asked: &ChangedTestLines) -> Option<(String, u32)> {
    let tested = plain(&subject(path));
    let is_tested = |word: &&str| word.starts_with(char::is_uppercase) && plain(word) == tested;
    let class = words_of(asked.old).find(|word| is_tested(word) && is_made(asked.old, word))?;
    if asked.old.lines().any(|line| is_double_of(line, class) || is_fake_type(line, class)) {
        return None;
    }
    let here = |at: u32| !asked.tests.iter().any(|it| it.contains(&at)) || asked.is_in_kept(at);
    asked.come.iter().filter(|(at, line)| here(*at) && !is_import(line)).find_map(|(at, line)| {
        let is_fake_made = || {
            let mut fakes = asked.come.iter().filter(|(_, it)| is_fake_type(it, class));
            fakes.any(|(of, it)| of != at && declared(it).is_some_and(|name| constructs(line, name)))
        };
        let is_fake_used = || named_fake(asked, line, &tested);
        let is_meant =
            is_double_of(line, class) || is_fake_made() || is_fake_used() || is_told_spy(asked, line, class);
        is_meant.then(|| (class.to_owned(), *at))
    })
}

/// Whether a line uses a fake that is named after the tested type and was not there: `MockDesk.book(…)`, `&fakeDesk{…}`.
fn named_fake(asked: &ChangedTestLines, line: &str, tested: &str) -> bool {
    const FAKES: &[&str] = &["mock", "fake", "stub", "double", "dummy"];
    let is_it = |word: &&str| {
        let bare = plain(word);
        let of_type = |fake: &&str| {
            bare.strip_prefix(*fake).or_else(|| bare.strip_suffix(*fake)).is_some_and(|rest| rest == tested)
        };
        FAKES.iter().any(of_type) && !has_word(asked.old, word)
    };
    let is_used = |word: &str| constructs(line, word) || line.contains(&format!("{word}."));
    declared(line).is_none() && words_of(line).filter(is_it).any(is_used)
}

/// The type that the tests at a path are about, which they make and ask no more, while something of their own has come.
pub(super) fn subject_gone(path: &str, asked: &ChangedTestLines) -> Option<(String, u32)> {
    let tested = plain(&subject(path));
    let is_tested = |word: &&str| word.starts_with(char::is_uppercase) && plain(word) == tested;
    let class = words_of(asked.old).find(|word| is_tested(word) && is_made(asked.old, word))?;
    let is_asked = |text: &str| {
        constructs(text, class) || [".", "::"].iter().any(|sign| text.contains(&format!("{class}{sign}")))
    };
    let is_left = match is_asked(asked.old) {
        true => is_asked(asked.new),
        false => has_word(asked.new, class),
    };
    let brings = asked.come.iter().any(|(_, line)| is_import(line));
    let own = asked.come.iter().find(|(at, line)| {
        let is_own = own_function(line).is_some() || declared(line).is_some() || line.contains("func(");
        is_own && asked.stands_for_kept(*at)
    })?;
    (!is_left && !brings).then(|| (class.to_owned(), own.0))
}

/// A name without signs, in lower case.
fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Whether a text of tests makes an object of a type, or asks the type itself.
fn is_made(text: &str, class: &str) -> bool {
    constructs(text, class)
        || [".", "::"].iter().any(|sign| text.contains(&format!("{class}{sign}")))
        || text.contains(&format!("{class} "))
}

/// Whether a line has a double of a type: the type stands first in what the double is made of.
fn is_double_of(line: &str, class: &str) -> bool {
    doubles_in(line).any(|made| {
        let mut words = words_of(made).filter(|word| !BEFORE.contains(word));
        words.next() == Some(class) && !made.contains(&format!("{class}("))
    })
}

/// Whether a line declares a type that is called a fake and takes a type's place.
fn is_fake_type(line: &str, class: &str) -> bool {
    declared(line).is_some_and(|name| is_fake(name) && name != class)
        && has_word(line, class)
        && (line.contains("Mock ") || line.contains("Fake "))
}

/// Whether a line makes a spy of a type's object, or of one that the test has, and another tells it an answer.
fn is_told_spy(asked: &ChangedTestLines, line: &str, class: &str) -> bool {
    let Some((name, value)) = bound(line) else { return false };
    let Some(inside) = SPIES.iter().find_map(|it| value.split_once(it)).map(|(_, rest)| rest) else {
        return false;
    };
    let object = words_of(inside).find(|word| !BEFORE.contains(word)).unwrap_or_default();
    let makes = |text: &str| bound(text).is_some_and(|(to, value)| to == object && constructs(value, class));
    let is_of_class = object == class || asked.new.lines().any(makes);
    is_of_class
        && asked
            .come
            .iter()
            .any(|(_, it)| *it != line && has_word(it, name) && TELLING.iter().any(|word| it.contains(word)))
}
