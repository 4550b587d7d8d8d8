//! A scripted stand-in for the Responses API, for agents that speak it.
//!
//! Each request takes the script's next turn. All are recorded.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use super::http::{Request, Response, Server};
use super::script::Turn;

/// What the model says when its script is over.
const FINAL: &str = "All done.";

/// The server and what it was asked.
pub(crate) struct OpenAi {
    server: Server,
    state: Arc<Mutex<State>>,
}

struct State {
    turns: std::vec::IntoIter<Turn>,
    asked: Vec<Value>,
}

impl OpenAi {
    /// Plays these turns.
    pub(crate) fn play(turns: Vec<Turn>) -> Self {
        let state = Arc::new(Mutex::new(State { turns: turns.into_iter(), asked: Vec::new() }));
        let shared = Arc::clone(&state);
        OpenAi { server: Server::start(move |request| answer(&request, &shared)), state }
    }

    /// The address for the agent.
    pub(crate) fn url(&self) -> String {
        format!("{}/v1", self.server.url())
    }

    /// The requests so far.
    pub(crate) fn asked(&self) -> Vec<Value> {
        self.state.lock().expect("the state").asked.clone()
    }
}

fn answer(request: &Request, state: &Mutex<State>) -> Response {
    if request.method != "POST" || !request.path.ends_with("/responses") {
        let body = json!({"object": "list", "data": [], "models": []}).to_string();
        return Response { status: 200, content_type: "application/json", body };
    }
    let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
    let mut state = state.lock().expect("the state");
    state.asked.push(body);
    let number = state.asked.len();
    let turn = state.turns.next().unwrap_or_else(|| Turn::say(FINAL));
    Response { status: 200, content_type: "text/event-stream", body: events(&turn, number) }
}

/// The turn as the server-sent events of a response.
fn events(turn: &Turn, number: usize) -> String {
    let calls = turn.tools.iter().enumerate().map(|(at, (name, input))| match input {
        // A tool without a schema takes a text as it is.
        Value::String(text) => json!({"type": "custom_tool_call", "id": format!("ctc_{number}_{at}"),
            "call_id": format!("call_{number}_{at}"), "name": name, "input": text}),
        _ => json!({"type": "function_call", "id": format!("fc_{number}_{at}"), "call_id": format!("call_{number}_{at}"),
            "name": name, "arguments": input.to_string()})
    });
    let text = (!turn.text.is_empty()).then(|| {
        json!({"type": "message", "id": format!("msg_{number}"), "role": "assistant",
            "content": [{"type": "output_text", "text": turn.text}]})
    });
    let items: Vec<Value> = text.into_iter().chain(calls).collect();
    let id = format!("resp_{number}");
    let mut events = vec![json!({"type": "response.created", "response": {"id": id}})];
    for (at, item) in items.iter().enumerate() {
        events.push(json!({"type": "response.output_item.added", "output_index": at, "item": item}));
        events.push(json!({"type": "response.output_item.done", "output_index": at, "item": item}));
    }
    let usage = json!({"input_tokens": 10, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 5,
        "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 15});
    events
        .push(json!({"type": "response.completed", "response": {"id": id, "output": items, "usage": usage}}));
    let rows = events
        .iter()
        .map(|event| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or_default()));
    rows.collect()
}
