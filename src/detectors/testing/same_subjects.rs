//! Whether two assertions of a test, before and after, are about the same: also where one names what the other computes.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use crate::detectors::TestComparison;
use crate::detectors::testing::test_lines::words_of;
use crate::detectors::testing::word_edit::each_word;
use crate::languages::code::{bare, identifiers};
use crate::languages::{
    Assertion, AssertionClaim, FILLED, LocalNames, Strength, Test, assigned, chance, measured,
};
use crate::model::finding::Change;
use crate::model::words::is_name_part;

/// What the local names of a test stand for, before and after.
pub(super) struct LocalSubjects<'t> {
    before: LazyLocalNames<'t>,
    after: LazyLocalNames<'t>,
}

/// The names in a test's text, which most tests are never asked for.
struct LazyLocalNames<'t> {
    text: &'t str,
    read: OnceCell<LocalNames>,
}

impl<'t> LazyLocalNames<'t> {
    fn of(source: Option<&'t str>, test: &Test) -> Self {
        LazyLocalNames { text: test.text_in(source), read: OnceCell::new() }
    }

    fn resolved(&self, subject: &str) -> String {
        self.read.get_or_init(|| LocalNames::of(self.text)).resolved(subject)
    }

    fn steps(&self, subject: &str) -> Vec<String> {
        self.read.get_or_init(|| LocalNames::of(self.text)).steps(subject)
    }
}

impl<'t> LocalSubjects<'t> {
    /// The names of a test in both texts.
    pub(super) fn of(comparison: &TestComparison<'t>, before: &Test, after: &Test) -> Self {
        Self::in_texts(comparison.change, before, after)
    }

    /// The names of a test in both texts of a change.
    pub(super) fn in_texts(change: &'t Change, before: &Test, after: &Test) -> Self {
        let (old, new) = (change.before.as_deref(), change.after.as_deref());
        LocalSubjects { before: LazyLocalNames::of(old, before), after: LazyLocalNames::of(new, after) }
    }

    /// What a claim of before compares: its subject and what it expects, with the names resolved.
    pub(super) fn claimed(&self, claim: &AssertionClaim) -> (String, String) {
        (self.before.resolved(&claim.subject), self.before.resolved(&claim.expected))
    }

    /// What the subject of a claim of before is, with one name after the other replaced by what it stands for.
    pub(super) fn claimed_by_steps(&self, claim: &AssertionClaim) -> Vec<String> {
        self.before.steps(&claim.subject)
    }

    /// Whether a test of before took a name out of a value by a pattern: `{:ok, packet} = decode(raw)`.
    pub(super) fn is_taken_out(&self, name: &str, of: &str) -> bool {
        let is_name = !name.is_empty() && name.chars().all(is_name_part);
        let takes = |line: &str| {
            let Some((left, right)) = assigned(line) else { return false };
            let right = right.split(" else {").next().unwrap_or(right).trim_end_matches(';');
            left.contains(['{', '(', '[', ',']) && bare(right) == of && words_of(left).any(|it| it == name)
        };
        is_name && self.before.text.lines().any(takes)
    }

    /// What a claim of after compares.
    pub(super) fn claims(&self, claim: &AssertionClaim) -> (String, String) {
        (self.after.resolved(&claim.subject), self.after.resolved(&claim.expected))
    }

