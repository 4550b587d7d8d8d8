//! A decision in the loop's state and in its log.

use jiff::Timestamp;
use serde_json::{Map, json};

use crate::checkpoint::undo::UndoReport;
use crate::lifecycle::gate::decision::AppliedDecision;
use crate::lifecycle::iteration::record::note_best;
use crate::lifecycle::regression::settlement::{
    accept, accept_baseline, close_recoveries, end_gates, prepare_next,
};
use crate::state::audit;
use crate::state::audit::Line;
use crate::state::gate::{GateDecision, GateSubject};
use crate::state::layout::Layout;
use crate::state::loop_state::{Level, LoopState, Status};
use crate::state::records::{HumanDecision, IterationRecord};
use crate::state::registry::Kind;
use crate::state::test_record::TestRecord;

impl AppliedDecision<'_> {
    /// Writes a decision into the state. Answers whether another question is open.
    pub(super) fn record(&self, state: &mut LoopState) -> Result<bool, String> {
        let AppliedDecision { decision, first, by, now, .. } = *self;
        let gate =
            state.human_gates.iter_mut().find(|gate| gate.gate_id == self.gate.gate_id && gate.is_open());
        let gate = gate.ok_or("this gate was decided a moment ago")?;
        gate.reason.clone_from(&by.reason);
        gate.decide(decision, by.via, by.by.clone(), now);
        let gate = gate.clone();
        let human = self.of_events();
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
        self.follow(state, back_to);
        if gate.subject == GateSubject::StuckLoop {
            state.stuck_loop_detected = false;
        }
        state.consecutive_same_error = 0;
        state.continuations = 0;
        prepare_next(state, &gate, decision, back_to, by);
        if decision == GateDecision::Abort {
            end_gates(state, by, now);
        }
        state.note_regressions();
        Ok(state.open_gate().is_some())
    }

    /// What the decision is of each regression.
    fn of_events(&self) -> HumanDecision {
        match self.decision {
            GateDecision::Reject => HumanDecision::Reject,
            GateDecision::Abort => HumanDecision::Abort,
            _ => HumanDecision::Approve,
        }
    }

    /// What becomes of the loop.
    fn follow(&self, state: &mut LoopState, back_to: Option<u32>) {
        let (first, now) = (self.first, self.now);
        match self.decision {
            GateDecision::Reject => {
                state.note_level(
                    Level::Aggressive,
                    &format!("Regression detected in iteration {first}"),
                    now,
                );
                if let Some(back_to) = back_to {
                    go_back(state, back_to, now);
                    forget_tests(self.asked.layout, state, back_to);
                }
            }
            GateDecision::Approve => accept_baseline(self.asked.layout, state, now),
            GateDecision::ManualFix => {
                state.status = Status::Paused;
                state.remeasure_on_resume = Some(true);
            }
            GateDecision::Abort if state.kind == Kind::Implicit => state.status = Status::Aborted,
            GateDecision::Abort | GateDecision::Continue => {}
        }
    }

    /// Writes the decision into the loop's log.
    pub(super) fn log(&self, restored: Option<&UndoReport>, iteration: u32) {
        let AppliedDecision { asked, gate, decision, by, now, .. } = *self;
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
    let kept: Vec<IterationRecord> = state.kept_iterations().cloned().collect();
    state.last_iteration_quality = kept.last().map(|record| record.quality_score);
    state.best_iteration = None;
    for record in &kept {
        note_best(state, record, record.timestamp);
    }
}

/// Forgets what only the iterations that were taken back showed of the tests: they set no mark for the next ones.
fn forget_tests(layout: &Layout, state: &LoopState, back_to: u32) {
    let mut record = TestRecord::read(layout, &state.loop_id);
    record.passed.retain(|_, since| *since <= back_to);
    let highest = |field: &str| {
        let kept = state.kept_iterations().filter(|record| !record.regression_detected);
        kept.filter_map(|record| record.metrics_snapshot.get(field)?.as_f64()).reduce(f64::max)
    };
    record.high_water.retain(|field, mark| match highest(field) {
        Some(highest) => {
            *mark = mark.min(highest);
            true
        }
        None => false,
    });
    // With a record that can't be written the next iteration is only compared with more.
    record.write(layout, &state.loop_id).ok();
}
