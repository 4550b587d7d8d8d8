//! `laziness-detector`: asks the detectors about a change, and keeps what the configuration looks for.

use crate::config::{Config, Mode};
use crate::detectors;
use crate::finding::{Change, Finding};

/// The findings in `changes`. The session's other changed files are asked for only when something is missing.
pub fn check(changes: &[Change], elsewhere: impl FnOnce() -> Vec<Change>, config: &Config) -> Vec<Finding> {
    if changes.is_empty() || config.detection.mode == Mode::Off {
        return Vec::new();
    }
    let mut findings = detectors::judge_lazily(changes, elsewhere);
    findings.retain(|finding| finding.regression_type.is_none_or(|kind| config.looks_for(kind)));
    findings
}
