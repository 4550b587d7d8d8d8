//! A check of input that is gone, wherever it stood.

use crate::detectors::Detector;
use crate::detectors::engine::hunks::CodeLine;
use crate::detectors::engine::revision::Revision;
use crate::model::finding::{Finding, Severity};

/// A check that is gone or can't say no any more.
pub(super) struct LostCheck {
    line: u32,
    name: String,
    what: String,
    severity: Severity,
}

impl LostCheck {
    pub(super) fn new(line: u32, name: &str, what: String, severity: Severity) -> Self {
        LostCheck { line, name: name.to_owned(), what, severity }
    }

    /// A check that goes with a line: of the function of that name, or of none and known by the line.
    pub(super) fn of_line(line: &CodeLine, function: &str, what: String, severity: Severity) -> Self {
        Self::new(line.number, if function.is_empty() { line.text } else { function }, what, severity)
    }

    /// Whether it is more than advice.
    pub(super) fn is_severe(&self) -> bool {
        self.severity >= Severity::High
    }

    /// The function that it stood in, or the line of one in none.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The same as more than advice.
    pub(super) fn severe(self) -> Self {
        LostCheck { severity: self.severity.max(Severity::High), ..self }
    }

    /// The finding about this check of a file.
    pub(super) fn finding(self, detector: &Detector, revision: &Revision) -> Finding {
        self.finding_at(detector, &revision.change.path)
    }

    /// The finding about this check of the file at a path.
    pub(super) fn finding_at(self, detector: &Detector, path: &str) -> Finding {
        let mut finding = detector.finding(path, self.what);
        finding.line = Some(self.line);
        finding.lost.push(self.name);
        finding.severity = self.severity;
        finding.confidence = 0.9;
        finding
    }
}
