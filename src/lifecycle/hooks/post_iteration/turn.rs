//! One end of a turn, however often the client tells of it: hooks that are registered twice are started side by side.
//!
//! Invariant: who comes second waits for the first and then says nothing. Where the first has died, the second does it all,
//! but for an iteration that the first has recorded already.

use std::path::PathBuf;
use std::time::Duration;

use jiff::Timestamp;

use crate::last_word;
use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::iteration::record;
use crate::state::atomic::Durability;
use crate::state::audit::Line;
use crate::state::lock::Lock;
use crate::state::loop_state::LoopState;
use crate::state::records::IterationRecord;
use crate::state::{atomic, audit, own_file};

/// What a hook may need beside the commands of a turn's end.
const OWN_WORK: Duration = Duration::from_secs(30);

/// So much of the end of the log is looked at, in bytes.
const LOOKED_AT: u64 = 256 << 10;

/// What begins a turn, or goes on with its work.
const WORK: &[&str] = &["UserPromptSubmit", "SessionStart", "pre_tool_call", "post_tool_call"];

/// The end of a turn that this process carries out.
pub(super) struct Turn {
    _lock: Option<Lock>,
    ended: PathBuf,
    words: String,
}

impl Turn {
    /// Begins it. `None` when another process has carried out the same one meanwhile.
    pub(super) fn begin(context: &HookContext, last_message: &str) -> Option<Turn> {
        let folder = context.layout.loop_dir(&context.bound.as_ref()?.id);
        let (config, words) = (&context.config, audit::hash(last_message.as_bytes()));
        let longest = config.verification.timeout_seconds.saturating_add(config.measuring.stop_seconds);
        let longest = Duration::from_secs(longest) + OWN_WORK;
        last_word::set_deadline(Some(longest));
        // Where no lock can be had at all, the turn ends as if there were no other.
        let lock = match Lock::take(&folder.join("turn.lock"), longest) {
            Ok(Some(lock)) => Some(lock),
            Ok(None) => return None,
            Err(_) => None,
        };
        let turn = Turn { _lock: lock, ended: folder.join("turn-ended"), words };
        (!turn.was_ended_since(context.env.now)).then_some(turn)
    }

    /// It is carried out.
    pub(super) fn end(self) {
        let line = format!("{} {}\n", Timestamp::now(), self.words);
        // Without it a second end that comes late is one more iteration.
        atomic::write(&self.ended, line.as_bytes(), Durability::Process).ok();
    }

    /// Whether the same words ended a turn after this process had begun.
    fn was_ended_since(&self, began: Timestamp) -> bool {
        self.newest_end()
            .is_some_and(|(at, words)| words == self.words && at > began && at <= Timestamp::now())
    }

    /// When a turn has last ended, and with which words.
    fn newest_end(&self) -> Option<(Timestamp, String)> {
        let text = own_file::read_text(&self.ended).ok()?;
        let (at, words) = text.trim().split_once(' ')?;
        Some((at.parse().ok()?, words.to_owned()))
    }

    /// The iteration that this very turn has ended already, told by a process that died before it had answered: it has
    /// the same last words, no turn has ended since, and nothing of the session came after it.
    pub(super) fn recorded<'s>(
        &self,
        context: &HookContext,
        state: &'s LoopState,
        last_message: &str,
    ) -> Option<&'s IterationRecord> {
        let record = state.kept_iterations().next_back()?;
        let is_later = |at: Timestamp| at > record.timestamp;
        // A driver's own next iteration begins without an event.
        let is_begun = state.configuration.driver.is_some() && state.iteration != record.iteration;
        let has_ended = self.newest_end().is_some_and(|(at, _)| is_later(at));
        if is_begun || has_ended || !record::is_of(record, last_message) {
            return None;
        }
        let log = context.layout.hook_log(&state.loop_id);
        let is_work = |line: &Line| is_later(line.timestamp) && WORK.contains(&line.hook_name.as_str());
        let worked = audit::newest(&log, LOOKED_AT).is_ok_and(|lines| lines.iter().any(is_work));
        (!worked && !state.tool_call_history.iter().any(|call| is_later(call.timestamp))).then_some(record)
    }
}
