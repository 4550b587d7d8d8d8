//! Tests that still assert, but less: weaker matchers, dropped or hidden assertions, both sides from the same code.
//!
//! Each test is compared with itself before, assertion by assertion. What another test of the file asserts now, or a
//! function that the test calls, has moved; a test that is rewritten is not judged by what it no longer says.

use std::collections::HashMap;

use crate::detectors::testing::assertion_weakening::{implied, is_delegated, is_made_trivial, real};
use crate::detectors::{Case, Comparison, Detector, Pattern, Proof, names};
use crate::languages::code::{as_written, bare};
use crate::languages::{Assertion, Claim, Strength, Test, bare_lines, subject};
use crate::model::finding::{Finding, RegressionType, Severity};

/// How much of an assertion is shown, letters.
const SHOWN: usize = 80;

/// Assertions weakened, dropped or hidden.
pub(crate) static WEAKENED: Detector = Detector {
    pattern: Pattern {
        id: "LP-T003",
        name: "Assertion Weakening",
        aliases: &["Weaker Matcher", "Swallowed Assertion"],
        regression_type: Some(RegressionType::AssertionWeakening),
        severity: Severity::Critical,
        what: "A test asserts less about the same thing: a weaker matcher, fewer assertions, or such as can't fail it.",
        why: "The test stays green when the code breaks.",
        instead: "An assertion as exact as the one before passes, also in another form or another place.",
        proof: Proof::Changes,
    },
    detect: weakened,
};

/// Both sides of an assertion from the same code.
pub(crate) static CIRCULAR: Detector = Detector {
    pattern: Pattern {
        id: "LP-023",
        name: "Circular Test Logic",
        aliases: &["Self-comparison"],
        regression_type: Some(RegressionType::AssertionWeakening),
        severity: Severity::High,
        what: "An assertion compares what the code gives with what the same code gives.",
        why: "Both sides are wrong together, so that the test can't fail.",
        instead: "An expected value that is worked out by hand, or by other code, passes.",
        proof: Proof::Changes,
    },
    detect: circular,
};

/// The code under test replaced by a stand-in.
pub(crate) static MOCKED: Detector = Detector {
    pattern: Pattern {
        id: "LP-014",
        name: "Mock Over-Usage",
        aliases: &["LP-T005", "Mocked Subject"],
        regression_type: Some(RegressionType::AssertionWeakening),
        severity: Severity::High,
        what: "A module that the tests use is replaced by a stand-in while the tests stay the same.",
        why: "The tests then test the stand-in.",
        instead: "A stand-in for what the code under test calls, in tests made for it, passes.",
        proof: Proof::Changes,
    },
    detect: mocked,
};

/// The tests that run before and after, and are no other detector's business.
fn judged<'c>(comparison: &'c Comparison) -> impl Iterator<Item = (&'c Test, &'c Test)> {
    comparison.kept().filter(|(before, after)| {
        let runs = after.skipped.is_none() || after.skipped == before.skipped;
        runs && !before.suite && real(before) > 0
    })
}

fn finding(detector: &Detector, comparison: &Comparison, test: &Test, line: u32, what: String) -> Finding {
    let mut finding = detector.finding(&comparison.change.path, what);
    finding.line = Some(line);
    finding.lost = names(&[test]);
    finding.confidence = 0.85;
    finding
}

/// What of `all` is not in `known`, as often as it is there.
fn beyond<'t>(all: &'t [Assertion], known: &[Assertion]) -> Vec<&'t Assertion> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for assertion in known {
        *counts.entry(&assertion.text).or_default() += 1;
    }
    let mut is_beyond = |it: &&Assertion| match counts.get_mut(it.text.as_str()).filter(|count| **count > 0) {
        Some(count) => {
            *count -= 1;
            false
        }
        None => true,
    };
    all.iter().filter(&mut is_beyond).collect()
}

