//! A loop goes on: paused, after a crash, or at a limit that a person raises. Iterations, learnings and the best are
//! kept, and numbering continues.

use jiff::Timestamp;

use crate::lifecycle::context::state_change::change_state;
use crate::lifecycle::iteration::limits::{raised, time_left};
use crate::lifecycle::session::{late_baseline, liveness};
use crate::model::finding::counted;
use crate::project::Project;
use crate::state::atomic::Durability;
use crate::state::layout::Layout;
use crate::state::lock::CLI_WAIT;
use crate::state::loop_state::{LONGEST_MINUTES, LoopState, MOST_ITERATIONS, Status};
use crate::state::registry::{MAX_RUNNING, Registry, RegistryEntry};

/// New limits, by a person.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NewLimits {
    /// The last iteration that may start.
    pub max_iterations: Option<u32>,
    /// Minutes from now.
    pub timeout_minutes: Option<u64>,
}

/// Whether a loop can go on: nobody works for it, and it may still reach its goal.
pub fn is_resumable(entry: &RegistryEntry) -> bool {
    let stopped = matches!(entry.status, Status::Paused | Status::Crashed | Status::Failed);
    stopped || (entry.status == Status::Running && entry.left)
}

/// Lets a loop go on, in `session` or in the next that starts. Answers its limit of iterations.
pub fn resume(
    project: &Project,
    layout: &Layout,
    id: &str,
    limits: NewLimits,
    session: Option<&str>,
) -> Result<u32, String> {
    let now = Timestamp::now();
    let registry = Registry::read(layout).map_err(|error| error.to_string())?;
    let holds_a_place =
        registry.loops.get(id).is_some_and(|entry| matches!(entry.status, Status::Paused | Status::Running));
    if !holds_a_place && registry.running() >= MAX_RUNNING {
        return Err(format!("{MAX_RUNNING} loops are running in this project already; end one first"));
    }
    let changed = change_state(layout, id, CLI_WAIT, Durability::Power, now, |state| {
        let max = take_up(project, layout, state, limits, now)?;
        state.session_id = session.map(str::to_owned);
        Ok::<_, String>(max)
    })?;
    let max = changed.value?;
    liveness::forget(layout, id);
    Registry::change(layout, CLI_WAIT, |registry| {
        registry.release(id);
        if let Some(session) = session {
            registry.bind(session, id);
        }
    })
    .map_err(|error| error.to_string())?;
    Ok(max)
}

/// Lets the state of a loop go on within its limits, old or new. Answers its limit of iterations.
fn take_up(
    project: &Project,
    layout: &Layout,
    state: &mut LoopState,
    limits: NewLimits,
    now: Timestamp,
) -> Result<u32, String> {
    refuse_where_nothing_goes_on(state)?;
    if limits.timeout_minutes == Some(0) {
        return Err("a loop needs at least one minute".to_owned());
    }
    let done = state.iteration_history.last().map_or(0, |record| record.iteration);
    let max = limits.max_iterations.unwrap_or(state.configuration.max_iterations).min(MOST_ITERATIONS);
    let max = match limits.max_iterations {
        // Going on from here means some more where a limit was reached, as its banner offers.
        None if done >= max => raised(max),
        _ => max,
    };
    if done >= max {
        return Err(format!(
            "loop {} has used its {}: give a higher --max-iterations, at most {MOST_ITERATIONS}",
            state.loop_id,
            counted(done, "iteration")
        ));
    }
    give_time(state, limits, now);
    state.configuration.max_iterations = max;
    let remeasure = state.remeasure_on_resume.take().is_some();
    if remeasure || state.baseline_metrics.is_none() {
        // It was begun without persistence, or a person mended it: what is there now is what must not be lost.
        late_baseline::begin_baseline(project, layout, state, now)?;
    }
    state.status = Status::Running;
    state.session_left = None;
    state.completed_at = None;
    state.detection_enabled = true;
    state.continuations = 0;
    state.hook_failure = None;
    Ok(max)
}

/// The time that was asked for, counted from now; where none was and it is over, the same time again.
fn give_time(state: &mut LoopState, limits: NewLimits, now: Timestamp) {
    if let Some(minutes) = limits.timeout_minutes {
        state.configuration.timeout_minutes = Some(minutes.min(LONGEST_MINUTES));
        state.timeout_counts_from = Some(now);
    }
    if time_left(state, now).is_none() {
        state.timeout_counts_from = Some(now);
    }
}

/// Says why a loop can't go on: it has reached its goal, a person has ended it, or a session works for it.
fn refuse_where_nothing_goes_on(state: &LoopState) -> Result<(), String> {
    let id = &state.loop_id;
    if is_resumable(&state.registry_entry()) {
        return Ok(());
    }
    Err(match (state.status, &state.session_id) {
        (Status::Running, Some(session)) => format!(
            "loop {id} is running in session {session}; `steadfast loop pause {id}` first, then resume hands it to the next"
        ),
        (Status::Running, None) => {
            format!("loop {id} waits for the next session that starts in this project already")
        }
        (status, _) => format!("loop {id} is {} and can't be resumed", status.name()),
    })
}
