//! Whether the process that works for a loop is still there.
//!
//! A client that ends well says so, and its loop then waits. One that is gone without a word has crashed: its loop is
//! put aside as `crashed`, with everything that it has done, and can be resumed. No other session is caught by it.

use std::io;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use rustix::process::{Pid, getppid, test_kill_process};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::context::log::HookRecord;
use crate::lifecycle::context::state_change::change_state;
use crate::state::atomic::Durability;
use crate::state::audit::Line;
use crate::state::layout::Layout;
use crate::state::lock::HOOK_WAIT;
use crate::state::loop_state::Status;
use crate::state::own_file;
use crate::state::registry::{Kind, Registry, RegistryEntry};
use crate::state::{atomic, audit};

/// The file beside the state in which the process is noted: it comes and goes more often than the loop changes.
const FILE: &str = "worker.json";
/// The file in which a driver notes the session that it has started: it outlives a driver that is killed.
const AGENT_FILE: &str = "agent.json";
/// A heart that has not beaten for this long has stopped.
const STALE: SignedDuration = SignedDuration::from_secs(300);
/// How long a session may be quiet whose process nobody knows, as after one that ended well and was not resumed.
const SILENCE: Duration = Duration::from_secs(6 * 60 * 60);

/// The process that works for a loop.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Worker {
    /// Its number.
    pub pid: u32,
    /// When it began, in the system's own count, so that a number that is used again is another process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub began: Option<u64>,
    /// When it last said that it is there; only drivers do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heartbeat: Option<Timestamp>,
}

impl Worker {
    /// The process that has started this one: a hook's client.
    pub fn parent() -> Option<Worker> {
        Worker::of(u32::try_from(getppid()?.as_raw_nonzero().get()).ok()?)
    }

    /// This process.
    pub fn myself(now: Timestamp) -> Option<Worker> {
        Worker::of(std::process::id()).map(|worker| Worker { heartbeat: Some(now), ..worker })
    }

    fn of(pid: u32) -> Option<Worker> {
        // Number 1 adopts what has lost its parent.
        (pid > 1).then(|| Worker { pid, began: began(pid), heartbeat: None })
    }

    /// Whether it is gone, or has not been heard of for too long.
    pub fn is_dead(&self, now: Timestamp) -> bool {
        let gone = i32::try_from(self.pid)
            .ok()
            .and_then(Pid::from_raw)
            .is_none_or(|pid| test_kill_process(pid).is_err_and(|error| error == rustix::io::Errno::SRCH));
        let replaced = self.began.is_some() && began(self.pid) != self.began;
        gone || replaced || self.heartbeat.is_some_and(|beat| now.duration_since(beat) > STALE)
    }
}

/// A process's start, where the system tells.
fn began(pid: u32) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name in brackets may hold anything; a zombie has ended.
    let rest = text.rsplit_once(')')?.1;
    let mut fields = rest.split_whitespace();
    let state = fields.next()?;
    (state != "Z").then(|| fields.nth(18)?.parse().ok()).flatten()
}

/// The process that works for a loop, as far as one has said so.
pub fn worker(layout: &Layout, loop_id: &str) -> Option<Worker> {
    serde_json::from_slice(&own_file::read(&layout.loop_dir(loop_id).join(FILE)).ok()?).ok()
}

/// Notes the process that works for a loop.
pub fn note(layout: &Layout, loop_id: &str, worker: &Worker) -> io::Result<()> {
    atomic::write(&layout.loop_dir(loop_id).join(FILE), &serde_json::to_vec(worker)?, Durability::Process)
}

/// Nobody works for the loop, and that is as it should be.
pub fn forget(layout: &Layout, loop_id: &str) {
    std::fs::remove_file(layout.loop_dir(loop_id).join(FILE)).ok();
}

/// Notes the process of a driver's session, which leads a group of its own.
pub fn note_agent(layout: &Layout, loop_id: &str, pid: u32) -> io::Result<()> {
    let Some(agent) = Worker::of(pid) else { return Ok(()) };
    atomic::write(
        &layout.loop_dir(loop_id).join(AGENT_FILE),
        &serde_json::to_vec(&agent)?,
        Durability::Process,
    )
}

/// A driver's session has ended.
pub fn forget_agent(layout: &Layout, loop_id: &str) {
    std::fs::remove_file(layout.loop_dir(loop_id).join(AGENT_FILE)).ok();
}

/// The process of a session that its driver left behind, as when it was killed.
pub fn agent_left_behind(layout: &Layout, loop_id: &str, now: Timestamp) -> Option<Pid> {
    let noted = own_file::read(&layout.loop_dir(loop_id).join(AGENT_FILE)).ok()?;
    let agent: Worker = serde_json::from_slice(&noted).ok()?;
    // Without its beginning the number may be anybody's by now.
    let known = agent.began.is_some() && !agent.is_dead(now);
    Pid::from_raw(i32::try_from(agent.pid).ok().filter(|_| known)?)
}

/// Notes the session's client for its loop, and lets a loop that its client's death had put aside go on with it.
pub fn arrive(context: &mut HookContext) {
    let Some(bound) = context.bound.clone() else { return };
    let Some(parent) = Worker::parent().filter(|_| !is_driven(context)) else { return };
    let known = worker(&context.layout, &bound.id).as_ref() == Some(&parent);
    if !known && let Err(error) = note(&context.layout, &bound.id, &parent) {
        context.problems.push(error.to_string());
    }
    if bound.entry.status == Status::Crashed {
        context.change_state(Durability::Process, |state| {
            if state.status == Status::Crashed {
                state.status = Status::Running;
            }
        });
        context.log(
            "SessionStart",
            HookRecord::default().outcome("goes on after a crash").change("status", "running"),
        );
    }
}

