//! `steadfast loop`: start, pause, resume and abort. All but `status` are for people: the agent's own calls are denied.

mod abort;
mod args;
mod confirm;
mod revert;
mod which;

use anstream::println;
use anyhow::Result;
pub(super) use args::begin;
pub use args::{AbortArgs, LoopCommand, OneLoop, ResumeArgs, StartArgs};
use jiff::Timestamp;
use serde_json::{Value, json};

use self::abort::abort;
use self::which::resolve;
use super::baseline;
use super::columns::say;
use crate::definitions;
use crate::lifecycle::context::hook_context::change_state;
use crate::lifecycle::hooks::loop_start::StartedLoop;
use crate::lifecycle::session::liveness;
use crate::lifecycle::session::loop_resume;
use crate::lifecycle::session::loop_resume::NewLimits;
use crate::lifecycle::session::overdue;
use crate::loops::verification::doubt;
use crate::model::finding::counted;
use crate::project::Project;
use crate::state::atomic::Durability;
use crate::state::layout::Layout;
use crate::state::lock::CLI_WAIT;
use crate::state::loop_state::{LoopState, Status};
use crate::text::session as text;

/// Runs a loop command.
pub fn run(command: &LoopCommand) -> Result<u8> {
    if let LoopCommand::Status(args) = command {
        return super::status::status(args);
    }
    match command {
        // Nobody is left who would see what comes after it.
        LoopCommand::Abort(_) => super::human::only("end a loop")?,
        LoopCommand::Pause(_) => super::human::only("pause a loop")?,
        _ => super::human::only("change a loop")?,
    }
    let project = Project::locate(&std::env::current_dir()?);
    let layout = definitions::layout_of(project.root());
    let now = Timestamp::now();
    overdue::end_overdue(&project, &layout, now).iter().for_each(|told| anstream::eprintln!("{told}"));
    liveness::put_aside_crashed(&layout, now);
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
        say(banner);
        return Ok(0);
    }
    say(text::started(state, None));
    for hint in text::hints(state) {
        say(hint);
    }
    if let Some(baseline) = &state.baseline_metrics {
        baseline::show(baseline);
    }
    if let Some(failure) = started.first.first_failure() {
        say(format_args!("Now: {} ({})", failure.command, failure.reason));
    }
    started.first.checks.iter().filter(|check| !check.passed).filter_map(doubt::of).for_each(say);
    say(format_args!("The next session that starts in {} claims it.", project.root().display()));
    Ok(0)
}

/// A loop that has begun, for programs.
pub(super) fn started_json(project: &Project, started: &StartedLoop) -> Value {
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
        say(sentence);
    }
}

fn pause(layout: &Layout, which: &OneLoop) -> Result<u8> {
    let id = resolve(layout, which, |entry| entry.status == Status::Running)?;
    step(layout, &id, Status::Paused)?;
    let sentence = format!("Loop {id} is paused; its hooks pass until `steadfast loop resume {id}`.");
    answer(which.json, &id, Status::Paused, &json!({}), &sentence);
    Ok(0)
}

fn resume(project: &Project, layout: &Layout, args: &ResumeArgs) -> Result<u8> {
    let id = resolve(layout, &args.which, loop_resume::is_resumable)?;
    let limits = NewLimits { max_iterations: args.max_iterations, timeout_minutes: args.timeout };
    let max = loop_resume::resume(project, layout, &id, limits, None).map_err(anyhow::Error::msg)?;
    let state = LoopState::read(layout, &id)?;
    let minutes = state.configuration.timeout_minutes.filter(|_| state.timeout_counts_from.is_some());
    let time =
        minutes.map(|minutes| format!(" and {} from now", counted(minutes, "minute"))).unwrap_or_default();
    let sentence = format!(
        "Loop {id} goes on, up to {}{time}; the next session that starts in this project claims it.",
        counted(max, "iteration")
    );
    answer(args.which.json, &id, Status::Running, &json!({"max_iterations": max}), &sentence);
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
