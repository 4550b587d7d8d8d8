//! How a definition file has hooks run, measured and recorded.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::hooks::by_hook;
use crate::definitions::names::{HookName, OnFailure};

/// How hooks are run.
#[derive(JsonSchema)]
#[expect(missing_docs, reason = "the names are the documents'")]
pub struct Execution {
    pub async_hooks: Option<HookList>,
    pub blocking_hooks: Option<HookList>,
    pub timeout_ms: Option<Timeouts>,
    pub error_handling: Option<ErrorHandling>,
}

/// Some hooks.
#[derive(JsonSchema)]
#[expect(missing_docs, reason = "the names are the documents'")]
pub struct HookList {
    pub hooks: Option<Vec<HookName>>,
}

/// Milliseconds by hook; null is without limit.
pub struct Timeouts;

impl JsonSchema for Timeouts {
    fn schema_name() -> Cow<'static, str> {
        "Timeouts".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        by_hook(&json_schema!({"type": ["integer", "null"], "minimum": 1}), Some("default"))
    }
}

/// What follows when a hook itself fails.
#[derive(JsonSchema)]
#[expect(missing_docs, reason = "the names are the documents'")]
pub struct ErrorHandling {
    pub on_hook_failure: Option<OnHookFailure>,
}

/// What follows when a hook itself fails.
#[derive(JsonSchema)]
#[expect(missing_docs, reason = "the names are the documents'")]
pub struct OnHookFailure {
    pub default: Option<OnFailure>,
    pub critical_hooks: Option<Vec<CriticalHook>>,
}

/// A hook with a rule of its own.
#[derive(JsonSchema)]
#[expect(missing_docs, reason = "the names are the documents'")]
pub struct CriticalHook {
    pub hook: HookName,
    pub on_failure: OnFailure,
}

/// What hooks may cost.
#[derive(JsonSchema)]
#[expect(missing_docs, reason = "the names are the documents'")]
pub struct Performance {
    pub detection_latency: Option<DetectionLatency>,
    pub integration_overhead: Option<IntegrationOverhead>,
    pub false_positive_rate: Option<FalsePositiveRate>,
}

/// Milliseconds that most invocations stay under.
#[derive(JsonSchema)]
#[expect(missing_docs, reason = "the names are the documents'")]
pub struct DetectionLatency {
    #[schemars(range(min = 1))]
    pub target_p95_ms: Option<u64>,
    #[schemars(range(min = 1))]
    pub target_p99_ms: Option<u64>,
}

/// How much longer an iteration may become.
#[derive(JsonSchema)]
#[expect(missing_docs, reason = "the names are the documents'")]
pub struct IntegrationOverhead {
    #[schemars(range(min = 0))]
    pub max_percentage: Option<f64>,
}

/// False detections of all detections.
#[derive(JsonSchema)]
#[expect(missing_docs, reason = "the names are the documents'")]
pub struct FalsePositiveRate {
    pub target: Option<Percentage>,
}

/// A number of per cent, or a text such as `<5%`.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(missing_docs, reason = "the two forms")]
pub enum Percentage {
    Number(f64),
    Text(String),
}

/// What hooks leave in the log.
#[derive(JsonSchema)]
#[expect(missing_docs, reason = "the names are the documents'")]
pub struct Audit {
    pub log_all_hook_invocations: Option<bool>,
    /// Relative to the project and in `.aiwg/ralph/`, with `{loop_id}`.
    #[schemars(regex(pattern = r"^(\./)?\.aiwg/ralph/.*\{loop_id\}.*\.jsonl$"))]
    pub log_location: Option<String>,
    /// The fields of a line and their types.
    pub log_format: Option<std::collections::BTreeMap<String, String>>,
    #[schemars(range(min = 1))]
    pub retention_days: Option<u64>,
}
