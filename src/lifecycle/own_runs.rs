//! The agent's own test runs: what its shell printed is read, as information.

use super::scene::Scene;
use crate::event::{Action, ToolCall};
use crate::metrics;
use crate::state::test_runs::TestRun;

/// How much of a command is kept, characters.
const COMMAND: usize = 300;
/// Outputs shorter than this hold no test run.
const SHORTEST: usize = 12;

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
