//! Ending a loop, whether it reached its goal, a limit, or a person ended it.
//!
//! Invariant: the reports are written before the state says that the loop is over, so a crash between leaves a loop
//! that can still be finished.

use std::io::Write;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use jiff::Timestamp;
use serde_json::{Map, Value, json};

use crate::config::Config;
use crate::definitions::model::Definitions;
use crate::definitions::names::HookName;
use crate::lifecycle::context::agent_messages;
use crate::lifecycle::context::agent_messages::Heard;
use crate::lifecycle::context::state_change::change_state;
use crate::lifecycle::ending::best::{chosen, select};
use crate::lifecycle::ending::outcome::Ending;
use crate::lifecycle::ending::reports::{Reports, extent, write_reports};
use crate::lifecycle::ending::spent::costs;
use crate::lifecycle::iteration::record::earlier_learnings;
use crate::lifecycle::measuring::performance::PersistenceMetrics;
use crate::loops::verification::Verification;
use crate::project::Project;
use crate::state::atomic::Durability;
use crate::state::audit::{Filter, Line};
use crate::state::layout::Layout;
use crate::state::lock::HOOK_WAIT;
use crate::state::loop_state::LoopState;
use crate::state::{atomic, audit};
use crate::text::banner;
use crate::text::banner::{Aborted, Limit, LimitReached, Success};

/// What a program may take at the end of a loop.
const ASKING: Duration = Duration::from_secs(5);

/// Ends a loop: selects its best iteration, writes its reports, closes its state. Returns the banner for the person.
pub fn finish(
    project: &Project,
    layout: &Layout,
    loop_id: &str,
    ending: Ending,
    verification: Option<&Verification>,
    now: Timestamp,
) -> Result<String, String> {
    let state = LoopState::read(layout, loop_id).map_err(|error| error.to_string())?;
    if state.status.is_over() {
        return Err(format!("loop {loop_id} is {} already", state.status.name()));
    }
    let (config, _) = Config::read(project.root());
    let heard = ask(project, &state, ending, now);
    let selection = chosen(&heard, &state).or_else(|| select(&state, &config));
    let costs = costs(&state, now);
    let paths = write_reports(project, layout, &state, ending, verification, &costs, now)
        .map_err(|error| error.to_string())?;
    let performance = performance(layout, &state, now);
    let changed = change_state(layout, loop_id, HOOK_WAIT, Durability::Power, now, |state| {
        state.status = ending.status();
        state.completed_at = Some(now);
        state.detection_enabled = false;
        state.selected_iteration = selection.as_ref().map(|selection| selection.iteration);
        state.completion_report_path = Some(paths.report.clone());
        state.extra.insert("ending".to_owned(), json!(ending.name()));
        performance.note(state);
        if let Some(selection) = &selection {
            state.extra.insert("selection".to_owned(), json!(selection));
        }
        if let (Some(tokens), _) = costs.total {
            state.metrics.extra.insert("total_tokens".to_owned(), json!(tokens));
        }
        if let (_, Some(usd)) = costs.total {
            state.metrics.extra.insert("total_cost_usd".to_owned(), json!(usd));
        }
    })?;
    std::fs::remove_dir_all(layout.loop_dir(loop_id).join("questions")).ok();
    let archived = archive(layout, &state);
    crate::lifecycle::iteration::reflect::close(layout, loop_id, ending == Ending::Success, now);
    let mut line = Line {
        agents_invoked: heard.names(),
        outcomes: vec![
            json!({"ending": ending.name(), "selected": selection.as_ref().map(|s| &s.reason)}),
            json!({"selection": selection}),
            json!({"persistence_metrics": performance, "over_target": performance.breaches(&config.performance)}),
            json!({"archive_iteration_history": archived, "iterations": state.iteration_history.len()}),
        ],
        state_changes: Map::from_iter([
            ("status".to_owned(), json!(ending.status())),
            ("selected_iteration".to_owned(), json!(selection.map(|selection| selection.iteration))),
            ("completion_report_path".to_owned(), json!(paths.report)),
            ("detection_enabled".to_owned(), Value::from(false)),
        ]),
        ..Line::new("loop_complete", loop_id, changed.entry.iteration, now)
    };
    line.outcomes.extend(heard.failures.iter().map(|failure| Value::from(failure.as_str())));
    audit::append(&layout.log(loop_id), line).ok();
    Ok(banner(project, layout, &state, ending, verification, &paths, now))
}

