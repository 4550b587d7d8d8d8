//! What a person decides at a gate, carried out.
//!
//! Files come first and the record last: a death in between leaves the gate open, and the same answer can be given
//! again. History is only added to: what is taken back stays in it, marked.

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde_json::{Map, json};

use crate::checkpoint::manifest::Manifest;
use crate::checkpoint::store::Store;
use crate::checkpoint::undo::{Options, Report, Selection};
use crate::checkpoint::{catalogue, undo};
use crate::lifecycle::context::state_change::change_state;
use crate::lifecycle::ending::finish;
use crate::lifecycle::ending::outcome::Ending;
use crate::lifecycle::iteration::snapshot;
use crate::lifecycle::regression::false_alarm;
use crate::lifecycle::regression::false_alarm::Hit;
use crate::lifecycle::regression::records::lost_paths;
use crate::lifecycle::regression::settlement::{
    accept, accept_baseline, close_recoveries, no_gate, prepare_next, settle,
};
use crate::model::finding::counted;
use crate::project::Project;
use crate::state::atomic::Durability;
use crate::state::audit;
use crate::state::audit::Line;
use crate::state::false_alarms::{Scope, Silence};
use crate::state::gate::{Gate, GateDecision, GateSubject};
use crate::state::layout::Layout;
use crate::state::lock::CLI_WAIT;
use crate::state::loop_state::{Level, LoopState, Status};
use crate::state::records::{HumanDecision, IterationRecord};
use crate::state::registry::Kind;

pub use crate::lifecycle::regression::settlement::Decider;

/// A gate and its place.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// The project.
    pub project: &'a Project,
    /// Its state.
    pub layout: &'a Layout,
    /// The loop.
    pub loop_id: &'a str,
    /// The gate.
    pub gate_id: &'a str,
}

/// Carries out a decision; answers what was done, for the person. With an error the gate is still open.
pub fn decide(asked: Asked, decision: GateDecision, by: &Decider, now: Timestamp) -> Result<String, String> {
    let state = LoopState::read(asked.layout, asked.loop_id).map_err(|error| error.to_string())?;
    let gate = state.human_gates.iter().find(|gate| gate.gate_id == asked.gate_id && gate.is_open());
    let gate = gate.ok_or("this gate is decided already")?.clone();
    if !gate.choices.iter().any(|choice| choice.decision == decision) {
        return Err(format!("{} is no answer to this gate", decision.name()));
    }
    let first = first_iteration(&state, &gate);
    let restored = match decision {
        GateDecision::Reject => Some(take_back(asked, &state, &gate, first, by, now)?),
        _ => None,
    };
    let changed = change_state(asked.layout, asked.loop_id, CLI_WAIT, Durability::Power, now, |state| {
        record(asked, state, &gate.gate_id, decision, first, by, now)
    })?;
    let more = changed.value?;
    log(asked, &gate, decision, by, restored.as_ref(), changed.entry.iteration, now);
    let mut told = words(decision, restored.as_ref(), first);
    if decision == GateDecision::Abort {
        told = match state.kind {
            Kind::Explicit => {
                finish::finish(asked.project, asked.layout, asked.loop_id, Ending::Aborted, None, now)?
            }
            Kind::Implicit => told,
        };
    }
    if more {
        told.push_str(" Another question is open first: `steadfast gate`.");
    }
    Ok(told)
}

/// Accepts a regression whose recovery still runs, so that it has no gate of its own.
pub fn accept_event(asked: Asked, event_id: &str, by: &Decider, now: Timestamp) -> Result<String, String> {
    close_event(asked, event_id, by, None, now)?;
    Ok("Approved: what is there now is the new baseline.".to_owned())
}

/// Marks a regression as a false alarm: it is closed, its patterns are counted as wrong and silent from now on, and what
/// is there is accepted.
pub fn call_false_positive(
    asked: Asked,
    event_id: &str,
    by: &Decider,
    silence: Silence,
    now: Timestamp,
) -> Result<String, String> {
    let reason = by.reason.clone().ok_or("a false alarm needs a reason")?;
    let hits = close_event(asked, event_id, by, Some(&reason), now)?;
    for hit in &hits {
        hit.silence(asked.layout, &reason, silence, now)?;
    }
    let patterns: BTreeSet<&str> = hits.iter().map(|hit| hit.pattern_id.as_str()).collect();
    let patterns = patterns.into_iter().collect::<Vec<_>>().join(", ");
    let widely = match silence.scope {
        Scope::Finding => String::new(),
        Scope::File => format!("; {patterns} is silent in that file"),
        Scope::Project => format!("; {patterns} is silent in the project"),
    };
    let until = silence.days.map(|days| format!(" for {days} days")).unwrap_or_default();
    Ok(format!("Noted as a false alarm: {reason}{widely}{until}"))
}

