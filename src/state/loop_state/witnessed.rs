//! One loop as the witness outside of the project has it: what must not be forgotten, without its history.

use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::LoopState;
use super::limits::Progress;
use crate::state::layout::Layout;
use crate::state::own_file::FileIdentity;
use crate::state::status::Status;
use crate::state::witness;

thread_local! {
    /// The witness that was read last, and how its file looked.
    static READ: RefCell<Option<(PathBuf, FileIdentity, Rc<LoopState>)>> = const { RefCell::new(None) };
}

/// Writes down what the state is about to say, when that is something else than before. A witness that can't be written
/// is none; the state counts.
pub(super) fn note(layout: &Layout, state: &LoopState) {
    let Some(witness) = layout.witness() else { return };
    let path = witness.loop_file(&state.loop_id);
    if is_settled(state) {
        fs::remove_file(path).ok();
        witness.forget_copies(&state.loop_id);
        return;
    }
    if !read(&path).is_some_and(|known| same(&known, state)) {
        witness::write(&path, &gist(state)).ok();
    }
}

/// Whether a loop is over and nothing in it is open: nothing of it must not be forgotten.
pub(super) fn is_settled(state: &LoopState) -> bool {
    state.status.is_over() && state.open_regressions().next().is_none() && state.open_gate().is_none()
}

/// What the witness knows of a loop.
pub(super) fn known(layout: &Layout, loop_id: &str) -> Option<Rc<LoopState>> {
    read(&layout.witness()?.loop_file(loop_id)).filter(|known| known.loop_id == loop_id)
}

/// How the witness of a loop looks, where there is one.
pub(super) fn look(layout: &Layout, loop_id: &str) -> Option<FileIdentity> {
    FileIdentity::at(&layout.witness()?.loop_file(loop_id))
}

fn read(path: &Path) -> Option<Rc<LoopState>> {
    let look = FileIdentity::at(path)?;
    let known = READ.with_borrow(|read| {
        let read = read.as_ref().filter(|(of, was, _)| of == path && *was == look);
        read.map(|(_, _, state)| Rc::clone(state))
    });
    known.or_else(|| {
        let state: Rc<LoopState> = Rc::new(witness::read(path)?);
        READ.set(Some((path.to_owned(), look, Rc::clone(&state))));
        Some(state)
    })
}

/// The state with what the witness knows and it does not say; the text names what that was.
pub(super) fn complete(layout: &Layout, state: Rc<LoopState>) -> (Rc<LoopState>, Option<String>) {
    let Some(known) = known(layout, &state.loop_id) else { return (state, None) };
    let mut lost = Vec::new();
    let mut whole = None;
    for event in &known.regression_events {
        if !state.open_regressions().any(|open| open.event_id == event.event_id) {
            let whole = whole.get_or_insert_with(|| LoopState::clone(&state));
            lost.push(format!(
                "the open regression {}",
                event.display_id.as_deref().unwrap_or(&event.event_id)
            ));
            whole.regression_events.retain(|other| other.event_id != event.event_id);
            whole.regression_events.push(event.clone());
        }
    }
    for gate in &known.human_gates {
        if !state.human_gates.iter().any(|open| open.is_open() && open.gate_id == gate.gate_id) {
            let whole = whole.get_or_insert_with(|| LoopState::clone(&state));
            lost.push(format!("the open question {}", gate.gate_id));
            whole.human_gates.retain(|other| other.gate_id != gate.gate_id);
            whole.human_gates.push(gate.clone());
        }
    }
    if known.status == Status::Running && (state.status.is_over() || state.status == Status::Paused) {
        lost.push("that it runs".to_owned());
        whole.get_or_insert_with(|| LoopState::clone(&state)).status = known.status;
    }
    if state.iteration < known.iteration {
        lost.push(format!("its iteration {}", known.iteration));
        let whole = whole.get_or_insert_with(|| LoopState::clone(&state));
        (whole.iteration, whole.iteration_count) = (known.iteration, known.iteration);
    }
    if known.detection_enabled && !state.detection_enabled {
        lost.push("that detection is on".to_owned());
        whole.get_or_insert_with(|| LoopState::clone(&state)).detection_enabled = true;
    }
    let Some(mut whole) = whole else { return (state, None) };
    whole.note_regressions();
    (Rc::new(whole), Some(lost.join(", ")))
}

/// What of a state must not be forgotten.
fn gist(state: &LoopState) -> LoopState {
    let recoveries = state.recovery_history.iter().rev().take(5).rev().cloned();
    LoopState {
        version: state.version.clone(),
        loop_id: state.loop_id.clone(),
        status: state.status,
        kind: state.kind,
        session_id: state.session_id.clone(),
        iteration: state.iteration,
        iteration_count: state.iteration_count,
        task: state.task.clone(),
        completion_criteria: state.completion_criteria.clone(),
        started_at: state.started_at,
        last_updated: state.last_updated,
        working_directory: state.working_directory.clone(),
        configuration: state.configuration.clone(),
        progress: Progress { completion_checks: Vec::new(), ..state.progress.clone() },
        baseline_metrics: state.baseline_metrics.clone(),
        baseline_snapshot: state.baseline_snapshot.clone(),
        regression_events: state.open_regressions().cloned().collect(),
        regression_detected: state.regression_detected,
        reinforcement_level: state.reinforcement_level,
        recovery_in_progress: state.recovery_in_progress,
        recovery_history: recoveries.collect(),
        hook_failure: state.hook_failure.clone(),
        human_gates: state.human_gates.iter().filter(|gate| gate.is_open()).cloned().collect(),
        detection_enabled: state.detection_enabled,
        ..LoopState::default()
    }
}

/// Whether two states say the same of what [`complete`] looks at, and of who works for the loop.
fn same(a: &LoopState, b: &LoopState) -> bool {
    let key = |state: &LoopState| {
        let regressions: Vec<_> = state.open_regressions().map(|event| event.event_id.clone()).collect();
        let gates = state.human_gates.iter().filter(|gate| gate.is_open());
        let gates: Vec<_> = gates.map(|gate| (gate.gate_id.clone(), gate.code.clone())).collect();
        (state.status, state.session_id.clone(), state.iteration, state.detection_enabled, regressions, gates)
    };
    key(a) == key(b) && a.hook_failure == b.hook_failure && a.configuration == b.configuration
}
