//! Tests that still assert, but less: weaker matchers, dropped or hidden assertions, both sides from the same code.
//!
//! Each test is compared with itself before, assertion by assertion. What another test of the file asserts now, or a
//! function that the test calls, has moved; a test that is rewritten is not judged by what it no longer says.

use crate::detectors::testing::assertion_weakening::{is_made_trivial, real};
use crate::detectors::testing::dropped_assertions::dropped;
use crate::detectors::testing::early_exits::{is_of_tests, left_early};
use crate::detectors::testing::empty_loops;
use crate::detectors::testing::kept_tests::{beyond, count, finding, in_after, in_before, judged, own_tests};
use crate::detectors::testing::lesser_helpers::lesser;
use crate::detectors::testing::lesser_parts::lessened;
use crate::detectors::testing::loosened_spies::loosened;
use crate::detectors::testing::lost_rows::rows;
use crate::detectors::testing::mere_presence::merely_there;
use crate::detectors::testing::rewritten_answers::rewritten;
use crate::detectors::testing::said_within::{is_caught_only, is_described, is_said};
use crate::detectors::testing::same_subjects::{
    LocalSubjects, alternatives, is_less_of_less, is_loosened_call, is_split, says_all,
};
use crate::detectors::testing::shell_tests;
use crate::detectors::testing::unawaited::{floating, no_longer_awaited};
use crate::detectors::{Case, Detector, Pattern, PatternProof, TestComparison, names};
use crate::languages::{
    Assertion, AssertionClaim, Language, LooserBy, Strength, Test, chance, is_close_enough, is_coarse,
    looser, measured,
};
use crate::model::finding::{Finding, RegressionType, Severity};

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
        proof: PatternProof::Changes,
    },
    detect: weakened,
};

fn weakened(case: &Case, findings: &mut Vec<Finding>) {
    by_lines(case, findings);
    let told: Vec<String> =
        findings.iter().filter(|it| it.pattern_id == WEAKENED.id).map(|it| it.path.clone()).collect();
    for comparison in case.comparisons().iter().filter(|it| !told.contains(&it.change.path)) {
        let mut worst: Option<(Severity, Finding)> = None;
        let mut lost = Vec::new();
        let early = skipped_sometimes(comparison)
            .filter_map(|(before, after)| Some((before, left_early(comparison, before, after)?)))
            .map(|(before, (line, what))| (before, (Severity::High, line, what)));
        let weaker = judged(comparison)
            .filter_map(|(before, after)| Some((before, loss(case, comparison, before, after)?)));
        for (before, (severity, line, what)) in early.chain(weaker) {
            lost.extend(names(&[before]));
            if worst.as_ref().is_none_or(|(known, _)| severity > *known) {
                let mut found = finding(&WEAKENED, comparison, before, line, what);
                found.severity = severity;
                worst = Some((severity, found));
            }
        }
        let is_told = worst.is_some() || findings.iter().any(|it| it.path == comparison.change.path);
        if let Some((_, mut found)) = worst {
            found.lost = lost;
            findings.push(found);
        }
        findings.extend(lesser(comparison).filter(|_| !is_told).map(|(name, line)| Finding {
            line: Some(line),
            severity: Severity::High,
            ..WEAKENED.finding(
                &comparison.change.path,
                format!("`{name}` would assert less for the tests that call it"),
            )
        }));
    }
}

/// What the lines of a change tell, also where no grammar reads them.
fn by_lines(case: &Case, findings: &mut Vec<Finding>) {
    for change in case.evidence.changes {
        if let Some((test, how)) = shell_tests::losses(change).and_then(|it| it.weaker) {
            let mut found = WEAKENED.finding(&change.path, format!("in `{}` {how}", test.name));
            (found.line, found.severity, found.lost) = (Some(test.line), Severity::High, vec![test.name]);
            findings.push(found);
        }
        let is_told = findings.iter().any(|it| it.path == change.path && it.severity > Severity::Low);
        let found = rewritten(change)
            .or_else(|| loosened(change))
            .or_else(|| if is_told { None } else { empty_loops::cut_rows(change) });
        findings.extend(found.map(|(what, line)| Finding {
            line: Some(line),
            severity: Severity::High,
            ..WEAKENED.finding(&change.path, what)
        }));
    }
}

