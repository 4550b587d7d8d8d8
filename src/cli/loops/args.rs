//! The arguments of `steadfast loop`, and the request that a start makes of them.

use std::time::Duration;

use anyhow::Result;
use clap::{Args, Subcommand};
use jiff::Timestamp;

use crate::cli::baseline;
use crate::config::Config;
use crate::lifecycle::hooks::loop_start::{self, LoopRequest, StartedLoop};
use crate::lifecycle::measuring::baseline::BaselineMeasuring;
use crate::loops::criteria::typed::{DEFAULT_MAX_ITERATIONS, DEFAULT_TIMEOUT_MINUTES, TypedLoop};
use crate::project::Project;

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
    Status(crate::cli::status::StatusArgs),
}

/// What a loop is started with, here and by `steadfast run`.
#[derive(Debug, Args)]
#[group(skip)]
pub struct StartArgs {
    /// What to do, for the agent; may hold the criteria too: "Fix the tests until npm test passes"
    pub(in crate::cli) task: String,
    /// When it is done: "<command> passes", "<command> has no errors", "coverage > 80%", joined by "and"
    #[arg(long, alias = "completion", value_name = "CRITERIA")]
    pub(in crate::cli) until: Option<String>,
    /// The last iteration that may start [default: 10]
    #[arg(long, value_name = "N")]
    pub(super) max_iterations: Option<u32>,
    /// Minutes after which no iteration starts [default: 60]
    #[arg(long, value_name = "MINUTES")]
    pub(super) timeout: Option<u64>,
    /// An id of your own
    #[arg(long, value_name = "ID")]
    pub(super) loop_id: Option<String>,
    /// Start it though four are running, or its criterion names a program that is not there yet
    #[arg(long)]
    pub(super) force: bool,
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
    pub(in crate::cli) json: bool,
}

impl StartArgs {
    fn typed(&self) -> TypedLoop {
        TypedLoop {
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
    pub(in crate::cli) fn limits(&self) -> (Option<u32>, Option<u64>) {
        (self.max_iterations, self.timeout)
    }

    /// The request that these arguments make.
    pub(in crate::cli) fn request(&self, project: &Project) -> Result<LoopRequest> {
        let seconds = Config::read(project.root()).0.verification.timeout_seconds;
        let request = LoopRequest::of(self.typed(), None, Duration::from_secs(seconds))?;
        let request = request.started_in(project, &std::env::current_dir()?);
        if self.interactive { super::confirm::confirmed(project, request) } else { Ok(request) }
    }

    /// Measures the project as far as these arguments want it, and starts the loop.
    pub(in crate::cli) fn begin(&self, project: &Project, request: &LoopRequest) -> Result<StartedLoop> {
        begin(project, request, self.no_measure)
    }
}

/// Measures the project, unless it is not to be measured, and starts the loop.
pub(in crate::cli) fn begin(
    project: &Project,
    request: &LoopRequest,
    no_measure: bool,
) -> Result<StartedLoop> {
    let seconds = if no_measure { 0 } else { Config::read(project.root()).0.measuring.start_seconds };
    let mut measuring = BaselineMeasuring { time: Duration::from_secs(seconds), say: &mut baseline::say };
    Ok(loop_start::start(project, request, &mut measuring, Timestamp::now())?)
}

/// Which loop is meant.
#[derive(Debug, Args)]
pub struct OneLoop {
    /// The loop; the only running one when not given
    #[arg(value_name = "LOOP_ID")]
    pub(super) id: Option<String>,
    /// The same, as AIWG writes it
    #[arg(long, value_name = "ID", conflicts_with = "id")]
    pub(super) loop_id: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

impl OneLoop {
    /// The id that was given.
    pub(super) fn named(&self) -> Option<&String> {
        self.id.as_ref().or(self.loop_id.as_ref())
    }
}

/// Arguments of `steadfast loop resume`.
#[derive(Debug, Args)]
pub struct ResumeArgs {
    #[command(flatten)]
    pub(super) which: OneLoop,
    /// A new limit
    #[arg(long, value_name = "N")]
    pub(super) max_iterations: Option<u32>,
    /// New minutes, counted from now
    #[arg(long, value_name = "MINUTES")]
    pub(super) timeout: Option<u64>,
}

/// Arguments of `steadfast loop abort`.
#[derive(Debug, Args)]
pub struct AbortArgs {
    #[command(flatten)]
    pub(super) which: OneLoop,
    /// Leave the changes as they are (as without any option)
    #[arg(long, conflicts_with = "revert")]
    pub(super) keep_changes: bool,
    /// Bring every file back as it was at the loop's start; refused where other work would be lost
    #[arg(long)]
    pub(super) revert: bool,
    /// Every loop of the project that is not over
    #[arg(long, conflicts_with_all = ["id", "loop_id"])]
    pub(super) all: bool,
    /// With --revert: replace other work too; it is kept first
    #[arg(long, requires = "revert")]
    pub(super) force: bool,
}
