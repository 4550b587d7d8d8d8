//! `steadfast today`: what was stopped, asked and undone, by session.

use std::io::Write;

use anyhow::Result;
use clap::Args;
use jiff::Timestamp;
use owo_colors::OwoColorize;
use schemars::JsonSchema;
use serde::Serialize;

use super::columns::FittedWriter;
use super::log::moment;
use super::seen::{self, SeenEvent, Sort, works};
use super::undo::shown;
use super::{pages, reader_gone_is_fine};
use crate::checkpoint::store::Store;
use crate::definitions;
use crate::project::Project;
use crate::state::layout::Layout;
use crate::state::loop_state::{Kind, LoopState};
use crate::state::schema::DateTime;

/// So many events of a session are shown; more are counted.
const SHOWN: usize = 30;

/// Show what was stopped, asked and undone today, by session
#[derive(Debug, Args)]
pub struct TodayArgs {
    /// From then on instead: 2h, 7d, 2026-02-03 or 2026-02-03T10:00:00Z
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
    /// So many of each session's newest events; 0 for all
    #[arg(long, short = 'n', value_name = "N", default_value_t = SHOWN)]
    limit: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A day in a project: what `steadfast today --json` prints.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Day {
    /// The project's folder.
    pub project: String,
    /// From when on.
    #[schemars(with = "DateTime")]
    pub since: Timestamp,
    /// All sessions together.
    pub totals: Counts,
    /// Each session and loop in which something happened, the newest first.
    pub sessions: Vec<Work>,
}

/// A session or loop.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Work {
    /// What it is called.
    pub name: String,
    /// The folder below `loops/` that holds what is known of it.
    pub loop_id: String,
    /// The client's id of its session.
    pub session_id: Option<String>,
    /// `session` or `loop`.
    pub kind: &'static str,
    /// What a loop is for.
    pub task: Option<String>,
    /// How it stands.
    pub status: &'static str,
    /// How often what happened.
    pub counts: Counts,
    /// What happened, oldest first.
    pub events: Vec<SeenEvent>,
}

/// How often what happened.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Counts {
    /// Calls that were refused.
    pub stopped: usize,
    /// Calls about which a person was asked.
    pub asked: usize,
    /// Calls that ran, and of which the agent was told something.
    pub advised: usize,
    /// Times that something was lost.
    pub lost: usize,
    /// Times that something was put back.
    pub undone: usize,
    /// Decisions of persons.
    pub decided: usize,
}

impl Counts {
    fn of(events: &[SeenEvent]) -> Counts {
        let count = |sort: Sort| events.iter().filter(|event| event.sort == sort).count();
        Counts {
            stopped: count(Sort::Stopped),
            asked: count(Sort::Asked),
            advised: count(Sort::Advised),
            lost: count(Sort::Lost),
            undone: count(Sort::Undone),
            decided: count(Sort::Decided),
        }
    }

    fn add(&mut self, other: Counts) {
        self.stopped += other.stopped;
        self.asked += other.asked;
        self.advised += other.advised;
        self.lost += other.lost;
        self.undone += other.undone;
        self.decided += other.decided;
    }

    /// What is not none, in words.
    fn in_words(self) -> String {
        let counts = [
            (self.stopped, "stopped"),
            (self.asked, "asked"),
            (self.advised, "advised"),
            (self.lost, "lost"),
            (self.undone, "undone"),
            (self.decided, "decided"),
        ];
        let told: Vec<String> = counts
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, word)| format!("{count} {word}"))
            .collect();
        if told.is_empty() { "nothing to report".to_owned() } else { told.join(", ") }
    }
}

/// Prints the day.
pub fn run(args: &TodayArgs) -> Result<u8> {
    let now = Timestamp::now();
    let since = args.since.as_deref().map(|since| moment(since, now)).transpose()?;
    let project = Project::locate(&std::env::current_dir()?);
    let day = day(&project, since.unwrap_or_else(|| seen::midnight(now)));
    let most = if args.limit == 0 { usize::MAX } else { args.limit };
    let written = pages::paged(|out| {
        Ok(match args.json {
            true => writeln!(out, "{}", serde_json::to_string_pretty(&day)?),
            false => write(&mut FittedWriter::new(out), &day, args.since.is_none(), most),
        })
    })?;
    reader_gone_is_fine(written.map(|()| 0))
}

/// What happened in the project since then.
fn day(project: &Project, since: Timestamp) -> Day {
    let layout = definitions::layout_of(project.root());
    let store = Store::of_project(project.root());
    let recent = works::by_age(&layout).into_iter().filter(|(at, _)| *at >= since);
    let sessions: Vec<Work> = recent.filter_map(|(_, id)| work(&layout, &store, &id, since)).collect();
    let mut totals = Counts::default();
    sessions.iter().for_each(|work| totals.add(work.counts));
    Day { project: project.root().display().to_string(), since, totals, sessions }
}

/// What happened in one session or loop; `None` where it is only that it began or ended.
fn work(layout: &Layout, store: &Store, id: &str, since: Timestamp) -> Option<Work> {
    let state = LoopState::read(layout, id).ok()?;
    let events = seen::events_since(layout, store, id, since);
    let is_session = state.kind == Kind::Implicit;
    if events.iter().all(|event| is_session && matches!(event.sort, Sort::Began | Sort::Ended)) {
        return None;
    }
    Some(Work {
        name: works::name(state.kind, id, state.session_id.as_deref()),
        loop_id: id.to_owned(),
        kind: if is_session { "session" } else { "loop" },
        task: (!is_session).then(|| state.task.clone()),
        status: state.status.name(),
        session_id: state.session_id,
        counts: Counts::of(&events),
        events,
    })
}

fn write(out: &mut dyn Write, day: &Day, is_today: bool, most: usize) -> std::io::Result<()> {
    let when =
        if is_today { "Today".to_owned() } else { format!("Since {}", seen::date_and_clock(day.since)) };
    writeln!(out, "{} in {}: {}", when.bold(), shown(&day.project), day.totals.in_words())?;
    for work in &day.sessions {
        let task = work.task.as_deref().map(|task| format!(" ({})", shown(task))).unwrap_or_default();
        writeln!(out, "\n{}{task}, {}: {}", shown(&work.name).bold(), work.status, work.counts.in_words())?;
        let told: Vec<&SeenEvent> = work.events.iter().filter(|event| event.sort != Sort::Advised).collect();
        let earlier = told.len().saturating_sub(most);
        if let Some(left_out) = pages::left_out(most, told.len()) {
            writeln!(out, "  {left_out}")?;
        }
        for event in told.iter().skip(earlier) {
            let at = if is_today { seen::clock(event.at) } else { seen::date_and_clock(event.at) };
            let word = format!("{:<9}", event.sort.word());
            let word = match event.sort {
                Sort::Stopped | Sort::Lost | Sort::Gate | Sort::Trouble => word.red().to_string(),
                Sort::Asked | Sort::Decided | Sort::Undone => word.yellow().to_string(),
                _ => word,
            };
            writeln!(out, "  {} {word} {}", at.dimmed(), shown(&event.in_words()))?;
        }
    }
    if day.totals.stopped + day.totals.lost > 0 {
        writeln!(
            out,
            "\n`steadfast report --html FILE` shows a session or loop as a page, `steadfast undo` what can be put back."
        )?;
    }
    Ok(())
}
