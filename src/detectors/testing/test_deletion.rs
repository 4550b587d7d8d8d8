//! Tests that are gone: deleted, commented out, or left where no runner finds them.
//!
//! A test whose body turns up under another name, in a table or in another file is not gone.

use std::cell::LazyCell;

use crate::detectors::testing::gone_subjects::{
    are_about_gone, follows_its_subject, imports_what_is_gone, is_root_of_kept_package,
};
use crate::detectors::testing::gone_words::is_about_what_went;
use crate::detectors::testing::joined_rows::{NewTables, is_in_rows_of_others};
use crate::detectors::testing::matcher_lines::is_said_by_matcher;
use crate::detectors::testing::other_forms::is_asked_anew;
use crate::detectors::testing::overwritten_tests::overwritten;
use crate::detectors::testing::parted_tests::{is_parted, new_names};
use crate::detectors::testing::retested_calls::{is_retested, new_questions};
use crate::detectors::testing::said_within::is_refusal;
use crate::detectors::testing::shell_tests;
use crate::detectors::testing::spread_claims::{Spread, is_spread};
use crate::detectors::testing::tested_functions::lines_of;
use crate::detectors::testing::unread_tests::{becomes_template, is_unread, unread_file};
use crate::detectors::testing::word_edit::line_at;
use crate::detectors::{Case, Detector, Pattern, PatternProof, TestComparison, names, of_all};
use crate::languages::testing::similarity::MOST_PAIRS;
use crate::languages::{Fate, Test};
use crate::model::finding::{Change, Finding, RegressionType, Severity};

/// The id of the pattern; a test that stands twice is not lost with one of its texts.
pub const DELETED_TESTS: &str = "LP-001";

/// Tests or a test file deleted, or kept where nothing collects them.
pub(crate) static DELETED: Detector = Detector {
    pattern: Pattern {
        id: DELETED_TESTS,
        name: "Complete Test File Deletion",
        aliases: &[SOME_DELETED, "LP-T001", "Test File Deletion"],
        regression_type: Some(RegressionType::TestDeletion),
        severity: Severity::Critical,
        what: "A test file, or single tests of one, would no longer run because they are gone, renamed or in dead code.",
        why: "A failing test that is deleted hides the fault that it found.",
        instead: "Each lost test can be kept, or added at its new place first: then this edit passes. Where its code goes as well, that goes first.",
        proof: PatternProof::Changes,
    },
    detect: deleted,
};

/// Tests turned into comments.
pub(crate) static COMMENTED_OUT: Detector = Detector {
    pattern: Pattern {
        id: "LP-004",
        name: "Test Commenting Out",
        aliases: &["Commented-out tests"],
        regression_type: Some(RegressionType::TestDeletion),
        severity: Severity::Critical,
        what: "Tests would stand in comments.",
        why: "A test in a comment looks kept and runs never.",
        instead: "Each of these tests can stay as code while the code under test is mended: then this edit passes.",
        proof: PatternProof::Changes,
    },
    detect: commented_out,
};

/// The pattern's name where the file keeps some of its tests.
const SOME_DELETED: &str = "Test Deletion";

fn deleted(case: &Case, findings: &mut Vec<Finding>) {
    for comparison in case.comparisons().iter().filter(|it| !becomes_template(case, it.change)) {
        let is_gone = |fate: &Fate| matches!(fate, Fate::Lost | Fate::Dead(_) | Fate::Uncollected(_));
        if let Some(mut finding) = loss(&DELETED, case, comparison, is_gone) {
            if !comparison.after.tests.is_empty() {
                finding.pattern_name = SOME_DELETED;
            }
            findings.push(finding);
        } else if let Some((before, after)) = comparison.counts.filter(|(before, after)| after < before) {
            let what = format!(
                "{} would be gone; the file is too large to name them",
                of_all(before - after, before)
            );
            let mut finding = DELETED.finding(&comparison.change.path, what);
            if after > 0 {
                finding.pattern_name = SOME_DELETED;
            }
            findings.push(Finding { confidence: 0.7, ..finding });
        }
    }
    findings.extend(case.comparisons().iter().filter_map(hidden_by_later));
    let kept = case.evidence.changes.iter().filter(|change| change.after.is_some());
    findings.extend(kept.filter_map(lost_of_shell));
    for change in case.evidence.changes.iter().filter(|change| is_unread(case, change)) {
        findings.extend(
            unread_file(case, change).map(|(what, severity)| Finding {
                severity,
                ..DELETED.finding(&change.path, what.to_owned())
            }),
        );
    }
}

/// Tests that a later one of the same name takes the place of.
fn hidden_by_later(comparison: &TestComparison) -> Option<Finding> {
    let lost = overwritten(comparison);
    let first = lost.first()?;
    let part = of_all(lost.len(), comparison.before.count().max(lost.len()));
    let what = format!("{part} would not run, as a later one has the same name");
    Some(Finding {
        pattern_name: SOME_DELETED,
        line: Some(first.line),
        severity: Severity::High,
        lost: names(&lost),
        ..DELETED.finding(&comparison.change.path, what)
    })
}

/// Tests of a shell's text that are gone.
fn lost_of_shell(change: &Change) -> Option<Finding> {
    let losses = shell_tests::losses(change).filter(|it| !it.gone.is_empty())?;
    let part = of_all(losses.gone.len(), losses.count);
    Some(Finding {
        pattern_name: SOME_DELETED,
        line: losses.gone.first().map(|test| test.line),
        lost: losses.gone.into_iter().map(|test| test.name).collect(),
        ..DELETED.finding(&change.path, format!("{part} would be gone"))
    })
}

