//! The messages between a hook and its agents.
//!
//! A request is a user's message whose metadata says which hook asks, about which loop; a reply is an assistant's whose
//! metadata carries the verdict. Fields that are not ours survive in a reply.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::state::loop_state::Level;

/// Who sends the hooks' requests.
pub const SENDER: &str = "ralph-orchestrator";

/// What a hook asks an agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AgentRequest {
    /// Always `user`.
    pub role: UserRole,
    /// What is asked for, in words.
    pub content: String,
    /// Which hook asks, and what it gives.
    pub metadata: RequestMetadata,
    /// When.
    pub timestamp: Timestamp,
    /// Who.
    pub sender: String,
}

impl AgentRequest {
    /// A request of the hooks.
    pub fn new(content: &str, metadata: RequestMetadata, now: Timestamp) -> Self {
        AgentRequest {
            role: UserRole::User,
            content: content.to_owned(),
            metadata,
            timestamp: now,
            sender: SENDER.to_owned(),
        }
    }
}

/// Which hook asks, and what it gives.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RequestMetadata {
    /// The hook.
    pub hook_name: String,
    /// The loop.
    pub loop_id: String,
    /// Its iteration.
    pub iteration: u32,
    /// The agent's inputs, placeholders filled.
    pub inputs: Map<String, Value>,
}

/// The role of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UserRole {
    /// The one who asks.
    User,
}

/// What an agent answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    /// Always `assistant`.
    pub role: AssistantRole,
    /// The answer in words.
    #[serde(default)]
    pub content: String,
    /// The answer as facts.
    #[serde(default)]
    pub metadata: ReplyMetadata,
    /// When, if the agent says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<Timestamp>,
    /// Which agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sender: Option<String>,
}

/// The answer as facts.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ReplyMetadata {
    /// Whether what was looked at may stand; an agent that judges nothing gives none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<AgentVerdict>,
    /// What to do next.
    #[serde(default)]
    pub recommendations: Vec<String>,
    /// Files that the agent made.
    #[serde(default)]
    pub artifacts: Vec<String>,
    /// The reinforcement level that the agent asks for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reinforcement_level: Option<Level>,
    /// What else the agent says; state updates take it by `agent.field`.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// The role of a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AssistantRole {
    /// The one who answers.
    Assistant,
}

/// What an agent thinks of what it looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum AgentVerdict {
    /// Nothing is wrong.
    Pass,
    /// Something should be known.
    Warn,
    /// It must not stand.
    Block,
}

impl AgentVerdict {
    /// The word in messages and in the log.
    pub fn name(self) -> &'static str {
        match self {
            AgentVerdict::Pass => "PASS",
            AgentVerdict::Warn => "WARN",
            AgentVerdict::Block => "BLOCK",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_request_has_the_documents_shape() {
        let metadata = RequestMetadata {
            hook_name: "pre_iteration".into(),
            loop_id: "ralph-x-00000000".into(),
            iteration: 5,
            inputs: Map::from_iter([("iteration_number".to_owned(), json!(5))]),
        };
        let request = AgentRequest::new("Look at iteration 5", metadata, Timestamp::UNIX_EPOCH);
        let expected = json!({
            "role": "user",
            "content": "Look at iteration 5",
            "metadata": {
                "hook_name": "pre_iteration", "loop_id": "ralph-x-00000000", "iteration": 5,
                "inputs": {"iteration_number": 5},
            },
            "timestamp": "1970-01-01T00:00:00Z",
            "sender": "ralph-orchestrator",
        });
        assert_eq!(serde_json::to_value(&request).unwrap(), expected);
    }

    #[test]
    fn a_reply_is_read_with_what_it_says_besides() {
        let text = r#"{"role":"assistant","content":"two tests are gone","metadata":{"verdict":"BLOCK",
            "regression_type":"test_deletion","details":{"diff":{"deleted_tests":["a: b"]}}},"sender":"x","id":7}"#;
        let reply: Reply = serde_json::from_str(text).unwrap();
        assert_eq!(reply.metadata.verdict, Some(AgentVerdict::Block));
        assert_eq!(reply.metadata.extra["details"]["diff"]["deleted_tests"][0], "a: b");
        let again = serde_json::to_value(&reply).unwrap();
        assert_eq!(again["metadata"]["regression_type"], "test_deletion");
        assert_eq!(again["metadata"]["verdict"], "BLOCK");
    }

    #[test]
    fn what_is_no_reply_is_refused() {
        let rows = [
            r#"{"role":"user","content":""}"#,
            r#"{"content":"no role"}"#,
            r#"{"role":"assistant","metadata":{"verdict":"MAYBE"}}"#,
            r#"{"role":"assistant","content":7}"#,
            "[]",
        ];
        for text in rows {
            assert!(serde_json::from_str::<Reply>(text).is_err(), "{text}");
        }
        assert!(serde_json::from_str::<Reply>(r#"{"role":"assistant"}"#).is_ok());
    }
}
