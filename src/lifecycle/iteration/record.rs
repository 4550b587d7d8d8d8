//! The record of a finished iteration: its verification, what was learned, its quality, the files it changed.

use std::collections::BTreeMap;
use std::io;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::agents::progress_tracker::ProgressFacts;
use crate::agents::{best_output, progress_tracker};
use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::iteration::metrics::GatheredMetrics;
use crate::lifecycle::iteration::{limits, metrics};
use crate::loops::learning;
use crate::loops::learning::Learning;
use crate::loops::verification::VerificationResult;
use crate::state::atomic;
use crate::state::atomic::Durability;
use crate::state::history;
use crate::state::layout::Layout;
use crate::state::loop_state::LoopState;
use crate::state::own_file;
use crate::state::records::{BestIteration, CompletionCheck, IterationRecord, RegressionEvent};

mod files;

use crate::model::finding::counted;
use files::{artifacts, hashes};

/// How much of the agent's last message is kept as "what was tried", characters.
const ACTION_LIMIT: usize = 300;

/// A finished iteration, as it is stored in `iterations/iteration-NNN.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FinishedIteration {
    /// What goes into the state.
    #[serde(flatten)]
    pub record: IterationRecord,
    /// What the completion commands did.
    #[serde(default)]
    pub verification: Option<VerificationResult>,
    /// Every file that differs from the loop's beginning, and its hash; empty where the file is gone.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
}

/// Makes the record of the iteration that ends now.
pub fn make(
    context: &HookContext,
    state: &LoopState,
    verification: &VerificationResult,
    gathered: &GatheredMetrics,
    last_message: &str,
) -> FinishedIteration {
    let number = limits::current(state);
    let previous = previous(context, state);
    let learning = learning::learn(verification, &earlier_learnings(state));
    let before = previous.map(|iteration| iteration.files).unwrap_or_default();
    let files = hashes(context, &before);
    let since = state.iteration_history.last().map_or(state.started_at, |last| last.timestamp);
    let artifacts = artifacts(context, &files, &before, since);
    let facts = ProgressFacts {
        changed_lines: metrics::changed_lines(context, &artifacts),
        open_regressions: state.open_regressions().count() as u32,
        ..gathered.facts.clone()
    };
    let quality = progress_tracker::quality(&facts);
    let last = state.kept_iterations().next_back().map(|record| record.quality_score);
    let best = state.best_iteration.as_ref().map(|best| best.quality_score);
    let (in_iteration, recovered) = losses(state, number);
    let earlier = history::attempts(&context.layout, state, number);
    let record = IterationRecord {
        iteration: number,
        timestamp: Timestamp::now(),
        quality_score: quality.score,
        quality_delta: delta(last, quality.score),
        artifacts,
        snapshot_path: snapshot_path(context, number),
        metrics_snapshot: gathered.snapshot.clone(),
        regression_detected: in_iteration || facts.open_regressions > 0,
        recovery_attempted: recovered,
        action: shortened(last_message),
        result: result(verification, facts.open_regressions),
        learnings: learning.as_ref().map(summary).unwrap_or_default(),
        quality_breakdown: Some(quality.breakdown),
        quality_facts: Some(json!(facts)),
        delta_from_best: Some(delta(best, quality.score)),
        test_results: Some(gathered.test_results.clone()),
        learning: Some(learning),
        attempt: (earlier > 0).then_some(earlier as u64 + 1),
        ..IterationRecord::default()
    };
    FinishedIteration { record, verification: Some(verification.clone()), files }
}

/// How far a quality is from an earlier one; none where there is no earlier one.
fn delta(from: Option<f64>, to: f64) -> f64 {
    from.map_or(0.0, |from| ((to - from) * 10.0).round() / 10.0)
}

/// Whether anything was lost in an iteration, and whether that was led through recovery. What a person had brought back
/// is no loss of the attempt that follows.
fn losses(state: &LoopState, number: u32) -> (bool, bool) {
    let (gone, counts): (Vec<&RegressionEvent>, Vec<&RegressionEvent>) =
        state.regression_events.iter().partition(|event| event.is_taken_back());
    let is_gone = |id: &String| gone.iter().any(|event| event.event_id == *id);
    let lost = counts.iter().any(|event| event.iteration == number);
    let recovered = state.recovery_history.iter().any(|recovery| {
        let ids = recovery.event_ids.as_deref().unwrap_or_default();
        recovery.iteration == number && (ids.is_empty() || !ids.iter().all(is_gone))
    });
    (lost, recovered)
}