fn weakened(case: &Case, findings: &mut Vec<Finding>) {
    for comparison in case.comparisons() {
        let mut worst: Option<(Severity, Finding)> = None;
        let mut lost = Vec::new();
        for (before, after) in judged(comparison) {
            let Some((severity, line, what)) = loss(case, comparison, before, after) else { continue };
            lost.extend(names(&[before]));
            if worst.as_ref().is_none_or(|(known, _)| severity > *known) {
                let mut found = finding(&WEAKENED, comparison, before, line, what);
                found.severity = severity;
                worst = Some((severity, found));
            }
        }
        if let Some((_, mut found)) = worst {
            found.lost = lost;
            findings.push(found);
        }
    }
}

/// Whether two claims are about the same. Which side of an equation is the expected one is a matter of taste.
fn is_same_subject(old: &Claim, new: &Claim) -> bool {
    let is_weaker = || old.strength == Some(Strength::Exact) && new.strength < old.strength;
    let (subject, was) = (bared(&new.subject), bared(&old.subject));
    !old.subject.is_empty()
        && (subject == was
            || subject == bared(&old.expected)
                && !new.subject.is_empty()
                && (is_weaker() || new.expected == old.subject))
}

/// A subject without what only makes it fit: `(void)(x)`, `(x)asAny?`.
fn bared(subject: &str) -> &str {
    let inner = subject.strip_prefix("(void)").unwrap_or(subject);
    let inner = inner.strip_suffix("asAny?").unwrap_or(inner);
    let unwrapped = inner.strip_prefix('(').and_then(|it| it.strip_suffix(')'));
    unwrapped.filter(|it| !it.contains(['(', ')']) || inner.len() < subject.len()).unwrap_or(inner)
}

/// How a test asserts less, with the line and the severity.
fn loss(
    case: &Case,
    comparison: &Comparison,
    before: &Test,
    after: &Test,
) -> Option<(Severity, u32, String)> {
    if is_made_trivial(before, after) || (real(after) == 0 && !after.assertions.iter().any(|it| it.swallowed))
    {
        return None;
    }
    if let Some(found) = hidden(comparison, before, after) {
        return Some(found);
    }
    let lost = beyond(&before.assertions, &after.assertions);
    let mut gained = beyond(&after.assertions, &before.assertions);
    if gained.iter().any(|it| it.claim.circular) {
        return None;
    }
    let mut gone = Vec::new();
    let mut weaker = None;
    for old in lost.into_iter().filter(|it| !it.trivial) {
        let same = |new: &&Assertion| is_same_subject(&old.claim, &new.claim);
        let stronger = |new: &&Assertion| new.claim.strength;
        let best =
            gained.iter().enumerate().filter(|(_, new)| same(new)).max_by_key(|(_, new)| stronger(new));
        let Some((at, new)) = best else {
            gone.push(old);
            continue;
        };
        weaker = weaker.or_else(|| replaced(comparison, old, new));
        gained.remove(at);
    }
    if weaker.is_some() {
        return weaker;
    }
    // One about the whole takes the place of several about its parts.
    gone.retain(|old| !gained.iter().any(|new| is_about_whole(old, new)));
    // What is about code that is gone is no part of the loss.
    gone.retain(|old| !case.gone().is_named_by(&comparison.change.path, &old.text));
    dropped(comparison, before, after, &gone, gained.len()).or_else(|| rows(comparison, before, after))
}

/// Assertions that are still there and can't fail the test any more.
fn hidden(comparison: &Comparison, before: &Test, after: &Test) -> Option<(Severity, u32, String)> {
    let count = |test: &Test, is: fn(&Assertion) -> bool| test.assertions.iter().filter(|it| is(it)).count();
    let swallowed = |it: &Assertion| it.swallowed;
    if count(after, swallowed) > count(before, swallowed) {
        let old = after.assertions.iter().find(|it| it.swallowed && !it.trivial)?;
        let was_there = before.assertions.iter().find(|it| it.text == old.text && !it.swallowed)?;
        let what = format!("the failure of `{}` would be swallowed", in_before(comparison, was_there));
        return Some((Severity::Critical, was_there.line, what));
    }
    let mut both = before.assertions.iter().filter_map(|old| {
        let new = after.assertions.iter().find(|new| new.text == old.text)?;
        Some((old, new))
    });
    let waits = |it: &Assertion| it.text.contains(".resolves.") || it.text.contains(".rejects.");
    if let Some((old, _)) = both.find(|(old, new)| old.awaited && !new.awaited && waits(old)) {
        let what = format!("nobody would wait for `{}`", in_before(comparison, old));
        return Some((Severity::High, old.line, what));
    }
    let always = |test: &Test| test.assertions.iter().filter(|it| !it.conditional && !it.trivial).count();
    let same = before.assertions.len() == after.assertions.len()
        && before.assertions.iter().zip(&after.assertions).all(|(old, new)| old.text == new.text);
    (same && always(before) > 0 && always(after) == 0).then(|| {
        let line = before.assertions.first().map_or(before.line, |it| it.line);
        (Severity::Medium, line, "the assertions would run under a condition only".to_owned())
    })
}

