//! `steadfast status`: the loops of a project and how they stand.

mod views;

use anstream::println;
use anyhow::{Context, Result};
use clap::Args;
use owo_colors::OwoColorize;
use serde_json::{Value, json};

use self::views::Views;
use super::doctor::guard::{self, Guard};
use super::install::client;
use super::seen::works;
use super::{checkpoint, columns};
use crate::checkpoint::store::Store;
use crate::config::Config;
use crate::definitions;
use crate::lifecycle::session::{guarded_session, legacy, liveness, overdue};
use crate::model::finding::counted;
use crate::project::Project;
use crate::state::audit::{self, Remark};
use crate::state::history;
use crate::state::layout::Layout;
use crate::state::loop_state::{Level, LoopState, Status};
use crate::state::registry::{Kind, Registry};
use crate::text::verdicts::short_id;
use crate::text::{gate, session};

/// From here on the space that checkpoints take is worth a warning, megabytes.
const SIZE_WARNING_MB: u64 = 2_000;

/// Arguments of `steadfast status`.
#[derive(Debug, Args)]
pub struct StatusArgs {
    /// One loop, in full
    #[arg(value_name = "LOOP_ID")]
    id: Option<String>,
    /// The same, as the documents write it
    #[arg(long, value_name = "ID", conflicts_with = "id")]
    loop_id: Option<String>,
    /// Loops that are over, and sessions, too
    #[arg(long)]
    all: bool,
    /// Show the baseline, where the loop is now, its regressions and its best iteration
    #[arg(long)]
    persistence: bool,
    /// Show every regression and what became of it
    #[arg(long)]
    regressions: bool,
    /// Show the quality of every iteration as a bar
    #[arg(long)]
    quality: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// With --json: 0 for what nobody measured, for readers of the schema that allow no null
    #[arg(long, requires = "json")]
    zeros: bool,
}

impl StatusArgs {
    fn named(&self) -> Option<&String> {
        self.id.as_ref().or(self.loop_id.as_ref())
    }

    fn wants_a_view(&self) -> bool {
        self.persistence || self.regressions || self.quality
    }
}

/// Shows the loops of the project that the current directory belongs to.
pub fn status(args: &StatusArgs) -> Result<u8> {
    let project = Project::locate(&std::env::current_dir()?);
    let layout = definitions::layout_of(project.root());
    if let Err(problem) = legacy::bring_in(&project, &layout, jiff::Timestamp::now()) {
        anstream::eprintln!("steadfast: {problem}");
    }
    let now = jiff::Timestamp::now();
    overdue::end_overdue(&project, &layout, now).iter().for_each(|told| anstream::eprintln!("{told}"));
    liveness::put_aside_crashed(&layout, now);
    guarded_session::tidy(&layout, now);
    let registry = Registry::read(&layout)?;
    let states = match args.named() {
        Some(id) => {
            crate::state::loop_id::check(id)?;
            vec![LoopState::read(&layout, id).with_context(|| format!("no loop {id}"))?]
        }
        None => {
            let ids = registry.loops.iter().filter(|(_, entry)| {
                args.all || (!entry.status.is_over() && (entry.kind == Kind::Explicit || entry.has_findings))
            });
            ids.filter_map(|(id, _)| LoopState::read(&layout, id).ok()).collect()
        }
    };
    let states: Vec<LoopState> = states.into_iter().map(|state| history::whole(&layout, state)).collect();
    let (config, _) = Config::read(project.root());
    let version = client::version(None);
    let guard = guard::of(&std::env::current_dir()?, version);
    let views = |state| Views::of(args, state, &layout, &config);
    if args.json {
        let mut loops = json!(states);
        if args.wants_a_view() {
            loops = states.iter().map(|state| views(state).json()).collect();
        }
        if args.zeros {
            loops.as_array_mut().into_iter().flatten().for_each(with_zeros);
        }
        let shown = json!({"project": project.root(), "guard": guard, "loops": loops});
        println!("{}", serde_json::to_string_pretty(&shown)?);
        return Ok(0);
    }
    if !args.wants_a_view() {
        show_guard(&guard);
    }
    if states.is_empty() {
        println!("No loop is running in {}.", project.root().display());
    }
    for (n, state) in states.iter().enumerate() {
        if n > 0 {
            println!();
        }
        if args.wants_a_view() {
            views(state).print(states.len() > 1);
        } else {
            show(state, args.named().is_some(), config.enabled, &layout);
        }
    }
    if args.wants_a_view() {
        return Ok(0);
    }
    if let Some(line) = client::untested(version) {
        println!("\n{line}");
    }
    let store = Store::of_project(project.root());
    if let Some(line) = checkpoint::size_line(&store, SIZE_WARNING_MB, config.checkpoints.max_total_mb) {
        println!("\n{line}");
    }
    Ok(0)
}

