//! New tests that can't fail: they raise a count and say nothing.
//!
//! Only a test whose every assertion always holds counts; one that merely runs its subject may be meant so, and one that
//! takes another's place is that one's business.

use std::collections::HashSet;

use crate::detectors::{Case, Detector, Pattern, PatternProof, of_all};
use crate::languages::{self, Test};
use crate::model::finding::{Change, Finding, RegressionType, Severity};

/// New tests that prove nothing.
pub(crate) static ADDED: Detector = Detector {
    pattern: Pattern {
        id: "LP-P002",
        name: "Trivial Test Addition",
        aliases: &["Assertion-free Test"],
        regression_type: Some(RegressionType::AssertionWeakening),
        severity: Severity::Medium,
        what: "A new test asserts only what always holds.",
        why: "The count of tests rises, and nothing more is tested.",
        instead: "A test with an assertion about what the code returns or does passes.",
        proof: PatternProof::Changes,
    },
    detect,
};

/// How an assertion that always holds is written, without white space.
const SIGNS: &[&str] =
    &["true", "True", "TRUE", "(1,1", "(1).toBe(1", "1==1", "(0,0", "(false)", "=== 1", "'a','a'"];

fn detect(case: &Case, findings: &mut Vec<Finding>) {
    for change in case.evidence.changes {
        let Some(after) = change.after.as_deref() else { continue };
        // A test that is lost or weakened in the same file is the cause of what stands in its place.
        let is_told = findings.iter().any(|finding| finding.path == change.path);
        if is_told || !languages::is_test_path(&change.path) || !SIGNS.iter().any(|sign| after.contains(sign))
        {
            continue;
        }
        findings.extend(added(case, change, after));
    }
}

fn added(case: &Case, change: &Change, after: &str) -> Option<Finding> {
    let outline_of = |text: &str| case.read(&change.path, text, |it| it.outline_at(&change.path));
    let outline = outline_of(after)?;
    if !outline.tests.iter().any(says_nothing) {
        return None;
    }
    let before = change.before.as_deref().and_then(outline_of);
    // One that only has a new name is none, and a file of such tests is meant so.
    if before.as_ref().is_some_and(|before| before.tests.iter().any(says_nothing)) {
        return None;
    }
    let known: HashSet<&str> =
        before.iter().flat_map(|before| &before.tests).map(|test| test.name.as_str()).collect();
    let new: Vec<&Test> =
        outline.tests.iter().filter(|it| !it.suite && !known.contains(it.name.as_str())).collect();
    let empty: Vec<&&Test> = new.iter().filter(|test| says_nothing(test)).collect();
    let first = empty.first()?;
    let what = format!("{} that would be new can't fail", of_all(empty.len(), new.len()));
    let mut finding = ADDED.finding(&change.path, what);
    finding.line = change.before.is_none().then_some(first.line);
    finding.confidence = 0.8;
    Some(finding)
}

/// Whether a test asserts, and only what always holds. One that is called a check of sanity is meant so.
fn says_nothing(test: &Test) -> bool {
    let name = test.name.to_lowercase();
    !test.suite
        && test.skipped.is_none()
        && !test.assertions.is_empty()
        && test.assertions.iter().all(|assertion| assertion.trivial)
        && !["sanity", "smoke", "runs", "works at all", "placeholder", "import", "compile", "load"]
            .iter()
            .any(|word| name.contains(word))
}
