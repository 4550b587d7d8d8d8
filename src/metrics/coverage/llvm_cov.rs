//! The JSON of `llvm-cov export` and `cargo llvm-cov --json`: the share of lines of the export's totals.

use serde::Deserialize;
use serde_json::Value;

/// One entry of `data`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(in crate::metrics) struct Export {
    totals: LlvmCovTotals,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct LlvmCovTotals {
    lines: LlvmCovShare,
    branches: LlvmCovShare,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct LlvmCovShare {
    percent: Option<f64>,
    count: Value,
}

impl Export {
    /// Percent of lines.
    pub(in crate::metrics) fn percent(&self) -> Option<f64> {
        self.totals.lines.percent.map(|percent| (percent * 100.0).round() / 100.0)
    }

    /// Percent of branches, where they are counted.
    pub(in crate::metrics) fn branches(&self) -> Option<f64> {
        let branches = &self.totals.branches;
        branches
            .percent
            .filter(|_| branches.count.as_u64() > Some(0))
            .map(|percent| (percent * 100.0).round() / 100.0)
    }
}
