//! What a change takes away that another file of the session has: the change is judged once more without it.
//!
//! This happens only where something was found.

use crate::detectors::checks::moved_flags::without_moved_flags;
use crate::detectors::checks::moved_settings::without_moved_settings;
use crate::detectors::checks::renamed_flags::with_new_names;
use crate::detectors::product::relocated_checks::without_relocated;
use crate::languages::is_test_path;
use crate::model::finding::{Change, Finding, Severity};

/// The changes without what `others` have now and without old names of what is there still; `None` where that is nothing.
pub(super) fn left_of(changes: &[Change], others: &[Change]) -> Option<Vec<Change>> {
    let renamed = with_new_names(changes);
    let parted = without_moved_settings(renamed.as_deref().unwrap_or(changes), others).or(renamed);
    let parted = without_moved_flags(parted.as_deref().unwrap_or(changes), others).or(parted);
    without_relocated(parted.as_deref().unwrap_or(changes), others).or(parted)
}

/// Whether something was found that may stand elsewhere.
pub fn may_be_elsewhere(found: &[Finding]) -> bool {
    found.iter().any(|it| it.severity > Severity::Low && !is_test_path(&it.path))
}
