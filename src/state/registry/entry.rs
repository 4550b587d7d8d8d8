//! One loop's line in the registry: what a hook must know before it decides anything.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::state::level::Level;
use crate::state::loop_state::LoopState;
use crate::state::status::{Kind, Status};

/// One loop's line.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct RegistryEntry {
    /// Who opened it.
    pub kind: Kind,
    /// At most 200 characters of the task.
    pub task_summary: String,
    /// The loop's status.
    pub status: Status,
    /// When it began.
    pub started_at: Timestamp,
    /// When a hook last wrote to it.
    pub last_active: Timestamp,
    /// 0 before the first, then 1..N.
    pub iteration: u32,
    /// The limit.
    pub max_iterations: u32,
    /// The current reinforcement level.
    pub reinforcement_level: Level,
    /// How many regressions are unresolved.
    pub open_regressions: u32,
    /// Whether a hook has failed whose definition holds the loop back for it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub held: bool,
    /// Whether a person is asked: every writing call is held back.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub gate_open: bool,
    /// Whether a person has decided and the agent has not heard of it: any session may go on with it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub decided: bool,
    /// Whether its session has ended, so that another may take it up.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub left: bool,
    /// When its time is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deadline: Option<Timestamp>,
    /// Whether anything was ever found in it: such a loop is kept.
    pub has_findings: bool,
    /// What newer versions or others wrote.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

impl RegistryEntry {
    /// Whether it is a running loop of a person's whose time is over.
    pub fn is_overdue(&self, now: Timestamp) -> bool {
        self.kind == Kind::Explicit
            && self.status == Status::Running
            && self.deadline.is_some_and(|deadline| deadline <= now)
    }
}

impl LoopState {
    /// The loop's line in the registry.
    pub fn registry_entry(&self) -> RegistryEntry {
        RegistryEntry {
            kind: self.kind,
            task_summary: self.task.chars().take(200).collect(),
            status: self.status,
            started_at: self.started_at,
            last_active: self.last_updated,
            iteration: self.iteration,
            max_iterations: self.configuration.max_iterations,
            reinforcement_level: self.reinforcement_level,
            open_regressions: self.open_regressions().count() as u32,
            held: self.hook_failure.is_some(),
            gate_open: self.open_gate().is_some(),
            decided: self.pending_notice.is_some(),
            left: self.session_left.is_some(),
            deadline: (self.kind == Kind::Explicit).then(|| self.deadline()).flatten(),
            has_findings: !self.detected_patterns.is_empty() || !self.regression_events.is_empty(),
            extra: Map::new(),
        }
    }
}