    /// Whether two claims are about the same. Which side of an equation is the expected one is a matter of taste.
    pub(super) fn is_same(&self, old: &AssertionClaim, new: &AssertionClaim) -> bool {
        if old.subject.is_empty() {
            return false;
        }
        let is_weaker = old.strength == Some(Strength::Exact) && new.strength < old.strength;
        if is_about(&old.subject, &old.expected, &new.subject, &new.expected, is_weaker) {
            return true;
        }
        let ((old_subject, old_expected), (new_subject, new_expected)) =
            (self.claimed(old), self.claims(new));
        if is_about(&old_subject, &old_expected, &new_subject, &new_expected, is_weaker) {
            return true;
        }
        // What may not be there, and what is there for certain: `find("b")?.text` and `b.text`.
        let plain = |text: &str| text.replace("?.", ".");
        if old_subject != new_subject && plain(&old_subject) == plain(&new_subject) {
            return true;
        }
        // What was to be refused is to pass.
        let matcher = new.matcher.to_lowercase().replace('_', "");
        if old_subject == "raise"
            && !old.negated
            && ["notthrow", "nothrow"].iter().any(|it| matcher.contains(it))
        {
            return true;
        }
        // Which rows there are, and how many alone.
        let sized = measured(&new_subject).or_else(|| measured(&new_expected));
        let is_sized = |of: &str| sized == Some(bared(of)) && !of.is_empty();
        if old.strength == Some(Strength::Exact) && (is_sized(&old_subject) || is_sized(&old_expected)) {
            return true;
        }
        // A list, and a set of its items of which a part is asked for.
        if is_weaker
            && collected(&old_subject).is_some()
            && collected(&old_subject) == collected(&new_subject)
        {
            return true;
        }
        // `rows.length` is three, and now there are some `rows`.
        if is_weaker && new.matcher == FILLED {
            let is_of = |of: &str| bared(of) == bared(&new_subject);
            return measured(&old_subject).is_some_and(is_of) || is_of(&old_subject);
        }
        // What was worked out of something, and of that something only that it is there.
        if is_weaker && new.strength < Some(Strength::Partial) && is_argument(&old_subject, &new_subject) {
            return true;
        }
        // What was a part of it, and is said of the whole without a value: `spy.mock.calls`, and `spy`.
        if is_weaker && new.strength < Some(Strength::Partial) && is_part(&old_subject, &new_subject) {
            return true;
        }
        // That there is a whole says less of its part than of which kind the part is.
        let is_mere = new.strength < Some(Strength::Kind) && new.strength < old.strength;
        if is_mere && is_part(&old_subject, &new_subject) {
            return true;
        }
        // What was all of it, and is said of a part of it without a value.
        is_weaker && is_part(&new_subject, &old_subject)
    }
}

/// What a collection is written with between its brackets, where it is worked out: `[r.idforrinrows]`.
fn collected(subject: &str) -> Option<&str> {
    const SETS: &[&str] = &["set(", "sorted(", "list(", "tuple(", "frozenset("];
    let inside =
        SETS.iter().find_map(|head| subject.strip_prefix(head)?.strip_suffix(')')).unwrap_or(subject);
    let inner = inside.strip_prefix(['[', '{'])?.strip_suffix([']', '}'])?;
    (inner.contains("for") && inner.contains("in") && inner.len() > 8).then_some(inner)
}

/// Whether a subject is a part of another: `spy.mock.calls` of `spy`.
fn is_part(subject: &str, whole: &str) -> bool {
    let rest = subject.strip_prefix(whole);
    whole.len() > 2 && rest.is_some_and(|rest| rest.starts_with(['.', '[', '?']) || rest.starts_with("->"))
}

/// Whether a subject is an argument of the call that another is.
fn is_argument(call: &str, subject: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    subject.len() > 2
        && call.contains('(')
        && call.match_indices(subject).any(|(at, _)| {
            let (head, rest) = (&call[..at], &call[at + subject.len()..]);
            head.ends_with(['(', ',']) && !rest.starts_with(is_part) && rest.starts_with([')', ','])
        })
}

fn is_about(old: &str, old_expected: &str, new: &str, new_expected: &str, is_weaker: bool) -> bool {
    let (subject, was) = (bared(new), bared(old));
    subject == was || subject == bared(old_expected) && !new.is_empty() && (is_weaker || new_expected == old)
}

/// A subject without what only makes it fit: `(void)(x)`, `(x)asAny?`.
fn bared(subject: &str) -> &str {
    let inner = subject.strip_prefix("(void)").unwrap_or(subject);
    let inner = inner.strip_suffix("asAny?").unwrap_or(inner);
    let unwrapped = inner.strip_prefix('(').and_then(|it| it.strip_suffix(')'));
    unwrapped.filter(|it| !it.contains(['(', ')']) || inner.len() < subject.len()).unwrap_or(inner)
}

