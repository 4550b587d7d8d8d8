//! An agent's session as its client would drive it: each call fires both events, and is done for real unless denied.

use std::fs;
use std::process::Command;

use serde_json::{Value, json};

use crate::place::Place;

/// The session's id.
pub(crate) const SESSION: &str = "11111111-2222-4333-8444-555555555555";

/// A test of its own subject.
pub(crate) fn test(name: &str) -> String {
    format!("it('{name}s two', () => {{\n  expect({name}(1, 2)).toBe('{name}-3');\n}});\n")
}

/// One for each subject.
pub(crate) fn tests(names: &[&str]) -> String {
    names.iter().map(|name| test(name)).collect()
}

/// An agent's session in a project: each call fires both events, and is done for real unless it is denied.
pub(crate) struct Agent {
    pub(crate) place: Place,
    calls: u32,
}

/// What the agent is told about a call.
#[derive(Debug, PartialEq)]
pub(crate) enum Told {
    /// Nothing that holds it up.
    Done(String),
    /// The call was denied.
    Denied(String),
}

impl Told {
    pub(crate) fn text(&self) -> &str {
        let (Told::Done(text) | Told::Denied(text)) = self;
        text
    }

    /// Whether the call was done and no pattern was named.
    pub(crate) fn is_silent(&self) -> bool {
        matches!(self, Told::Done(text) if !text.contains("LP-"))
    }

    pub(crate) fn is_denied(&self) -> bool {
        matches!(self, Told::Denied(_))
    }
}

impl Agent {
    pub(crate) fn with(files: &[(&str, &str)]) -> Agent {
        let place = Place::new();
        for (path, text) in files {
            place.write(path, text);
        }
        place.commit("Tests");
        Agent { place, calls: 0 }
    }

    pub(crate) fn call(&mut self, tool: &str, input: Value, work: impl FnOnce(&Place)) -> Told {
        self.calls += 1;
        let fields = json!({
            "tool_name": tool, "tool_input": input, "tool_use_id": format!("toolu_{}", self.calls),
            "tool_response": {"stdout": "", "stderr": ""},
        });
        let before = self.place.fire("pre-tool-use", SESSION, fields.clone()).unwrap_or_default();
        let said = &before["hookSpecificOutput"];
        if said["permissionDecision"] == "deny" {
            return Told::Denied(said["permissionDecisionReason"].as_str().unwrap_or_default().to_owned());
        }
        work(&self.place);
        let after = self.place.fire("post-tool-use", SESSION, fields).unwrap_or_default();
        // The warning that a test file is written names no pattern.
        Told::Done(format!("{before} {after}"))
    }

    pub(crate) fn write(&mut self, path: &str, text: &str) -> Told {
        let input = json!({"file_path": self.place.path(path), "content": text});
        self.call("Write", input, |place| place.write(path, text))
    }

    pub(crate) fn edit(&mut self, path: &str, old: &str, new: &str) -> Told {
        let before = fs::read_to_string(self.place.path(path)).unwrap();
        assert!(before.contains(old), "{old:?} is not in {path}");
        let input = json!({"file_path": self.place.path(path), "old_string": old, "new_string": new});
        self.call("Edit", input, |place| place.write(path, before.replacen(old, new, 1)))
    }

    pub(crate) fn multi_edit(&mut self, path: &str, edits: &[(&str, &str)]) -> Told {
        let before = fs::read_to_string(self.place.path(path)).unwrap();
        let after = edits.iter().fold(before, |text, (old, new)| text.replacen(old, new, 1));
        let edits: Vec<Value> =
            edits.iter().map(|(old, new)| json!({"old_string": old, "new_string": new})).collect();
        let input = json!({"file_path": self.place.path(path), "edits": edits});
        self.call("MultiEdit", input, |place| place.write(path, after))
    }

    pub(crate) fn shell(&mut self, command: &str) -> Told {
        self.call("Bash", json!({"command": command}), |place| {
            let run = Command::new("sh").args(["-c", command]).current_dir(place.root()).output().unwrap();
            assert!(run.status.success(), "{command}: {run:?}");
        })
    }

    /// A command that can't be read, and what it leaves.
    pub(crate) fn script(&mut self, path: &str, text: Option<&str>) -> Told {
        self.call("Bash", json!({"command": "python3 tidy.py"}), |place| match text {
            Some(text) => place.write(path, text),
            None => fs::remove_file(place.path(path)).unwrap(),
        })
    }

    /// What a file holds; nothing when it isn't there.
    pub(crate) fn text(&self, path: &str) -> String {
        fs::read_to_string(self.place.path(path)).unwrap_or_default()
    }

    pub(crate) fn stop(&self) -> String {
        self.place.stop(SESSION).unwrap_or_default().to_string()
    }

    /// The regressions that are recorded: type, whether open, what was lost.
    pub(crate) fn regressions(&self) -> Vec<(String, bool, Vec<String>)> {
        let state = self.place.state(&self.place.only_loop());
        let events = state["regression_events"].as_array().cloned().unwrap_or_default();
        let lost = |event: &Value| {
            let diff = event["details"]["diff"].as_object().cloned().unwrap_or_default();
            let names = diff.values().filter_map(Value::as_array).flatten();
            names.filter_map(Value::as_str).map(str::to_owned).collect()
        };
        let kind = |event: &Value| event["regression_type"].as_str().unwrap_or_default().to_owned();
        events
            .iter()
            .map(|event| {
                (
                    kind(event),
                    event["recovery_outcome"].is_null() && event["human_decision"].is_null(),
                    lost(event),
                )
            })
            .collect()
    }
}
