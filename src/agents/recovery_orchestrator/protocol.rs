//! The recovery protocol as a state machine over one stored record: pause, diagnose, adapt, retry, escalate.
//!
//! The phase is read from the record itself, so a restart changes nothing. A step that its phase does not allow is
//! refused and leaves the record as it was: no retry before a diagnosis, none beyond the limit, no end of an escalated
//! recovery without a person's decision or the loss made good.

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use super::diagnosis::LikelyCause;
use super::plan::RecoveryPlan;
use crate::state::records::{HumanDecision, ProtocolOutcome, RecoveryRecord};

/// Where a recovery stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Nothing is done yet.
    New,
    /// Paused.
    Paused,
    /// The cause is known.
    Diagnosed,
    /// The way is chosen.
    Adapted,
    /// An attempt is under way.
    Retrying,
    /// The last attempt has failed.
    RetryFailed,
    /// A person is asked.
    Escalated,
    /// Over.
    Ended,
}

/// One step.
#[derive(Debug, Clone, Copy)]
pub enum ProtocolStep<'a> {
    /// PAUSE, with what was done.
    Pause(&'a [String]),
    /// DIAGNOSE.
    Diagnose(&'a LikelyCause),
    /// ADAPT.
    Adapt(&'a RecoveryPlan),
    /// RETRY in an iteration, with an approach.
    Retry(u32, &'a str),
    /// The attempt brought nothing back.
    RetryFailed,
    /// ESCALATE, with the reason and what the person reads.
    Escalate(&'a str, &'a str),
    /// What was lost is back.
    Mended,
    /// A person decided, in words.
    Decided(HumanDecision, &'a str),
}

/// A step that is not allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum IllegalStep {
    /// The order forbids it.
    #[error("a recovery that is {0:?} can't take this step")]
    Order(Phase),
    /// No attempt is left.
    #[error("all {0} retries are used up")]
    NoRetryLeft(u32),
}

/// Where the recovery of a record stands.
pub fn phase(record: &RecoveryRecord) -> Phase {
    let step = |name: &str| record.protocol_steps.get(name).filter(|step| step.is_object());
    let is_set = |step: &Value, field: &str| step.get(field).is_some_and(|value| !value.is_null());
    if matches!(
        record.outcome,
        Some(ProtocolOutcome::Success | ProtocolOutcome::Failed | ProtocolOutcome::Aborted)
    ) {
        return Phase::Ended;
    }
    if let Some(escalated) = step("escalate") {
        return if is_set(escalated, "human_decision") { Phase::Ended } else { Phase::Escalated };
    }
    match (step("retry"), step("adapt"), step("diagnose"), step("pause")) {
        (Some(retry), ..) if is_set(retry, "outcome") => Phase::RetryFailed,
        (Some(_), ..) => Phase::Retrying,
        (None, Some(_), ..) => Phase::Adapted,
        (None, None, Some(_), _) => Phase::Diagnosed,
        (None, None, None, Some(_)) => Phase::Paused,
        (None, None, None, None) => Phase::New,
    }
}

/// The approaches of the attempts so far, in order.
pub fn tried(record: &RecoveryRecord) -> Vec<String> {
    tried_in(&record.protocol_steps)
}

/// The same of the steps alone.
pub fn tried_in(steps: &Map<String, Value>) -> Vec<String> {
    let attempts = steps.get("retry").and_then(|retry| retry.get("attempts"));
    let attempts = attempts.and_then(Value::as_array).into_iter().flatten();
    attempts
        .map(|attempt| attempt.get("approach").and_then(Value::as_str).unwrap_or_default().to_owned())
        .collect()
}

/// Takes a step.
pub fn take(
    record: &mut RecoveryRecord,
    step: ProtocolStep,
    max_retries: u32,
    now: Timestamp,
) -> Result<(), IllegalStep> {
    let phase = phase(record);
    if !allows(phase, &step) {
        return Err(IllegalStep::Order(phase));
    }
    match step {
        ProtocolStep::Pause(actions) => put(record, "pause", json!({"executed_at": now, "actions": actions})),
        ProtocolStep::Diagnose(diagnosis) => put(record, "diagnose", diagnosed(diagnosis, now)),
        ProtocolStep::Adapt(plan) => put(record, "adapt", adapted(plan, now)),
        ProtocolStep::Retry(iteration, approach) => retry(record, iteration, approach, max_retries, now)?,
        ProtocolStep::RetryFailed => end_retry(record, "failed", now),
        ProtocolStep::Escalate(reason, message) => {
            if phase == Phase::Retrying {
                end_retry(record, "failed", now);
            }
            put(record, "escalate", escalated(reason, message, now));
            record.outcome = Some(ProtocolOutcome::Escalated);
        }
        ProtocolStep::Mended => {
            if phase == Phase::Retrying {
                end_retry(record, "success", now);
            }
            record.outcome = Some(ProtocolOutcome::Success);
        }
        ProtocolStep::Decided(decision, words) => {
            if phase != Phase::Escalated {
                let early = "a person decided before the attempts were used up";
                put(record, "escalate", json!({"executed_at": now, "reason": early}));
                record.outcome = Some(ProtocolOutcome::Escalated);
            }
            decided(record, decision, &json!(words), now);
        }
    }
    Ok(())
}

/// Whether a recovery that is `phase` can take `step`.
fn allows(phase: Phase, step: &ProtocolStep) -> bool {
    match step {
        ProtocolStep::Pause(_) => phase == Phase::New,
        ProtocolStep::Diagnose(_) => phase == Phase::Paused,
        ProtocolStep::Adapt(_) => phase == Phase::Diagnosed,
        ProtocolStep::Retry(..) => matches!(phase, Phase::Adapted | Phase::RetryFailed),
        ProtocolStep::RetryFailed => phase == Phase::Retrying,
        ProtocolStep::Escalate(..) => matches!(phase, Phase::Adapted | Phase::Retrying | Phase::RetryFailed),
        ProtocolStep::Mended => !matches!(phase, Phase::New | Phase::Ended),
        ProtocolStep::Decided(..) => matches!(phase, Phase::Escalated | Phase::Retrying | Phase::RetryFailed),
    }
}

fn diagnosed(diagnosis: &LikelyCause, now: Timestamp) -> Value {
    let mut found = json!({"executed_at": now});
    if let (Some(found), Value::Object(stored)) = (found.as_object_mut(), diagnosis.stored()) {
        found.extend(stored);
    }
    found
}

fn adapted(plan: &RecoveryPlan, now: Timestamp) -> Value {
    json!({
        "executed_at": now,
        "strategy": plan.strategy,
        "reason": plan.reason,
        "changes_made": [],
        "next_steps": plan.steps,
    })
}

fn escalated(reason: &str, message: &str, now: Timestamp) -> Value {
    json!({"executed_at": now, "reason": reason, "gate_type": "TERMINATE", "message": message})
}

fn decided(record: &mut RecoveryRecord, decision: HumanDecision, words: &Value, now: Timestamp) {
    if let Some(escalated) = record.protocol_steps.get_mut("escalate") {
        escalated["human_decision"] = words.clone();
        escalated["decided_at"] = json!(now);
    }
    if decision == HumanDecision::Abort {
        record.outcome = Some(ProtocolOutcome::Aborted);
    }
}

fn put(record: &mut RecoveryRecord, name: &str, step: Value) {
    record.protocol_steps.insert(name.to_owned(), step);
}

fn retry(
    record: &mut RecoveryRecord,
    iteration: u32,
    approach: &str,
    max_retries: u32,
    now: Timestamp,
) -> Result<(), IllegalStep> {
    let before = record.protocol_steps.get("retry").and_then(|retry| retry.get("attempts")).cloned();
    let mut attempts = before.and_then(|attempts| attempts.as_array().cloned()).unwrap_or_default();
    if attempts.len() >= max_retries as usize {
        return Err(IllegalStep::NoRetryLeft(max_retries));
    }
    attempts.push(json!({
        "executed_at": now,
        "retry_iteration": iteration,
        "approach": approach,
    }));
    let first = attempts.first().and_then(|attempt| attempt.get("executed_at")).cloned();
    let step = json!({
        "executed_at": first,
        "retry_iteration": iteration,
        "attempts": attempts,
    });
    let adapt = record.protocol_steps.get_mut("adapt").and_then(|adapt| adapt.get_mut("changes_made"));
    if let Some(made) = adapt.and_then(Value::as_array_mut) {
        made.push(json!(approach));
    }
    // Between adapt and escalate, as it happens.
    record.protocol_steps.shift_remove("escalate");
    put(record, "retry", step);
    Ok(())
}

fn end_retry(record: &mut RecoveryRecord, outcome: &str, now: Timestamp) {
    let Some(retry) = record.protocol_steps.get_mut("retry") else { return };
    retry["outcome"] = json!(outcome);
    let attempts = retry.get_mut("attempts").and_then(Value::as_array_mut);
    if let Some(last) = attempts.and_then(|attempts| attempts.last_mut()) {
        last["outcome"] = json!(outcome);
        last["ended_at"] = json!(now);
    }
}

#[cfg(test)]
mod tests;
