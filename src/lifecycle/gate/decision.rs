//! What a person decides at a gate, carried out.
//!
//! Files come first and the record last: a death in between leaves the gate open, and the same answer can be given
//! again. History is only added to: what is taken back stays in it, marked.

use std::collections::BTreeSet;
use std::path::PathBuf;

use jiff::Timestamp;
use serde_json::{Map, json};

use crate::agents::recovery_orchestrator::protocol::{self, Step};
use crate::checkpoint::catalogue;
use crate::checkpoint::manifest::Manifest;
use crate::checkpoint::store::Store;
use crate::checkpoint::undo::{self, Options, Report, Selection};
use crate::checkpoint::watch::Watch;
use crate::lifecycle::context::hook_context::change_state;
use crate::lifecycle::gate::options;
use crate::lifecycle::hooks::loop_complete;
use crate::lifecycle::hooks::loop_complete::Ending;
use crate::lifecycle::iteration::snapshot;
use crate::lifecycle::regression::false_alarm;
use crate::lifecycle::regression::false_alarm::Hit;
use crate::lifecycle::regression::recovery;
use crate::model::finding::counted;
use crate::project::Project;
use crate::state::atomic::Durability;
use crate::state::audit::{self, Line};
use crate::state::false_alarms::{Scope, Silence};
use crate::state::gate::{Gate, GateDecision, GateSubject};
use crate::state::layout::Layout;
use crate::state::lock::CLI_WAIT;
use crate::state::loop_state::{Level, LoopState, Status};
use crate::state::records::{AcceptedCount, HumanDecision, IterationRecord, RegressionEvent};
use crate::state::registry::Kind;
use crate::text::gate as text;

/// Who decides, and how.
#[derive(Debug, Clone)]
pub struct Decider {
    /// `terminal` or `one-time code`.
    pub via: &'static str,
    /// The user's name, where it is known.
    pub by: Option<String>,
    /// What they say beside it.
    pub reason: Option<String>,
    /// Whether a hook waits, so that keeping files may only take seconds.
    pub in_hook: bool,
}

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
                loop_complete::finish(asked.project, asked.layout, asked.loop_id, Ending::Aborted, None, now)?
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

/// Accepts what a regression lost, with all that follows in its loop: its gate and its recovery are closed, and what is
/// there is the baseline. Answers the gate, when that is closed with it.
pub(crate) fn settle(
    layout: &Layout,
    state: &mut LoopState,
    event_id: &str,
    by: &Decider,
    false_alarm: Option<&str>,
    now: Timestamp,
) -> Result<Option<Gate>, String> {
    let event = state.regression_events.iter_mut().find(|event| event.event_id == event_id);
    let event = event.filter(|event| event.is_open()).ok_or("this regression is closed already")?;
    accept(event, HumanDecision::Approve, by, now);
    if let Some(reason) = false_alarm {
        event.false_positive = Some(true);
        event.false_positive_reason = Some(reason.to_owned());
    }
    let gate = close_gate(state, event_id, by, false_alarm.is_some(), now);
    if gate.is_none() {
        let alone = Gate { event_ids: vec![event_id.to_owned()], ..no_gate(now) };
        close_recoveries(state, &alone, HumanDecision::Approve, "approve", now);
    }
    accept_baseline(layout, state, now);
    state.note_regressions();
    Ok(gate)
}

/// Closes the gate of an event when nothing else is open in it.
fn close_gate(
    state: &mut LoopState,
    event_id: &str,
    by: &Decider,
    false_alarm: bool,
    now: Timestamp,
) -> Option<Gate> {
    let open: Vec<String> = state.open_regressions().map(|event| event.event_id.clone()).collect();
    let of_event = |gate: &&mut Gate| gate.is_open() && gate.event_ids.iter().any(|id| id == event_id);
    let gate = state.human_gates.iter_mut().find(of_event)?;
    if gate.event_ids.iter().any(|id| open.contains(id)) {
        return None;
    }
    if false_alarm {
        gate.subject = GateSubject::FalsePositive;
    }
    gate.reason.clone_from(&by.reason);
    gate.decide(GateDecision::Approve, by.via, by.by.clone(), now);
    let gate = gate.clone();
    let said = if false_alarm { "approve - false alarm" } else { "approve" };
    close_recoveries(state, &gate, HumanDecision::Approve, said, now);
    prepare_next(state, &gate, GateDecision::Approve, None, by);
    Some(gate)
}

