//! The agent's own test runs: what its shell printed is read, and a change that looks
//! away from a test that failed there weighs more.

use crate::detectors;
use crate::lifecycle::context::hook_context::HookContext;
use crate::model::event::{Action, ToolCall};
use crate::model::finding::{Finding, Severity};
use crate::runners::results;
use crate::state::test_runs::TestRun;

/// How much of a command is kept, characters.
const COMMAND: usize = 300;
/// Outputs shorter than this hold no test run.
const SHORTEST: usize = 12;

/// Recorded answers that are rewritten right after a run failed are made to fit: what would be advice stops.
pub fn weigh(context: &HookContext, findings: &mut [Finding]) {
    let mut bent = findings
        .iter_mut()
        .filter(|finding| finding.pattern_id == detectors::TEST_DATA && finding.severity == Severity::Medium)
        .peekable();
    let (Some(_), Some(bound)) = (bent.peek(), &context.bound) else { return };
    let run = TestRun::read(&context.layout, &bound.id).filter(|run| run.iteration == context.iteration());
    if run.and_then(|run| run.reading.tests).is_some_and(|tests| tests.failed > 0) {
        bent.for_each(|finding| {
            finding.severity = Severity::High;
            finding.what.push_str(", right after tests failed");
        });
    }
}

/// Notes the test run that a finished shell call printed, in a loop of a person's. Anything else costs a look at the
/// output, and no file.
pub fn note(context: &HookContext, call: &ToolCall, output: &str) {
    let Action::Shell { command, .. } = &call.action else { return };
    if !context.in_explicit_loop() || output.len() < SHORTEST {
        return;
    }
    let Some(bound) = &context.bound else { return };
    let reading = results::printed(&mut output.as_bytes());
    if reading.tests.is_none() && reading.coverage.is_none() {
        return;
    }
    let run = TestRun {
        at: context.env.now,
        iteration: context.iteration(),
        command: command.chars().take(COMMAND).collect(),
        reading,
    };
    // It only informs: a file that can't be written is no reason to stop anything.
    run.write(&context.layout, &bound.id).ok();
}
