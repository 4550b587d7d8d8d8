//! `steadfast report`: a loop or session as one page that needs nothing else.

mod course;
mod figures;
mod findings;
mod proof;

use std::path::PathBuf;

use anstream::println;
use anyhow::Result;
use clap::Args;
use jiff::Timestamp;

use super::page::{self, Html};
use super::seen::{self, SeenEvent, Sort, works};
use crate::checkpoint::store::Store;
use crate::definitions;
use crate::loops::report::duration;
use crate::project::Project;
use crate::state::history;
use crate::state::layout::Layout;
use crate::state::loop_state::{Kind, LoopState};

/// Write a page about a loop or session: quality, tests, coverage, timeline, findings with diffs, gates, costs
///
/// The page is one file that loads nothing, for a browser on a computer or a phone.
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// The loop's or session's id, or the first letters of it [default: the one that was active last]
    #[arg(value_name = "LOOP|SESSION")]
    which: Option<String>,
    /// The file that is written; `-` is the standard output
    #[arg(long, value_name = "FILE")]
    html: PathBuf,
}

/// All that a page is made from.
struct ReportSources<'a> {
    project: &'a Project,
    layout: &'a Layout,
    store: &'a Store,
    state: &'a LoopState,
    events: &'a [SeenEvent],
    now: Timestamp,
}

/// Writes the page.
pub fn run(args: &ReportArgs) -> Result<u8> {
    let project = Project::locate(&std::env::current_dir()?);
    let layout = definitions::layout_of(project.root());
    let store = Store::of_project(project.root());
    let state = history::whole(&layout, works::meant(&layout, args.which.as_deref())?);
    let events = seen::events_since(&layout, &store, &state.loop_id, Timestamp::MIN);
    let now = Timestamp::now();
    let told = ReportSources {
        project: &project,
        layout: &layout,
        store: &store,
        state: &state,
        events: &events,
        now,
    };
    let name = works::name(state.kind, &state.loop_id, state.session_id.as_deref());
    page::save(&told.page(&name), &args.html)?;
    if args.html.as_os_str() != "-" {
        println!("{name} is in {}.", args.html.display());
    }
    Ok(0)
}

impl ReportSources<'_> {
    /// In which iteration something was; a session has none.
    fn place(&self, iteration: u32) -> String {
        if self.state.kind == Kind::Explicit { format!(" in iteration {iteration}") } else { String::new() }
    }

    fn page(&self, name: &str) -> String {
        let mut html = Html::default();
        self.head(&mut html, name);
        figures::write(self, &mut html);
        proof::write(self, &mut html);
        findings::write(self, &mut html);
        course::write(self, &mut html);
        let at = seen::date_and_clock(self.now);
        html.element("footer", "", &format!("Written by steadfast {} on {at}.", env!("CARGO_PKG_VERSION")));
        html.page(&format!("{name} - Steadfast"))
    }

    fn head(&self, html: &mut Html, name: &str) {
        let state = self.state;
        let is_loop = state.kind == Kind::Explicit;
        html.element("p", "soft", &self.project.root().display().to_string());
        html.element("h1", "", if is_loop { &state.task } else { name });
        let count = |sort: Sort| self.events.iter().filter(|event| event.sort == sort).count().to_string();
        let when = |text: String| if is_loop { text } else { String::new() };
        let ended =
            state.completed_at.unwrap_or(if state.status.is_over() { state.last_updated } else { self.now });
        let took = u64::try_from(ended.duration_since(state.started_at).as_secs()).unwrap_or_default();
        html.section("At a glance", |html| {
            html.facts(&[
                ("Status", state.status.name().to_owned()),
                ("Done when", state.completion_criteria.clone()),
                (
                    "Iterations",
                    when(format!("{} of {}", state.iteration, state.configuration.max_iterations)),
                ),
                ("Began", seen::date_and_clock(state.started_at)),
                ("Took", duration(took)),
                ("Calls that may change files", state.tool_calls_total.to_string()),
                ("Stopped", count(Sort::Stopped)),
                ("Asked", count(Sort::Asked)),
                ("Lost", count(Sort::Lost)),
                ("Still open", state.open_regressions().count().to_string()),
                ("Undone", count(Sort::Undone)),
                ("Loop", when(state.loop_id.clone())),
                ("Session", state.session_id.clone().unwrap_or_default()),
            ]);
        });
    }
}