/// What the log says of a decision where no gate was open yet.
fn no_gate(now: Timestamp) -> Gate {
    Gate::new(GateSubject::Regression, now)
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

/// The files in which these regressions lost something.
pub(crate) fn lost_paths(state: &LoopState, event_ids: &[String]) -> Vec<PathBuf> {
    let events = state.regression_events.iter().filter(|event| event_ids.contains(&event.event_id));
    let names = events.flat_map(RegressionEvent::lost);
    let mut paths: Vec<PathBuf> =
        names.filter_map(|name| name.split_once(": ").map(|(path, _)| PathBuf::from(path))).collect();
    paths.sort();
    paths.dedup();
    paths
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
            state.remeasure_on_resume = Some(true);
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

fn accept(event: &mut RegressionEvent, decision: HumanDecision, by: &Decider, now: Timestamp) {
    event.human_gate_invoked = true;
    event.human_decision = Some(decision);
    event.decided_at = Some(now);
    event.decided_via = Some(by.via.to_owned());
    event.decided_by = Some(by.by.clone());
}

fn close_recoveries(state: &mut LoopState, gate: &Gate, decision: HumanDecision, said: &str, now: Timestamp) {
    let LoopState { regression_events, recovery_history, .. } = state;
    for record in recovery_history {
        let of_gate = record.gate_id.as_ref().and_then(Option::as_ref) == Some(&gate.gate_id);
        let mut events = regression_events.iter().filter(|event| gate.event_ids.contains(&event.event_id));
        if of_gate || events.any(|event| recovery::is_about(record, event)) {
            // One that an agent of the project's own wrote in another form has nothing to close.
            protocol::take(record, Step::Decided(decision, said), 0, now).ok();
        }
    }
}

/// Takes the loop back to the end of an iteration. What came after it stays in the history, marked.
fn go_back(state: &mut LoopState, back_to: u32, now: Timestamp) {
    let gone = state.iteration.max(back_to + 1);
    let is_gone = |record: &IterationRecord| record.iteration > back_to && !record.is_reverted();
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
        record.reverted_to = Some(back_to);
    }
    state.iteration = back_to;
    state.iteration_count = back_to;
}

/// What is there now is what must not be lost from here on.
fn accept_baseline(layout: &Layout, state: &mut LoopState, now: Timestamp) {
    let Some(watch) = Watch::read(layout, &state.loop_id) else { return };
    let Some(baseline) = &mut state.baseline_metrics else { return };
    if baseline.test_count.is_some() {
        let before = baseline.test_count.replace(watch.tests());
        let (test_count_before, test_count) = (before, baseline.test_count);
        let accepted = AcceptedCount { timestamp: now, test_count_before, test_count };
        baseline.accepted.get_or_insert_default().push(accepted);
    }
}

/// What the agent reads at its next event, and with which iteration the loop goes on.
fn prepare_next(
    state: &mut LoopState,
    gate: &Gate,
    decision: GateDecision,
    back_to: Option<u32>,
    by: &Decider,
) {
    let over = state.status.is_over() || decision == GateDecision::Abort;
    let instead = options::alternatives(state, gate);
    let notice = text::decided(gate, decision, back_to, by.reason.as_deref(), &instead);
    // One decision may follow another before the agent reads either.
    let before = state.pending_notice.take().map(|before| format!("{before}\n\n")).unwrap_or_default();
    state.pending_notice = (!over).then(|| format!("{before}{notice}"));
    let recorded = gate.iteration_recorded == Some(true);
    if state.kind == Kind::Explicit && !over && (recorded || back_to.is_some()) {
        state.next_iteration = Some(state.iteration + 1);
    }
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
