//! The JSON of `llvm-cov export` and `cargo llvm-cov --json`: the share of lines of the export's totals.

use serde::Deserialize;

/// One entry of `data`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(in crate::metrics) struct Export {
    totals: Totals,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Totals {
    lines: Lines,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Lines {
    percent: Option<f64>,
}

impl Export {
    /// Percent of lines.
    pub(in crate::metrics) fn percent(&self) -> Option<f64> {
        self.totals.lines.percent.map(|percent| (percent * 100.0).round() / 100.0)
    }
}