/// An assertion in the place of another about the same thing.
fn replaced(comparison: &Comparison, old: &Assertion, new: &Assertion) -> Option<(Severity, u32, String)> {
    if count(own_tests(comparison), &old.text) >= count(&comparison.before.tests, &old.text) {
        return None;
    }
    let (was, is) = (old.claim.strength?, new.claim.strength?);
    // What was true or false and is compared with a text now has another type.
    if was == Strength::Kind
        && old.claim.expected.is_empty()
        && is == Strength::Exists
        && new.claim.expected.starts_with(['"', '\''])
    {
        return None;
    }
    if is < was && is_absence(&old.claim) && is_absence(&new.claim) {
        let what = format!("`{}` would become its opposite", in_before(comparison, old));
        return Some((Severity::Medium, old.line, what));
    }
    if is < was {
        let what = format!(
            "`{}` would become `{}`, which says less",
            in_before(comparison, old),
            in_after(comparison, new)
        );
        return Some((Severity::High, old.line, what));
    }
    if tolerance(old).zip(tolerance(new)).is_some_and(|(was, is)| is > was) {
        let what =
            format!("`{}` would allow more than `{}`", in_after(comparison, new), in_before(comparison, old));
        return Some((Severity::Medium, old.line, what));
    }
    let is_turned = old.claim.negated != new.claim.negated
        && old.claim.matcher == new.claim.matcher
        && old.claim.expected == new.claim.expected;
    is_turned.then(|| {
        let what = format!("`{}` would become its opposite", in_before(comparison, old));
        (Severity::High, old.line, what)
    })
}

/// Whether a claim is that there is something, or that there is nothing: to turn it is to say as much.
fn is_absence(claim: &Claim) -> bool {
    const WORDS: &[&str] = &["null", "nil", "none", "undefined", "empty"];
    let name = claim.matcher.to_lowercase();
    let of = |text: &str| WORDS.iter().any(|word| text.ends_with(word));
    of(&name) || of(&claim.expected.to_lowercase())
}

/// How far off a value may be: the more, the larger. Digits that have to agree count down.
fn tolerance(assertion: &Assertion) -> Option<f64> {
    let (value, how) = assertion.claim.expected.rsplit_once(',')?;
    let number: f64 = how.rsplit('=').next()?.parse().ok()?;
    let is_same_value = !value.is_empty();
    match assertion.claim.matcher.as_str() {
        "toBeCloseTo" if is_same_value => Some(-number),
        "closeTo" | "approximately" if is_same_value => Some(number),
        _ => None,
    }
}

/// How often an assertion stands in tests.
fn count<'t>(tests: impl IntoIterator<Item = &'t Test>, text: &str) -> usize {
    let all = tests.into_iter().filter(|test| !test.suite).flat_map(|test| &test.assertions);
    all.filter(|it| it.text == text).count()
}

/// The tests after without those that are new and say what another says already: a copy carries nothing over.
fn own_tests<'c>(comparison: &'c Comparison) -> impl Iterator<Item = &'c Test> {
    let (before, after) = (&comparison.before.tests, &comparison.after.tests);
    after.iter().filter(move |test| {
        let mut twins = before.iter().filter(|old| old.body == test.body && !old.body.is_empty());
        before.iter().any(|old| old.name == test.name)
            || !twins.any(|old| after.iter().any(|new| new.name == old.name))
    })
}

