//! The record of a finished iteration: its verification, what was learned, its quality, the files it changed.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::agents::progress_tracker::ProgressFacts;
use crate::agents::{best_output, progress_tracker};
use crate::checkpoint::node::Node;
use crate::checkpoint::objects::digest_of_file;
use crate::lifecycle::changes::touched::changed_files;
use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::iteration::metrics;
use crate::lifecycle::iteration::metrics::Gathered;
use crate::loops::learning;
use crate::loops::learning::Learning;
use crate::loops::verification::Verification;
use crate::state::atomic;
use crate::state::atomic::Durability;
use crate::state::history;
use crate::state::layout::Layout;
use crate::state::loop_state::LoopState;
use crate::state::own_file;
use crate::state::records::{Artifact, BestIteration, CompletionCheck, IterationRecord, RegressionEvent};

/// How many of an iteration's files are recorded; more are counted.
const ARTIFACT_LIMIT: usize = 500;
/// How much of the agent's last message is kept as "what was tried", characters.
const ACTION_LIMIT: usize = 300;

/// A finished iteration, as it is stored in `iterations/iteration-NNN.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Iteration {
    /// What goes into the state.
    #[serde(flatten)]
    pub record: IterationRecord,
    /// What the completion commands did.
    #[serde(default)]
    pub verification: Option<Verification>,
    /// Every file that differs from the loop's beginning, and its hash; empty where the file is gone.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
}

