//! `on_error`: a tool or a verification failed. The error is recorded, and named to the agent when it keeps coming.

use serde_json::{Map, json};

use super::scene::{Record, Scene};
use super::triggers;
use crate::agents::prompt_reinforcement;
use crate::definitions::names::{Action, Agent, HookName};
use crate::state::atomic::Durability;
use crate::state::records::ErrorRecord;

/// How much of a message is kept, characters.
const MESSAGE_LIMIT: usize = 300;

/// Records the error in `output` and returns what the agent reads: guidance once the same error has come twice, since
/// a first failure explains itself.
pub fn run(scene: &mut Scene, output: &str) -> Option<String> {
    let (error_type, message) = read(output)?;
    let error = ErrorRecord {
        timestamp: scene.env.now,
        iteration: scene.iteration(),
        error_type: error_type.clone(),
        message: message.clone(),
        extra: Map::new(),
    };
    let facts = scene.facts().with("error", json!({"type": error_type, "message": message}));
    let heard = scene.ask(HookName::OnError, &facts, &Map::new());
    let times = scene.change_state(Durability::Process, |state| {
        state.push_error(error);
        prompt_reinforcement::repeated(&prompt_reinforcement::errors(&json!(state.error_history)))
    })?;
    let record = Record::of(&[])
        .heard(&heard)
        .outcome(json!({"error_type": error_type, "message": message, "same_error": times}))
        .change("error_history", json!(error_type))
        .change("last_error", json!(message));
    scene.log("on_error", record);
    for hook in triggers::fired(scene, HookName::OnError, &scene.facts()) {
        if hook == HookName::StuckLoopDetected {
            stuck(scene, &format!("{error_type}: {message}"));
        }
    }
    let reply = heard.of(Agent::PromptReinforcement.name()).map(|reply| reply.content.clone());
    let guides = scene.definitions().definitions.hook(HookName::OnError).does(Action::InjectRecoveryGuidance);
    reply.filter(|_| guides && times >= 2)
}

/// `stuck_loop_detected`: recorded and said; what follows is a person's to decide.
fn stuck(scene: &mut Scene, pattern: &str) {
    if scene.state().is_some_and(|state| state.stuck_loop_detected) {
        return;
    }
    let facts = scene.facts().with("error_pattern", pattern);
    let heard = scene.ask(HookName::StuckLoopDetected, &facts, &Map::new());
    scene.change_state(Durability::Process, |state| state.stuck_loop_detected = true);
    let record = Record::of(&[]).heard(&heard).outcome(pattern).change("stuck_loop_detected", true);
    scene.log("stuck_loop_detected", record);
}

/// The error's type and message in what a tool printed: the first line that names an error, else the first line.
pub fn read(output: &str) -> Option<(String, String)> {
    let lines =
        || output.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("Exit code "));
    let named = lines().find_map(|line| Some((error_type(line)?, line)));
    let (kind, line) = named.or_else(|| lines().next().map(|line| ("error", line)))?;
    Some((kind.to_owned(), line.chars().take(MESSAGE_LIMIT).collect()))
}

fn error_type(line: &str) -> Option<&str> {
    let words = line.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '.'));
    let last = words
        .filter(|word| word.ends_with("Error") || word.ends_with("Exception"))
        .find(|word| word.len() > 5);
    last.or_else(|| line.contains("panicked at").then_some("panic"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_found_in_what_tools_print() {
        let rows = [
            (
                "Exit code 1\nsome log\nTypeError: x is not a function\n    at a.js:1",
                "TypeError",
                "TypeError: x is not a function",
            ),
            (
                "Traceback (most recent call last):\n  File \"a.py\"\nValueError: bad",
                "ValueError",
                "ValueError: bad",
            ),
            (
                "thread 'main' panicked at src/a.rs:3:5:\nboom",
                "panic",
                "thread 'main' panicked at src/a.rs:3:5:",
            ),
            (
                "java.lang.NullPointerException: x",
                "java.lang.NullPointerException",
                "java.lang.NullPointerException: x",
            ),
            ("Exit code 2\nls: no such file", "error", "ls: no such file"),
        ];
        for (output, kind, message) in rows {
            assert_eq!(read(output), Some((kind.to_owned(), message.to_owned())), "{output}");
        }
        assert_eq!(read("Exit code 1\n"), None);
    }
}
