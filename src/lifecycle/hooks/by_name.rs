//! Firing a hook by its name, with a payload: how a host without hooks, or a person, reaches the same agents.
//!
//! A payload is a message of the documents' form (`{role, content, metadata: {hook_name, loop_id, iteration, inputs}}`)
//! or its facts alone. The answer is a message too: the agents' words and verdicts, and what each of them said.

use std::path::Path;

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use crate::definitions::Loaded;
use crate::definitions::envelope::Verdict;
use crate::definitions::names::HookName;
use crate::lifecycle::context::agent_messages;
use crate::lifecycle::context::agent_messages::{Asker, Heard};
use crate::lifecycle::context::facts::Facts;
use crate::lifecycle::context::triggers;
use crate::state::loop_id;
use crate::state::loop_state::LoopState;

/// Why a payload is refused.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
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
    loaded: &Loaded,
    now: Timestamp,
) -> Result<Value, Refused> {
    let payload: Value =
        serde_json::from_slice(payload).map_err(|error| Refused::NotAnObject(error.to_string()))?;
    let Value::Object(payload) = payload else {
        return Err(Refused::NotAnObject("it is another value".to_owned()));
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
        iteration,
        directory: project,
        now,
        longest: None,
    };
    let mut heard = agent_messages::ask(asker, hook, &facts, &given);
    let mut fired = vec![hook.name()];
    // A detector's finding goes to recovery in the same breath, as it does in a loop.
    if let Some(found) = regression(&heard)
        && hook != HookName::RegressionDetected
    {
        let facts = facts.clone().with("regression", found.clone());
        let recovery = agent_messages::ask(asker, HookName::RegressionDetected, &facts, &given);
        fired.push(HookName::RegressionDetected.name());
        heard.replies.extend(recovery.replies);
        heard.failures.extend(recovery.failures);
    }
    for next in triggers::holding(&loaded.definitions, hook, &facts) {
        if !fired.contains(&next.name()) {
            fired.push(next.name());
            let more = agent_messages::ask(asker, next, &facts, &given);
            heard.replies.extend(more.replies);
            heard.failures.extend(more.failures);
        }
    }
    Ok(message(hook, &id, iteration, &heard, &fired, now))
}

/// A payload's facts in one object: a message's inputs beside its metadata, a regression under its two spellings.
fn flattened(payload: &Map<String, Value>) -> Map<String, Value> {
    let mut facts = Map::new();
    if let Some(metadata) = payload.get("metadata").and_then(Value::as_object) {
        facts.extend(
            metadata.iter().filter(|(name, _)| *name != "inputs").map(|(n, v)| (n.clone(), v.clone())),
        );
        if let Some(inputs) = metadata.get("inputs").and_then(Value::as_object) {
            facts.extend(inputs.iter().map(|(name, value)| (name.clone(), value.clone())));
        }
    } else {
        facts.extend(payload.iter().map(|(name, value)| (name.clone(), value.clone())));
    }
    // The documents' inputs name what definitions call otherwise.
    for (theirs, ours) in [
        ("task_context", "task"),
        ("iteration_number", "iteration"),
        ("error_history", "errors"),
        ("risk_patterns", "detected_risks"),
        ("baseline", "baseline_metrics"),
        ("current", "current_metrics"),
        ("final_status", "status"),
    ] {
        if let Some(value) = facts.get(theirs).cloned() {
            facts.entry(ours.to_owned()).or_insert(value);
        }
    }
    let regression = facts.get("regression").and_then(Value::as_object).cloned();
    let of = |names: [&str; 2]| {
        let inside = names.iter().find_map(|name| regression.as_ref()?.get(*name));
        inside.or_else(|| names.iter().find_map(|name| facts.get(*name))).cloned()
    };
    let details = of(["details", "details"]).unwrap_or(Value::Null);
    let diff = of(["diff", "diff"]).or_else(|| details.get("diff").cloned()).unwrap_or_else(|| {
        json!({
            "before_test_count": details.get("baseline_value"),
            "after_test_count": details.get("current_value"),
        })
    });
    if let Some(kind) = of(["type", "regression_type"]) {
        let severity = of(["severity", "severity"]).unwrap_or(Value::Null);
        facts.insert("severity".to_owned(), severity.clone());
        facts.insert("regression".to_owned(), json!({"type": kind, "severity": severity, "diff": diff}));
    }
    facts
}

/// The regression that a detector among the agents reports.
fn regression(heard: &Heard) -> Option<Value> {
    let (_, reply) = heard.replies.iter().find(|(_, reply)| {
        reply.metadata.verdict == Some(Verdict::Block) && reply.metadata.extra.contains_key("regression_type")
    })?;
    let facts = &reply.metadata.extra;
    let diff = facts.get("details").and_then(|details| details.get("diff"));
    Some(json!({"type": facts.get("regression_type"), "severity": facts.get("severity"), "diff": diff}))
}

fn message(hook: HookName, id: &str, iteration: u32, heard: &Heard, fired: &[&str], now: Timestamp) -> Value {
    let content: Vec<&str> = heard
        .replies
        .iter()
        .map(|(_, reply)| reply.content.as_str())
        .filter(|text| !text.is_empty())
        .collect();
    let mut metadata = Map::new();
    let mut invoked = Map::new();
    let (mut recommendations, mut artifacts) = (Vec::new(), Vec::new());
    for (name, reply) in &heard.replies {
        // The first agent that has a fact of a name gives it to the whole answer; all of them keep their own.
        for (fact, value) in &reply.metadata.extra {
            metadata.entry(fact.clone()).or_insert_with(|| value.clone());
        }
        if let Some(level) = reply.metadata.reinforcement_level {
            metadata.insert("reinforcement_level".to_owned(), json!(level));
        }
        recommendations.extend(reply.metadata.recommendations.iter().cloned());
        artifacts.extend(reply.metadata.artifacts.iter().cloned());
        let mut own = reply.metadata.extra.clone();
        own.insert("verdict".to_owned(), json!(reply.metadata.verdict));
        invoked.insert(name.clone(), Value::Object(own));
    }
    metadata.insert("hook_name".to_owned(), json!(hook.name()));
    metadata.insert("hooks_fired".to_owned(), json!(fired));
    metadata.insert("loop_id".to_owned(), json!(id));
    metadata.insert("iteration".to_owned(), json!(iteration));
    metadata.insert("verdict".to_owned(), json!(heard.verdict().unwrap_or(Verdict::Pass)));
    metadata.insert("recommendations".to_owned(), json!(recommendations));
    metadata.insert("artifacts".to_owned(), json!(artifacts));
    metadata.insert("agents_invoked".to_owned(), Value::Object(invoked));
    if !heard.failures.is_empty() {
        metadata.insert("failures".to_owned(), json!(heard.failures));
        metadata.insert("required_failed".to_owned(), json!(heard.required_failed));
    }
    json!({
        "role": "assistant",
        "content": content.join("\n\n"),
        "metadata": metadata,
        "timestamp": now,
        "sender": "steadfast",
    })
}
