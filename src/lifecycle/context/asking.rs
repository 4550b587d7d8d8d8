//! Asking the agents of a hook from within an event: within the time that the host and the definitions grant.

use std::time::Duration;

use serde_json::{Map, Value};

use crate::definitions::names::HookName;
use crate::last_word;
use crate::lifecycle::context::agent_messages::{AgentReplies, Asker};
use crate::lifecycle::context::facts::Facts;
use crate::lifecycle::context::hook_context::{FailedHook, HookContext};
use crate::lifecycle::context::{agent_messages, running_mark};

/// What is left of a hook's time for the answer when a program has used up its own.
const ANSWERING: Duration = Duration::from_millis(300);

/// The longest that a program may take where the event sets its own limit.
const LONGEST_PROGRAM: Duration = Duration::from_secs(60);

/// What a program may take of a session's first call.
const BEGINNING: Duration = Duration::from_millis(700);

impl HookContext<'_> {
    /// Asks the agents that a hook's definition names.
    pub fn ask(&self, hook: HookName, facts: &Facts, own: &Map<String, Value>) -> AgentReplies {
        let loaded = self.definitions();
        let asker = Asker {
            definitions: &loaded.definitions,
            programs_allowed: agent_messages::programs_allowed(&self.project, loaded, hook),
            loop_id: self.bound.as_ref().map_or("", |bound| &bound.id),
            directory: self.project.root(),
            now: self.env.now,
            longest: self.give_time(hook),
        };
        running_mark::begin(self, hook);
        let heard = agent_messages::ask(asker, hook, facts, own);
        if heard.required_failed {
            let reason = heard.failures.join("; ");
            self.failed.borrow_mut().push(FailedHook { hook, reason });
        }
        if !heard.programs.is_empty() {
            self.stirred.set(true);
        }
        heard
    }

    /// Gives a hook its time, within what the host grants the event, and answers what a program may take of it. The
    /// hook of a call has had the process's time already; one that fires in another's event, as a regression does,
    /// does not live on what that one has left.
    fn give_time(&self, hook: HookName) -> Option<Duration> {
        let granted = self.event.patience;
        let elapsed = self.env.started.elapsed();
        let left = granted.map_or(LONGEST_PROGRAM, |granted| granted.saturating_sub(elapsed));
        let own = self.definitions().definitions.execution.timeout(hook);
        // A session's own loop begins within its first call.
        if hook == HookName::LoopStart {
            return Some(own.map_or(BEGINNING, |own| own.min(BEGINNING)));
        }
        let of_the_call = matches!(hook, HookName::PreToolCall | HookName::PostToolCall);
        let own = own.map(|own| if of_the_call { own.saturating_sub(elapsed) } else { own });
        let limit = own.map_or(left, |own| own.min(left));
        if granted.is_some() && !of_the_call {
            last_word::set_deadline(Some(limit.max(ANSWERING)));
        }
        Some(limit.saturating_sub(ANSWERING.min(limit / 4)))
    }
}
