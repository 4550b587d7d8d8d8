//! `loop_start`: a person asks for a loop. Criteria are checked, the baseline is measured, the state begins.

use std::time::Duration;

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use crate::agents::laziness_detector;
use crate::checkpoint::tree::Taken;
use crate::config::{Config, Mode};
use crate::definitions::model::Definitions;
use crate::definitions::names::{Agent, HookName};
use crate::last_word;
use crate::lifecycle::context::agent_messages;
use crate::lifecycle::context::agent_messages::Heard;
use crate::lifecycle::context::failure;
use crate::lifecycle::criterion::completion;
use crate::lifecycle::criterion::dependencies::{Bounds, Installed};
use crate::lifecycle::criterion::loop_contract::LoopContract;
use crate::lifecycle::hooks::loop_complete;
use crate::lifecycle::hooks::loop_complete::Ending;
use crate::lifecycle::hooks::pre_iteration;
use crate::lifecycle::iteration::{commit, snapshot};
use crate::lifecycle::measuring::baseline;
use crate::lifecycle::measuring::baseline::Measuring;
use crate::lifecycle::measuring::measure;
use crate::lifecycle::session::legacy;
use crate::loops::criteria;
use crate::loops::criteria::Refused;
use crate::loops::criteria::request;
use crate::loops::criteria::typed::Typed;
use crate::loops::learning;
use crate::loops::verification;
use crate::loops::verification::Verification;
use crate::model::finding::RegressionType;
use crate::project::{Project, exclude_from_git};
use crate::state::atomic::{self, Durability};
use crate::state::audit::{self, Line};
use crate::state::layout::Layout;
use crate::state::lock::CLI_WAIT;
use crate::state::loop_id;
use crate::state::loop_state::{Configuration, FirstCheck, LoopState, Status};
use crate::state::registry::{self, Registry};

/// A half-written file that nobody has touched for this long belongs to a dead process.
const LEFTOVER_AGE: Duration = Duration::from_secs(3600);
/// What a program may take of the time of a prompt that starts a loop.
const ASKING: Duration = Duration::from_secs(3);

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
    /// Globs of the files that it may write; none: all of the project.
    pub scope: Vec<String>,
    /// Whether each iteration is committed.
    pub commit: bool,
    /// A branch to begin; an empty name is one made of the loop's id.
    pub branch: Option<String>,
    /// Whether a pass counts only with the tests of the start.
    pub verify_original: bool,
    /// How long the criterion may take at the start.
    pub first_check: Duration,
    /// What the loop is driven by, when no session's own hooks do it.
    pub driver: Option<String>,
}

impl Request {
    /// What was typed, for a session or for the next one; `criteria` when they are known apart.
    pub fn of(typed: Typed, session_id: Option<String>, first_check: Duration) -> Result<Request, Error> {
        let (task, found) = match typed.until {
            Some(criteria) => (typed.task, Some(criteria)),
            None => request::split_request(&typed.task),
        };
        Ok(Request {
            task,
            criteria: found.ok_or(Error::NoCriteria)?,
            max_iterations: typed.max_iterations,
            timeout_minutes: typed.timeout_minutes,
            loop_id: typed.loop_id,
            force: typed.force,
            session_id,
            scope: typed.scope,
            commit: typed.commit,
            branch: typed.branch,
            verify_original: typed.verify_original,
            first_check,
            driver: None,
        })
    }
}

/// A loop that has begun.
#[derive(Debug)]
pub struct Started {
    /// Its state.
    pub state: LoopState,
    /// What the criterion gave at the start.
    pub first: Verification,
    /// The banner of a loop that was over at once, since its criterion held.
    pub met: Option<String>,
}

