//! A finding in a command, and how it lists names.

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

/// The first names, and how many more there are.
pub(super) fn first_of(names: &[String], most: usize) -> String {
    let shown: Vec<&str> = names.iter().take(most).map(String::as_str).collect();
    match names.len().checked_sub(most).filter(|more| *more > 0) {
        Some(more) => format!("{} and {more} more", shown.join(", ")),
        None => shown.join(", "),
    }
}
