//! `best-output-tracker` and `best-output-selector`: the best iteration is not always the last.

use serde_json::json;

use super::{answer, input};
use crate::definitions::envelope::{Reply, Request};
use crate::state::records::IterationRecord;

/// The score from which an iteration is acceptable.
pub const QUALITY_THRESHOLD: f64 = 70.0;

/// What was selected, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Selection {
    /// The iteration, from 1.
    pub iteration: u32,
    /// Its score.
    pub quality_score: f64,
    /// Why this one.
    pub reason: String,
    /// Whether no iteration reached the threshold.
    pub below_threshold: bool,
}

/// Whether a new record is better than the best so far: strictly, so that the earlier one wins a tie.
pub fn is_better(best: Option<f64>, score: f64) -> bool {
    best.is_none_or(|best| score > best)
}

/// Selects the best of all iterations: at or above the threshold, verified ones alone if there are any, the highest
/// score, the earlier at a tie. `None` when there is no iteration. Iterations in which a regression stayed open are
/// left out unless nothing else is there.
pub fn select(history: &[IterationRecord]) -> Option<Selection> {
    let last = history.last()?;
    let clean: Vec<&IterationRecord> = history.iter().filter(|record| !record.regression_detected).collect();
    let pool = if clean.is_empty() { history.iter().collect() } else { clean };
    let acceptable: Vec<&IterationRecord> =
        pool.iter().copied().filter(|record| record.quality_score >= QUALITY_THRESHOLD).collect();
    let below_threshold = acceptable.is_empty();
    let acceptable = if below_threshold { pool } else { acceptable };
    let verified: Vec<&IterationRecord> = acceptable.iter().copied().filter(|r| is_verified(r)).collect();
    let candidates = if verified.is_empty() { acceptable } else { verified };
    let best = candidates
        .into_iter()
        .reduce(|best, next| if next.quality_score > best.quality_score { next } else { best })?;
    let score = best.quality_score;
    let place = if best.iteration == last.iteration {
        "Final iteration was also best".to_owned()
    } else {
        format!("Best quality ({score:.0}%) at iteration {}, not final", best.iteration)
    };
    let flag = if below_threshold { "; no iteration reached the quality threshold" } else { "" };
    Some(Selection {
        iteration: best.iteration,
        quality_score: score,
        reason: format!("Highest quality score ({score:.0}%). {place}{flag}"),
        below_threshold,
    })
}

/// Answers `post_iteration`: whether this iteration is the best so far.
pub fn tracker_reply(request: &Request) -> Reply {
    let score = input(request, "quality_score").as_f64();
    let best = input(request, "best_iteration").get("quality_score").and_then(serde_json::Value::as_f64);
    let Some(score) = score.filter(|score| is_better(best, *score)) else {
        return answer(
            "The best iteration stays".to_owned(),
            None,
            json!({"best_iteration": input(request, "best_iteration")}),
        );
    };
    let reason = format!("Highest quality score ({score:.0}%)");
    let best =
        json!({"iteration": request.metadata.iteration, "quality_score": score, "selection_reason": reason});
    answer(reason, None, json!({"best_iteration": best}))
}

/// Answers `loop_complete`: the iteration worth keeping.
pub fn selector_reply(request: &Request) -> Reply {
    let history: Vec<IterationRecord> =
        serde_json::from_value(input(request, "iteration_history").clone()).unwrap_or_default();
    match select(&history) {
        Some(selection) => answer(
            selection.reason.clone(),
            None,
            json!({
                "iteration": selection.iteration,
                "selected_iteration": selection.iteration,
                "quality_score": selection.quality_score,
                "total_iterations": history.len(),
                "final_iteration": history.last().map(|record| record.iteration),
                "reason": selection.reason,
                "below_threshold": selection.below_threshold,
            }),
        ),
        None => answer("no iterations recorded".to_owned(), None, json!({"iteration": null})),
    }
}

fn is_verified(record: &IterationRecord) -> bool {
    record.metrics_snapshot.get("verification_status").and_then(|status| status.as_str()) == Some("passed")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Map, Value};

    fn history(scores: &[(f64, &str)]) -> Vec<IterationRecord> {
        let record = |(n, (score, status)): (usize, &(f64, &str))| IterationRecord {
            iteration: n as u32 + 1,
            quality_score: *score,
            metrics_snapshot: Map::from_iter([("verification_status".to_owned(), Value::from(*status))]),
            ..IterationRecord::default()
        };
        scores.iter().enumerate().map(record).collect()
    }

    /// Scores with their verification, the selected iteration, whether below the threshold, words of the reason.
    type Row = (&'static [(f64, &'static str)], u32, bool, &'static str);

    #[test]
    fn the_documents_trajectory_and_its_edges() {
        let rows: [Row; 7] = [
            (
                &[(60.0, "failed"), (85.0, "failed"), (83.0, "failed"), (80.0, "failed")],
                2,
                false,
                "Highest quality",
            ),
            (
                &[(70.0, "failed"), (80.0, "failed"), (90.0, "failed")],
                3,
                false,
                "Final iteration was also best",
            ),
            (&[(80.0, "failed"), (80.0, "failed")], 1, false, "not final"),
            (&[(90.0, "failed"), (75.0, "passed")], 2, false, "also best"),
            (&[(10.0, "failed"), (30.0, "failed")], 2, true, "no iteration reached"),
            (&[(69.9, "passed")], 1, true, "no iteration reached"),
            (&[(70.0, "failed")], 1, false, "also best"),
        ];
        for (scores, iteration, below, reason) in rows {
            let selection = select(&history(scores)).unwrap();
            assert_eq!((selection.iteration, selection.below_threshold), (iteration, below), "{scores:?}");
            assert!(selection.reason.contains(reason), "{scores:?}: {}", selection.reason);
        }
        assert_eq!(select(&[]), None);
    }

    #[test]
    fn an_iteration_with_an_open_regression_does_not_win() {
        let mut records = history(&[(75.0, "failed"), (95.0, "passed")]);
        records[1].regression_detected = true;
        assert_eq!(select(&records).map(|s| s.iteration), Some(1));
    }
}
