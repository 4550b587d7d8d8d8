//! A session begins, a prompt is sent, a session ends: where a loop is claimed, and where it is told how it stands.

use std::time::Duration;

use crate::last_word;
use crate::lifecycle::call::allowance;
use crate::lifecycle::context::failure;
use crate::lifecycle::context::hook_context::{Bound, HookContext, Record};
use crate::lifecycle::gate::{decision, opening};
use crate::lifecycle::hooks::loop_start;
use crate::lifecycle::hooks::loop_start::{Request, Started};
use crate::lifecycle::hooks::pre_iteration;
use crate::lifecycle::iteration::reflect;
use crate::lifecycle::measuring::baseline::Measuring;
use crate::lifecycle::regression::mended;
use crate::lifecycle::regression::records;
use crate::lifecycle::session::legacy;
use crate::lifecycle::session::{driver, health, liveness, typed_command};
use crate::loops::criteria::typed;
use crate::model::event::EventKind;
use crate::model::verdict::{Answer, Verdict};
use crate::state::atomic::Durability;
use crate::state::gate::Gate;
use crate::state::lock::HOOK_WAIT;
use crate::state::loop_state::LoopState;
use crate::state::registry::{Kind, Registry};
use crate::text::{gate as gate_text, session as text, verdicts};

/// The slash command that starts a loop from inside a session.
const LOOP_COMMAND: &str = "/steadfast:loop";
/// How long the criterion may run before the prompt goes on: what takes longer is taken for not met.
const FIRST_CHECK: Duration = Duration::from_secs(8);
/// How long all of a start may take; the client gives up after thirty seconds.
const START: Duration = Duration::from_secs(25);

/// How a decision at a gate is typed: as a command of the plugin, or plainly where there is no plugin.
const GATE_COMMANDS: &[&str] = &["/steadfast:gate", "/gate", "steadfast gate"];
/// How a refused command is allowed once.
const ALLOW_COMMANDS: &[&str] = &["/steadfast:allow", "steadfast allow"];

/// A session starts, resumes, is cleared or compacted.
pub fn start(context: &mut HookContext, source: &str) -> Answer {
    if context.bound.is_none() {
        let brought_in = legacy::bring_in(&context.project, &context.layout, context.env.now);
        context.problems.extend(brought_in.err());
        claim(context);
    }
    liveness::arrive(context);
    context.notices.extend(health::faults(context));
    let crashed = liveness::put_aside_crashed(&context.layout, context.env.now);
    let mut told_human = context.problems.clone();
    let mut told = Vec::new();
    if let Some(bound) = context.bound.clone() {
        if opening::is_open(context) {
            mended::close(context);
        }
        opening::remind(context);
        // A driver's prompt says it all; what a compaction or a resumed session has lost is said again.
        let is_prompted = source == "startup" && context.state().is_some_and(|state| driver::drives(&state));
        if !is_prompted || opening::is_open(context) {
            told.extend(standing(context, &bound));
        }
        context.log("SessionStart", Record::default().outcome(source));
    }
    let verdict = if told.is_empty() { Verdict::Pass } else { Verdict::Context(told.join("\n\n")) };
    told_human.extend(crashed.iter().map(|id| text::crashed(id)));
    told_human.dedup();
    Answer { verdict, human: (!told_human.is_empty()).then(|| told_human.join("\n")), ..Answer::default() }
}

/// What the session reads about its loop.
pub(crate) fn standing(context: &mut HookContext, bound: &Bound) -> Option<String> {
    let state = context.state()?;
    if let Some(gate) = state.open_gate() {
        return Some(gate_text::now_waits(gate));
    }
    match bound.entry.kind {
        Kind::Explicit if context.in_explicit_loop() => {
            let reminder = pre_iteration::begin(context, pre_iteration::current(&state));
            let state = context.state().unwrap_or(state);
            let parts: Vec<String> =
                [reflect::before(context, &state), reminder].into_iter().flatten().collect();
            let told = (!parts.is_empty()).then(|| parts.join("\n"));
            Some(text::loop_context(&state, told.as_deref()))
        }
        Kind::Explicit => None,
        Kind::Implicit => {
            let open: Vec<_> = state.open_regressions().collect();
            (!open.is_empty()).then(|| verdicts::open_regressions(&open))
        }
    }
}