/// The tests that ran before and are skipped under a condition now.
fn skipped_sometimes<'c>(comparison: &'c TestComparison) -> impl Iterator<Item = (&'c Test, &'c Test)> {
    comparison.kept().filter(|(before, after)| {
        let is_new = before.skipped.is_none() && after.skipped.as_ref().is_some_and(|it| !it.when.stops());
        is_new && !before.suite && real(before) > 0
    })
}

/// How a test asserts less, with the line and the severity.
fn loss(
    case: &Case,
    comparison: &TestComparison,
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
    if let Some((old, new)) =
        merely_there(before, after).filter(|(old, _)| !is_kept_elsewhere(comparison, old))
    {
        let (was, is) = (in_before(comparison, old), in_after(comparison, new));
        return Some((Severity::High, old.line, format!("`{was}` would become `{is}`, which asks less")));
    }
    let lost = beyond(&before.assertions, &after.assertions);
    let mut gained = beyond(&after.assertions, &before.assertions);
    if gained.iter().any(|it| it.claim.circular) {
        return None;
    }
    let all_new = gained.clone();
    let mut gone = Vec::new();
    let mut weaker = None;
    let names = LocalSubjects::of(comparison, before, after);
    let all_lost = lost.clone();
    for old in lost.into_iter().filter(|it| !it.trivial) {
        let same = |new: &&Assertion| names.is_same(&old.claim, &new.claim);
        // Of two that say as much, the one that says the same and not its opposite.
        let stronger = |new: &&Assertion| (new.claim.strength, new.claim.negated == old.claim.negated);
        let best =
            gained.iter().enumerate().filter(|(_, new)| same(new)).max_by_key(|(_, new)| stronger(new));
        let best = best.or_else(|| gained.iter().enumerate().find(|(_, new)| is_loosened_call(old, new)));
        let Some((at, new)) = best else {
            if weaker.is_none()
                && let Some(new) =
                    lessened(&names, old, &all_new).filter(|_| !is_kept_elsewhere(comparison, old))
            {
                let (was, is) = (in_before(comparison, old), in_after(comparison, new));
                weaker =
                    Some((Severity::High, old.line, format!("`{was}` would become `{is}`, which asks less")));
            }
            gone.push(old);
            continue;
        };
        weaker = weaker.or_else(|| {
            if is_described(old, new) || is_split(old, &all_new) {
                return None;
            }
            let (severity, line, what) = replaced(comparison, old, new)?;
            // Several of its parts may say as much as the whole.
            let is_part = |it: &&&Assertion| same(it) && it.claim.strength >= Some(Strength::Partial);
            let of_old = |it: &&&Assertion| names.is_same(&old.claim, &it.claim);
            let in_parts = gained.iter().filter(is_part).count() > all_lost.iter().filter(of_old).count();
            Some((if in_parts { severity.min(Severity::Medium) } else { severity }, line, what))
        });
        gained.remove(at);
    }
    if weaker.is_some() {
        return weaker;
    }
    let less = gone.iter().find_map(|old| {
        let new = gained.iter().find(|new| is_less_of_less(&names, old, new))?;
        Some((*old, *new))
    });
    if let Some((old, new)) = less.filter(|_| comparison.after.count() <= comparison.before.count()) {
        let (was, is) = (in_before(comparison, old), in_after(comparison, new));
        return Some((
            Severity::High,
            old.line,
            format!("`{was}` would become `{is}`, which asks less of less"),
        ));
    }
    // One about the whole takes the place of several about its parts.
    gone.retain(|old| !gained.iter().any(|new| is_about_whole(old, new)));
    gone.retain(|old| !is_said(&names, old, &all_new));
    // `if ok { assertTrue(f) } else { assertFalse(f) }` says what `f == ok` says.
    gone.retain(|old| !is_one_of_both(&names, old, &all_lost, &all_new));
    // What is about code that is gone is no part of the loss.
    gone.retain(|old| !case.gone().is_named_by(&comparison.change.path, &old.text));
    dropped(comparison, before, after, &gone, gained.len()).or_else(|| rows(comparison, before, after))
}

