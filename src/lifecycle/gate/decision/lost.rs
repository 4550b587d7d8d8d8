//! What a gate is about, and what a person has approved beside it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use crate::languages;
use crate::lifecycle::regression::records::lost_paths;
use crate::state::gate::Gate;
use crate::state::loop_state::LoopState;
use crate::state::records::{HumanDecision, RegressionEvent};

/// What was lost.
pub(super) struct LostWork {
    /// The files.
    pub(super) paths: Vec<PathBuf>,
    /// The lost things by `file: name`.
    names: Vec<String>,
    /// When the first of it was found.
    first: Option<Timestamp>,
    /// The files in which a person approved another loss, and when they did so last.
    approved: BTreeMap<PathBuf, Timestamp>,
}

impl LostWork {
    /// What a gate says.
    pub(super) fn of(state: &LoopState, gate: &Gate) -> LostWork {
        let is_about = |event: &&RegressionEvent| gate.event_ids.contains(&event.event_id);
        let about = || state.regression_events.iter().filter(is_about);
        let approved = state
            .regression_events
            .iter()
            .filter(|event| event.human_decision == Some(HumanDecision::Approve) && !is_about(event));
        let mut times: BTreeMap<PathBuf, Timestamp> = BTreeMap::new();
        for event in approved {
            let at = event.decided_at.unwrap_or(event.timestamp);
            let lost = event.lost();
            let of_names = lost.iter().filter_map(|name| Some(name.split_once(": ")?.0));
            for path in event.named_files().chain(of_names) {
                let newest = times.entry(PathBuf::from(path)).or_insert(at);
                *newest = at.max(*newest);
            }
        }
        LostWork {
            paths: lost_paths(state, &gate.event_ids),
            names: about().flat_map(RegressionEvent::lost).collect(),
            first: about().map(|event| event.timestamp).min(),
            approved: times,
        }
    }

    /// Whether something was lost in the file.
    pub(super) fn is_in(&self, path: &Path) -> bool {
        self.paths.iter().any(|lost| lost == path)
    }

    /// When a person approved another loss in the file last, after the tree of `since` was kept.
    pub(super) fn approved(&self, path: &Path, since: Timestamp) -> Option<Timestamp> {
        self.approved.get(path).copied().filter(|at| *at > since)
    }

    /// Whether what was lost in the file was lost before something else in it was approved: the one can't go back
    /// without the other.
    pub(super) fn is_approved_over(&self, path: &Path, approved: Timestamp) -> bool {
        self.is_in(path) && self.first.is_none_or(|first| first <= approved)
    }

    /// Whether a text of the file has every test that was lost in it.
    pub(super) fn is_whole_in(&self, path: &str, text: &str) -> bool {
        let of_file = |name: &String| name.strip_prefix(path)?.strip_prefix(": ").map(str::to_owned);
        let names: Vec<String> = self.names.iter().filter_map(of_file).collect();
        let tests = languages::running_tests(path, text).unwrap_or_default();
        !names.is_empty() && names.iter().all(|name| tests.contains(name))
    }
}