/// Closes a regression; answers the hits that made it, when they were wrong.
fn close_event(
    asked: Asked,
    event_id: &str,
    by: &Decider,
    false_alarm: Option<&str>,
    now: Timestamp,
) -> Result<Vec<Hit>, String> {
    let changed = change_state(asked.layout, asked.loop_id, CLI_WAIT, Durability::Power, now, |state| {
        let gate = settle(asked.layout, state, event_id, by, false_alarm, now)?;
        let wrong =
            if false_alarm.is_some() { false_alarm::mark_regression(state, event_id) } else { Vec::new() };
        Ok::<_, String>((gate, wrong))
    })?;
    let (gate, wrong) = changed.value?;
    let closed = gate.unwrap_or_else(|| Gate { event_ids: vec![event_id.to_owned()], ..no_gate(now) });
    log(asked, &closed, GateDecision::Approve, by, None, changed.entry.iteration, now);
    Ok(wrong)
}

/// The iteration that a rejection takes back: the first in which something of the gate was lost.
pub fn first_iteration(state: &LoopState, gate: &Gate) -> u32 {
    let about = state.regression_events.iter().filter(|event| gate.event_ids.contains(&event.event_id));
    about.map(|event| event.iteration).min().unwrap_or(gate.iteration).max(1)
}

/// The newest checkpoint of the whole tree from before an iteration.
pub fn last_good(store: &Store, loop_id: &str, iteration: u32) -> Result<Manifest, String> {
    let mut trees = catalogue::list(store, Some(loop_id)).map_err(|error| error.to_string())?.checkpoints;
    trees.retain(|manifest| manifest.tree);
    let labelled = |label: &'static str, iteration: u32| {
        move |manifest: &&Manifest| manifest.iteration == iteration && manifest.label == label
    };
    let newest = |of: &dyn Fn(&&Manifest) -> bool| {
        trees.iter().filter(|manifest| of(manifest)).max_by_key(|manifest| manifest.created_at)
    };
    let before = newest(&labelled("final", iteration.saturating_sub(1)));
    let first = || {
        let pre = trees.iter().filter(labelled("pre", iteration));
        pre.min_by_key(|manifest| manifest.created_at)
    };
    let found = before.or_else(first).or_else(|| newest(&labelled("baseline", 0)));
    found.cloned().ok_or_else(|| format!("no checkpoint from before iteration {iteration} was kept"))
}

/// Puts the files back to before the regression. What is there now is kept first.
fn take_back(
    asked: Asked,
    state: &LoopState,
    gate: &Gate,
    first: u32,
    by: &Decider,
    now: Timestamp,
) -> Result<Report, String> {
    let store = Store::of_project(asked.project.root());
    let (selection, paths) = match state.kind {
        Kind::Explicit => {
            snapshot::pre_revert(asked.project, state, by.in_hook)?;
            (Selection::Id(last_good(&store, asked.loop_id, first)?.address()), Vec::new())
        }
        Kind::Implicit => {
            (Selection::Session(Some(asked.loop_id.to_owned())), lost_paths(state, &gate.event_ids))
        }
    };
    let options = Options { force: true, dry_run: false, paths, now };
    let report = undo::restore(&store, &selection, &options).map_err(|error| error.to_string())?;
    if report.refused.is_empty() {
        return Ok(report);
    }
    let refused = report.refused.iter().take(10);
    let refused: Vec<String> =
        refused.map(|refusal| format!("{}: {}", refusal.path.display(), refusal.reason)).collect();
    Err(format!(
        "{} files are back, but not these, so the gate stays open:\n{}",
        report.restored.len() + report.removed.len(),
        refused.join("\n")
    ))
}

fn record(
    asked: Asked,
    state: &mut LoopState,
    gate_id: &str,
    decision: GateDecision,
    first: u32,
    by: &Decider,
    now: Timestamp,
) -> Result<bool, String> {
    let gate = state.human_gates.iter_mut().find(|gate| gate.gate_id == gate_id && gate.is_open());
    let gate = gate.ok_or("this gate was decided a moment ago")?;
    gate.reason.clone_from(&by.reason);
    gate.decide(decision, by.via, by.by.clone(), now);
    let gate = gate.clone();
    let human = match decision {
        GateDecision::Reject => HumanDecision::Reject,
        GateDecision::Abort => HumanDecision::Abort,
        _ => HumanDecision::Approve,
    };
    for event in state.regression_events.iter_mut() {
        if gate.event_ids.contains(&event.event_id) && event.is_open() {
            accept(event, human, by, now);
        }
    }
    let back_to = (decision == GateDecision::Reject && state.kind == Kind::Explicit).then(|| first - 1);
    let said = match (decision, back_to) {
        (GateDecision::Reject, Some(_)) => format!("reject - revert iteration {first}"),
        (decision, _) => decision.name().to_owned(),
    };
    close_recoveries(state, &gate, human, &said, now);
    match decision {
        GateDecision::Reject => {
            state.note_level(Level::Aggressive, &format!("Regression detected in iteration {first}"), now);
            if let Some(back_to) = back_to {
                go_back(state, back_to, now);
            }
        }
        GateDecision::Approve => accept_baseline(asked.layout, state, now),
        GateDecision::ManualFix => {
            state.status = Status::Paused;
            state.extra.insert("remeasure_on_resume".to_owned(), json!(true));
        }
        GateDecision::Abort if state.kind == Kind::Implicit => state.status = Status::Aborted,
        GateDecision::Abort | GateDecision::Continue => {}
    }
    if gate.subject == GateSubject::StuckLoop {
        state.stuck_loop_detected = false;
    }
    state.consecutive_same_error = 0;
    state.continuations = 0;
    prepare_next(state, &gate, decision, back_to, by);
    if decision == GateDecision::Abort {
        end_other_gates(state, by, now);
    }
    state.note_regressions();
    Ok(state.open_gate().is_some())
}

