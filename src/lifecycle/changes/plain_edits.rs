//! Edits of test files of which no warning has to be given: tests that follow their source, and what only comes on top.

use crate::detectors::is_product_change;
use crate::model::finding::Change;

/// Whether the changes of a call say of a test file that it goes with its source, or only gets longer.
pub(crate) fn is_plain(changes: &[Change], path: &str) -> bool {
    let Some(change) = changes.iter().find(|change| change.path == path) else { return false };
    let (Some(before), Some(after)) = (change.before.as_deref(), change.after.as_deref()) else {
        return false;
    };
    let mut new = after.lines();
    let only_grows = before.lines().all(|line| new.by_ref().any(|it| it == line));
    only_grows
        || changes.iter().any(|other| other.path != path && other.after.is_some() && is_product_change(other))
}
