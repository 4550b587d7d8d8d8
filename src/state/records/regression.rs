//! A regression: what was lost, how recovery from it ended and what a person decided.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::model::finding::{RegressionType, Severity};
use crate::state::mending::or_none;
use crate::state::schema::{self, DateTime};

/// One regression.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("required" = ["timestamp", "iteration", "regression_type", "severity"]))]
pub struct RegressionEvent {
    /// A UUID.
    #[serde(default)]
    pub event_id: String,
    /// When it was seen. The schema asks for it; hand-written ones may lack it.
    #[serde(default)]
    #[schemars(with = "DateTime")]
    pub timestamp: Timestamp,
    /// In which iteration.
    #[schemars(range(min = 1))]
    pub iteration: u32,
    /// Its type. A hook's payload calls it `type`.
    #[serde(alias = "type")]
    pub regression_type: RegressionType,
    /// Its severity.
    pub severity: Severity,
    /// `baseline_value`, `current_value` and `diff`.
    #[serde(default)]
    #[schemars(with = "schema::RegressionDetails")]
    pub details: Map<String, Value>,
    /// Whether the recovery protocol ran.
    #[serde(default)]
    pub recovery_protocol_invoked: bool,
    /// How recovery ended: `success` when the agent put back what was lost.
    #[serde(default)]
    pub recovery_outcome: Option<RecoveryOutcome>,
    /// Whether a person was asked.
    #[serde(default)]
    pub human_gate_invoked: bool,
    /// What the person said.
    #[serde(default)]
    pub human_decision: Option<HumanDecision>,
    /// `reg-001`: what people call it.
    #[serde(default, deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub display_id: Option<String>,
    /// When a person decided.
    #[serde(default, deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<DateTime>")]
    pub decided_at: Option<Timestamp>,
    /// How: `terminal`, `one-time code`, `dialog`.
    #[serde(default, deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub decided_via: Option<String>,
    /// Who decided; null when the machine does not know.
    #[serde(default, deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub decided_by: Option<Option<String>>,
    /// Whether a person called it a false alarm.
    #[serde(default, deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub false_positive: Option<bool>,
    /// Why it is one.
    #[serde(default, deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub false_positive_reason: Option<String>,
    /// The iteration to which a person took the loop back for it.
    #[serde(default, deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub reverted_to: Option<u32>,
    /// What others wrote.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// The number of tests that the criterion's command ran, as a figure of an event.
pub const TESTS_RUN: &str = "tests_run";

impl RegressionEvent {
    /// One of this type and severity that says nothing else yet.
    pub fn new(regression_type: RegressionType, severity: Severity) -> Self {
        RegressionEvent {
            event_id: String::new(),
            timestamp: Timestamp::UNIX_EPOCH,
            iteration: 0,
            regression_type,
            severity,
            details: Map::new(),
            recovery_protocol_invoked: false,
            recovery_outcome: None,
            human_gate_invoked: false,
            human_decision: None,
            display_id: None,
            decided_at: None,
            decided_via: None,
            decided_by: None,
            false_positive: None,
            false_positive_reason: None,
            reverted_to: None,
            extra: Map::new(),
        }
    }

    /// Whether neither the agent mended it nor a person decided, and it was not only recorded.
    pub fn is_open(&self) -> bool {
        let settled = Some(RecoveryOutcome::Success) == self.recovery_outcome
            || Some(RecoveryOutcome::Skipped) == self.recovery_outcome;
        !settled && self.human_decision.is_none()
    }

    /// Whether a person had what was lost brought back: the same loss is a new one when it comes again.
    pub fn is_taken_back(&self) -> bool {
        self.human_decision == Some(HumanDecision::Reject)
    }

    /// Whether it says for good what became of what was lost: it is open, or a person accepted it.
    pub fn still_tells(&self) -> bool {
        self.is_open() || (self.human_decision.is_some() && !self.is_taken_back())
    }

    /// The lost things by `file: name`.
    pub fn lost(&self) -> Vec<String> {
        let names = self.details.get("diff").and_then(|diff| diff.get(self.lost_key()));
        texts(names).map(str::to_owned).collect()
    }

    /// Whether it is the fall of this figure, by its name in a snapshot.
    pub fn is_of_figure(&self, figure: &str) -> bool {
        self.details.get("figure").and_then(Value::as_str) == Some(figure)
    }

    /// How many tests a person gave up with it: those that it names, or by how many their count fell where no name is known.
    pub fn tests_given_up(&self) -> u64 {
        let of_tests =
            matches!(self.regression_type, RegressionType::TestDeletion | RegressionType::TestSkipping);
        if !of_tests || self.human_decision != Some(HumanDecision::Approve) {
            return 0;
        }
        let count = |key: &str| self.details.get(key).and_then(Value::as_u64).unwrap_or_default();
        let fallen = count("baseline_value").saturating_sub(count("current_value"));
        match self.lost().len() as u64 {
            0 => fallen,
            // A file that ends before its first test counted as one.
            named if self.is_of_figure(TESTS_RUN) => named.min(fallen),
            named => named,
        }
    }

    /// The files that it names, as it was found; older ones name none.
    pub fn named_files(&self) -> impl Iterator<Item = &str> {
        texts(self.details.get(FILES))
    }

    /// What people read of it: the lost things; where none has a name, what was found, or at least where.
    pub fn said(&self) -> Vec<String> {
        let listed = |key| texts(self.details.get(key)).map(str::to_owned).collect();
        let ways: [Vec<String>; 3] = [self.lost(), listed(FOUND), listed(FILES)];
        ways.into_iter().find(|said| !said.is_empty()).unwrap_or_default()
    }

    /// What people call it: `reg-001`; its id where it has no other name.
    pub fn display_id(&self) -> &str {
        self.display_id.as_deref().unwrap_or(&self.event_id)
    }

    /// Whether a person means this event: by its name, or by its id or the first part of it.
    pub fn is_meant(&self, said: &str) -> bool {
        !said.is_empty() && (self.display_id() == said || self.event_id.starts_with(said))
    }

    /// The key under `details.diff` that holds the lost names.
    pub fn lost_key(&self) -> &'static str {
        lost_key(self.regression_type)
    }
}

/// The texts of a list.
pub fn texts(list: Option<&Value>) -> impl Iterator<Item = &str> {
    list.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

/// The key under `details` that holds the files in which something was lost.
pub const FILES: &str = "files";

/// The key under `details` that holds what was found, where nothing that is lost has a name.
pub const FOUND: &str = "found";

/// The key under `details.diff` that holds the names lost by a regression of this type.
pub fn lost_key(kind: RegressionType) -> &'static str {
    match kind {
        RegressionType::TestDeletion => "deleted_tests",
        RegressionType::TestSkipping => "skipped_tests",
        _ => "lost",
    }
}

/// How recovery from a regression ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the schema's words")]
pub enum RecoveryOutcome {
    Success,
    Failed,
    Escalated,
    Skipped,
}

/// What a person decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the schema's words")]
pub enum HumanDecision {
    Approve,
    Reject,
    Abort,
}