/// Whether sessions here are guarded, in one line.
fn show_guard(guard: &Guard) {
    let said = if guard.guarded {
        format!("{} {}.", "Guarded".green(), guard.why)
    } else {
        format!("{}: {}. `steadfast doctor` says more.", "Not guarded".red(), guard.why)
    };
    println!("{}", columns::wrapped(&said, 2, columns::width()));
}

/// The state with a number for every count that the schema wants and nobody has measured; `unavailable` says why.
fn with_zeros(state: &mut Value) {
    for field in ["test_count", "coverage_percentage"] {
        let measured = state.pointer_mut(&format!("/baseline_metrics/{field}"));
        if let Some(missing) = measured.filter(|value| value.is_null()) {
            *missing = json!(0);
        }
    }
}

fn show(state: &LoopState, full: bool, enabled: bool, layout: &Layout) {
    let status = match state.status {
        Status::Running => state.status.name().green().to_string(),
        Status::Failed | Status::Aborted | Status::Crashed => state.status.name().red().to_string(),
        _ => state.status.name().yellow().to_string(),
    };
    let name = match state.kind {
        Kind::Explicit => state.loop_id.clone(),
        Kind::Implicit => works::name(state.kind, &state.loop_id, state.session_id.as_deref()),
    };
    println!("{} {status}", name.bold());
    if state.kind == Kind::Explicit {
        println!("  Task: {}", state.task);
        println!("  Done when: {}", state.completion_criteria);
        println!("  Iteration: {} of {}", state.iteration, state.configuration.max_iterations);
        let claimed = match &state.session_id {
            Some(session) => format!("session {session}"),
            None => "none yet; the next that starts in this project claims it".to_owned(),
        };
        println!("  Session: {claimed}");
    }
    println!("  Hooks: {}", session::hooks_active(state, enabled));
    show_outside_changes(state, layout);
    for open in state.human_gates.iter().filter(|open| open.is_open()) {
        let asked = format!("{} in iteration {} waits for your decision", gate::about(open), open.iteration);
        println!("  Gate: {}, since {}: steadfast gate", asked.red(), columns::moment(open.opened_at));
    }
    if let Some(last) = state.iteration_history.last() {
        println!("  Last result: {}", last.result);
        if !last.learnings.is_empty() {
            println!("  Learned: {}", last.learnings);
        }
    }
    if state.kind == Kind::Explicit {
        println!("  Reminders: {}", reminders(state.reinforcement_level));
    }
    println!(
        "  {}, {}, {}",
        counted(usize::try_from(state.risky_actions_total).unwrap_or(usize::MAX), "risky call"),
        counted(usize::try_from(state.hits().0).unwrap_or(usize::MAX), "finding"),
        counted(state.open_regressions().count(), "open regression")
    );
    for event in state.regression_events.iter().filter(|event| full || event.is_open()) {
        let end = if event.is_open() { "open".red().to_string() } else { "closed".to_owned() };
        println!(
            "  [{}] iteration {} - {} ({}), {end}: {}",
            short_id(&event.event_id),
            event.iteration,
            event.regression_type.name(),
            event.severity.name(),
            counted(event.lost().len(), "test")
        );
        for name in event.lost() {
            println!("    - {name}");
        }
    }
    if full {
        for record in &state.iteration_history {
            let gone = if record.is_reverted() { ", taken back" } else { "" };
            println!(
                "  Iteration {}{gone}: {:.0}% {}",
                record.iteration, record.quality_score, record.result
            );
        }
    }
    if let Some(report) = &state.completion_report_path {
        println!("  Report: {report}");
    }
    println!("  State: {}", layout.state(&state.loop_id).display());
}

/// How strongly the agent is reminded, in words for people.
fn reminders(level: Level) -> &'static str {
    match level {
        Level::Off => "none",
        Level::Minimal => "short",
        Level::Standard => "usual",
        Level::Aggressive => "strong",
        Level::Adaptive => "as quality asks for",
    }
}

/// What something else has written into Steadfast's own files: as the hooks found it, and as the log is now.
fn show_outside_changes(state: &LoopState, layout: &Layout) {
    for change in state.outside_changes.iter().flatten() {
        let found = columns::moment(change.timestamp);
        let told = format!("the {} was changed by something else: {}", change.file, change.what);
        println!("  Critical: {}, found {found}", told.red());
    }
    let log = audit::verify_log(&layout.log(&state.loop_id)).ok();
    if let Some(fault) = log.and_then(|report| report.faults.first().map(Remark::in_words)) {
        let told = format!("the log was changed by something else: {fault}");
        println!("  Critical: {}; steadfast log verify {}", told.red(), state.loop_id);
    }
}
