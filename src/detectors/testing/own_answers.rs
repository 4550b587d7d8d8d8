//! What a test asked of the project's code, and asks of something that its own file has now: a function that answers, an
//! object of a type of its own, a double of the type that the file of tests is named after.
//!
//! A function of the tests that calls what was called is a way to it, and none in its place.

use crate::detectors::Case;
use crate::detectors::testing::explained_values::is_taken_away;
use crate::detectors::testing::stand_in_values::{is_double, own_function};
use crate::detectors::testing::test_lines::{
    bound, constructs, declared, defined_name, defines, gives_nothing, is_import, new_lines, words_of,
};
use crate::languages::subject;
use crate::model::finding::{Change, Severity};
use crate::model::words::{has_word, is_name_part};

/// More new lines than these are other tests.
const LARGEST: usize = 24;
/// Words of lines that claim something.
const CLAIMS: &[&str] = &["assert", "expect", "should", "require.", "verify", "#expect", "check("];

/// What is no longer asked, with the line that answers for it and how sure that is.
pub(super) fn answered_by_own(case: &Case, change: &Change) -> Option<(String, u32, Severity)> {
    let (old, new) = (change.before.as_deref()?, change.after.as_deref()?);
    let come = new_lines(old, new);
    if come.is_empty() || come.len() > LARGEST {
        return None;
    }
    if let Some((name, line)) = doubled(change, old, new, &come) {
        return Some((name, line, Severity::High));
    }
    let is_new_test = |line: &str| gives_nothing(line) && !has_word(old, defined_name(line));
    let may_answer = come.iter().any(|(_, line)| made(line).is_some() && !is_new_test(line));
    if !may_answer {
        return None;
    }
    let gone = new_lines(new, old);
    let tests = tests(case, change)?;
    let found = come.iter().find_map(|(at, line)| {
        let own = Own { name: made(line)?, body: body(new, *at) };
        let is_new = !old.lines().any(|it| made(it) == Some(own.name));
        let (was, is) = tests.iter().find(|(_, is)| own.is_asked_in(is, &come)).filter(|_| is_new)?;
        let lost = own.lost(old, &gone, was, is)?;
        Some((lost, *at, Severity::High))
    });
    found.filter(|(name, ..)| !is_taken_away(case, change, name))
}

/// Libraries of assertions, as their calls begin.
const ASSERTING: &[&str] =
    &["assert.", "require.", "Assert.", "assertions.", "Assertions.", "expect.", "is.", "self::", "t."];

/// Something that the file of tests has now.
struct Own<'t> {
    name: &'t str,
    body: Vec<&'t str>,
}

impl Own<'_> {
    fn is_called(&self, line: &str) -> bool {
        line.contains(&format!("{}(", self.name)) && has_word(line, self.name)
    }

    /// Whether a new line of a test claims something of what this answers, or gives it a name that a claim is about.
    fn is_asked_in(&self, test: &str, come: &[(u32, &str)]) -> bool {
        let is_claim = |line: &str| {
            let lower = line.to_lowercase();
            CLAIMS.iter().any(|it| lower.contains(it)) || line.trim_start().starts_with("if ")
        };
        // An object of a type of the tests may be handed to what is tested.
        let is_type = self.body.first().is_some_and(|head| declared(head).is_some());
        come.iter().filter(|(_, line)| test.contains(line.trim())).any(|(_, line)| {
            let is_definition = made(line) == Some(self.name) || self.body.contains(line);
            let claims_of = |name: &str| test.lines().any(|it| is_claim(it) && has_word(it, name));
            !is_definition
                && self.is_called(line)
                && (is_claim(line) || !is_type && bound(line).is_some_and(|(name, _)| claims_of(name)))
        })
    }

    /// What of the project a test called in a line that is gone, and neither it nor this calls any more.
    fn lost(&self, old: &str, gone: &[(u32, &str)], was: &str, is: &str) -> Option<String> {
        let calls = |line: &str, name: &str| has_word(line, name) && line.contains(&format!("{name}("));
        let is_own = |name: &str| old.lines().any(|it| defines(it, name) || made(it) == Some(name));
        let of_test = gone.iter().filter(|(_, line)| was.contains(line.trim()) && !is.contains(line.trim()));
        // A method of a type of the tests answers under the same name.
        let is_in_body = |name: &str| self.body.iter().any(|it| calls(it, name) && !defines(it, name));
        let is_still_called = |name: &str| is.lines().any(|line| calls(line, name) && !self.is_called(line));
        let of_line = |name: &String| !is_framework(name) && !is_own(name) && !is_still_called(name);
        let asked_again = |name: &str| {
            let mut lines = is.lines().filter(|line| self.is_called(line));
            lines.any(|line| calls(line, name) && name != self.name && !self.answers(name))
        };
        let is_claimed =
            |line: &str, name: &str| ASSERTING.iter().any(|head| line.contains(&format!("{head}{name}(")));
        let all: Vec<String> = of_test
            .flat_map(|(_, line)| called_in(line).into_iter().filter(|it| !is_claimed(line, it)))
            .filter(|it| of_line(it) && !asked_again(it))
            .collect();
        // What still reaches the project's code answers by it.
        let reaches = |line: &&str| {
            let imported =
                |word: &str| old.lines().any(|it| is_import(it) && !is_of_language(it) && has_word(it, word));
            words_of(line)
                .filter(|word| word.len() > 2 && *word != self.name)
                .any(|word| imported(word) || !defines(line, word) && all.iter().any(|it| it == word))
        };
        let is_way = self.body.iter().any(reaches);
        all.iter().find(|it| !is_in_body(it)).filter(|_| !is_way).cloned()
    }

    /// Whether this is a type with a method of this name.
    fn answers(&self, name: &str) -> bool {
        self.body.iter().any(|line| defines(line, name))
    }
}

