//! The documents' agents: what each answers when a lifecycle hook asks it. Pure.
//!
//! An agent is reached by a message and answers with one, so that a project can put a program of its own in the place
//! of any of them.

use serde_json::{Map, Value};

use crate::definitions::envelope::{AgentRequest, AgentVerdict, AssistantRole, Reply, ReplyMetadata};
use crate::definitions::names::Agent;

pub mod best_output;
pub mod laziness_detector;
pub mod progress_tracker;
pub mod prompt_reinforcement;
pub mod recovery_orchestrator;
pub mod regression_detector;

/// A built-in agent's answer.
pub fn reply(agent: Agent, request: &AgentRequest) -> Reply {
    let reply = match agent {
        Agent::ProgressTracker => progress_tracker::reply(request),
        Agent::LazinessDetector => laziness_detector::reply(request),
        Agent::PromptReinforcement => prompt_reinforcement::reply(request),
        Agent::RegressionDetector => regression_detector::reply(request),
        Agent::BestOutputTracker => best_output::tracker_reply(request),
        Agent::BestOutputSelector => best_output::selector_reply(request),
        Agent::RecoveryOrchestrator => recovery_orchestrator::reply(request),
    };
    Reply { timestamp: Some(request.timestamp), sender: Some(agent.name().to_owned()), ..reply }
}

/// A reply with facts of its own.
fn answer(content: String, verdict: Option<AgentVerdict>, facts: Value) -> Reply {
    let extra = match facts {
        Value::Object(facts) => facts,
        _ => Map::new(),
    };
    Reply {
        role: AssistantRole::Assistant,
        content,
        metadata: ReplyMetadata { verdict, extra, ..ReplyMetadata::default() },
        timestamp: None,
        sender: None,
    }
}

/// An input's value; null when it was not given.
fn input<'r>(request: &'r AgentRequest, name: &str) -> &'r Value {
    request.metadata.inputs.get(name).unwrap_or(&Value::Null)
}

/// A number inside an input.
fn number(value: &Value, name: &str) -> Option<f64> {
    value.get(name).and_then(Value::as_f64)
}
