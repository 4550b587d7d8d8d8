//! The agent's own test runs: what its shell printed is read, as information.

use crate::detectors;
use crate::lifecycle::context::hook_context::Scene;
use crate::metrics;
use crate::model::event::{Action, ToolCall};
use crate::model::finding::{Finding, Severity};
use crate::state::test_runs::TestRun;

/// How much of a command is kept, characters.
const COMMAND: usize = 300;
/// Outputs shorter than this hold no test run.
const SHORTEST: usize = 12;

/// Recorded answers that are rewritten right after a run failed are made to fit: what would be advice stops.
pub fn weigh(scene: &Scene, findings: &mut [Finding]) {
    let mut bent = findings
        .iter_mut()
        .filter(|finding| finding.pattern_id == detectors::TEST_DATA && finding.severity == Severity::Medium)
        .peekable();
    let (Some(_), Some(bound)) = (bent.peek(), &scene.bound) else { return };
    let run = TestRun::read(&scene.layout, &bound.id).filter(|run| run.iteration == scene.iteration());
    if run.and_then(|run| run.reading.tests).is_some_and(|tests| tests.failed > 0) {
        bent.for_each(|finding| {
            finding.severity = Severity::High;
            finding.what.push_str(", right after tests failed");
        });
    }
}

/// Notes the test run that a finished shell call printed, in a loop of a person's. Anything else costs a look at the
/// output, and no file.
pub fn note(scene: &Scene, call: &ToolCall, output: &str) {
    let Action::Shell { command, .. } = &call.action else { return };
    if !scene.in_explicit_loop() || output.len() < SHORTEST {
        return;
    }
    let Some(bound) = &scene.bound else { return };
    let reading = metrics::printed(&mut output.as_bytes());
    if reading.tests.is_none() && reading.coverage.is_none() {
        return;
    }
    let run = TestRun {
        at: scene.env.now,
        iteration: scene.iteration(),
        command: command.chars().take(COMMAND).collect(),
        reading,
    };
    // It only informs: a file that can't be written is no reason to stop anything.
    run.write(&scene.layout, &bound.id).ok();
}
