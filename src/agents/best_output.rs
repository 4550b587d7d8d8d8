//! `best-output-tracker` and `best-output-selector`: the best iteration is not always the last.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::{Value, json};

use super::{answer, input};
use crate::definitions::envelope::{AgentRequest, Reply};
use crate::state::records::IterationRecord;

/// The score from which an iteration is acceptable.
pub const QUALITY_THRESHOLD: f64 = 70.0;

/// What a project wants of a selection.
#[derive(Debug, Clone, PartialEq)]
pub struct SelectionPolicy {
    /// False: the final iteration is taken.
    pub enabled: bool,
    /// The least acceptable quality, 0 to 100.
    pub threshold: f64,
    /// Whether an iteration without a passed verification is out.
    pub verified_only: bool,
    /// Iterations in which a critical regression is unresolved.
    pub unresolved: BTreeSet<u32>,
}

impl Default for SelectionPolicy {
    fn default() -> Self {
        SelectionPolicy {
            enabled: true,
            threshold: QUALITY_THRESHOLD,
            verified_only: false,
            unresolved: BTreeSet::new(),
        }
    }
}

/// What was selected, and why.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct IterationSelection {
    /// The iteration, from 1.
    #[serde(rename = "selected_iteration")]
    pub iteration: u32,
    /// Its score, 0 to 100.
    pub quality_score: f64,
    /// How many iterations there were.
    pub total_iterations: usize,
    /// The last one.
    pub final_iteration: u32,
    /// How much better it is than the last one, in points.
    pub delta_from_final: f64,
    /// Whether the last one is worse than it.
    pub degraded: bool,
    /// Why this one.
    pub reason: String,
    /// Whether no iteration was acceptable.
    pub below_threshold: bool,
}

/// Whether a new record is better than the best so far: strictly, so that the earlier one wins a tie.
pub fn is_better(best: Option<f64>, score: f64) -> bool {
    best.is_none_or(|best| score > best)
}

/// Selects the best of all iterations: at or above the threshold, verified ones alone if there are any, the highest
/// score, the earlier at a tie. Iterations with an unresolved critical regression are left out. Where no iteration is
/// acceptable, the highest of them all is taken and flagged. `None` when there is no iteration.
pub fn select(history: &[IterationRecord], wanted: &SelectionPolicy) -> Option<IterationSelection> {
    // What a person took back is nobody's output.
    let history: Vec<&IterationRecord> = history.iter().filter(|record| !record.is_reverted()).collect();
    let last = *history.last()?;
    // Older tools scored from 0 to 1.
    let is_share = history.iter().all(|record| record.quality_score <= 1.0)
        && history.iter().any(|record| record.quality_score > 0.0 && record.quality_score.fract() != 0.0);
    let score = |record: &IterationRecord| record.quality_score * if is_share { 100.0 } else { 1.0 };
    let clean: Vec<&IterationRecord> =
        history.iter().copied().filter(|record| !wanted.unresolved.contains(&record.iteration)).collect();
    let is_acceptable = |record: &&&IterationRecord| {
        score(record) >= wanted.threshold && (!wanted.verified_only || is_verified(record))
    };
    let acceptable: Vec<&IterationRecord> = clean.iter().filter(is_acceptable).copied().collect();
    let verified: Vec<&IterationRecord> =
        acceptable.iter().copied().filter(|record| is_verified(record)).collect();
    let best = if wanted.enabled {
        let pools = [verified, acceptable.clone(), clean, history.clone()];
        let higher = |best, next| if score(next) > score(best) { next } else { best };
        pools.into_iter().find_map(|pool| pool.into_iter().reduce(higher))?
    } else {
        last
    };
    let below_threshold = wanted.enabled && acceptable.is_empty();
    let (quality_score, final_score) = (rounded(score(best)), rounded(score(last)));
    Some(IterationSelection {
        iteration: best.iteration,
        quality_score,
        total_iterations: history.len(),
        final_iteration: last.iteration,
        delta_from_final: rounded(quality_score - final_score),
        degraded: final_score < quality_score,
        reason: reason(
            wanted,
            best.iteration == last.iteration,
            best.iteration,
            quality_score,
            below_threshold,
        ),
        below_threshold,
    })
}

fn reason(
    wanted: &SelectionPolicy,
    is_final: bool,
    iteration: u32,
    score: f64,
    below_threshold: bool,
) -> String {
    if !wanted.enabled {
        return "The final iteration: best_output_selection is switched off".to_owned();
    }
    let place = if is_final {
        "Final iteration was also best".to_owned()
    } else {
        format!("Best quality ({score}%) at iteration {iteration}, not final")
    };
    let flag = match (below_threshold, wanted.verified_only) {
        (true, true) => "; no iteration is verified and reached the quality threshold",
        (true, false) => "; no iteration reached the quality threshold",
        _ => "",
    };
    format!("Highest quality score ({score}%). {place}{flag}")
}

fn rounded(score: f64) -> f64 {
    (score * 10.0).round() / 10.0
}

