//! Commands that lose work or make checks count for less.

mod by_name;
mod configured;
mod deletion;
pub mod destructive_command;
mod elsewhere;
mod finding;
mod git_work;
mod overwriting;
mod patterns;
mod reach;
mod risk;
mod unread;
pub mod weakened_checks;

use crate::detectors::pattern::Pattern;

/// Every pattern that a command shows and a change does not.
pub(super) static COMMAND_PATTERNS: &[&Pattern] = &[
    &patterns::GUARD,
    &patterns::BULK,
    &patterns::OUTSIDE,
    &patterns::TOO_MUCH,
    &patterns::DEVICE,
    &git_work::GIT_WORK,
    &git_work::HISTORY,
    &unread::UNREAD,
    &weakened_checks::UNSEEN,
    &weakened_checks::HIDDEN_FAILURE,
    &weakened_checks::LEFT_OUT,
    &weakened_checks::SNAPSHOTS,
    &weakened_checks::THRESHOLD,
    &weakened_checks::FLOOD,
    &configured::DENIED,
    &configured::PROTECTED,
    &elsewhere::SERVICE,
    &elsewhere::RELEASE,
];