fn commented_out(case: &Case, findings: &mut Vec<Finding>) {
    for comparison in case.comparisons() {
        findings.extend(loss(&COMMENTED_OUT, case, comparison, |fate| *fate == Fate::CommentedOut));
    }
}

/// The finding for those tests of a file whose fate is meant.
fn loss(
    detector: &Detector,
    case: &Case,
    comparison: &TestComparison,
    is_meant: impl Fn(&Fate) -> bool,
) -> Option<Finding> {
    let pairs = comparison.before.tests.iter().zip(&comparison.fates);
    let mut lost: Vec<(&Test, &Fate)> = pairs.filter(|(_, fate)| is_meant(fate)).collect();
    let subjects_gone = !lost.is_empty() && are_about_gone(case, comparison.change, &lost);
    if !subjects_gone && !is_root_of_kept_package(case, comparison.change) {
        // What is about something that is gone is no part of the loss.
        let path = &comparison.change.path;
        lost.retain(|(test, _)| {
            let is_gone = || {
                case.gone().has_subject_of(path, test)
                    || imports_what_is_gone(case, comparison.change, test)
                    || is_about_what_went(case, comparison.change, test)
            };
            test.suite || !is_gone()
        });
    }
    lost.retain(|(test, _)| !has_empty_body(comparison.change, test));
    let tables = LazyCell::new(|| NewTables::of(comparison));
    let questions = LazyCell::new(|| new_questions(comparison));
    let spread = LazyCell::new(|| Spread::of(comparison));
    let named = LazyCell::new(|| new_names(comparison));
    let are_few = lost.len().saturating_mul(comparison.after.tests.len()) <= MOST_PAIRS;
    lost.retain(|(test, fate)| {
        **fate != Fate::Lost
            || !are_few
            || !is_refused_anew(comparison, test)
                && !tables.have(comparison, test)
                && !is_in_rows_of_others(case, comparison, test)
                && !is_retested(comparison, &questions, test)
                && !is_spread(comparison, spread.as_ref(), test)
                && !is_parted(comparison, &named, test)
                && !is_said_by_matcher(comparison, test)
    });
    let first = lost.first()?;
    let tests: Vec<&Test> = lost.iter().map(|(test, _)| *test).collect();
    let said_nothing = |test: &&Test| {
        !test.assertions.is_empty() && test.assertions.iter().all(|assertion| assertion.trivial)
    };
    // The example that a new project comes with.
    let is_blank = |test: &&Test| test.assertions.is_empty() && test.body.len() < 2 && !test.suite;
    if tests.iter().all(|test| said_nothing(test) || is_blank(test)) && is_replaced(comparison, &lost) {
        return None;
    }
    let lost_names = names(&tests);
    let part = of_all(lost_names.len(), comparison.before.count().max(lost_names.len()));
    let found = detector.finding(&comparison.change.path, format!("{part} {}", ending(&lost)));
    let mut finding = Finding { line: Some(first.0.line), lost: lost_names, ..found };
    let was_skipped = |test: &&Test| test.skipped.as_ref().is_some_and(|skip| skip.when.stops());
    if subjects_gone {
        finding.severity = Severity::Low;
    } else if tests.iter().all(was_skipped) {
        finding.severity = Severity::Medium;
    } else if is_replaced(comparison, &lost) {
        let follows = follows_its_subject(case, comparison.change, &tests);
        finding.severity = if follows { Severity::Medium } else { Severity::High };
        finding.confidence = 0.6;
        finding.what = format!("{part} would be replaced by others that test something else");
    }
    Some(finding)
}

/// Whether a test that something is refused stands in another form in its place, in a test that runs.
fn is_refused_anew(comparison: &TestComparison, test: &Test) -> bool {
    let awaits_panic = test.inverted.is_some();
    let claims = |new: &Test| new.assertions.iter().any(|it| !it.trivial);
    let text = comparison.change.before.as_deref().unwrap_or_default();
    let title = || line_at(text, test.title_span.start).0;
    (awaits_panic || test.assertions.iter().any(|it| is_refusal(it) || it.text.contains(".left.")))
        && comparison.new_tests().any(claims)
        && is_asked_anew(comparison.change, &lines_of(text, test), title(), awaits_panic)
}

/// Whether nothing stands in a test's braces: it says that it is there, and no more.
fn has_empty_body(change: &Change, test: &Test) -> bool {
    let says_nothing = !test.suite && test.assertions.is_empty() && test.body.is_empty();
    let braced = || test.text_in(change.before.as_deref()).split_once('{')?.1.rsplit_once('}');
    says_nothing && braced().is_some_and(|(inside, _)| inside.trim().is_empty())
}

pub(super) fn ending(lost: &[(&Test, &Fate)]) -> String {
    match lost.first() {
        Some((_, Fate::Dead(why))) => format!("would {why}"),
        Some((test, Fate::Uncollected(name))) if test.title == *name => {
            format!("would no longer be collected: `{name}` stays as a plain function")
        }
        Some((test, Fate::Uncollected(name))) => {
            format!("would no longer be collected: `{}` becomes `{name}`", test.title)
        }
        Some((_, Fate::CommentedOut)) => "would be commented out".to_owned(),
        _ => "would be gone".to_owned(),
    }
}

/// Whether as many tests with as many assertions stand in the place of the lost ones.
fn is_replaced(comparison: &TestComparison, lost: &[(&Test, &Fate)]) -> bool {
    let assertions =
        |tests: &[Test]| tests.iter().flat_map(|test| &test.assertions).filter(|it| !it.trivial).count();
    let runs = comparison.after.tests.iter().filter(|test| !test.suite && test.skipped.is_none()).count();
    lost.iter().all(|(_, fate)| **fate == Fate::Lost)
        && runs >= comparison.before.count()
        && assertions(&comparison.after.tests) >= assertions(&comparison.before.tests)
}
