//! `progress-tracker`: the quality of an iteration, from facts alone.
//!
//! The documents weigh five dimensions: validation 30, completeness 25, correctness 25, readability 10, efficiency 10.
//! A dimension that nothing has measured takes no part, and the others share its weight: no number is made up.

use serde_json::{Map, Value, json};

use super::{answer, input, number};
use crate::definitions::envelope::{Reply, Request};

/// Answers `loop_start` with the baseline, `post_iteration` with the iteration's numbers and `loop_complete` with the
/// report's place. What was measured comes as an input: the agent words it and measures nothing.
pub fn reply(request: &Request) -> Reply {
    match request.metadata.hook_name.as_str() {
        "loop_start" => {
            let baseline = input(request, "baseline_metrics");
            answer(
                format!("Baseline: {}", worded(baseline)),
                None,
                json!({
                    "baseline": baseline,
                    "baseline_metrics": baseline,
                }),
            )
        }
        "loop_complete" => {
            let path = input(request, "report_path");
            answer("The report is written".to_owned(), None, json!({"report_path": path, "report": path}))
        }
        _ => {
            let metrics = input(request, "current_metrics");
            answer(
                format!("Iteration {}: {}", request.metadata.iteration, worded(metrics)),
                None,
                json!({
                    "metrics": metrics,
                    "quality_score": input(request, "quality_score"),
                    "quality_delta": input(request, "quality_delta"),
                }),
            )
        }
    }
}

/// `150 tests, 85% coverage, 12 TypeScript errors`; a number that is not there is not named.
fn worded(metrics: &Value) -> String {
    let parts = [
        number(metrics, "test_count").map(|n| format!("{n} tests")),
        number(metrics, "coverage_percentage").map(|n| format!("{n}% coverage")),
        number(metrics, "typescript_errors").map(|n| format!("{n} TypeScript errors")),
        number(metrics, "lint_errors").map(|n| format!("{n} lint errors")),
    ];
    let known: Vec<String> = parts.into_iter().flatten().collect();
    if known.is_empty() { "nothing was measured".to_owned() } else { known.join(", ") }
}

/// What was measured in an iteration.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Facts {
    /// How many of the completion commands passed, of how many.
    pub checks: (u32, u32),
    /// Tests in the sources at loop start and now.
    pub tests: Option<(u64, u64)>,
    /// How many regressions are open.
    pub open_regressions: u32,
}

/// A score and what it was made from.
#[derive(Debug, Clone, PartialEq)]
pub struct Quality {
    /// 0 to 100.
    pub score: f64,
    /// Each measured dimension, 0 to 100.
    pub breakdown: Map<String, Value>,
}

/// Scores an iteration: the same facts give the same score.
///
/// - validation = share of the completion commands that passed
/// - completeness = tests now against tests at the start, at most 100
/// - correctness = 100 less 50 for each open regression
pub fn quality(facts: Facts) -> Quality {
    let (passed, total) = facts.checks;
    let validation = if total == 0 { None } else { Some(100.0 * f64::from(passed) / f64::from(total)) };
    let completeness = facts
        .tests
        .and_then(|(start, now)| (start > 0).then(|| (100.0 * now as f64 / start as f64).clamp(0.0, 100.0)));
    let correctness = Some((100.0 - 50.0 * f64::from(facts.open_regressions)).max(0.0));
    let dimensions = [
        ("validation", 30.0, validation),
        ("completeness", 25.0, completeness),
        ("correctness", 25.0, correctness),
    ];
    let mut breakdown = Map::new();
    let (mut sum, mut weights) = (0.0, 0.0);
    for (name, weight, value) in dimensions {
        if let Some(value) = value {
            breakdown.insert(name.to_owned(), json!(rounded(value)));
            sum += weight * value;
            weights += weight;
        }
    }
    Quality { score: if weights > 0.0 { rounded(sum / weights) } else { 0.0 }, breakdown }
}

fn rounded(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_dimension_moves_the_score_by_its_weight() {
        let all = Facts { checks: (1, 1), tests: Some((10, 10)), open_regressions: 0 };
        let rows = [
            (all, 100.0),
            (Facts { checks: (0, 1), ..all }, 62.5),
            (Facts { tests: Some((10, 5)), ..all }, 84.4),
            (Facts { open_regressions: 1, ..all }, 84.4),
            (Facts { open_regressions: 9, ..all }, 68.8),
            // not measured: the others share its weight
            (Facts { tests: None, ..all }, 100.0),
            (Facts { tests: None, checks: (0, 1), ..all }, 45.5),
            (Facts { tests: Some((10, 20)), ..all }, 100.0),
        ];
        for (facts, score) in rows {
            assert_eq!(quality(facts).score, score, "{facts:?}");
        }
        assert!(!quality(Facts { tests: None, ..all }).breakdown.contains_key("completeness"));
    }
}
