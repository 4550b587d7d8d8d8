//! What the JSON Schema of the state says about parts that the state carries as plain JSON, and about times.
//!
//! These types are never made: they stand for objects that the documents define and nothing here reads field by field,
//! so that a file with a wrong one of them is found all the same.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value};

use crate::model::finding::Severity;

/// An RFC 3339 time.
pub struct DateTime;

impl JsonSchema for DateTime {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "DateTime".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "format": "date-time"})
    }
}

/// The parts of a quality score, each from 0 to 100.
#[derive(JsonSchema)]
#[schemars(extend("required" = []))]
#[expect(missing_docs, reason = "the names are the schema's")]
pub struct QualityBreakdown {
    #[schemars(range(min = 0, max = 100))]
    pub validation: f64,
    #[schemars(range(min = 0, max = 100))]
    pub completeness: f64,
    #[schemars(range(min = 0, max = 100))]
    pub correctness: f64,
    #[schemars(range(min = 0, max = 100))]
    pub readability: f64,
    #[schemars(range(min = 0, max = 100))]
    pub efficiency: f64,
}

/// What a test run said.
#[derive(JsonSchema)]
#[schemars(extend("required" = []))]
#[expect(missing_docs, reason = "the names are the schema's")]
pub struct TestResults {
    pub total: i64,
    pub passed: i64,
    pub failed: i64,
    pub skipped: i64,
    #[schemars(range(min = 0, max = 100))]
    pub coverage: f64,
    #[serde(flatten)]
    pub others: Map<String, Value>,
}

/// The facts at the end of an iteration; without those that nothing measured.
#[derive(JsonSchema)]
#[schemars(extend("required" = []))]
#[expect(missing_docs, reason = "the names are the schema's")]
pub struct MetricsSnapshot {
    pub test_count: i64,
    pub coverage_percentage: f64,
    pub typescript_errors: i64,
    pub lint_errors: i64,
    #[serde(flatten)]
    pub others: Map<String, Value>,
}

/// What a regression lost.
#[derive(JsonSchema)]
#[schemars(extend("required" = []))]
#[expect(missing_docs, reason = "the names are the schema's")]
pub struct RegressionDetails {
    /// The value before.
    pub baseline_value: Value,
    /// The value after.
    pub current_value: Value,
    pub diff: Map<String, Value>,
    #[serde(flatten)]
    pub others: Map<String, Value>,
}

/// What each stage of a recovery did.
#[derive(JsonSchema)]
#[schemars(extend("required" = []))]
#[expect(missing_docs, reason = "the names are the schema's")]
pub struct ProtocolSteps {
    pub pause: RecoveryStep,
    pub diagnose: Diagnosis,
    pub adapt: RecoveryStep,
    pub retry: Retry,
    pub escalate: Option<RecoveryStep>,
    #[serde(flatten)]
    pub others: Map<String, Value>,
}

/// A stage.
#[derive(JsonSchema)]
#[schemars(extend("required" = []))]
#[expect(missing_docs, reason = "the names are the schema's")]
pub struct RecoveryStep {
    #[schemars(with = "DateTime")]
    pub executed_at: (),
    pub actions: Vec<String>,
    pub strategy: String,
    pub changes_made: Vec<String>,
    pub reason: String,
    /// Free text, unlike that of a regression.
    pub human_decision: String,
    #[serde(flatten)]
    pub others: Map<String, Value>,
}

/// The diagnosis.
#[derive(JsonSchema)]
#[schemars(extend("required" = []))]
#[expect(missing_docs, reason = "the names are the schema's")]
pub struct Diagnosis {
    #[schemars(with = "DateTime")]
    pub executed_at: (),
    pub root_cause: String,
    #[schemars(range(min = 0, max = 1))]
    pub confidence: f64,
    #[serde(flatten)]
    pub others: Map<String, Value>,
}

/// The retry.
#[derive(JsonSchema)]
#[schemars(extend("required" = []))]
#[expect(missing_docs, reason = "the names are the schema's")]
pub struct Retry {
    #[schemars(with = "DateTime")]
    pub executed_at: (),
    pub retry_iteration: i64,
    pub outcome: RetryEnd,
    #[serde(flatten)]
    pub others: Map<String, Value>,
}

/// How a retry ended.
#[derive(JsonSchema)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the schema's words")]
pub enum RetryEnd {
    Success,
    Failed,
}

/// What the hooks cost and how often they were right.
#[derive(JsonSchema)]
#[schemars(extend("required" = []))]
#[expect(missing_docs, reason = "the names are the schema's")]
pub struct PersistenceMetrics {
    pub detection_latency_p95_ms: i64,
    pub detection_latency_p99_ms: i64,
    pub integration_overhead_percentage: f64,
    #[schemars(range(min = 0, max = 1))]
    pub false_positive_rate: f64,
    pub true_positive_count: u64,
    pub false_positive_count: u64,
    #[serde(flatten)]
    pub others: Map<String, Value>,
}

/// A pattern whose entry does not say how bad it is.
pub(super) fn unsaid_severity() -> Severity {
    Severity::Medium
}
