//! What the assertions of a file's tests ask: which functions, called on what, and what their subjects begin with.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::detectors::Case;
use crate::detectors::testing::same_subjects::LocalSubjects;
use crate::detectors::testing::test_lines::bound;
use crate::languages::code::bare;
use crate::languages::{Assertion, Strength, Test};
use crate::model::finding::Change;
use crate::model::words::is_name_part;

/// Functions that only count, list or order what they are given.
const WRAPPERS: &[&str] =
    &["len", "list", "sorted", "set", "tuple", "dict", "str", "sum", "next", "count", "iterator_to_array"];

/// What assertions are about that stay.
#[derive(Default)]
pub(super) struct TestedSubjects {
    /// The functions that they asked, each with what it is called on.
    pub(super) before: BTreeSet<(String, String)>,
    /// Those that they ask.
    pub(super) after: BTreeSet<(String, String)>,
    /// The lines of each test.
    pub(super) tests: Vec<Range<u32>>,
    /// Those that a test asked and asks, whatever it expects of them now, with its lines.
    pub(super) again: Vec<(Range<u32>, (String, String))>,
    /// The names that their subjects begin with, with the lines of the test that they stand in.
    pub(super) roots: Vec<(Range<u32>, BTreeSet<String>)>,
}

impl TestedSubjects {
    pub(super) fn of(case: &Case, change: &Change) -> Self {
        let outline = |text: &Option<String>| {
            case.read(&change.path, text.as_deref()?, |reading| reading.outline_at(&change.path))
        };
        let mut found = TestedSubjects::default();
        let (Some(old), Some(new)) = (outline(&change.before), outline(&change.after)) else {
            return found;
        };
        let text = change.after.as_deref().unwrap_or_default();
        let ends = line_ends(text);
        let lines_of = |test: &Test| lines_between(&ends, &test.span);
        found.tests = new.tests.iter().filter(|it| !it.suite).map(lines_of).collect();
        for after in &new.tests {
            let Some(before) = old.tests.iter().find(|before| before.name == after.name) else { continue };
            let names = LocalSubjects::in_texts(change, before, after);
            let mut roots = BTreeSet::new();
            let lines = lines_of(after);
            let was = change.before.as_deref().and_then(|it| it.get(before.span.clone())).unwrap_or_default();
            let is = text.get(after.span.clone()).unwrap_or_default();
            let was_asked: BTreeSet<String> = before
                .assertions
                .iter()
                .flat_map(|it| asked_by(it, was, &names.claimed(&it.claim).0))
                .map(|(name, _)| name)
                .collect();
            let asks = after.assertions.iter().flat_map(|it| asked_by(it, is, &names.claims(&it.claim).0));
            let again = asks.filter(|(name, _)| was_asked.contains(name));
            found.again.extend(again.map(|it| (lines.clone(), it)));
            for assertion in &after.assertions {
                let Some(was) = before.assertions.iter().find(|old| is_kept(old, assertion)) else {
                    continue;
                };
                let ((asked, _), (asks, _)) = (names.claimed(&was.claim), names.claims(&assertion.claim));
                found.before.extend(asked_in(is, &asked, &was.claim.subject));
                if was.text.contains(".rejects") {
                    found.before.extend(asked_by(was, is, &asked));
                }
                roots.extend(names.claimed_by_steps(&was.claim).iter().filter_map(|it| root(it)));
                if was.text == assertion.text {
                    found.after.extend(asked_in(is, &asks, &assertion.claim.subject));
                }
            }
            found.roots.push((lines, roots));
        }
        found
    }
}

/// Whether two assertions say the same, perhaps of something else.
fn is_kept(old: &Assertion, new: &Assertion) -> bool {
    let exact = |it: &Assertion| it.claim.strength == Some(Strength::Exact) && !it.claim.expected.is_empty();
    old.text == new.text
        || exact(old) && exact(new) && old.claim.expected == new.claim.expected && !new.claim.circular
}

/// The name that a subject begins with.
fn root(subject: &str) -> Option<String> {
    let bare = subject.trim_start_matches("()=>").trim_start_matches(['$', '@', '(', '&', '*']);
    let end = bare.find(|c: char| !is_name_part(c)).unwrap_or(bare.len());
    let (name, rest) = bare.split_at(end);
    (!name.is_empty() && !rest.starts_with('(')).then(|| name.to_owned())
}

/// The lines that a test stands in.
pub(super) fn lines_of(text: &str, test: &Test) -> Range<u32> {
    lines_between(&line_ends(text), &test.span)
}

/// Where the lines of a text end, in bytes.
fn line_ends(text: &str) -> Vec<usize> {
    text.match_indices('\n').map(|(at, _)| at).collect()
}

/// The lines of a piece of a text, from 1, by where the lines end.
fn lines_between(ends: &[usize], piece: &Range<usize>) -> Range<u32> {
    let line = |at: usize| u32::try_from(ends.partition_point(|end| *end < at) + 1).unwrap_or(u32::MAX);
    line(piece.start)..line(piece.end).saturating_add(1)
}

