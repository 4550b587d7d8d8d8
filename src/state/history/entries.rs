//! The lists that are bounded, and which of their entries stay in the state.

use jiff::Timestamp;

use super::HistoryEntry;
use crate::state::gate::{Gate, GateDecision, GateSubject};
use crate::state::loop_state::{LoopState, Retired};
use crate::state::records::{CompletionCheck, IterationRecord, LevelChange};

/// How many decided gates a state keeps.
pub(super) const GATES: usize = 3;
/// How many finished iterations a state keeps.
pub(super) const ITERATIONS: usize = 6;
/// How many changes of the level a state keeps.
pub(super) const LEVELS: usize = 20;

impl HistoryEntry for Gate {
    const LIST: &'static str = "human_gates";

    fn list(state: &mut LoopState) -> &mut Vec<Gate> {
        &mut state.human_gates
    }

    fn key(&self) -> String {
        self.gate_id.clone()
    }

    /// Those that are open, the newest, and the last one that took a loss back: what was found before counts no more.
    fn staying(list: &[Gate]) -> Vec<bool> {
        let mut stay = newest(list, GATES, |gate| !gate.is_open());
        let takes_back = |gate: &Gate| {
            gate.decision == Some(GateDecision::Reject) && gate.subject != GateSubject::DestructiveAction
        };
        let last: Option<Timestamp> =
            list.iter().filter(|gate| takes_back(gate)).filter_map(|gate| gate.decided_at).max();
        for (gate, stays) in list.iter().zip(&mut stay) {
            *stays |= gate.is_open() || (takes_back(gate) && gate.decided_at == last);
        }
        stay
    }

    fn count(retired: &mut Retired, gone: &[Gate]) {
        retired.human_gates += gone.len() as u64;
    }
}

impl HistoryEntry for IterationRecord {
    const LIST: &'static str = "iteration_history";

    fn list(state: &mut LoopState) -> &mut Vec<IterationRecord> {
        &mut state.iteration_history
    }

    fn key(&self) -> String {
        format!("{} {}", self.iteration, self.timestamp)
    }

    /// The newest, and the newest that no person took back.
    fn staying(list: &[IterationRecord]) -> Vec<bool> {
        let counting = newest(list, ITERATIONS, |record| !record.is_reverted());
        newest(list, ITERATIONS, |_| true).into_iter().zip(counting).map(|(a, b)| a || b).collect()
    }

    fn count(retired: &mut Retired, gone: &[IterationRecord]) {
        retired.iteration_history += gone.len() as u64;
        let highest = gone.iter().map(|record| record.iteration).max().unwrap_or_default();
        retired.highest_iteration = retired.highest_iteration.max(highest);
    }
}

impl HistoryEntry for CompletionCheck {
    const LIST: &'static str = "completion_checks";

    fn list(state: &mut LoopState) -> &mut Vec<CompletionCheck> {
        &mut state.progress.completion_checks
    }

    fn key(&self) -> String {
        format!("{} {}", self.iteration, self.timestamp)
    }

    fn staying(list: &[CompletionCheck]) -> Vec<bool> {
        newest(list, ITERATIONS, |_| true)
    }

    fn count(retired: &mut Retired, gone: &[CompletionCheck]) {
        retired.completion_checks += gone.len() as u64;
    }
}

impl HistoryEntry for LevelChange {
    const LIST: &'static str = "reinforcement_history";

    fn list(state: &mut LoopState) -> &mut Vec<LevelChange> {
        &mut state.reinforcement_history
    }

    fn key(&self) -> String {
        format!("{} {} {}", self.timestamp, self.to_level.name(), self.reason)
    }

    fn staying(list: &[LevelChange]) -> Vec<bool> {
        newest(list, LEVELS, |_| true)
    }

    fn count(retired: &mut Retired, gone: &[LevelChange]) {
        retired.reinforcement_history += gone.len() as u64;
    }
}

/// The newest `count` of those that hold.
fn newest<E>(list: &[E], count: usize, holds: impl Fn(&E) -> bool) -> Vec<bool> {
    let mut left = count;
    let mut kept: Vec<bool> = list.iter().rev().map(|entry| holds(entry) && take_one(&mut left)).collect();
    kept.reverse();
    kept
}

fn take_one(left: &mut usize) -> bool {
    let any = *left > 0;
    *left = left.saturating_sub(1);
    any
}