/// Binds a loop that was started in a terminal to this session.
fn claim(context: &mut HookContext) {
    let Some(session) = context.event.session_id.clone() else { return };
    // A driver names the loop that its sessions work for.
    let named = (context.env.vars)(driver::LOOP_VARIABLE).filter(|id| !id.is_empty());
    let meant = |registry: &Registry| match &named {
        Some(id) => registry.loops.contains_key(id).then(|| id.clone()),
        None => registry.unclaimed().map(str::to_owned),
    };
    let Some(id) = Registry::read(&context.layout).ok().and_then(|registry| meant(&registry)) else { return };
    if !LoopState::read(&context.layout, &id).is_ok_and(|state| loop_start::is_live(&state)) {
        return;
    }
    let claimed = Registry::change(&context.layout, HOOK_WAIT, |registry| {
        // Another session may have been quicker.
        if meant(registry).as_deref() != Some(id.as_str()) {
            return None;
        }
        // A driver's own binding stays beside that of the session it has started.
        let driver = driver::session_of(&id);
        registry.sessions.retain(|session, bound| *bound != id || (named.is_some() && *session == driver));
        registry.bind(&session, &id);
        registry.loops.get(&id).cloned()
    });
    match claimed {
        Ok(Some(entry)) => {
            context.bound = Some(Bound { id, entry });
            if named.is_none() {
                context.change_state(Durability::Power, |state| state.session_id = Some(session));
            }
        }
        Ok(None) => {}
        Err(error) => context.problems.push(error.to_string()),
    }
}

/// A prompt is sent. A typed loop command starts a loop; any prompt begins a new turn.
pub fn prompt(context: &mut HookContext, prompt: &str) -> Answer {
    if let Some(arguments) = prompt.trim_start().strip_prefix(LOOP_COMMAND)
        && (arguments.is_empty() || arguments.starts_with(char::is_whitespace))
    {
        return start_loop(context, arguments);
    }
    if let Some(answer) = typed_command::run(context, prompt) {
        return answer;
    }
    if let Some(words) = typed_after(prompt, GATE_COMMANDS) {
        return typed_decision(context, words);
    }
    if let Some(code) = typed_after(prompt, ALLOW_COMMANDS) {
        return Verdict::Deny(format!("Steadfast: {}", allowance::typed(context, code))).into();
    }
    liveness::arrive(context);
    let Some(bound) = context.bound.clone() else { return Answer::default() };
    if bound.entry.kind == Kind::Implicit {
        failure::end_of_iteration(context);
    }
    records::settle_questions(context);
    if opening::is_open(context) {
        mended::close(context);
    }
    if context.state().is_some_and(|state| state.continuations > 0) {
        context.change_state(Durability::Process, |state| state.continuations = 0);
    }
    context.log("UserPromptSubmit", Record::default().outcome("a new turn"));
    let due =
        bound.entry.decided && context.state().is_some_and(|state| pre_iteration::due(&state).is_some());
    if context.in_explicit_loop() && !opening::is_open(context) && (due || bound.entry.iteration == 0) {
        let told = standing(context, &bound);
        return told.map(Verdict::Context).unwrap_or_default().into();
    }
    Answer::default()
}

/// What is typed after one of these commands.
fn typed_after<'p>(prompt: &'p str, commands: &[&str]) -> Option<&'p str> {
    commands.iter().find_map(|command| {
        let rest = prompt.trim_start().strip_prefix(command)?;
        (rest.is_empty() || rest.starts_with(char::is_whitespace)).then_some(rest)
    })
}

/// A decision at a gate, typed with the one-time code. The prompt is never sent to the model, right or wrong.
fn typed_decision(context: &mut HookContext, words: &str) -> Answer {
    let said = match decided(context, words) {
        Ok(done) | Err(done) => done,
    };
    context.log("UserPromptSubmit", Record::default().outcome("a decision at a gate was typed"));
    Verdict::Deny(format!("Steadfast: {said}")).into()
}

