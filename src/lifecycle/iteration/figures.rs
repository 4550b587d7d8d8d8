//! What gave the figures of the baseline quickly, run again when an iteration ends.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::Value;

use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::measuring::measure;
use crate::lifecycle::measuring::measure::Figures;
use crate::loops::verification::VerificationResult;
use crate::state::loop_state::LoopState;

/// A command that took longer at the start is not run again after each iteration.
const QUICK_MS: u64 = 30_000;

/// Runs again what gave the baseline's figures quickly, for at most `left`.
pub fn figures(
    context: &HookContext,
    state: &LoopState,
    verification: &VerificationResult,
    left: Duration,
) -> Figures {
    let baseline = state.baseline_metrics.clone().unwrap_or_default();
    let coverage_known = verified_coverage(verification).next().is_some();
    let sources = baseline.sources.iter().flatten();
    let quick: BTreeSet<&str> = sources
        .filter(|(field, _)| !(coverage_known && *field == "coverage_percentage"))
        .flat_map(|(_, list)| list.as_array().into_iter().flatten())
        .filter(|source| {
            source.get("duration_ms").and_then(Value::as_u64).is_some_and(|millis| millis <= QUICK_MS)
        })
        .filter_map(|source| source.get("command")?.as_str())
        .collect();
    let time = left.min(Duration::from_secs(context.config.measuring.stop_seconds));
    if time.is_zero() || (quick.is_empty() && context.config.custom_metrics.is_empty()) {
        return Figures::default();
    }
    measure::measure(&mut measure::MeasureRequest {
        project: &context.project,
        config: &context.config,
        time,
        wanted: &|command| quick.contains(command),
        say: &mut |_| {},
    })
}

pub(crate) fn verified_coverage(
    verification: &VerificationResult,
) -> impl DoubleEndedIterator<Item = f64> + '_ {
    verification.checks.iter().filter_map(|check| check.coverage.or(check.reading.coverage))
}
