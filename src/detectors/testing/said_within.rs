//! Assertions whose claim is part of another one now: `expect(e.status).toBe(403)` within
//! `rejects.toMatchObject({ status: 403 })`, `Assert.That(error.Hours, …)` within `Throws.TypeOf<X>().With.Property("Hours")…`.

use crate::detectors::engine::code_lines::{PLAIN_QUOTES, quoted};
use crate::detectors::testing::same_subjects::LocalSubjects;
use crate::detectors::testing::statuses::named_status;
use crate::languages::code::bare;
use crate::languages::{Assertion, Strength};
use crate::model::words::is_name_part;

/// Names that tests give to an error that was caught.
const CAUGHT: &[&str] =
    &["e", "ex", "err", "error", "exc", "exception", "thrown", "caught", "excinfo", "raised"];
/// How calls are written that fail a test when they are reached, in lower case without `_`.
pub(super) const FAILURES: &[&str] =
    &["xctfail(", "fail(", "assert.fail(", "self.fail(", "flunk", "issue.record(", "addfailure"];
/// Matchers that compare several parts of a value at once.
const OF_PARTS: &[&str] = &[
    "tomatchobject",
    "tohaveproperty",
    "haveattributes",
    "toequal",
    "tostrictequal",
    "include",
    "matchobject",
];

/// Whether one of the new assertions says what an old one said: it is about the same, or names the same part, and has the
/// value that was expected.
pub(super) fn is_said(names: &LocalSubjects, old: &Assertion, all: &[&Assertion]) -> bool {
    all.iter().any(|new| is_within(names, old, new))
}

fn is_within(names: &LocalSubjects, old: &Assertion, new: &Assertion) -> bool {
    if new.swallowed || new.trivial || new.claim.negated || old.text == new.text {
        return false;
    }
    let is_error = is_about_error(new);
    if old.claim.subject.is_empty() {
        let mut texts = quoted(&old.text, PLAIN_QUOTES).filter(|text| text.len() > 1).peekable();
        return is_error && texts.peek().is_some() && texts.all(|text| new.text.contains(text));
    }
    let expected = old.claim.expected.trim_matches(['\'', '"', '`']);
    let has_value =
        !expected.is_empty() && new.text.contains(expected) && old.text.len() < new.text.len() * 3;
    let is_strong = new.claim.strength.is_none()
        || new.claim.strength >= old.claim.strength.min(Some(Strength::Partial))
        || expected.starts_with('.') && names_error(new);
    let is_of_error = is_error && is_caught(&old.claim.subject);
    let says = is_of_error
        || names_part(&new.text, &old.claim.subject)
        || names.is_same(&old.claim, &new.claim) && new.claim.strength >= old.claim.strength
        || new.claim.strength == Some(Strength::Exact)
            && names.is_taken_out(&old.claim.subject, &new.claim.subject);
    has_value && is_strong && says
}

/// Whether an error that was to be of a kind is to be one with parts now, its kind among them.
pub(super) fn is_described(old: &Assertion, new: &Assertion) -> bool {
    let name = new.claim.matcher.to_lowercase().replace('_', "");
    let kind = old.claim.expected.as_str();
    is_error_matcher(&old.claim.matcher)
        && OF_PARTS.contains(&name.as_str())
        && !kind.is_empty()
        && new.text.contains(kind)
        && !new.claim.negated
}

/// Whether an old assertion only fails the test where nothing was thrown, and a new one says that something is.
pub(super) fn is_failure_replaced(old: &Assertion, before: &[Assertion], after: &[Assertion]) -> bool {
    let lower = old.text.to_lowercase().replace('_', "");
    let is_failure =
        FAILURES.iter().any(|head| lower.starts_with(head) || lower.contains(&format!(".{head}")));
    let count = |all: &[Assertion]| all.iter().filter(|it| is_about_error(it)).count();
    is_failure && count(after) > count(before)
}

