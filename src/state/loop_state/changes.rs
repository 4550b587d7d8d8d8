//! How a loop's state changes: records are added, the level moves, and lists that grow with every call are cut.

use jiff::Timestamp;

use super::{LoopState, OutsideChange};
use crate::state::gate::{Gate, GateDecision, GateSubject};
use crate::state::level::Level;
use crate::state::records::{
    self, DetectedPattern, ErrorRecord, IterationRecord, LevelChange, RegressionEvent, RiskyAction,
    ToolCallRecord,
};

/// How many of the fast-growing records stay in `state.json`.
pub(super) const NEWEST: usize = 8;
/// How many errors stay: as many as repetitions are looked for in.
pub(super) const NEWEST_ERRORS: usize = 20;
/// How many hits stay: the log has the others, and a call must not cost more with each.
pub(super) const NEWEST_HITS: usize = 200;
/// How many of them may be hits that were stopped, and so can't add up to a loss.
pub(super) const NEWEST_STOPPED: usize = 20;

impl LoopState {
    /// Gives every regression and recovery the short name that people use.
    pub fn name_records(&mut self) {
        let events =
            self.regression_events.iter_mut().map(|event| (event.event_id.as_str(), &mut event.display_id));
        records::name_records("reg", events);
        let recoveries = self.recovery_history.iter_mut();
        records::name_records(
            "rec",
            recoveries.map(|record| (record.recovery_id.as_str(), &mut record.display_id)),
        );
    }

    /// How often a pattern was found, and how often that was a false alarm.
    pub fn hits(&self) -> (u64, u64) {
        let hits = || self.detected_patterns.iter();
        let listed: u64 = hits().map(DetectedPattern::times).sum();
        let wrong = hits().filter(|hit| hit.false_positive).map(DetectedPattern::times).sum();
        (listed.max(self.detected_patterns_total), wrong)
    }

    /// The regressions that neither the agent mended nor a person accepted.
    pub fn open_regressions(&self) -> impl Iterator<Item = &RegressionEvent> {
        self.regression_events.iter().filter(|event| event.is_open())
    }

    /// The gate that waits for a person.
    pub fn open_gate(&self) -> Option<&Gate> {
        self.human_gates.iter().find(|gate| gate.is_open())
    }

    /// How many iterations have ended, those included that the state has let go.
    pub fn ended_iterations(&self) -> u64 {
        self.iteration_history.len() as u64 + self.retired.map_or(0, |retired| retired.iteration_history)
    }

    /// The iterations that a person did not take back.
    pub fn kept_iterations(&self) -> impl DoubleEndedIterator<Item = &IterationRecord> {
        self.iteration_history.iter().filter(|record| !record.is_reverted())
    }

    /// When a person last took a loss back: what was found before is found anew when it comes again.
    pub fn taken_back_at(&self) -> Option<Timestamp> {
        let rejected = self.human_gates.iter().filter(|gate| {
            gate.decision == Some(GateDecision::Reject) && gate.subject != GateSubject::DestructiveAction
        });
        rejected.filter_map(|gate| gate.decided_at).max()
    }

    /// Sets `regression_detected` to whether any regression is open, and `recovery_in_progress` to whether one is or a
    /// person is asked.
    pub fn note_regressions(&mut self) {
        let open = self.open_regressions().next().is_some();
        self.regression_detected = open;
        self.recovery_in_progress = open || self.open_gate().is_some();
    }

    /// Records that something else has changed Steadfast's own files.
    pub fn note_outside_change(&mut self, change: OutsideChange) {
        push_newest(self.outside_changes.get_or_insert_default(), change, NEWEST);
    }

    /// Records an error.
    pub fn push_error(&mut self, error: ErrorRecord) {
        self.error_count += 1;
        self.last_error = Some(error.clone());
        push_newest(&mut self.error_history, error, NEWEST_ERRORS);
    }

    /// Raises or lowers the level, with a gapless history.
    pub fn set_level(&mut self, level: Level, reason: &str, now: Timestamp) {
        let from = self.reinforcement_history.last().map_or(Level::Off, |change| change.to_level);
        if from == level && !self.reinforcement_history.is_empty() {
            return;
        }
        self.note_level(level, reason, now);
    }

    /// As [`LoopState::set_level`], and recorded too when the level stays: its cause is news of its own.
    pub fn note_level(&mut self, level: Level, reason: &str, now: Timestamp) {
        let from = self.reinforcement_history.last().map_or(Level::Off, |change| change.to_level);
        self.reinforcement_level = level;
        self.reinforcement_history.push(LevelChange {
            timestamp: now,
            iteration: self.iteration,
            from_level: from,
            to_level: level,
            reason: reason.to_owned(),
        });
    }

    /// Records a risky action.
    pub fn push_risky_action(&mut self, action: RiskyAction) {
        self.risky_actions_total += 1;
        self.last_risky_action = Some(action.clone());
        push_newest(&mut self.risky_actions, action, NEWEST);
    }

    /// Records a hit. What is found again makes one with the first. Of too many the oldest goes that was stopped: what
    /// was let through may still add up, and what a person called a false alarm is to be counted.
    pub fn push_hit(&mut self, hit: DetectedPattern) {
        self.detected_patterns_total = self.hits().0 + 1;
        let hits = &mut self.detected_patterns;
        let of_iteration = hits.iter_mut().rev().take_while(|known| known.iteration == hit.iteration);
        if let Some(known) = of_iteration.into_iter().find(|known| known.is_again(&hit)) {
            return known.see_again(hit.timestamp);
        }
        let is_done_with = |hit: &DetectedPattern| hit.was_stopped() && !hit.false_positive;
        let stopped = hits.iter().filter(|hit| is_done_with(hit)).count();
        if hits.len() >= NEWEST_HITS || stopped >= NEWEST_STOPPED {
            hits.remove(hits.iter().position(is_done_with).unwrap_or_default());
        }
        hits.push(hit);
    }

    /// Adds a finished tool call to the newest. Who counts all of them is `tool_calls`.
    pub fn push_tool_call(&mut self, record: ToolCallRecord) {
        push_newest(&mut self.tool_call_history, record, NEWEST);
    }
}

fn push_newest<T>(list: &mut Vec<T>, item: T, most: usize) {
    if list.len() >= most {
        list.drain(..=list.len() - most);
    }
    list.push(item);
}
