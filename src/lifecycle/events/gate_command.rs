//! A decision at a gate that is typed with its one-time code. The prompt is never sent to the model, right or wrong.

use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::context::log::HookRecord;
use crate::lifecycle::gate::decision;
use crate::lifecycle::regression::settlement;
use crate::model::verdict::{Answer, Verdict};
use crate::state::atomic::Durability;
use crate::state::gate::Gate;
use crate::state::loop_state::LoopState;
use crate::text::gate as text;

/// A decision at a gate, typed with the one-time code. The prompt is never sent to the model, right or wrong.
pub(crate) fn typed_decision(context: &mut HookContext, words: &str) -> Answer {
    let said = match decided(context, words) {
        Ok(done) | Err(done) => done,
    };
    context.log("UserPromptSubmit", HookRecord::default().outcome("a decision at a gate was typed"));
    Verdict::Deny(format!("Steadfast: {said}")).into()
}

pub(crate) fn decided(context: &mut HookContext, words: &str) -> Result<String, String> {
    let words: Vec<&str> = words.split_whitespace().collect();
    let state = context.state();
    let gate = state.as_ref().and_then(|state| meant(state, words.get(1).copied()));
    let gate =
        gate.ok_or("nothing waits for a decision in this session; `steadfast gate` shows the project's.")?;
    let [word, code] = words.as_slice() else {
        let ids: Vec<&str> = gate.choices.iter().map(|choice| choice.id.as_str()).collect();
        return Err(format!("{}\n\nAn answer ({}) and the code are needed.", gate.message, ids.join(", ")));
    };
    if context.event.headless {
        return Err(
            "a session that a program drives can't decide; run `steadfast gate` in a terminal.".to_owned()
        );
    }
    take_code(context, &gate, code)?;
    let decision = gate.meant(word).ok_or_else(|| text::no_answer(&gate, word))?;
    let asked = decision::GateAddress {
        project: &context.project,
        layout: &context.layout,
        loop_id: &state.map(|state| state.loop_id.clone()).unwrap_or_default(),
        gate_id: &gate.gate_id,
    };
    let by = settlement::DecidedBy {
        via: "one-time code",
        by: (context.env.vars)("USER"),
        reason: None,
        in_hook: true,
        force: false,
    };
    decision::decide(asked, decision, &by, context.env.now)
}

/// Takes the one-time code that was typed, right or wrong.
fn take_code(context: &mut HookContext, gate: &Gate, code: &str) -> Result<(), String> {
    let taken = context.change_state(Durability::Power, |state| {
        let open = state.human_gates.iter_mut().find(|open| open.gate_id == gate.gate_id)?;
        Some(open.code.as_mut().is_some_and(|hash| hash.takes(code)))
    });
    if taken == Some(Some(true)) {
        return Ok(());
    }
    context.log("human_gate", HookRecord::default().outcome("refused: a wrong code was typed"));
    Err("this code is not the one that was shown. `steadfast gate` in a terminal needs none.".to_owned())
}

/// The open gate that a code belongs to, else the first one.
fn meant(state: &LoopState, code: Option<&str>) -> Option<Gate> {
    let open = || state.human_gates.iter().filter(|gate| gate.is_open());
    let has_code =
        |gate: &&Gate| code.is_some_and(|code| gate.code.as_ref().is_some_and(|hash| hash.is(code)));
    open().find(has_code).or_else(|| open().next()).cloned()
}