/// Whether an assertion that no matcher is known of is the same call with less said: any value for a given one, or any
/// number of times.
pub(super) fn is_loosened_call(old: &Assertion, new: &Assertion) -> bool {
    let head = |text: &str| text.split(['(', '<', '{', '=', ',']).next().unwrap_or_default().to_owned();
    let never_fails = |text: &str| {
        let lower = text.to_lowercase();
        ["atleast(0)", "atleast=0", "atleast:0", "times.atleast(0)", "atmost("]
            .iter()
            .any(|it| lower.contains(it))
    };
    let ((was_open, was_said), (is_open, is_said)) = (chance(&old.text), chance(&new.text));
    let is_unread = old.claim.strength.is_none() && new.claim.strength.is_none();
    is_unread
        && head(&old.text) == head(&new.text)
        && (never_fails(&new.text) && !never_fails(&old.text) || is_open > was_open && is_said <= was_said)
}

/// Whether the same call is asked less of for less that it is given: fewer of the fields that it was to report.
pub(super) fn is_less_of_less(names: &LocalSubjects, old: &Assertion, new: &Assertion) -> bool {
    let exact =
        |it: &Assertion| it.claim.strength == Some(Strength::Exact) && !it.claim.negated && !it.trivial;
    let ((was, was_expected), (is, expected)) = (names.claimed(&old.claim), names.claims(&new.claim));
    if !exact(old) || !exact(new) || called(&was).is_none() || called(&was) != called(&is) {
        return false;
    }
    let words = |text: &str| -> BTreeSet<String> { words_of(text).map(str::to_owned).collect() };
    let ((given, wanted), (gives, wants)) =
        ((words(&was), words(&was_expected)), (words(&is), words(&expected)));
    let is_half = wants.len() * 2 <= wanted.len() + 1 && wanted.len() > wants.len() + 2;
    is_half
        && !wants.is_empty()
        && wants.is_subset(&wanted)
        && gives.len() < given.len()
        && gives.difference(&given).count() <= 1
}

/// What is called first. One that only converts a value, or makes one, computes nothing.
pub(super) fn called(text: &str) -> Option<&str> {
    const CONVERTING: &[&str] = &[
        "len", "str", "int", "float", "list", "set", "dict", "tuple", "sorted", "sum", "Some", "Ok", "Err",
        "String", "Number", "Array", "Object", "JSON", "json", "bytes", "vec", "new", "count",
    ];
    let end = text.find('(')?;
    let name = text.get(..end)?;
    let last = name.rsplit(['.', ':']).next().unwrap_or(name);
    let is_name = !name.is_empty()
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '$' | '>' | '-' | '?' | '!'));
    let is_made = last.starts_with(char::is_uppercase) && !name.contains('.');
    (is_name && !is_made && !CONVERTING.contains(&last)).then_some(name)
}

/// Whether a condition by hand with several alternatives became a claim for each: `if err != nil || ok` became
/// `NoError(t, err)` and `False(t, ok)`.
pub(super) fn is_split(old: &Assertion, new: &[&Assertion]) -> bool {
    let condition = old.text.split('{').next().unwrap_or_default();
    let parts: Vec<&str> = condition.split("||").collect();
    let asks = |part: &&str| {
        let names = identifiers(part).filter(|word| !matches!(*word, "if" | "nil" | "true" | "false"));
        let names: Vec<&str> = names.collect();
        let has_all = |text: &str| names.iter().all(|name| identifiers(text).any(|word| word == *name));
        !names.is_empty() && new.iter().any(|it| !it.text.contains("||") && has_all(&it.text))
    };
    parts.len() > 1 && new.len() >= parts.len() && parts.iter().all(asks)
}

/// How many conditions a failure has: each of `||` fails by itself, each of `&&` has to hold as well.
pub(super) fn alternatives(assertion: &str) -> (usize, usize) {
    let condition = assertion.split('{').next().unwrap_or(assertion);
    (condition.matches("||").count(), condition.matches("&&").count())
}

/// Whether a pattern has all that another has, in its order, and leaves nothing more open.
pub(super) fn says_all(old: &AssertionClaim, new: &AssertionClaim) -> bool {
    let open =
        |text: &str| ["..", "|", "_", "any", "Any"].iter().map(|it| text.matches(it).count()).sum::<usize>();
    let mut rest = each_word(&new.expected).map(|(_, word)| word);
    old.expected.contains(['{', '('])
        && open(&new.expected) <= open(&old.expected)
        && each_word(&old.expected).all(|(_, word)| rest.any(|it| it == word))
}
