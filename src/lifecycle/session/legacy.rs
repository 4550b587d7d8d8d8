//! `current-loop.json`, the single loop of older versions: brought in once.
//!
//! A file without our loop's id was written by somebody else and is never overwritten before it was brought in. The
//! mirror that is kept from then on is `context/mirror`.

use jiff::Timestamp;

use crate::lifecycle::iteration::limits;
use crate::lifecycle::session::late_baseline;
use crate::project::{Project, exclude_from_git};
use crate::state::atomic::Durability;
use crate::state::audit::Line;
use crate::state::layout::Layout;
use crate::state::lock::{HOOK_WAIT, Lock};
use crate::state::loop_state::LoopState;
use crate::state::registry::{MAX_RUNNING, Registry};
use crate::state::{audit, legacy, loop_id};

/// Makes a loop of a file that is not ours and names a task. An active one waits for the session that will claim it,
/// with a baseline of now; when its time was used up long ago, it begins anew. Returns the loop's id when there was
/// something to bring in. With as many loops as may run, the file stays as it is.
pub fn bring_in(project: &Project, layout: &Layout, now: Timestamp) -> Result<Option<String>, String> {
    let path = layout.current_loop();
    let told = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let foreign = || {
        let file = legacy::read(layout).map_err(|error| told(&error))?;
        Ok::<_, String>(file.filter(|file| file.loop_id.is_none() && !file.task.trim().is_empty()))
    };
    if foreign()?.is_none() {
        return Ok(None);
    }
    // Sessions that start together must not bring it in twice; whoever comes second finds the mark.
    let lock = Lock::take(&path.with_extension("lock"), HOOK_WAIT).map_err(|error| told(&error))?;
    let Some(file) = foreign()?.filter(|_| lock.is_some()) else { return Ok(None) };
    let running = Registry::read(layout).map(|registry| registry.running()).unwrap_or_default();
    if file.active && running >= MAX_RUNNING {
        return Ok(None);
    }
    let id = loop_id::for_task(&file.task, now);
    let mut state = legacy::import(&file, &id, now);
    state.working_directory = project.root().to_string_lossy().into_owned();
    if file.active {
        if limits::time_left(&state, now).is_none() {
            state.started_at = now;
        }
        state.set_level(state.reinforcement_level, "Loop initialization", now);
        late_baseline::begin_baseline(project, layout, &mut state, now)?;
    }
    // A repository whose exclude file can't be written shows .aiwg as untracked, no more.
    exclude_from_git(project.root()).ok();
    state.write(layout, Durability::Power).map_err(|error| error.to_string())?;
    // The mark that it was brought in comes before the loop can be claimed, so it can't be brought in twice.
    legacy::write(layout, &state).map_err(|error| told(&error))?;
    Registry::change(layout, HOOK_WAIT, |registry| {
        registry.loops.insert(id.clone(), state.registry_entry());
    })
    .map_err(|error| error.to_string())?;
    log(layout, &state, now);
    Ok(Some(id))
}

fn log(layout: &Layout, state: &LoopState, now: Timestamp) {
    let line = Line {
        agents_invoked: vec!["progress-tracker".to_owned()],
        outcomes: vec!["brought in from current-loop.json".into()],
        ..Line::new("loop_start", &state.loop_id, state.iteration, now)
    };
    audit::append(&layout.log(&state.loop_id), line).ok();
}
