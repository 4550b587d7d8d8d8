//! `steadfast reflect`: what loops learned, listed, shown and cleared.

use std::io::{self, Write};

use anstream::println;
use anyhow::{Result, bail};
use clap::Subcommand;
use serde_json::json;

use super::columns::{FittedWriter, moment};
use super::{pages, reader_gone_is_fine};
use crate::loops::reflexion::record::{Reflection, TrialOutcome};
use crate::loops::reflexion::store::Reflections;
use crate::model::finding::counted;
use crate::project::Project;
use crate::state::layout::Layout;
use crate::state::loop_id;

/// What loops learned from their iterations
#[derive(Debug, Subcommand)]
pub enum ReflectCommand {
    /// List the loops that have reflections
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Show a loop's reflections, or one of them
    Show {
        /// The loop
        loop_id: String,
        /// The iteration
        iteration: Option<u32>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Show the failures that came more than once, and what ended them
    Patterns {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Forget a loop's reflections, or all of them; only a person can
    Clear {
        /// The loop
        #[arg(required_unless_present = "all")]
        loop_id: Option<String>,
        /// Everything
        #[arg(long, conflicts_with = "loop_id")]
        all: bool,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

/// Runs a reflect command.
pub fn run(command: &ReflectCommand) -> Result<u8> {
    let project = Project::locate(&std::env::current_dir()?);
    let reflections = Reflections::of(&Layout::of_project(project.root()));
    if let ReflectCommand::Clear { loop_id, all: _, json } = command {
        clear(&reflections, loop_id.as_deref(), *json)?;
        return Ok(0);
    }
    let written = pages::paged(|out| {
        Ok(match command {
            ReflectCommand::List { json } => list(out, &reflections, *json),
            ReflectCommand::Show { loop_id, iteration, json } => {
                show(out, &chosen(&reflections, loop_id, *iteration)?, *json)
            }
            ReflectCommand::Patterns { json } => patterns(out, &reflections, *json),
            ReflectCommand::Clear { .. } => Ok(()),
        })
    })?;
    reader_gone_is_fine(written.map(|()| 0))
}

fn list(out: &mut dyn Write, reflections: &Reflections, json: bool) -> io::Result<()> {
    let index = reflections.index();
    if json {
        let listed = json!({
            "loops": index.loops, "total_loops": index.total_loops, "total_reflections": index.total_reflections,
            "last_updated": index.last_updated,
        });
        return writeln!(out, "{listed:#}");
    }
    let out = &mut FittedWriter::new(out);
    if index.loops.is_empty() {
        writeln!(out, "No loop has reflections yet.")?;
    }
    for (id, listed) in &index.loops {
        let count = counted(usize::try_from(listed.iterations).unwrap_or(usize::MAX), "reflection");
        writeln!(out, "{id}  {count}, {}\n    {}", name(listed.outcome), listed.task)?;
    }
    Ok(())
}

/// The reflections of a loop that are meant.
fn chosen(reflections: &Reflections, id: &str, iteration: Option<u32>) -> Result<Vec<Reflection>> {
    loop_id::check(id)?;
    let mut chosen = reflections.of_loop(id);
    chosen.retain(|one| iteration.is_none_or(|number| one.trial_number == number));
    if chosen.is_empty() {
        bail!("loop {id} has no such reflection; `steadfast reflect list` shows which there are");
    }
    Ok(chosen)
}

fn show(out: &mut dyn Write, chosen: &[Reflection], json: bool) -> io::Result<()> {
    if json {
        return writeln!(out, "{:#}", json!(chosen));
    }
    let out = &mut FittedWriter::new(out);
    for one in chosen {
        writeln!(out, "Iteration {}: {} ({})", one.trial_number, name(one.outcome), moment(one.timestamp))?;
        writeln!(out, "  Tried: {}", one.actor_output.strategy)?;
        writeln!(out, "  {}", one.reflection)?;
        if !one.strategy_change.is_empty() {
            writeln!(out, "  Strategy change: {}", one.strategy_change)?;
        }
    }
    Ok(())
}

fn patterns(out: &mut dyn Write, reflections: &Reflections, json: bool) -> io::Result<()> {
    let index = reflections.index();
    let known: Vec<_> = index.seen.values().filter(|pattern| pattern.is_known()).collect();
    if json {
        return writeln!(out, "{:#}", json!(known));
    }
    let out = &mut FittedWriter::new(out);
    if known.is_empty() {
        writeln!(out, "No failure has come twice yet.")?;
    }
    for pattern in known {
        let (id, times) = (&pattern.pattern_id, counted(pattern.frequency, "time"));
        writeln!(out, "{id}  seen {times}, {:.0}% of its loops succeeded", pattern.success_rate * 100.0)?;
        writeln!(out, "    {}", pattern.description)?;
        for by in &pattern.resolved_by {
            writeln!(out, "    gone after {by}")?;
        }
    }
    Ok(())
}

fn clear(reflections: &Reflections, id: Option<&str>, json: bool) -> Result<()> {
    super::human::only("clear reflections")?;
    if let Some(id) = id {
        loop_id::check(id)?;
    }
    let cleared = reflections.clear(id, jiff::Timestamp::now())?;
    if json {
        println!("{:#}", json!({"cleared": cleared}));
    } else {
        println!("Reflections that are cleared: {cleared}");
    }
    Ok(())
}

fn name(outcome: TrialOutcome) -> &'static str {
    match outcome {
        TrialOutcome::Success => "success",
        TrialOutcome::Failure => "failure",
        TrialOutcome::Partial => "partial",
    }
}
