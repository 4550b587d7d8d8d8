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

use crate::agents::best_output::IterationSelection;
use crate::config::Config;
use crate::definitions::model::Definitions;
use crate::definitions::names::HookName;
use crate::lifecycle::context::agent_messages;
use crate::lifecycle::context::agent_messages::AgentReplies;
use crate::lifecycle::context::state_change::change_state;
use crate::lifecycle::ending::banner::banner;
use crate::lifecycle::ending::best::{chosen, select};
use crate::lifecycle::ending::ended_loop::EndedLoop;
use crate::lifecycle::ending::outcome::LoopEnding;
use crate::lifecycle::ending::reports::write_reports;
use crate::lifecycle::ending::spent::{LoopCost, costs};
use crate::lifecycle::iteration::reflect;
use crate::lifecycle::measuring::performance::PersistenceFigures;
use crate::lifecycle::regression::settlement::{DecidedBy, end_gates};
use crate::loops::verification::VerificationResult;
use crate::project::Project;
use crate::state::atomic::Durability;
use crate::state::audit::{Filter, Line};
use crate::state::history;
use crate::state::layout::Layout;
use crate::state::lock::HOOK_WAIT;
use crate::state::loop_state::{LoopState, Status};
use crate::state::{atomic, audit};

/// What a program may take at the end of a loop.
const ASKING: Duration = Duration::from_secs(5);

/// Ends a loop: selects its best iteration, writes its reports, closes its state. Returns the banner for the person.
pub fn finish(
    project: &Project,
    layout: &Layout,
    loop_id: &str,
    ending: LoopEnding,
    verification: Option<&VerificationResult>,
    now: Timestamp,
) -> Result<String, String> {
    let state = LoopState::read(layout, loop_id).map_err(|error| error.to_string())?;
    let state = history::whole(layout, state);
    // A person may give up what a limit has ended, and take its changes back.
    let given_up = state.status == Status::Failed && ending.status() == Status::Aborted;
    if state.status.is_over() && !given_up {
        return Err(format!("loop {loop_id} is {} already", state.status.name()));
    }
    let (config, _) = Config::read(project.root());
    let ended = EndedLoop { project, layout, state: &state, ending, verification, now };
    let heard = ask(&ended);
    let selection = chosen(&heard, &state).or_else(|| select(&state, &config));
    let costs = costs(&state, now);
    let paths = write_reports(&ended, &costs).map_err(|error| error.to_string())?;
    let performance = performance(&ended);
    let closing = LoopClosing { costs, selection, report: &paths.report, performance };
    let iteration = close(&ended, &closing)?;
    std::fs::remove_dir_all(layout.loop_dir(loop_id).join("questions")).ok();
    let archived = archive(layout, &state);
    reflect::close(layout, loop_id, ending == LoopEnding::Success, now);
    let mut line = line(&ended, &closing, &heard, iteration);
    line.outcomes = outcomes(&ended, &closing, &config, archived);
    line.outcomes.extend(heard.failures.iter().map(|failure| Value::from(failure.as_str())));
    line.duration_ms = u64::try_from(Timestamp::now().duration_since(now).as_millis()).unwrap_or_default();
    audit::append(&layout.log(loop_id), line).ok();
    Ok(banner(&ended, &paths))
}

/// What is written into the state of a loop that ends.
struct LoopClosing<'a> {
    costs: LoopCost,
    /// Its best iteration.
    selection: Option<IterationSelection>,
    report: &'a str,
    performance: PersistenceFigures,
}

/// Closes the loop in its state. Answers its iteration.
fn close(ended: &EndedLoop, closing: &LoopClosing) -> Result<u32, String> {
    let EndedLoop { layout, ending, now, .. } = *ended;
    let LoopClosing { costs, selection, report, performance } = closing;
    let id = &ended.state.loop_id;
    let changed = change_state(layout, id, HOOK_WAIT, Durability::Power, now, |state| {
        if ending.status() == Status::Aborted {
            // A loop that a person gives up asks nothing any more.
            let by =
                DecidedBy { via: "end of the loop", by: None, reason: None, in_hook: false, force: false };
            end_gates(state, &by, now);
        }
        state.status = ending.status();
        state.completed_at = Some(now);
        state.detection_enabled = false;
        state.selected_iteration = selection.as_ref().map(|selection| selection.iteration);
        state.completion_report_path = Some((*report).to_owned());
        state.ending = Some(ending.name().to_owned());
        performance.note(state);
        if let Some(selection) = &selection {
            state.selection = Some(json!(selection));
        }
        if let (Some(tokens), _) = costs.total {
            state.metrics.total_tokens = Some(tokens);
        }
        if let (_, Some(usd)) = costs.total {
            state.metrics.total_cost_usd = Some(usd);
        }
    })?;
    Ok(changed.entry.iteration)
}

/// The line of the log, without what came of it.
fn line(ended: &EndedLoop, closing: &LoopClosing, heard: &AgentReplies, iteration: u32) -> Line {
    Line {
        agents_invoked: heard.names(),
        state_changes: Map::from_iter([
            ("status".to_owned(), json!(ended.ending.status())),
            ("selected_iteration".to_owned(), json!(closing.selection.as_ref().map(|best| best.iteration))),
            ("completion_report_path".to_owned(), json!(closing.report)),
            ("detection_enabled".to_owned(), Value::from(false)),
        ]),
        ..Line::new("loop_complete", &ended.state.loop_id, iteration, ended.now)
    }
}

/// What came of it, for the log.
fn outcomes(
    ended: &EndedLoop,
    closing: &LoopClosing,
    config: &Config,
    archived: Option<String>,
) -> Vec<Value> {
    let LoopClosing { selection, performance, .. } = closing;
    vec![
        json!({"ending": ended.ending.name(), "selected": selection.as_ref().map(|s| &s.reason)}),
        json!({"selection": selection}),
        json!({
            "persistence_metrics": performance,
            "over_target": performance.breaches(&config.performance),
        }),
        json!({"archive_iteration_history": archived, "iterations": ended.state.iteration_history.len()}),
    ]
}

/// What the guard cost, as its log tells.
fn performance(ended: &EndedLoop) -> PersistenceFigures {
    let EndedLoop { layout, state, now, .. } = *ended;
    let ended = LoopState { completed_at: Some(now), ..state.clone() };
    let lines = audit::read(&layout.hook_log(&state.loop_id), Filter::default()).ok();
    PersistenceFigures::of(&ended, lines.into_iter().flatten(), now)
}

/// Asks the agents of the loop's end. A failure of one is a line in the log: a loop that is over can't be held back.
fn ask(ended: &EndedLoop) -> AgentReplies {
    let EndedLoop { project, state, ending, now, .. } = *ended;
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
