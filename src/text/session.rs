//! What a session is told about its loop.

use super::{failure, verdicts};
use crate::loops::task_type;
use crate::model::finding::counted;
use crate::state::loop_state::{LONGEST_MINUTES, LoopState, Status};
use crate::state::registry::{Kind, RegistryEntry};
use crate::text::banner::LoopLimit;

/// What the model reads at the beginning of a session or turn of a loop.
pub fn loop_context(state: &LoopState, reminder: Option<&str>) -> String {
    let mut text = format!(
        "Steadfast loop {id}, iteration {n} of {max}.\nTask: {task}\nDone when: {criteria}{place}\n\
         Steadfast runs that itself when a turn ends; a turn that ends before it holds is continued.",
        id = state.loop_id,
        n = state.iteration.max(1),
        max = state.configuration.max_iterations,
        task = state.task,
        criteria = state.completion_criteria,
        place = in_folder(state),
    );
    if let Some(last) = state.iteration_history.last() {
        text.push_str(&format!("\nLast iteration: {}", last.result));
        if !last.learnings.is_empty() {
            text.push_str(&format!("\nLearned: {}", last.learnings));
        }
    }
    if let Some(reminder) = reminder {
        text.push('\n');
        text.push_str(reminder);
    }
    text
}

/// The folder in which the criterion runs, where that is not the project's own.
fn in_folder(state: &LoopState) -> String {
    state.configuration.folder.as_ref().map(|folder| format!(" (in {folder})")).unwrap_or_default()
}

/// What the person reads when a loop has started.
pub fn started(state: &LoopState, continuation_cap: Option<u32>) -> String {
    let mut text = format!(
        "Steadfast loop {id} started: up to {max}, {minutes}, until {criteria}{place}.",
        place = in_folder(state),
        id = state.loop_id,
        max = counted(state.configuration.max_iterations, "iteration"),
        minutes = counted(state.configuration.timeout_minutes.unwrap_or_default(), "minute"),
        criteria = state.completion_criteria,
    );
    if state.kind == Kind::Explicit
        && let Some(cap) = continuation_cap
        && cap < state.configuration.max_iterations
    {
        text.push_str(&format!(
            " This client ends a turn after {cap} continuations; the loop then waits for your next prompt. \
             CLAUDE_CODE_STOP_HOOK_BLOCK_CAP=0 in its environment lifts that."
        ));
    }
    text
}

/// What the person reads when a session takes a loop up.
pub fn claimed(state: &LoopState) -> String {
    format!(
        "Steadfast loop {id} goes on in this session: iteration {n} of {max}, until {criteria}. `steadfast loop pause {id}` \
         puts it aside.",
        id = state.loop_id,
        n = state.iteration.max(1),
        max = state.configuration.max_iterations,
        criteria = state.completion_criteria,
    )
}

/// What the person reads about a loop whose session has ended.
pub fn left(loop_id: &str, entry: &RegistryEntry) -> String {
    format!(
        "Steadfast loop {loop_id} waits at iteration {n} of {max}, since the session that worked on it has ended. \
         `/steadfast:resume {loop_id}` goes on with it here, `steadfast loop resume {loop_id}` in the next session, and \
         `steadfast loop abort {loop_id}` ends it.",
        n = entry.iteration.max(1),
        max = entry.max_iterations,
    )
}

/// What the person reads when a session goes on with what an earlier one left open. A question tells of itself.
pub fn left_open(state: &LoopState) -> Option<String> {
    let open: Vec<_> = state.open_regressions().collect();
    if open.is_empty() || state.open_gate().is_some() {
        return None;
    }
    Some(format!(
        "Steadfast: an earlier session in this project has ended with a loss, and this one goes on with it.\n{}\n\
         `steadfast status --regressions {id}` shows it; `steadfast gate approve REGRESSION` in a terminal accepts it.",
        verdicts::event_lines(&open),
        id = state.loop_id,
    ))
}

/// What the person reads about a loop whose time was over while no session worked for it.
pub fn overdue(state: &LoopState) -> String {
    format!(
        "Steadfast loop {id} has ended: its time ({minutes} min) was over and no session worked for it. \
         `steadfast loop resume {id}` gives it the same time again.",
        id = state.loop_id,
        minutes = state.configuration.timeout_minutes.unwrap_or(LONGEST_MINUTES),
    )
}

/// What the person reads when more was kept than there is room for.
pub fn given_up(checkpoints: usize, before: u64, left: u64, most_mb: u64) -> String {
    let mb = |bytes: u64| bytes.div_ceil(1 << 20);
    let what = match checkpoints {
        0 => "Nothing of that could be given up: it is younger than an hour, tagged, or trees of loops."
            .to_owned(),
        1 => format!("The oldest call's checkpoint was given up; {} MiB are left.", mb(left)),
        n => format!("The {n} oldest calls' checkpoints were given up; {} MiB are left.", mb(left)),
    };
    format!(
        "Steadfast had kept {} MiB for undo, and checkpoints.max_total_mb allows {most_mb} MiB. {what}",
        mb(before)
    )
}

/// What the person reads when a loop stands still.
pub fn waits_for_a_person(state: &LoopState, why: &str) -> String {
    format!(
        "Steadfast loop {id} waits for you at iteration {n} of {max}: {why}. Nothing counts as done. Your next prompt goes \
         on with it; `steadfast loop abort {id}` ends it and keeps the changes.",
        id = state.loop_id,
        n = state.iteration,
        max = state.configuration.max_iterations,
    )
}

