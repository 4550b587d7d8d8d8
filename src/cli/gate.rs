//! `steadfast gate`: a person decides what Steadfast holds open.
//!
//! Looking is free for all. Deciding asks for a terminal outside of any agent's session, and every refusal is in the
//! loop's log.

pub(crate) mod options;

use std::io::{BufRead, Write};
use std::path::Path;
use std::process::Command;

use anstream::{print, println};
use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};
use jiff::Timestamp;
use owo_colors::OwoColorize;
use serde_json::json;

use super::human;
use super::undo::{path_text, shown};
use crate::checkpoint::node::Node;
use crate::checkpoint::store::Store;
use crate::checkpoint::undo::{self, Options, Selection};
use crate::cli::gate::options::{Delegate, Whitelist};
use crate::config::Config;
use crate::definitions;
use crate::lifecycle::gate::decision;
use crate::lifecycle::gate::decision::Asked;
use crate::project::Project;
use crate::state::audit::{self, Line};
use crate::state::false_alarms::Silence;
use crate::state::gate::{Gate, GateDecision};
use crate::state::layout::Layout;
use crate::state::loop_state::LoopState;
use crate::state::registry::Registry;

/// Decide what waits for a person
#[derive(Debug, Args)]
pub struct GateArgs {
    #[command(subcommand)]
    command: Option<GateCommand>,
}

/// What to do; without one, show what is open and ask.
#[derive(Debug, Subcommand)]
pub enum GateCommand {
    /// Show what waits for a decision
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Show what has changed since the last good checkpoint
    Diff(Which),
    /// Accept the loss: what is there now is the new baseline
    #[command(alias = "accept")]
    Approve(Answer),
    /// Take the iteration's changes back, and let the loop go on from there
    Reject(Answer),
    /// End the loop; the changes stay
    Abort(Answer),
    /// Let a stuck loop go on with a different approach
    Continue(Answer),
    /// Pause a stuck loop while you mend it by hand
    ManualFix(Answer),
    /// Close a regression as a false alarm
    #[command(alias = "legitimate")]
    FalsePositive(FalseAlarm),
    /// Close a regression as a false alarm, and silence its pattern in that file
    Whitelist(Whitelist),
    /// Show what led to a gate, and what was decided before
    History(Which),
    /// Show ways in which nothing would get lost
    Suggest(Which),
    /// Leave a gate to another person; it stays open
    Delegate(Delegate),
}

/// Which gate is meant.
#[derive(Debug, Args)]
pub struct Which {
    /// The gate's or a regression's id, or the first part of it; the only open one when not given
    id: Option<String>,
}

/// A decision.
#[derive(Debug, Args)]
pub struct Answer {
    #[command(flatten)]
    which: Which,
    /// What the log and the agent should know
    #[arg(long)]
    reason: Option<String>,
}

/// A false alarm.
#[derive(Debug, Args)]
pub struct FalseAlarm {
    /// The regression's id, or the first part of it, as `steadfast status` shows it
    event: String,
    /// Why it is none
    #[arg(long)]
    reason: String,
}

/// An open gate and its loop.
pub(crate) struct Open {
    pub(super) loop_id: String,
    pub(super) gate: Gate,
}

/// Runs a gate command.
pub fn run(args: &GateArgs) -> Result<u8> {
    let project = Project::locate(&std::env::current_dir()?);
    let layout = definitions::layout_of(project.root());
    let now = Timestamp::now();
    let open = open_gates(&layout)?;
    let (which, decision) = match &args.command {
        None => return pick(&project, &layout, &open),
        Some(GateCommand::List { json }) => return list(&open, *json, &project),
        Some(GateCommand::Diff(which)) => {
            let one = find(&layout, &open, which)?;
            diff(&project, &layout, one)?;
            return Ok(0);
        }
        Some(GateCommand::FalsePositive(alarm)) => {
            return false_alarm(&project, &layout, alarm, Silence::default(), now);
        }
        Some(GateCommand::Whitelist(whitelist)) => {
            return false_alarm(&project, &layout, &whitelist.alarm, whitelist.silence(), now);
        }
        Some(GateCommand::History(which)) => {
            options::history(&layout, find(&layout, &open, which)?)?;
            return Ok(0);
        }
        Some(GateCommand::Suggest(which)) => {
            options::suggest(&layout, find(&layout, &open, which)?)?;
            return Ok(0);
        }
        Some(GateCommand::Delegate(delegate)) => {
            guarded(&layout, &open, human::at_a_terminal("leave a gate to another person"))?;
            let one = find(&layout, &open, &delegate.which)?;
            return options::delegate(&project, &layout, one, delegate, now);
        }
        Some(GateCommand::Approve(answer)) => (answer, GateDecision::Approve),
        Some(GateCommand::Reject(answer)) => (answer, GateDecision::Reject),
        Some(GateCommand::Abort(answer)) => (answer, GateDecision::Abort),
        Some(GateCommand::Continue(answer)) => (answer, GateDecision::Continue),
        Some(GateCommand::ManualFix(answer)) => (answer, GateDecision::ManualFix),
    };
    guarded(&layout, &open, human::at_a_terminal("decide at a gate"))?;
    let one = find(&layout, &open, &which.which);
    let one = match one {
        Ok(one) => one,
        // A regression whose recovery still runs has no gate yet; a person may accept it all the same.
        Err(_) if decision == GateDecision::Approve && which.which.id.is_some() => {
            return accept_early(&project, &layout, which, now);
        }
        Err(error) => return Err(error),
    };
    let decision = one.gate.meant(decision.name()).unwrap_or(decision);
    decide(&project, &layout, one, decision, which.reason.clone(), now)
}