/// Answers `post_iteration`: whether this iteration is the best so far.
pub fn tracker_reply(request: &AgentRequest) -> Reply {
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
pub fn selector_reply(request: &AgentRequest) -> Reply {
    let history: Vec<IterationRecord> =
        serde_json::from_value(input(request, "iteration_history").clone()).unwrap_or_default();
    match select(&history, &wanted(input(request, "best_output_selection"))) {
        Some(selection) => {
            let mut facts = json!(selection);
            facts["iteration"] = json!(selection.iteration);
            answer(selection.reason, None, facts)
        }
        None => answer("no iterations recorded".to_owned(), None, json!({"iteration": null})),
    }
}

/// What an input says that is wanted; the documents' defaults for what it does not say.
fn wanted(given: &Value) -> SelectionPolicy {
    let usual = SelectionPolicy::default();
    let flag = |name: &str, usual| given.get(name).and_then(Value::as_bool).unwrap_or(usual);
    let unresolved = given.get("unresolved").and_then(Value::as_array).into_iter().flatten();
    SelectionPolicy {
        enabled: flag("enabled", usual.enabled),
        threshold: given.get("quality_threshold").and_then(Value::as_f64).unwrap_or(usual.threshold),
        verified_only: flag("require_verification", usual.verified_only),
        unresolved: unresolved.filter_map(|n| u32::try_from(n.as_u64()?).ok()).collect(),
    }
}

fn is_verified(record: &IterationRecord) -> bool {
    let of_tests = record.test_results.as_ref().and_then(|results| results.get("verification_status"));
    let status = of_tests.or_else(|| record.metrics_snapshot.get("verification_status"));
    status.and_then(Value::as_str) == Some("passed")
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
            let selection = select(&history(scores), &SelectionPolicy::default()).unwrap();
            assert_eq!((selection.iteration, selection.below_threshold), (iteration, below), "{scores:?}");
            assert!(selection.reason.contains(reason), "{scores:?}: {}", selection.reason);
        }
        assert_eq!(select(&[], &SelectionPolicy::default()), None);
    }

    #[test]
    fn what_other_tools_expect_of_a_selection() {
        // Scores from 0 to 1, the selected iteration, how much the final one is below it, whether it is degraded.
        let rows: [(&[f64], u32, f64, bool); 8] = [
            (&[0.65, 0.92, 0.78], 2, 14.0, true),
            (&[0.60, 0.75, 0.90], 3, 0.0, false),
            (&[0.80, 0.90, 0.90], 2, 0.0, false),
            (&[0.70, 0.85, 0.78], 2, 7.0, true),
            (&[0.70, 0.88, 0.85, 0.79], 2, 9.0, true),
            (&[0.80, 0.85, 0.82], 2, 3.0, true),
            (&[0.75], 1, 0.0, false),
            (&[0.80, 0.80, 0.80], 1, 0.0, false),
        ];
        for (scores, iteration, delta, degraded) in rows {
            let records: Vec<(f64, &str)> = scores.iter().map(|score| (*score, "failed")).collect();
            let selection = select(&history(&records), &SelectionPolicy::default()).unwrap();
            let told = (selection.iteration, selection.delta_from_final, selection.degraded);
            assert_eq!(told, (iteration, delta, degraded), "{scores:?}");
            assert_eq!(
                (selection.total_iterations, selection.final_iteration as usize),
                (scores.len(), scores.len())
            );
        }
    }

    #[test]
    fn what_a_person_took_back_is_no_output() {
        let mut all = history(&[(56.0, "failed"), (95.0, "passed"), (60.0, "failed")]);
        all[1].reverted_to = Some(1);
        let selection = select(&all, &SelectionPolicy::default()).unwrap();
        assert_eq!((selection.iteration, selection.total_iterations), (3, 2));
        all.pop();
        let selection = select(&all, &SelectionPolicy::default()).unwrap();
        assert_eq!((selection.iteration, selection.final_iteration), (1, 1));
        all.remove(0);
        assert_eq!(select(&all, &SelectionPolicy::default()), None);
    }

    #[test]
    fn what_a_project_wants_decides() {
        let scores = history(&[(75.0, "failed"), (95.0, "failed"), (72.0, "passed"), (60.0, "passed")]);
        let of = |wanted: &SelectionPolicy| {
            select(&scores, wanted).map(|selection| (selection.iteration, selection.below_threshold))
        };
        let usual = SelectionPolicy::default();
        // Verified ones come first; switched off the final one is taken.
        assert_eq!(of(&usual), Some((3, false)));
        assert_eq!(of(&SelectionPolicy { enabled: false, ..usual.clone() }), Some((4, false)));
        assert_eq!(
            of(&SelectionPolicy { verified_only: true, threshold: 90.0, ..usual.clone() }),
            Some((2, true))
        );
        assert_eq!(of(&SelectionPolicy { threshold: 90.0, ..usual.clone() }), Some((2, false)));
        // A critical regression that stayed open excludes its iteration, unless there is no other.
        assert_eq!(
            of(&SelectionPolicy { unresolved: BTreeSet::from([2, 3]), ..usual.clone() }),
            Some((1, false))
        );
        assert_eq!(
            of(&SelectionPolicy { unresolved: BTreeSet::from([1, 2, 3, 4]), ..usual }),
            Some((2, true))
        );
    }
}