/// Why a loop does not start.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No criteria were given.
    #[error("say when it is done: --until \"<command> passes\"")]
    NoCriteria,
    /// Git can't do what was asked for.
    #[error("{0}")]
    Git(String),
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
) -> Result<Started, Error> {
    let definitions = Definitions::read(project.root());
    let layout = definitions.layout(project.root());
    let (config, _) = Config::read(project.root());
    let facts = measure::known_commands(project.root(), &config);
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
    begin_in_git(project, request, &id)?;
    let limit = request.first_check.min(Duration::from_secs(request.timeout_minutes.saturating_mul(60)));
    let first = last_word::with_inherited_limits(|| verification::run(&criteria, project.root(), limit, &[]));
    let contract = LoopContract {
        scope: request.scope.clone(),
        verify_original: request.verify_original,
        tests_run: completion::tests_run(&first),
        ..LoopContract::fix(project, &criteria)
    };
    let mut state = LoopState::new(&id, &request.task, now);
    state.completion_criteria = criteria.text;
    if let Some(failure) = first.first_failure() {
        let failing = learning::learn(&first, &[]).map(|learning| learning.failing).unwrap_or_default();
        let (command, reason) = (failure.command.clone(), failure.reason.clone());
        state.first_check = Some(FirstCheck { command, reason, failing });
    }
    state.session_id.clone_from(&request.session_id);
    state.working_directory = project.root().to_string_lossy().into_owned();
    state.configuration = Configuration {
        max_iterations: request.max_iterations,
        timeout_minutes: Some(request.timeout_minutes),
        commit_iterations: request.commit.then_some(true),
        scope: (!request.scope.is_empty()).then(|| request.scope.clone()),
        driver: request.driver.clone(),
        ..Configuration::default()
    };
    state.detection_enabled = config.detection.mode != Mode::Off;
    state.set_level(state.reinforcement_level, "Loop initialization", now);
    exclude_from_git(project.root()).map_err(|error| Error::State(error.to_string()))?;
    let taken = baseline::take(project, &config, measuring, now);
    state.baseline_metrics = Some(taken.baseline);
    let longest = request.session_id.as_ref().map(|_| ASKING);
    let heard = agent_messages::ask_of_loop(project, &definitions, HookName::LoopStart, &state, longest, now);
    if let Some(Value::Object(measured)) = heard.program_says(Agent::ProgressTracker, "baseline") {
        add_measured(&mut state, measured);
    }
    failure::of_start(&mut state, &heard, &definitions.definitions, now);
    // Bytes first, then the record that names them.
    let kept =
        snapshot::baseline(project, &state, request.session_id.is_some() && request.driver.is_none(), now);
    if let Ok(taken) = &kept {
        let manifest = taken.manifest.strip_prefix(project.root()).unwrap_or(&taken.manifest);
        state.baseline_snapshot = Some(manifest.to_string_lossy().into_owned());
    }
    let to_error = |error: String| Error::State(error);
    state.write(&layout, Durability::Power).map_err(|error| to_error(error.to_string()))?;
    taken.watch.write(&layout, &id).map_err(|error| to_error(error.to_string()))?;
    taken.tests.write(&layout, &id).map_err(|error| to_error(error.to_string()))?;
    contract.write(&layout, &id).map_err(|error| to_error(error.to_string()))?;
    if request.verify_original {
        let at_terminal = request.session_id.is_none() || request.driver.is_some();
        let bounds = if at_terminal { Bounds::PATIENT } else { Bounds::HOOK };
        let noted = Installed::note(project.root(), bounds).write(&layout, &id);
        noted.map_err(|error| to_error(error.to_string()))?;
    }
    Registry::change(&layout, CLI_WAIT, |registry| {
        registry.loops.insert(id.clone(), state.registry_entry());
        if let Some(session) = &request.session_id {
            registry.bind(session, &id);
        }
    })
    .map_err(|error| to_error(error.to_string()))?;
    tidy(&layout, now);
    log(project, &layout, &state, &kept, &heard, now);
    legacy::follow(&layout, &state, running + 1);
    let met = if first.passed {
        let ended = Timestamp::now();
        let banner = loop_complete::finish(project, &layout, &id, Ending::Success, Some(&first), ended);
        Some(banner.map_err(to_error)?)
    } else {
        None
    };
    if met.is_some() {
        state = LoopState::read(&layout, &id).map_err(|error| to_error(error.to_string()))?;
    }
    Ok(Started { state, first, met })
}

