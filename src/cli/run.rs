//! `steadfast run`: a loop driven from outside, with a fresh session of any agent for each iteration.
//!
//! The loop is the same as in a session: its state, gates, limits and log. The driver starts sessions, ends iterations,
//! says that it is alive, and pauses the loop when it is interrupted or can't go on.

use anstream::println;
use anyhow::{Context, Result, bail};
use clap::Args;
use jiff::Timestamp;
use rustix::process::{Signal, kill_process_group};

use super::loops::StartArgs;
use crate::lifecycle::events::driver::session_of;
use crate::lifecycle::session::liveness;
use crate::lifecycle::session::loop_resume;
use crate::lifecycle::session::loop_resume::NewLimits;
use crate::project::Project;
use crate::state::layout::Layout;
use crate::state::loop_id;
use crate::state::loop_state::{LoopState, Status};

mod agent;
mod driver;
mod heart;
mod interruption;
pub(in crate::cli) mod screen;

use driver::{Driver, change};
use interruption::Interruption;
use screen::{Screen, ScreenStyle};

/// Drive a loop from outside: a fresh session of an agent for each iteration
///
/// Exit code: 0 the goal is reached, 1 a limit was, 3 a person has to decide.
#[derive(Debug, Args)]
pub struct RunArgs {
    #[command(flatten)]
    start: StartArgs,
    /// Go on with the loop whose id stands in the place of the task
    #[arg(long)]
    resume: bool,
    /// The agent's command; `{prompt}` stands for the prompt, which otherwise is its last argument, or its standard input
    /// where the last word is `-`
    #[arg(last = true, value_name = "AGENT COMMAND")]
    agent: Vec<String>,
}

/// Runs a loop to its end. Answers 0 when its goal is reached, 1 at a limit, 3 where a person has to decide.
pub fn run(args: &RunArgs) -> Result<u8> {
    super::human::only("drive a loop")?;
    let project = Project::locate(&std::env::current_dir()?);
    let layout = Layout::of_project(project.root());
    liveness::put_aside_crashed(&layout, Timestamp::now());
    let look = if args.start.json { ScreenStyle::Json } else { ScreenStyle::of_terminal() };
    let (id, agent) = if args.resume {
        resumed(args, &project, &layout)?
    } else {
        match begun(args, &project)? {
            Some(begun) => begun,
            None => return Ok(0),
        }
    };
    end_left_behind(&layout, &id);
    let interruption = Interruption::watch()?;
    let driver =
        Driver { project: &project, layout: &layout, id, agent, interruption, screen: Screen::new(look) };
    let result = driver.drive();
    if result.is_err() {
        driver.pause();
    }
    result
}

/// Starts the loop. `None` when its criterion holds already.
fn begun(args: &RunArgs, project: &Project) -> Result<Option<(String, Vec<String>)>> {
    if args.agent.is_empty() {
        bail!("say which agent works: steadfast run \"<task>\" --until \"<command> passes\" -- claude -p");
    }
    agent::check(&args.agent)?;
    let mut request = args.start.request(project)?;
    let id = request.loop_id.clone().unwrap_or_else(|| loop_id::for_task(&request.task, Timestamp::now()));
    request.loop_id = Some(id.clone());
    // No session may claim it in between.
    request.session_id = Some(session_of(&id));
    request.driver = Some(serde_json::to_string(&args.agent)?);
    let started = args.start.begin(project, &request)?;
    if args.start.json {
        println!("{}", super::loops::started_json(project, &started));
    } else if let Some(banner) = &started.met {
        println!("{banner}");
    } else {
        println!("{}", crate::text::session::started(&started.state, None));
    }
    Ok(started.met.is_none().then(|| (id, args.agent.clone())))
}

/// Goes on with a loop that a driver had begun, with its agent or another one.
fn resumed(args: &RunArgs, project: &Project, layout: &Layout) -> Result<(String, Vec<String>)> {
    let id = args.start.task.clone();
    loop_id::check(&id)?;
    let state = LoopState::read(layout, &id).with_context(|| format!("no loop {id}"))?;
    let stored = state.configuration.driver.as_deref();
    let stored: Vec<String> = stored.and_then(|agent| serde_json::from_str(agent).ok()).unwrap_or_default();
    let agent = if args.agent.is_empty() { stored } else { args.agent.clone() };
    if agent.is_empty() {
        bail!(
            "loop {id} was begun in a session; `steadfast loop resume {id}` goes on there, or name an agent after --"
        );
    }
    agent::check(&agent)?;
    let (max_iterations, timeout_minutes) = args.start.limits();
    let limits = NewLimits { max_iterations, timeout_minutes };
    if state.status == Status::Running && liveness::worker(layout, &id).is_some() {
        bail!("loop {id} is being driven by another process; `steadfast loop pause {id}` stops that");
    }
    if state.status != Status::Running {
        loop_resume::resume(project, layout, &id, limits, Some(&session_of(&id)))
            .map_err(anyhow::Error::msg)?;
    }
    let driver = serde_json::to_string(&agent)?;
    change(layout, &id, |state| {
        state.configuration.driver = Some(driver);
    })?;
    Ok((id, agent))
}

/// Ends the session of a driver that was killed: two would work on the same files.
fn end_left_behind(layout: &Layout, id: &str) {
    if let Some(left) = liveness::agent_left_behind(layout, id, Timestamp::now()) {
        anstream::eprintln!("steadfast: the session that an earlier run left behind ({left}) is ended");
        kill_process_group(left, Signal::KILL).ok();
    }
    liveness::forget_agent(layout, id);
}