/// Assertions that are still there and can't fail the test any more.
fn hidden(comparison: &TestComparison, before: &Test, after: &Test) -> Option<(Severity, u32, String)> {
    if let Some(how) = empty_loops::emptied(comparison, before, after) {
        let line = before.assertions.first().map_or(before.line, |it| it.line);
        return Some((Severity::High, line, how));
    }
    let was = before.text_in(comparison.change.before.as_deref());
    let is = after.text_in(comparison.change.after.as_deref());
    if let Some((line, what)) = left_early(comparison, before, after) {
        return Some((Severity::High, line, what));
    }
    if let Some((line, what)) = floating(comparison, before, after) {
        return Some((Severity::High, line, what));
    }
    if is_caught_only((&before.assertions, was), (&after.assertions, is)) {
        let line = before.assertions.first().map_or(before.line, |it| it.line);
        return Some((Severity::High, line, "nothing would fail where no error is thrown".to_owned()));
    }
    let count = |test: &Test, is: fn(&Assertion) -> bool| test.assertions.iter().filter(|it| is(it)).count();
    let swallowed = |it: &Assertion| it.swallowed;
    if count(after, swallowed) > count(before, swallowed) {
        let old = after.assertions.iter().find(|it| it.swallowed && !it.trivial)?;
        let was_there = before.assertions.iter().find(|it| it.text == old.text && !it.swallowed)?;
        let what = format!("the failure of `{}` would be swallowed", in_before(comparison, was_there));
        return Some((Severity::Critical, was_there.line, what));
    }
    if let Some((line, what)) = no_longer_awaited(comparison, before, after) {
        return Some((Severity::High, line, what));
    }
    let always = |test: &Test| test.assertions.iter().filter(|it| !it.conditional && !it.trivial).count();
    let same = before.assertions.len() == after.assertions.len()
        && before.assertions.iter().zip(&after.assertions).all(|(old, new)| old.text == new.text);
    (same && always(before) > 0 && always(after) == 0).then(|| {
        let line = before.assertions.first().map_or(before.line, |it| it.line);
        // Under a condition about the machine some of them may have to.
        let severity = if is_of_tests(was, is) { Severity::High } else { Severity::Medium };
        (severity, line, "the assertions would run under a condition only".to_owned())
    })
}

/// Whether the tests of the file assert the same as often as before.
fn is_kept_elsewhere(comparison: &TestComparison, old: &Assertion) -> bool {
    count(own_tests(comparison), &old.text) >= count(&comparison.before.tests, &old.text)
}

