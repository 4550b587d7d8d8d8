//! What a definition file says of each hook.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value};

use crate::definitions::names::{Action, GateAction, GateKind, HookName, Stage, Timing};
use crate::definitions::vocabulary::STATE_FIELDS;
use crate::state::loop_state::Level;

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
pub(super) fn by_hook(value: &Schema, also: Option<&str>) -> Schema {
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
    pub thresholds: Option<ThresholdsSchema>,
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
pub struct ThresholdsSchema;

impl JsonSchema for ThresholdsSchema {
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
    pub steps: Option<Vec<RecoveryStepSchema>>,
    pub escalation_conditions: Option<Vec<Escalation>>,
}

/// A stage and what it does.
pub struct RecoveryStepSchema;

impl JsonSchema for RecoveryStepSchema {
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
