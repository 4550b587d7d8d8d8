//! The human gate as the hooks see it: opening one, holding back what writes, and telling the person how to decide.
//!
//! Nothing here decides. A gate is a record in the state; the one-time code goes to the person's screen alone.

use serde_json::json;

use crate::definitions::model::GateDefinition;
use crate::definitions::names::GateAction;
use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::context::log::HookRecord;
use crate::lifecycle::gate::code::{new_code, random_word};
use crate::lifecycle::gate::notification;
use crate::lifecycle::regression::records;
use crate::model::finding::Severity;
use crate::state::atomic::Durability;
use crate::state::gate::{Choice, CodeHash, Gate, GateDecision, GateSubject};
use crate::state::loop_id;
use crate::state::loop_state::LoopState;
use crate::state::registry::Kind;
use crate::text::gate as text;

/// What a gate is opened for.
#[derive(Debug)]
pub struct GateOpening<'a> {
    /// What it is about.
    pub subject: GateSubject,
    /// The regressions.
    pub event_ids: &'a [String],
    /// What the person reads.
    pub message: String,
    /// What a project's own definition says about the gate.
    pub defined: Option<&'a GateDefinition>,
    /// How bad it is; a critical one is also told outside of the session.
    pub severity: Severity,
}

/// Opens a gate, or adds to the one that is open about the same. A question about something else stays one of its own,
/// which comes after it: an answer is only ever to what was asked.
pub fn open(context: &mut HookContext, opening: &GateOpening<'_>) {
    let code = new_code();
    let now = context.env.now;
    let iteration = context.iteration();
    let gate = Gate {
        gate_id: loop_id::uuid(&format!("gate{:?}", opening.event_ids), now),
        subject: opening.subject,
        gate_type: "TERMINATE".to_owned(),
        opened_at: now,
        iteration,
        event_ids: opening.event_ids.to_vec(),
        message: message(context, opening),
        choices: choices(opening, is_guarded_session(context)),
        code: Some(CodeHash::of(&code, &random_word(16))),
        ..Gate::new(opening.subject, now)
    };
    let is_new = context.change_state(Durability::Power, |state| put(state, &gate));
    if is_new != Some(true) {
        return;
    }
    let record = HookRecord::default()
        .outcome(json!({"human_gate": gate.gate_id, "gate_type": gate.gate_type, "events": gate.event_ids}))
        .change("recovery_in_progress", true);
    context.log("human_gate", record);
    context.tell_human(text::opened(&gate, &code));
    if opening.severity == Severity::Critical {
        notification::send(context, &gate);
    }
}

/// Puts a gate into the state, or adds what it is about to the one that is open about the same. Whether it is a new one.
fn put(state: &mut LoopState, gate: &Gate) -> bool {
    let mut open = state.human_gates.iter_mut().filter(|gate| gate.is_open());
    let Some(known) = open.find(|open| open.subject == gate.subject) else {
        state.human_gates.push(gate.clone());
        state.note_regressions();
        return true;
    };
    let new: Vec<String> =
        gate.event_ids.iter().filter(|id| !known.event_ids.contains(id)).cloned().collect();
    if !new.is_empty() {
        known.event_ids.extend(new);
        known.message = format!("{}\n\n{}", known.message, gate.message);
    } else if known.event_ids == gate.event_ids {
        // What it is about has grown since.
        known.message.clone_from(&gate.message);
    }
    false
}

/// What the person reads. A session without a loop has no checkpoint of the whole tree, and the work beside the loss is
/// the person's own: the text says what a rejection puts back there.
fn message(context: &HookContext, opening: &GateOpening<'_>) -> String {
    if !is_guarded_session(context) || opening.subject != GateSubject::Regression {
        return opening.message.clone();
    }
    let paths = context.state().map(|state| records::lost_paths(&state, opening.event_ids));
    let paths: Vec<String> =
        paths.unwrap_or_default().iter().map(|path| path.to_string_lossy().into_owned()).collect();
    format!("{}\n\n{}", opening.message, text::rejection_puts_back(&paths))
}

fn is_guarded_session(context: &HookContext) -> bool {
    context.bound.as_ref().is_some_and(|bound| bound.entry.kind == Kind::Implicit)
}

/// The answers; in a session without a loop there is no iteration to reject.
fn choices(opening: &GateOpening<'_>, in_session: bool) -> Vec<Choice> {
    if let Some(defined) = opening.defined {
        let own = defined.options.iter().map(|option| Choice {
            id: option.id.to_string(),
            label: option.label.to_string(),
            decision: decision(option.action),
        });
        return own.collect();
    }
    let known: &[(GateDecision, &str)] = match opening.subject {
        GateSubject::StuckLoop => &[
            (GateDecision::Continue, "Continue with a different approach"),
            (GateDecision::Abort, "Abort the loop"),
            (GateDecision::ManualFix, "Mend it by hand, then resume"),
        ],
        _ if in_session => &[
            (GateDecision::Reject, "Put back what was lost"),
            (GateDecision::Approve, "Accept the loss"),
            (GateDecision::Abort, "Stop guarding this session; the changes stay"),
        ],
        _ => &[
            (GateDecision::Reject, "Reject the iteration and revert its changes"),
            (GateDecision::Approve, "Continue (override the detection - NOT RECOMMENDED)"),
            (GateDecision::Abort, "Abort the loop"),
        ],
    };
    let made = known.iter().map(|(decision, label)| Choice {
        id: decision.name().to_owned(),
        label: (*label).to_owned(),
        decision: *decision,
    });
    made.collect()
}

/// What a definition's action decides.
fn decision(action: GateAction) -> GateDecision {
    match action {
        GateAction::AcceptChange => GateDecision::Approve,
        GateAction::RevertChange => GateDecision::Reject,
        GateAction::AbortLoop => GateDecision::Abort,
        GateAction::ResumeWithNewStrategy => GateDecision::Continue,
        GateAction::PauseForManualIntervention => GateDecision::ManualFix,
    }
}
