//! Data of tests bent to what the code does now: answers rewritten, cases taken out, files emptied.
//!
//! Only data that was there before counts, and only while no product code of the session has changed: what the code
//! does differently is what recorded answers are rewritten for.

use crate::detectors::testing::recorded_cases::{
    TestDataFinding, answers_changed, cases, cases_changed, cut,
};
use std::collections::HashMap;

use serde_json::Value;

use crate::detectors::engine::hunks::hunks;
use crate::detectors::testing::broken_values::broken;
use crate::detectors::testing::changed_data;
use crate::detectors::testing::easier_helpers::eased;
use crate::detectors::testing::explained_values::{Reason, after_loss, reason};
use crate::detectors::testing::far_inputs::left_its_limit;
use crate::detectors::testing::fitted_claims::fitted;
use crate::detectors::testing::fitted_to_losses::fitted_to_loss;
use crate::detectors::testing::fixture_texts::harmless;
use crate::detectors::testing::recorded_answers;
use crate::detectors::testing::reordered_inputs;
use crate::detectors::testing::test_inputs;
use crate::detectors::{Case, Detector, Pattern, PatternProof};
use crate::languages::{bare_lines, data_of_tests, file_name, is_test_path, subject};
use crate::model::finding::{Change, Finding, RegressionType, Severity};

/// The id of the pattern, which weighs more after a run that failed.
pub const TEST_DATA: &str = "LP-024";

/// Fixtures and recorded answers changed without the code.
pub(crate) static BENT: Detector = Detector {
    pattern: Pattern {
        id: TEST_DATA,
        name: "Test Data Manipulation",
        aliases: &["Fixture Tampering", "Snapshot Tampering"],
        regression_type: Some(RegressionType::AssertionWeakening),
        severity: Severity::Critical,
        what: "Fixtures, snapshots or recorded answers of tests are emptied, cut or rewritten while no product code changes.",
        why: "Tests that are given other data agree to whatever the code does now.",
        instead: "The code can be mended so that the data fits, or change first where the data is truly wrong: then this passes.",
        proof: PatternProof::Changes,
    },
    detect,
};

/// More lines than these, gone and new, rewrite a file.
const REWRITTEN: usize = 20;
fn detect(case: &Case, findings: &mut Vec<Finding>) {
    given(case, findings);
    texts(case, findings);
    broken_texts(case, findings);
    let bent = case.evidence.changes.iter().filter(|change| data_of_tests(&change.path));
    for change in bent {
        let Some(before) = change.before.as_deref().filter(|text| !is_bare(text)) else { continue };
        let reason = reason(case, change);
        if matches!(reason, Reason::Change) || findings.iter().any(|it| it.path == change.path) {
            continue;
        }
        let found = match change.after.as_deref() {
            None => gone(case, change, before),
            Some(after) if is_bare(after) => {
                Some((Severity::Critical, "the test data would be emptied".to_owned(), Vec::new()))
            }
            Some(after) => {
                cut(&change.path, before, after).or_else(|| rewritten(&change.path, before, after))
            }
        };
        let found = found.map(|(severity, what, lost)| match &reason {
            Reason::Loss(loss) => (Severity::High, after_loss(&what, loss), lost),
            _ => (severity, what, lost),
        });
        findings.extend(found.map(|(severity, what, lost)| Finding {
            severity,
            lost,
            confidence: 0.7,
            ..BENT.finding(&change.path, what)
        }));
    }
}

/// What tests are given in their own file, made harmless.
fn given(case: &Case, findings: &mut Vec<Finding>) {
    for comparison in case.comparisons() {
        // What the tests claim less is told already, as bad as it is.
        let told = findings.iter().filter(|it| it.path == comparison.change.path).map(|it| it.severity).max();
        if told >= Some(Severity::High) {
            continue;
        }
        let bent = test_inputs::bent(case, comparison)
            .or_else(|| changed_data::changed(case, comparison))
            .or_else(|| reordered_inputs::reordered(case, comparison))
            .or_else(|| left_its_limit(case, comparison))
            .or_else(|| fitted_to_loss(case, comparison));
        let bent = bent.filter(|it| told.is_none() || it.severity >= Severity::High);
        if bent.is_none()
            && told.is_none()
            && let Some((line, said)) = fitted(comparison.change)
        {
            let what =
                format!("the expectation would be fitted to what the code does, as it says itself: `{said}`");
            let severity = Severity::High;
            findings.push(Finding {
                severity,
                line: Some(line),
                ..BENT.finding(&comparison.change.path, what)
            });
        }
        findings.extend(bent.map(|bent| Finding {
            severity: bent.severity,
            lost: bent.lost,
            line: Some(bent.line),
            confidence: 0.7,
            ..BENT.finding(&comparison.change.path, bent.what)
        }));
    }
}

/// Texts that tests expect, with what a fault says in the place of a value.
fn broken_texts(case: &Case, findings: &mut Vec<Finding>) {
    for change in case.evidence.changes {
        let told = findings.iter().filter(|it| it.path == change.path).map(|it| it.severity).max();
        if told >= Some(Severity::High) {
            continue;
        }
        let Some(bent) = broken(case, change) else { continue };
        // It says more than that there is another value.
        findings.retain(|it| it.path != change.path || it.pattern_id != TEST_DATA);
        findings.push(Finding {
            severity: bent.severity,
            line: Some(bent.line),
            confidence: 0.8,
            ..BENT.finding(&change.path, bent.what)
        });
    }
}