/// Whether a driver works for the session's loop.
pub(crate) fn is_driven(context: &HookContext) -> bool {
    context.state().is_none_or(|state| crate::lifecycle::session::driven::drives(&state))
}

/// Puts the loops aside whose process is gone; answers the ids of those that a person started. A session's own guard
/// loop is over then, or waits for the answer to what a person was asked in it.
pub fn put_aside_crashed(layout: &Layout, now: Timestamp) -> Vec<String> {
    let Ok(registry) = Registry::read(layout) else { return Vec::new() };
    let bound = |id: &str| registry.sessions.values().any(|bound| bound == id);
    let mut crashed = Vec::new();
    for (id, entry) in registry.loops.iter().filter(|(_, entry)| !entry.status.is_over()) {
        let answered = entry.left && !entry.gate_open;
        match entry.kind {
            Kind::Implicit if answered || is_gone(layout, id, entry, bound(id), now) => {
                close_guard(layout, id, "its client is gone", now);
            }
            Kind::Explicit if is_gone(layout, id, entry, bound(id), now) && put_aside(layout, id, now) => {
                crashed.push(id.clone());
            }
            _ => {}
        }
    }
    crashed
}

/// The open loops whose process is gone: those that [`put_aside_crashed`] would put aside.
pub fn gone(layout: &Layout, now: Timestamp) -> Vec<String> {
    let Ok(registry) = Registry::read(layout) else { return Vec::new() };
    let bound = |id: &str| registry.sessions.values().any(|bound| bound == id);
    let open = registry.loops.iter().filter(|(_, entry)| !entry.status.is_over());
    open.filter(|(id, entry)| is_gone(layout, id, entry, bound(id), now)).map(|(id, _)| id.clone()).collect()
}

/// Whether nobody works for a running loop any more. One that waits for its first session is not gone.
fn is_gone(layout: &Layout, id: &str, entry: &RegistryEntry, bound: bool, now: Timestamp) -> bool {
    // Every event of a session leaves a line, so the log is its heartbeat.
    let quiet = || bound && age(layout, id).is_some_and(|age| age >= SILENCE);
    entry.status == Status::Running
        && match worker(layout, id) {
            Some(worker) if !entry.left => worker.is_dead(now),
            Some(worker) => worker.is_dead(now) || quiet(),
            None => quiet(),
        }
}

/// Ends the guard loop of a session that is gone. While a person is asked in it, it waits for the answer.
pub fn close_guard(layout: &Layout, id: &str, reason: &str, now: Timestamp) {
    let changed = change_state(layout, id, HOOK_WAIT, Durability::Process, now, |state| {
        let waits = state.open_gate().is_some();
        state.session_left = Some(reason.to_owned());
        state.status = if waits { Status::Paused } else { Status::Completed };
        state.completed_at = (!waits).then_some(now);
    });
    let Ok(changed) = changed else { return };
    forget(layout, id);
    let line = Line {
        outcomes: vec![format!("its session has ended: {reason}").into()],
        state_changes: serde_json::Map::from_iter([("status".to_owned(), json!(changed.entry.status))]),
        ..Line::new("SessionEnd", id, changed.entry.iteration, now)
    };
    audit::append(&layout.log(id), line).ok();
}

fn age(layout: &Layout, id: &str) -> Option<Duration> {
    std::fs::metadata(layout.hook_log(id)).ok()?.modified().ok()?.elapsed().ok()
}

fn put_aside(layout: &Layout, id: &str, now: Timestamp) -> bool {
    let changed = change_state(layout, id, HOOK_WAIT, Durability::Power, now, |state| {
        // It may have been heard of since.
        let alive = worker(layout, id).is_some_and(|worker| !worker.is_dead(now));
        let back = alive && state.session_left.is_none();
        let crashes = !back && state.status == Status::Running;
        if crashes {
            state.status = Status::Crashed;
        }
        (crashes, state.iteration)
    });
    let Ok((true, iteration)) = changed.map(|changed| changed.value) else { return false };
    forget(layout, id);
    let line = Line {
        outcomes: vec!["the process that worked for this loop is gone".into()],
        state_changes: serde_json::Map::from_iter([("status".to_owned(), json!(Status::Crashed))]),
        ..Line::new("on_error", id, iteration, now)
    };
    audit::append(&layout.log(id), line).ok();
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn a_process_is_known_by_its_number_and_its_beginning() {
        let now = Timestamp::now();
        let me = Worker::myself(now).unwrap();
        assert!(!me.is_dead(now));
        assert!(me.is_dead(now + SignedDuration::from_secs(301)), "no heartbeat");
        assert!(!Worker { heartbeat: None, ..me.clone() }.is_dead(now + SignedDuration::from_hours(9)));
        assert!(Worker { began: Some(1), ..me }.is_dead(now), "another process has its number");
        let mut child = Command::new("true").spawn().unwrap();
        let gone = Worker::of(child.id()).unwrap();
        child.wait().unwrap();
        assert!(gone.is_dead(now));
        assert_eq!(Worker::of(1), None);
    }
}
