//! Backups.

use crate::shell::effects::services::rules::RuleWeight::{Changes, Loses};
use crate::shell::effects::services::rules::ServiceRule;

/// The rules of this family.
pub(crate) static RULES: &[ServiceRule] = &[
    ("restic forget --prune !-n", Loses),
    ("restic forget|prune !-n", Changes),
    ("borg delete|prune|compact !-n", Loses),
    ("tmutil delete|deletelocalsnapshots|deleteinprogress", Loses),
    ("vssadmin delete shadows", Loses),
    ("wbadmin delete", Loses),
];
