//! coverage.py's JSON: its own total, which counts branches where it measured them.

use serde::Deserialize;

/// `totals`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(in crate::metrics) struct Totals {
    pub(in crate::metrics) percent_covered: Option<f64>,
}
