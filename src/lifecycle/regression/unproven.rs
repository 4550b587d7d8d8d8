//! What a proof holds against a pass, in the state: opened for tests that pass only as they were changed, closed by a proof
//! that holds nothing against the work any more.

use jiff::Timestamp;
use serde_json::{Map, json};

use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::criterion::proving::{CompletionProof, PROOF, is_of_proof};
use crate::model::finding::{RegressionType, Severity};
use crate::state::atomic::Durability;
use crate::state::loop_id;
use crate::state::loop_state::LoopState;
use crate::state::records::{RecoveryOutcome, RegressionEvent, lost_key};
use crate::text::headline::listed;

/// What the loss is, in its record and in words.
const CAUSE: &str = "the criterion passes only with changed tests";
/// The most that the names of the tests take in the first line, in characters.
const NAMES: usize = 240;
const KIND: RegressionType = RegressionType::AssertionWeakening;

/// What a person is asked about: the events, the question, and how bad it is.
pub type UnprovenQuestion = (Vec<String>, String, Severity);

/// Records what a proof says. Answers what a person has to be asked.
pub fn note(context: &mut HookContext, proof: &CompletionProof) -> Option<UnprovenQuestion> {
    if let Some(remark) = &proof.remark {
        context.tell_human(remark.clone());
    }
    let now = context.env.now;
    if proof.unproven.is_empty() {
        if proof.remark.is_none() {
            context.change_state(Durability::Process, close);
        }
        return None;
    }
    let id = context.change_state(Durability::Process, |state| open(state, proof, now))?;
    let message = format!(
        "{}.\nApprove it if the tests were meant to change; otherwise the work has to pass them as they were.\n\n{}",
        listed("The criterion passes only with changed tests", &proof.unproven, NAMES),
        proof.table
    );
    Some((vec![id], message, Severity::High))
}

/// Puts the tests into the event that is open, or into a new one; answers its id.
fn open(state: &mut LoopState, proof: &CompletionProof, now: Timestamp) -> String {
    let iteration = state.iteration.max(1);
    let details = Map::from_iter([
        ("baseline_value".to_owned(), json!("passes with the tests of the start")),
        ("current_value".to_owned(), json!("passes with changed tests")),
        ("diff".to_owned(), json!({lost_key(KIND): proof.unproven})),
        ("reference".to_owned(), json!("baseline")),
        ("cause".to_owned(), json!(CAUSE)),
        ("figure".to_owned(), json!(PROOF)),
    ]);
    let mut events = state.regression_events.iter_mut();
    let id = match events.find(|event| event.is_open() && is_of_proof(event)) {
        Some(event) => {
            event.details.extend(details);
            event.event_id.clone()
        }
        None => {
            let event_id = loop_id::uuid(&format!("{PROOF}{:?}", proof.unproven), now);
            state.regression_events.push(RegressionEvent {
                event_id: event_id.clone(),
                timestamp: now,
                iteration,
                details,
                ..RegressionEvent::new(KIND, Severity::High)
            });
            event_id
        }
    };
    state.note_regressions();
    id
}

fn close(state: &mut LoopState) {
    for event in state.regression_events.iter_mut().filter(|event| event.is_open() && is_of_proof(event)) {
        event.recovery_outcome = Some(RecoveryOutcome::Success);
    }
    state.note_regressions();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_event_is_open_until_a_proof_holds_nothing_against_the_work() {
        let mut state = LoopState { iteration: 1, ..LoopState::default() };
        let proof =
            |test: &str| CompletionProof { unproven: vec![test.to_owned()], ..CompletionProof::default() };
        let id = open(&mut state, &proof("adds"), Timestamp::UNIX_EPOCH);
        assert_eq!(open(&mut state, &proof("subtracts"), Timestamp::UNIX_EPOCH), id);
        assert_eq!(state.regression_events.len(), 1);
        assert_eq!(state.regression_events[0].lost(), ["subtracts"]);
        assert!(is_of_proof(&state.regression_events[0]) && state.regression_events[0].is_open());
        close(&mut state);
        assert!(!state.regression_events[0].is_open());
    }
}
