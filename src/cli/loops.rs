//! `steadfast loop`: start, pause, resume and abort. All but `status` are for people: the agent's own calls are denied.

use std::time::Duration;

use anstream::println;
use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};

use super::baseline;
use crate::config::Config;
use crate::lifecycle::baseline::Measuring;
use crate::lifecycle::loop_complete::{self, Ending};
use crate::lifecycle::loop_start::{self, Request};
use crate::lifecycle::scene::change_state;
use crate::project::Project;
use crate::ralph::request;
use crate::ralph::typed::{DEFAULT_MAX_ITERATIONS, DEFAULT_TIMEOUT_MINUTES};
use crate::state::atomic::Durability;
use crate::state::layout::Layout;
use crate::state::lock::CLI_WAIT;
use crate::state::loop_state::Status;
use crate::state::registry::{Kind, Registry};
use crate::text::session as text;

/// Work in a loop until a command passes
#[derive(Debug, Subcommand)]
pub enum LoopCommand {
    /// Start a loop; the next session that starts in this project claims it
    Start(StartArgs),
    /// Put a loop aside: its hooks pass until it is resumed
    Pause(OneLoop),
    /// Go on with a paused, crashed or ended-at-its-limit loop
    Resume(ResumeArgs),
    /// End a loop; the changes stay
    Abort(OneLoop),
}

/// Arguments of `steadfast loop start`.
#[derive(Debug, Args)]
pub struct StartArgs {
    /// What to do, for the agent; may hold the criteria too: "Fix the tests until npm test passes"
    task: String,
    /// When it is done: "<command> passes", "<command> has no errors", "coverage > 80%", joined by "and"
    #[arg(long, alias = "completion", value_name = "CRITERIA")]
    until: Option<String>,
    /// The last iteration that may start
    #[arg(long, value_name = "N", default_value_t = DEFAULT_MAX_ITERATIONS)]
    max_iterations: u32,
    /// Minutes after which no iteration starts
    #[arg(long, value_name = "MINUTES", default_value_t = DEFAULT_TIMEOUT_MINUTES)]
    timeout: u64,
    /// An id of your own
    #[arg(long, value_name = "ID")]
    loop_id: Option<String>,
    /// Start it though four are running
    #[arg(long)]
    force: bool,
    /// Run none of the project's tools: count its sources alone
    #[arg(long)]
    no_measure: bool,
}

/// Which loop is meant.
#[derive(Debug, Args)]
pub struct OneLoop {
    /// The loop; the only running one when not given
    loop_id: Option<String>,
}

/// Arguments of `steadfast loop resume`.
#[derive(Debug, Args)]
pub struct ResumeArgs {
    #[command(flatten)]
    which: OneLoop,
    /// A new limit
    #[arg(long, value_name = "N")]
    max_iterations: Option<u32>,
    /// New minutes, counted from now
    #[arg(long, value_name = "MINUTES")]
    timeout: Option<u64>,
}

/// Runs a loop command.
pub fn run(command: &LoopCommand) -> Result<u8> {
    super::human::only("change a loop")?;
    let project = Project::locate(&std::env::current_dir()?);
    let layout = Layout::of_project(project.root());
    match command {
        LoopCommand::Start(args) => start(&project, args),
        LoopCommand::Pause(which) => pause(&layout, which),
        LoopCommand::Resume(args) => resume(&project, &layout, args),
        LoopCommand::Abort(which) => abort(&project, &layout, which),
    }
}

fn start(project: &Project, args: &StartArgs) -> Result<u8> {
    let (task, found) = match &args.until {
        Some(criteria) => (args.task.clone(), Some(criteria.clone())),
        None => request::split_request(&args.task),
    };
    let criteria = found.context("say when it is done: --until \"<command> passes\"")?;
    let request = Request {
        task,
        criteria,
        max_iterations: args.max_iterations,
        timeout_minutes: args.timeout,
        loop_id: args.loop_id.clone(),
        force: args.force,
        session_id: None,
    };
    let (config, _) = Config::read(project.root());
    let seconds = if args.no_measure { 0 } else { config.measuring.start_seconds };
    let mut measuring = Measuring { time: Duration::from_secs(seconds), say: &mut baseline::say };
    let state = loop_start::start(project, &request, &mut measuring, jiff::Timestamp::now())?;
    println!("{}", text::started(&state, None));
    if let Some(baseline) = &state.baseline_metrics {
        baseline::show(baseline);
    }
    println!("The next session that starts in {} claims it.", project.root().display());
    Ok(0)
}

