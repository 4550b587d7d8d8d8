//! What a person decides at a gate, carried out.
//!
//! Files come first and the record last: a death in between leaves the gate open, and the same answer can be given
//! again. History is only added to: what is taken back stays in it, marked.

mod lost;
mod recording;
mod restoring;
mod shares;

use std::collections::BTreeSet;
use std::path::PathBuf;

use jiff::Timestamp;

use crate::lifecycle::context::state_change::change_state;
use crate::lifecycle::ending::finish::finish;
use crate::lifecycle::ending::outcome::LoopEnding;
use crate::lifecycle::regression::false_alarm;
use crate::lifecycle::regression::hits::Hit;
use crate::lifecycle::regression::settlement::{no_gate, settle};
use crate::model::finding::{counted, counted_are};
use crate::project::Project;
use crate::state::atomic::Durability;
use crate::state::false_alarms::{SilenceRequest, SilenceScope};
use crate::state::gate::{Gate, GateDecision};
use crate::state::history;
use crate::state::layout::Layout;
use crate::state::lock::CLI_WAIT;
use crate::state::loop_state::LoopState;
use crate::state::registry::Kind;
use crate::text::gate::no_answer;

use crate::lifecycle::gate::decision::restoring::TakenBack;

pub use crate::lifecycle::gate::decision::restoring::{first_iteration, last_good, would_take_back};
pub use crate::lifecycle::regression::settlement::DecidedBy;

/// So many files of a kind are named.
const NAMED: usize = 20;

/// A gate and its place.
#[derive(Debug, Clone, Copy)]
pub struct GateAddress<'a> {
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
pub fn decide(
    asked: GateAddress,
    decision: GateDecision,
    by: &DecidedBy,
    now: Timestamp,
) -> Result<String, String> {
    let state = LoopState::read(asked.layout, asked.loop_id).map_err(|error| error.to_string())?;
    let gate = state.human_gates.iter().find(|gate| gate.gate_id == asked.gate_id && gate.is_open());
    let gate = gate.ok_or("this gate is decided already")?.clone();
    if !gate.choices.iter().any(|choice| choice.decision == decision) {
        return Err(no_answer(&gate, decision.name()));
    }
    let first = first_iteration(&state, &gate);
    let decided = AppliedDecision { asked, gate: &gate, decision, first, by, now };
    let restored = match decision {
        GateDecision::Reject => Some(decided.take_back(&state)?),
        _ => None,
    };
    let changed = change_state(asked.layout, asked.loop_id, CLI_WAIT, Durability::Power, now, |state| {
        if decision == GateDecision::Reject {
            // What came after the iteration that is gone back to is marked, however long ago it ended.
            history::bring_back(asked.layout, state);
        }
        decided.record(state)
    })?;
    let more = changed.value?;
    decided.log(restored.as_ref().map(|taken| &taken.report), changed.entry.iteration);
    let mut told = words(decision, restored.as_ref(), first);
    if decision == GateDecision::Abort && state.kind == Kind::Explicit {
        told = finish(asked.project, asked.layout, asked.loop_id, LoopEnding::Aborted, None, now)?;
    }
    if more {
        told.push_str(" Another question is open first: `steadfast gate`.");
    }
    Ok(told)
}

/// A decision that is carried out.
#[derive(Clone, Copy)]
struct AppliedDecision<'a> {
    asked: GateAddress<'a>,
    gate: &'a Gate,
    decision: GateDecision,
    /// The iteration that a rejection takes back.
    first: u32,
    by: &'a DecidedBy,
    now: Timestamp,
}

/// Accepts a regression whose recovery still runs, so that it has no gate of its own.
pub fn accept_event(
    asked: GateAddress,
    event_id: &str,
    by: &DecidedBy,
    now: Timestamp,
) -> Result<String, String> {
    close_event(asked, event_id, by, None, now)?;
    Ok("Approved: what is there now is the new baseline.".to_owned())
}

/// Marks a regression as a false alarm: it is closed, its patterns are counted as wrong and silent from now on, and what
/// is there is accepted.
pub fn call_false_positive(
    asked: GateAddress,
    event_id: &str,
    by: &DecidedBy,
    silence: SilenceRequest,
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
        SilenceScope::Finding => String::new(),
        SilenceScope::File => format!("; {patterns} is silent in that file"),
        SilenceScope::Project => format!("; {patterns} is silent in the project"),
    };
    let until = silence.days.map(|days| format!(" for {}", counted(days, "day"))).unwrap_or_default();
    Ok(format!("Noted as a false alarm: {reason}{widely}{until}"))
}

/// Closes a regression; answers the hits that made it, when they were wrong.
fn close_event(
    asked: GateAddress,
    event_id: &str,
    by: &DecidedBy,
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
    let decided =
        AppliedDecision { asked, gate: &closed, decision: GateDecision::Approve, first: 0, by, now };
    decided.log(None, changed.entry.iteration);
    Ok(wrong)
}

/// What the person reads.
fn words(decision: GateDecision, restored: Option<&TakenBack>, first: u32) -> String {
    let goes_on = "The loop goes on with the next prompt or session in this project.";
    match (decision, restored) {
        (GateDecision::Reject, Some(taken)) => format!("{} {goes_on}", rejected(taken, first)),
        (GateDecision::Approve, _) => format!("Approved: what is there now is the new baseline. {goes_on}"),
        (GateDecision::Continue, _) => format!("Goes on with a different approach. {goes_on}"),
        (GateDecision::ManualFix, _) => {
            "The loop is paused. Mend it, then run `steadfast loop resume`; it measures anew then.".to_owned()
        }
        (GateDecision::Abort, _) | (GateDecision::Reject, None) => "Aborted; the changes stay.".to_owned(),
    }
}

/// What a rejection did, and what it left.
fn rejected(taken: &TakenBack, first: u32) -> String {
    let report = &taken.report;
    let files = report.restored.len() + report.removed.len();
    format!(
        "Rejected: {} as before iteration {first} ({} restored, {} removed).{}",
        counted_are(files, "file"),
        report.restored.len(),
        report.removed.len(),
        taken.beyond_own()
    )
}

impl TakenBack {
    /// What is to be said of others' work and of the way back, each with a blank before it.
    fn beyond_own(&self) -> String {
        let report = &self.report;
        let kept = report
            .pre_restore
            .as_ref()
            .map(|id| format!(" `steadfast undo --tool-call {}/{id}` takes this back.", report.loop_id));
        let told = |paths: &[PathBuf], what: &str| match paths {
            [] => String::new(),
            paths => format!(" {what}: {}.", listed(paths)),
        };
        let left = told(&self.left, "Left as it is, since no call of this loop made it");
        let beside = self.beside.iter();
        let beside: String =
            beside.map(|(why, paths)| told(paths, &format!("Left as it is, {why}"))).collect();
        let of_others = told(&self.of_others, "Replaced too, though others have changed it");
        let shown =
            told(&self.shown, "Brought back too, though no call of this loop is known to have changed it");
        let found =
            told(&self.as_found, "What others had changed before, or a person had approved, stays in");
        format!("{left}{beside}{of_others}{shown}{found}{}", kept.unwrap_or_default())
    }
}

/// Paths in a sentence; of many the first and how many there are more.
fn listed(paths: &[PathBuf]) -> String {
    let named: Vec<String> =
        paths.iter().take(NAMED).map(|path| path.to_string_lossy().into_owned()).collect();
    let more = paths.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", named.join(", "))
}
