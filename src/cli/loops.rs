//! `steadfast loop`: start, pause, resume and abort. All but `status` are for people: the agent's own calls are denied.

use std::path::PathBuf;
use std::time::Duration;

use anstream::println;
use anyhow::{Result, bail};
use clap::{Args, Subcommand};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::baseline;
use crate::checkpoint::meter::Meter;
use crate::checkpoint::node::Node;
use crate::checkpoint::plan::Refusal;
use crate::checkpoint::store::Store;
use crate::checkpoint::tree::{self, Moment, Taking};
use crate::checkpoint::undo::{self, Options, Selection};
use crate::checkpoint::{catalogue, compare};
use crate::config::Config;
use crate::definitions;
use crate::lifecycle::context::hook_context::change_state;
use crate::lifecycle::hooks::loop_complete;
use crate::lifecycle::hooks::loop_complete::Ending;
use crate::lifecycle::hooks::loop_start;
use crate::lifecycle::hooks::loop_start::{Request, Started};
use crate::lifecycle::measuring::baseline::Measuring;
use crate::lifecycle::session::liveness;
use crate::lifecycle::session::loop_resume;
use crate::lifecycle::session::loop_resume::Limits;
use crate::loops::criteria::typed::{DEFAULT_MAX_ITERATIONS, DEFAULT_TIMEOUT_MINUTES, Typed};
use crate::project::Project;
use crate::state::atomic::Durability;
use crate::state::layout::Layout;
use crate::state::lock::CLI_WAIT;
use crate::state::loop_state::{LoopState, Status};
use crate::state::registry::{Kind, Registry};
use crate::text::session as text;

mod confirm;

/// Work in a loop until a command passes
#[derive(Debug, Subcommand)]
pub enum LoopCommand {
    /// Start a loop; the next session that starts in this project claims it
    Start(StartArgs),
    /// Put a loop aside: its hooks pass until it is resumed
    Pause(OneLoop),
    /// Go on with a paused, crashed or ended-at-its-limit loop
    Resume(ResumeArgs),
    /// End a loop; the changes stay unless --revert takes them back
    Abort(AbortArgs),
    /// Show the loops, as `steadfast status` does
    #[command(visible_alias = "list")]
    Status(super::status::StatusArgs),
}

/// What a loop is started with, here and by `steadfast run`.
#[derive(Debug, Args)]
#[group(skip)]
pub struct StartArgs {
    /// What to do, for the agent; may hold the criteria too: "Fix the tests until npm test passes"
    pub(super) task: String,
    /// When it is done: "<command> passes", "<command> has no errors", "coverage > 80%", joined by "and"
    #[arg(long, alias = "completion", value_name = "CRITERIA")]
    pub(super) until: Option<String>,
    /// The last iteration that may start [default: 10]
    #[arg(long, value_name = "N")]
    max_iterations: Option<u32>,
    /// Minutes after which no iteration starts [default: 60]
    #[arg(long, value_name = "MINUTES")]
    timeout: Option<u64>,
    /// An id of your own
    #[arg(long, value_name = "ID")]
    loop_id: Option<String>,
    /// Start it though four are running
    #[arg(long)]
    force: bool,
    /// Show what was understood and ask before starting; offer the project's own commands for vague criteria
    #[arg(long)]
    interactive: bool,
    /// Commit each iteration as `ralph: iteration N - …`; needs a clean working tree
    #[arg(long, overrides_with = "no_commit")]
    commit: bool,
    /// Commit nothing (as without any option)
    #[arg(long)]
    no_commit: bool,
    /// Begin a branch, named after the loop where no name is given
    #[arg(long, value_name = "NAME", num_args = 0..=1, default_missing_value = "")]
    branch: Option<String>,
    /// Files that the loop may write; may be given several times
    #[arg(long, value_name = "GLOB")]
    scope: Vec<String>,
    /// A pass counts only if the tests of the loop's start pass too, in a scratch copy
    #[arg(long)]
    verify_original: bool,
    /// Run none of the project's tools: count its sources alone
    #[arg(long)]
    no_measure: bool,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

impl StartArgs {
    fn typed(&self) -> Typed {
        Typed {
            task: self.task.clone(),
            until: self.until.clone(),
            max_iterations: self.max_iterations.unwrap_or(DEFAULT_MAX_ITERATIONS),
            timeout_minutes: self.timeout.unwrap_or(DEFAULT_TIMEOUT_MINUTES),
            loop_id: self.loop_id.clone(),
            force: self.force,
            scope: self.scope.clone(),
            commit: self.commit && !self.no_commit,
            branch: self.branch.clone(),
            verify_original: self.verify_original,
        }
    }

    /// The limits that were given.
    pub(super) fn limits(&self) -> (Option<u32>, Option<u64>) {
        (self.max_iterations, self.timeout)
    }