/// An assertion in the place of another about the same thing.
fn replaced(
    comparison: &TestComparison,
    old: &Assertion,
    new: &Assertion,
) -> Option<(Severity, u32, String)> {
    if is_kept_elsewhere(comparison, old) {
        return None;
    }
    if old.claim.strength.is_none() && is_loosened_call(old, new) {
        let how = format!(
            "`{}` would take more values than `{}`",
            in_after(comparison, new),
            in_before(comparison, old)
        );
        return Some((Severity::High, old.line, how));
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
    let is_same_truth = || is_typed(&comparison.change.path) && is_truth(&old.claim, &new.claim);
    let is_extended = || old.claim.matcher == new.claim.matcher && says_all(&old.claim, &new.claim);
    let is_near = || is_close_enough(&old.text, &new.text) && !is_coarse(&old.text, &new.text);
    if is < was && (is_near() || is_same_truth() || is_extended()) {
        return None;
    }
    if is < was {
        let what = format!(
            "`{}` would become `{}`, which says less",
            in_before(comparison, old),
            in_after(comparison, new)
        );
        return Some((Severity::High, old.line, what));
    }
    if measured(&new.claim.subject).is_some()
        && measured(&old.claim.subject).is_none()
        && old.claim.expected.len() > 2
    {
        let what = format!(
            "`{}` would become `{}`, which says how many alone",
            in_before(comparison, old),
            in_after(comparison, new)
        );
        return Some((Severity::High, old.line, what));
    }
    if let Some(found) = allows_more(comparison, old, new) {
        return Some(found);
    }
    if comparison.change.path.ends_with(".go") {
        let ((any, all), (any_now, all_now)) = (alternatives(&old.text), alternatives(&new.text));
        if any_now < any || all_now > all && any_now == any {
            let what = format!("`{}` would fail under fewer conditions", in_after(comparison, new));
            return Some((Severity::High, old.line, what));
        }
    }
    let is_turned = old.claim.negated != new.claim.negated
        && old.claim.matcher == new.claim.matcher
        && old.claim.expected == new.claim.expected;
    is_turned.then(|| {
        let what = format!("`{}` would become its opposite", in_before(comparison, old));
        (Severity::High, old.line, what)
    })
}

/// Whether a value of a language is true or false by its type alone, so that nothing else passes for true.
fn is_typed(path: &str) -> bool {
    use Language::{CSharp, Cpp, Go, Java, Kotlin, Rust, Scala, Swift};
    matches!(Language::of_path(path), Some(CSharp | Cpp | Go | Java | Kotlin | Rust | Scala | Swift))
}

/// Whether a value that was compared with `true` is asked for itself now.
fn is_truth(old: &AssertionClaim, new: &AssertionClaim) -> bool {
    let was = !old.negated && old.expected == "true" && old.strength == Some(Strength::Exact);
    was && !new.negated && new.strength == Some(Strength::Kind) && matches!(&*new.expected, "" | "true")
}

/// An assertion with the same matcher that takes more values: a wider tolerance, a lower bound, any value for a given one.
fn allows_more(
    comparison: &TestComparison,
    old: &Assertion,
    new: &Assertion,
) -> Option<(Severity, u32, String)> {
    let told = |how: &str| {
        format!("`{}` would {how} than `{}`", in_after(comparison, new), in_before(comparison, old))
    };
    if is_coarse(&old.text, &new.text) {
        return Some((Severity::High, old.line, told("allow more")));
    }
    if takes_any_error(&old.claim, &new.claim) || takes_any_text(&new.text) && !takes_any_text(&old.text) {
        return Some((Severity::High, old.line, told("take more errors")));
    }
    if let Some(much) = looser(&old.text, &new.text) {
        let severity = if much == LooserBy::Much { Severity::High } else { Severity::Medium };
        return Some((severity, old.line, told("allow more")));
    }
    let ((was_open, was_said), (is_open, is_said)) = (chance(&old.text), chance(&new.text));
    let is_alike = old.claim.matcher == new.claim.matcher || old.claim.strength == new.claim.strength;
    let is_open = is_open > was_open && is_said < was_said && is_alike;
    is_open.then(|| (Severity::High, old.line, told("take more values")))
}

/// Whether an assertion is one of two opposite ones about something that is compared with a value now.
fn is_one_of_both(
    names: &LocalSubjects,
    old: &Assertion,
    lost: &[&Assertion],
    gained: &[&Assertion],
) -> bool {
    let is_exact = |new: &&&Assertion| new.claim.strength == Some(Strength::Exact) && !new.claim.negated;
    let is_kind = |it: &Assertion| it.claim.strength.is_none_or(|is| is <= Strength::Kind);
    let same = |it: &Assertion| it.claim.subject == old.claim.subject && it.text != old.text;
    is_kind(old)
        && lost.iter().any(|it| is_kind(it) && same(it))
        && gained.iter().filter(is_exact).any(|new| names.is_same(&old.claim, &new.claim))
}

/// Whether an error of one kind may be of several now.
fn takes_any_error(old: &AssertionClaim, new: &AssertionClaim) -> bool {
    let several = |it: &AssertionClaim| it.expected.starts_with('(') && it.expected.contains(',');
    old.subject == "raise" && new.subject == "raise" && several(new) && !several(old)
}

/// Whether an assertion asks for a text that any text fits.
fn takes_any_text(text: &str) -> bool {
    ["\".*\"", "'.*'", "/.*/", "/.+/", "/^/", "/(?:)/"].iter().any(|it| text.contains(it))
}

/// Whether a claim is that there is something, or that there is nothing: to turn it is to say as much.
fn is_absence(claim: &AssertionClaim) -> bool {
    const WORDS: &[&str] = &["null", "nil", "none", "undefined", "empty"];
    let name = claim.matcher.to_lowercase();
    let of = |text: &str| WORDS.iter().any(|word| text.ends_with(word));
    of(&name) || of(&claim.expected.to_lowercase())
}

/// `expect(cart).toEqual({ total: 3 })` for `expect(cart.total).toBe(3)`.
fn is_about_whole(part: &Assertion, whole: &Assertion) -> bool {
    let rest = part.claim.subject.strip_prefix(&whole.claim.subject);
    !whole.claim.subject.is_empty()
        && rest.is_some_and(|rest| rest.starts_with(['.', '[', '(', '?', '-']))
        && whole.claim.strength >= part.claim.strength
        && whole.claim.expected.len() > 2
}
