//! Whether the process that works for a loop is still there.
//!
//! A client that ends well says so, and its loop then waits. One that is gone without a word has crashed: its loop is
//! put aside as `crashed`, with everything that it has done, and can be resumed. No other session is caught by it.

use jiff::{SignedDuration, Timestamp};
use rustix::process::{Pid, getppid, test_kill_process};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::scene::{Record, Scene, change_state};
use crate::state::atomic::Durability;
use crate::state::audit::{self, Line};
use crate::state::layout::Layout;
use crate::state::lock::HOOK_WAIT;
use crate::state::loop_state::{LoopState, Status};
use crate::state::registry::{Kind, Registry};

/// The key of the state under which the process is noted.
pub const KEY: &str = "worker";
/// A heart that has not beaten for this long has stopped.
const STALE: SignedDuration = SignedDuration::from_secs(300);

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

/// The process that a loop's state names.
pub fn worker(state: &LoopState) -> Option<Worker> {
    serde_json::from_value(state.extra.get(KEY)?.clone()).ok()
}

/// Notes the session's client in its loop, and lets a loop that its client's death had put aside go on with it.
pub fn arrive(scene: &mut Scene) {
    let Some(bound) = scene.bound.clone().filter(|bound| bound.entry.kind == Kind::Explicit) else { return };
    let (Some(state), Some(parent)) = (scene.state(), Worker::parent()) else { return };
    let crashed = bound.entry.status == Status::Crashed;
    if super::outside::drives(&state) || (!crashed && worker(&state).as_ref() == Some(&parent)) {
        return;
    }
    scene.change_state(Durability::Process, |state| {
        state.extra.insert(KEY.to_owned(), json!(parent));
        if state.status == Status::Crashed {
            state.status = Status::Running;
        }
    });
    if crashed {
        scene.log(
            "SessionStart",
            Record::default().outcome("goes on after a crash").change("status", "running"),
        );
    }
}

/// The session ends well: its loop waits for the next prompt, here or in the resumed session.
pub fn leave(scene: &mut Scene) {
    if scene.state().is_some_and(|state| !super::outside::drives(&state) && worker(&state).is_some()) {
        scene.change_state(Durability::Process, |state| state.extra.remove(KEY));
    }
}

/// Puts the loops aside whose process is gone; answers their ids.
pub fn sweep(layout: &Layout, now: Timestamp) -> Vec<String> {
    let Ok(registry) = Registry::read(layout) else { return Vec::new() };
    let running = registry
        .loops
        .iter()
        .filter(|(_, entry)| entry.kind == Kind::Explicit && entry.status == Status::Running);
    let dead = running.filter(|(id, _)| {
        let state = LoopState::read(layout, id);
        state.is_ok_and(|state| worker(&state).is_some_and(|worker| worker.is_dead(now)))
    });
    dead.filter(|(id, _)| put_aside(layout, id, now)).map(|(id, _)| id.clone()).collect()
}

fn put_aside(layout: &Layout, id: &str, now: Timestamp) -> bool {
    let changed = change_state(layout, id, HOOK_WAIT, Durability::Power, now, |state| {
        let dead = worker(state).is_some_and(|worker| worker.is_dead(now));
        let crashes = dead && state.status == Status::Running;
        if crashes {
            state.status = Status::Crashed;
        }
        (crashes, state.iteration)
    });
    let Ok((true, iteration)) = changed.map(|changed| changed.value) else { return false };
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