    /// The request that these arguments make.
    pub(super) fn request(&self, project: &Project) -> Result<Request> {
        let seconds = Config::read(project.root()).0.verification.timeout_seconds;
        let request = Request::of(self.typed(), None, Duration::from_secs(seconds))?;
        if self.interactive { confirm::confirmed(project, request) } else { Ok(request) }
    }

    /// Measures the project as far as these arguments want it, and starts the loop.
    pub(super) fn begin(&self, project: &Project, request: &Request) -> Result<Started> {
        let seconds =
            if self.no_measure { 0 } else { Config::read(project.root()).0.measuring.start_seconds };
        let mut measuring = Measuring { time: Duration::from_secs(seconds), say: &mut baseline::say };
        Ok(loop_start::start(project, request, &mut measuring, Timestamp::now())?)
    }
}

/// Which loop is meant.
#[derive(Debug, Args)]
pub struct OneLoop {
    /// The loop; the only running one when not given
    #[arg(value_name = "LOOP_ID")]
    id: Option<String>,
    /// The same, as the documents write it
    #[arg(long, value_name = "ID", conflicts_with = "id")]
    loop_id: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl OneLoop {
    fn named(&self) -> Option<&String> {
        self.id.as_ref().or(self.loop_id.as_ref())
    }
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

/// Arguments of `steadfast loop abort`.
#[derive(Debug, Args)]
pub struct AbortArgs {
    #[command(flatten)]
    which: OneLoop,
    /// Leave the changes as they are (as without any option)
    #[arg(long, conflicts_with = "revert")]
    keep_changes: bool,
    /// Bring every file back as it was at the loop's start; refused where other work would be lost
    #[arg(long)]
    revert: bool,
    /// Every loop of the project that is not over
    #[arg(long, conflicts_with_all = ["id", "loop_id"])]
    all: bool,
    /// With --revert: replace other work too; it is kept first
    #[arg(long, requires = "revert")]
    force: bool,
}

/// Runs a loop command.
pub fn run(command: &LoopCommand) -> Result<u8> {
    if let LoopCommand::Status(args) = command {
        return super::status::status(args);
    }
    super::human::only("change a loop")?;
    let project = Project::locate(&std::env::current_dir()?);
    let layout = definitions::layout_of(project.root());
    liveness::put_aside_crashed(&layout, Timestamp::now());
    match command {
        LoopCommand::Start(args) => start(&project, args),
        LoopCommand::Pause(which) => pause(&layout, which),
        LoopCommand::Resume(args) => resume(&project, &layout, args),
        LoopCommand::Abort(args) => abort(&project, &layout, args),
        LoopCommand::Status(_) => Ok(0),
    }
}

fn start(project: &Project, args: &StartArgs) -> Result<u8> {
    let request = args.request(project)?;
    let started = args.begin(project, &request)?;
    let state = &started.state;
    if args.json {
        println!("{:#}", started_json(project, &started));
        return Ok(0);
    }
    if let Some(banner) = &started.met {
        println!("{banner}");
        return Ok(0);
    }
    println!("{}", text::started(state, None));
    for hint in text::hints(state) {
        println!("{hint}");
    }
    if let Some(baseline) = &state.baseline_metrics {
        baseline::show(baseline);
    }
    if let Some(failure) = started.first.first_failure() {
        println!("Now: {} ({})", failure.command, failure.reason);
    }
    println!("The next session that starts in {} claims it.", project.root().display());
    Ok(0)
}

/// A loop that has begun, for programs.
pub(super) fn started_json(project: &Project, started: &Started) -> Value {
    let state = &started.state;
    json!({
        "loop_id": state.loop_id,
        "status": state.status.name(),
        "task": state.task,
        "completion_criteria": state.completion_criteria,
        "max_iterations": state.configuration.max_iterations,
        "timeout_minutes": state.configuration.timeout_minutes,
        "already_met": started.met.is_some(),
        "first_check": started.first,
        "state": Layout::of_project(project.root()).state(&state.loop_id),
    })
}

fn answer(json: bool, id: &str, status: Status, more: &Value, sentence: &str) {
    if json {
        let mut answer = json!({"loop_id": id, "status": status.name()});
        if let (Some(answer), Some(more)) = (answer.as_object_mut(), more.as_object()) {
            answer.extend(more.clone());
        }
        println!("{answer:#}");
    } else {
        println!("{sentence}");
    }
}

fn pause(layout: &Layout, which: &OneLoop) -> Result<u8> {
    let id = resolve(layout, which, |status| status == Status::Running)?;
    step(layout, &id, Status::Paused)?;
    let sentence = format!("Loop {id} is paused; its hooks pass until `steadfast loop resume {id}`.");
    answer(which.json, &id, Status::Paused, &json!({}), &sentence);
    Ok(0)
}

fn resume(project: &Project, layout: &Layout, args: &ResumeArgs) -> Result<u8> {
    let id = resolve(layout, &args.which, loop_resume::is_resumable)?;
    let limits = Limits { max_iterations: args.max_iterations, timeout_minutes: args.timeout };
    let max = loop_resume::resume(project, layout, &id, limits, None).map_err(anyhow::Error::msg)?;
    let sentence = format!(
        "Loop {id} goes on, up to {max} iterations; the next session that starts in this project claims it."
    );
    answer(args.which.json, &id, Status::Running, &json!({"max_iterations": max}), &sentence);
    Ok(0)
}

fn abort(project: &Project, layout: &Layout, args: &AbortArgs) -> Result<u8> {
    if args.all {
        let registry = Registry::read(layout)?;
        let live = registry
            .loops
            .iter()
            .filter(|(_, entry)| entry.kind == Kind::Explicit && !entry.status.is_over());
        let mut rows = Vec::new();
        for (id, _) in live {
            let (banner, row) = abort_one(project, layout, id, args)?;
            rows.push(row);
            if !args.which.json {
                println!("{banner}");
            }
        }
        if args.which.json {
            println!("{:#}", json!({"loops": rows}));
        }
        return Ok(0);
    }
    let id = resolve(layout, &args.which, |status| !status.is_over())?;
    let (banner, row) = abort_one(project, layout, &id, args)?;
    if args.which.json {
        println!("{row:#}");
    } else {
        println!("{banner}");
    }
    Ok(0)
}

/// Aborts a loop: its banner, and the same for programs.
fn abort_one(project: &Project, layout: &Layout, id: &str, args: &AbortArgs) -> Result<(String, Value)> {
    let state = LoopState::read(layout, id)?;
    if state.status.is_over() {
        bail!("loop {id} is {} already", state.status.name());
    }
    let reverted = if args.revert { Some(revert(project, id, args.force)?) } else { None };
    let ending = if args.revert { Ending::Reverted } else { Ending::Aborted };
    let banner = loop_complete::finish(project, layout, id, ending, None, Timestamp::now())
        .map_err(anyhow::Error::msg)?;
    let paths = |paths: &[PathBuf]| paths.iter().map(|path| super::undo::path_text(path)).collect::<Vec<_>>();
    let mut row = json!({"loop_id": id, "status": Status::Aborted.name()});
    match &reverted {
        Some(report) => {
            row["restored"] = json!(paths(&report.restored));
            row["removed"] = json!(paths(&report.removed));
        }
        None => row["changes"] = json!("kept"),
    }
    Ok((banner, row))
}

/// Files that are there now, and neither were at the loop's start nor when its tree was last kept.
fn unknown(store: &Store, id: &str, planned: &undo::Report) -> Result<Vec<PathBuf>> {
    let trees = catalogue::list(store, Some(id))?.checkpoints;
    let Some(newest) = trees.into_iter().find(|manifest| manifest.tree) else { return Ok(Vec::new()) };
    let changes = compare::with_now(store, newest, &Meter::default())?;
    let new =
        changes.into_iter().filter(|change| change.before == Node::Absent && !change.after.is_directory());
    Ok(new.map(|change| change.path).filter(|path| !planned.removed.contains(path)).collect())
}

/// Keeps everything as it is now, as the loop's: what goes can come back.
fn keep_all(store: &Store, id: &str) -> Result<()> {
    tree::take(&Taking {
        store,
        loop_id: id,
        iteration: 0,
        moment: Moment::PreRevert,
        summary: "before the revert",
        metrics: serde_json::Map::new(),
        also: &[],
        bounds: tree::patient_bounds(),
        durability: Durability::Power,
        now: Timestamp::now(),
        meter: &Meter::default(),
    })?;
    Ok(())
}

/// Brings the files back to the loop's start. Nothing is changed when anything had to be left.
fn revert(project: &Project, id: &str, force: bool) -> Result<undo::Report> {
    let store = Store::of_project(project.root());
    let selection = Selection::Session(Some(id.to_owned()));
    let options = |dry_run| Options { force, dry_run, paths: Vec::new(), now: Timestamp::now() };
    let mut planned = undo::restore(&store, &selection, &options(true))?;
    // What came after the last look at the tree is in no record: it may be anybody's.
    let since = unknown(&store, id, &planned)?;
    if force && !since.is_empty() {
        keep_all(&store, id)?;
    } else {
        let reason = "new since the loop's files were last looked at: this may be newer work".to_owned();
        planned.refused.extend(since.into_iter().map(|path| Refusal {
            path,
            reason: reason.clone(),
            by_force: true,
        }));
    }
    if planned.refused.iter().any(|refusal| !force || !refusal.by_force) {
        let named = planned.refused.iter().take(20);
        let named: Vec<String> = named
            .map(|refusal| format!("  {}: {}", super::undo::path_text(&refusal.path), refusal.reason))
            .collect();
        bail!(
            "nothing was reverted and loop {id} goes on: this would be lost.\n{}\n`steadfast loop abort {id} --revert \
             --force` replaces it too; it is kept first. `steadfast loop abort {id}` keeps everything as it is",
            named.join("\n")
        );
    }
    Ok(undo::restore(&store, &selection, &options(false))?)
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
    if let Some(id) = which.named() {
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
