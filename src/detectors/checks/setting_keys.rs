//! Keys of settings by their ends, and a finding about a setting.

use crate::detectors::Detector;
use crate::languages::{SettingEntry, file_name};
use crate::model::finding::{Change, Finding, LeftOut, Severity};
use crate::runners;

pub(super) type SettingFinding = (String, u32, Severity);

/// What is found, with what it says is left out.
#[derive(Debug)]
pub(super) struct SettingRemark {
    pub(super) found: SettingFinding,
    pub(super) left_out: Option<LeftOut>,
}

impl SettingRemark {
    /// Tests that a run leaves out.
    pub(super) fn of_run(what: String, line: u32, pattern: &str) -> SettingRemark {
        SettingRemark::of(what, line, LeftOut::OfRun(pattern.to_owned()))
    }

    /// Code that is not checked, or not counted.
    pub(super) fn of_check(what: String, line: u32, pattern: &str) -> SettingRemark {
        SettingRemark::of(what, line, LeftOut::OfCheck(pattern.to_owned()))
    }

    fn of(what: String, line: u32, left_out: LeftOut) -> SettingRemark {
        SettingRemark { found: (what, line, Severity::High), left_out: Some(left_out) }
    }
}

impl From<SettingFinding> for SettingRemark {
    fn from(found: SettingFinding) -> SettingRemark {
        SettingRemark { found, left_out: None }
    }
}

pub(super) fn push(
    detector: &Detector,
    change: &Change,
    found: Option<impl Into<SettingRemark>>,
    findings: &mut Vec<Finding>,
) {
    findings.extend(found.map(Into::into).map(
        |SettingRemark { found: (what, line, severity), left_out }: SettingRemark| {
            let mut finding = detector.finding(&change.path, what);
            finding.line = Some(line).filter(|line| *line > 0);
            finding.severity = severity;
            finding.confidence = 0.9;
            finding.left_out = left_out;
            finding
        },
    ));
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
const OWN_FILTERS: &[(&str, &[&str])] = &[
    (".mocharc", &["ignore", "exclude"]),
    ("deno.json", &["test.exclude"]),
    ("ava.config", &["match"]),
    ("dart_test", &["skip", "exclude_tags", "include_tags", "filename"]),
];

/// Whether a setting of the file leaves out of a run what it names.
pub(super) fn is_filter(path: &str, key: &str) -> bool {
    let own = OWN_FILTERS.iter().find(|(file, _)| file_name(path).starts_with(file));
    let key = list_of(key);
    let name = key.rsplit('.').next().unwrap_or(key);
    own.is_some_and(|(_, names)| ends(key, names))
        || runners::all().any(|runner| runner.settings.filters.contains(&name))
}

/// The key of a list without the place of its item: `spec` of `spec[0]`.
pub(super) fn list_of(key: &str) -> &str {
    let key = key.trim_end_matches("[]");
    match key.rsplit_once('[') {
        Some((list, rest)) if rest.ends_with(']') => list,
        _ => key,
    }
}

/// Where an entry stands: everything but its last key.
pub(super) fn place(entry: &SettingEntry) -> &str {
    let key = entry.key.trim_end_matches("[]");
    key.rsplit_once('.').map_or("", |(place, _)| place)
}

/// Whether a key has the same value there.
pub(super) fn has(entries: &[SettingEntry], it: &SettingEntry) -> bool {
    entries.iter().any(|old| old.key == it.key && old.value == it.value)
}

/// The first value under a key.
pub(crate) fn value<'e>(entries: &'e [SettingEntry], key: &str) -> Option<&'e SettingEntry> {
    entries.iter().find(|entry| entry.key == key)
}
