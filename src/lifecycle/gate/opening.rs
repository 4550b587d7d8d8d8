//! The human gate as the hooks see it: opening one, holding back what writes, and telling the person how to decide.
//!
//! Nothing here decides. A gate is a record in the state; the one-time code goes to the person's screen alone.

use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::io::Read;

use serde_json::{Value, json};

use crate::definitions::model::HumanGate;
use crate::definitions::names::GateAction;
use crate::lifecycle::context::hook_context::{HookContext, Record};
use crate::lifecycle::gate::{decision, notification};
use crate::lifecycle::hooks::pre_iteration;
use crate::lifecycle::regression::recovery;
use crate::model::event::ToolCall;
use crate::model::finding::{Finding, Severity};
use crate::model::verdict::{Answer, Verdict};
use crate::state::atomic::Durability;
use crate::state::gate::{Choice, CodeHash, Gate, GateDecision, GateSubject};
use crate::state::loop_id;
use crate::state::loop_state::LoopState;
use crate::state::records::RegressionEvent;
use crate::state::registry::Kind;
use crate::text::gate as text;

/// Letters of a code: none that is taken for another.
const LETTERS: &[u8] = b"ABCDEFGHJKMNPQRSTUVWXYZ23456789";
const CODE_LENGTH: usize = 8;

/// What a gate is opened for.
#[derive(Debug)]
pub struct Opening<'a> {
    /// What it is about.
    pub subject: GateSubject,
    /// The regressions.
    pub event_ids: &'a [String],
    /// What the person reads.
    pub message: String,
    /// What a project's own definition says about the gate.
    pub defined: Option<&'a HumanGate>,
    /// How bad it is; a critical one is also told outside of the session.
    pub severity: Severity,
}

/// Opens a gate, or adds to the one that is open about the same. A question about something else stays one of its own,
/// which comes after it: an answer is only ever to what was asked.
pub fn open(context: &mut HookContext, opening: &Opening<'_>) {
    let code = new_code();
    let now = context.env.now;
    let iteration = context.iteration();
    let message = message(context, opening);
    let gate = Gate {
        gate_id: loop_id::uuid(&format!("gate{:?}", opening.event_ids), now),
        subject: opening.subject,
        gate_type: "TERMINATE".to_owned(),
        opened_at: now,
        iteration,
        event_ids: opening.event_ids.to_vec(),
        message: message.clone(),
        choices: choices(opening),
        code: Some(CodeHash::of(&code, &random_word(16))),
        ..Gate::new(opening.subject, now)
    };
    let opened = context.change_state(Durability::Power, |state| {
        let mut open = state.human_gates.iter_mut().filter(|gate| gate.is_open());
        if let Some(known) = open.find(|gate| gate.subject == opening.subject) {
            let new = opening.event_ids.iter().filter(|id| !known.event_ids.contains(id)).cloned();
            let new: Vec<String> = new.collect();
            if !new.is_empty() {
                known.event_ids.extend(new);
                known.message = format!("{}\n\n{message}", known.message);
            } else if known.event_ids == opening.event_ids {
                // What it is about has grown since.
                known.message.clone_from(&message);
            }
            return None;
        }
        state.human_gates.push(gate.clone());
        state.note_regressions();
        Some(gate)
    });
    let Some(Some(gate)) = opened else { return };
    let record = Record::default()
        .outcome(json!({"human_gate": gate.gate_id, "gate_type": gate.gate_type, "events": gate.event_ids}))
        .change("recovery_in_progress", true);
    context.log("human_gate", record);
    context.tell_human(text::opened(&gate, &code));
    if opening.severity == Severity::Critical {
        notification::send(context, &gate);
    }
}

/// What the person reads. A session without a loop has no checkpoint of the whole tree, and the work beside the loss is
/// the person's own: the text says what a rejection puts back there.
fn message(context: &HookContext, opening: &Opening<'_>) -> String {
    let guarded = context.bound.as_ref().is_some_and(|bound| bound.entry.kind == Kind::Implicit);
    if !guarded || opening.subject != GateSubject::Regression {
        return opening.message.clone();
    }
    let paths = context.state().map(|state| decision::lost_paths(&state, opening.event_ids));
    let paths: Vec<String> =
        paths.unwrap_or_default().iter().map(|path| path.to_string_lossy().into_owned()).collect();
    format!("{}\n\n{}", opening.message, text::rejection_puts_back(&paths))
}

