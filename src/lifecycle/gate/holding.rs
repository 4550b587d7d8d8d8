//! A gate that is open, as the hooks see it: what writes is held back, a turn may end, and the person is reminded.
//!
//! Nothing here decides.

use serde_json::{Value, json};

use crate::detectors::session_patterns::CRITERION_CHANGED;
use crate::lifecycle::changes::touched;
use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::context::log::HookRecord;
use crate::lifecycle::gate::code::{new_code, random_word};
use crate::lifecycle::gate::escalation;
use crate::lifecycle::iteration::limits;
use crate::lifecycle::regression::recovery;
use crate::model::event::ToolCall;
use crate::model::finding::Finding;
use crate::model::verdict::{Answer, Verdict};
use crate::state::atomic::Durability;
use crate::state::gate::{CodeHash, Gate};
use crate::state::loop_state::LoopState;
use crate::state::records::RegressionEvent;
use crate::text::gate as text;

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
    ask_about(context, |_| true);
    is_open(context)
}

/// Asks a person about the open regressions that are `meant`, while nothing is asked: the question was lost with the
/// state, or nobody is left who tries first.
pub fn ask_about(context: &mut HookContext, meant: impl Fn(&RegressionEvent) -> bool) {
    let Some(state) = context.state().filter(|state| state.open_gate().is_none()) else { return };
    let open: Vec<&RegressionEvent> = state.open_regressions().filter(|event| meant(event)).collect();
    let Some(worst) = open.iter().max_by_key(|event| event.severity) else { return };
    let ids: Vec<String> = open.iter().map(|event| event.event_id.clone()).collect();
    let about = state.recovery_history.iter().find(|record| recovery::is_about(record, worst));
    let known = about.map(|record| recovery::known(&record.protocol_steps)).unwrap_or_default();
    let message = recovery::panel(worst, context.iteration(), &known);
    escalation::escalate(context, &ids, message, worst.severity);
}

/// Asks at once where nothing is open but a change of the loop's terms that no call of this session made: whoever made
/// it decides, and there is nothing for the agent to try.
pub fn ask_about_terms(context: &mut HookContext) {
    let Some(state) = context.state() else { return };
    let own = touched::touched(&context.layout, &state.loop_id);
    let is_of_terms = |event: &RegressionEvent| {
        event.details.get("pattern_id").is_some_and(|id| id == CRITERION_CHANGED.id)
            && !event.named_files().any(|file| own.iter().any(|path| path == file))
    };
    if state.open_regressions().all(is_of_terms) {
        ask_about(context, |_| true);
    }
}

/// Whether a word is the code of a gate that is open in the session's loop.
pub fn is_code(context: &HookContext, word: &str) -> bool {
    is_open(context)
        && context.state().is_some_and(|state| {
            let mut open = state.human_gates.iter().filter(|gate| gate.is_open());
            open.any(|gate| gate.code.as_ref().is_some_and(|hash| hash.is(word)))
        })
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
    let record = HookRecord::default().outcome("deny: a person is asked").outcome(json!({
        "human_gate": gate.map(|gate| &gate.gate_id),
        "tool": call.tool,
        "target": target,
        "patterns": patterns,
    }));
    context.log("pre_tool_call", record);
    let reason = text::held_back(gate);
    let reason = unread.map_or(reason.clone(), |unread| format!("{reason}\n{unread}"));
    let human = text::person_held_back(gate, target);
    Answer { verdict: Verdict::Deny(reason), human: Some(human), ..Answer::default() }
}

/// The end of a turn while a person is asked: the session may end, and nothing is counted.
pub fn waits(context: &mut HookContext) -> Answer {
    context.log("post_iteration", HookRecord::default().outcome("pass: a person is asked"));
    let Some(state) = context.state() else { return Answer::default() };
    // Of one that this very event has opened all is said already.
    let known = state.open_gate().filter(|gate| gate.opened_at != context.env.now);
    Answer { verdict: Verdict::Pass, human: known.map(text::waiting), ..Answer::default() }
}

/// Whether the iteration in which the gate opened is still to be recorded: once, at the first end of a turn after it.
pub fn wants_record(context: &HookContext) -> bool {
    context.in_explicit_loop()
        && context.state().is_some_and(|state| {
            state.open_gate().is_some_and(|gate| gate.iteration_recorded.is_none())
                && limits::due(&state).is_none()
                && !limits::is_recorded(&state)
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

/// A gate's facts for other hooks and the log.
pub fn facts(gate: &Gate) -> Value {
    json!({"gate_id": gate.gate_id, "subject": gate.subject, "decision": gate.decision, "decided_via": gate.decided_via})
}