/// A branch of its own, and a clean beginning for commits.
fn begin_in_git(project: &Project, request: &Request, id: &str) -> Result<(), Error> {
    if request.commit && !commit::is_clean(project).map_err(Error::Git)? {
        let why = "--commit needs a clean working tree, so that the loop's commits hold its own work alone; commit or \
                   stash what is there first";
        return Err(Error::Git(why.to_owned()));
    }
    match request.branch.as_deref() {
        None => Ok(()),
        Some("") => commit::begin_branch(project, &format!("ralph/{}", id.trim_start_matches("ralph-")))
            .map_err(Error::Git),
        Some(name) => commit::begin_branch(project, name).map_err(Error::Git),
    }
}

/// What is looked for, as it is configured.
fn looked_for(project: &Project) -> Value {
    let (config, _) = Config::read(project.root());
    let kinds = RegressionType::ALL.iter().filter(|kind| config.looks_for(**kind));
    let patterns = laziness_detector::pattern_ids();
    json!({
        "detection_mode": config.detection.mode,
        "patterns_enabled": kinds.map(|kind| kind.name()).collect::<Vec<_>>(),
        "patterns_loaded": patterns.len(),
        "patterns": patterns,
    })
}

/// What a program of the project measured besides, or better.
fn add_measured(state: &mut LoopState, measured: &Map<String, Value>) {
    let Ok(Value::Object(mut baseline)) = serde_json::to_value(&state.baseline_metrics) else { return };
    baseline.extend(measured.iter().map(|(name, value)| (name.clone(), value.clone())));
    if let Ok(baseline) = serde_json::from_value(Value::Object(baseline)) {
        state.baseline_metrics = Some(baseline);
    }
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
    for directory in std::fs::read_dir(layout.loops()).into_iter().flatten().flatten() {
        if let Some(id) = directory.file_name().to_str() {
            audit::prune(&layout.log(id), now).ok();
        }
    }
    atomic::remove_leftovers(layout.root(), LEFTOVER_AGE).ok();
}

fn log(
    project: &Project,
    layout: &Layout,
    state: &LoopState,
    kept: &Result<Taken, String>,
    heard: &Heard,
    now: Timestamp,
) {
    let checkpoint = match kept {
        Ok(taken) => json!({
            "checkpoint": taken.checkpoint_id,
            "files": taken.files,
            "bytes": taken.bytes,
            "gaps": snapshot::gaps(taken),
        }),
        Err(problem) => json!({"checkpoint": null, "problem": problem}),
    };
    let mut outcomes = vec![json!({"task": state.task, "completion": state.completion_criteria}), checkpoint];
    outcomes.push(looked_for(project));
    outcomes.extend(heard.failures.iter().map(|failure| Value::from(failure.as_str())));
    let line = Line {
        agents_invoked: heard.names(),
        outcomes,
        state_changes: Map::from_iter([
            ("baseline_metrics".to_owned(), json!(state.baseline_metrics)),
            ("detection_enabled".to_owned(), Value::from(true)),
            ("reinforcement_level".to_owned(), json!(state.reinforcement_level)),
            ("configuration".to_owned(), json!(state.configuration)),
        ]),
        ..Line::new("loop_start", &state.loop_id, 0, now)
    };
    audit::append(&layout.log(&state.loop_id), line).ok();
}

/// Whether a loop may still be claimed or continued.
pub fn is_live(state: &LoopState) -> bool {
    matches!(state.status, Status::Running) && pre_iteration::time_left(state, Timestamp::now()).is_some()
}
