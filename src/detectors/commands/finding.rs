//! A finding in a command.

use crate::detectors::pattern::Pattern;
use crate::model::finding::{Finding, Severity};

/// A finding of a pattern at a path, or with an empty path at none. What a command would do is no regression yet.
pub(super) fn finding(
    pattern: &Pattern,
    severity: Severity,
    path: String,
    what: String,
    confidence: f32,
) -> Finding {
    let found = pattern.finding(&path, what);
    Finding { regression_type: None, severity, confidence, ..found }
}
