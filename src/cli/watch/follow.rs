//! What stands in the view: what lives, how it stands, and the newest events. Costs the ends of a few logs.

use std::path::Path;

use jiff::{SignedDuration, Timestamp};

use crate::cli::seen::{SeenEvent, Sort, works};
use crate::project::Project;
use crate::state::audit;
use crate::state::layout::Layout;
use crate::state::loop_state::{Kind, LoopState};
use crate::state::registry::Registry;
use crate::text::gate;

/// So many sessions and loops are shown, those that were written to last.
const MOST: usize = 8;
/// One that is over stays in view for so long.
const LINGERS: SignedDuration = SignedDuration::from_mins(10);
/// So much of a log's end is read, in bytes.
const TAIL: u64 = 64 << 10;
/// So many events are held.
const EVENTS: usize = 100;

/// Everything as it is at one moment.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Snapshot {
    pub(super) project: String,
    pub(super) works: Vec<FollowedLoop>,
    /// What happened, oldest first, each with whose it is.
    pub(super) recent: Vec<(String, SeenEvent)>,
}

/// A session or loop.
#[derive(Debug, Default, PartialEq)]
pub(super) struct FollowedLoop {
    pub(super) name: String,
    pub(super) status: &'static str,
    pub(super) is_over: bool,
    /// What a loop is for, and until when.
    pub(super) task: Option<(String, String)>,
    /// The iteration and the most of them.
    pub(super) iteration: Option<(u32, u32)>,
    pub(super) calls: u64,
    pub(super) stopped: usize,
    pub(super) findings: u64,
    pub(super) open: usize,
    /// What a person is asked about.
    pub(super) gate: Option<&'static str>,
    /// The quality of each iteration, oldest first.
    pub(super) quality: Vec<f64>,
}

/// Looks at all that lives in the project, and what has ended a moment ago.
pub(super) fn snapshot(project: &Project, layout: &Layout, now: Timestamp) -> Snapshot {
    let registry = Registry::read(layout).unwrap_or_default();
    let mut known: Vec<_> = registry
        .loops
        .iter()
        .filter(|(_, entry)| !entry.status.is_over() || now.duration_since(entry.last_active) < LINGERS)
        .collect();
    known.sort_by_key(|(_, entry)| std::cmp::Reverse(entry.last_active));
    known.truncate(MOST);
    let mut of = Snapshot { project: named(project.root()), ..Snapshot::default() };
    for (id, _) in known {
        let Ok(state) = LoopState::read(layout, id) else { continue };
        let lines = audit::newest(&layout.hook_log(id), TAIL).unwrap_or_default();
        let events: Vec<SeenEvent> = lines.iter().filter_map(SeenEvent::of).collect();
        let work = work(&state, &events);
        of.recent.extend(events.into_iter().map(|event| (work.name.clone(), event)));
        of.works.push(work);
    }
    of.recent.sort_by_key(|(_, event)| event.at);
    let surplus = of.recent.len().saturating_sub(EVENTS);
    of.recent.drain(..surplus);
    of
}

/// The project's folder, before where that is: a narrow terminal cuts the end.
fn named(root: &Path) -> String {
    let name = root.file_name().unwrap_or(root.as_os_str()).to_string_lossy();
    let place = root.parent().map(|place| format!("  in {}", place.display())).unwrap_or_default();
    format!("{name}{place}")
}

fn work(state: &LoopState, events: &[SeenEvent]) -> FollowedLoop {
    let is_loop = state.kind == Kind::Explicit;
    FollowedLoop {
        name: works::name(state.kind, &state.loop_id, state.session_id.as_deref()),
        status: state.status.name(),
        is_over: state.status.is_over(),
        task: is_loop.then(|| (state.task.clone(), state.completion_criteria.clone())),
        iteration: is_loop.then_some((state.iteration.max(1), state.configuration.max_iterations)),
        calls: state.tool_calls_total,
        stopped: events.iter().filter(|event| event.sort == Sort::Stopped).count(),
        findings: state.hits().0,
        open: state.open_regressions().count(),
        gate: state.open_gate().map(gate::about),
        quality: state.iteration_history.iter().map(|record| record.quality_score).collect(),
    }
}