/// What the guard cost, as its log tells.
fn performance(layout: &Layout, state: &LoopState, now: Timestamp) -> PersistenceMetrics {
    let ended = LoopState { completed_at: Some(now), ..state.clone() };
    let lines = audit::read(&layout.hook_log(&state.loop_id), Filter::default()).ok();
    PersistenceMetrics::of(&ended, lines.into_iter().flatten(), now)
}

/// Asks the agents of the loop's end. A failure of one is a line in the log: a loop that is over can't be held back.
fn ask(project: &Project, state: &LoopState, ending: Ending, now: Timestamp) -> Heard {
    let ended = LoopState { status: ending.status(), ..state.clone() };
    let definitions = Definitions::read(project.root());
    agent_messages::ask_of_loop(project, &definitions, HookName::LoopComplete, &ended, Some(ASKING), now)
}

/// All iterations' snapshots, a line each.
const ARCHIVE: &str = "history.jsonl.gz";

/// Keeps all iterations' snapshots in one compressed file beside them. Answers its path, relative to the loop.
fn archive(layout: &Layout, state: &LoopState) -> Option<String> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    for record in &state.iteration_history {
        let path = layout.snapshot(&state.loop_id, record.iteration, record.snapshot_path.as_deref());
        let Ok(bytes) = std::fs::read(path) else { continue };
        let line: Value = serde_json::from_slice(&bytes).ok()?;
        writeln!(encoder, "{line}").ok()?;
    }
    if state.iteration_history.is_empty() {
        return None;
    }
    let bytes = encoder.finish().ok()?;
    let path = layout.iterations(&state.loop_id).join(ARCHIVE);
    atomic::write(&path, &bytes, Durability::Power).ok()?;
    Some(format!("iterations/{ARCHIVE}"))
}

fn banner(
    project: &Project,
    layout: &Layout,
    state: &LoopState,
    ending: Ending,
    verification: Option<&Verification>,
    paths: &Reports,
    now: Timestamp,
) -> String {
    let learnings = earlier_learnings(state);
    let seconds = now.duration_since(state.started_at).as_secs().max(0) as u64;
    let iterations = state.metrics.total_iterations;
    let (files, added, removed) = extent(project, layout, &state.loop_id);
    let state_path = layout.state(&state.loop_id).display().to_string();
    let limit = |limit| {
        banner::limit(&LimitReached {
            loop_id: &state.loop_id,
            task: &state.task,
            limit,
            iterations,
            max: state.configuration.max_iterations,
            last_attempt: state.iteration_history.last().map_or("", |record| &record.action),
            verification,
            learnings: &learnings,
            state: &state_path,
            report: &paths.completion,
        })
    };
    match ending {
        Ending::MaxIterations => limit(Limit::MaxIterations),
        Ending::Timeout => limit(Limit::Timeout),
        Ending::Success => banner::success(&Success {
            task: &state.task,
            iterations,
            seconds,
            verification: verification.unwrap_or(&Verification::default()),
            files,
            added,
            removed,
            report: &paths.completion,
        }),
        Ending::Aborted | Ending::Reverted => banner::aborted(&Aborted {
            loop_id: &state.loop_id,
            task: &state.task,
            iterations,
            seconds,
            reason: "",
            reverted: ending == Ending::Reverted,
            files,
            learnings: &learnings,
            report: &paths.completion,
            state: &state_path,
        }),
    }
}
