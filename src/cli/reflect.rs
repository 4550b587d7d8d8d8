//! `steadfast reflect`: what loops learned, listed, shown and cleared.

use anstream::println;
use anyhow::{Result, bail};
use clap::Subcommand;
use serde_json::json;

use super::columns::moment;
use crate::loops::reflexion::record::{Outcome, Reflection};
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
    match command {
        ReflectCommand::List { json } => list(&reflections, *json),
        ReflectCommand::Show { loop_id, iteration, json } => show(&reflections, loop_id, *iteration, *json)?,
        ReflectCommand::Patterns { json } => patterns(&reflections, *json),
        ReflectCommand::Clear { loop_id, all: _, json } => clear(&reflections, loop_id.as_deref(), *json)?,
    }
    Ok(0)
}

fn list(reflections: &Reflections, json: bool) {
    let index = reflections.index();
    if json {
        println!(
            "{:#}",
            json!({
                "loops": index.loops, "total_loops": index.total_loops, "total_reflections": index.total_reflections,
                "last_updated": index.last_updated,
            })
        );
        return;
    }
    if index.loops.is_empty() {
        println!("No loop has reflections yet.");
    }
    for (id, listed) in &index.loops {
        println!("{id}  {} reflections, {}\n    {}", listed.iterations, name(listed.outcome), listed.task);
    }
}

fn show(reflections: &Reflections, id: &str, iteration: Option<u32>, json: bool) -> Result<()> {
    loop_id::check(id)?;
    let all = reflections.of_loop(id);
    let meant = |one: &&Reflection| iteration.is_none_or(|number| one.trial_number == number);
    let chosen: Vec<&Reflection> = all.iter().filter(meant).collect();
    if chosen.is_empty() {
        bail!("loop {id} has no such reflection; `steadfast reflect list` shows which there are");
    }
    if json {
        println!("{:#}", json!(chosen));
        return Ok(());
    }
    for one in chosen {
        println!("Iteration {}: {} ({})", one.trial_number, name(one.outcome), moment(one.timestamp));
        println!("  Tried: {}", one.actor_output.strategy);
        println!("  {}", one.reflection);
        if !one.strategy_change.is_empty() {
            println!("  Strategy change: {}", one.strategy_change);
        }
    }
    Ok(())
}

fn patterns(reflections: &Reflections, json: bool) {
    let index = reflections.index();
    let known: Vec<_> = index.seen.values().filter(|pattern| pattern.is_known()).collect();
    if json {
        println!("{:#}", json!(known));
        return;
    }
    if known.is_empty() {
        println!("No failure has come twice yet.");
    }
    for pattern in known {
        println!(
            "{}  seen {}, {:.0}% of its loops succeeded",
            pattern.pattern_id,
            counted(pattern.frequency, "time"),
            pattern.success_rate * 100.0
        );
        println!("    {}", pattern.description);
        for by in &pattern.resolved_by {
            println!("    gone after {by}");
        }
    }
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
        println!("{cleared} reflections are cleared.");
    }
    Ok(())
}

fn name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Success => "success",
        Outcome::Failure => "failure",
        Outcome::Partial => "partial",
    }
}
