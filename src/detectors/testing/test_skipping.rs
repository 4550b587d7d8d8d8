//! Tests that are there and no longer run: skip marks, focus marks, bodies that end before their first assertion.
//!
//! Only a mark that is new on a test which ran before counts. A mark on a new test, and a mark that holds on some
//! platforms only, is nobody's regression.

use crate::detectors::testing::exits_by_variable::left_by_variable;
use crate::detectors::testing::foreign_skips::skipped;
use crate::detectors::testing::needed_modules::needed;
use crate::detectors::testing::shell_tests;
use crate::detectors::testing::skipped_by_answers::skipped_by_answer;
use crate::detectors::testing::skipped_rows::skipped_row;
use crate::detectors::{Case, Detector, Pattern, PatternProof, TestComparison, names, of_all};
use crate::languages::{Skip, SkipCondition, Test};
use crate::model::finding::{Finding, RegressionType, Severity};

/// A whole suite skipped, or others focused out.
pub(crate) static SUITE_DISABLED: Detector = Detector {
    pattern: Pattern {
        id: "LP-002",
        name: "Test Suite Disabling",
        aliases: &["Suite Skip", "Focused Tests"],
        regression_type: Some(RegressionType::TestSkipping),
        severity: Severity::Critical,
        what: "A mark on a suite, a module or a single focused test keeps a whole group of tests from running.",
        why: "A run that leaves its tests out is green whatever the code does.",
        instead: "Without the mark the tests run again; a mark on tests that are new in the same edit passes.",
        proof: PatternProof::Changes,
    },
    detect: suites,
};

/// Single tests skipped.
pub(crate) static TESTS_DISABLED: Detector = Detector {
    pattern: Pattern {
        id: "LP-003",
        name: "Multiple Individual Test Disabling",
        aliases: &["LP-T002", "Skip/Ignore", "Test Skipping"],
        regression_type: Some(RegressionType::TestSkipping),
        severity: Severity::High,
        what: "Tests that ran before carry a skip mark, or end before their first assertion.",
        why: "A skipped test looks kept and proves nothing.",
        instead: "Without the mark the test runs again; a mark on a test that is new in the same edit passes.",
        proof: PatternProof::Changes,
    },
    detect: single_tests,
};

fn suites(case: &Case, findings: &mut Vec<Finding>) {
    for change in case.evidence.changes {
        let found = unimportable(change);
        let is_told = found.is_some();
        findings.extend(found);
        findings.extend(needed(change).filter(|_| !is_told).map(|(what, line)| Finding {
            line: Some(line),
            severity: Severity::High,
            ..SUITE_DISABLED.finding(&change.path, what)
        }));
    }
    for comparison in case.comparisons() {
        if let Some(finding) = focused(comparison) {
            findings.push(finding);
        }
        let skipped: Vec<_> = newly_skipped(comparison).into_iter().filter(|(_, skip)| skip.suite).collect();
        if let Some(mut finding) = skipping(&SUITE_DISABLED, comparison, &skipped) {
            let is_all = finding.lost.len() >= comparison.before.count();
            if !is_all {
                finding.severity = finding.severity.min(Severity::High);
            }
            findings.push(finding);
        }
    }
}

fn single_tests(case: &Case, findings: &mut Vec<Finding>) {
    for comparison in case.comparisons() {
        let skipped: Vec<_> = newly_skipped(comparison).into_iter().filter(|(_, skip)| !skip.suite).collect();
        findings.extend(skipping(&TESTS_DISABLED, comparison, &skipped));
        let is_told = skipped.iter().any(|(_, skip)| skip.when != SkipCondition::Sometimes);
        findings.extend(inverted(comparison));
        findings.extend(left_by_variable(comparison).filter(|_| !is_told).map(|exit| {
            let what = format!("a test would end early unless asked for, where `{}`", exit.condition);
            let mut found = TESTS_DISABLED.finding(&comparison.change.path, what);
            (found.line, found.lost) = (Some(exit.line), names(&[exit.test]));
            found
        }));
        findings.extend(skipped_row(comparison).map(|(line, mark, count)| {
            let rows = if count == 1 {
                "a row of its table".to_owned()
            } else {
                format!("{count} rows of its table")
            };
            let what = format!("a test would not run {rows} any more, by `{mark}`");
            Finding { line: Some(line), ..TESTS_DISABLED.finding(&comparison.change.path, what) }
        }));
    }
    for change in case.evidence.changes {
        findings.extend(skipped(change).map(|(line, mark)| {
            let what = format!("a test would not run any more, by `{mark}`");
            Finding { line: Some(line), ..TESTS_DISABLED.finding(&change.path, what) }
        }));
        findings.extend(skipped_by_answer(change).map(|(line, name)| {
            let what = format!("tests would be skipped where `{name}`, which they ask, answers wrongly");
            Finding { line: Some(line), ..TESTS_DISABLED.finding(&change.path, what) }
        }));
    }
    for change in case.evidence.changes {
        let Some(losses) = shell_tests::losses(change).filter(|it| !it.skipped.is_empty()) else { continue };
        let part = of_all(losses.skipped.len(), losses.count);
        let mut finding = TESTS_DISABLED.finding(&change.path, format!("{part} would be skipped"));
        finding.line = losses.skipped.first().map(|test| test.line);
        finding.lost = losses.skipped.into_iter().map(|test| test.name).collect();
        findings.push(finding);
    }
}

