//! A scripted stand-in for the Messages API.
//!
//! Every request that offers tools takes its thread's next turn; a byte-identical repeat, which is a client's retry,
//! gets the same turn again. Requests without tools (titles, probes, summaries) get a stock text. All are recorded.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use serde_json::{Map, Value, json};

use super::http::{Request, Response, Server};
use super::script::{Thread, Turn};

/// What the model says when its script is over.
const FINAL: &str = "All done.";

/// One request of an agent's loop as it was sent.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    /// The thread's mark; empty for the main agent.
    pub(crate) thread: String,
    /// The messages of the request.
    pub(crate) messages: Vec<Value>,
}

/// The server and what it was asked.
pub(crate) struct Api {
    server: Server,
    state: Arc<Mutex<State>>,
}

struct State {
    threads: Vec<Thread>,
    next: Vec<usize>,
    answered: HashMap<Vec<u8>, Value>,
    asked: Vec<Asked>,
    sent: Vec<String>,
    calls: usize,
}

impl Api {
    /// Plays `threads`. The last one must be the main agent's, whose empty mark is in every message.
    pub(crate) fn play(threads: Vec<Thread>) -> Self {
        let next = vec![0; threads.len()];
        let state =
            State { threads, next, answered: HashMap::new(), asked: Vec::new(), sent: Vec::new(), calls: 0 };
        let state = Arc::new(Mutex::new(state));
        let shared = Arc::clone(&state);
        Api { server: Server::start(move |request| answer(&request, &shared)), state }
    }

    /// The address for the client.
    pub(crate) fn url(&self) -> String {
        self.server.url()
    }

    /// The bodies of all requests so far, whatever they were for.
    pub(crate) fn sent(&self) -> Vec<String> {
        self.state.lock().expect("the state").sent.clone()
    }

    /// The requests of agents' loops so far.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.state.lock().expect("the state").asked.clone()
    }
}

/// The id of the script's `number`th tool call, from 0, counted over all threads in the order of being played.
pub(crate) fn call_id(number: usize) -> String {
    format!("toolu_bench{number:04}")
}

fn answer(request: &Request, state: &Mutex<State>) -> Response {
    if request.method != "POST" {
        return json_response(&json!({"data": [], "has_more": false}));
    }
    state.lock().expect("the state").sent.push(String::from_utf8_lossy(&request.body).into_owned());
    if request.path.ends_with("/count_tokens") {
        return json_response(&json!({"input_tokens": request.body.len() / 4 + 1}));
    }
    if !request.path.ends_with("/v1/messages") {
        return json_response(&json!({}));
    }
    let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
    let message = if body["tools"].as_array().is_none_or(Vec::is_empty) {
        message(&Turn::say("ok"), &body, "side", &mut 0)
    } else {
        state.lock().expect("the state").next_message(&request.body, &body)
    };
    if body["stream"] == json!(true) {
        return Response { status: 200, content_type: "text/event-stream", body: event_stream(&message) };
    }
    json_response(&message)
}

fn json_response(value: &Value) -> Response {
    Response { status: 200, content_type: "application/json", body: value.to_string() }
}

impl State {
    fn next_message(&mut self, bytes: &[u8], body: &Value) -> Value {
        if let Some(message) = self.answered.get(bytes) {
            return message.clone();
        }
        let messages = body["messages"].as_array().cloned().unwrap_or_default();
        let opening =
            messages.iter().find(|message| message["role"] == "user").map(texts).unwrap_or_default();
        let place = self.threads.iter().position(|thread| opening.contains(&thread.mark)).expect("a thread");
        let thread = self.threads[place].mark.clone();
        let turn = self.threads[place].turns.get(self.next[place]).cloned();
        self.next[place] += 1;
        self.asked.push(Asked { thread, messages });
        let turn = turn.unwrap_or_else(|| Turn::say(FINAL));
        // The client joins messages that share an id.
        let id = format!("{:04}", self.asked.len());
        let message = message(&turn, body, &id, &mut self.calls);
        self.answered.insert(bytes.to_vec(), message.clone());
        message
    }
}

/// The texts of a message, joined by newlines.
pub(crate) fn texts(message: &Value) -> String {
    let content = &message["content"];
    if let Some(text) = content.as_str() {
        return text.to_owned();
    }
    let blocks = content.as_array().into_iter().flatten();
    blocks.filter_map(|block| block["text"].as_str()).collect::<Vec<_>>().join("\n")
}

fn message(turn: &Turn, body: &Value, id: &str, calls: &mut usize) -> Value {
    let mut content = Vec::new();
    if !turn.text.is_empty() {
        content.push(json!({"type": "text", "text": turn.text}));
    }
    for (name, input) in &turn.tools {
        content.push(json!({"type": "tool_use", "id": call_id(*calls), "name": name, "input": input}));
        *calls += 1;
    }
    // A request of auto mode wants to know what its check says.
    let safeguards = body["safeguards"].is_array();
    let stop_reason = if turn.tools.is_empty() { "end_turn" } else { "tool_use" };
    let mut message = json!({
        "id": format!("msg_bench{id}"), "type": "message", "role": "assistant", "model": body["model"],
        "content": content, "stop_reason": stop_reason, "stop_sequence": null,
        "usage": {"input_tokens": 100, "output_tokens": 20,
            "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0},
    });
    if safeguards {
        message["safeguard_results"] = nothing_flagged(&message);
    }
    message
}

/// What the check of auto mode says of a message's calls: there is nothing against them.
fn nothing_flagged(message: &Value) -> Value {
    let content = message["content"].as_array().into_iter().flatten();
    let calls = content.filter_map(|block| block["id"].as_str());
    let verdict = json!({"type": "evaluated", "outcome": "not_flagged"});
    let verdicts: Map<String, Value> = calls.map(|id| (id.to_owned(), verdict.clone())).collect();
    json!([{"type": "dangerous_tool_use", "status": {"type": "available", "tool_uses": verdicts}}])
}

/// The message as the server-sent events which a streaming client expects.
fn event_stream(message: &Value) -> String {
    let mut start = message.clone();
    let results = start.as_object_mut().and_then(|start| start.remove("safeguard_results"));
    start["content"] = json!([]);
    start["stop_reason"] = Value::Null;
    let mut events = vec![json!({"type": "message_start", "message": start})];
    for (index, block) in message["content"].as_array().into_iter().flatten().enumerate() {
        let mut empty = block.clone();
        let delta = if block["type"] == "text" {
            empty["text"] = json!("");
            json!({"type": "text_delta", "text": block["text"]})
        } else {
            empty["input"] = json!({});
            json!({"type": "input_json_delta", "partial_json": block["input"].to_string()})
        };
        events.push(json!({"type": "content_block_start", "index": index, "content_block": empty}));
        events.push(json!({"type": "content_block_delta", "index": index, "delta": delta}));
        events.push(json!({"type": "content_block_stop", "index": index}));
    }
    let mut delta = json!({"stop_reason": message["stop_reason"], "stop_sequence": null});
    if let Some(results) = results {
        delta["safeguard_results"] = results;
    }
    events.push(json!({"type": "message_delta", "delta": delta, "usage": message["usage"]}));
    events.push(json!({"type": "message_stop"}));
    events
        .iter()
        .map(|event| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or("")))
        .collect()
}
