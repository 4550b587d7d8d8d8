//! Keys of settings by their ends, and a finding about a setting.

use crate::detectors::Detector;
use crate::languages::file_name;
use crate::model::finding::{Change, Finding, Severity};
use crate::runners;

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

/// Settings that leave tests out in the files of one runner, and mean other things elsewhere.
const OWN_FILTERS: &[(&str, &[&str])] =
    &[(".mocharc", &["ignore", "exclude"]), ("deno.json", &["test.exclude"])];

/// Whether a setting of the file leaves out of a run what it names.
pub(super) fn is_filter(path: &str, key: &str) -> bool {
    let own = OWN_FILTERS.iter().find(|(file, _)| file_name(path).starts_with(file));
    let name = list_name(key.rsplit('.').next().unwrap_or(key));
    own.is_some_and(|(_, names)| ends(list_name(key), names))
        || runners::all().any(|runner| runner.settings.filters.contains(&name))
}

/// `spec` of `spec[0]`, which is one of a list.
pub(super) fn list_name(name: &str) -> &str {
    name.split('[').next().unwrap_or(name)
}