/// Whether an import brings something of the language itself, which asks nothing of the project.
fn is_of_language(line: &str) -> bool {
    const HEADS: &[&str] = &[
        "import java.",
        "import static java.",
        "import javax.",
        "import kotlin.",
        "import scala.",
        "using System",
        "use std::",
        "use core::",
        "import Foundation",
        "import math",
        "import json",
        "import re",
        "import datetime",
        "import decimal",
        "from decimal ",
        "from datetime ",
        "from math ",
        "from collections",
        "from dataclasses ",
        "from typing ",
        "from itertools ",
        "from functools ",
        "from fractions ",
    ];
    let line = line.trim();
    HEADS.iter().any(|head| line.starts_with(head))
        || ["'dart:", "\"node:", "'node:"].iter().any(|it| line.contains(it))
}

/// The tests of a file that stay, each with its text before and after.
fn tests<'c>(case: &Case, change: &'c Change) -> Option<Vec<(&'c str, &'c str)>> {
    let outline = |text: &Option<String>| {
        case.read(&change.path, text.as_deref()?, |reading| reading.outline_at(&change.path))
    };
    let (before, after) = (outline(&change.before)?, outline(&change.after)?);
    let pairs = before.tests.iter().filter(|it| !it.suite).filter_map(|old| {
        let new = after.tests.iter().find(|it| it.name == old.name && !it.suite)?;
        Some((old.text_in(change.before.as_deref()), new.text_in(change.after.as_deref())))
    });
    Some(pairs.filter(|(old, new)| old != new).collect())
}

/// What a line of the tests' own makes that can answer: a function or a type.
fn made(line: &str) -> Option<&str> {
    if is_import(line) {
        return None;
    }
    let of_function = || own_function(line).map(|it| it.0);
    // `private static int Half(int n) => n / 2;`
    let of_method = || {
        let name = defined_name(line);
        (name.len() > 2 && defines(line.split("=>").next()?, name) && !line.trim_start().starts_with("async"))
            .then_some(name)
    };
    declared(line).or_else(of_function).or_else(of_method)
}

/// The lines of what a line begins: itself, and those that stand further in.
fn body(text: &str, line: u32) -> Vec<&str> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut lines = text.lines().skip(usize::try_from(line).unwrap_or(1).saturating_sub(1));
    let Some(head) = lines.next() else { return Vec::new() };
    let inner = lines.take_while(|it| it.trim().is_empty() || indent(it) > indent(head));
    std::iter::once(head).chain(inner).collect()
}

/// A double of the type that the file of tests is named after, where the tests had a real one.
fn doubled(change: &Change, old: &str, new: &str, come: &[(u32, &str)]) -> Option<(String, u32)> {
    let tested = subject(&change.path).replace(['_', '-'], "");
    let is_tested = |name: &str| name.starts_with(char::is_uppercase) && name.to_lowercase() == tested;
    let made_of = |line: &'_ str| -> Option<(String, String)> {
        let (name, value) = bound(line)?;
        let class = words_of(value).find(|word| is_tested(word) && constructs(value, word))?;
        (!is_double(value)).then(|| (name.to_owned(), class.to_owned()))
    };
    let (at, name, class) = come.iter().find_map(|(at, line)| {
        let (name, value) = bound(line).filter(|it| is_double(it.1))?;
        let was = old.lines().filter_map(made_of).find(|(other, _)| other == name)?;
        has_word(value, &was.1).then_some((*at, name, was.1))
    })?;
    let is_still_made = new.lines().filter_map(made_of).any(|(other, _)| other == name);
    (!is_still_made).then_some((class, at))
}

/// Whether a call belongs to what tests are written with, or to a language.
pub(super) fn is_framework(name: &str) -> bool {
    const PLAIN: &[&str] = &[
        "to",
        "be",
        "eq",
        "equal",
        "it",
        "test",
        "run",
        "if",
        "for",
        "map",
        "len",
        "list",
        "set",
        "array_map",
        "sorted",
        "println",
        "size",
        "of",
        "abs",
        "sum",
        "fn",
        "func",
        "function",
        "string",
        "range",
        "new",
        "catch",
    ];
    // How matchers and doubles are named that a move to another framework leaves behind.
    const HEADS: &[&str] = &["toBe", "toHave", "toContain", "toMatch", "toReturn", "mockRe", "mockIm"];
    let lower = name.to_lowercase();
    PLAIN.contains(&lower.as_str())
        || HEADS.iter().any(|head| name.starts_with(head))
        || ["assert", "expect", "throw", "raises", "should", "fatal", "error", "verify", "equal"]
            .iter()
            .any(|it| lower.contains(it))
}

/// The names that a line calls.
pub(super) fn called_in(line: &str) -> Vec<String> {
    let names = line.match_indices('(').filter_map(|(at, _)| {
        let head = line.get(..at)?;
        let start = head.rfind(|c: char| !is_name_part(c)).map_or(0, |at| at + 1);
        head.get(start..).filter(|name| name.len() > 2).map(str::to_owned)
    });
    names.collect()
}
