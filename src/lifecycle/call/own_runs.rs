//! The agent's own test runs: what its shell printed is read, and a change that looks
//! away from a test that failed there weighs more.

use crate::detectors;
use crate::detectors::commands::destructive_command::rewrites_snapshots;
use crate::detectors::testing::explained_values::is_unnamed;
use crate::detectors::{expectation_edits, is_product_change};
use crate::languages::{data_of_tests, is_test_path};
use crate::lifecycle::changes::last_run::{self, is_same_test};
use crate::lifecycle::changes::touched::elsewhere;
use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::measuring::reports;
use crate::model::event::{Action, ToolCall};
use crate::model::finding::{Change, Finding, Severity};
use crate::runners::{failures, results};
use crate::state::test_runs::{FailedTest, TestRun};

/// How much of a command is kept, characters.
const COMMAND: usize = 300;
/// Outputs shorter than this hold no test run.
const SHORTEST: usize = 12;
/// How many failing tests are kept with what they wanted and got.
const FAILED: usize = 40;
/// How much of a value is shown, characters.
const SHOWN: usize = 60;

/// What the newest run says of a change of tests. Recorded answers that are rewritten right after a run failed are made
/// to fit: what would be advice stops. So does an edit of what a test expects that failed there, while nothing that it
/// tests has changed since.
pub fn weigh(context: &HookContext, changes: &[Change], findings: &mut Vec<Finding>) {
    let is_of_tests = |change: &Change| is_test_path(&change.path) || data_of_tests(&change.path);
    if !changes.iter().any(is_of_tests) {
        return;
    }
    let Some(run) = newest_failing(context) else { return };
    weigh_data(context, &run, findings);
    // Source and test together are one change.
    if changes.iter().any(is_product_change) {
        return;
    }
    let mut edits = expectation_edits(changes);
    edits.retain(|edit| run.failure_of(&edit.finding.lost).is_some());
    let concerns = |finding: &Finding| is_about_tests(finding) && run.failure_of(&finding.lost).is_some();
    if edits.is_empty() && !findings.iter().any(concerns) {
        return;
    }
    let others = elsewhere(context);
    let Some(severity) = severity_after(context, &run, &others) else { return };
    for finding in findings.iter_mut().filter(|finding| concerns(finding)) {
        finding.severity = finding.severity.max(severity);
        finding.what.push_str(&run.said_of(&finding.lost));
    }
    // One that the session has written itself was never anybody's word.
    let is_older = |path: &str, assertion: &str| {
        let began = others.iter().find(|other| other.path == path);
        began.is_none_or(|file| file.before.as_deref().is_some_and(|text| bare(text).contains(assertion)))
    };
    for edit in edits {
        let known = findings.iter().any(|it| it.path == edit.finding.path && is_about_tests(it));
        if !known && is_older(&edit.finding.path, &edit.assertion) {
            let said = run.said_of(&edit.finding.lost);
            let what = format!("{}{said}", edit.finding.what);
            findings.push(Finding { severity, what, confidence: 0.7, ..edit.finding });
        }
    }
}

/// What the newest run says of snapshots that a command would write anew. Right after tests failed, and with nothing of the
/// product changed by the session, they would only be made to fit.
pub fn weigh_snapshots(context: &HookContext, findings: &mut [Finding]) {
    if !findings.iter().any(rewrites_snapshots) || newest_failing(context).is_none() {
        return;
    }
    let has_changed = elsewhere(context).iter().any(is_product_change);
    for finding in findings.iter_mut().filter(|finding| rewrites_snapshots(finding)) {
        finding.what.push_str(", right after tests failed");
        if !has_changed {
            finding.severity = Severity::High;
            finding.what.push_str(" and with no change of what they test");
        }
    }
}

/// What an edit of a failed test weighs; `None` where the product has changed since the run, so that the test may be
/// behind it.
fn severity_after(context: &HookContext, run: &TestRun, others: &[Change]) -> Option<Severity> {
    let product: Vec<&Change> = others.iter().filter(|other| is_product_change(other)).collect();
    let has_changed_since = |change: &&Change| {
        let path = context.project.root().join(&change.path);
        let changed = std::fs::metadata(path).and_then(|file| file.modified());
        changed.is_ok_and(|changed| changed > reports::on_disk(run.at))
    };
    if product.iter().any(has_changed_since) {
        return None;
    }
    // What the session has changed before the run may be what the test is to say now.
    Some(if product.is_empty() { Severity::High } else { Severity::Medium })
}

fn bare(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

fn is_about_tests(finding: &Finding) -> bool {
    use crate::model::finding::RegressionType;
    finding.regression_type == Some(RegressionType::AssertionWeakening)
}

fn weigh_data(context: &HookContext, run: &TestRun, findings: &mut [Finding]) {
    // A change of the code since the run may be the reason, though it names no such value.
    let is_before_change = || severity_after(context, run, &elsewhere(context)).is_some();
    let bent = findings.iter_mut().filter(|finding| {
        finding.pattern_id == detectors::TEST_DATA
            && finding.severity == Severity::Medium
            && !run.has_no_failure_of(finding)
            && (!is_unnamed(&finding.what) || is_before_change())
    });
    bent.for_each(|finding| {
        finding.severity = Severity::High;
        finding.what.push_str(", right after tests failed");
    });
}

/// The newest run of this iteration, if tests failed in it.
fn newest_failing(context: &HookContext) -> Option<TestRun> {
    last_run::newest(context).filter(|run| run.reading.tests.as_ref().is_some_and(|it| it.failed > 0))
}

impl TestRun {
    /// What the run said of one of these tests, as the end of a sentence.
    fn said_of(&self, names: &[String]) -> String {
        let failure = self.failures.iter().find(|it| names.iter().any(|name| is_same_test(&it.test, name)));
        let shown = |text: &str| text.chars().take(SHOWN).collect::<String>();
        match failure.and_then(|it| it.expected.as_deref().zip(it.actual.as_deref())) {
            Some((expected, actual)) => {
                format!(
                    ", and it failed in the last run: expected {}, got {}",
                    shown(expected),
                    shown(actual)
                )
            }
            None => ", and it failed in the last run".to_owned(),
        }
    }
}

/// Notes the test run that a finished shell call printed, in a session that has a loop. Anything else costs a look at the
/// output, and no file.
pub fn note(context: &HookContext, call: &ToolCall, output: &str) {
    let Action::Shell { command, .. } = &call.action else { return };
    let Some(bound) = &context.bound else { return };
    if output.len() < SHORTEST {
        return;
    }
    let reading = results::printed(&mut output.as_bytes());
    if reading.tests.is_none() && reading.coverage.is_none() {
        return;
    }
    let run = TestRun {
        at: context.env.now,
        iteration: context.iteration(),
        command: command.chars().take(COMMAND).collect(),
        failures: failed_tests(output, reading.tests.as_ref().is_some_and(|tests| tests.failed > 0)),
        reading,
    };
    // It only informs: a file that can't be written is no reason to stop anything.
    run.write(&context.layout, &bound.id).ok();
}

/// What the failing tests of an output wanted and got, by name.
fn failed_tests(output: &str, any: bool) -> Vec<FailedTest> {
    let read = any.then(|| failures::read(output)).flatten();
    let all = read.into_iter().flat_map(|found| found.list).take(FAILED);
    all.filter_map(|it| Some(FailedTest { test: it.test?, expected: it.expected, actual: it.actual }))
        .collect()
}
