//! A hit of a pattern: what was found where, how often, and what Steadfast answered.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::model::finding::Severity;
use crate::state::mending::or_none;
use crate::state::schema::{self, DateTime};

/// One hit of a pattern.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DetectedPattern {
    /// `LP-001`.
    #[serde(default)]
    pub pattern_id: String,
    /// The catalogue's name.
    #[serde(default)]
    pub pattern_name: String,
    /// In which iteration.
    #[serde(default)]
    pub iteration: u32,
    /// When.
    #[serde(default)]
    #[schemars(with = "DateTime")]
    pub timestamp: Timestamp,
    /// How bad.
    #[serde(default = "schema::unsaid_severity")]
    pub severity: Severity,
    /// Whether a person marked it as a false alarm.
    #[serde(default)]
    pub false_positive: bool,
    /// Names the hit.
    #[serde(default, deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub event_id: Option<String>,
    /// The file in which it was found.
    #[serde(default, deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub path: Option<String>,
    /// What was said to happen.
    #[serde(default, deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub what: Option<String>,
    /// What was lost by name.
    #[serde(default, deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<String>")]
    pub lost: Option<Vec<String>>,
    /// What Steadfast answered.
    #[serde(default, deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub verdict: Option<String>,
    /// How often it was found in its iteration; once, where it is not said.
    #[serde(default, deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub times: Option<u64>,
    /// When it was found last, if more than once.
    #[serde(default, deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<DateTime>")]
    pub last_seen: Option<Timestamp>,
    /// What others wrote.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

impl DetectedPattern {
    /// How often the same was found in its iteration, and answered alike.
    pub fn times(&self) -> u64 {
        self.times.unwrap_or(1).max(1)
    }

    /// Whether `other` is the same, found again.
    pub(in crate::state) fn is_again(&self, other: &DetectedPattern) -> bool {
        (&self.pattern_id, self.iteration, self.severity, self.false_positive)
            == (&other.pattern_id, other.iteration, other.severity, other.false_positive)
            && (&self.path, &self.what, &self.lost, &self.verdict)
                == (&other.path, &other.what, &other.lost, &other.verdict)
    }

    /// Counts another time.
    pub(in crate::state) fn see_again(&mut self, now: Timestamp) {
        self.times = Some(self.times().saturating_add(1));
        self.last_seen = Some(now);
    }

    /// Whether the call was stopped, so that it did not happen.
    pub fn was_stopped(&self) -> bool {
        matches!(self.verdict.as_deref(), Some("deny" | "ask"))
    }
}