/// With its loop every other question ends too.
fn end_other_gates(state: &mut LoopState, by: &Decider, now: Timestamp) {
    for gate in state.human_gates.iter_mut().filter(|gate| gate.is_open()) {
        gate.decide(GateDecision::Abort, by.via, by.by.clone(), now);
        let events = state.regression_events.iter_mut();
        for event in events.filter(|event| event.is_open() && gate.event_ids.contains(&event.event_id)) {
            accept(event, HumanDecision::Abort, by, now);
        }
    }
}

/// Takes the loop back to the end of an iteration. What came after it stays in the history, marked.
fn go_back(state: &mut LoopState, back_to: u32, now: Timestamp) {
    let gone = state.iteration.max(back_to + 1);
    let is_gone =
        |record: &IterationRecord| record.iteration > back_to && !record.extra.contains_key("reverted_to");
    if !state.iteration_history.iter().any(|record| is_gone(record) && record.iteration == gone) {
        state.iteration_history.push(IterationRecord {
            iteration: gone,
            timestamp: now,
            quality_score: state.last_iteration_quality.unwrap_or_default(),
            regression_detected: true,
            recovery_attempted: true,
            result: "not finished: a person rejected it".to_owned(),
            ..IterationRecord::default()
        });
    }
    for record in state.iteration_history.iter_mut().filter(|record| is_gone(record)) {
        record.recovery_attempted = true;
        record.extra.insert("reverted_to".to_owned(), json!(back_to));
    }
    state.iteration = back_to;
    state.iteration_count = back_to;
}

/// What the person reads.
fn words(decision: GateDecision, restored: Option<&Report>, first: u32) -> String {
    let goes_on = "The loop goes on with the next prompt or session in this project.";
    match (decision, restored) {
        (GateDecision::Reject, Some(report)) => {
            let kept = report.pre_restore.as_ref().map(|_| " `steadfast undo --last` takes this back.");
            let files = report.restored.len() + report.removed.len();
            let verb = if files == 1 { "is" } else { "are" };
            format!(
                "Rejected: {} {verb} as before iteration {first} ({} restored, {} removed).{} {goes_on}",
                counted(files, "file"),
                report.restored.len(),
                report.removed.len(),
                kept.unwrap_or_default()
            )
        }
        (GateDecision::Approve, _) => format!("Approved: what is there now is the new baseline. {goes_on}"),
        (GateDecision::Continue, _) => format!("Goes on with a different approach. {goes_on}"),
        (GateDecision::ManualFix, _) => {
            "The loop is paused. Mend it, then run `steadfast loop resume`; it measures anew then.".to_owned()
        }
        (GateDecision::Abort, _) | (GateDecision::Reject, None) => "Aborted; the changes stay.".to_owned(),
    }
}

fn log(
    asked: Asked,
    gate: &Gate,
    decision: GateDecision,
    by: &Decider,
    restored: Option<&Report>,
    iteration: u32,
    now: Timestamp,
) {
    let mut outcome = json!({
        "human_gate": gate.gate_id,
        "human_decision": decision.name(),
        "decided_by": by.by,
        "decided_via": by.via,
        "reason": by.reason,
        "events": gate.event_ids,
    });
    if let Some(report) = restored {
        outcome["restored_from"] = json!(report.checkpoint_id);
        outcome["restored"] = json!(report.restored.len());
        outcome["removed"] = json!(report.removed.len());
        outcome["kept_first"] = json!(report.pre_restore);
    }
    let line = Line {
        outcomes: vec![outcome],
        state_changes: Map::from_iter([("human_decision".to_owned(), json!(decision.name()))]),
        ..Line::new("human_gate", asked.loop_id, iteration, now)
    };
    // What was decided stands in the state too.
    audit::append(&asked.layout.log(asked.loop_id), line).ok();
}
