//! Istanbul's JSON summary: the share of lines of `total`.

use serde::Deserialize;
use serde_json::Value;

/// `total`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(in crate::metrics) struct IstanbulTotal {
    lines: IstanbulShare,
    statements: IstanbulShare,
    branches: IstanbulShare,
}

/// One kind of thing that is covered.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct IstanbulShare {
    /// `"Unknown"` where there is nothing to cover.
    pct: Value,
    /// How many there are; a file without any is covered whole.
    total: Value,
}

impl IstanbulTotal {
    /// Percent of lines, or of statements.
    pub(in crate::metrics) fn percent(&self) -> Option<f64> {
        self.lines.pct.as_f64().or_else(|| self.statements.pct.as_f64())
    }

    /// Percent of branches, where there are any.
    pub(in crate::metrics) fn branches(&self) -> Option<f64> {
        self.branches.pct.as_f64().filter(|_| self.branches.total.as_u64() > Some(0))
    }
}
