//! The ten hooks of the documents and their order.
//!
//! A host event fires the hooks of the table in `ARCHITECTURE.md`. This room reads and writes state, asks the agents, and
//! returns one answer.
//!
//! Its folders stand in layers, and each names those below it alone: `context` (where an event happens, and its state),
//! `changes`, `call`, `measuring` and `criterion`, `iteration`, `regression`, `ending`, `gate`, `session`, `hooks` (each of
//! the ten is one file; the steps of a long one stand in a folder of its name), `events`.

pub mod call;
pub mod changes;
pub mod context;
pub mod criterion;
pub mod ending;
pub mod events;
pub mod gate;
pub mod hooks;
pub mod iteration;
pub mod measuring;
pub mod regression;
pub mod session;

use std::fs::OpenOptions;
use std::path::Path;

use jiff::Timestamp;

use crate::checkpoint::store::Store;
use crate::config::{self, Config};
use crate::definitions;
use crate::definitions::names::HookName;
use crate::detectors::is_known;
use crate::hosts::Unreadable;
use crate::last_word;
use crate::lifecycle::context::hook_context::{BoundLoop, HookContext};
use crate::model::event::{Event, EventKind};
use crate::model::verdict::{Answer, Verdict};
use crate::project::Project;
use crate::state::loop_state::Status;
use crate::state::own_file;
use crate::text;

pub use crate::lifecycle::context::env::Env;

/// Answers one event.
pub fn handle(event: &Event, env: &Env) -> Answer {
    if matches!(event.kind, EventKind::Other) {
        return Answer::default();
    }
    let mut context = HookContext::open(event, env);
    if session::forged::refuse(&context) {
        return Answer::default();
    }
    hold_what_is_in_force(&mut context);
    if !context.config.enabled {
        return switched_off(event);
    }
    note_presence(&mut context);
    prepare_last_word(&context);
    hear_of_overdue_loops(&mut context);
    if events::ends_calls(&event.kind) {
        changes::net::close_left(&mut context);
    }
    let answer = answered(&mut context);
    let answer = context::failure::follow(&mut context, answer);
    let answer = gate::holding::with_notice(&mut context, answer);
    let answer = context::unsaid::with(&context, answer);
    let answer = context::witnessed::with(&mut context, answer);
    context::notices::with(&mut context, answer)
}

/// The session speaks, so it is not gone; and one that is held to something is watched over.
fn note_presence(context: &mut HookContext) {
    if context.bound.as_ref().is_some_and(|bound| bound.entry.status == Status::Crashed) {
        session::liveness::arrive(context);
    }
    if !matches!(context.event.kind, EventKind::SessionEnd { .. }) {
        session::leaving::come_back(context);
    }
    context::outside::look(context);
    let is_held_to = |bound: &BoundLoop| bound.entry.open_regressions > 0 || bound.entry.gate_open;
    let is_at_stake = context.in_explicit_loop() || context.bound.as_ref().is_some_and(is_held_to);
    if is_at_stake || matches!(context.event.kind, EventKind::PreToolUse(_)) || context.bound.is_some() {
        (context.env.guard)(is_at_stake);
    }
}

/// What the event's own hook answers.
fn answered(context: &mut HookContext) -> Answer {
    match &context.event.kind {
        EventKind::SessionStart { source } => events::session_start::start(context, source),
        EventKind::UserPromptSubmit { prompt } => events::prompt::prompt(context, prompt),
        EventKind::PreToolUse(call) => hooks::pre_tool_call::run(context, call),
        EventKind::PostToolUse { call, output } => {
            call::own_runs::note(context, call, output);
            hooks::post_tool_call::run(context, call, None)
        }
        EventKind::PostToolUseFailure { call, error, .. } => {
            call::own_runs::note(context, call, error);
            hooks::post_tool_call::run(context, call, Some(error))
        }
        EventKind::Stop { last_message, .. } => hooks::post_iteration::run(context, last_message),
        EventKind::SubagentStop { agent_type, .. } => hooks::post_iteration::subagent(context, agent_type),
        EventKind::PreCompact | EventKind::SessionEnd { .. } => events::line::note(context),
        EventKind::Other => Answer::default(),
    }
}