fn decided(context: &mut HookContext, words: &str) -> Result<String, String> {
    let words: Vec<&str> = words.split_whitespace().collect();
    let state = context.state();
    // Where several questions are open, the code says which one is meant.
    let open = state.iter().flat_map(|state| &state.human_gates).filter(|gate| gate.is_open());
    let meant =
        |gate: &&Gate| words.get(1).is_some_and(|code| gate.code.as_ref().is_some_and(|hash| hash.is(code)));
    let gate = open.clone().find(meant).or_else(|| open.clone().next()).cloned();
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
    let taken = context.change_state(Durability::Power, |state| {
        let open = state.human_gates.iter_mut().find(|open| open.gate_id == gate.gate_id)?;
        Some(open.code.as_mut().is_some_and(|hash| hash.takes(code)))
    });
    if taken != Some(Some(true)) {
        context.log("human_gate", Record::default().outcome("refused: a wrong code was typed"));
        return Err(
            "this code is not the one that was shown. `steadfast gate` in a terminal needs none.".to_owned()
        );
    }
    let decision = gate.meant(word).ok_or(format!("{word:?} is no answer to this gate"))?;
    let asked = decision::Asked {
        project: &context.project,
        layout: &context.layout,
        loop_id: &state.map(|state| state.loop_id.clone()).unwrap_or_default(),
        gate_id: &gate.gate_id,
    };
    let by = decision::Decider {
        via: "one-time code",
        by: (context.env.vars)("USER"),
        reason: None,
        in_hook: true,
    };
    decision::decide(asked, decision, &by, context.env.now)
}

fn start_loop(context: &mut HookContext, arguments: &str) -> Answer {
    let Some(session) = context.event.session_id.clone() else {
        return Answer::telling_both(
            "Steadfast: the host sent no session id, so no loop can be bound to this session.".to_owned(),
        );
    };
    if context.in_explicit_loop() {
        return Answer::telling_both(
            "Steadfast: this session is in a loop already; `steadfast status` shows it.",
        );
    }
    last_word::set_deadline(Some(START));
    let started = typed::parse(arguments)
        .and_then(|typed| Request::of(typed, Some(session), FIRST_CHECK).map_err(|error| error.to_string()))
        .and_then(|request| {
            // The session waits for this: nothing is run.
            let mut measuring = Measuring { time: Duration::ZERO, say: &mut |_| {} };
            loop_start::start(&context.project, &request, &mut measuring, context.env.now)
                .map_err(|error| error.to_string())
        });
    match started {
        Ok(Started { met: Some(banner), .. }) => Answer {
            verdict: Verdict::Context(format!(
                "The completion criterion of this loop holds already, so nothing is to be done.\n{banner}"
            )),
            ..Answer::telling(banner)
        },
        Ok(Started { state, .. }) => {
            let bound = Bound { id: state.loop_id.clone(), entry: state.registry_entry() };
            context.bound = Some(bound.clone());
            liveness::arrive(context);
            let told = standing(context, &bound);
            let mut human = text::started(&state, context.event.continuation_cap);
            for hint in text::hints(&state) {
                human.push('\n');
                human.push_str(&hint);
            }
            Answer { verdict: told.map(Verdict::Context).unwrap_or_default(), ..Answer::telling(human) }
        }
        Err(reason) => Answer::telling_both(format!("Steadfast started no loop: {reason}")),
    }
}

/// An event that only leaves its line.
pub fn note(context: &mut HookContext) -> Answer {
    let outcome = match &context.event.kind {
        EventKind::SessionEnd { reason } => {
            let reason = reason.clone();
            liveness::leave(context);
            reason
        }
        _ => "noted".to_owned(),
    };
    if matches!(context.event.kind, EventKind::PreCompact) {
        context.change_state(Durability::Process, |state| {
            state.compactions = Some(state.compactions.unwrap_or_default() + 1);
        });
    }
    context.log(&context.event.host_event, Record::default().outcome(outcome));
    Answer::default()
}
