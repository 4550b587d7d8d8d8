//! A loop's state made again from what else was written of it, when the file and its copy are both lost.
//!
//! The log says what happened, the iterations' own files and `tool-calls.jsonl` hold what it has no room for, and the
//! registry how the loop stood. What can't be known is on the safe side: a regression that nobody is known to have
//! mended counts as open.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;

use jiff::Timestamp;
use serde_json::Map;

use super::audit::{self, Filter};
use super::layout::Layout;
use super::loop_state::{LoopState, RebuiltFromLog};
use super::mending;
use super::own_file;
use super::records::{BestIteration, IterationRecord, ToolCallRecord};
use super::registry::Registry;

mod log_line;

use log_line::tell;

/// A longer line of `tool-calls.jsonl` is none, in bytes.
const LONGEST_LINE: u64 = 1 << 20;

/// The state that the log tells, if the log goes back to the loop's beginning.
pub(super) fn from_log(layout: &Layout, loop_id: &str) -> Option<LoopState> {
    let mut state = LoopState::new(loop_id, "", Timestamp::UNIX_EPOCH);
    let (mut lines, mut begun) = (0_u64, false);
    for line in audit::read(&layout.hook_log(loop_id), Filter::default()).ok()?.map_while(Result::ok) {
        if lines == 0 {
            state.started_at = line.timestamp;
        }
        lines += 1;
        begun |= line.hook_name == "loop_start";
        state.last_updated = line.timestamp;
        tell(&mut state, &line);
    }
    // Without its beginning nobody knows what the loop was for.
    if !begun {
        return None;
    }
    iterations(&mut state, layout);
    tool_calls(&mut state, layout);
    as_registered(&mut state, layout);
    if let Some(project) = layout.root().ancestors().nth(2) {
        state.working_directory = project.to_string_lossy().into_owned();
    }
    state.detection_enabled = !state.status.is_over();
    state.note_regressions();
    state.rebuilt_from_log = Some(RebuiltFromLog { lines });
    Some(state)
}

/// The finished iterations, each from its own file.
fn iterations(state: &mut LoopState, layout: &Layout) {
    let files = fs::read_dir(layout.iterations(&state.loop_id)).into_iter().flatten().flatten();
    let read =
        |path: PathBuf| Some(mending::read::<IterationRecord>(&own_file::read(&path).ok()?).ok()?.value);
    let mut records: Vec<IterationRecord> = files.filter_map(|file| read(file.path())).collect();
    records.sort_by_key(|record| record.iteration);
    for record in &mut records {
        // These stay in the file alone.
        record.extra.remove("files");
        record.extra.remove("verification");
    }
    let passed = state.progress.completion_checks.iter().filter(|check| check.passed).count() as u32;
    state.metrics.total_iterations = records.len() as u32;
    state.metrics.successful_iterations = passed.min(state.metrics.total_iterations);
    state.metrics.failed_iterations = state.metrics.total_iterations - state.metrics.successful_iterations;
    state.last_iteration_quality = records.last().map(|record| record.quality_score);
    state.progress.last_completion_check =
        state.progress.completion_checks.last().map(|check| check.timestamp);
    // The first of the best: a later one must be better to take its place. One with a regression is never it.
    let sound = records.iter().rev().filter(|record| !record.regression_detected);
    let best = sound.max_by(|a, b| a.quality_score.total_cmp(&b.quality_score));
    state.best_iteration = best.map(|best| BestIteration {
        iteration: best.iteration,
        quality_score: best.quality_score,
        snapshot_path: best.snapshot_path.clone(),
        updated_at: best.timestamp,
        selection_reason: format!("Highest quality score ({:.0}%)", best.quality_score),
        extra: Map::new(),
    });
    state.iteration_history = records;
}

fn tool_calls(state: &mut LoopState, layout: &Layout) {
    let Ok(file) = own_file::open(&layout.tool_calls(&state.loop_id)) else { return };
    state.tool_calls_counted = file.metadata().ok().map(|metadata| metadata.len());
    let mut reader = BufReader::new(file);
    let mut line = Vec::new();
    while reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
        if let Ok(record) = serde_json::from_slice::<ToolCallRecord>(&line) {
            state.push_tool_call(record);
            state.tool_calls_total += 1;
        }
        line.clear();
    }
}

/// How the loop stood when a hook last looked. The file is read as it is: it may be made again from the states.
fn as_registered(state: &mut LoopState, layout: &Layout) {
    let registry = own_file::read(&layout.registry()).ok();
    let registry = registry.and_then(|bytes| mending::read::<Registry>(&bytes).ok()).map(|read| read.value);
    let Some(registry) = registry else { return };
    let bound = registry.sessions.iter().find(|(_, id)| **id == state.loop_id);
    state.session_id = bound.map(|(session, _)| session.clone());
    let Some(entry) = registry.loops.get(&state.loop_id) else { return };
    state.kind = entry.kind;
    state.started_at = entry.started_at;
    state.iteration = state.iteration.max(entry.iteration);
    state.iteration_count = state.iteration;
    if !state.status.is_over() {
        state.status = entry.status;
    }
    if state.task.is_empty() {
        state.task.clone_from(&entry.task_summary);
    }
    if entry.max_iterations > 0 {
        state.configuration.max_iterations = entry.max_iterations;
    }
}
