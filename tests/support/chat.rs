//! Scripted stand-ins for the models of other agents: the chat completions of OpenAI, and Gemini's content.
//!
//! A request with tools takes the script's next turn; one without (titles, summaries) gets a stock text. All are
//! recorded.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use super::http::{Request, Response, Server};
use super::script::Turn;

/// What the model says when its script is over.
const FINAL: &str = "All done.";
/// What it says where no tool is offered; some clients want an object there.
const ASIDE: &str = r#"{"next_speaker": "user", "reasoning": "scripted"}"#;

/// In which words a model answers.
#[derive(Clone, Copy)]
pub(crate) enum Dialect {
    /// `/chat/completions`.
    OpenAi,
    /// `:generateContent`.
    Gemini,
}

/// The server and what it was asked.
pub(crate) struct Chat {
    server: Server,
    state: Arc<Mutex<State>>,
}

struct State {
    turns: std::vec::IntoIter<Turn>,
    asked: Vec<Value>,
}

impl Chat {
    /// Plays these turns.
    pub(crate) fn play(dialect: Dialect, turns: Vec<Turn>) -> Self {
        let state = Arc::new(Mutex::new(State { turns: turns.into_iter(), asked: Vec::new() }));
        let shared = Arc::clone(&state);
        Chat { server: Server::start(move |request| answer(dialect, &request, &shared)), state }
    }

    /// The address of the server.
    pub(crate) fn url(&self) -> String {
        self.server.url()
    }

    /// The requests with tools so far.
    pub(crate) fn asked(&self) -> Vec<Value> {
        self.state.lock().expect("the state").asked.clone()
    }
}

fn answer(dialect: Dialect, request: &Request, state: &Mutex<State>) -> Response {
    let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
    let asks = request.path.ends_with("/chat/completions") || request.path.contains("enerateContent");
    if request.method != "POST" || !asks {
        let body = json!({"object": "list", "data": [], "models": [], "totalTokens": 10}).to_string();
        return Response { status: 200, content_type: "application/json", body };
    }
    let mut state = state.lock().expect("the state");
    let (turn, number) = match body["tools"].as_array().is_some_and(|tools| !tools.is_empty()) {
        true => {
            state.asked.push(body.clone());
            (state.turns.next().unwrap_or_else(|| Turn::say(FINAL)), state.asked.len())
        }
        false => (Turn::say(ASIDE), 0),
    };
    match dialect {
        Dialect::OpenAi => completion(&turn, number, body["stream"] == true),
        Dialect::Gemini => content(&turn, request.path.contains(":stream")),
    }
}

fn completion(turn: &Turn, number: usize, streamed: bool) -> Response {
    let calls: Vec<Value> = turn
        .tools
        .iter()
        .enumerate()
        .map(|(at, (name, input))| {
            json!({"index": at, "id": format!("call_{number}_{at}"), "type": "function",
            "function": {"name": name, "arguments": input.to_string()}})
        })
        .collect();
    let ended = if calls.is_empty() { "stop" } else { "tool_calls" };
    let mut message = json!({"role": "assistant", "content": turn.text});
    if !calls.is_empty() {
        message["tool_calls"] = json!(calls);
    }
    let usage = json!({"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15});
    let base = json!({"id": format!("cc_{number}"), "created": 1, "model": "scripted"});
    let with = |object: &str, choice: Value| {
        let mut whole = base.clone();
        whole["object"] = json!(object);
        whole["choices"] = json!([choice]);
        whole["usage"] = usage.clone();
        whole
    };
    if !streamed {
        let choice = json!({"index": 0, "message": message, "finish_reason": ended});
        let body = with("chat.completion", choice).to_string();
        return Response { status: 200, content_type: "application/json", body };
    }
    let said = json!({"index": 0, "delta": message, "finish_reason": null});
    let end = json!({"index": 0, "delta": {}, "finish_reason": ended});
    let rows = [said, end].map(|choice| format!("data: {}\n\n", with("chat.completion.chunk", choice)));
    let body = rows.concat() + "data: [DONE]\n\n";
    Response { status: 200, content_type: "text/event-stream", body }
}

fn content(turn: &Turn, streamed: bool) -> Response {
    let text = (!turn.text.is_empty()).then(|| json!({"text": turn.text}));
    let calls = turn.tools.iter().map(|(name, input)| json!({"functionCall": {"name": name, "args": input}}));
    let parts: Vec<Value> = text.into_iter().chain(calls).collect();
    let usage = json!({"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15});
    let candidate = json!({"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0});
    let answer = json!({"candidates": [candidate], "usageMetadata": usage, "modelVersion": "scripted"});
    match streamed {
        true => Response {
            status: 200,
            content_type: "text/event-stream",
            body: format!("data: {answer}\r\n\r\n"),
        },
        false => Response { status: 200, content_type: "application/json", body: answer.to_string() },
    }
}
