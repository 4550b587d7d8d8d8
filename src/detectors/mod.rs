//! One pattern family per file: a literal with id, severity, keywords, what it catches and what it spares, and one
//! function over changes. Pure.

pub mod destructive_command;

use crate::finding::{Change, Finding};

/// What detectors judge.
#[derive(Debug, Clone, Copy)]
pub struct Evidence<'a> {
    /// The files of this call, before and after.
    pub changes: &'a [Change],
    /// Other files that the same session has changed: as they were when it began, and as they are now. A test that
    /// is gone from a change and new in one of these has moved.
    pub elsewhere: &'a [Change],
}

/// Runs every detector.
pub fn judge(_evidence: &Evidence) -> Vec<Finding> {
    Vec::new()
}