/// The name of what a subject calls, and what it is called on.
fn callee(subject: &str) -> Option<(String, String)> {
    let subject = subject.trim_start_matches("()=>").trim_start_matches("await");
    // What only counts or lists asks what it is given.
    let inner = |subject: &'_ str| -> Option<usize> {
        let wrapper = WRAPPERS
            .iter()
            .find(|it| subject.strip_prefix(**it).is_some_and(|rest| rest.starts_with('(')))?;
        subject.get(wrapper.len() + 1..)?.contains('(').then_some(wrapper.len() + 1)
    };
    let mut subject = subject;
    while let Some(rest) = inner(subject).and_then(|at| subject.get(at..)) {
        subject = rest;
    }
    let head = subject.split('(').next()?;
    if !subject.contains('(') && !subject.contains('.') {
        return None;
    }
    let name = head.rsplit(['.', ':', '>']).next().unwrap_or(head);
    let receiver = head.strip_suffix(name).unwrap_or_default().trim_end_matches(['.', ':', '>', '-']);
    let is_name = name.len() > 2 && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '?' | '!'));
    is_name.then(|| (name.to_owned(), receiver.to_owned()))
}

/// The functions that a subject asks in a test: what its names stand for is asked, and so are the names themselves.
fn asked_in(test: &str, resolved: &str, written: &str) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = [callee(resolved), callee(written)].into_iter().flatten().collect();
    // `len(rows)` asks what `rows` was made by.
    let counted =
        WRAPPERS.iter().find_map(|it| written.strip_prefix(it)?.strip_prefix('(')?.strip_suffix(')'));
    let made = counted.filter(|name| name.chars().all(is_name_part)).and_then(|name| {
        test.lines().filter_map(bound).find(|(to, _)| *to == name).map(|(_, value)| value.replace(' ', ""))
    });
    all.extend(made.and_then(|value| callee(&value)));
    all
}

/// The functions that an assertion asks in a test, also those that it calls last or expects to fail.
fn asked_by(assertion: &Assertion, test: &str, resolved: &str) -> Vec<(String, String)> {
    const HEADS: &[&str] = &["()->", "()=>", "lambda:", "fn->", "func(){", "{"];
    let written = assertion.claim.subject.as_str();
    let mut all = asked_in(test, resolved, written);
    if resolved != "raise" && written != "raise" {
        let last: Vec<(String, String)> =
            [last_call(resolved), last_call(written)].into_iter().flatten().collect();
        // `app(Sender).send(mail).sent` asks `send` as well, and a list of what a call gives asks the call.
        let inner = last.iter().filter(|(_, of)| of.ends_with(')')).filter_map(|(_, of)| last_call(of));
        all.extend(inner.collect::<Vec<_>>());
        all.extend(last);
        all.extend(listed(resolved).and_then(callee));
        return all;
    }
    let text = assertion.text.as_str();
    let failing = HEADS.iter().find_map(|head| text.split_once(head)).map(|(_, rest)| rest);
    // `expect(client.get(3)).rejects.toThrow(X)`.
    let promised = text.split_once("expect(").filter(|_| text.contains(".rejects")).map(|(_, rest)| rest);
    let failing = failing.or(promised);
    if failing.is_none() {
        all.extend(asked_below(test, text));
    }
    all.extend(failing.and_then(|it| callee(it.trim_start_matches(['{', '!']).trim_start_matches("await"))));
    all
}

/// What the line below an assertion calls, where the assertion says that it fails: `with pytest.raises(Late):`.
fn asked_below(test: &str, assertion: &str) -> Option<(String, String)> {
    let mut lines = test.lines().map(bare).skip_while(|line| !line.contains(assertion)).skip(1);
    let below = lines.find(|line| !line.is_empty())?;
    let call =
        below.split_once('=').filter(|(head, _)| !head.contains('(')).map_or(below.as_str(), |it| it.1);
    callee(call)
}

/// What a list is made of, that is written with a loop, without white space: `rates.all()` of `[r.idforrinrates.all()]`.
fn listed(subject: &str) -> Option<&str> {
    let inside = subject.strip_prefix(['[', '{'])?.strip_suffix([']', '}'])?;
    let element = inside.split_once("for")?.0;
    let name = element.split(|c: char| !is_name_part(c)).find(|it| !it.is_empty())?;
    let (_, rest) = inside.split_once(&format!("for{name}in"))?;
    rest.contains('(').then_some(rest)
}

/// The last call or member of a subject, and what it is called on: `Cart.new([1]).total` asks `total`.
fn last_call(subject: &str) -> Option<(String, String)> {
    let head = match subject.strip_suffix(')') {
        Some(inside) => {
            let mut depth = 1i32;
            let open = inside.char_indices().rev().find(|(_, c)| {
                depth += i32::from(*c == ')') - i32::from(*c == '(');
                depth == 0
            });
            inside.get(..open?.0)?
        }
        None => subject,
    };
    let start = head.rfind(|c: char| !is_name_part(c)).map_or(0, |at| at + 1);
    let (receiver, name) = (head.get(..start)?, head.get(start..)?);
    let receiver = receiver.strip_suffix('.').or_else(|| receiver.strip_suffix("->"))?;
    (name.len() > 2 && !receiver.is_empty()).then(|| (name.to_owned(), receiver.to_owned()))
}