fn is_about_error(assertion: &Assertion) -> bool {
    assertion.claim.subject == "raise"
        || assertion.text.contains("expectException")
        || is_error_matcher(&assertion.claim.matcher)
        || assertion.text.contains("rejects")
        || names_error(assertion)
        || is_thrown(&assertion.text)
        || is_named_for_errors(&assertion.text)
}

/// Whether an assertion of Swift Testing names the very error: `#expect(throws: CartError.empty) { … }`.
fn names_error(assertion: &Assertion) -> bool {
    let text = bare(&assertion.text);
    ["#expect(throws:", "#require(throws:"].iter().any(|head| text.starts_with(head))
}

/// Whether a project's own assertion has its name from an error that is to come: `assertThrowsOverflow(…)`.
fn is_named_for_errors(text: &str) -> bool {
    let name = text.split(['(', ' ', '{']).next().unwrap_or_default().to_lowercase();
    let is_own = ["assert", "expect", "check", "verify"].iter().any(|word| name.contains(word));
    is_own && ["throw", "raise"].iter().any(|word| name.contains(word)) && !name.contains("no")
}

/// Whether a matcher among what is expected is that something throws: `EXPECT_THAT(f, testing::ThrowsMessage<E>("…"))`.
fn is_thrown(text: &str) -> bool {
    const THROWN: &[&str] =
        &["Throws<", "Throws(", "ThrowsMessage<", "ThrowsMessage(", "ThrowsMessageHasSubstr<"];
    let bare = bare(text);
    let is_that = ["EXPECT_THAT(", "ASSERT_THAT("].iter().any(|head| bare.starts_with(head));
    is_that
        && THROWN.iter().any(|word| {
            bare.match_indices(word).any(|(at, _)| {
                let head = bare[..at].trim_end_matches("testing::").trim_end_matches("::");
                head.ends_with([',', '(']) && !head.ends_with("Not(")
            })
        })
}

fn is_error_matcher(matcher: &str) -> bool {
    let lower = matcher.to_lowercase().replace('_', "");
    ["throw", "raise", "rejects", "failswith"].iter().any(|word| lower.contains(word))
        && !lower.contains("not")
}

/// Whether a subject is an error that was caught, or a part of one.
pub(super) fn is_caught(subject: &str) -> bool {
    // What Swift hands to the block of a claim about an error.
    if bare(subject).starts_with("$0as") || subject == "$0" {
        return true;
    }
    // What it says is asked of its text.
    let subject = subject.strip_prefix("str(").unwrap_or(subject);
    let first = subject.trim_start_matches(['(', '&', '*', '$']);
    let end = first.find(|c: char| !is_name_part(c)).unwrap_or(first.len());
    let name = first.get(..end).unwrap_or_default().to_lowercase();
    CAUGHT.iter().any(|it| name == *it || name.starts_with(&format!("{it}as")) && first.contains("as"))
}

/// Whether a text names the last part of a subject: `Hours` of `error!.Hours`.
fn names_part(text: &str, subject: &str) -> bool {
    let Some((_, last)) = subject.rsplit_once(['.', '>', ':']) else { return false };
    let last = last.trim_end_matches("()").trim_matches(['"', '\'', ']']);
    last.len() > 1
        && last.chars().all(is_name_part)
        && text.match_indices(last).any(|(at, _)| {
            !text[..at].ends_with(is_name_part) && !text[at + last.len()..].starts_with(is_name_part)
        })
}

/// What an expected value says that is a refusal, in lower case.
const REFUSED: &[&str] =
    &["error", "err(", "invalid", "denied", "refus", "reject", "bad", "fail", "conflict", "forbidden"];

/// Whether an assertion says that something is refused: an error, a status that says no, a failure.
pub(super) fn is_refusal(assertion: &Assertion) -> bool {
    let lower = assertion.text.to_lowercase();
    let is_fine = ["noerror", "no_error", "nothrow", "not.tothrow", "notpanics", "=>{", "doesnotthrow"]
        .iter()
        .any(|it| lower.contains(it));
    let expected = assertion.claim.expected.to_lowercase();
    let is_status = |text: &str| {
        let mut numbers = text.split(|c: char| !c.is_ascii_digit());
        numbers.any(|it| it.len() == 3 && it.starts_with(['4', '5']))
    };
    let is_no = REFUSED.iter().any(|word| expected.contains(word))
        || lower.contains("stat")
            && (is_status(&expected)
                || named_status(&assertion.claim.expected).is_some_and(|status| status >= 400));
    !is_fine && (is_about_error(assertion) || is_no)
}

