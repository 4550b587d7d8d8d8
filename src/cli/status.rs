//! `steadfast status`: the loops of a project and how they stand.

mod summary;
mod views;

use std::io::{self, Write};

use anyhow::Result;
use clap::Args;
use owo_colors::OwoColorize;
use serde_json::{Value, json};

use self::summary::show;
use self::views::Views;
use super::guard::{self, GuardStatus};
use super::install::client;
use super::seen::works;
use super::{checkpoint, columns, pages};
use crate::checkpoint::journal::Journal;
use crate::checkpoint::store::Store;
use crate::config::Config;
use crate::definitions;
use crate::lifecycle::context::known_loops;
use crate::lifecycle::session::{guarded_session, legacy, liveness, overdue};
use crate::project::Project;
use crate::state::history;
use crate::state::layout::Layout;
use crate::state::loop_state::LoopState;
use crate::state::registry::{Error, Kind, Registry};

/// From here on the space that checkpoints take is worth a warning, megabytes.
const SIZE_WARNING_MB: u64 = 2_000;

/// Arguments of `steadfast status`.
#[derive(Debug, Args)]
pub struct StatusArgs {
    /// One loop, in full
    #[arg(value_name = "LOOP_ID")]
    id: Option<String>,
    /// The same, as AIWG writes it
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
    let registry_fault = known_loops::fault(&layout);
    if registry_fault.is_none() {
        // What a hook is to tell is not put right here, where the agent does not hear it.
        bring_up_to_date(&project, &layout);
    }
    let states = states(args, &layout)?;
    let (config, _) = Config::read(project.root());
    let version = client::version(None);
    let guard = guard::of(&std::env::current_dir()?, version);
    let fault = registry_fault.as_deref();
    let shown =
        ShownLoops { args, project: &project, layout: &layout, config: &config, states: &states, fault };
    super::reader_gone_is_fine(
        pages::paged(|out| match (args.json, args.wants_a_view()) {
            (true, _) => shown.print_json(out, &guard),
            (false, true) => Ok(shown.print_views(out)),
            (false, false) => {
                let out = &mut columns::FittedWriter::new(out);
                Ok(show_guard(out, &guard)
                    .and_then(|()| shown.print_loops(out))
                    .and_then(|()| shown.print_remarks(out, client::untested(version))))
            }
        })?
        .map(|()| 0),
    )
}

/// Takes in what has happened since a hook last looked: an older version's loop, time that is over, sessions that are
/// gone.
fn bring_up_to_date(project: &Project, layout: &Layout) {
    let now = jiff::Timestamp::now();
    if let Err(problem) = legacy::bring_in(project, layout, now) {
        anstream::eprintln!("steadfast: {problem}");
    }
    overdue::end_overdue(project, layout, now).iter().for_each(|told| anstream::eprintln!("{told}"));
    liveness::put_aside_crashed(layout, now);
    guarded_session::tidy(layout, now);
}

/// The loops that are asked for, with all of their history.
fn states(args: &StatusArgs, layout: &Layout) -> Result<Vec<LoopState>> {
    let (mut registry, damage) = Registry::read_or_rebuild(layout);
    registry.restore(layout, None);
    if let Some(error @ (Error::Io { .. } | Error::Newer { .. })) = damage {
        return Err(error.into());
    }
    let states = match args.named() {
        Some(id) => {
            crate::state::loop_id::check(id)?;
            // A loop whose folder is gone is told of by what was kept of it.
            let kept = |fault| LoopState::read(layout, id).map_err(|_| fault);
            vec![works::meant(layout, Some(id)).or_else(kept)?]
        }
        None => {
            let ids = registry.loops.iter().filter(|(_, entry)| {
                args.all || (!entry.status.is_over() && (entry.kind == Kind::Explicit || entry.has_findings))
            });
            ids.filter_map(|(id, _)| LoopState::read(layout, id).ok()).collect()
        }
    };
    Ok(states.into_iter().map(|state| history::whole(layout, state)).collect())
}

/// The loops of a project, to be shown.
struct ShownLoops<'a> {
    args: &'a StatusArgs,
    project: &'a Project,
    layout: &'a Layout,
    config: &'a Config,
    states: &'a [LoopState],
    /// What is wrong with the registry.
    fault: Option<&'a str>,
}

impl ShownLoops<'_> {
    fn views<'a>(&'a self, state: &'a LoopState) -> Views<'a> {
        Views::of(self.args, state, self.layout, self.config)
    }

    fn print_json(&self, out: &mut dyn Write, guard: &GuardStatus) -> Result<io::Result<()>> {
        let mut loops = json!(self.states);
        if self.args.wants_a_view() {
            loops = self.states.iter().map(|state| self.views(state).json()).collect();
        }
        if self.args.zeros {
            loops.as_array_mut().into_iter().flatten().for_each(with_zeros);
        }
        let shown = json!({
            "project": self.project.root(), "guard": guard, "loops": loops, "registry_fault": self.fault,
        });
        Ok(writeln!(out, "{}", serde_json::to_string_pretty(&shown)?))
    }

    fn print_views(&self, out: &mut dyn Write) -> io::Result<()> {
        self.print_each(out, |out, state| self.views(state).print(out, self.states.len() > 1))
    }

    fn print_loops(&self, out: &mut dyn Write) -> io::Result<()> {
        if let Some(fault) = self.fault {
            writeln!(out, "Critical: {}", fault.trim_start_matches("CRITICAL: ").red())?;
        }
        let is_full = self.args.named().is_some();
        self.print_each(out, |out, state| show(out, state, is_full, self.config.enabled, self.layout))
    }

    /// Prints the loops one below the other, or that there is none.
    fn print_each(
        &self,
        out: &mut dyn Write,
        print: impl Fn(&mut dyn Write, &LoopState) -> io::Result<()>,
    ) -> io::Result<()> {
        if self.states.is_empty() {
            writeln!(out, "No loop is running in {}.", self.project.root().display())?;
        }
        for (n, state) in self.states.iter().enumerate() {
            if n > 0 {
                writeln!(out)?;
            }
            print(out, state)?;
        }
        Ok(())
    }

    /// Prints what is said of the client and of what is kept.
    fn print_remarks(&self, out: &mut dyn Write, client: Option<String>) -> io::Result<()> {
        let store = Store::of_project(self.project.root());
        if matches!(Journal::read(&store), Ok(Some(_))) {
            writeln!(out, "\nAn undo was cut short. `steadfast undo --continue` finishes it.")?;
        }
        let most = self.config.checkpoints.max_total_mb;
        let kept = checkpoint::size_line(&store, SIZE_WARNING_MB, most);
        client.into_iter().chain(kept).try_for_each(|line| writeln!(out, "\n{line}"))
    }
}

/// Says whether sessions here are guarded, in one line.
fn show_guard(out: &mut dyn Write, guard: &GuardStatus) -> io::Result<()> {
    let said = if guard.guarded {
        format!("{} {}.", "Guarded".green(), guard.why)
    } else {
        format!("{}: {}. `steadfast doctor` says more.", "Not guarded".red(), guard.why)
    };
    writeln!(out, "{said}")
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
