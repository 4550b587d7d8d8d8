//! A line of the log, and how it is written.

use std::io;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::state::hex::hex;
use crate::state::schema::DateTime;

/// A longer line is cut, in bytes.
pub(super) const LONGEST: usize = 32 << 10;

/// What stays of a text in a line that is cut, in characters.
const CUT: usize = 200;

/// One invocation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Line {
    /// When the hook was done.
    #[schemars(with = "DateTime")]
    pub timestamp: Timestamp,
    /// The lifecycle hook, or the host's event where none fired.
    pub hook_name: String,
    /// The agent's host; absent where it is Claude Code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub host: Option<String>,
    /// The loop.
    pub loop_id: String,
    /// Its iteration.
    pub iteration: u32,
    /// The agents that were asked, by the documents' names.
    pub agents_invoked: Vec<String>,
    /// What came of it: the verdict, pattern ids, warnings, failures.
    pub outcomes: Vec<Value>,
    /// The state fields that changed.
    pub state_changes: Map<String, Value>,
    /// What the hook itself took, whole milliseconds: from the line that the same process wrote before, or from its start.
    pub duration_ms: u64,
    /// From 1, without a gap.
    pub seq: u64,
    /// SHA-256 of the line before, hex; empty for the first.
    #[schemars(regex(pattern = "^([0-9a-f]{64})?$"))]
    pub prev_hash: String,
}

impl Line {
    /// Whether this word is among what came of it.
    pub fn says(&self, word: &str) -> bool {
        self.outcomes.iter().any(|outcome| outcome == word)
    }

    /// A line of a hook in a loop, with nothing in it yet. Its place in the chain is found when it is appended.
    pub fn new(hook_name: &str, loop_id: &str, iteration: u32, timestamp: Timestamp) -> Self {
        Line {
            timestamp,
            hook_name: hook_name.to_owned(),
            host: None,
            loop_id: loop_id.to_owned(),
            iteration,
            agents_invoked: Vec::new(),
            outcomes: Vec::new(),
            state_changes: Map::new(),
            duration_ms: 0,
            seq: 0,
            prev_hash: String::new(),
        }
    }
}

/// The hash of a line without its line feed, hex.
pub fn hash(line: &[u8]) -> String {
    hex(&Sha256::digest(line))
}

/// A line as it is written, line feed included.
pub(super) fn bytes(line: &Line) -> io::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec(line)?;
    if bytes.len() > LONGEST {
        bytes = serde_json::to_vec(&cut(line))?;
    }
    bytes.push(b'\n');
    Ok(bytes)
}

/// The line with every long value cut, and every long list.
fn cut(line: &Line) -> Line {
    let cut_text = |text: &str| -> String {
        let mut short: String = text.chars().take(CUT).collect();
        if short.len() < text.len() {
            short.push('…');
        }
        short
    };
    let cut_value = |value: &Value| match value {
        Value::String(text) => Value::from(cut_text(text)),
        Value::Array(_) | Value::Object(_) => Value::from(cut_text(&value.to_string())),
        other => other.clone(),
    };
    Line {
        hook_name: cut_text(&line.hook_name),
        agents_invoked: line.agents_invoked.iter().take(20).map(|name| cut_text(name)).collect(),
        outcomes: line.outcomes.iter().take(20).map(cut_value).collect(),
        state_changes: line
            .state_changes
            .iter()
            .take(20)
            .map(|(field, value)| (cut_text(field), cut_value(value)))
            .collect(),
        ..line.clone()
    }
}

/// The number of a line.
pub(super) fn sequence(line: &[u8]) -> Option<u64> {
    #[derive(Deserialize)]
    struct Sequence {
        seq: u64,
    }
    serde_json::from_slice::<Sequence>(line).ok().map(|line| line.seq)
}