/// Whether the hooks act in a loop, and if not, why and what makes them act. `enabled` is the configuration's word.
pub fn hooks_active(state: &LoopState, enabled: bool) -> String {
    let id = &state.loop_id;
    match (state.status, &state.hook_failure) {
        _ if !enabled => "off: agent_persistence.enabled is false in aiwg.yml".to_owned(),
        (Status::Paused, Some(failure)) | (Status::Running, Some(failure)) => {
            format!("active, and changes are held back: {}", failure::aborted(failure))
        }
        (Status::Paused, None) => format!("not active: the loop is paused; `steadfast loop resume {id}`"),
        (Status::Running, None) if state.session_left.is_some() => {
            format!("not active: the loop's session has ended; `steadfast loop resume {id}`")
        }
        (Status::Crashed, _) => format!("not active: the session is gone; `steadfast loop resume {id}`"),
        (Status::Running, None) => match &state.session_id {
            Some(session) => format!("active in session {session}"),
            None => {
                "not active: no session yet; the next that starts in this project claims the loop".to_owned()
            }
        },
        _ if state.kind == Kind::Implicit => "off: the session is over".to_owned(),
        (Status::Failed, _) => format!("off: {}; `steadfast loop resume {id}` goes on", used_up(state)),
        (over, _) => format!("off: the loop is {}", over.name()),
    }
}

/// Which limit a failed loop has reached.
fn used_up(state: &LoopState) -> String {
    let limits = &state.configuration;
    let many = |count: u64, what| counted(usize::try_from(count).unwrap_or(usize::MAX), what);
    match state.ending.as_deref() {
        Some(ended) if ended == LoopLimit::Timeout.name() => {
            let minutes = limits.timeout_minutes.unwrap_or(LONGEST_MINUTES);
            format!("the loop's time of {} is used up", many(minutes, "minute"))
        }
        _ => format!("the limit of {} is reached", many(limits.max_iterations.into(), "iteration")),
    }
}

/// Whether the hooks act in a loop, in one word.
pub fn are_hooks_active(state: &LoopState, enabled: bool) -> bool {
    hooks_active(state, enabled).starts_with("active")
}

/// What a person reads about a loop whose client is gone.
pub fn crashed(loop_id: &str) -> String {
    format!(
        "Steadfast loop {loop_id}: the client that worked on it is gone without a word, so it is put aside as crashed. \
         Its own session goes on with it when it is resumed; `steadfast loop resume {loop_id}` hands it to the next one."
    )
}

/// What a person may want to know before the work begins.
pub fn hints(state: &LoopState) -> Vec<String> {
    let kind = task_type::recognise(&state.task);
    let limit = kind.and_then(|kind| task_type::limit_hint(kind, state.configuration.max_iterations));
    limit.into_iter().chain(task_type::decomposition_hint(&state.task)).collect()
}

/// What the person reads at the end of a turn during which the loop was paused.
pub fn paused_meanwhile(state: &LoopState) -> String {
    let (id, n) = (&state.loop_id, state.iteration);
    format!(
        "Steadfast loop {id}: iteration {n} is recorded, and the loop is paused as you said. `steadfast loop resume {id}` goes on \
         with it."
    )
}

/// What the person reads when the host would not let the loop go on within this turn.
pub fn waits_at_cap(state: &LoopState) -> String {
    format!(
        "Steadfast loop {id}: iteration {n} of {max} is done and the goal is not reached. This client ends a turn after \
         so many continuations, so the loop waits: any prompt goes on with it, here or in a resumed session. \
         CLAUDE_CODE_STOP_HOOK_BLOCK_CAP=0 in the client's environment lifts the limit.",
        id = state.loop_id,
        n = state.iteration,
        max = state.configuration.max_iterations,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::records::HookFailure;
    use jiff::Timestamp;

    #[test]
    fn whether_hooks_are_active_is_said_with_the_reason() {
        let state = |status, session: Option<&str>, failed: bool| LoopState {
            status,
            session_id: session.map(str::to_owned),
            hook_failure: failed.then(HookFailure::default),
            ..LoopState::new("l1", "t", Timestamp::UNIX_EPOCH)
        };
        let rows = [
            (state(Status::Running, Some("s1"), false), true, "active in session s1"),
            (state(Status::Running, Some("s1"), false), false, "off: agent_persistence.enabled"),
            (state(Status::Running, None, false), true, "not active: no session yet"),
            (state(Status::Running, Some("s1"), true), true, "active, and changes are held back"),
            (state(Status::Paused, Some("s1"), false), true, "not active: the loop is paused"),
            (state(Status::Paused, Some("s1"), true), true, "active, and changes are held back"),
            (state(Status::Crashed, Some("s1"), false), true, "not active: the session is gone"),
            (state(Status::Completed, Some("s1"), false), true, "off: the loop is completed"),
            (state(Status::Failed, Some("s1"), false), true, "off: the limit of 10 iterations is reached"),
            (
                LoopState { ending: Some("TIMEOUT".to_owned()), ..state(Status::Failed, None, false) },
                true,
                "off: the loop's time of 60 minutes is used up; `steadfast loop resume l1` goes on",
            ),
            (
                LoopState { kind: Kind::Implicit, ..state(Status::Completed, Some("s1"), false) },
                true,
                "off: the session is over",
            ),
        ];
        for (state, enabled, expected) in rows {
            let said = hooks_active(&state, enabled);
            assert!(said.starts_with(expected), "{said}");
        }
    }
}
