//! `false-positives.json`: findings that a person called false alarms. The same finding is silent from then on, in
//! sessions and in `steadfast check`.
//!
//! Invariant: an entry silences what it names in its file and no more; a file that can't be read silences nothing.

use std::fs;
use std::io;
use std::path::PathBuf;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::atomic::{self, Durability};
use super::layout::Layout;
use super::lock::{CLI_WAIT, Lock};
use crate::finding::Finding;

/// What persons have called false alarms in a project.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct FalseAlarms {
    /// In the order in which they were called so.
    pub entries: Vec<FalseAlarm>,
}

/// One finding that was none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FalseAlarm {
    /// The hit or regression that a person marked.
    pub event_id: String,
    /// The catalogue's id.
    pub pattern_id: String,
    /// The file, relative to the project.
    pub path: String,
    /// What was said to be lost, by name.
    pub lost: Vec<String>,
    /// What was said to happen, where nothing was named as lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub what: Option<String>,
    /// Why it is a false alarm.
    pub reason: String,
    /// When it was marked.
    pub marked_at: Timestamp,
}

impl FalseAlarm {
    fn covers(&self, finding: &Finding) -> bool {
        let is_same = match finding.lost.as_slice() {
            [] => self.lost.is_empty() && self.what.as_deref() == Some(finding.what.as_str()),
            lost => lost.iter().all(|name| self.lost.contains(name)),
        };
        is_same && self.pattern_id == finding.pattern_id && self.path == finding.path
    }
}

impl FalseAlarms {
    /// Reads them. A missing or damaged file has none.
    pub fn read(layout: &Layout) -> FalseAlarms {
        let bytes = fs::read(path(layout)).unwrap_or_default();
        serde_json::from_slice(&bytes).unwrap_or_default()
    }

    /// Adds one. An error when the file is there and damaged, or another process holds it.
    pub fn add(layout: &Layout, alarm: FalseAlarm) -> io::Result<()> {
        let path = path(layout);
        let lock = Lock::take(&path.with_extension("lock"), CLI_WAIT)?;
        let _lock = lock.ok_or_else(|| io::Error::other("it is locked by another process"))?;
        let mut alarms: FalseAlarms = match fs::read(&path) {
            Ok(bytes) => serde_json::from_slice(&bytes)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => FalseAlarms::default(),
            Err(error) => return Err(error),
        };
        alarms.entries.retain(|known| known.event_id != alarm.event_id);
        alarms.entries.push(alarm);
        atomic::write(&path, &serde_json::to_vec_pretty(&alarms)?, Durability::Power)
    }

    /// Takes out the findings that were called false alarms.
    pub fn silence(&self, findings: &mut Vec<Finding>) {
        findings.retain(|finding| !self.entries.iter().any(|alarm| alarm.covers(finding)));
    }
}

/// Takes out of `findings` what was called a false alarm in the project. Without findings no file is read.
pub fn silence(layout: &Layout, findings: &mut Vec<Finding>) {
    if !findings.is_empty() {
        FalseAlarms::read(layout).silence(findings);
    }
}

fn path(layout: &Layout) -> PathBuf {
    layout.root().join("false-positives.json")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Severity;

    fn finding(path: &str, lost: &[&str], what: &str) -> Finding {
        Finding {
            pattern_id: "LP-001",
            pattern_name: "Test Deletion",
            regression_type: None,
            severity: Severity::High,
            path: path.to_owned(),
            line: None,
            lost: lost.iter().map(|name| (*name).to_owned()).collect(),
            what: what.to_owned(),
            mend: String::new(),
            confidence: 1.0,
        }
    }

    fn alarm(lost: &[&str], what: Option<&str>) -> FalseAlarm {
        FalseAlarm {
            event_id: "e".into(),
            pattern_id: "LP-001".into(),
            path: "a".into(),
            lost: lost.iter().map(|name| (*name).to_owned()).collect(),
            what: what.map(str::to_owned),
            reason: "r".into(),
            marked_at: Timestamp::UNIX_EPOCH,
        }
    }

    #[test]
    fn only_the_same_finding_is_silent() {
        let named = alarm(&["one", "two"], Some("w"));
        let unnamed = alarm(&[], Some("w"));
        let cases = [
            (&named, finding("a", &["one"], "x"), true),
            (&named, finding("a", &["two", "one"], "x"), true),
            (&named, finding("a", &["one", "three"], "x"), false),
            (&named, finding("b", &["one"], "x"), false),
            (&named, finding("a", &[], "w"), false),
            (&unnamed, finding("a", &[], "w"), true),
            (&unnamed, finding("a", &[], "x"), false),
            (&unnamed, finding("a", &["one"], "w"), false),
        ];
        for (alarm, finding, expected) in cases {
            assert_eq!(alarm.covers(&finding), expected, "{alarm:?} {finding:?}");
        }
        let other = Finding { pattern_id: "LP-002", ..finding("a", &["one"], "x") };
        assert!(!named.covers(&other));
    }

    #[test]
    fn a_damaged_file_silences_nothing_and_is_not_overwritten() {
        let directory = tempfile::tempdir().unwrap();
        let layout = Layout::of_project(directory.path());
        FalseAlarms::add(&layout, alarm(&["one"], None)).unwrap();
        assert_eq!(FalseAlarms::read(&layout).entries.len(), 1);
        fs::write(path(&layout), "{").unwrap();
        assert_eq!(FalseAlarms::read(&layout), FalseAlarms::default());
        assert!(FalseAlarms::add(&layout, alarm(&["two"], None)).is_err());
        assert_eq!(fs::read(path(&layout)).unwrap(), b"{");
    }
}
