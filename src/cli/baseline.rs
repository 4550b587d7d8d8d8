//! `steadfast baseline`: what a project is measured with, and what that gives now.

use std::time::Duration;

use anstream::println;
use anyhow::Result;
use clap::Args;
use serde_json::json;

use crate::cli::columns::say as tell;
use crate::config::Config;
use crate::lifecycle::measuring::baseline;
use crate::lifecycle::measuring::baseline::BaselineMeasuring;
use crate::lifecycle::measuring::measure;
use crate::model::finding::counted;
use crate::project::{Project, exclude_from_git};
use crate::state::records::Baseline;
use crate::text::persistence;

/// Arguments of `steadfast baseline`.
#[derive(Debug, Args)]
pub struct BaselineArgs {
    /// Show the commands and run none
    #[arg(long)]
    commands: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Measures the project that the current directory belongs to. What is measured is remembered, so that a loop that
/// starts with the same files has it.
pub fn run(args: &BaselineArgs) -> Result<u8> {
    let project = Project::locate(&std::env::current_dir()?);
    let (config, _) = Config::read(project.root());
    if args.commands {
        return commands(&project, &config, args.json);
    }
    exclude_from_git(project.root())?;
    let seconds = config.measuring.start_seconds;
    let mut measuring = BaselineMeasuring { time: Duration::from_secs(seconds), say: &mut say };
    let taken = baseline::take(&project, &config, &mut measuring, jiff::Timestamp::now());
    if args.json {
        println!("{:#}", json!(taken.baseline));
    } else {
        show(&taken.baseline);
    }
    Ok(0)
}

/// Says on stderr what runs next: it may take minutes.
pub fn say(command: &str) {
    anstream::eprintln!("measuring: {command}");
}

/// Prints a baseline, and why a figure is missing.
pub fn show(baseline: &Baseline) {
    tell(format_args!("Baseline: {}", persistence::metrics(&json!(baseline))));
    let files = baseline.file_count.map(|count| counted(count, "file"));
    let lines = baseline.lines_of_code.map(|count| format!("{} of code", counted(count, "line")));
    let known: Vec<String> = files.into_iter().chain(lines).collect();
    if !known.is_empty() {
        println!("  {}", known.join(", "));
    }
    for (name, number) in baseline.custom_metrics.iter().flatten() {
        println!("  {name}: {number}");
    }
    for (field, why) in &baseline.unavailable {
        tell(format_args!("  {} unknown: {}", field.replace('_', " "), why.as_str().unwrap_or_default()));
    }
}

fn commands(project: &Project, config: &Config, as_json: bool) -> Result<u8> {
    let measuring = measure::measuring_commands(project.root(), config);
    let known = measure::known_commands(project.root(), config);
    if as_json {
        let measuring = measuring.iter().map(|one| {
            json!({"measures": one.measure.field(), "command": one.command, "configured": one.configured})
        });
        let known = known.commands.iter().map(|(kind, command)| json!({"kind": kind, "command": command}));
        let (measuring, known) = (measuring.collect::<Vec<_>>(), known.collect::<Vec<_>>());
        println!(
            "{:#}",
            json!({"measuring": measuring, "known": known, "custom_metrics": config.custom_metrics})
        );
        return Ok(0);
    }
    for one in &measuring {
        let from = if one.configured { "aiwg.yml" } else { "detected" };
        println!("{:20} {from:9} {}", one.measure.field(), one.command);
    }
    for (name, command) in &config.custom_metrics {
        println!("{name:20} aiwg.yml  {command}");
    }
    for (kind, command) in &known.commands {
        let kind = json!(kind);
        println!("{:20} for criteria: {command}", kind.as_str().unwrap_or_default());
    }
    if measuring.is_empty() {
        println!(
            "No command that measures this project was found; agent_persistence.commands in aiwg.yml names them."
        );
    }
    Ok(0)
}