/// Assertions that are gone with nothing in their place.
fn dropped(
    comparison: &Comparison,
    before: &Test,
    after: &Test,
    gone: &[&Assertion],
    gained: usize,
) -> Option<(Severity, u32, String)> {
    let is_moved = |it: &Assertion| {
        count(own_tests(comparison), &it.text) >= count(&comparison.before.tests, &it.text)
            || own_tests(comparison).any(|test| {
                test.name != after.name
                    && test.assertions.iter().any(|new| new.text == it.text)
                    && !comparison.before.tests.iter().any(|old| old.name == test.name)
            })
    };
    let gone: Vec<&&Assertion> =
        gone.iter().filter(|it| !is_moved(it) && !is_called_plainly(comparison, before, after, it)).collect();
    let spare = gained + implied(after).saturating_sub(implied(before));
    let first = gone.first()?;
    if gone.len() <= spare || is_delegated(comparison, before, after) || after.looped && !before.looped {
        return None;
    }
    let in_comments = |it: &Assertion| {
        let source = comparison.change.before.as_deref().unwrap_or_default();
        let line = usize::try_from(it.line).ok().and_then(|line| source.lines().nth(line.saturating_sub(1)));
        let mut lines = line.into_iter().flat_map(bare_lines).peekable();
        let is_there = |lines: &[u64], line: &u64| lines.binary_search(line).is_ok();
        lines.peek().is_some()
            && lines.all(|line| {
                is_there(&comparison.after.comments, &line) && !is_there(&comparison.before.comments, &line)
            })
    };
    let part = match gone.len() {
        1 => format!("`{}`", in_before(comparison, first)),
        several => format!("{several} of {} assertions", before.assertions.len()),
    };
    if is_logged(comparison, &first.text) {
        return Some((Severity::High, first.line, format!("{part} would only be logged")));
    }
    if in_comments(first) {
        return Some((Severity::High, first.line, format!("{part} would be commented out")));
    }
    if is_thrown_away(comparison, before, after, first) {
        let what =
            format!("`{}` would be gone, and what it was about thrown away", in_before(comparison, first));
        return Some((Severity::High, first.line, what));
    }
    let added = after.body.minus(&before.body).len();
    let removed = before.body.minus(&after.body).len();
    // With much else gone the test is about less, not weaker about the same.
    let words = |it: &&&Assertion| {
        it.text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).count()
    };
    let own: usize = gone.iter().map(words).sum();
    if added == 0 {
        // In Go the condition is no part of the call that fails.
        let condition = if comparison.change.path.ends_with(".go") { 9 } else { 3 };
        let is_most = removed <= own * 2 + condition;
        return Some((
            if is_most { Severity::High } else { Severity::Medium },
            first.line,
            format!("{part} would be gone, with nothing in its place"),
        ));
    }
    let is_small = added <= 3 && added < removed && removed * 2 < before.body.len().max(8) && gained == 0;
    is_small.then(|| (Severity::Medium, first.line, format!("{part} would be gone")))
}

/// Whether the value that an assertion was about is only named now, so that the compiler finds it used: `_ = err`.
fn is_thrown_away(comparison: &Comparison, before: &Test, after: &Test, lost: &Assertion) -> bool {
    let name = &lost.claim.subject;
    let count = |source: Option<&str>, test: &Test| {
        let text = source.and_then(|it| it.get(test.span.clone())).unwrap_or_default();
        let is_discard = |line: &str| {
            let line = bare(line);
            let line = line.trim_end_matches(';');
            ["_=", "let_=", "void", "(void)"].iter().any(|head| line.strip_prefix(head) == Some(name))
        };
        text.lines().filter(|line| is_discard(line)).count()
    };
    !name.is_empty()
        && count(comparison.change.after.as_deref(), after)
            > count(comparison.change.before.as_deref(), before)
}

