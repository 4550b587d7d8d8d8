//! `regression_detected`: something was lost. The regression is recorded, and the recovery protocol is run over it.
//!
//! Invariant: what a person has to decide is a gate before this returns, and nothing is taken back before that.

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use crate::agents::recovery_orchestrator::protocol;
use crate::agents::recovery_orchestrator::protocol::ProtocolStep;
use crate::config::Mode;
use crate::definitions::names::{Agent, HookName};
use crate::lifecycle::context::agent_messages::AgentReplies;
use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::context::log::HookRecord;
use crate::lifecycle::gate::escalation;
use crate::lifecycle::iteration::snapshot;
use crate::lifecycle::regression::recovery::stored;
use crate::lifecycle::regression::{evidence, records, recovery};
use crate::model::event::EventKind;
use crate::model::finding::{Finding, RegressionType, Severity};
use crate::state::atomic::Durability;
use crate::state::loop_id;
use crate::state::loop_state::LoopState;
use crate::state::records::{ProtocolOutcome, RecoveryRecord};

/// What the protocol made of new regressions.
#[derive(Debug, Default)]
pub struct RecoveredLosses {
    /// The events that were opened or grew.
    pub ids: Vec<String>,
    /// What the agent reads: its first attempt, or that a person decides.
    pub told: Option<String>,
}

/// Records new regressions and what the recovery orchestrator makes of them.
pub fn run(context: &mut HookContext, findings: &[Finding], tests: Option<(u64, u64)>) -> RecoveredLosses {
    let worst = findings.iter().filter(|f| f.regression_type.is_some()).max_by_key(|f| f.severity);
    let Some(worst) = worst else { return RecoveredLosses::default() };
    let incident = Incident::of(context, findings, worst, tests);
    let ids = incident.open(context);
    context.log("regression_detected", incident.line(&ids));
    let told = ask_person(context, &ids, &incident.steps, worst.severity).or(incident.said);
    RecoveredLosses { ids, told }
}

/// New losses, and what the recovery orchestrator makes of them.
struct Incident<'f> {
    findings: &'f [Finding],
    worst: &'f Finding,
    /// How many tests there were before and after.
    tests: Option<(u64, u64)>,
    /// The checkpoint that was made of what is there now.
    checkpoint: Option<String>,
    heard: AgentReplies,
    /// The protocol's steps, as the state stores them.
    steps: Map<String, Value>,
    /// What the agent reads.
    said: Option<String>,
}

impl<'f> Incident<'f> {
    /// Keeps what is there, and has the orchestrator diagnose the worst of the losses.
    fn of(
        context: &mut HookContext,
        findings: &'f [Finding],
        worst: &'f Finding,
        tests: Option<(u64, u64)>,
    ) -> Self {
        let state = context.state().unwrap_or_default();
        let checkpoint = snapshot::emergency(context, findings);
        let mut actions = vec!["Blocked pending file operations".to_owned()];
        actions.extend(checkpoint.iter().map(|name| format!("Created checkpoint: {name}")));
        let mut own = evidence::of(context, &state, worst);
        own.insert("pause_actions".to_owned(), json!(actions));
        // What is found when a turn ends is tried in the next one.
        let ends = matches!(context.event.kind, EventKind::Stop { .. }) && context.in_explicit_loop();
        own.insert("retry_iteration".to_owned(), json!(context.iteration() + u32::from(ends)));
        let facts = context.facts().with_regression(worst, tests);
        let heard = context.ask(HookName::RegressionDetected, &facts, &own);
        let reply = heard.of(Agent::RecoveryOrchestrator.name());
        let steps = reply.and_then(|reply| reply.metadata.extra.get("protocol_steps")).map(stored);
        let mut steps = steps.unwrap_or_else(|| unasked(worst));
        // In this mode only deleted tests are worth a person's time; whoever lost the rest mends it.
        let deletes_tests =
            findings.iter().any(|it| it.regression_type == Some(RegressionType::TestDeletion));
        if context.config.detection.mode == Mode::Minimal && !deletes_tests {
            steps.insert("escalate".to_owned(), Value::Null);
        }
        let said = reply.map(|reply| reply.content.clone());
        Incident { findings, worst, tests, checkpoint, heard, steps, said }
    }

    /// Opens the regressions and their recovery in the state. Answers the events that were opened or grew.
    fn open(&self, context: &mut HookContext) -> Vec<String> {
        let now = context.env.now;
        let opened = context.change_state(Durability::Process, |state| {
            let known = state.regression_events.len();
            let opened = records::open(state, self.findings, self.tests, None, now);
            for event in state.regression_events.iter_mut().skip(known) {
                event.recovery_protocol_invoked = true;
            }
            // What joins a regression of this iteration that is open already is no new recovery.
            if state.regression_events.len() > known {
                state.recovery_attempts += 1;
                state.recovery_history.push(self.recovery(state.iteration.max(1), &opened, now));
            } else {
                escalate_known(state, &opened, &self.steps, now);
            }
            state.note_regressions();
            opened
        });
        opened.unwrap_or_default()
    }

    fn recovery(&self, iteration: u32, opened: &[String], now: Timestamp) -> RecoveryRecord {
        let kind = self.worst.regression_type.map(|kind| kind.name()).unwrap_or_default();
        let escalated = self.steps.get("escalate").filter(|step| step.is_object());
        RecoveryRecord {
            recovery_id: loop_id::uuid(&format!("recovery{opened:?}"), now),
            timestamp: now,
            iteration,
            trigger: format!("regression_detected: {kind}"),
            outcome: escalated.map(|_| ProtocolOutcome::Escalated),
            protocol_steps: self.steps.clone(),
            event_ids: Some(opened.to_vec()),
            ..RecoveryRecord::default()
        }
    }

    /// What the log says of the losses.
    fn line(&self, opened: &[String]) -> HookRecord {
        let mut record = HookRecord::of(&[])
            .heard(&self.heard)
            .change("regression_events", json!(opened))
            .change("recovery_in_progress", true);
        record.outcomes.extend(self.checkpoint.iter().map(|name| json!({"emergency_checkpoint": name})));
        record.outcomes.extend(self.findings.iter().map(|finding| {
            json!({
                "pattern_id": finding.pattern_id,
                "regression_type": finding.regression_type.map(|kind| kind.name()),
                "severity": finding.severity.name(),
                "lost": Value::from(finding.lost_names().collect::<Vec<_>>()),
            })
        }));
        record
    }
}

/// The steps where the project's definitions have nobody who runs the protocol: a critical loss is a person's all the same.
fn unasked(worst: &Finding) -> Map<String, Value> {
    let escalated = json!({"reason": "the loss is critical", "message": worst.what});
    let is_critical = worst.severity == Severity::Critical;
    if is_critical { Map::from_iter([("escalate".to_owned(), escalated)]) } else { Map::new() }
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
            protocol::take(record, ProtocolStep::Escalate(text("reason"), text("message")), 0, now).ok();
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
    escalation::escalate(context, opened, message, severity);
    escalation::gate_words(context)
}