/// Texts that tests are given, made harmless.
fn texts(case: &Case, findings: &mut Vec<Finding>) {
    for change in case.evidence.changes {
        if findings.iter().any(|it| it.path == change.path) {
            continue;
        }
        findings.extend(harmless(case, change).or_else(|| eased(case, change)).map(|bent| Finding {
            severity: bent.severity,
            line: Some(bent.line),
            confidence: 0.7,
            ..BENT.finding(&change.path, bent.what)
        }));
    }
}

/// Whether a text holds nothing.
fn is_bare(text: &str) -> bool {
    matches!(text.trim(), "" | "{}" | "[]" | "null" | "---" | "exports = {};" | "// Jest Snapshot v1")
}

/// Deleted data. What has moved, or goes with the tests that are about it, is not meant.
fn gone(case: &Case, change: &Change, before: &str) -> Option<TestDataFinding> {
    let lines = counts(before);
    let is_moved = |other: &Change| {
        let there = other.after.as_deref().map(counts).unwrap_or_default();
        other.path != change.path && missing(&lines, &there) * 10 <= lines.values().sum::<usize>() * 4
    };
    let about = subject(&change.path);
    let of_subject = |other: &Change| is_test_path(&other.path) && subject(&other.path) == about;
    let of_tests = |other: &Change| {
        other.path != change.path
            && (of_subject(other) || is_test_path(&other.path) && names_file(other, &change.path))
    };
    let explained = case.all_changes().any(|other| is_moved(other) || of_tests(other));
    (!explained).then(|| (Severity::Medium, "the test data would be gone".to_owned(), Vec::new()))
}

/// Whether a test used the file before and does not any more.
fn names_file(test: &Change, path: &str) -> bool {
    let name = file_name(path);
    let names = |text: &Option<String>| text.as_deref().is_some_and(|text| text.contains(name));
    names(&test.before) && !names(&test.after)
}

/// Answers changed for the same questions, or most of a file written anew.
fn rewritten(path: &str, before: &str, after: &str) -> Option<TestDataFinding> {
    if is_same_value(path, before, after) {
        return None;
    }
    if let Some(what) = recorded_answers::emptied_values(path, before, after) {
        return Some((Severity::High, what, Vec::new()));
    }
    let changed = cases(path, before).zip(cases(path, after)).map(|(old, new)| answers_changed(&old, &new));
    if let Some(changed) = changed.filter(|changed| !changed.is_empty()) {
        let what = match changed.len() {
            1 => "a recorded answer would be another for the same question".to_owned(),
            several => format!("{several} recorded answers would be others for the same questions"),
        };
        return Some((Severity::Medium, what, changed));
    }
    let changed = cases(path, before).zip(cases(path, after)).map(|(old, new)| cases_changed(&old, &new));
    if let Some((name, severity)) = changed.flatten() {
        return Some((severity, format!("the recorded case `{name}` would be another one"), vec![name]));
    }
    let (old, new) = (counts(before), counts(after));
    let (gone, added) = (missing(&old, &new), missing(&new, &old));
    // What is mostly more is more data.
    if gone > REWRITTEN / 2 && gone + added > REWRITTEN {
        return Some((
            Severity::Medium,
            format!("{gone} lines of test data would be gone or different"),
            Vec::new(),
        ));
    }
    let other = recorded_answers::other_answers(path, before, after)
        .or_else(|| recorded_answers::other_values(path, before, after))
        .or_else(|| part_gone(path, before, after));
    other.map(|what| (Severity::Medium, what, Vec::new()))
}

/// A part of a document that is gone, with all else as it was.
fn part_gone(path: &str, before: &str, after: &str) -> Option<String> {
    const DOCUMENTS: &[&str] = &[
        "xml", "html", "htm", "yaml", "yml", "toml", "txt", "log", "sql", "ics", "eml", "rss", "svg", "ini",
    ];
    let extension = file_name(path).rsplit_once('.')?.1;
    let all = hunks("\u{0}", before, after).filter(|_| DOCUMENTS.contains(&extension))?;
    let gone: usize = all.iter().map(|it| it.gone.len()).sum();
    let is_cut = all.iter().all(|it| it.come.is_empty()) && (1..=REWRITTEN * 2).contains(&gone);
    (is_cut && before.lines().count() > 2 * gone).then(|| format!("{gone} lines of test data would be gone"))
}

/// Whether both texts say the same in another form.
fn is_same_value(path: &str, before: &str, after: &str) -> bool {
    let value = |text| serde_json::from_str::<Value>(text).ok();
    path.ends_with(".json") && value(before).zip(value(after)).is_some_and(|(before, after)| before == after)
}

fn counts(text: &str) -> HashMap<u64, usize> {
    let mut counts = HashMap::new();
    for line in bare_lines(text) {
        *counts.entry(line).or_default() += 1;
    }
    counts
}

/// How many of the lines the others do not have.
fn missing(lines: &HashMap<u64, usize>, others: &HashMap<u64, usize>) -> usize {
    let beyond = |(line, count): (&u64, &usize)| count.saturating_sub(others.get(line).copied().unwrap_or(0));
    lines.iter().map(beyond).sum()
}