/// Makes the record of the iteration that ends now.
pub fn make(
    context: &HookContext,
    state: &LoopState,
    verification: &Verification,
    gathered: &Gathered,
    last_message: &str,
) -> Iteration {
    let number = state.iteration.max(1);
    let previous = previous(context, state);
    let learning = learning::learn(verification, &earlier_learnings(state));
    let before = previous.map(|iteration| iteration.files).unwrap_or_default();
    let files = hashes(context, &before);
    let artifacts = artifacts(context, &files, &before);
    let facts = ProgressFacts {
        changed_lines: metrics::changed_lines(context, &artifacts),
        open_regressions: state.open_regressions().count() as u32,
        ..gathered.facts.clone()
    };
    let quality = progress_tracker::quality(&facts);
    let delta = |from: Option<f64>| from.map_or(0.0, |from| ((quality.score - from) * 10.0).round() / 10.0);
    let last = state.kept_iterations().next_back().map(|record| record.quality_score);
    let best = state.best_iteration.as_ref().map(|best| best.quality_score);
    let (in_iteration, recovered) = losses(state, number);
    let mut record = IterationRecord {
        iteration: number,
        timestamp: Timestamp::now(),
        quality_score: quality.score,
        quality_delta: delta(last),
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
        delta_from_best: Some(delta(best)),
        test_results: Some(gathered.test_results.clone()),
        learning: Some(learning),
        ..IterationRecord::default()
    };
    let earlier = history::attempts(&context.layout, state, number);
    if earlier > 0 {
        record.attempt = Some(earlier as u64 + 1);
    }
    Iteration { record, verification: Some(verification.clone()), files }
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

/// The files that are not as they were after the iteration before.
fn artifacts(
    context: &HookContext,
    files: &BTreeMap<String, String>,
    before: &BTreeMap<String, String>,
) -> Vec<Artifact> {
    let changed = files.iter().filter(|(path, hash)| before.get(*path) != Some(*hash));
    let artifact = |(path, hash): (&String, &String)| Artifact {
        path: path.clone(),
        hash: hash.clone(),
        size_bytes: std::fs::metadata(context.project.root().join(path)).map_or(0, |file| file.len()),
    };
    changed.take(ARTIFACT_LIMIT).map(artifact).collect()
}

/// Puts a finished iteration into the state.
pub fn apply(state: &mut LoopState, iteration: &Iteration, verification: &Verification, now: Timestamp) {
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

/// Writes the iteration's own file.
pub fn write_snapshot(layout: &Layout, loop_id: &str, iteration: &Iteration) -> io::Result<()> {
    let bytes = serde_json::to_vec_pretty(iteration)?;
    atomic::write(&layout.iteration(loop_id, iteration.record.iteration), &bytes, Durability::Power)
}

/// Reads the iteration's own file, wherever its record has it. One that is lost or damaged is `None`.
pub fn read_snapshot(layout: &Layout, loop_id: &str, record: &IterationRecord) -> Option<Iteration> {
    let path = layout.snapshot(loop_id, record.iteration, record.snapshot_path.as_deref());
    // Older versions wrote a key twice: the last one counts, as in a plain value.
    let value: Value = serde_json::from_slice(&own_file::read(&path).ok()?).ok()?;
    serde_json::from_value(value).ok()
}

/// The learnings of earlier iterations, oldest first.
pub fn earlier_learnings(state: &LoopState) -> Vec<Learning> {
    state.iteration_history.iter().filter_map(|record| record.lesson().cloned()).collect()
}

fn previous(context: &HookContext, state: &LoopState) -> Option<Iteration> {
    let last = state.kept_iterations().next_back()?;
    read_snapshot(&context.layout, &state.loop_id, last)
}

/// The hashes of the files that may differ from the loop's beginning; empty for one that was there and is gone.
fn hashes(context: &HookContext, before: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let hash = |path: &str| {
        digest_of_file(&context.project.root().join(path)).ok().map(|(digest, _)| digest.to_string())
    };
    let (mut known, mut missing) = (BTreeMap::new(), Vec::new());
    let mut add = |path: String, hash: Option<String>| match hash {
        Some(hash) => _ = known.insert(path, hash),
        None => missing.push(path),
    };
    if let Some(files) = &context.since_start {
        for (path, node) in files {
            match node {
                Node::File { sha256, .. } => add(path.clone(), Some(sha256.to_string())),
                Node::Absent => add(path.clone(), None),
                _ => {}
            }
        }
    } else {
        changed_files(context).into_iter().for_each(|path| {
            let hash = hash(&path);
            add(path, hash);
        });
    }
    known.extend(gone(context, missing, before).into_iter().map(|path| (path, String::new())));
    known
}

/// Which of the missing files were there: in the commit on which the loop began, or after the iteration before.
fn gone(context: &HookContext, missing: Vec<String>, before: &BTreeMap<String, String>) -> Vec<String> {
    let began = context.watch().and_then(|watch| watch.base_commit).filter(|_| !missing.is_empty());
    let asked: Vec<PathBuf> = missing.iter().map(PathBuf::from).collect();
    let held = began.and_then(|commit| context.project.git().held(&commit, &asked)).unwrap_or_default();
    let was_there = |path: &String| {
        before.contains_key(path)
            || held.iter().any(|difference| Path::new(&difference.path) == Path::new(path))
    };
    let is_missing = |path: &String| context.project.root().join(path).symlink_metadata().is_err();
    missing.into_iter().filter(|path| is_missing(path) && was_there(path)).collect()
}

fn snapshot_path(context: &HookContext, number: u32) -> Option<String> {
    let bound = context.bound.as_ref()?;
    Some(context.relative(&context.layout.iteration(&bound.id, number)))
}

fn result(verification: &Verification, open: u32) -> String {
    let verdict = match verification.first_failure() {
        None if verification.passed => "PASS".to_owned(),
        None => "FAIL: nothing could be verified".to_owned(),
        Some(failure) => format!("FAIL: {} ({})", failure.command, failure.reason),
    };
    if open == 0 { verdict } else { format!("{verdict}; {open} regression(s) open") }
}

fn summary(learning: &Learning) -> String {
    format!("{} {} {}", learning.failed, learning.why, learning.next).trim().to_owned()
}

fn shortened(message: &str) -> String {
    let line: Vec<&str> = message.split_whitespace().collect();
    let mut text: String = line.join(" ").chars().take(ACTION_LIMIT).collect();
    if line.join(" ").chars().count() > ACTION_LIMIT {
        text.push('…');
    }
    text
}
