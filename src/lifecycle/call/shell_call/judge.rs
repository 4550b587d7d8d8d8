//! What of all that was gathered about a shell call is a finding or a risk.
//!
//! Pure: the disk and git were asked before, and everything comes in as a value.

use crate::detectors::commands::destructive_command;
use crate::detectors::commands::destructive_command::{Place, TargetFate};
use crate::lifecycle::call::shell_call::gather::CallEvidence;
use crate::lifecycle::call::shell_call::{Permissions, ShellCall};
use crate::model::finding::{Change, Finding};
use crate::shell::ShellReading;

/// A text that is more than can be read may hold anything.
pub(crate) fn too_much(reading: &ShellReading) -> Option<Finding> {
    reading.too_much.then(destructive_command::unreadable)
}

/// A call of which its words alone say that nothing can be lost.
pub(crate) fn of_words(reading: ShellReading) -> ShellCall {
    ShellCall {
        runs_code: reading.runs_code || reading.unread,
        read_only: reading.read_only,
        reading,
        ..ShellCall::default()
    }
}

/// What of all that was gathered is a finding or a risk.
pub(crate) fn judge(reading: ShellReading, gathered: CallEvidence, permissions: &Permissions) -> ShellCall {
    let CallEvidence { mut facts, changes, unseen, keep } = gathered;
    let permitted = reading.effects.iter().enumerate();
    facts.permitted = permitted
        .filter(|(_, effect)| permissions.allowed.contains(&effect.command))
        .map(|(index, _)| index)
        .collect();
    // A host's settings whose new text is known are judged by that.
    facts.reaches.retain(|reach| {
        let known = |change: &Change| change.path == reach.name && change.after.is_some();
        !(reach.place == Place::HostSettings
            && matches!(reach.role, TargetFate::Written { .. })
            && changes.iter().any(known))
    });
    let (findings, risks) = destructive_command::judge(&reading.effects, &facts);
    ShellCall { findings, risks, keep, changes, unseen, ..of_words(reading) }
}
