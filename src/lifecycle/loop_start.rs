//! `loop_start`: a person asks for a loop. Criteria are checked, the baseline is measured, the state begins.

use std::time::Duration;

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use super::baseline::{self, Measuring};
use super::{legacy, measuring, pre_iteration, snapshot};
use crate::checkpoint::tree::Taken;
use crate::config::Config;
use crate::project::{Project, exclude_from_git};
use crate::ralph::criteria::{self, Refused};
use crate::state::atomic::{self, Durability};
use crate::state::audit::{self, Line};
use crate::state::layout::Layout;
use crate::state::lock::CLI_WAIT;
use crate::state::loop_id;
use crate::state::loop_state::{Configuration, LoopState, Status};
use crate::state::registry::{self, Registry};

/// A half-written file that nobody has touched for this long belongs to a dead process.
const LEFTOVER_AGE: Duration = Duration::from_secs(3600);

/// What a person asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// The task, for the agent.
    pub task: String,
    /// The completion criteria.
    pub criteria: String,
    /// The last iteration that may start.
    pub max_iterations: u32,
    /// Minutes after which no iteration starts.
    pub timeout_minutes: u64,
    /// An id of the person's own.
    pub loop_id: Option<String>,
    /// More loops than four side by side.
    pub force: bool,
    /// The session it belongs to; none: the next that starts in the project claims it.
    pub session_id: Option<String>,
}

/// Why a loop does not start.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The criteria can't be verified.
    #[error("{0}")]
    Criteria(Refused),
    /// The id can't be a directory name.
    #[error("{0}")]
    Id(#[from] loop_id::BadLoopId),
    /// The id is taken.
    #[error("a loop {0} exists already; choose another --loop-id")]
    Taken(String),
    /// Too many loops.
    #[error("{0} loops are running in this project already; end one, or use --force")]
    TooMany(usize),
    /// The limits make no sense.
    #[error("{0}")]
    Limits(String),
    /// The state can't be written.
    #[error("{0}")]
    State(String),
}

/// Starts a loop.
pub fn start(
    project: &Project,
    request: &Request,
    measuring: &mut Measuring,
    now: Timestamp,
) -> Result<LoopState, Error> {
    let layout = Layout::of_project(project.root());
    let (config, _) = Config::read(project.root());
    let facts = measuring::known_commands(project.root(), &config);
    let criteria = criteria::parse(&request.criteria, &facts).map_err(Error::Criteria)?;
    if request.max_iterations == 0 || request.timeout_minutes == 0 {
        return Err(Error::Limits("a loop needs at least one iteration and one minute".to_owned()));
    }
    let id = match &request.loop_id {
        Some(id) => {
            loop_id::check(id)?;
            if layout.loop_dir(id).exists() {
                return Err(Error::Taken(id.clone()));
            }
            id.clone()
        }
        None => loop_id::for_task(&request.task, now),
    };
    // An older version's loop comes first; one that can't be read is no reason against a new one.
    legacy::bring_in(project, &layout, now).ok();
    let running = Registry::read(&layout).map(|registry| registry.running()).unwrap_or_default();
    if running >= registry::MAX_RUNNING && !request.force {
        return Err(Error::TooMany(running));
    }
    let mut state = LoopState::new(&id, &request.task, now);
    state.completion_criteria = criteria.text;
    state.session_id.clone_from(&request.session_id);
    state.working_directory = project.root().to_string_lossy().into_owned();
    state.configuration = Configuration {
        max_iterations: request.max_iterations,
        timeout_minutes: Some(request.timeout_minutes),
        extra: Map::new(),
    };
    state.detection_enabled = true;
    state.set_level(state.reinforcement_level, "Loop initialization", now);
    exclude_from_git(project.root()).map_err(|error| Error::State(error.to_string()))?;
    let taken = baseline::take(project, &config, measuring, now);
    state.baseline_metrics = Some(taken.baseline);
    // Bytes first, then the record that names them.
    let kept = snapshot::baseline(project, &state, request.session_id.is_some(), now);
    if let Ok(taken) = &kept {
        let manifest = taken.manifest.strip_prefix(project.root()).unwrap_or(&taken.manifest);
        state.extra.insert("baseline_snapshot".to_owned(), json!(manifest.to_string_lossy()));
    }
    let to_error = |error: String| Error::State(error);
    state.write(&layout, Durability::Power).map_err(|error| to_error(error.to_string()))?;
    taken.watch.write(&layout, &id).map_err(|error| to_error(error.to_string()))?;
    taken.tests.write(&layout, &id).map_err(|error| to_error(error.to_string()))?;
    Registry::change(&layout, CLI_WAIT, |registry| {
        registry.loops.insert(id.clone(), state.registry_entry());
        if let Some(session) = &request.session_id {
            registry.bind(session, &id);
        }
    })
    .map_err(|error| to_error(error.to_string()))?;
    tidy(&layout, now);
    log(&layout, &state, &kept, now);
    legacy::follow(&layout, &state, running + 1);
    Ok(state)
}

/// Gives a loop that has none a baseline of now. Nothing is run: what was measured of this tree before counts.
pub fn begin_baseline(
    project: &Project,
    layout: &Layout,
    state: &mut LoopState,
    now: Timestamp,
) -> Result<(), String> {
    let mut measuring = Measuring { time: Duration::ZERO, say: &mut |_| {} };
    let taken = baseline::take(project, &Config::read(project.root()).0, &mut measuring, now);
    taken.watch.write(layout, &state.loop_id).map_err(|error| error.to_string())?;
    taken.tests.write(layout, &state.loop_id).map_err(|error| error.to_string())?;
    state.baseline_metrics = Some(taken.baseline);
    Ok(())
}

/// Removes what is past its time: log files, and half-written files of processes that were killed. Best effort: the
/// next loop tries again.
fn tidy(layout: &Layout, now: Timestamp) {
    audit::prune_all(&layout.loops(), now).ok();
    atomic::remove_leftovers(layout.root(), LEFTOVER_AGE).ok();
}

fn log(layout: &Layout, state: &LoopState, kept: &Result<Taken, String>, now: Timestamp) {
    let checkpoint = match kept {
        Ok(taken) => json!({
            "checkpoint": taken.checkpoint_id,
            "files": taken.files,
            "bytes": taken.bytes,
            "gaps": snapshot::gaps(taken),
        }),
        Err(problem) => json!({"checkpoint": null, "problem": problem}),
    };
    let line = Line {
        agents_invoked: vec!["progress-tracker".to_owned(), "laziness-detector".to_owned()],
        outcomes: vec![json!({"task": state.task, "completion": state.completion_criteria}), checkpoint],
        state_changes: Map::from_iter([
            ("baseline_metrics".to_owned(), json!(state.baseline_metrics)),
            ("detection_enabled".to_owned(), Value::from(true)),
            ("reinforcement_level".to_owned(), json!(state.reinforcement_level)),
        ]),
        ..Line::new("loop_start", &state.loop_id, 0, now)
    };
    audit::append(&layout.hook_log(&state.loop_id), line).ok();
}

/// Whether a loop may still be claimed or continued.
pub fn is_live(state: &LoopState) -> bool {
    matches!(state.status, Status::Running) && pre_iteration::time_left(state, Timestamp::now()).is_some()
}
