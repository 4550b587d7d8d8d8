//! What a call has printed, in the shapes in which hosts other than Claude Code say it.

use super::json::EventValue;
use crate::model::event::{Action, ToolCall};

/// The line of a shell tool's answer to the model that says how the command ended.
const EXIT: &str = "Exit Code: ";
/// What it says where the command ended well, or was not asked for its end.
const WELL: &[&str] = &["0", "(none)"];

/// What a call answered, under any of the names that hosts have for it.
pub(super) fn response(input: &EventValue) -> &EventValue {
    ["tool_response", "tool_output", "output", "result"]
        .iter()
        .map(|field| input.get(field))
        .find(|value| !matches!(value, EventValue::Other | EventValue::Null))
        .unwrap_or(&EventValue::Other)
}

/// What a shell call printed; of other calls nothing is kept.
pub(super) fn output(call: &ToolCall, response: &EventValue) -> String {
    match call.action {
        Action::Shell { .. } => text(response),
        _ => String::new(),
    }
}

/// The error of a call that has failed, in the words of a client that tells of failures by an event of their own.
pub(super) fn failure(call: &ToolCall, response: &EventValue) -> Option<String> {
    let told = response.get("error");
    if let Some(said) = told.text("message").or_else(|| told.as_text()).filter(|said| !said.is_empty()) {
        return Some(said.to_owned());
    }
    if !matches!(call.action, Action::Shell { .. }) {
        return None;
    }
    let said = response.text("llm_content")?;
    let code = said.lines().rev().find_map(|line| line.trim().strip_prefix(EXIT))?;
    (!WELL.contains(&code)).then(|| format!("Exit code {code}\n{}", text(response)))
}

/// Whether a background task is still at work. What says nothing of its state is listed because it is.
pub(super) fn is_running(task: &EventValue) -> bool {
    !matches!(task.text("status"), Some("completed" | "failed" | "killed" | "stopped" | "cancelled"))
}

/// The text of an answer: what the person sees where a host says that apart, since it is what was printed and no more.
pub(super) fn text(response: &EventValue) -> String {
    match response {
        EventValue::Text(text) => text.clone(),
        EventValue::List(parts) => {
            parts.iter().map(text).filter(|it| !it.is_empty()).collect::<Vec<_>>().join("\n")
        }
        EventValue::Object(_) => of_object(response),
        _ => String::new(),
    }
}

fn of_object(response: &EventValue) -> String {
    for field in ["return_display", "output", "result", "text", "content", "llm_content"] {
        let said = text(response.get(field));
        if !said.is_empty() {
            return said;
        }
    }
    streams(response)
}

/// What was printed: stdout, then stderr on a line of its own.
pub(super) fn streams(response: &EventValue) -> String {
    let (printed, errors) = (response.string("stdout"), response.string("stderr"));
    match printed.is_empty() || printed.ends_with('\n') || errors.is_empty() {
        true => printed + &errors,
        false => printed + "\n" + &errors,
    }
}
