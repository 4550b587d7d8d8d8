//! Tests that still assert, but less: weaker matchers, dropped or hidden assertions, both sides from the same code.
//!
//! Each test is compared with itself before, assertion by assertion. What another test of the file asserts now, or a
//! function that the test calls, has moved; a test that is rewritten is not judged by what it no longer says.

use crate::detectors::testing::always_true::always;
use crate::detectors::testing::assertion_weakening::{is_made_trivial, real};
use crate::detectors::testing::dropped_assertions::dropped;
use crate::detectors::testing::early_exits::left_early;
use crate::detectors::testing::emptied_snapshots::emptied;
use crate::detectors::testing::empty_loops;
use crate::detectors::testing::hidden_assertions::hidden;
use crate::detectors::testing::kept_tests::{
    AssertionLoss, beyond, finding, in_after, in_before, is_kept_elsewhere, judged,
};
use crate::detectors::testing::lesser_helpers::lesser;
use crate::detectors::testing::lesser_parts::lessened;
use crate::detectors::testing::loosened_spies::loosened;
use crate::detectors::testing::looser_lines::said_less;
use crate::detectors::testing::lost_rows::rows;
use crate::detectors::testing::mere_presence::merely_there;
use crate::detectors::testing::merely_counted::merely_counted;
use crate::detectors::testing::optional_claims::where_there;
use crate::detectors::testing::other_questions::{asked_otherwise, one_by_one};
use crate::detectors::testing::replaced_claims::looser_only;
use crate::detectors::testing::rewritten_answers::rewritten;
use crate::detectors::testing::said_within::{is_about_whole, is_described, is_said};
use crate::detectors::testing::same_subjects::{LocalSubjects, is_less_of_less, is_loosened_call, is_split};
use crate::detectors::testing::shell_tests;
use crate::detectors::testing::smoothed_answers::smoothed;
use crate::detectors::testing::unasked_errors::unasked;
use crate::detectors::testing::weaker_assertion::replaced;
use crate::detectors::testing::wider_claims::widened;
use crate::detectors::{Case, Detector, Pattern, PatternProof, TestComparison, names};
use crate::languages::{Assertion, Strength, Test};
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
        let found =
            rewritten(change).or_else(|| loosened(change)).or_else(|| said_less(change)).or_else(|| {
                let rows = || empty_loops::cut_rows(change).or_else(|| empty_loops::emptied_rows(change));
                if is_told { None } else { rows().or_else(|| always(change)).or_else(|| smoothed(change)) }
            });
        let found = found.or_else(|| emptied(case, change));
        findings.extend(found.map(|(what, line)| Finding {
            line: Some(line),
            severity: Severity::High,
            ..WEAKENED.finding(&change.path, what)
        }));
        let wider = if is_told { None } else { widened(change) };
        findings.extend(wider.map(|(what, line, severity)| Finding {
            line: Some(line),
            severity,
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
fn loss(case: &Case, comparison: &TestComparison, before: &Test, after: &Test) -> Option<AssertionLoss> {
    if is_made_trivial(before, after) || (real(after) == 0 && !after.assertions.iter().any(|it| it.swallowed))
    {
        return None;
    }
    if let Some(found) = hidden(comparison, before, after) {
        return Some(found);
    }
    let there = merely_there(before, after).filter(|(old, _)| !is_kept_elsewhere(comparison, old));
    if let Some((old, new)) = there {
        return Some(asks_less(comparison, old, new, "less"));
    }
    if let Some((old, new)) = merely_counted(comparison, before, after) {
        return Some(asks_less(comparison, old, new, "less"));
    }
    let lost = beyond(&before.assertions, &after.assertions);
    let new = beyond(&after.assertions, &before.assertions);
    if new.iter().any(|it| it.claim.circular) {
        return None;
    }
    let names = LocalSubjects::of(comparison, before, after);
    let mut pairs =
        AssertionPairs { comparison, names: &names, lost: &lost, left: new.clone(), gone: Vec::new() };
    if let Some(found) = pairs.weaker(&new) {
        return Some(found);
    }
    let AssertionPairs { left, mut gone, .. } = pairs;
    if let Some(found) = one_by_one(comparison, after, &gone, &new) {
        return Some(found);
    }
    let less = gone.iter().find_map(|old| {
        let new = left.iter().find(|new| is_less_of_less(&names, old, new))?;
        Some((*old, *new))
    });
    if let Some((old, new)) = less.filter(|_| comparison.after.count() <= comparison.before.count()) {
        return Some(asks_less(comparison, old, new, "less of less"));
    }
    // One about the whole takes the place of several about its parts.
    gone.retain(|old| !left.iter().any(|new| is_about_whole(old, new)));
    gone.retain(|old| !is_said(&names, old, &new));
    // `if ok { assertTrue(f) } else { assertFalse(f) }` says what `f == ok` says.
    gone.retain(|old| !is_one_of_both(&names, old, &lost, &new));
    // What is about code that is gone is no part of the loss.
    gone.retain(|old| !case.gone().is_named_by(&comparison.change.path, &old.text));
    looser_only(comparison, &names, (before, after), &gone, &left)
        .or_else(|| dropped(comparison, before, after, &gone, left.len()))
        .or_else(|| rows(comparison, before, after))
}

fn asks_less(comparison: &TestComparison, old: &Assertion, new: &Assertion, less: &str) -> AssertionLoss {
    let (was, is) = (in_before(comparison, old), in_after(comparison, new));
    (Severity::High, old.line, format!("`{was}` would become `{is}`, which asks {less}"))
}

/// The assertions of a test that went, each looked for among those that came.
struct AssertionPairs<'c, 'a> {
    comparison: &'c TestComparison<'a>,
    names: &'c LocalSubjects<'c>,
    lost: &'c [&'c Assertion],
    /// Those that came and took no other's place yet.
    left: Vec<&'c Assertion>,
    /// Those in whose place none came.
    gone: Vec<&'c Assertion>,
}

impl<'c> AssertionPairs<'c, '_> {
    /// Pairs them, and says how the first that is weaker is.
    fn weaker(&mut self, new: &[&'c Assertion]) -> Option<AssertionLoss> {
        let mut weaker = None;
        for old in self.lost.iter().copied().filter(|it| !it.trivial) {
            weaker = weaker
                .or_else(|| asked_otherwise(self.comparison, old, new))
                .or_else(|| where_there(self.comparison, self.names, old, new));
            let unasked =
                || unasked(old, new).map(|it| asks_less(self.comparison, old, it, "nothing of the error"));
            weaker = weaker.or_else(unasked);
            if let Some(at) = self.best(old) {
                weaker = weaker.or_else(|| self.weaker_at(old, at, new));
                self.left.remove(at);
            } else {
                let less =
                    || lessened(self.names, old, new).filter(|_| !is_kept_elsewhere(self.comparison, old));
                weaker = weaker.or_else(|| Some(asks_less(self.comparison, old, less()?, "less")));
                self.gone.push(old);
            }
        }
        weaker
    }

    /// Where the one stands that says the same as `old`, or takes its place as a call.
    fn best(&self, old: &Assertion) -> Option<usize> {
        // Of two that say as much, the one that says the same and not its opposite.
        let stronger = |new: &Assertion| (new.claim.strength, new.claim.negated == old.claim.negated);
        let same = self.left.iter().enumerate().filter(|(_, new)| self.names.is_same(&old.claim, &new.claim));
        let best = same.max_by_key(|(_, new)| stronger(new)).map(|(at, _)| at);
        best.or_else(|| self.left.iter().position(|new| is_loosened_call(old, new)))
    }

    fn weaker_at(&self, old: &Assertion, at: usize, all_new: &[&Assertion]) -> Option<AssertionLoss> {
        let new = self.left.get(at)?;
        if is_described(old, new) || is_split(old, all_new) {
            return None;
        }
        let (severity, line, what) = replaced(self.comparison, old, new)?;
        // Several of its parts may say as much as the whole.
        let same = |it: &&&Assertion| self.names.is_same(&old.claim, &it.claim);
        let is_part = |it: &&&Assertion| same(it) && it.claim.strength >= Some(Strength::Partial);
        let in_parts = self.left.iter().filter(is_part).count() > self.lost.iter().filter(same).count();
        Some((if in_parts { severity.min(Severity::Medium) } else { severity }, line, what))
    }
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
