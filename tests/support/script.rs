//! What "the model" does: turns of text and tool calls, in order, for the main agent and for subagents.

use std::path::Path;

use serde_json::{Value, json};

/// One answer of the model: a text, then tool calls. Without a call it ends the agent's turn.
#[derive(Debug, Clone, Default)]
pub(crate) struct Turn {
    pub(crate) text: String,
    pub(crate) tools: Vec<(String, Value)>,
}

impl Turn {
    /// A turn that says something.
    pub(crate) fn say(text: &str) -> Self {
        Turn { text: text.to_owned(), tools: Vec::new() }
    }

    /// A turn that calls a tool.
    pub(crate) fn call(tool: &str, input: Value) -> Self {
        Turn::default().and(tool, input)
    }

    /// And calls another one.
    pub(crate) fn and(mut self, tool: &str, input: Value) -> Self {
        self.tools.push((tool.to_owned(), input));
        self
    }

    /// Runs a shell command.
    pub(crate) fn bash(command: &str) -> Self {
        Turn::call("Bash", json!({"command": command, "description": "scripted"}))
    }

    /// Reads a file; the client lets an existing file be changed only after that.
    pub(crate) fn read(path: &Path) -> Self {
        Turn::call("Read", json!({"file_path": path}))
    }

    /// Replaces a text of a file.
    pub(crate) fn edit(path: &Path, old: &str, new: &str) -> Self {
        Turn::call("Edit", json!({"file_path": path, "old_string": old, "new_string": new}))
    }

    /// Writes a whole file.
    pub(crate) fn write(path: &Path, content: &str) -> Self {
        Turn::call("Write", json!({"file_path": path, "content": content}))
    }

    /// Starts a subagent; its own turns are those of the thread whose mark its prompt holds.
    pub(crate) fn agent(prompt: &str) -> Self {
        let input = json!({"description": "scripted", "prompt": prompt, "subagent_type": "general-purpose"});
        Turn::call("Agent", input)
    }
}

/// The turns of one agent. A request belongs to the first thread whose mark is in its first user message.
#[derive(Debug, Clone, Default)]
pub(crate) struct Thread {
    pub(crate) mark: String,
    pub(crate) turns: Vec<Turn>,
}