fn choices(opening: &Opening<'_>) -> Vec<Choice> {
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

/// Whether a person is asked in the session's loop. Costs no reading: the registry's line says it.
pub fn is_open(context: &HookContext) -> bool {
    context.bound.as_ref().is_some_and(|bound| bound.entry.gate_open)
}

/// Whether a person is asked, when the registry says so: a state that was lost is made good first, and a question that
/// was lost with it is asked anew while its regression is open.
pub fn holds(context: &mut HookContext) -> bool {
    if !is_open(context) {
        return false;
    }
    let whole = context.state().is_some_and(|state| state.open_gate().is_some());
    if whole {
        return true;
    }
    context.change_state(Durability::Power, |_| ());
    let problems = context.problems.join("\n");
    if !problems.is_empty() {
        context.tell_human(problems);
    }
    let Some(state) = context.state() else { return is_open(context) };
    let open: Vec<&RegressionEvent> = state.open_regressions().collect();
    if let Some(worst) =
        open.iter().max_by_key(|event| event.severity).filter(|_| state.open_gate().is_none())
    {
        let ids: Vec<String> = open.iter().map(|event| event.event_id.clone()).collect();
        let about = state.recovery_history.iter().find(|record| recovery::is_about(record, worst));
        let known = about.map(|record| recovery::known(&record.protocol_steps)).unwrap_or_default();
        let message = recovery::panel(worst, context.iteration(), &known);
        recovery::escalate(context, &ids, message, worst.severity);
    }
    is_open(context)
}

/// Refuses a call that may write while a person is asked. Nothing is judged or kept then, but it is recorded what was
/// tried, with the patterns that its own words show.
pub fn hold_back(context: &mut HookContext, call: &ToolCall, target: &str, findings: &[Finding]) -> Answer {
    let id = context.bound.as_ref().map(|bound| bound.id.clone()).unwrap_or_default();
    let (state, unread) = match LoopState::read(&context.layout, &id) {
        Ok(state) => (state, None),
        Err(error) => (LoopState::default(), Some(error.to_string())),
    };
    let gate = state.open_gate();
    let patterns: Vec<&str> = findings.iter().map(|finding| finding.pattern_id).collect();
    let record = Record::default().outcome("deny: a person is asked").outcome(json!({
        "human_gate": gate.map(|gate| &gate.gate_id),
        "tool": call.tool,
        "target": target,
        "patterns": patterns,
    }));
    context.log("pre_tool_call", record);
    let reason = text::held_back(gate);
    let reason = unread.map_or(reason.clone(), |unread| format!("{reason}\n{unread}"));
    Verdict::Deny(reason).into()
}

/// The end of a turn while a person is asked: the session may end, and nothing is counted.
pub fn waits(context: &mut HookContext) -> Answer {
    context.log("post_iteration", Record::default().outcome("pass: a person is asked"));
    let Some(state) = context.state() else { return Answer::default() };
    Answer { verdict: Verdict::Pass, human: state.open_gate().map(text::waiting), ..Answer::default() }
}

/// Whether the iteration in which the gate opened is still to be recorded: once, at the first end of a turn after it.
pub fn wants_record(context: &HookContext) -> bool {
    context.in_explicit_loop()
        && context.state().is_some_and(|state| {
            state
                .open_gate()
                .is_some_and(|gate| gate.iteration_recorded.is_none() && pre_iteration::due(&state).is_none())
        })
}

/// Notes that it is recorded.
pub fn note_recorded(context: &mut HookContext) {
    context.change_state(Durability::Process, |state| {
        for gate in state.human_gates.iter_mut().filter(|gate| gate.is_open()) {
            gate.iteration_recorded = Some(true);
        }
    });
}

/// Tells the person of a session that begins what is still open, with a new code: the old one was on a screen that is
/// gone.
pub fn remind(context: &mut HookContext) {
    if !is_open(context) {
        return;
    }
    let code = new_code();
    let salt = random_word(16);
    let gate = context.change_state(Durability::Process, |state| {
        let gate = state.human_gates.iter_mut().find(|gate| gate.is_open())?;
        gate.code = Some(CodeHash::of(&code, &salt));
        Some(gate.clone())
    });
    if let Some(Some(gate)) = gate {
        context.tell_human(text::opened(&gate, &code));
    }
}

/// Adds what a person decided while the agent waited to what it reads next.
pub fn with_notice(context: &mut HookContext, answer: Answer) -> Answer {
    if !context.bound.as_ref().is_some_and(|bound| bound.entry.decided) {
        return answer;
    }
    let told = match &answer.verdict {
        Verdict::Pass if context.event.takes_context() => Some(""),
        Verdict::Context(text) | Verdict::Continue(text) => Some(text.as_str()),
        _ => None,
    };
    let Some(told) = told else { return answer };
    let notice = context.change_state(Durability::Process, |state| state.pending_notice.take()).flatten();
    let Some(notice) = notice else { return answer };
    let text = if told.is_empty() { notice } else { format!("{notice}\n\n{told}") };
    let verdict = match answer.verdict {
        Verdict::Continue(_) => Verdict::Continue(text),
        _ => Verdict::Context(text),
    };
    Answer { verdict, ..answer }
}

/// A new code for a person's eyes.
pub(crate) fn new_code() -> String {
    random_word(CODE_LENGTH)
}

/// Random letters: from the system's source, or from the process's own hasher where that can't be read.
pub(crate) fn random_word(length: usize) -> String {
    let mut bytes = vec![0_u8; length];
    let read = File::open("/dev/urandom").and_then(|mut source| source.read_exact(&mut bytes));
    if read.is_err() {
        for byte in &mut bytes {
            *byte = RandomState::new().hash_one(std::time::Instant::now()) as u8;
        }
    }
    let letter =
        |byte: &u8| LETTERS.get(usize::from(*byte) % LETTERS.len()).map_or('A', |letter| char::from(*letter));
    bytes.iter().map(letter).collect()
}

/// A gate's facts for other hooks and the log.
pub fn facts(gate: &Gate) -> Value {
    json!({"gate_id": gate.gate_id, "subject": gate.subject, "decision": gate.decision, "decided_via": gate.decided_via})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_readable_and_not_twice_the_same() {
        let codes: std::collections::BTreeSet<String> = (0..200).map(|_| new_code()).collect();
        assert_eq!(codes.len(), 200);
        assert!(codes.iter().all(|code| code.len() == 8 && code.bytes().all(|b| LETTERS.contains(&b))));
    }
}