/// Puts a finished iteration into the state.
pub fn apply(
    state: &mut LoopState,
    iteration: &FinishedIteration,
    verification: &VerificationResult,
    now: Timestamp,
) {
    let record = iteration.record.clone();
    state.progress.completion_checks.push(CompletionCheck {
        iteration: record.iteration,
        timestamp: now,
        passed: verification.passed,
        output: verification
            .checks
            .iter()
            .map(|check| check.output_tail.as_str())
            .collect::<Vec<_>>()
            .join("\n"),
        extra: Map::new(),
    });
    state.progress.last_completion_check = Some(now);
    state.metrics.total_iterations += 1;
    let total = if verification.passed {
        &mut state.metrics.successful_iterations
    } else {
        &mut state.metrics.failed_iterations
    };
    *total += 1;
    state.metrics.total_duration_seconds = now.duration_since(state.started_at).as_secs().max(0) as u64;
    state.last_iteration_quality = Some(record.quality_score);
    state.regression_detected = record.regression_detected;
    note_best(state, &record, now);
    state.iteration_history.push(record);
}

/// Makes an iteration the best one, where it is better than the best so far and nothing was lost in it.
pub fn note_best(state: &mut LoopState, record: &IterationRecord, now: Timestamp) {
    let best = state.best_iteration.as_ref().map(|best| best.quality_score);
    if record.regression_detected || !best_output::is_better(best, record.quality_score) {
        return;
    }
    state.best_iteration = Some(BestIteration {
        iteration: record.iteration,
        quality_score: record.quality_score,
        snapshot_path: record.snapshot_path.clone(),
        updated_at: now,
        selection_reason: format!("Highest quality score ({:.0}%)", record.quality_score),
        extra: Map::new(),
    });
}

/// Whether an iteration ended with these last words of the agent.
pub fn is_of(record: &IterationRecord, last_message: &str) -> bool {
    record.action == shortened(last_message)
}

/// Writes the iteration's own file.
pub fn write_snapshot(layout: &Layout, loop_id: &str, iteration: &FinishedIteration) -> io::Result<()> {
    let bytes = serde_json::to_vec_pretty(iteration)?;
    atomic::write(&layout.iteration(loop_id, iteration.record.iteration), &bytes, Durability::Power)
}

/// Reads the iteration's own file, wherever its record has it. One that is lost or damaged is `None`, and so is that of
/// another attempt at the same iteration, which is written in its place.
pub fn read_snapshot(layout: &Layout, loop_id: &str, record: &IterationRecord) -> Option<FinishedIteration> {
    let path = layout.snapshot(loop_id, record.iteration, record.snapshot_path.as_deref());
    // Older versions wrote a key twice: the last one counts, as in a plain value.
    let value: Value = serde_json::from_slice(&own_file::read(&path).ok()?).ok()?;
    let read: FinishedIteration = serde_json::from_value(value).ok()?;
    (!record.is_reverted() || read.record.timestamp == record.timestamp).then_some(read)
}

/// The learnings of earlier iterations, oldest first.
pub fn earlier_learnings(state: &LoopState) -> Vec<Learning> {
    state.iteration_history.iter().filter_map(|record| record.lesson().cloned()).collect()
}

fn previous(context: &HookContext, state: &LoopState) -> Option<FinishedIteration> {
    let last = state.kept_iterations().next_back()?;
    read_snapshot(&context.layout, &state.loop_id, last)
}

fn snapshot_path(context: &HookContext, number: u32) -> Option<String> {
    let bound = context.bound.as_ref()?;
    Some(context.relative(&context.layout.iteration(&bound.id, number)))
}

fn result(verification: &VerificationResult, open: u32) -> String {
    let verdict = match verification.first_failure() {
        None if verification.passed => "PASS".to_owned(),
        None => "FAIL: nothing could be verified".to_owned(),
        Some(failure) => format!("FAIL: {} ({})", failure.command, failure.reason),
    };
    match open {
        0 => verdict,
        // The record is read when they may be closed.
        1 => format!("{verdict}; 1 regression was open"),
        several => format!("{verdict}; {} were open", counted(several, "regression")),
    }
}

fn summary(learning: &Learning) -> String {
    let Learning { failed, why, next, .. } = learning;
    let end = if failed.is_empty() || failed.ends_with(['.', '!', '?', ':', '…']) { "" } else { "." };
    format!("{failed}{end} {why} {next}").trim().to_owned()
}

fn shortened(message: &str) -> String {
    let line: Vec<&str> = message.split_whitespace().collect();
    let mut text: String = line.join(" ").chars().take(ACTION_LIMIT).collect();
    if line.join(" ").chars().count() > ACTION_LIMIT {
        text.push('…');
    }
    text
}
