//! One end of a turn, however often the client tells of it: hooks that are registered twice are started side by side.
//!
//! Invariant: who comes second waits for the first and then says nothing. Where the first has died, the second does it all.

use std::path::PathBuf;
use std::time::Duration;

use jiff::Timestamp;

use crate::last_word;
use crate::lifecycle::context::hook_context::HookContext;
use crate::state::atomic::Durability;
use crate::state::lock::Lock;
use crate::state::{atomic, audit, own_file};

/// What a hook may need beside the commands of a turn's end.
const OWN_WORK: Duration = Duration::from_secs(30);

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
        let text = own_file::read_text(&self.ended).unwrap_or_default();
        let Some((at, words)) = text.trim().split_once(' ') else { return false };
        words == self.words && at.parse::<Timestamp>().is_ok_and(|at| at > began && at <= Timestamp::now())
    }
}