fn decide(
    project: &Project,
    layout: &Layout,
    one: &Open,
    decision: GateDecision,
    reason: Option<String>,
    now: Timestamp,
) -> Result<u8> {
    let asked = Asked { project, layout, loop_id: &one.loop_id, gate_id: &one.gate.gate_id };
    let said = decision::decide(asked, decision, &human::decider(reason), now).map_err(anyhow::Error::msg)?;
    println!("{said}");
    Ok(0)
}

/// Passes an error on, and leaves it in the log of each loop that has an open gate.
fn guarded(layout: &Layout, open: &[Open], allowed: Result<()>) -> Result<()> {
    if let Err(refused) = &allowed {
        for one in open {
            let line = Line {
                outcomes: vec![json!({"refused": refused.to_string(), "human_gate": one.gate.gate_id})],
                ..Line::new("human_gate", &one.loop_id, one.gate.iteration, Timestamp::now())
            };
            // The refusal stands with or without its line.
            audit::append(&layout.log(&one.loop_id), line).ok();
        }
    }
    allowed
}

fn open_gates(layout: &Layout) -> Result<Vec<Open>> {
    let registry = Registry::read(layout)?;
    let with_gate = registry.loops.iter().filter(|(_, entry)| entry.gate_open);
    let open = with_gate.filter_map(|(id, _)| {
        let state = LoopState::read(layout, id).ok()?;
        state.open_gate().cloned().map(|gate| Open { loop_id: id.clone(), gate })
    });
    Ok(open.collect())
}

fn find<'o>(layout: &Layout, open: &'o [Open], which: &Which) -> Result<&'o Open> {
    let Some(id) = &which.id else {
        return match open {
            [only] => Ok(only),
            [] => bail!("nothing waits for a decision"),
            several => bail!("{} gates are open; name one: `steadfast gate list` shows them", several.len()),
        };
    };
    let is_meant = |one: &&Open| {
        one.gate.gate_id.starts_with(id.as_str())
            || one.loop_id == *id
            || one.gate.event_ids.iter().any(|event| event.starts_with(id.as_str()))
    };
    let mut meant = open.iter().filter(is_meant);
    match (meant.next(), meant.next()) {
        (Some(one), None) => Ok(one),
        (Some(_), Some(_)) => bail!("{id:?} is the beginning of several ids"),
        (None, _) => bail!("no open gate in {} matches {id:?}", layout.root().display()),
    }
}

fn list(open: &[Open], json: bool, project: &Project) -> Result<u8> {
    if json {
        let gates = open.iter().map(|one| {
            json!({
                "loop_id": one.loop_id,
                "gate_id": one.gate.gate_id,
                "subject": one.gate.subject,
                "gate_type": one.gate.gate_type,
                "iteration": one.gate.iteration,
                "opened_at": one.gate.opened_at,
                "events": one.gate.event_ids,
                "message": one.gate.message,
                "delegated_to": one.gate.delegated_to(),
                "choices": one.gate.choices,
            })
        });
        println!("{:#}", json!({"gates": gates.collect::<Vec<_>>()}));
        return Ok(0);
    }
    if open.is_empty() {
        println!("Nothing waits for a decision in {}.", project.root().display());
    }
    let limit = Config::read(project.root()).0.recovery.human_gate_timeout_minutes;
    for one in open {
        show(one, limit);
    }
    Ok(0)
}

fn show(one: &Open, limit_minutes: Option<u64>) {
    let waited = Timestamp::now().duration_since(one.gate.opened_at).as_mins().max(0);
    let overdue = limit_minutes.is_some_and(|limit| waited as u64 >= limit);
    let overdue = if overdue { ", overdue; it stays closed until you decide" } else { "" };
    println!("{} in loop {} (open for {waited} min{overdue})", one.gate.gate_id.bold(), shown(&one.loop_id));
    if let Some(person) = one.gate.delegated_to() {
        println!("Left to {}.", shown(person));
    }
    println!("\n{}\n", lines_shown(&one.gate.message));
}

/// A message with its line ends; nothing else in it moves a terminal's cursor.
fn lines_shown(message: &str) -> String {
    message.lines().map(shown).collect::<Vec<_>>().join("\n")
}

