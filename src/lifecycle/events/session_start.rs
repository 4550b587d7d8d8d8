//! A session starts, resumes, is cleared or compacted: where a loop is claimed, and where it is told how it stands.

use crate::config::Mode;
use crate::lifecycle::changes::net;
use crate::lifecycle::context::alarm;
use crate::lifecycle::context::hook_context::{BoundLoop, HookContext};
use crate::lifecycle::context::log::HookRecord;
use crate::lifecycle::events::standing::standing;
use crate::lifecycle::gate::{holding, other_session};
use crate::lifecycle::iteration::limits;
use crate::lifecycle::regression::mended;
use crate::lifecycle::session::{driven, health, leaving, left_open, legacy, liveness};
use crate::model::verdict::{Answer, Verdict};
use crate::state::atomic::Durability;
use crate::state::lock::HOOK_WAIT;
use crate::state::loop_state::LoopState;
use crate::state::registry::Registry;
use crate::text::health as health_text;
use crate::text::session as text;

/// The host's word for a new session.
const STARTUP: &str = "startup";

/// A session starts, resumes, is cleared or compacted.
pub fn start(context: &mut HookContext, source: &str) -> Answer {
    if context.bound.is_none() {
        let brought_in = legacy::bring_in(&context.project, &context.layout, context.env.now);
        context.problems.extend(brought_in.err());
        leaving::reopen_guard(context);
    }
    lay_net(context);
    let claimed = context.bound.is_none() && claim(context, source);
    liveness::arrive(context);
    context.notices.extend(health::faults(context));
    let crashed = liveness::put_aside_crashed(&context.layout, context.env.now);
    let takes_up = left_open::take_up(context);
    let mut told_human = context.problems.clone();
    told_human.extend(what_is_off(context, source));
    told_human.extend(alarm::of_earlier_sessions(context));
    let mut told = Vec::new();
    if let Some(bound) = context.bound.clone() {
        if holding::is_open(context) {
            mended::close(context);
        }
        holding::remind(context);
        // A driver's prompt says it all; what a compaction or a resumed session has lost is said again.
        let is_prompted = source == STARTUP && context.state().is_some_and(|state| driven::drives(&state));
        if !is_prompted || holding::is_open(context) {
            told.extend(standing(context, &bound));
        }
        context.log("SessionStart", HookRecord::default().outcome(source));
    }
    if takes_up && let Some(state) = context.state() {
        told_human.extend(text::left_open(&state));
    }
    // After the iteration has begun that is due.
    told_human.extend(hears_of_loops(context, claimed));
    if let Some(waiting) = other_session::begin(context) {
        told.push(waiting.clone());
        told_human.push(waiting);
    }
    let verdict = if told.is_empty() { Verdict::Pass } else { Verdict::Context(told.join("\n\n")) };
    told_human.extend(crashed.iter().map(|id| text::crashed(id)));
    told_human.dedup();
    Answer { verdict, human: (!told_human.is_empty()).then(|| told_human.join("\n")), ..Answer::default() }
}

/// The net under the session's calls is laid while nobody waits.
fn lay_net(context: &HookContext) {
    let root = context.project.root();
    if root.join(".git").exists() || context.layout.root().exists() {
        net::start_ahead(root);
    }
}

/// What the person hears at a session's start of a client that is not known and of a guard that is off.
fn what_is_off(context: &HookContext, source: &str) -> Vec<String> {
    if source != STARTUP {
        return Vec::new();
    }
    let is_off = context.config.detection.mode == Mode::Off;
    let of_mode = is_off.then(|| health_text::DETECTION_OFF.to_owned());
    health::untested_client(context).into_iter().chain(of_mode).collect()
}

/// What the person hears of a loop that this session works for from now on, or of those that it could take up.
fn hears_of_loops(context: &HookContext, claimed: bool) -> Vec<String> {
    if claimed {
        return context.state().iter().map(|state| text::claimed(state)).collect();
    }
    if context.in_explicit_loop() {
        return Vec::new();
    }
    let registry = Registry::read(&context.layout).unwrap_or_default();
    leaving::left(&registry).map(|(id, entry)| text::left(id, entry)).collect()
}

/// Binds a loop to this session: one that was started in a terminal, or that of a session which its client has just
/// cleared. Answers whether there was one.
fn claim(context: &mut HookContext, source: &str) -> bool {
    let Some(session) = context.event.session_id.clone() else { return false };
    // A driver names the loop that its sessions work for.
    let named = (context.env.vars)(driven::LOOP_VARIABLE).filter(|id| !id.is_empty());
    let after_clear = source == leaving::CLEAR;
    let cleared = |registry: &Registry| after_clear.then(|| leaving::cleared(context, registry)).flatten();
    let meant = |registry: &Registry| match &named {
        Some(id) => registry.loops.contains_key(id).then(|| id.clone()),
        None => cleared(registry).or_else(|| registry.unclaimed().map(str::to_owned)),
    };
    let is_live =
        |id: &String| LoopState::read(&context.layout, id).is_ok_and(|state| limits::is_live(&state));
    // No lock is taken where no loop waits.
    let registry = Registry::read(&context.layout).ok();
    if registry.and_then(|registry| meant(&registry)).filter(is_live).is_none() {
        return false;
    }
    let bound = Registry::change(&context.layout, HOOK_WAIT, |registry| {
        // Another session may have been quicker: then this one gets the next loop.
        let id = meant(registry).filter(is_live)?;
        // A driver's own binding stays beside that of the session it has started.
        let driver = driven::session_of(&id);
        registry.sessions.retain(|session, bound| *bound != id || (named.is_some() && *session == driver));
        registry.bind(&session, &id);
        registry.loops.get(&id).cloned().map(|entry| BoundLoop { id, entry })
    });
    context.bound = bound.unwrap_or_else(|error| {
        context.problems.push(error.to_string());
        None
    });
    if context.bound.is_none() {
        return false;
    }
    if named.is_none() {
        context.change_state(Durability::Power, |state| {
            state.session_id = Some(session);
            state.session_left = None;
        });
    }
    true
}