fn pause(layout: &Layout, which: &OneLoop) -> Result<u8> {
    let id = resolve(layout, which, |status| status == Status::Running)?;
    step(layout, &id, Status::Paused)?;
    println!("Loop {id} is paused; its hooks pass until `steadfast loop resume {id}`.");
    Ok(0)
}

fn resume(project: &Project, layout: &Layout, args: &ResumeArgs) -> Result<u8> {
    let id =
        resolve(layout, &args.which, |s| matches!(s, Status::Paused | Status::Crashed | Status::Failed))?;
    let now = jiff::Timestamp::now();
    let allowed = |from: Status| from.may_become(Status::Running) || from == Status::Failed;
    let changed = change_state(layout, &id, CLI_WAIT, Durability::Power, now, |state| {
        if !allowed(state.status) {
            return Err(format!("loop {id} is {} and can't be resumed", state.status.name()));
        }
        if let Some(max) = args.max_iterations {
            state.configuration.max_iterations = max;
        }
        if let Some(minutes) = args.timeout {
            let elapsed = now.duration_since(state.started_at).as_mins().max(0) as u64;
            state.configuration.timeout_minutes = Some(elapsed + minutes);
        }
        if state.iteration >= state.configuration.max_iterations {
            let max = state.configuration.max_iterations;
            return Err(format!("loop {id} has used its {max} iterations: give a higher --max-iterations"));
        }
        if super::super::lifecycle::pre_iteration::time_left(state, now).is_none() {
            return Err(format!("loop {id} has used its time: give --timeout MINUTES from now"));
        }
        if state.baseline_metrics.is_none() {
            // It was begun without persistence: what is there now is what must not be lost.
            loop_start::begin_baseline(project, layout, state, now)?;
        }
        state.status = Status::Running;
        state.completed_at = None;
        state.detection_enabled = true;
        state.session_id = None;
        state.continuations = 0;
        Ok(state.configuration.max_iterations)
    })
    .map_err(anyhow::Error::msg)?;
    let max = changed.value.map_err(anyhow::Error::msg)?;
    Registry::change(layout, CLI_WAIT, |registry| registry.release(&id))?;
    println!(
        "Loop {id} goes on, up to {max} iterations; the next session that starts in this project claims it."
    );
    Ok(0)
}

fn abort(project: &Project, layout: &Layout, which: &OneLoop) -> Result<u8> {
    let id = resolve(layout, which, |status| !status.is_over())?;
    let banner = loop_complete::finish(project, layout, &id, Ending::Aborted, None, jiff::Timestamp::now())
        .map_err(anyhow::Error::msg)?;
    println!("{banner}");
    Ok(0)
}

fn step(layout: &Layout, id: &str, next: Status) -> Result<()> {
    let changed = change_state(layout, id, CLI_WAIT, Durability::Power, jiff::Timestamp::now(), |state| {
        if !state.status.may_become(next) {
            return Err(format!("loop {id} is {} and can't become {}", state.status.name(), next.name()));
        }
        state.status = next;
        Ok(())
    })
    .map_err(anyhow::Error::msg)?;
    changed.value.map_err(anyhow::Error::msg)
}

/// The named loop, or the only one in a fitting status.
fn resolve(layout: &Layout, which: &OneLoop, fits: impl Fn(Status) -> bool) -> Result<String> {
    if let Some(id) = &which.loop_id {
        crate::state::loop_id::check(id)?;
        return Ok(id.clone());
    }
    let registry = Registry::read(layout)?;
    let mut ids: Vec<&String> = registry
        .loops
        .iter()
        .filter(|(_, entry)| entry.kind == Kind::Explicit && fits(entry.status))
        .map(|(id, _)| id)
        .collect();
    match (ids.pop(), ids.is_empty()) {
        (Some(id), true) => Ok(id.clone()),
        (None, _) => bail!("no loop fits; `steadfast status --all` lists them"),
        (Some(id), false) => bail!(
            "several loops fit: {id}, {}; name one",
            ids.iter().map(|s| s.as_str()).collect::<Vec<_>>().join(", ")
        ),
    }
}
