//! What a change takes from the guard.

use crate::model::finding::Severity;

/// What a change of settings takes from the guard.
pub(crate) struct Weakening {
    pub(crate) what: String,
    pub(crate) severity: Severity,
    pub(crate) confidence: f32,
}

impl Weakening {
    pub(crate) fn new(severity: Severity, what: String) -> Self {
        Weakening { what, severity, confidence: 0.95 }
    }
}
