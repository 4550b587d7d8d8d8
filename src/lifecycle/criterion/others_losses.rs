//! Tests that other loops' sessions have lost since a loop began: what is missing because of them is none of its own losses.

use jiff::Timestamp;

use crate::model::words::first_of;
use crate::state::layout::Layout;
use crate::state::loop_state::LoopState;
use crate::state::records::RegressionEvent;
use crate::state::registry::Registry;

/// So many lost tests are named.
const NAMED: usize = 5;

/// What the others have lost.
#[derive(Debug, Default)]
pub struct OthersLosses {
    /// Who, and the tests by `file: name`, of losses that are open.
    open: Vec<(String, Vec<String>)>,
    /// How many tests a person gave up there.
    given_up: u64,
}

impl OthersLosses {
    /// Reads what all other loops say of the time since a loop began.
    pub fn read(layout: &Layout, loop_id: &str, since: Timestamp) -> OthersLosses {
        let mut losses = OthersLosses::default();
        let Ok(registry) = Registry::read(layout) else { return losses };
        for id in registry.others(loop_id) {
            let Ok(state) = LoopState::read(layout, id) else { continue };
            let events = state.regression_events.iter().filter(|event| event.timestamp >= since);
            let (open, closed): (Vec<&RegressionEvent>, Vec<&RegressionEvent>) =
                events.filter(|event| event.regression_type.is_of_tests()).partition(|event| event.is_open());
            losses.given_up += closed.iter().map(|event| event.tests_given_up()).sum::<u64>();
            let lost: Vec<String> = open.iter().flat_map(|event| event.lost()).collect();
            if !lost.is_empty() {
                losses.open.push((id.clone(), lost));
            }
        }
        losses
    }

    /// How many tests a person gave up there.
    pub fn given_up(&self) -> u64 {
        self.given_up
    }

    /// Whether losses that are open there tell of so many missing tests.
    pub fn explain(&self, missing: u64) -> bool {
        missing > 0 && self.names().count() as u64 >= missing
    }

    /// Whether an open loss there tells of every one of these tests, by a runner's names.
    pub fn name(&self, tests: &[String], last_part: fn(&str) -> &str) -> bool {
        let is_told = |test: &String| self.names().any(|lost| last_part(lost) == last_part(test));
        !tests.is_empty() && tests.iter().all(is_told)
    }

    /// `loop b has lost v.test.js: case 3`.
    pub fn in_words(&self) -> String {
        let of_loop =
            |(id, lost): &(String, Vec<String>)| format!("loop {id} has lost {}", first_of(lost, NAMED));
        self.open.iter().map(of_loop).collect::<Vec<_>>().join("; ")
    }

    fn names(&self) -> impl Iterator<Item = &String> {
        self.open.iter().flat_map(|(_, lost)| lost)
    }
}