/// Keeps what an event's host had no way to tell its model, for the session's next event.
pub fn keep_unsaid(event: &Event, env: &Env, text: &str) {
    context::unsaid::keep(&HookContext::open(event, env), text);
}

/// Lays the net under a project's calls ahead of them, in a process of its own, where nobody waits: what is past its
/// time goes here, too.
pub fn lay_net_ahead(start: &Path) {
    let project = Project::locate(start);
    let settings = Config::load(&project.root().join(config::FILE)).of_known(is_known);
    if settings.config.enabled {
        let layout = definitions::layout_of(project.root());
        session::tidying::tidy(&layout, Timestamp::now());
        let store = Store::of_project(project.root());
        session::tidying::hold_bound(&layout, &store, &settings.config.checkpoints);
        changes::net::lay_ahead(project.root(), &settings.config);
    }
}

/// What a session begins with holds for it, and what was done to the guard meanwhile is heard.
fn hold_what_is_in_force(context: &mut HookContext) {
    context::standing_guard::keep(context);
    context::in_force::keep(context);
    context::alarm::hear(context);
}

/// Between two turns there is time to end the loops that nobody works for and whose time is over.
fn hear_of_overdue_loops(context: &mut HookContext) {
    if !events::is_between_turns(&context.event.kind) {
        return;
    }
    if context.overdue {
        session::overdue::end_overdue(&context.project, &context.layout, context.env.now);
    }
    context.told.extend(session::overdue::unheard(&context.layout));
}

/// A person hears at the start of a session that nothing is guarded; all else passes without a word.
fn switched_off(event: &Event) -> Answer {
    let begins = matches!(&event.kind, EventKind::SessionStart { source } if source == "startup");
    Answer { human: begins.then(|| crate::text::health::SWITCHED_OFF.to_owned()), ..Answer::default() }
}

/// What happens if this process dies or hangs: it is cut off at the hook's time limit, and the log says so. Of a call's
/// hooks that limit is for their own work: the same call is judged alike on a busy machine, and git, which may have to
/// look through a large repository, is waited for as long as the host waits.
fn prepare_last_word(context: &HookContext) {
    let hook = match &context.event.kind {
        EventKind::PreToolUse(_) => HookName::PreToolCall,
        EventKind::PostToolUse { .. } | EventKind::PostToolUseFailure { .. } => HookName::PostToolCall,
        EventKind::Stop { .. } => HookName::PostIteration,
        _ => HookName::PreIteration,
    };
    // The agent waits for these. An end of a turn runs the project's tests and sets its own limit; what begins a loop
    // keeps the limit of the process.
    if matches!(hook, HookName::PreToolCall | HookName::PostToolCall) {
        let limit = context.definitions().definitions.execution.timeout(hook);
        last_word::set_work(limit);
        last_word::set_deadline(context.event.patience);
    }
    let Some(bound) = &context.bound else { return };
    let Ok(file) = own_file::regular(OpenOptions::new().append(true), &context.layout.hook_log(&bound.id))
    else {
        return;
    };
    let before = format!(
        r#"{{"timestamp":"{}","hook_name":"{}","loop_id":"{}","iteration":{},"agents_invoked":[],"outcomes":["died: "#,
        context.env.now,
        hook.name(),
        bound.id,
        bound.entry.iteration
    );
    let after = "\"],\"state_changes\":{},\"duration_ms\":0,\"seq\":0,\"prev_hash\":\"\"}\n";
    last_word::set_log(file, before.into_bytes(), after.as_bytes().to_vec());
}

/// Answers an event of which only its host's name is known. It can't be matched with a session, so it is let through:
/// a guard that asks about what it can't read would ask about everything a newer client sends. One that is too large is
/// no newer client's: a call is asked about, and of any other event the person hears it.
pub fn handle_unread(why: &Unreadable, before_call: bool) -> Answer {
    match why {
        Unreadable::TooLarge { limit } if before_call => {
            Verdict::Ask(text::verdicts::too_large(*limit)).into()
        }
        Unreadable::TooLarge { limit } => {
            Answer { human: Some(text::verdicts::not_looked_at(*limit)), ..Answer::default() }
        }
        Unreadable::Empty | Unreadable::NotJson(_) | Unreadable::NotAnObject => Answer::default(),
    }
}
