//! Firing a hook by its name, with a payload: how a host without hooks, or a person, reaches the same agents.
//!
//! A payload is a message of the documents' form (`{role, content, metadata: {hook_name, loop_id, iteration, inputs}}`)
//! or its facts alone. The answer is a message too: the agents' words and verdicts, and what each of them said.

use std::path::Path;

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use crate::definitions::LoadedDefinitions;
use crate::definitions::envelope::AgentVerdict;
use crate::definitions::names::HookName;
use crate::lifecycle::context::agent_messages;
use crate::lifecycle::context::agent_messages::{AgentReplies, Asker};
use crate::lifecycle::context::facts::Facts;
use crate::lifecycle::context::triggers;
use crate::state::loop_id;
use crate::state::loop_state::LoopState;

/// Why a payload is refused.
#[derive(Debug, thiserror::Error)]
pub enum BadPayload {
    /// Not a JSON object.
    #[error("the payload is not a JSON object: {0}")]
    NotAnObject(String),
    /// The id can't be a loop's.
    #[error("{0}")]
    LoopId(#[from] loop_id::BadLoopId),
}

/// Fires a hook over a payload and the state of the loop that it names, if there is one.
pub fn fire(
    hook: HookName,
    payload: &[u8],
    project: &Path,
    loaded: &LoadedDefinitions,
    now: Timestamp,
) -> Result<Value, BadPayload> {
    let payload: Value =
        serde_json::from_slice(payload).map_err(|error| BadPayload::NotAnObject(error.to_string()))?;
    let Value::Object(payload) = payload else {
        return Err(BadPayload::NotAnObject("it is another value".to_owned()));
    };
    let given = flattened(&payload);
    let id = given.get("loop_id").and_then(Value::as_str).unwrap_or_default().to_owned();
    let mut state = LoopState::new(&id, "", now);
    if !id.is_empty() {
        loop_id::check(&id)?;
        state = LoopState::read(&loaded.layout(project), &id).unwrap_or(state);
    }
    let facts = Facts::of(&state).overlaid(&given);
    let iteration = given.get("iteration").and_then(Value::as_u64).map_or(state.iteration, |n| n as u32);
    let asker = Asker {
        definitions: &loaded.definitions,
        programs_allowed: true,
        loop_id: &id,
        directory: project,
        now,
        longest: None,
    };
    let mut firing =
        HookFiring { asker, iteration, given: &given, heard: AgentReplies::default(), fired: Vec::new() };
    firing.fire_all(hook, &facts);
    Ok(firing.message(hook))
}

/// A hook that fires, with those that follow it.
struct HookFiring<'a> {
    asker: Asker<'a>,
    iteration: u32,
    given: &'a Map<String, Value>,
    heard: AgentReplies,
    fired: Vec<&'static str>,
}

impl HookFiring<'_> {
    fn fire_all(&mut self, hook: HookName, facts: &Facts) {
        self.ask(hook, facts);
        // A detector's finding goes to recovery in the same breath, as it does in a loop.
        if let Some(found) = regression(&self.heard)
            && hook != HookName::RegressionDetected
        {
            self.ask(HookName::RegressionDetected, &facts.clone().with("regression", found));
        }
        for next in triggers::holding(self.asker.definitions, hook, facts) {
            if !self.fired.contains(&next.name()) {
                self.ask(next, facts);
            }
        }
    }

    fn ask(&mut self, hook: HookName, facts: &Facts) {
        let said = agent_messages::ask(self.asker, hook, facts, self.given);
        self.fired.push(hook.name());
        self.heard.replies.extend(said.replies);
        self.heard.failures.extend(said.failures);
        // What the first hook requires counts, and whose program answers in its place.
        if self.fired.len() == 1 {
            self.heard.required_failed = said.required_failed;
            self.heard.programs = said.programs;
        }
    }

    /// The answer: the agents' words and verdicts, and what each of them said.
    fn message(&self, hook: HookName) -> Value {
        let heard = &self.heard;
        let replies = || heard.replies.iter().map(|(_, reply)| reply);
        let content = replies().map(|reply| reply.content.as_str());
        let content: Vec<&str> = content.filter(|text| !text.is_empty()).collect();
        let recommendations: Vec<_> =
            replies().flat_map(|reply| reply.metadata.recommendations.iter()).collect();
        let artifacts: Vec<_> = replies().flat_map(|reply| reply.metadata.artifacts.iter()).collect();
        let mut metadata = self.facts_of_agents();
        metadata.insert("hook_name".to_owned(), json!(hook.name()));
        metadata.insert("hooks_fired".to_owned(), json!(self.fired));
        metadata.insert("loop_id".to_owned(), json!(self.asker.loop_id));
        metadata.insert("iteration".to_owned(), json!(self.iteration));
        metadata.insert("verdict".to_owned(), json!(heard.verdict().unwrap_or(AgentVerdict::Pass)));
        metadata.insert("recommendations".to_owned(), json!(recommendations));
        metadata.insert("artifacts".to_owned(), json!(artifacts));
        metadata.insert("agents_invoked".to_owned(), Value::Object(self.agents_invoked()));
        if !heard.failures.is_empty() {
            metadata.insert("failures".to_owned(), json!(heard.failures));
            metadata.insert("required_failed".to_owned(), json!(heard.required_failed));
        }
        json!({
            "role": "assistant",
            "content": content.join("\n\n"),
            "metadata": metadata,
            "timestamp": self.asker.now,
            "sender": "steadfast",
        })
    }

    /// The agents' facts: the first agent that has one of a name gives it to the whole answer.
    fn facts_of_agents(&self) -> Map<String, Value> {
        let mut facts = Map::new();
        for (_, reply) in &self.heard.replies {
            for (fact, value) in &reply.metadata.extra {
                facts.entry(fact.clone()).or_insert_with(|| value.clone());
            }
            if let Some(level) = reply.metadata.reinforcement_level {
                facts.insert("reinforcement_level".to_owned(), json!(level));
            }
        }
        facts
    }

    /// What each agent said, by its name.
    fn agents_invoked(&self) -> Map<String, Value> {
        let said = self.heard.replies.iter().map(|(name, reply)| {
            let mut own = reply.metadata.extra.clone();
            own.insert("verdict".to_owned(), json!(reply.metadata.verdict));
            (name.clone(), Value::Object(own))
        });
        said.collect()
    }
}

