use jiff::Timestamp;

use super::*;
use crate::state::gate::{GateDecision, GateSubject};

fn time(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

fn gate(n: i64, subject: GateSubject, decision: Option<GateDecision>) -> Gate {
    let mut gate = Gate { gate_id: n.to_string(), ..Gate::new(subject, time(n)) };
    if let Some(decision) = decision {
        gate.decide(decision, "terminal", None, time(n));
    }
    gate
}

fn record(number: u32) -> IterationRecord {
    IterationRecord { iteration: number, timestamp: time(i64::from(number)), ..IterationRecord::default() }
}

fn numbers(state: &LoopState) -> Vec<u32> {
    state.iteration_history.iter().map(|record| record.iteration).collect()
}

#[test]
fn old_gates_go_and_those_that_still_count_stay() {
    let dir = tempfile::tempdir().unwrap();
    let layout = Layout::of_project(dir.path());
    let mut state = LoopState::new("l", "t", time(0));
    for n in 0..200 {
        let (subject, decision) = match n {
            3 => (GateSubject::Regression, Some(GateDecision::Reject)),
            7 => (GateSubject::Regression, None),
            _ => (GateSubject::DestructiveAction, Some(GateDecision::Reject)),
        };
        state.human_gates.push(gate(n, subject, decision));
        let (took_back, open) = (state.taken_back_at(), state.open_gate().cloned());
        retire(&layout, &mut state);
        assert_eq!((state.taken_back_at(), state.open_gate().cloned()), (took_back, open), "{n}");
        assert!(state.human_gates.len() <= entries::GATES + 2, "{n}");
    }
    let kept: Vec<&str> = state.human_gates.iter().map(|gate| gate.gate_id.as_str()).collect();
    assert_eq!(kept, ["3", "7", "197", "198", "199"]);
    assert_eq!(state.retired.unwrap().human_gates, 195);
    let whole = whole(&layout, state);
    let mut ids: Vec<i64> = whole.human_gates.iter().map(|gate| gate.gate_id.parse().unwrap()).collect();
    ids.sort_unstable();
    assert_eq!(ids, (0..200).collect::<Vec<_>>());
}

#[test]
fn an_iteration_that_is_changed_after_it_went_is_the_changed_one() {
    let dir = tempfile::tempdir().unwrap();
    let layout = Layout::of_project(dir.path());
    let mut state = LoopState::new("l", "t", time(0));
    for n in 1..=30 {
        state.iteration_history.push(record(n));
        retire(&layout, &mut state);
    }
    assert_eq!(numbers(&state), [25, 26, 27, 28, 29, 30]);
    let newest = newest_iterations(&layout, &state, 10);
    assert_eq!(
        newest.iter().map(|record| record.iteration).collect::<Vec<_>>(),
        (21..=30).collect::<Vec<_>>()
    );
    assert_eq!([1, 30, 31].map(|number| attempts(&layout, &state, number)), [1, 1, 0]);
    bring_back(&layout, &mut state);
    assert_eq!((numbers(&state), state.retired), ((1..=30).collect(), None));
    for record in state.iteration_history.iter_mut().filter(|record| record.iteration > 2) {
        record.reverted_to = Some(2);
    }
    state.iteration_history.push(IterationRecord { iteration: 3, timestamp: time(99), ..record(3) });
    retire(&layout, &mut state);
    assert_eq!(state.kept_iterations().map(|record| record.iteration).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(attempts(&layout, &state, 3), 2);
    let whole = whole(&layout, state);
    assert_eq!(whole.iteration_history.len(), 31);
    assert_eq!(whole.iteration_history.iter().filter(|record| record.is_reverted()).count(), 28);
}

#[test]
fn what_can_not_be_written_elsewhere_stays_in_the_state() {
    let dir = tempfile::tempdir().unwrap();
    let layout = Layout::of_project(dir.path());
    std::fs::create_dir_all(layout.loop_dir("l")).unwrap();
    std::fs::write(layout.loop_dir("l").join("history"), "in the way").unwrap();
    let mut state = LoopState::new("l", "t", time(0));
    state.iteration_history = (1..=20).map(record).collect();
    retire(&layout, &mut state);
    assert_eq!((numbers(&state), state.retired), ((1..=20).collect(), None));
}
