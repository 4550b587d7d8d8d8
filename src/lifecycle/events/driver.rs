//! A loop whose iterations are driven from outside: each is a fresh session, and what ends it is the driver and not a
//! session's own Stop.
//!
//! The driver's steps go through the same hooks as a session's events, so state, gates, limits and log are the same.

use std::time::Instant;

use jiff::Timestamp;

use crate::hosts::PATIENCE;
use crate::lifecycle::context::env::Env;
use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::context::state_change::change_state;
use crate::lifecycle::gate::holding;
use crate::lifecycle::hooks::{post_iteration, pre_iteration};
use crate::lifecycle::iteration::{limits, reflect};
use crate::lifecycle::regression::mended;
use crate::lifecycle::session::driven::HOST_EVENT;
use crate::model::event::{CLAUDE_CODE, Event, EventKind};
use crate::model::verdict::Verdict;
use crate::project::Project;
use crate::state::atomic::Durability;
use crate::state::layout::Layout;
use crate::state::lock::CLI_WAIT;
use crate::state::loop_state::{LoopState, Status};
use crate::state::registry::Registry;
use crate::text::gate as gate_text;
use crate::text::session as text;

pub use crate::lifecycle::session::driven::{DRIVER, LOOP_VARIABLE, session_of};

/// What follows the end of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DriverStep {
    /// Another session, told this.
    GoesOn(String),
    /// The loop is over.
    Over(String),
    /// A person has to decide, or has paused it.
    Waits(String),
}

/// A step, and what the person beside the driver hears of it: alarms, files that were mended, settings that changed.
#[derive(Debug)]
pub struct ReportedStep {
    /// What follows.
    pub step: DriverStep,
    /// Messages for the person, each once.
    pub told: Vec<String>,
}

/// Binds the loop to its driver, and begins its current iteration. Answers what the first session is told, or what a
/// person has to decide before there is one.
pub fn begin(project: &Project, loop_id: &str) -> Result<ReportedStep, String> {
    let layout = Layout::of_project(project.root());
    let session = session_of(loop_id);
    change_state(&layout, loop_id, CLI_WAIT, Durability::Power, Timestamp::now(), |state| {
        state.session_id = Some(session.clone());
        state.continuations = 0;
    })?;
    Registry::change(&layout, CLI_WAIT, |registry| registry.bind(&session, loop_id))
        .map_err(|error| error.to_string())?;
    as_driver(project, loop_id, |context| {
        if holding::is_open(context) {
            // What was put back meanwhile needs no decision.
            mended::close(context);
        }
        if holding::is_open(context) {
            return Ok(DriverStep::Waits(holding::waits(context).human.unwrap_or_default()));
        }
        let number = context.state().map_or(1, |state| limits::current(&state));
        let reminder = pre_iteration::begin(context, number);
        let state = context.state().ok_or("the loop's state can't be read")?;
        let parts: Vec<String> = [reflect::before(context, &state), reminder].into_iter().flatten().collect();
        let told = (!parts.is_empty()).then(|| parts.join("\n"));
        Ok(DriverStep::GoesOn(text::loop_context(&state, told.as_deref())))
    })
}

/// Ends the current iteration with what the session said last.
pub fn end(project: &Project, loop_id: &str, last_message: &str) -> Result<ReportedStep, String> {
    as_driver(project, loop_id, |context| {
        let answer = post_iteration::run(context, last_message);
        let state = LoopState::read(&context.layout, loop_id).map_err(|error| error.to_string())?;
        let told = answer.human.unwrap_or_default();
        Ok(match answer.verdict {
            _ if state.status.is_over() => DriverStep::Over(told),
            Verdict::Continue(text) if state.status == Status::Running => {
                DriverStep::GoesOn(format!("{}\n\n{text}", text::loop_context(&state, None)))
            }
            // A session reads the whole question when it opens, with a code to type there; a driver has no prompt for it.
            _ => DriverStep::Waits(state.open_gate().map_or(told, gate_text::waiting)),
        })
    })
}

/// Does a driver's step in the place of an event of its own.
fn as_driver(
    project: &Project,
    loop_id: &str,
    work: impl FnOnce(&mut HookContext) -> Result<DriverStep, String>,
) -> Result<ReportedStep, String> {
    in_session(project, &session_of(loop_id), |context| {
        let step = work(context)?;
        let critical = context.critical.take().map(|critical| critical.message);
        let mut told: Vec<String> = critical.into_iter().chain(std::mem::take(&mut context.told)).collect();
        told.append(&mut context.notices);
        told.dedup();
        Ok(ReportedStep { step, told })
    })
}

/// Does something for a session in the place of an event of its own.
pub(super) fn in_session<T>(
    project: &Project,
    session: &str,
    work: impl FnOnce(&mut HookContext) -> Result<T, String>,
) -> Result<T, String> {
    let event = Event {
        // What the driver does is told as it always was.
        host: CLAUDE_CODE,
        host_event: HOST_EVENT.to_owned(),
        session_id: Some(session.to_owned()),
        cwd: project.root().to_owned(),
        project_dir: Some(project.root().to_owned()),
        permission_mode: None,
        can_ask: false,
        drops_context: false,
        dialogs_hide_reasons: false,
        headless: true,
        transcript: None,
        continuation_cap: None,
        patience: Some(PATIENCE),
        saw_changes: false,
        agent_id: None,
        kind: EventKind::Other,
    };
    let env = Env {
        started: Instant::now(),
        now: Timestamp::now(),
        home: std::env::var_os("HOME").map(Into::into),
        vars: &|_| None,
        guard: &|_| (),
    };
    work(&mut HookContext::open(&event, &env))
}
