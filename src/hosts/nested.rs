//! The answers of hosts that took over Claude Code's form: what one event takes stands in `hookSpecificOutput`, and a
//! decision about what has happened beside it.

use serde_json::{Map, Value, json};

use super::prose::fitted;
use crate::model::verdict::{Answer, Verdict};

/// The longest text that is sent, in UTF-16 units: what these hosts take whole.
pub(super) const TEXT_LIMIT: usize = 9_500;

/// The answer to an event; `None` is silence.
pub(super) fn write(event: &str, answer: &Answer) -> Option<Value> {
    let mut said = Map::new();
    match &answer.verdict {
        Verdict::Pass => {}
        Verdict::Context(text) => {
            specific(&mut said, json!({"hookEventName": event, "additionalContext": fit(text)}))
        }
        Verdict::Ask(reason) => permission(&mut said, event, ("ask", reason)),
        Verdict::Deny(reason) if event == "PreToolUse" => permission(&mut said, event, ("deny", reason)),
        Verdict::Deny(reason) | Verdict::Feedback(reason) | Verdict::Continue(reason) => {
            said.insert("decision".to_owned(), json!("block"));
            said.insert("reason".to_owned(), json!(fit(reason)));
        }
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

/// A call's permission, and why.
fn permission(said: &mut Map<String, Value>, event: &str, (decision, reason): (&str, &str)) {
    let value = json!({
        "hookEventName": event, "permissionDecision": decision, "permissionDecisionReason": fit(reason),
    });
    specific(said, value);
}

fn specific(said: &mut Map<String, Value>, value: Value) {
    said.insert("hookSpecificOutput".to_owned(), value);
}

/// A text as these hosts take it.
pub(super) fn fit(text: &str) -> String {
    fitted(text, TEXT_LIMIT)
}
