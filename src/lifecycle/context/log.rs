//! What a hook leaves in the loop's log, and what was said in an iteration already.

use serde_json::{Map, Value, json};

use crate::lifecycle::context::agent_messages::AgentReplies;
use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::context::running_mark;
use crate::model::finding::Finding;
use crate::state::audit;
use crate::state::audit::Line;
use crate::state::own_file;

/// What one lifecycle hook did, for the log.
#[derive(Debug, Default)]
pub struct HookRecord {
    /// The agents that were asked.
    pub agents: Vec<String>,
    /// What came of it.
    pub outcomes: Vec<Value>,
    /// The state fields that changed.
    pub changes: Map<String, Value>,
}

impl HookRecord {
    /// A record of a hook that asked `agents`.
    pub fn of(agents: &[&'static str]) -> Self {
        HookRecord { agents: agents.iter().map(|name| (*name).to_owned()).collect(), ..HookRecord::default() }
    }

    /// Adds what agents said: their names, and what failed.
    pub fn heard(mut self, heard: &AgentReplies) -> Self {
        self.agents.extend(heard.names());
        self.outcomes.extend(heard.failures.iter().map(|failure| Value::from(failure.as_str())));
        self
    }

    /// Adds an outcome.
    pub fn outcome(mut self, outcome: impl Into<Value>) -> Self {
        self.outcomes.push(outcome.into());
        self
    }

    /// Adds findings: pattern, file, and what would be lost.
    pub fn found(mut self, findings: &[Finding]) -> Self {
        let said = |finding: &Finding| {
            json!({
                "pattern_id": finding.pattern_id, "pattern_name": finding.pattern_name,
                "path": finding.path, "what": finding.what,
            })
        };
        self.outcomes.extend(findings.iter().map(said));
        self
    }

    /// Whether nobody was asked, nothing changed and what came of it is that it passes.
    fn says_nothing(&self) -> bool {
        let passes = |outcome: &Value| outcome.as_str().is_some_and(|outcome| outcome.starts_with("pass"));
        self.agents.is_empty() && self.changes.is_empty() && self.outcomes.iter().all(passes)
    }

    /// Adds a changed field.
    pub fn change(mut self, field: &str, value: impl Into<Value>) -> Self {
        self.changes.insert(field.to_owned(), value.into());
        self
    }
}

impl HookContext<'_> {
    /// Appends a line to the loop's log; a session without a loop has none.
    pub fn log(&self, hook: &str, record: HookRecord) {
        let Some(bound) = &self.bound else { return };
        let audit = &self.definitions().definitions.audit;
        if !audit.log_all_hook_invocations && record.says_nothing() && self.problems.is_empty() {
            return;
        }
        let mut outcomes = record.outcomes;
        outcomes.extend(self.problems.iter().map(|problem| Value::from(format!("problem: {problem}"))));
        let line = Line {
            agents_invoked: record.agents,
            outcomes,
            state_changes: record.changes,
            duration_ms: self.clock.of(hook),
            host: self.event.other_host().map(str::to_owned),
            ..Line::new(hook, &bound.id, bound.entry.iteration, jiff::Timestamp::now())
        };
        // A log that can't be written must not stop the guard.
        let log = self.layout.log(&bound.id);
        if let Err(error) = audit::append(&log, line) {
            self.unrecorded.borrow_mut().push(format!("{}: {error}", log.path.display()));
        }
        running_mark::end(self, hook);
    }

    /// Whether `key` was said in this iteration already; remembers that it is said now.
    pub fn said_before(&self, key: &str) -> bool {
        let Some(bound) = &self.bound else { return false };
        self.said_within(&format!("warned-{:03}.txt", bound.entry.iteration), key)
    }

    /// Whether `key` was said to this session already, in whatever iteration; remembers that it is said now.
    pub fn said_in_session(&self, key: &str) -> bool {
        let session = self.event.session_id.as_deref().unwrap_or_default();
        self.said_within("warned.txt", &format!("{key} {session}"))
    }

    fn said_within(&self, file: &str, key: &str) -> bool {
        let Some(bound) = &self.bound else { return false };
        let path = self.layout.loop_dir(&bound.id).join(file);
        let key = key.replace(['\n', '\r'], " ");
        if own_file::read_text(&path).is_ok_and(|said| said.lines().any(|line| line == key)) {
            return true;
        }
        let file = own_file::append(&path);
        if let Ok(mut file) = file {
            std::io::Write::write_all(&mut file, format!("{key}\n").as_bytes()).ok();
        }
        false
    }
}
