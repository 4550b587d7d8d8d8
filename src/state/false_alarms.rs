//! `false-positives.json`: findings that a person called false alarms. The same finding is silent from then on, in
//! sessions and in `steadfast check`.
//!
//! An entry may be wider: a pattern in one file, or in the whole project. Such a one ends by itself.
//!
//! Invariant: an entry silences what it names and no more; a file that can't be read silences nothing.

use std::io;
use std::path::PathBuf;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::atomic::Durability;
use super::layout::Layout;
use super::lock::{CLI_WAIT, Lock};
use super::twice::DoubledFiles;
use crate::model::finding::Finding;

/// Their file in the state directory.
const FILE: &str = "false-positives.json";

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
    /// How much it silences.
    #[serde(default, skip_serializing_if = "SilenceScope::is_finding")]
    pub scope: SilenceScope,
    /// When it ends; `None`: never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
}

/// How much a false alarm silences.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SilenceScope {
    /// The same finding.
    #[default]
    Finding,
    /// The pattern in that file.
    File,
    /// The pattern in the project.
    Project,
}

impl SilenceScope {
    fn is_finding(&self) -> bool {
        *self == SilenceScope::Finding
    }
}

/// A silence that a person asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SilenceRequest {
    /// How much.
    pub scope: SilenceScope,
    /// For so many days; `None`: for good.
    pub days: Option<u32>,
}

impl SilenceRequest {
    /// When it ends, if it begins at `now`.
    pub fn ends(self, now: Timestamp) -> Option<Timestamp> {
        let hours = i64::from(self.days?).saturating_mul(24);
        Some(now.saturating_add(SignedDuration::from_hours(hours)).unwrap_or(Timestamp::MAX))
    }
}

impl FalseAlarm {
    fn covers(&self, finding: &Finding) -> bool {
        let is_same = match finding.lost.as_slice() {
            [] => self.lost.is_empty() && self.what.as_deref() == Some(finding.what.as_str()),
            lost => lost.iter().all(|name| self.lost.contains(name)),
        };
        self.pattern_id == finding.pattern_id
            && match self.scope {
                SilenceScope::Finding => is_same && self.path == finding.path,
                SilenceScope::File => self.path == finding.path,
                SilenceScope::Project => true,
            }
    }
}

impl FalseAlarms {
    /// Reads them. A missing or damaged file has none.
    pub fn read(layout: &Layout) -> FalseAlarms {
        let bytes = DoubledFiles::of_project(layout).read(FILE).unwrap_or_default();
        serde_json::from_slice(&bytes).unwrap_or_default()
    }

    /// Those that have not ended.
    pub fn in_force(layout: &Layout, now: Timestamp) -> FalseAlarms {
        let mut alarms = FalseAlarms::read(layout);
        alarms.entries.retain(|alarm| alarm.expires_at.is_none_or(|end| end > now));
        alarms
    }

    /// Adds one. An error when the file is there and damaged, or another process holds it.
    pub fn add(layout: &Layout, alarm: FalseAlarm) -> io::Result<()> {
        let twice = DoubledFiles::of_project(layout);
        let lock = Lock::take(&path(layout).with_extension("lock"), CLI_WAIT)?;
        let _lock = lock.ok_or_else(|| io::Error::other("it is locked by another process"))?;
        let mut alarms: FalseAlarms = match twice.read(FILE) {
            Ok(bytes) => serde_json::from_slice(&bytes)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => FalseAlarms::default(),
            Err(error) => return Err(error),
        };
        alarms.entries.retain(|known| known.event_id != alarm.event_id);
        alarms.entries.push(alarm);
        twice.write(FILE, &serde_json::to_vec_pretty(&alarms)?, Durability::Power)
    }

    /// Takes out the findings that were called false alarms.
    pub fn silence(&self, findings: &mut Vec<Finding>) {
        findings.retain(|finding| !self.entries.iter().any(|alarm| alarm.covers(finding)));
    }
}

/// Takes out of `findings` what was called a false alarm in the project. Without findings no file is read.
pub fn silence(layout: &Layout, findings: &mut Vec<Finding>, now: Timestamp) {
    if !findings.is_empty() {
        FalseAlarms::in_force(layout, now).silence(findings);
    }
}

fn path(layout: &Layout) -> PathBuf {
    layout.root().join(FILE)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::model::finding::Severity;

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
            left_out: None,
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
            scope: SilenceScope::Finding,
            expires_at: None,
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
        let file = FalseAlarm { scope: SilenceScope::File, ..named.clone() };
        assert!(file.covers(&finding("a", &["three"], "x")) && !file.covers(&finding("b", &["one"], "x")));
        let project = FalseAlarm { scope: SilenceScope::Project, ..named.clone() };
        assert!(project.covers(&finding("b", &[], "y")) && !project.covers(&other));
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
