//! coverage.py's JSON: its own total, which counts branches where it measured them.

use serde::Deserialize;
use serde_json::Value;

/// `totals`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(in crate::metrics) struct CoveragePyTotals {
    pub(in crate::metrics) percent_covered: Option<f64>,
    covered_branches: Value,
    num_branches: Value,
}

impl CoveragePyTotals {
    /// Percent of branches, where they are counted.
    pub(in crate::metrics) fn branches(&self) -> Option<f64> {
        super::percent(self.covered_branches.as_u64()?, self.num_branches.as_u64()?)
    }
}
