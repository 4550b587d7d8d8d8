//! Failures of the clean-up behind some work: one that is only logged there hides nothing, and leaves the work's own error
//! what it is.

use crate::detectors::engine::revision::Revision;
use crate::detectors::product::functions::called_in;
use crate::languages::code::{Handler, HandlerEffect, is_log};
use crate::model::words::words;

/// First words of calls that only put away what was used.
const PUTTING_AWAY: &[&str] = &[
    "release",
    "close",
    "unlock",
    "dispose",
    "cleanup",
    "clean",
    "stop",
    "destroy",
    "disconnect",
    "shutdown",
    "unsubscribe",
    "detach",
    "free",
    "end",
    "quit",
    "unmount",
    "teardown",
    "unlink",
    "rmtree",
    "rmdir",
    "rm",
    "remove",
    "delete",
    "kill",
    "terminate",
    "cancel",
    "abort",
    "rollback",
    "dequeue",
    "leave",
];
/// How a block begins that runs whether or not the work before it failed.
const ALWAYS: &[&str] = &["finally", "ensure", "after", "defer"];

/// Whether a handler logs that a clean-up failed, in a block that runs after whatever happened.
pub(super) fn fails_in_cleanup(revision: &Revision, handler: &Handler) -> bool {
    let puts_away = |name: &&str| {
        let all = words(name);
        all.first().is_some_and(|first| PUTTING_AWAY.contains(&first.as_str()))
    };
    let calls = called_in(handler.watched);
    let is_told = handler.body.lines().any(|line| is_log(line.trim()));
    is_told
        && !matches!(handler.effect, HandlerEffect::Silent | HandlerEffect::Constant)
        && !calls.is_empty()
        && calls.iter().all(puts_away)
        && runs_always(revision.new, handler.line)
}

/// Whether a line stands in a block that runs always: the first head above it that stands further out, and is no `try`.
fn runs_always(text: &str, line: u32) -> bool {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let at = usize::try_from(line).unwrap_or_default().saturating_sub(1);
    let lines: Vec<&str> = text.lines().take(at + 1).collect();
    let Some((own, above)) = lines.split_last() else { return false };
    let depth = indent(own);
    let head = above.iter().rev().find(|it| !it.trim().is_empty() && indent(it) < depth);
    head.is_some_and(|head| {
        let bare = head.trim_start_matches(['}', ' ', '\t']);
        ALWAYS.iter().any(|word| {
            bare.strip_prefix(word).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', ':', '{']))
        })
    })
}
