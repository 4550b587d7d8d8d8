//! A session begins, a prompt is sent, a session ends: where a loop is claimed, and where it is told how it stands.

use std::time::Duration;

use super::baseline::Measuring;
use super::legacy;
use super::loop_start::{self, Request};
use super::pre_iteration;
use super::scene::{Bound, Record, Scene};
use crate::event::EventKind;
use crate::ralph::{request, typed};
use crate::state::atomic::Durability;
use crate::state::lock::HOOK_WAIT;
use crate::state::loop_state::LoopState;
use crate::state::registry::{Kind, Registry};
use crate::text::{session as text, verdicts};
use crate::verdict::{Answer, Verdict};

/// The slash command that starts a loop from inside a session.
const LOOP_COMMAND: &str = "/steadfast:loop";

/// A session starts, resumes, is cleared or compacted.
pub fn start(scene: &mut Scene, source: &str) -> Answer {
    if scene.bound.is_none() {
        let brought_in = legacy::bring_in(&scene.project, &scene.layout, scene.env.now);
        scene.problems.extend(brought_in.err());
        claim(scene);
    }
    let mut told_human: Vec<String> = scene.config_notice.iter().chain(&scene.problems).cloned().collect();
    let mut told = Vec::new();
    if let Some(bound) = scene.bound.clone() {
        told.extend(standing(scene, &bound));
        scene.log("SessionStart", Record::default().outcome(source));
    }
    let verdict = if told.is_empty() { Verdict::Pass } else { Verdict::Context(told.join("\n\n")) };
    told_human.dedup();
    Answer { verdict, human: (!told_human.is_empty()).then(|| told_human.join("\n")) }
}

/// What the session reads about its loop.
fn standing(scene: &mut Scene, bound: &Bound) -> Option<String> {
    let state = scene.state()?;
    match bound.entry.kind {
        Kind::Explicit if scene.in_explicit_loop() => {
            let reminder = pre_iteration::begin(scene, state.iteration.max(1));
            Some(text::loop_context(&state, reminder.as_deref()))
        }
        Kind::Explicit => None,
        Kind::Implicit => {
            let open: Vec<_> = state.open_regressions().collect();
            (!open.is_empty()).then(|| verdicts::open_regressions(&open))
        }
    }
}

/// Binds a loop that was started in a terminal to this session.
fn claim(scene: &mut Scene) {
    let Some(session) = scene.event.session_id.clone() else { return };
    let waiting = Registry::read(&scene.layout).ok().and_then(|r| r.unclaimed().map(str::to_owned));
    let Some(id) = waiting else { return };
    if !LoopState::read(&scene.layout, &id).is_ok_and(|state| loop_start::is_live(&state)) {
        return;
    }
    let claimed = Registry::change(&scene.layout, HOOK_WAIT, |registry| {
        // Another session may have been quicker.
        if registry.unclaimed() != Some(id.as_str()) {
            return None;
        }
        registry.bind(&session, &id);
        registry.loops.get(&id).cloned()
    });
    match claimed {
        Ok(Some(entry)) => {
            scene.bound = Some(Bound { id, entry });
            scene.change_state(Durability::Power, |state| state.session_id = Some(session));
        }
        Ok(None) => {}
        Err(error) => scene.problems.push(error.to_string()),
    }
}

/// A prompt is sent. A typed loop command starts a loop; any prompt begins a new turn.
pub fn prompt(scene: &mut Scene, prompt: &str) -> Answer {
    if let Some(arguments) = prompt.trim_start().strip_prefix(LOOP_COMMAND)
        && (arguments.is_empty() || arguments.starts_with(char::is_whitespace))
    {
        return start_loop(scene, arguments);
    }
    let Some(bound) = scene.bound.clone() else { return Answer::default() };
    if scene.state().is_some_and(|state| state.continuations > 0) {
        scene.change_state(Durability::Process, |state| state.continuations = 0);
    }
    scene.log("UserPromptSubmit", Record::default().outcome("a new turn"));
    if scene.in_explicit_loop() && bound.entry.iteration == 0 {
        let told = standing(scene, &bound);
        return told.map(Verdict::Context).unwrap_or_default().into();
    }
    Answer::default()
}

fn start_loop(scene: &mut Scene, arguments: &str) -> Answer {
    let Some(session) = scene.event.session_id.clone() else {
        return told(
            "Steadfast: the host sent no session id, so no loop can be bound to this session.".to_owned(),
        );
    };
    if scene.in_explicit_loop() {
        return told("Steadfast: this session is in a loop already; `steadfast status` shows it.".to_owned());
    }
    let parsed = typed::parse(arguments).and_then(|typed| {
        let (task, found) = request::split_request(&typed.task);
        let criteria = typed.until.or(found).ok_or("say when it is done: --until \"<command> passes\"")?;
        Ok(Request {
            task,
            criteria,
            max_iterations: typed.max_iterations,
            timeout_minutes: typed.timeout_minutes,
            loop_id: None,
            force: false,
            session_id: Some(session),
        })
    });
    let started = parsed.map_err(|error| error.to_string()).and_then(|request| {
        // The session waits for this: nothing is run.
        let mut measuring = Measuring { time: Duration::ZERO, say: &mut |_| {} };
        loop_start::start(&scene.project, &request, &mut measuring, scene.env.now)
            .map_err(|error| error.to_string())
    });
    match started {
        Ok(state) => {
            let bound = Bound { id: state.loop_id.clone(), entry: state.registry_entry() };
            scene.bound = Some(bound.clone());
            let context = standing(scene, &bound);
            let human = text::started(&state, scene.event.continuation_cap);
            Answer { verdict: context.map(Verdict::Context).unwrap_or_default(), human: Some(human) }
        }
        Err(reason) => told(format!("Steadfast started no loop: {reason}")),
    }
}

/// Tells both the person and the model, since the prompt goes on to the model all the same.
fn told(message: String) -> Answer {
    Answer { verdict: Verdict::Context(message.clone()), human: Some(message) }
}

/// An event that only leaves its line.
pub fn note(scene: &mut Scene) -> Answer {
    let outcome = match &scene.event.kind {
        EventKind::SessionEnd { reason } => reason.clone(),
        _ => "noted".to_owned(),
    };
    scene.log(&scene.event.host_event, Record::default().outcome(outcome));
    Answer::default()
}