/// How often a promise's error is taken for its value: `const error = await f().catch((e) => e)`. What is asked of it
/// then fails where none comes.
fn caught_as_values(text: &str) -> usize {
    let is_value = |rest: &str| {
        let handler: String = rest.chars().filter(|c| !c.is_whitespace()).take(80).collect();
        let Some((head, after)) = handler.split_once("=>") else { return false };
        // Its type may stand behind the name.
        let name = head.trim_matches(['(', ')']).split(':').next().unwrap_or_default();
        !name.is_empty() && after.strip_prefix(name).is_some_and(|rest| rest.starts_with(')'))
    };
    text.match_indices(".catch(").filter(|(at, it)| text.get(at + it.len()..).is_some_and(is_value)).count()
}

/// Whether an error that was to be thrown is only looked at where one is caught: nothing fails where none is.
pub(super) fn is_caught_only(before: (&[Assertion], &str), after: (&[Assertion], &str)) -> bool {
    let count = |all: &[Assertion]| all.iter().filter(|it| is_about_error(it)).count();
    let handlers = |text: &str| {
        let all = ["catch (", "catch(", "} catch {", "except ", "rescue "];
        all.iter().map(|it| text.matches(it).count()).sum::<usize>() - caught_as_values(text)
    };
    let fails = |text: &str| {
        let lower = text.to_lowercase().replace('_', "");
        FAILURES.iter().map(|it| lower.matches(it).count()).sum::<usize>()
            + ["throw new", "raise assertionerror", "expect.assertions", "expect.hasassertions"]
                .iter()
                .map(|it| lower.matches(it).count())
                .sum::<usize>()
    };
    before.1 != after.1
        && count(before.0) > count(after.0)
        && handlers(after.1) > handlers(before.1)
        && fails(after.1) <= fails(before.1)
        && !asks_what_was_caught(after.0, after.1)
}

/// Whether a claim about what was caught is always reached: it fails where nothing was thrown.
pub(super) fn asks_what_was_caught(assertions: &[Assertion], text: &str) -> bool {
    let is_reached = |it: &Assertion| !it.conditional && !it.swallowed && !it.trivial;
    assertions
        .iter()
        .any(|it| is_reached(it) && is_caught(&it.claim.subject) && !is_in_handler(text, &it.text))
        && ["catch", "except", "rescue"].iter().any(|word| text.contains(word))
}

/// Whether an assertion stands within a handler of a text: further in than the line that begins the handler above it.
fn is_in_handler(text: &str, assertion: &str) -> bool {
    const HANDLERS: &[&str] = &["catch (", "catch {", "catch(", "except ", "except:", "rescue"];
    let depth = |line: &str| line.len() - line.trim_start().len();
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let head: String = assertion.chars().take(12).collect();
    let Some(at) = lines.iter().position(|line| bare(line).starts_with(&head)) else { return true };
    let mut own = depth(lines.get(at).copied().unwrap_or_default());
    lines.iter().take(at).rev().any(|line| {
        let is_head = depth(line) < own;
        own = own.min(depth(line));
        is_head && HANDLERS.iter().any(|word| line.contains(word)) && !line.contains(".catch(")
    })
}

/// `expect(cart).toEqual({ total: 3 })` for `expect(cart.total).toBe(3)`.
pub(super) fn is_about_whole(part: &Assertion, whole: &Assertion) -> bool {
    let rest = part.claim.subject.strip_prefix(&whole.claim.subject);
    !whole.claim.subject.is_empty()
        && rest.is_some_and(|rest| rest.starts_with(['.', '[', '(', '?', '-']))
        && whole.claim.strength >= part.claim.strength
        && whole.claim.expected.len() > 2
}
