//! Calls for an effect that outlives the call: they save, send, publish, remove.

use crate::detectors::product::check_words::is_named;
use crate::model::words::is_name_part;

/// First words of calls whose effect outlives the call, in lower case.
const EFFECTS: &[&str] = &[
    "save",
    "persist",
    "publish",
    "send",
    "emit",
    "commit",
    "insert",
    "store",
    "notify",
    "enqueue",
    "dispatch",
    "audit",
    "broadcast",
    "charge",
    "refund",
    "revoke",
    "invalidate",
    "deliver",
    "record",
    "delete",
    "remove",
    "reserve",
    "decrement",
    "increment",
    "rollback",
    "flush",
    "upload",
    "touch",
    "schedule",
    "cancelled",
    "transfer",
    "withdraw",
    "deposit",
];

/// The same where the word ends there: `sync_data`, and not `synchronized`.
const WHOLE: &[&str] = &[
    "sync",
    "fsync",
    "fdatasync",
    "unlink",
    "archive",
    "purge",
    "evict",
    "ack",
    "nack",
    "trigger",
    "fire",
    "mark",
    "post",
    "write",
    "register",
    "subscribe",
    "unsubscribe",
    "release",
    "expire",
    "executemany",
];
/// What only shows is called on these.
const SHOWN_ON: &[&str] = &["stdout", "stderr", "System.out", "System.err", "console", "log", "Log"];

/// Whether a call of this name is for an effect that outlives it.
pub(super) fn is_lasting(name: &str) -> bool {
    let lower = name.to_lowercase();
    EFFECTS.iter().any(|verb| lower.strip_prefix(verb).is_some_and(|rest| !rest.starts_with("er")))
        || is_named(name, WHOLE)
}

/// Whether a call is on what only shows: `process.stdout.write`.
pub(super) fn is_shown(callee: &str) -> bool {
    let holder = callee.rsplit_once(['.', ':', '>']).map_or("", |(holder, _)| holder);
    SHOWN_ON.iter().any(|it| holder.ends_with(it))
}

/// `send_mail(subject, to)`: a call of a function by a name of several words that tell of an effect.
pub(super) fn is_bare_effect(line: &str) -> bool {
    let line = line.strip_prefix("await ").unwrap_or(line);
    let head = line.split('(').next().unwrap_or_default();
    let is_several = head.contains('_') || head.chars().skip(1).any(char::is_uppercase);
    line.contains('(') && is_several && head.chars().all(is_name_part) && is_lasting(head)
}

/// `store.save(x)`, `await bus.publish(y);`: a call on something for an effect, alone in its line.
pub(super) fn is_effect_call(line: &str) -> bool {
    // Go asks for the error in the same line.
    let line = ["if err := ", "if err = ", "err := ", "err = "]
        .iter()
        .find_map(|it| line.strip_prefix(it))
        .unwrap_or(line);
    let head = line.split('(').next().unwrap_or_default();
    let name = head.rsplit(['.', ':', '>']).next().unwrap_or_default();
    let is_held = head.contains(['.', '>', ':']) && !head.contains('=');
    line.contains('(') && is_held && is_lasting(name) && !is_shown(head)
}