/// How assertions that nothing is thrown are written, in lower case without white space and `_`.
const UNTHROWN: &[&str] = &[
    "nothrow",
    "notthrow",
    "doesnotthrow",
    "nothrown",
    "not.tothrow",
    "nottoraiseerror",
    "tonotraiseerror",
    "nothingraised",
    "notpanics",
];

/// Whether an assertion that a call throws nothing has become the plain call, which fails the test just as well.
fn is_called_plainly(comparison: &Comparison, before: &Test, after: &Test, old: &Assertion) -> bool {
    let name = old.text.to_lowercase().replace('_', "");
    if !UNTHROWN.iter().any(|word| name.contains(word)) {
        return false;
    }
    let inside = old.text.split_once(['(', '{']).map_or("", |(_, rest)| rest);
    let start = ["()=>", "()->", "try", "{", "function()"].iter().find_map(|it| inside.strip_prefix(it));
    let inside = start.unwrap_or(inside).trim_start_matches('{');
    // The call up to where its brackets are closed.
    let mut depth = 0i32;
    let end = inside.char_indices().find(|(_, c)| {
        depth += i32::from(matches!(c, '(' | '[' | '{')) - i32::from(matches!(c, ')' | ']' | '}'));
        depth < 0
    });
    let call = end.map_or(inside, |(at, _)| &inside[..at]).trim_end_matches(';');
    let count = |source: Option<&str>, test: &Test| {
        let text = source.and_then(|it| it.get(test.span.clone())).unwrap_or_default();
        bare(text).matches(call).count()
    };
    call.len() > 3
        && count(comparison.change.after.as_deref(), after)
            >= count(comparison.change.before.as_deref(), before)
}

/// Whether what failed the test in Go is only logged now: `t.Logf` for `t.Errorf`.
fn is_logged(comparison: &Comparison, text: &str) -> bool {
    const FAILING: &[(&str, &str)] =
        &[("Errorf(", "Logf("), ("Fatalf(", "Logf("), ("Error(", "Log("), ("Fatal(", "Log(")];
    let of = |change: Option<&str>, text: &str| change.is_some_and(|it| bare(it).contains(text));
    comparison.change.path.ends_with(".go")
        && FAILING.iter().any(|(failing, logging)| {
            let Some((holder, rest)) = text.split_once(failing) else { return false };
            let logged = format!("{holder}{logging}{rest}");
            holder.len() <= 3
                && of(comparison.change.after.as_deref(), &logged)
                && !of(comparison.change.before.as_deref(), &logged)
        })
}

/// `expect(cart).toEqual({ total: 3 })` for `expect(cart.total).toBe(3)`.
fn is_about_whole(part: &Assertion, whole: &Assertion) -> bool {
    let rest = part.claim.subject.strip_prefix(&whole.claim.subject);
    !whole.claim.subject.is_empty()
        && rest.is_some_and(|rest| rest.starts_with(['.', '[', '(', '?', '-']))
        && whole.claim.strength >= part.claim.strength
        && whole.claim.expected.len() > 2
}

/// A table with fewer rows.
fn rows(comparison: &Comparison, before: &Test, after: &Test) -> Option<(Severity, u32, String)> {
    // A table that is gone altogether has no rows to count.
    let (was, is) = (before.cases?, after.cases.unwrap_or(0));
    let of = |test: &Test| test.cases.unwrap_or(1);
    let all: usize = comparison.before.tests.iter().map(of).sum();
    let left: usize = own_tests(comparison).map(of).sum();
    let is_less = is < was && (left < all || after.cases.is_none());
    let added = after.body.minus(&before.body).len();
    (is_less && added == 0).then(|| {
        (Severity::High, before.line, format!("{} of {was} rows of the table would be gone", was - is))
    })
}

fn circular(case: &Case, findings: &mut Vec<Finding>) {
    for comparison in case.comparisons() {
        let found = judged(comparison).find_map(|(before, after)| {
            let lost = beyond(&before.assertions, &after.assertions);
            let gained = beyond(&after.assertions, &before.assertions);
            let new = gained.into_iter().find(|it| it.claim.circular && !it.trivial)?;
            let old = lost.iter().find(|old| !old.claim.circular && !old.trivial)?;
            Some((before, old.line, new))
        });
        if let Some((test, line, new)) = found {
            let what = format!(
                "`{}` would compare `{}` with itself",
                in_after(comparison, new),
                written(comparison.change.after.as_deref(), new.line, &new.claim.subject)
            );
            findings.push(finding(&CIRCULAR, comparison, test, line, what));
        }
    }
}

