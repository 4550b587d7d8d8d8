//! The one object that Gemini CLI takes from a hook.
//!
//! Where nothing stands on stdout the client parses stderr, so nothing is ever written there.

use serde_json::{Map, Value, json};

use crate::hosts::prose::fitted;
use crate::model::verdict::{Answer, Verdict};

/// The longest text that is sent, in UTF-16 units.
const TEXT_LIMIT: usize = 9_500;

/// The answer to an event; `None` is silence.
pub(super) fn write(event: &str, answer: &Answer) -> Option<Value> {
    let mut said = Map::new();
    match &answer.verdict {
        Verdict::Pass => {}
        // A refusal of what a tool has answered would take the answer from the model.
        Verdict::Context(text) | Verdict::Feedback(text) => {
            let specific = json!({"hookEventName": event, "additionalContext": fit(text)});
            said.insert("hookSpecificOutput".to_owned(), specific);
        }
        Verdict::Ask(reason) => decide(&mut said, "ask", reason),
        // At the end of a turn a refusal is what goes on with it.
        Verdict::Deny(reason) | Verdict::Continue(reason) => decide(&mut said, "deny", reason),
        Verdict::Halt(reason) => {
            said.insert("continue".to_owned(), json!(false));
            said.insert("stopReason".to_owned(), json!(fit(reason)));
        }
    }
    if let Some(human) = &answer.human {
        said.insert("systemMessage".to_owned(), json!(fit(human)));
    }
    (!said.is_empty()).then_some(Value::Object(said))
}

fn decide(said: &mut Map<String, Value>, decision: &str, reason: &str) {
    said.insert("decision".to_owned(), json!(decision));
    said.insert("reason".to_owned(), json!(fit(reason)));
}

fn fit(text: &str) -> String {
    fitted(text, TEXT_LIMIT)
}
