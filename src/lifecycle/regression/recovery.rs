//! The recovery protocol over time: each end of a turn is the end of an attempt, and the limit of attempts is a gate.

use jiff::Timestamp;
use serde_json::{Map, Value};

use crate::agents::recovery_orchestrator as orchestrator;
use crate::agents::recovery_orchestrator::plan::{Attempt, approach, plan, retry_text};
use crate::agents::recovery_orchestrator::protocol::{Phase, ProtocolStep};
use crate::agents::recovery_orchestrator::{RecoveryBackground, diagnosis, protocol};
use crate::lifecycle::context::hook_context::HookContext;
use crate::model::finding::Severity;
use crate::state::loop_state::LoopState;
use crate::state::records::{FOUND, RecoveryRecord, RegressionEvent};
use crate::state::registry::Kind;

pub(crate) enum Move {
    Attempt(String),
    Escalate { event_ids: Vec<String>, message: String, severity: Severity },
}

/// Moves every recovery of which something is still lost to its next attempt, or to a person. An attempt of a loop is
/// made in the iteration that comes next; a session without one counts none.
pub(crate) fn advance(state: &mut LoopState, iteration: u32, max: u32, now: Timestamp) -> Vec<Move> {
    let mut moves = Vec::new();
    let next = iteration + u32::from(state.kind == Kind::Explicit);
    let events = state.regression_events.clone();
    for record in &mut state.recovery_history {
        if protocol::phase(record) != Phase::Retrying {
            continue;
        }
        let open: Vec<&RegressionEvent> =
            events.iter().filter(|e| e.is_open() && is_about(record, e)).collect();
        let Some(worst) = open.iter().max_by_key(|event| event.severity) else { continue };
        // An attempt that began in this very moment has not been tried.
        let fresh = begun(record) == Some(now);
        if !fresh && protocol::take(record, ProtocolStep::RetryFailed, max, now).is_err() {
            continue;
        }
        let tries = RecoveryTries { next, iteration, fresh, max, now };
        moves.extend(tries.after(record, worst, &open));
    }
    moves
}

/// Where the attempts at an incident stand.
struct RecoveryTries {
    /// The iteration in which the next attempt is made.
    next: u32,
    iteration: u32,
    /// Whether the newest attempt began in this very moment.
    fresh: bool,
    max: u32,
    now: Timestamp,
}

impl RecoveryTries {
    /// The next attempt, or a person's turn where all are used up.
    fn after(
        &self,
        record: &mut RecoveryRecord,
        worst: &RegressionEvent,
        open: &[&RegressionEvent],
    ) -> Option<Move> {
        let RecoveryTries { next, iteration, fresh, max, now } = *self;
        let tried = protocol::tried(record);
        let number = tried.len() as u32 + u32::from(!fresh);
        let plan = plan(&said(record, "diagnose", "diagnosis"));
        if !fresh
            && protocol::take(record, ProtocolStep::Retry(next, approach(&plan, number)), max, now).is_err()
        {
            let message = panel(worst, iteration, &known(&record.protocol_steps));
            let reason = format!("All {} retries are used up", tried.len());
            protocol::take(record, ProtocolStep::Escalate(&reason, &message), max, now).ok()?;
            let event_ids = open.iter().map(|event| event.event_id.clone()).collect();
            return Some(Move::Escalate { event_ids, message, severity: worst.severity });
        }
        let lost: Vec<String> = open.iter().flat_map(|event| event.lost()).collect();
        let before = if fresh { tried.split_last().map_or(&[][..], |(_, before)| before) } else { &tried };
        let attempt = Attempt {
            number,
            max,
            kind: worst.regression_type.name(),
            lost: &lost,
            root_cause: &said(record, "diagnose", "root_cause"),
            tried: before,
        };
        Some(Move::Attempt(retry_text(&plan, &attempt)))
    }
}

/// The most attempts at one incident.
pub fn max_retries(context: &HookContext) -> u32 {
    u32::try_from(context.config.recovery.max_retries).unwrap_or(u32::MAX)
}

/// Whether a recovery is about an event.
pub fn is_about(record: &RecoveryRecord, event: &RegressionEvent) -> bool {
    record.event_ids.iter().flatten().any(|id| *id == event.event_id)
}

/// What a person reads about an event.
pub fn panel(event: &RegressionEvent, iteration: u32, known: &RecoveryBackground) -> String {
    let diff = diff(event);
    let iteration = event.iteration.max(1).min(iteration.max(1));
    orchestrator::panel(iteration, event.regression_type.name(), &diff, known)
}

/// What an event says of its loss: the names and counts, and where nothing has a name what was found.
pub fn diff(event: &RegressionEvent) -> Value {
    let mut diff = event.details.get("diff").cloned().unwrap_or(Value::Object(Map::new()));
    if let Some(diff) = diff.as_object_mut().filter(|_| event.lost().is_empty()) {
        diff.insert(FOUND.to_owned(), event.said().into());
    }
    diff
}

/// What a recovery's steps tell a person besides the loss.
pub fn known(steps: &Map<String, Value>) -> RecoveryBackground {
    RecoveryBackground {
        cause: steps.get("diagnose").and_then(diagnosis::in_words),
        tried: protocol::tried_in(steps),
    }
}

fn begun(record: &RecoveryRecord) -> Option<Timestamp> {
    let attempts = record.protocol_steps.get("retry")?.get("attempts")?.as_array()?;
    attempts.last()?.get("executed_at")?.as_str()?.parse().ok()
}

fn said(record: &RecoveryRecord, step: &str, field: &str) -> String {
    let said = record.protocol_steps.get(step).and_then(|step| step.get(field));
    said.and_then(Value::as_str).unwrap_or_default().to_owned()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::finding::{RegressionType, Severity};
    use serde_json::json;

    #[test]
    fn a_retry_carries_the_iteration_in_which_it_is_made() {
        for (kind, made) in [(Kind::Explicit, [2, 3, 4]), (Kind::Implicit, [2, 2, 2])] {
            let event = RegressionEvent {
                event_id: "e".to_owned(),
                ..RegressionEvent::new(RegressionType::ErrorSuppression, Severity::High)
            };
            let retry = json!({"retry_iteration": 2, "attempts": [{"retry_iteration": 2}]});
            let record = RecoveryRecord {
                event_ids: Some(vec!["e".to_owned()]),
                protocol_steps: Map::from_iter([
                    ("adapt".to_owned(), json!({})),
                    ("retry".to_owned(), retry),
                ]),
                ..RecoveryRecord::default()
            };
            let mut state = LoopState {
                kind,
                regression_events: vec![event],
                recovery_history: vec![record],
                ..LoopState::default()
            };
            for (second, ended) in [(1, 2), (2, if kind == Kind::Explicit { 3 } else { 2 })] {
                advance(&mut state, ended, 3, Timestamp::from_second(second).unwrap());
            }
            let attempts = state.recovery_history[0].protocol_steps["retry"]["attempts"].clone();
            let numbers =
                attempts.as_array().unwrap().iter().map(|attempt| attempt["retry_iteration"].clone());
            assert_eq!(numbers.collect::<Vec<_>>(), made.map(|n| json!(n)), "{attempts}");
        }
    }
}