/// Shows each open gate and asks, with the diff on demand.
fn pick(project: &Project, layout: &Layout, open: &[Open]) -> Result<u8> {
    if open.is_empty() {
        return list(open, false, project);
    }
    guarded(layout, open, human::at_a_terminal("decide at a gate"))?;
    let limit = Config::read(project.root()).0.recovery.human_gate_timeout_minutes;
    let mut typed = std::io::stdin().lock().lines();
    for one in open {
        show(one, limit);
        loop {
            let numbers: Vec<String> = one
                .gate
                .choices
                .iter()
                .enumerate()
                .map(|(n, choice)| format!("{} {}", n + 1, choice.id))
                .collect();
            print!(
                "Enter choice ({}, d diff, h history, o other ways, w REASON whitelist, s skip): ",
                numbers.join(", ")
            );
            anstream::stdout().flush()?;
            let Some(line) = typed.next().transpose()? else { return Ok(1) };
            match line.trim() {
                "s" | "skip" => break,
                "d" | "v" | "diff" | "view" => diff(project, layout, one)?,
                "h" | "history" => options::history(layout, one)?,
                "o" | "suggest" => options::suggest(layout, one)?,
                word if options::is_false_alarm(word) => {
                    if options::false_alarm(project, layout, one, word)? {
                        break;
                    }
                }
                word => match one.gate.meant(word) {
                    Some(decision) => {
                        decide(project, layout, one, decision, None, Timestamp::now())?;
                        break;
                    }
                    None => println!("{word:?} is no answer here."),
                },
            }
        }
    }
    Ok(0)
}

/// What a rejection would take back, as a diff from the checkpoint to what is there.
fn diff(project: &Project, layout: &Layout, one: &Open) -> Result<()> {
    let state = LoopState::read(layout, &one.loop_id)?;
    let store = Store::of_project(project.root());
    let first = decision::first_iteration(&state, &one.gate);
    let manifest = decision::last_good(&store, &one.loop_id, first).map_err(anyhow::Error::msg)?;
    let options = Options { force: true, dry_run: true, paths: Vec::new(), now: Timestamp::now() };
    let report = undo::restore(&store, &Selection::Id(manifest.address()), &options)?;
    let whole = manifest.whole(&store)?;
    let scratch = tempfile::tempdir()?;
    let (old, new) = (scratch.path().join("before"), scratch.path().join("now"));
    std::fs::create_dir_all(&old)?;
    std::fs::create_dir_all(&new)?;
    for path in report.restored.iter().chain(&report.removed) {
        if let Some(Node::File { sha256, .. }) = whole.entry(path).map(|entry| &entry.node) {
            put(&old.join(path), &store.objects().read(sha256)?)?;
        }
        if let Ok(bytes) = std::fs::read(store.path(path)) {
            put(&new.join(path), &bytes)?;
        }
        println!("{}", shown(&path_text(path)));
    }
    // It answers 1 when there are differences, which is the point.
    Command::new("git")
        .args(["--no-pager", "diff", "--no-index", "--no-ext-diff", "before", "now"])
        .current_dir(scratch.path())
        .status()
        .context("git diff")?;
    Ok(())
}

fn put(path: &Path, bytes: &[u8]) -> Result<()> {
    if let Some(directory) = path.parent() {
        std::fs::create_dir_all(directory)?;
    }
    Ok(std::fs::write(path, bytes)?)
}

/// The loop and the full id of an open regression.
fn open_event(layout: &Layout, start: &str) -> Result<(String, String)> {
    let mut matches = Vec::new();
    for id in Registry::read(layout)?.loops.keys() {
        let Ok(state) = LoopState::read(layout, id) else { continue };
        let open = state.open_regressions().filter(|open| open.event_id.starts_with(start));
        matches.extend(open.map(|open| (id.clone(), open.event_id.clone())));
    }
    match matches.as_slice() {
        [one] => Ok(one.clone()),
        other => bail!("{} open regressions match {start:?}; `steadfast status` lists them", other.len()),
    }
}

fn accept_early(project: &Project, layout: &Layout, answer: &Answer, now: Timestamp) -> Result<u8> {
    let (loop_id, event_id) = open_event(layout, answer.which.id.as_deref().unwrap_or_default())?;
    let asked = Asked { project, layout, loop_id: &loop_id, gate_id: "" };
    let said = decision::accept_event(asked, &event_id, &human::decider(answer.reason.clone()), now)
        .map_err(anyhow::Error::msg)?;
    println!("{said}");
    Ok(0)
}

fn false_alarm(
    project: &Project,
    layout: &Layout,
    alarm: &FalseAlarm,
    silence: Silence,
    now: Timestamp,
) -> Result<u8> {
    guarded(layout, &open_gates(layout)?, human::at_a_terminal("call a finding a false alarm"))?;
    let (loop_id, event_id) = open_event(layout, &alarm.event)?;
    let asked = Asked { project, layout, loop_id: &loop_id, gate_id: "" };
    let by = human::decider(Some(alarm.reason.clone()));
    let said =
        decision::call_false_positive(asked, &event_id, &by, silence, now).map_err(anyhow::Error::msg)?;
    println!("{said}");
    Ok(0)
}
