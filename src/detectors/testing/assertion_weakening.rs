//! Tests that run and prove nothing any more.
//!
//! A test is compared with itself before; what it never asserted is not missed.

use crate::detectors::{Case, Detector, Pattern, PatternProof, TestComparison, names, of_all};
use crate::languages::Test;
use crate::model::finding::{Finding, RegressionType, Severity};

/// Assertions replaced by such as always hold.
pub(crate) static TRIVIAL: Detector = Detector {
    pattern: Pattern {
        id: "LP-012",
        name: "Trivial Assertion Replacement",
        aliases: &["Tautology"],
        regression_type: Some(RegressionType::AssertionWeakening),
        severity: Severity::Critical,
        what: "An assertion about the code is replaced by one that compares constants.",
        why: "A test that can't fail finds no fault.",
        instead: "An assertion about what the code returns or does, as strong as the one before, passes.",
        proof: PatternProof::Changes,
    },
    detect: trivial,
};

/// Tests left without any assertion.
pub(crate) static REMOVED: Detector = Detector {
    pattern: Pattern {
        id: "LP-013",
        name: "Assertion Deletion",
        aliases: &["Assertion Removal"],
        regression_type: Some(RegressionType::AssertionWeakening),
        severity: Severity::High,
        what: "A test that asserted something asserts nothing.",
        why: "A test without assertions passes as long as nothing crashes.",
        instead: "A test that keeps its assertions, or has others about the same result, passes.",
        proof: PatternProof::Changes,
    },
    detect: removed,
};

fn trivial(case: &Case, findings: &mut Vec<Finding>) {
    for comparison in case.comparisons() {
        findings.extend(weakening(
            &TRIVIAL,
            comparison,
            "would assert only what always holds",
            is_made_trivial,
        ));
    }
}

fn removed(case: &Case, findings: &mut Vec<Finding>) {
    for comparison in case.comparisons() {
        let is_emptied = |before: &Test, after: &Test| {
            let says_nothing = real(before) > 0 && real(after) == 0 && !is_made_trivial(before, after);
            if before.body.len() > after.body.len()
                && is_hollow(comparison.change.after.as_deref(), after)
                && !is_hollow(comparison.change.before.as_deref(), before)
                && before.skipped.as_ref().is_none_or(|skip| !skip.when.stops())
            {
                return true;
            }
            // The mark that said that an error is thrown: `@Test(expected = X.class)`.
            if before.inverted.is_some() && after.inverted.is_none() && real(after) <= real(before) {
                return true;
            }
            says_nothing && !is_delegated(comparison, before, after) && implied(after) <= implied(before)
        };
        findings.extend(weakening(&REMOVED, comparison, "would assert nothing", is_emptied));
    }
}

fn weakening(
    detector: &Detector,
    comparison: &TestComparison,
    ending: &str,
    is_weaker: impl Fn(&Test, &Test) -> bool,
) -> Option<Finding> {
    // A test that no longer runs is the business of the skip detectors.
    let runs = comparison
        .kept()
        .filter(|(before, after)| after.skipped.is_none() || after.skipped == before.skipped);
    let weaker: Vec<(&Test, &Test)> = runs.filter(|(before, after)| is_weaker(before, after)).collect();
    let first = weaker.first()?;
    let lost = names(&weaker.iter().map(|(before, _)| *before).collect::<Vec<_>>());
    let part = of_all(lost.len(), comparison.before.count().max(lost.len()));
    let mut finding = detector.finding(&comparison.change.path, format!("{part} {ending}"));
    finding.line = first.0.assertions.first().map(|assertion| assertion.line).or(Some(first.0.line));
    finding.lost = lost;
    Some(finding)
}

/// Whether a test's body holds no statement at all.
fn is_hollow(source: Option<&str>, test: &Test) -> bool {
    let text = test.text_in(source);
    // `#expect(…)` is a macro of Swift.
    let is_macro = |line: &str| ["#expect", "#require"].iter().any(|name| line.starts_with(name));
    let is_remark = |line: &&str| {
        let line = line.trim_start();
        line.starts_with("//") || line.starts_with('#') && !is_macro(line)
    };
    let lines: Vec<&str> =
        text.lines().map(str::trim).filter(|line| !line.is_empty() && !is_remark(line)).collect();
    if let [head, "end"] = lines[..]
        && (head.ends_with(" do") || head.starts_with("def "))
    {
        return !test.suite;
    }
    let bare: String = text.lines().filter(|line| !is_remark(line)).flat_map(str::split_whitespace).collect();
    !test.suite && ["{}", "{})", "{});", ":pass", ":..."].iter().any(|end| bare.ends_with(end))
}

pub(crate) fn real(test: &Test) -> usize {
    test.assertions.iter().filter(|assertion| !assertion.trivial).count()
}

pub(crate) fn is_made_trivial(before: &Test, after: &Test) -> bool {
    let constant = |test: &Test| test.assertions.len() - real(test);
    constant(after) > constant(before) && real(after) < real(before)
}

/// How often the test calls what fails by itself.
pub(crate) fn implied(test: &Test) -> usize {
    let calls: usize = IMPLIED.iter().map(|word| test.body.count(word)).sum();
    calls + usize::from(test.inverted.is_some())
}

/// Whether the test calls a function of the same file that asserts, and did not before.
pub(crate) fn is_delegated(comparison: &TestComparison, before: &Test, after: &Test) -> bool {
    comparison.after.strays.iter().filter(|stray| stray.assertions > 0).any(|stray| {
        let known = comparison.before.strays.iter().find(|old| old.name == stray.name);
        after.body.mentions(&stray.name)
            && (after.body.count(&stray.name) > before.body.count(&stray.name)
                || known.is_none_or(|old| old.assertions < stray.assertions))
    })
}

/// Calls that fail a test though they don't look like assertions.
const IMPLIED: &[&str] = &[
    "unwrap",
    "unwrap_err",
    "expect_err",
    "contains",
    "waitFor",
    "waitForSelector",
    "waitForURL",
    "getByRole",
    "getByText",
    "findByRole",
    "findByText",
    "raise_for_status",
    "awaitItem",
    "awaitComplete",
    "awaitError",
    "awaitEvent",
    "expectNoEvents",
];
