//! Keys of settings by their ends, and a finding about a setting.

use crate::detectors::Detector;
use crate::model::finding::{Change, Finding, Severity};

pub(super) type Found = (String, u32, Severity);

pub(super) fn push(detector: &Detector, change: &Change, found: Option<Found>, findings: &mut Vec<Finding>) {
    findings.extend(found.map(|(what, line, severity)| {
        let mut finding = detector.finding(&change.path, what);
        finding.line = Some(line).filter(|line| *line > 0);
        finding.severity = severity;
        finding.confidence = 0.9;
        finding
    }));
}

pub(super) fn ends(key: &str, names: &[&str]) -> bool {
    let key = key.trim_end_matches("[]");
    names.iter().any(|name| key.strip_suffix(name).is_some_and(|rest| rest.is_empty() || rest.ends_with('.')))
}

/// `linters.enable[0]` is in the list `linters.enable`.
pub(super) fn in_list(key: &str, names: &[&str]) -> bool {
    key.rsplit_once('[').is_some_and(|(list, rest)| rest.ends_with(']') && ends(list, names))
}
