//! `laziness-detector`: asks the detectors about a change, and keeps what the configuration looks for.

use crate::config::{Config, Mode};
use crate::detectors::{self, Evidence};
use crate::finding::{Change, Finding};

/// The findings in `changes`, given the session's other changed files.
pub fn check(changes: &[Change], elsewhere: &[Change], config: &Config) -> Vec<Finding> {
    if changes.is_empty() || config.detection.mode == Mode::Off {
        return Vec::new();
    }
    let mut findings = detectors::judge(&Evidence { changes, elsewhere });
    findings.retain(|finding| finding.regression_type.is_none_or(|kind| config.looks_for(kind)));
    findings
}
