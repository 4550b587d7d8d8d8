//! What the iterations of a loop show together: where the quality went, and whether going on paid.
//!
//! Numbers that are not known stay unknown; nothing is estimated.

use crate::loops::report::summary::{IterationSummary, LoopSummary};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A change of this many points or less is no change.
const SAME: f64 = 2.0;
/// A gain below this many points is small.
const SMALL_GAIN: f64 = 5.0;
/// So many small gains in a row say that the returns diminish.
const SMALL_IN_A_ROW: usize = 2;
/// The part of all changes that must agree.
const MOST: f64 = 0.67;

/// Where the quality went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Trajectory {
    /// Most changes are gains.
    Improving,
    /// Most changes are none.
    Stable,
    /// Most changes are losses.
    Declining,
    /// No direction.
    Fluctuating,
}

impl Trajectory {
    /// The name in state files.
    pub fn name(self) -> &'static str {
        match self {
            Trajectory::Improving => "improving",
            Trajectory::Stable => "stable",
            Trajectory::Declining => "declining",
            Trajectory::Fluctuating => "fluctuating",
        }
    }
}

/// The trajectory of the scores, oldest first. `None` for fewer than three.
pub fn trajectory(scores: &[f64]) -> Option<Trajectory> {
    let changes: Vec<f64> = scores.windows(2).filter_map(|pair| Some(pair.last()? - pair.first()?)).collect();
    if changes.len() < 2 {
        return None;
    }
    let part =
        |of: &dyn Fn(f64) -> bool| ratio(changes.iter().filter(|change| of(**change)).count(), changes.len());
    Some(if part(&|change| change > SAME) >= MOST {
        Trajectory::Improving
    } else if part(&|change| change < -SAME) >= MOST {
        Trajectory::Declining
    } else if part(&|change| change.abs() <= SAME) >= MOST {
        Trajectory::Stable
    } else {
        Trajectory::Fluctuating
    })
}

#[expect(clippy::cast_precision_loss, reason = "counts of iterations are far below 2^52")]
fn ratio(part: usize, all: usize) -> f64 {
    if all == 0 { 0.0 } else { part as f64 / all as f64 }
}

/// The iteration from which on the gains were small, if they were to the end of a row.
pub fn diminishing_at<'i>(iterations: impl Iterator<Item = &'i IterationSummary>) -> Option<u32> {
    let scored: Vec<(u32, f64)> = iterations.filter_map(|one| Some((one.number, one.quality?))).collect();
    let mut row = 0;
    for pair in scored.windows(2) {
        let [(_, before), (number, after)] = pair else { continue };
        row = if after - before < SMALL_GAIN { row + 1 } else { 0 };
        if row == SMALL_IN_A_ROW {
            return Some(*number);
        }
    }
    None
}

/// The content of `analytics.json`.
pub fn analytics(of: &LoopSummary) -> Value {
    let scores: Vec<f64> = of.kept().filter_map(|one| one.quality).collect();
    let diminishing = diminishing_at(of.kept());
    let mut before = None;
    let records: Vec<Value> = of.iterations.iter().map(|one| record(of, one, &mut before)).collect();
    let passed = of.kept().filter(|one| one.passed() == Some(true)).count();
    json!({
        "version": "2.0",
        "loop_id": of.loop_id,
        "task": of.task,
        "task_type": of.task_type,
        "status": of.status,
        "completion_criteria": of.criteria,
        "started_at": of.started.to_string(),
        "ended_at": of.ended.to_string(),
        "duration_seconds": of.seconds(),
        "baseline_metrics": of.baseline,
        "iterations": records,
        "summary": {
            "total_iterations": of.kept().count(),
            "attempts_taken_back": of.taken_back(),
            "successful_iterations": passed,
            "failed_iterations": of.kept().filter(|one| one.passed() == Some(false)).count(),
            "quality_trajectory": trajectory(&scores).map(Trajectory::name),
            "diminishing_returns_detected": diminishing.is_some(),
            "diminishing_returns_iteration": diminishing,
            "optimal_iteration": of.best.as_ref().map(|best| best.iteration),
            "selected_iteration": of.best.as_ref().map(|best| best.iteration),
            "selection_reason": of.best.as_ref().map(|best| best.reason.as_str()),
            "final_iteration": of.kept().next_back().map(|one| one.number),
            "files_changed": of.files,
            "lines_added": of.added,
            "lines_removed": of.removed,
            "files_of_others": of.others,
        },
        "regression_events": of.regression_events,
        "recovery_attempts": of.recovery_attempts,
        "costs": {
            "total_tokens": of.costs.as_ref().and_then(|costs| costs.tokens).map_or(json!("unknown"), |tokens| json!(tokens)),
            "total_cost_usd": of.costs.as_ref().and_then(|costs| costs.usd).map_or(json!("unknown"), |usd| json!(usd)),
        },
    })
}

fn record(of: &LoopSummary, one: &IterationSummary, before: &mut Option<f64>) -> Value {
    let delta = one.quality.zip(*before).map(|(after, before)| after - before);
    *before = one.quality.filter(|_| !one.taken_back).or(*before);
    json!({
        "loop_id": of.loop_id,
        "iteration_number": one.number,
        "timestamp": one.ended.to_string(),
        "quality_score": one.quality,
        "quality_delta": delta,
        "tokens_used": one.tokens,
        "token_cost_usd": one.usd,
        "metrics_snapshot": one.metrics,
        "execution_time_ms": one.ended.duration_since(one.started).as_millis().max(0) as u64,
        "verification_status": match one.passed() { Some(true) => "passed", Some(false) => "failed", None => "skipped" },
        "verification_ms": one.verification.as_ref().map(|verification| verification.duration_ms),
        "taken_back": one.taken_back,
        "action": one.action,
        "changed": one.changed,
        "reflections": one.learning.iter().collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trajectories() {
        use Trajectory::*;
        let cases: &[(&[f64], Option<Trajectory>)] = &[
            (&[], None),
            (&[50.0, 90.0], None),
            (&[50.0, 60.0, 70.0], Some(Improving)),
            (&[70.0, 60.0, 50.0], Some(Declining)),
            (&[70.0, 71.0, 70.0], Some(Stable)),
            (&[60.0, 85.0, 83.0, 80.0], Some(Fluctuating)),
            (&[10.0, 20.0, 30.0, 40.0, 35.0], Some(Improving)),
        ];
        for (scores, expected) in cases {
            assert_eq!(trajectory(scores), *expected, "{scores:?}");
        }
    }

    #[test]
    fn diminishing_returns() {
        let at = |scores: &[f64]| {
            let numbered = (1..).zip(scores);
            let all: Vec<IterationSummary> = numbered
                .map(|(number, score)| IterationSummary {
                    number,
                    quality: Some(*score),
                    ..IterationSummary::default()
                })
                .collect();
            diminishing_at(all.iter())
        };
        assert_eq!(at(&[10.0, 40.0, 42.0, 43.0, 60.0]), Some(4));
        assert_eq!(at(&[10.0, 40.0, 42.0, 60.0, 61.0]), None);
        assert_eq!(at(&[]), None);
    }
}
