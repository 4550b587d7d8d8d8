//! What a change takes from the guard.

use crate::model::finding::Severity;

/// What a change of settings takes from the guard.
pub(crate) struct GuardWeakening {
    pub(crate) what: String,
    pub(crate) severity: Severity,
    pub(crate) confidence: f32,
}

impl GuardWeakening {
    pub(crate) fn new(severity: Severity, what: String) -> Self {
        GuardWeakening { what, severity, confidence: 0.95 }
    }
}
