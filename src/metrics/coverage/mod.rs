//! Coverage, one file for each format.

pub(super) mod cobertura;
pub(super) mod coverage_py;
pub(super) mod go_profile;
pub(super) mod istanbul;
pub(super) mod jacoco;
pub(super) mod lcov;
pub(super) mod llvm_cov;
pub mod printed;

/// A share in percent, to two places; `None` of nothing.
#[expect(clippy::cast_precision_loss, reason = "lines of a project are far below 2^52")]
fn percent(covered: u64, all: u64) -> Option<f64> {
    (all > 0).then(|| (covered.min(all) as f64 / all as f64 * 10_000.0).round() / 100.0)
}