/// A file of tests that runs only where a module can be imported which the file did not need before.
fn unimportable(change: &crate::model::finding::Change) -> Option<Finding> {
    let (before, after) = (change.before.as_deref()?, change.after.as_deref()?);
    let mut new = (1u32..).zip(after.lines()).filter(|(_, line)| line.contains("pytest.importorskip("));
    let (line, module) = new.find_map(|(at, line)| {
        let is_top = !line.starts_with([' ', '\t']);
        let module = line.split("importorskip(").nth(1)?.split(['"', '\'']).nth(1)?;
        (is_top && !before.contains(module)).then_some((at, module))
    })?;
    let what = format!("all tests would be skipped where `{module}` can't be imported");
    Some(Finding { line: Some(line), severity: Severity::High, ..SUITE_DISABLED.finding(&change.path, what) })
}

/// The tests that ran before and carry a mark now.
fn newly_skipped<'c>(comparison: &'c TestComparison) -> Vec<(&'c Test, &'c Skip)> {
    let ran = |skip: &Option<Skip>| skip.as_ref().is_none_or(|skip| !skip.when.stops());
    let pairs = comparison.kept().filter(|(before, _)| ran(&before.skipped));
    let marked = pairs.filter_map(|(before, after)| Some((before, after.skipped.as_ref()?)));
    marked.filter(|(before, skip)| before.skipped.as_ref() != Some(*skip)).collect()
}

/// A sound test that is now expected to fail: the mark is new and the body is the same.
fn inverted<'c>(comparison: &'c TestComparison) -> Option<Finding> {
    let texts = |test: &'c Test| test.assertions.iter().map(|assertion| &assertion.text);
    let marked = comparison.kept().filter(|(before, after)| {
        before.inverted.is_none() && after.inverted.is_some() && texts(before).eq(texts(after))
    });
    let marked: Vec<(&Test, &Test)> = marked.collect();
    let (first, after) = marked.first()?;
    let lost = names(&marked.iter().map(|(before, _)| *before).collect::<Vec<_>>());
    let part = of_all(lost.len(), comparison.before.count().max(lost.len()));
    let mark = after.inverted.as_deref().unwrap_or_default();
    let what = format!("{part} would pass only by failing, with `{mark}` on an unchanged body");
    Some(Finding { line: Some(first.line), lost, ..TESTS_DISABLED.finding(&comparison.change.path, what) })
}

/// One finding for all of a file's new marks; those that hold only sometimes are left out beside worse ones.
fn skipping(detector: &Detector, comparison: &TestComparison, skipped: &[(&Test, &Skip)]) -> Option<Finding> {
    let worst = skipped.iter().map(|(_, skip)| skip.when).min()?;
    let meant: Vec<_> = skipped
        .iter()
        .filter(|(_, skip)| skip.when == worst || (skip.when.stops() && worst.stops()))
        .collect();
    let (first, skip) = meant.first()?;
    let tests: Vec<&Test> = meant.iter().map(|(test, _)| *test).collect();
    let lost = names(&tests);
    let part = of_all(lost.len(), comparison.before.count().max(lost.len()));
    let condition = match skip.when {
        SkipCondition::Always => "",
        SkipCondition::InCi => " on a CI server",
        SkipCondition::ByDefault => " unless asked for",
        SkipCondition::Sometimes => " under a condition",
    };
    let mut finding = detector
        .finding(&comparison.change.path, format!("{part} would be skipped{condition} by `{}`", skip.mark));
    finding.severity = match worst {
        SkipCondition::Always | SkipCondition::InCi => detector.severity,
        SkipCondition::ByDefault => Severity::High,
        SkipCondition::Sometimes => Severity::Low,
    };
    finding.line = Some(first.line);
    finding.lost = lost;
    Some(finding)
}

/// A focus mark where there was none: the tests without it don't run.
fn focused(comparison: &TestComparison) -> Option<Finding> {
    if comparison.before.tests.iter().any(|test| test.focused.is_some()) {
        return None;
    }
    let mark = comparison.after.tests.iter().find_map(|test| test.focused.as_ref())?;
    let out: Vec<&Test> = comparison
        .kept()
        .filter(|(_, after)| after.focused.is_none() && !after.suite)
        .map(|(test, _)| test)
        .collect();
    let lost = names(&out);
    let what = match lost.len() {
        0 => format!("`{mark}` would keep tests of other files from running"),
        count => {
            format!("{} would not run beside `{mark}`", of_all(count, comparison.before.count().max(count)))
        }
    };
    let mut finding = SUITE_DISABLED.finding(&comparison.change.path, what);
    if lost.is_empty() {
        finding.severity = Severity::High;
    }
    finding.line = out.first().map(|test| test.line);
    finding.lost = lost;
    Some(finding)
}
