//! The form of a definition file as types, for its JSON Schema.
//!
//! [`super::parse`] reads files and says more than a schema can: which sources an agent has, whether hooks fire in a
//! circle. A field that is null is as one that is not there.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value};

use super::names::{Action, GateAction, GateKind, HookName, OnFailure, Stage, Timing};
use super::vocabulary::STATE_FIELDS;
use crate::state::loop_state::Level;

/// A definition file.
#[derive(JsonSchema)]
#[expect(missing_docs, reason = "the names are the documents'")]
pub struct File {
    #[serde(rename = "$schema")]
    pub schema: Option<String>,
    /// Ends with the name and version of the form.
    #[serde(rename = "$id")]
    #[schemars(regex(pattern = "ralph-persistence-hooks/v1$"))]
    pub id: Option<String>,
    pub title: Option<String>,
    pub description: Option<String>,
    pub hooks: Option<Hooks>,
    pub execution: Option<Execution>,
    pub performance: Option<Performance>,
    pub audit: Option<Audit>,
}

/// The hooks by name.
pub struct Hooks;

impl JsonSchema for Hooks {
    fn schema_name() -> Cow<'static, str> {
        "Hooks".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let hook = generator.subschema_for::<Option<Hook>>();
        by_hook(&hook, None)
    }
}

/// An object with a field for each hook, and perhaps one more.
fn by_hook(value: &Schema, also: Option<&str>) -> Schema {
    let names = also.into_iter().chain(HookName::ALL.iter().map(|hook| hook.name()));
    let properties: Map<String, Value> =
        names.map(|name| (name.to_owned(), value.clone().to_value())).collect();
    json_schema!({"type": "object", "properties": properties, "additionalProperties": false})
}

/// One hook.
#[derive(JsonSchema)]
#[expect(missing_docs, reason = "the names are the documents'")]
pub struct Hook {
    pub description: Option<String>,
    /// What fires it, in words.
    pub trigger: Option<String>,
    pub timing: Option<Timing>,
    pub agents_to_invoke: Option<Vec<Invocation>>,
    pub actions: Option<Vec<Action>>,
    pub state_updates: Option<Vec<StateUpdate>>,
    pub conditional_actions: Option<Vec<Conditional>>,
    pub risk_patterns: Option<Vec<RiskPattern>>,
    pub thresholds: Option<Thresholds>,
    pub recovery_protocol: Option<RecoveryProtocol>,
    pub human_gate: Option<HumanGate>,
}

/// An agent that a hook asks.
#[derive(JsonSchema)]
#[expect(missing_docs, reason = "the names are the documents'")]
pub struct Invocation {
    /// A built-in agent, or any name beside a command.
    pub agent: String,
    pub purpose: Option<String>,
    /// Whether its failure is a failure of the hook; it is, where nothing is said.
    pub required: Option<bool>,
    pub inputs: Option<Map<String, Value>>,
    /// A program and its arguments.
    #[schemars(length(min = 1))]
    pub command: Option<Vec<String>>,
}

/// A change of the loop's state: one of `set`, `append` and `increment`.
#[derive(JsonSchema)]
#[expect(missing_docs, reason = "the names are the documents'")]
#[schemars(extend("oneOf" = [
    {"required": ["set"], "oneOf": [{"required": ["from"]}, {"required": ["value"]}]},
    {"required": ["append"], "oneOf": [{"required": ["from"]}, {"required": ["value"]}]},
    {"required": ["increment"], "not": {"anyOf": [{"required": ["from"]}, {"required": ["value"]}]}},
]), extend("required" = []))]
pub struct StateUpdate {
    pub set: StateField,
    pub append: StateField,
    pub increment: StateField,
    /// `agent.field`, or a record that the hook makes.
    pub from: String,
    pub value: Value,
}

/// A field of the state that an update may write.
pub struct StateField;

impl JsonSchema for StateField {
    fn schema_name() -> Cow<'static, str> {
        "StateField".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "enum": STATE_FIELDS})
    }
}

/// What follows under a condition.
#[derive(JsonSchema)]
#[expect(missing_docs, reason = "the names are the documents'")]
#[schemars(extend("if" = {"properties": {"action": {"const": "trigger_hook"}}}, "then" = {"required": ["hook"]}))]
pub struct Conditional {
    pub condition: String,
    pub action: ConditionalAction,
    pub hook: Option<HookName>,
}

/// An action, or the firing of another hook.
pub struct ConditionalAction;

impl JsonSchema for ConditionalAction {
    fn schema_name() -> Cow<'static, str> {
        "ConditionalAction".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let words: Vec<&str> =
            Action::ALL.iter().map(|action| action.name()).chain(["trigger_hook"]).collect();
        json_schema!({"type": "string", "enum": words})
    }
}

/// A tool and a target that make a call risky.
#[derive(JsonSchema)]
#[expect(missing_docs, reason = "the names are the documents'")]
#[schemars(extend("oneOf" = [{"required": ["file_pattern"]}, {"required": ["command_pattern"]}]))]
pub struct RiskPattern {
    pub tool: String,
    pub file_pattern: Option<String>,
    pub command_pattern: Option<String>,
    pub risk: String,
}

/// From when on a reinforcement level holds.
pub struct Thresholds;

impl JsonSchema for Thresholds {
    fn schema_name() -> Cow<'static, str> {
        "Thresholds".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let levels = [Level::Off, Level::Minimal, Level::Standard, Level::Aggressive, Level::Adaptive];
        // The documents write levels in capitals, and here and there not.
        let words: Vec<String> =
            levels.iter().flat_map(|level| [level.name().to_owned(), level.name().to_lowercase()]).collect();
        json_schema!({
            "type": "object",
            "patternProperties": {"^(iteration_[0-9]+|quality_plateau)$": {"type": "string", "enum": words}},
            "additionalProperties": false,
        })
    }
}

/// How a regression is recovered from.
#[derive(JsonSchema)]
#[expect(missing_docs, reason = "the names are the documents'")]
pub struct RecoveryProtocol {
    pub steps: Option<Vec<RecoveryStep>>,
    pub escalation_conditions: Option<Vec<Escalation>>,
}

/// A stage and what it does.
pub struct RecoveryStep;

impl JsonSchema for RecoveryStep {
    fn schema_name() -> Cow<'static, str> {
        "RecoveryStep".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let stages: Map<String, Value> = Stage::ALL
            .iter()
            .map(|stage| (stage.name().to_owned(), json_schema!({"type": "string"}).to_value()))
            .collect();
        json_schema!({"type": "object", "properties": stages, "additionalProperties": false, "minProperties": 1})
    }
}

/// When recovery is not tried again.
#[derive(JsonSchema)]
#[expect(missing_docs, reason = "the names are the documents'")]
pub struct Escalation {
    pub condition: String,
    pub action: Action,
}

/// What a person is asked.
#[derive(JsonSchema)]
#[expect(missing_docs, reason = "the names are the documents'")]
pub struct HumanGate {
    #[serde(rename = "type")]
    pub kind: Option<GateKind>,
    /// Seconds until it is reported once more; it never opens by itself.
    #[schemars(range(min = 1))]
    pub timeout: Option<u64>,
    pub message: Option<String>,
    #[schemars(length(min = 1))]
    pub options: Vec<GateOption>,
}

/// One answer to a gate.
#[derive(JsonSchema)]
#[expect(missing_docs, reason = "the names are the documents'")]
pub struct GateOption {
    pub id: String,
    pub label: String,
    pub action: GateAction,
}

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
