//! The record of a finished iteration: its verification, what was learned, its quality, the files it changed.

use std::collections::BTreeMap;
use std::io;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::regressions::changed_files;
use super::scene::Scene;
use crate::agents::{best_output, progress_tracker};
use crate::checkpoint::objects::digest_of_file;
use crate::ralph::learning::{self, Learning};
use crate::ralph::verification::Verification;
use crate::state::atomic::{self, Durability};
use crate::state::layout::Layout;
use crate::state::loop_state::LoopState;
use crate::state::records::{Artifact, BestIteration, CompletionCheck, IterationRecord};
use crate::state::watch::Watch;

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
    /// What was learned; none when the criteria held.
    #[serde(default)]
    pub learning: Option<Learning>,
    /// What the completion commands did.
    #[serde(default)]
    pub verification: Option<Verification>,
    /// Every file that differs from the loop's beginning, and its hash.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
}

/// Makes the record of the iteration that ends now.
pub fn make(scene: &Scene, state: &LoopState, verification: &Verification, last_message: &str) -> Iteration {
    let number = state.iteration.max(1);
    let previous = previous(scene, state);
    let learning = learning::learn(verification, &earlier_learnings(state));
    let files = hashes(scene);
    let before = previous.as_ref().map(|iteration| &iteration.files);
    let artifacts = files
        .iter()
        .filter(|(path, hash)| before.and_then(|files| files.get(*path)) != Some(*hash))
        .take(ARTIFACT_LIMIT)
        .map(|(path, hash)| Artifact {
            path: path.clone(),
            hash: hash.clone(),
            size_bytes: std::fs::metadata(scene.project.root().join(path)).map_or(0, |file| file.len()),
        })
        .collect();
    let facts = facts(scene, state, verification);
    let quality = progress_tracker::quality(facts);
    let last_score = state.iteration_history.last().map(|record| record.quality_score);
    // The schema knows no null here: what nothing measured is left out.
    let measured = [
        ("test_count", facts.tests.map(|(_, now)| json!(now))),
        (
            "coverage_percentage",
            verification.checks.iter().find_map(|check| check.coverage).map(|c| json!(c)),
        ),
    ];
    let measured = measured.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    let mut snapshot: Map<String, Value> = measured.collect();
    snapshot.insert(
        "verification_status".to_owned(),
        json!(if verification.passed { "passed" } else { "failed" }),
    );
    let mut record = IterationRecord {
        iteration: number,
        timestamp: Timestamp::now(),
        quality_score: quality.score,
        quality_delta: last_score.map_or(0.0, |last| ((quality.score - last) * 10.0).round() / 10.0),
        artifacts,
        snapshot_path: snapshot_path(scene, number),
        metrics_snapshot: snapshot,
        regression_detected: facts.open_regressions > 0,
        recovery_attempted: state.recovery_history.iter().any(|recovery| recovery.iteration == number),
        action: shortened(last_message),
        result: result(verification, facts.open_regressions),
        learnings: learning.as_ref().map(summary).unwrap_or_default(),
        extra: Map::from_iter([
            ("quality_breakdown".to_owned(), Value::Object(quality.breakdown)),
            ("learning".to_owned(), json!(learning)),
        ]),
    };
    let earlier = state.iteration_history.iter().filter(|earlier| earlier.iteration == number).count();
    if earlier > 0 {
        record.extra.insert("attempt".to_owned(), json!(earlier + 1));
    }
    Iteration { record, learning, verification: Some(verification.clone()), files }
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
    let best = state.best_iteration.as_ref().map(|best| best.quality_score);
    if !record.regression_detected && best_output::is_better(best, record.quality_score) {
        state.best_iteration = Some(BestIteration {
            iteration: record.iteration,
            quality_score: record.quality_score,
            snapshot_path: record.snapshot_path.clone(),
            updated_at: now,
            selection_reason: format!("Highest quality score ({:.0}%)", record.quality_score),
            extra: Map::new(),
        });
    }
    state.iteration_history.push(record);
}

/// Writes the iteration's own file.
pub fn write_snapshot(layout: &Layout, loop_id: &str, iteration: &Iteration) -> io::Result<()> {
    let bytes = serde_json::to_vec_pretty(iteration)?;
    atomic::write(&layout.iteration(loop_id, iteration.record.iteration), &bytes, Durability::Power)
}

/// Reads the iteration's own file, wherever its record has it. One that is lost or damaged is `None`.
pub fn read_snapshot(layout: &Layout, loop_id: &str, record: &IterationRecord) -> Option<Iteration> {
    let path = layout.snapshot(loop_id, record.iteration, record.snapshot_path.as_deref());
    serde_json::from_slice(&std::fs::read(path).ok()?).ok()
}

/// The learnings of earlier iterations, oldest first.
pub fn earlier_learnings(state: &LoopState) -> Vec<Learning> {
    let learnings = state.iteration_history.iter().filter_map(|record| record.extra.get("learning"));
    learnings.filter_map(|learning| serde_json::from_value(learning.clone()).ok()).collect()
}

fn previous(scene: &Scene, state: &LoopState) -> Option<Iteration> {
    let last = state.iteration_history.last()?;
    read_snapshot(&scene.layout, &state.loop_id, last)
}

fn hashes(scene: &Scene) -> BTreeMap<String, String> {
    let hash = |path: &str| {
        digest_of_file(&scene.project.root().join(path)).ok().map(|(digest, _)| digest.to_string())
    };
    changed_files(scene).into_iter().filter_map(|path| hash(&path).map(|hash| (path, hash))).collect()
}

fn facts(scene: &Scene, state: &LoopState, verification: &Verification) -> progress_tracker::Facts {
    let start = state.baseline_metrics.as_ref().and_then(|baseline| baseline.test_count);
    let now = Watch::read(&scene.layout, &state.loop_id).map(|watch| watch.tests());
    let passed = verification.checks.iter().filter(|check| check.passed).count() as u32;
    progress_tracker::Facts {
        checks: (passed, verification.checks.len() as u32),
        tests: start.zip(now),
        open_regressions: state.open_regressions().count() as u32,
    }
}

fn snapshot_path(scene: &Scene, number: u32) -> Option<String> {
    let bound = scene.bound.as_ref()?;
    Some(scene.relative(&scene.layout.iteration(&bound.id, number)))
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
