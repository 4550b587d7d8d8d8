//! Events handed to the built hook as a client hands them over, without a client.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::project::Project;

impl Project {
    /// Runs the hook for an event of `session` and returns its answer; `None` when it said nothing.
    pub(crate) fn hook(&self, event: &str, session: &str, more: Value) -> Option<Value> {
        self.hook_with(event, session, more, &[("CLAUDE_CODE_STOP_HOOK_BLOCK_CAP", "0")])
    }

    /// The same with these variables in the client's environment.
    pub(crate) fn hook_with(
        &self,
        event: &str,
        session: &str,
        more: Value,
        env: &[(&str, &str)],
    ) -> Option<Value> {
        let mut input = json!({
            "session_id": session, "transcript_path": "/nowhere.jsonl", "cwd": self.root(),
            "hook_event_name": event, "permission_mode": "bypassPermissions",
        });
        if let (Some(input), Some(more)) = (input.as_object_mut(), more.as_object()) {
            input.extend(more.clone());
        }
        let argument: String = event.chars().enumerate().fold(String::new(), |mut name, (at, letter)| {
            if letter.is_uppercase() && at > 0 {
                name.push('-');
            }
            name.extend(letter.to_lowercase());
            name
        });
        let mut command = Command::new(env!("CARGO_BIN_EXE_steadfast-hook"));
        let command = self.clean(command.arg(argument)).envs(env.iter().copied());
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the hook");
        let mut stdin = child.stdin.take().expect("its input");
        let _ = writeln!(stdin, "{input}");
        drop(stdin);
        let output = child.wait_with_output().expect("the hook's end");
        assert!(output.status.success(), "{event}: {output:?}");
        let text = String::from_utf8_lossy(&output.stdout);
        (!text.trim().is_empty()).then(|| serde_json::from_str(&text).expect("an answer in JSON"))
    }

    /// The main agent wants to end its turn with these words. Returns what it is told when it may not.
    pub(crate) fn stop(&self, session: &str, said: &str) -> Option<String> {
        let answer =
            self.hook("Stop", session, json!({"stop_hook_active": true, "last_assistant_message": said}))?;
        answer["hookSpecificOutput"]["additionalContext"].as_str().map(str::to_owned)
    }

    /// A session starts.
    pub(crate) fn begin_session(&self, session: &str) -> Option<Value> {
        self.hook("SessionStart", session, json!({"source": "startup"}))
    }
}
