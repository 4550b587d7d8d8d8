//! A session without a loop of a person's gets one of its own when it first makes a call that may change files.

use std::path::PathBuf;
use std::time::Duration;

use jiff::Timestamp;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::config;
use crate::definitions::names::HookName;
use crate::lifecycle::changes::untracked_changes;
use crate::lifecycle::context::hook_context::{BoundLoop, HookContext};
use crate::lifecycle::context::in_force;
use crate::lifecycle::context::log::HookRecord;
use crate::lifecycle::session::liveness;
use crate::project::exclude_from_git;
use crate::state::atomic::Durability;
use crate::state::layout::Layout;
use crate::state::lock::{HOOK_WAIT, Lock};
use crate::state::loop_id;
use crate::state::loop_state::LoopState;
use crate::state::records::Baseline;
use crate::state::registry::{Kind, Registry};

/// How long a call waits for another one that opens the session's loop. It is less than [`HOOK_WAIT`]: a process that
/// waited here in vain still waits for the locks of what it writes.
const OPENING_WAIT: Duration = Duration::from_secs(3);

/// The session's loop; one is opened when there is none. `None` when the state can't be written: the guard then
/// judges without remembering.
pub fn ensure_loop(context: &mut HookContext) -> Option<BoundLoop> {
    if context.bound.is_none() {
        let session = context.event.session_id.as_deref()?;
        // Of several first calls of a session at once one opens the loop, and the others wait for it.
        let lock = Lock::take(&opening_lock(&context.layout, session), OPENING_WAIT);
        context.bound = opened_meanwhile(context, session);
        if context.bound.is_none()
            && let Err(problem) = open(context, session)
        {
            context.not_recorded(problem);
        }
        drop(lock);
    }
    context.bound.clone()
}

/// The lock under which a session opens its loop: while git is asked for it, other sessions don't wait. One of sixteen,
/// so that the files stay few.
fn opening_lock(layout: &Layout, session: &str) -> PathBuf {
    let place = Sha256::digest(session).first().map_or(0, |byte| byte >> 4);
    layout.root().join(format!("opening-{place:x}.lock"))
}

/// The loop that another call of the session has opened since this one began.
fn opened_meanwhile(context: &HookContext, session: &str) -> Option<BoundLoop> {
    let registry = Registry::read(&context.layout).ok()?;
    let (id, entry) = registry.of_session(Some(session))?;
    Some(BoundLoop { id: id.to_owned(), entry: entry.clone() })
}

/// Forgets the sessions that are long over: those that found nothing after a day, the others with their logs.
pub fn tidy(layout: &Layout, now: Timestamp) {
    let is_due =
        |mut registry: Registry| registry.take_in_unlisted(layout) || !registry.prune(now).is_empty();
    if Registry::read(layout).is_ok_and(is_due) {
        // One that can't be tidied now is tidied later.
        let pruned = Registry::change(layout, HOOK_WAIT, |registry| {
            registry.take_in_unlisted(layout);
            registry.prune(now)
        });
        forget(layout, &pruned.unwrap_or_default());
    }
}

fn forget(layout: &Layout, pruned: &[String]) {
    for old in pruned {
        std::fs::remove_dir_all(layout.loop_dir(old)).ok();
    }
}

/// The state of a session that is guarded from now on.
fn begun(context: &HookContext, id: &str, session: &str) -> LoopState {
    let now = context.env.now;
    let mut state = LoopState::new(id, "guarded session", now);
    state.kind = Kind::Implicit;
    state.session_id = Some(session.to_owned());
    state.iteration = 1;
    state.iteration_count = 1;
    state.detection_enabled = context.config.detection.mode != config::Mode::Off;
    state.working_directory = context.project.root().to_string_lossy().into_owned();
    state.baseline_metrics = Some(Baseline {
        captured_at: now,
        unavailable: Map::from_iter([
            ("test_count".to_owned(), Value::from("a guarded session counts no tests at its start")),
            ("coverage_percentage".to_owned(), Value::from("no coverage was measured")),
        ]),
        ..Baseline::default()
    });
    state.set_level(state.reinforcement_level, "Loop initialization", now);
    state
}

fn open(context: &mut HookContext, session: &str) -> Result<(), String> {
    let now = context.env.now;
    let id = loop_id::for_session(session, now);
    let state = begun(context, &id, session);
    // A repository whose exclude file can't be written shows .aiwg as untracked, no more.
    exclude_from_git(context.project.root()).ok();
    state.write(&context.layout, Durability::Process).map_err(|error| error.to_string())?;
    let entry = state.registry_entry();
    let pruned = Registry::change(&context.layout, HOOK_WAIT, |registry| {
        registry.loops.insert(id.clone(), entry.clone());
        registry.bind(session, &id);
        registry.prune(now)
    })
    .map_err(|error| error.to_string())?;
    forget(&context.layout, &pruned);
    if let Some(parent) = liveness::Worker::parent() {
        // Without it a long silence tells that the session is gone.
        liveness::note(&context.layout, &id, &parent).ok();
    }
    in_force::begin(context, &id);
    let gap = untracked_changes::begin(context, &id);
    context.problems.extend(gap);
    context.bound = Some(BoundLoop { id, entry });
    let heard = context.ask(HookName::LoopStart, &context.facts(), &Map::new());
    context.log("loop_start", HookRecord::default().outcome("guarded session").heard(&heard));
    Ok(())
}
