//! Assertions that are gone from a test, with nothing in their place.
//!
//! An assertion that has moved, or that has become the plain call, is not gone.

use crate::detectors::TestComparison;
use crate::detectors::engine::code_lines::closing;
use crate::detectors::testing::assertion_weakening::{implied, is_delegated};
use crate::detectors::testing::kept_tests::{count, in_before, own_tests};
use crate::detectors::testing::said_within::is_failure_replaced;
use crate::detectors::testing::stricter_twins::has_stricter_twin;
use crate::languages::code::bare;
use crate::languages::{Assertion, Test, bare_lines};
use crate::model::finding::Severity;

/// Assertions that are gone with nothing in their place.
pub(super) fn dropped(
    comparison: &TestComparison,
    before: &Test,
    after: &Test,
    gone: &[&Assertion],
    gained: usize,
) -> Option<(Severity, u32, String)> {
    // A mark on the test, or around it, may say that an error is thrown: `->throws(X)`.
    let is_marked = after.inverted.is_some() && before.inverted.is_none();
    let is_kept = |it: &Assertion| {
        is_moved(comparison, after, it)
            || is_called_plainly(comparison, before, after, it)
            || is_failure_replaced(it, &before.assertions, &after.assertions)
            || has_stricter_twin(comparison, before, it)
            || is_marked && (it.claim.subject == "raise" || it.text.contains("expectException"))
    };
    let gone: Vec<&Assertion> = gone.iter().copied().filter(|it| !is_kept(it)).collect();
    let spare = gained + implied(after).saturating_sub(implied(before));
    let first = gone.first()?;
    if gone.len() <= spare || is_delegated(comparison, before, after) || after.looped && !before.looped {
        return None;
    }
    let part = match gone.len() {
        1 => format!("`{}`", in_before(comparison, first)),
        several => format!("{several} of {} assertions", before.assertions.len()),
    };
    let high = |what: String| Some((Severity::High, first.line, what));
    if is_logged(comparison, &first.text) {
        return high(format!("{part} would only be logged"));
    }
    if is_commented_out(comparison, first) {
        return high(format!("{part} would be commented out"));
    }
    if is_thrown_away(comparison, before, after, first) {
        let name = in_before(comparison, first);
        return high(format!("`{name}` would be gone, and what it was about thrown away"));
    }
    let (severity, how) = rest(comparison, before, after, &gone, gained)?;
    Some((severity, first.line, format!("{part} {how}")))
}

/// How bad it is that assertions are gone, by what else is gone and what has come.
fn rest(
    comparison: &TestComparison,
    before: &Test,
    after: &Test,
    gone: &[&Assertion],
    gained: usize,
) -> Option<(Severity, &'static str)> {
    let added = after.body.minus(&before.body).len();
    let removed = before.body.minus(&after.body).len();
    // With much else gone the test is about less, not weaker about the same.
    let words = |it: &&Assertion| {
        it.text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).count()
    };
    let own: usize = gone.iter().map(words).sum();
    if added == 0 {
        // In Go the condition is no part of the call that fails.
        let condition = if comparison.change.path.ends_with(".go") { 9 } else { 3 };
        let is_most = removed <= own * 2 + condition;
        let severity = if is_most { Severity::High } else { Severity::Medium };
        return Some((severity, "would be gone, with nothing in its place"));
    }
    let is_small = added <= 3 && added < removed && removed * 2 < before.body.len().max(8) && gained == 0;
    is_small.then_some((Severity::Medium, "would be gone"))
}

/// Whether other tests assert the same now.
fn is_moved(comparison: &TestComparison, after: &Test, lost: &Assertion) -> bool {
    count(own_tests(comparison), &lost.text) >= count(&comparison.before.tests, &lost.text)
        || own_tests(comparison).any(|test| {
            test.name != after.name
                && test.assertions.iter().any(|new| new.text == lost.text)
                && !comparison.before.tests.iter().any(|old| old.name == test.name)
        })
}

/// Whether an assertion's line stands in a comment that is new.
fn is_commented_out(comparison: &TestComparison, lost: &Assertion) -> bool {
    let source = comparison.change.before.as_deref().unwrap_or_default();
    let line = usize::try_from(lost.line).ok().and_then(|line| source.lines().nth(line.saturating_sub(1)));
    let mut lines = line.into_iter().flat_map(bare_lines).peekable();
    let is_there = |lines: &[u64], line: &u64| lines.binary_search(line).is_ok();
    lines.peek().is_some()
        && lines.all(|line| {
            is_there(&comparison.after.comments, &line) && !is_there(&comparison.before.comments, &line)
        })
}

/// Whether the value that an assertion was about is only named now, so that the compiler finds it used: `_ = err`.
fn is_thrown_away(comparison: &TestComparison, before: &Test, after: &Test, lost: &Assertion) -> bool {
    let name = &lost.claim.subject;
    let count = |source: Option<&str>, test: &Test| {
        let is_discard = |line: &str| {
            let line = bare(line);
            let line = line.trim_end_matches(';');
            ["_=", "let_=", "void", "(void)"].iter().any(|head| line.strip_prefix(head) == Some(name))
        };
        test.text_in(source).lines().filter(|line| is_discard(line)).count()
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
fn is_called_plainly(comparison: &TestComparison, before: &Test, after: &Test, old: &Assertion) -> bool {
    let name = old.text.to_lowercase().replace('_', "");
    if !UNTHROWN.iter().any(|word| name.contains(word)) {
        return false;
    }
    let inside = old.text.split_once(['(', '{']).map_or("", |(_, rest)| rest);
    let start = ["()=>", "()->", "try", "{", "function()"].iter().find_map(|it| inside.strip_prefix(it));
    let inside = start.unwrap_or(inside).trim_start_matches('{');
    // The call up to where its brackets are closed.
    let call = closing(inside).map_or(inside, |at| &inside[..at]).trim_end_matches(';');
    let count = |source: Option<&str>, test: &Test| bare(test.text_in(source)).matches(call).count();
    call.len() > 3
        && count(comparison.change.after.as_deref(), after)
            >= count(comparison.change.before.as_deref(), before)
}

/// Whether what failed the test in Go is only logged now: `t.Logf` for `t.Errorf`.
fn is_logged(comparison: &TestComparison, text: &str) -> bool {
    const FAILING: &[(&str, &str)] = &[
        ("Errorf(", "Logf("),
        ("Fatalf(", "Logf("),
        ("Error(", "Log("),
        ("Fatal(", "Log("),
        ("Errorf(", "Skipf("),
        ("Fatalf(", "Skipf("),
        ("Error(", "Skip("),
        ("Fatal(", "Skip("),
    ];
    let of = |change: Option<&str>, text: &str| change.is_some_and(|it| bare(it).contains(text));
    comparison.change.path.ends_with(".go")
        && FAILING.iter().any(|(failing, logging)| {
            let Some((head, rest)) = text.rsplit_once(failing) else { return false };
            let holder = head.rsplit(['{', ';']).next().unwrap_or(head);
            let logged = format!("{holder}{logging}{rest}");
            holder.len() <= 3
                && of(comparison.change.after.as_deref(), &logged)
                && !of(comparison.change.before.as_deref(), &logged)
        })
}
