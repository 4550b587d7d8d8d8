//! What a loop's start leaves in its log.

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use crate::agents::laziness_detector;
use crate::checkpoint::tree::KeptTree;
use crate::config::Config;
use crate::lifecycle::hooks::loop_start::begun::StartingLoop;
use crate::lifecycle::iteration::snapshot;
use crate::model::finding::RegressionType;
use crate::project::Project;
use crate::state::audit;
use crate::state::audit::Line;

/// What is looked for, as it is configured.
fn looked_for(project: &Project) -> Value {
    let (config, _) = Config::read(project.root());
    let kinds = RegressionType::ALL.iter().filter(|kind| config.looks_for(**kind));
    let patterns = laziness_detector::pattern_ids();
    json!({
        "detection_mode": config.detection.mode,
        "patterns_enabled": kinds.map(|kind| kind.name()).collect::<Vec<_>>(),
        "patterns_loaded": patterns.len(),
        "patterns": patterns,
    })
}

/// Writes the line of a loop that has begun.
pub(super) fn write(begun: &StartingLoop, kept: &Result<KeptTree, String>) {
    let StartingLoop { project, layout, state, heard, now, .. } = begun;
    let checkpoint = match kept {
        Ok(taken) => json!({
            "checkpoint": taken.checkpoint_id,
            "files": taken.files,
            "bytes": taken.bytes,
            "gaps": snapshot::gaps(taken),
        }),
        Err(problem) => json!({"checkpoint": null, "problem": problem}),
    };
    let mut outcomes = vec![json!({"task": state.task, "completion": state.completion_criteria}), checkpoint];
    outcomes.push(looked_for(project));
    outcomes.extend(heard.failures.iter().map(|failure| Value::from(failure.as_str())));
    let line = Line {
        agents_invoked: heard.names(),
        outcomes,
        state_changes: Map::from_iter([
            ("baseline_metrics".to_owned(), json!(state.baseline_metrics)),
            ("detection_enabled".to_owned(), Value::from(true)),
            ("reinforcement_level".to_owned(), json!(state.reinforcement_level)),
            ("configuration".to_owned(), json!(state.configuration)),
        ]),
        duration_ms: own_millis(begun),
        ..Line::new("loop_start", &state.loop_id, 0, *now)
    };
    audit::append(&layout.log(&state.loop_id), line).ok();
}

/// How long the start took without the criterion's own commands, which any start would have to run.
fn own_millis(begun: &StartingLoop) -> u64 {
    let passed = Timestamp::now().duration_since(begun.now).as_millis();
    u64::try_from(passed).unwrap_or_default().saturating_sub(begun.first.duration_ms)
}
