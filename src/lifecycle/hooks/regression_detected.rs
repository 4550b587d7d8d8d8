//! `regression_detected`: something was lost. The regression is recorded, and the recovery protocol is run over it.
//!
//! Invariant: what a person has to decide is a gate before this returns, and nothing is taken back before that.

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use crate::agents::recovery_orchestrator::protocol::{self, Step};
use crate::config::Mode;
use crate::definitions::names::{Agent, HookName};
use crate::lifecycle::context::hook_context::{HookContext, Record};
use crate::lifecycle::iteration::snapshot;
use crate::lifecycle::regression::{evidence, records, recovery};
use crate::model::finding::{Finding, RegressionType, Severity};
use crate::state::atomic::Durability;
use crate::state::loop_id;
use crate::state::loop_state::LoopState;
use crate::state::records::{ProtocolOutcome, RecoveryRecord};

/// What the protocol made of new regressions.
#[derive(Debug, Default)]
pub struct Detected {
    /// The events that were opened or grew.
    pub ids: Vec<String>,
    /// What the agent reads: its first attempt, or that a person decides.
    pub told: Option<String>,
}

/// Records new regressions and what the recovery orchestrator makes of them.
pub fn run(context: &mut HookContext, findings: &[Finding], tests: Option<(u64, u64)>) -> Detected {
    let Some(worst) = findings.iter().filter(|f| f.regression_type.is_some()).max_by_key(|f| f.severity)
    else {
        return Detected::default();
    };
    let now = context.env.now;
    let kind = worst.regression_type.map(|kind| kind.name()).unwrap_or_default();
    let state = context.state().unwrap_or_default();
    let checkpoint = snapshot::emergency(context, findings);
    let mut actions = vec!["Blocked pending file operations".to_owned()];
    actions.extend(checkpoint.iter().map(|name| format!("Created checkpoint: {name}")));
    let mut own = evidence::of(context, &state, worst);
    own.insert("pause_actions".to_owned(), json!(actions));
    let facts = context.facts().with_regression(worst, tests);
    let heard = context.ask(HookName::RegressionDetected, &facts, &own);
    let reply = heard.of(Agent::RecoveryOrchestrator.name());
    let steps = reply.and_then(|reply| reply.metadata.extra.get("protocol_steps")).map(stored);
    let mut steps = steps.unwrap_or_default();
    // In this mode only deleted tests are worth a person's time; whoever lost the rest mends it.
    let deletes_tests = findings.iter().any(|it| it.regression_type == Some(RegressionType::TestDeletion));
    if context.config.detection.mode == Mode::Minimal && !deletes_tests {
        steps.insert("escalate".to_owned(), Value::Null);
    }
    let opened = context.change_state(Durability::Process, |state| {
        let known = state.regression_events.len();
        let opened = records::open(state, findings, tests, None, now);
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
                outcome: steps
                    .get("escalate")
                    .filter(|step| step.is_object())
                    .map(|_| ProtocolOutcome::Escalated),
                protocol_steps: steps.clone(),
                event_ids: Some(opened.clone()),
                ..RecoveryRecord::default()
            });
        }
        if state.regression_events.len() == known {
            escalate_known(state, &opened, &steps, now);
        }
        state.note_regressions();
        opened
    });
    let opened = opened.unwrap_or_default();
    let mut record = Record::of(&[])
        .heard(&heard)
        .change("regression_events", json!(opened))
        .change("recovery_in_progress", true);
    record.outcomes.extend(checkpoint.map(|name| json!({"emergency_checkpoint": name})));
    record.outcomes.extend(findings.iter().map(|finding| {
        json!({
            "pattern_id": finding.pattern_id,
            "regression_type": finding.regression_type.map(|kind| kind.name()),
            "severity": finding.severity.name(),
            "lost": Value::from(finding.lost_names().collect::<Vec<_>>()),
        })
    }));
    context.log("regression_detected", record);
    let said = reply.map(|reply| reply.content.clone());
    let told = ask_person(context, &opened, &steps, worst.severity).or(said);
    Detected { ids: opened, told }
}

/// A recovery under way becomes a person's when what joined it is.
fn escalate_known(state: &mut LoopState, opened: &[String], steps: &Map<String, Value>, now: Timestamp) {
    let Some(escalated) = steps.get("escalate").filter(|step| step.is_object()) else { return };
    let text = |name: &str| escalated.get(name).and_then(Value::as_str).unwrap_or_default();
    let LoopState { regression_events, recovery_history, .. } = state;
    for record in recovery_history {
        let mut joined = regression_events.iter().filter(|event| opened.contains(&event.event_id));
        if joined.any(|event| recovery::is_about(record, event)) {
            // One that is escalated already stays as it is.
            protocol::take(record, Step::Escalate(text("reason"), text("message")), 0, now).ok();
        }
    }
}

/// Opens the gate when the protocol says so.
fn ask_person(
    context: &mut HookContext,
    opened: &[String],
    steps: &Map<String, Value>,
    severity: Severity,
) -> Option<String> {
    let escalated = steps.get("escalate").filter(|step| step.is_object());
    if escalated.is_none() || opened.is_empty() {
        return None;
    }
    let state = context.state()?;
    let events: Vec<_> = state.open_regressions().filter(|event| opened.contains(&event.event_id)).collect();
    let worst = events.iter().max_by_key(|event| event.severity)?;
    let message = recovery::panel(worst, context.iteration(), &recovery::known(steps));
    recovery::escalate(context, opened, message, severity);
    recovery::gate_words(context)
}

/// The protocol's steps as the state stores them: their names in small letters, and the person's step null where it
/// was not reached.
pub fn stored(steps: &Value) -> Map<String, Value> {
    let steps = steps.as_object().into_iter().flatten();
    let mut stored: Map<String, Value> =
        steps.map(|(name, step)| (name.to_ascii_lowercase(), step.clone())).collect();
    stored.entry("escalate").or_insert(Value::Null);
    stored
}