/// Calls that replace a module or a name by a stand-in.
const MOCKS: &[&str] = &["jest.mock", "vi.mock", "jest.doMock", "vi.doMock", "mock.patch", "patch"];

fn mocked(case: &Case, findings: &mut Vec<Finding>) {
    for revision in case.revisions().iter().filter(|revision| revision.is_test && !revision.old.is_empty()) {
        let is_mock = |callee: &str| MOCKS.contains(&callee);
        let count =
            |calls: &[crate::languages::code::Call]| calls.iter().filter(|it| is_mock(it.callee)).count();
        if count(&revision.after.calls) != count(&revision.before.calls) + 1 {
            continue;
        }
        let known: Vec<&str> =
            revision.before.calls.iter().filter(|it| is_mock(it.callee)).map(|it| it.arguments).collect();
        let mock =
            revision.after.calls.iter().find(|it| is_mock(it.callee) && !known.contains(&it.arguments));
        let Some(mock) = mock else { continue };
        let target = mock.arguments.split(['"', '\'', '`']).nth(1).unwrap_or_default();
        let is_used = if target.starts_with('.') {
            let imported = [format!("\"{target}\""), format!("'{target}'")];
            imported.iter().any(|it| revision.old.contains(it))
                || subject(target) == subject(&revision.change.path)
        } else {
            let name = target.rsplit('.').next().unwrap_or_default();
            let module = target.split('.').next().unwrap_or_default();
            name.len() > 1
                && target.contains('.')
                && (revision.before.words.mentions(name) || revision.before.words.mentions(module))
        };
        let old_lines = revision.old.lines().filter(|line| !line.trim().is_empty());
        let mut new_lines = revision.new.lines();
        let only_added = old_lines.into_iter().all(|line| new_lines.any(|new| new == line));
        let grew = revision.new.lines().count().saturating_sub(revision.old.lines().count());
        if is_used && only_added && grew <= 8 {
            let mut found = MOCKED.finding(
                &revision.change.path,
                format!("`{target}` would be replaced by a stand-in in tests that use it"),
            );
            found.line = Some(mock.line);
            let is_sure = is_subject(revision, target);
            found.severity = if is_sure { Severity::High } else { Severity::Medium };
            found.confidence = if is_sure { 0.85 } else { 0.6 };
            findings.push(found);
        }
    }
}

/// Whether the target is what the tests are about: their file is named after it, it is the only module of the
/// project that they import, or they call it themselves.
fn is_subject(revision: &crate::detectors::engine::revision::Revision, target: &str) -> bool {
    if target.starts_with('.') {
        let is_import = |line: &&str| ["import ", "from ", "require("].iter().any(|it| line.contains(it));
        let near = revision.old.lines().filter(is_import).filter_map(|line| {
            line.split(['"', '\'', '`']).skip(1).step_by(2).find(|name| name.starts_with('.'))
        });
        let mut others =
            near.filter(|name| *name != target && !name.contains("help") && !name.contains("util"));
        return subject(target) == subject(&revision.change.path) || others.next().is_none();
    }
    let name = target.rsplit('.').next().unwrap_or_default();
    revision.before.calls.iter().any(|call| call.callee == name || call.callee == target)
}

/// An assertion of before, as it is written there.
fn in_before(comparison: &Comparison, assertion: &Assertion) -> String {
    written(comparison.change.before.as_deref(), assertion.line, &assertion.text)
}

/// An assertion of after, as it is written there.
fn in_after(comparison: &Comparison, assertion: &Assertion) -> String {
    written(comparison.change.after.as_deref(), assertion.line, &assertion.text)
}

fn written(source: Option<&str>, line: u32, text: &str) -> String {
    as_written(source, line, text).chars().take(SHOWN).collect()
}
