//! `regression_detected`: something was lost. The regression is recorded, and the recovery protocol is run over it.

use serde_json::{Map, Value, json};

use super::regressions;
use super::scene::{Record, Scene};
use crate::definitions::names::{Agent, HookName};
use crate::finding::Finding;
use crate::state::atomic::Durability;
use crate::state::loop_id;
use crate::state::records::RecoveryRecord;

/// Records new regressions and what the recovery orchestrator makes of them. Returns the ids of the events.
pub fn run(scene: &mut Scene, findings: &[Finding], tests: Option<(u64, u64)>) -> Vec<String> {
    let Some(worst) = findings.iter().filter(|f| f.regression_type.is_some()).max_by_key(|f| f.severity)
    else {
        return Vec::new();
    };
    let now = scene.env.now;
    let facts = scene.facts().with_regression(worst, tests);
    let heard = scene.ask(HookName::RegressionDetected, &facts, &Map::new());
    let kind = worst.regression_type.map(|kind| kind.name()).unwrap_or_default();
    let steps = heard
        .of(Agent::RecoveryOrchestrator.name())
        .and_then(|reply| reply.metadata.extra.get("protocol_steps"))
        .map(stored)
        .unwrap_or_default();
    let opened = scene.change_state(Durability::Process, |state| {
        let known = state.regression_events.len();
        let opened = regressions::open(state, findings, tests, None, now);
        for event in state.regression_events.iter_mut().skip(known) {
            event.recovery_protocol_invoked = true;
        }
        // What joins a regression of this iteration that is open already is no new recovery.
        if state.regression_events.len() > known {
            state.recovery_attempts += 1;
            state.recovery_history.push(RecoveryRecord {
                recovery_id: loop_id::uuid(&format!("recovery{opened:?}"), now),
                timestamp: now,
                iteration: state.iteration.max(1),
                trigger: format!("regression_detected: {kind}"),
                protocol_steps: steps,
                outcome: None,
                extra: Map::from_iter([("event_ids".to_owned(), json!(opened))]),
            });
        }
        state.note_regressions();
        opened
    });
    let opened = opened.unwrap_or_default();
    let mut record = Record::of(&[])
        .heard(&heard)
        .change("regression_events", json!(opened))
        .change("recovery_in_progress", true);
    record.outcomes.extend(findings.iter().map(|finding| {
        json!({
            "pattern_id": finding.pattern_id,
            "regression_type": finding.regression_type.map(|kind| kind.name()),
            "severity": finding.severity.name(),
            "lost": Value::from(finding.lost_names().collect::<Vec<_>>()),
        })
    }));
    scene.log("regression_detected", record);
    opened
}

/// The protocol's steps as the state stores them: their names in small letters.
pub fn stored(steps: &Value) -> Map<String, Value> {
    let steps = steps.as_object().into_iter().flatten();
    steps.map(|(name, step)| (name.to_ascii_lowercase(), step.clone())).collect()
}