/// A payload's facts in one object: a message's inputs beside its metadata, a regression under its two spellings.
fn flattened(payload: &Map<String, Value>) -> Map<String, Value> {
    let mut facts = as_sent(payload);
    for (theirs, ours) in OTHER_NAMES {
        if let Some(value) = facts.get(*theirs).cloned() {
            facts.entry((*ours).to_owned()).or_insert(value);
        }
    }
    if let Some((severity, regression)) = regression_in(&facts) {
        facts.insert("severity".to_owned(), severity);
        facts.insert("regression".to_owned(), regression);
    }
    facts
}

/// What the documents' inputs name, and how definitions call it.
const OTHER_NAMES: &[(&str, &str)] = &[
    ("task_context", "task"),
    ("iteration_number", "iteration"),
    ("error_history", "errors"),
    ("risk_patterns", "detected_risks"),
    ("baseline", "baseline_metrics"),
    ("current", "current_metrics"),
    ("final_status", "status"),
];

/// The payload's own fields, or a message's metadata with its inputs.
fn as_sent(payload: &Map<String, Value>) -> Map<String, Value> {
    let Some(metadata) = payload.get("metadata").and_then(Value::as_object) else {
        return payload.clone();
    };
    let mut facts = metadata.clone();
    if let Some(Value::Object(inputs)) = facts.shift_remove("inputs") {
        facts.extend(inputs);
    }
    facts
}

/// A regression's severity and the regression itself, under either spelling.
fn regression_in(facts: &Map<String, Value>) -> Option<(Value, Value)> {
    let regression = facts.get("regression").and_then(Value::as_object);
    let of = |names: [&str; 2]| {
        let inside = names.iter().find_map(|name| regression?.get(*name));
        inside.or_else(|| names.iter().find_map(|name| facts.get(*name))).cloned()
    };
    let details = of(["details", "details"]).unwrap_or(Value::Null);
    let diff = of(["diff", "diff"]).or_else(|| details.get("diff").cloned()).unwrap_or_else(|| {
        json!({
            "before_test_count": details.get("baseline_value"),
            "after_test_count": details.get("current_value"),
        })
    });
    let kind = of(["type", "regression_type"])?;
    let severity = of(["severity", "severity"]).unwrap_or(Value::Null);
    let regression = json!({"type": kind, "severity": severity, "diff": diff});
    Some((severity, regression))
}

/// The regression that a detector among the agents reports.
fn regression(heard: &AgentReplies) -> Option<Value> {
    let (_, reply) = heard.replies.iter().find(|(_, reply)| {
        reply.metadata.verdict == Some(AgentVerdict::Block)
            && reply.metadata.extra.contains_key("regression_type")
    })?;
    let facts = &reply.metadata.extra;
    let diff = facts.get("details").and_then(|details| details.get("diff"));
    Some(json!({"type": facts.get("regression_type"), "severity": facts.get("severity"), "diff": diff}))
}
