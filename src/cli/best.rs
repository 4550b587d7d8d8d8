//! `steadfast best`: which iteration of a loop is worth keeping, and its files back.

use anstream::println;
use anyhow::{Context, Result, bail};
use clap::Args;
use serde_json::json;

use super::columns::say;
use super::undo::{self, UndoArgs};
use crate::agents::best_output::IterationSelection;
use crate::checkpoint::catalogue;
use crate::checkpoint::store::Store;
use crate::config::Config;
use crate::definitions;
use crate::lifecycle::context::hook_context::change_state;
use crate::lifecycle::hooks::loop_complete;
use crate::project::Project;
use crate::state::atomic::Durability;
use crate::state::audit::{self, Line};
use crate::state::history;
use crate::state::layout::Layout;
use crate::state::lock::CLI_WAIT;
use crate::state::loop_state::{LoopState, SelectionOverride};
use crate::state::registry::{Kind, Registry};

/// Arguments of `steadfast best`.
#[derive(Debug, Args)]
pub struct BestArgs {
    /// The loop; the newest one when not given
    loop_id: Option<String>,
    /// Bring the files of that iteration back; newer work is named and left alone
    #[arg(long)]
    apply: bool,
    /// Select this iteration instead: `best`, `final` or its number
    #[arg(long = "use", value_name = "ITERATION", requires = "reason")]
    choice: Option<String>,
    /// Why another one is selected; it is recorded
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    /// Show what would come back and change nothing
    #[arg(long, requires = "apply")]
    dry_run: bool,
    /// Replace newer work too; it is kept first
    #[arg(long, requires = "apply")]
    force: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Shows, selects or applies the best iteration.
pub fn run(args: &BestArgs) -> Result<u8> {
    let directory = std::env::current_dir()?;
    let project = Project::locate(&directory);
    let layout = definitions::layout_of(project.root());
    let id = loop_id(&layout, args.loop_id.as_deref())?;
    if args.apply || args.choice.is_some() {
        super::human::only("select or apply an iteration")?;
    }
    let state = LoopState::read(&layout, &id).with_context(|| format!("no loop {id}"))?;
    let state = history::whole(&layout, state);
    let (config, _) = Config::read(project.root());
    let selection = loop_complete::select(&state, &config).context("no iterations recorded")?;
    let chosen = match (&args.choice, state.selected_iteration) {
        (Some(choice), _) => {
            select(&layout, &state, &selection, choice, args.reason.as_deref().unwrap_or_default())?
        }
        // A person's choice stands.
        (None, Some(selected)) if state.selection_override.is_some() => selected,
        (None, _) => selection.iteration,
    };
    if args.json && !args.apply {
        let mut told = json!(selection);
        told["loop_id"] = json!(id);
        told["chosen_iteration"] = json!(chosen);
        println!("{told:#}");
        return Ok(0);
    }
    if !args.json {
        show(&state, &selection, chosen);
    }
    if !args.apply {
        return Ok(0);
    }
    apply(args, &project, &directory, &id, chosen)
}

fn show(state: &LoopState, selection: &IterationSelection, chosen: u32) {
    let record = state.kept_iterations().find(|record| record.iteration == chosen);
    let score = record.map_or(selection.quality_score, |record| record.quality_score);
    say(format_args!(
        "Best iteration of {}: {chosen} of {} (quality: {score}%)",
        state.loop_id, selection.total_iterations
    ));
    if chosen == selection.iteration {
        say(format_args!("  {}", selection.reason));
    } else {
        let why = state.selection_override.as_ref().map(|choice| choice.reason.as_str());
        say(format_args!("  Selected by a person: {}", why.unwrap_or("no reason was recorded")));
    }
    if selection.degraded {
        println!(
            "  The final iteration, {}, is {} points below the best.",
            selection.final_iteration, selection.delta_from_final
        );
    }
    for artifact in record.iter().flat_map(|record| &record.artifacts).take(20) {
        match artifact.hash.is_empty() {
            true => println!("  {}", artifact.in_words()),
            false => println!("  {}, {} bytes", artifact.in_words(), artifact.size_bytes),
        }
    }
}

/// Records a person's choice.
fn select(
    layout: &Layout,
    state: &LoopState,
    selection: &IterationSelection,
    choice: &str,
    reason: &str,
) -> Result<u32> {
    if reason.trim().is_empty() {
        bail!("say why: --reason TEXT");
    }
    let chosen = match choice {
        "best" | "use_best" => selection.iteration,
        "final" | "use_final" => selection.final_iteration,
        number => {
            number.parse().ok().with_context(|| format!("{number} is neither best, final nor a number"))?
        }
    };
    if !state.kept_iterations().any(|record| record.iteration == chosen) {
        bail!("loop {} has no iteration {chosen} that was not taken back", state.loop_id);
    }
    let now = jiff::Timestamp::now();
    let entry = SelectionOverride {
        iteration: chosen,
        reason: reason.to_owned(),
        at: now,
        instead_of: selection.iteration,
    };
    change_state(layout, &state.loop_id, CLI_WAIT, Durability::Power, now, |state| {
        state.selected_iteration = Some(chosen);
        state.selection_override = Some(entry.clone());
    })
    .map_err(anyhow::Error::msg)?;
    let line = Line {
        outcomes: vec![json!({"selection_override": entry})],
        state_changes: [("selected_iteration".to_owned(), json!(chosen))].into_iter().collect(),
        ..Line::new("best", &state.loop_id, state.iteration, now)
    };
    audit::append(&layout.log(&state.loop_id), line).ok();
    Ok(chosen)
}

/// Brings back the tree as it was after the iteration.
fn apply(
    args: &BestArgs,
    project: &Project,
    directory: &std::path::Path,
    id: &str,
    iteration: u32,
) -> Result<u8> {
    let store = Store::of_project(project.root());
    let all = catalogue::list(&store, Some(id))?.checkpoints;
    let of_iteration = all.iter().filter(|manifest| manifest.tree && manifest.iteration == iteration);
    let Some(manifest) = of_iteration.clone().find(|manifest| manifest.label == "final") else {
        bail!(
            "the files after iteration {iteration} are not kept; `steadfast checkpoint list {id}` shows what is"
        );
    };
    let restore = UndoArgs {
        to: Some(manifest.address()),
        dry_run: args.dry_run,
        force: args.force,
        json: args.json,
        ..UndoArgs::default()
    };
    Ok(undo::run(&restore, project.root(), directory))
}

/// The named loop, or the explicit one that was active last.
fn loop_id(layout: &Layout, named: Option<&str>) -> Result<String> {
    if let Some(id) = named {
        crate::state::loop_id::check(id)?;
        return Ok(id.to_owned());
    }
    let registry = Registry::read(layout)?;
    let explicit = registry.loops.iter().filter(|(_, entry)| entry.kind == Kind::Explicit);
    let newest = explicit.max_by_key(|(_, entry)| entry.last_active);
    newest.map(|(id, _)| id.clone()).context("no loop was started in this project")
}
