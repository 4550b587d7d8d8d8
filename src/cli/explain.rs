//! `steadfast explain`: what a command or an event would do, and what Steadfast would answer. Nothing runs.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anstream::println;
use anyhow::{Context, Result, bail};
use clap::Args;
use owo_colors::OwoColorize;

use crate::lifecycle::Env;
use crate::lifecycle::call::explain;
use crate::lifecycle::call::explain::{Explanation, SeenEffect};
use crate::project::Project;

/// How many kept or changed files are named before the rest is counted.
const MOST_NAMES: usize = 8;

/// Arguments of `steadfast explain`.
#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// The shell command, as one word in quotes
    command: Option<String>,
    /// A hook event in a file (`-` for stdin) instead
    #[arg(long, value_name = "FILE", conflicts_with = "command")]
    event: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Explains a command or an event. Returns 0 whatever the verdict is.
pub fn explain(args: &ExplainArgs) -> Result<u8> {
    let home = std::env::var_os("HOME").filter(|home| !home.is_empty()).map(PathBuf::from);
    let explanation = match (&args.command, &args.event) {
        (Some(command), _) => {
            let directory = std::env::current_dir()?;
            explain::command(command, &directory, home.as_deref().unwrap_or(Path::new("/")))
        }
        (None, Some(file)) => {
            let bytes = read(file)?;
            let variables = |name: &str| std::env::var(name).ok();
            let env = Env {
                started: Instant::now(),
                now: jiff::Timestamp::now(),
                home,
                vars: &variables,
                guard: &|| {},
            };
            explain::event(&bytes, &env)
                .map_err(|why| anyhow::anyhow!("{} holds no hook event: {why}", file.display()))?
        }
        (None, None) => bail!("a command in quotes, or --event FILE, is needed"),
    };
    if args.json {
        println!("{}", serde_json::to_string_pretty(&explanation)?);
    } else {
        show(&explanation);
    }
    Ok(0)
}

fn read(file: &Path) -> Result<Vec<u8>> {
    if file == Path::new("-") {
        let mut bytes = Vec::new();
        io::stdin().read_to_end(&mut bytes).context("cannot read stdin")?;
        return Ok(bytes);
    }
    fs::read(file).with_context(|| format!("cannot read {}", file.display()))
}

fn show(explanation: &Explanation) {
    println!("{}", explanation.subject.bold());
    if !explanation.commands.is_empty() {
        println!("\nWhat runs");
    }
    for command in &explanation.commands {
        let place = match (command.remote, command.directory.as_deref()) {
            (true, _) => "  (on another machine or in a container)".to_owned(),
            (false, Some(".")) => String::new(),
            (false, Some(directory)) => format!("  (in {directory})"),
            (false, None) => "  (in a folder that isn't known)".to_owned(),
        };
        println!("  {}{place}", command.line);
    }
    for piece in &explanation.unread {
        println!("  {} {piece}", "can't be read:".yellow());
    }
    if !explanation.effects.is_empty() {
        println!("\nWhat it does");
    }
    for effect in &explanation.effects {
        println!("  {}{}  [{}]", effect.does, targets(effect), effect.by);
    }
    show_judgement(explanation);
}

/// ` a, b`, and ` a to b` where the last one is the destination.
fn targets(effect: &SeenEffect) -> String {
    match effect.targets.as_slice() {
        [] => String::new(),
        [sources @ .., to] if !sources.is_empty() && matches!(effect.does, "moves" | "copies") => {
            format!(" {} to {to}", sources.join(", "))
        }
        targets => format!(" {}", targets.join(", ")),
    }
}

fn show_judgement(explanation: &Explanation) {
    if !explanation.findings.is_empty() || !explanation.risks.is_empty() {
        println!("\nWhat Steadfast finds");
    }
    for finding in &explanation.findings {
        println!(
            "  {} {} ({}): {}",
            finding.pattern_id.red(),
            finding.pattern_name,
            finding.severity.name(),
            finding.what
        );
        for lost in finding.lost_names().take(MOST_NAMES) {
            println!("    - {lost}");
        }
        println!("    Instead: {}", finding.mend);
    }
    for risk in &explanation.risks {
        println!("  {} ({}): {}", risk.class, risk.level.name(), risk.target);
    }
    let here = std::env::current_dir().ok().map(|here| Project::locate(&here));
    let name =
        |path: &PathBuf| here.as_ref().map_or_else(|| path.display().to_string(), |here| here.name_of(path));
    let names: Vec<String> = explanation.kept.iter().map(name).collect();
    named("Kept for an undo", &names);
    named("New text is known of", &explanation.changes);
    let verdict = match explanation.verdict {
        "stop" => "stop".red().to_string(),
        "context" => "context".yellow().to_string(),
        other => other.green().to_string(),
    };
    println!("\nVerdict: {verdict} - {}", explanation.means);
}

fn named(title: &str, names: &[String]) {
    if names.is_empty() {
        return;
    }
    let shown: Vec<&str> = names.iter().take(MOST_NAMES).map(String::as_str).collect();
    let more = names.len().saturating_sub(MOST_NAMES);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    println!("\n{title}: {}{rest}", shown.join(", "));
}
