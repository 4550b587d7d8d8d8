//! Backups.

use crate::shell::effects::services::rules::Rule;
use crate::shell::effects::services::rules::Weight::{Changes, Loses};

/// The rules of this family.
pub(crate) static RULES: &[Rule] = &[
    ("restic forget --prune !-n", Loses),
    ("restic forget|prune !-n", Changes),
    ("borg delete|prune|compact !-n", Loses),
    ("tmutil delete|deletelocalsnapshots|deleteinprogress", Loses),
    ("vssadmin delete shadows", Loses),
    ("wbadmin delete", Loses),
];
