//! `progress-tracker`: the quality of an iteration, from facts alone.
//!
//! The documents weigh five dimensions; [`quality`] says how each is computed. What was not measured takes no part.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{answer, input, number};
use crate::definitions::envelope::{AgentRequest, Reply};
use crate::model::finding::counted;

/// Answers `loop_start` with the baseline, `post_iteration` with the iteration's numbers and `loop_complete` with the
/// report's place. What was measured comes as an input: the agent words it and measures nothing.
pub fn reply(request: &AgentRequest) -> Reply {
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
        number(metrics, "test_count").map(|n| counted(n, "test")),
        number(metrics, "coverage_percentage").map(|n| format!("{n}% coverage")),
        number(metrics, "typescript_errors").map(|n| counted(n, "TypeScript error")),
        number(metrics, "lint_errors").map(|n| counted(n, "lint error")),
    ];
    let known: Vec<String> = parts.into_iter().flatten().collect();
    if known.is_empty() { "nothing was measured".to_owned() } else { known.join(", ") }
}

/// The weights of the documents, in percent.
const WEIGHTS: [(&str, f64); 5] = [
    ("validation", 30.0),
    ("completeness", 25.0),
    ("correctness", 25.0),
    ("readability", 10.0),
    ("efficiency", 10.0),
];
/// What an open regression takes from correctness.
const PER_REGRESSION: f64 = 50.0;
/// What an error that comes back takes from efficiency, each time.
const PER_REPEAT: f64 = 20.0;
/// What a call that had to be stopped takes from efficiency.
const PER_STOPPED_CALL: f64 = 10.0;
/// Of a project that began with few errors, so many count as all.
const FEWEST_ERRORS: f64 = 10.0;

/// What was measured in an iteration; `None` for what was not.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct ProgressFacts {
    /// The completion commands.
    pub checks: Vec<CheckFact>,
    /// Tests at the start of the loop and now.
    pub tests: Option<(u64, u64)>,
    /// Coverage at the start and now, percent.
    pub coverage: Option<(f64, f64)>,
    /// Tests that passed and failed in the verification.
    pub run: Option<(u64, u64)>,
    /// Errors of types at the start and now.
    pub type_errors: Option<(u64, u64)>,
    /// Complaints of the linter at the start and now; a warning is a quarter of an error.
    pub lint: Option<(f64, f64)>,
    /// Lines of the changed sources, and those of them that are longer than 120 characters.
    pub changed_lines: (u64, u64),
    /// Regressions that are open.
    pub open_regressions: u32,
    /// How often the last error came back in a row.
    pub repeated_errors: u32,
    /// Calls of this iteration that had to be stopped.
    pub stopped_calls: u32,
}

/// One completion command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct CheckFact {
    /// Whether it holds.
    pub passed: bool,
    /// Tests that passed and failed in it, where it ran any.
    pub tests: Option<(u64, u64)>,
}

/// A score and what it was made from.
#[derive(Debug, Clone, PartialEq)]
pub struct Quality {
    /// 0 to 100.
    pub score: f64,
    /// The five dimensions, 0 to 100 each.
    pub breakdown: Map<String, Value>,
}

/// Scores an iteration: the same facts give the same score, the sum of the dimensions by their weights.
///
/// - validation (30): the mean over the completion commands of 100 for one that holds, and otherwise of the share of
///   its tests that pass; 0 without any command
/// - completeness (25): the mean of tests now against the start and of coverage now against the start, each at most
///   100; where neither is known, as validation
/// - correctness (25): the mean of the share of tests that pass and of `100 (1 - errors of types now / errors at the
///   start)`, of what is known of them, otherwise 100; less 50 for each open regression
/// - readability (10): the mean of `100 (1 - lint now / lint at the start)`, where a linter is there, and of the share
///   of changed lines that are no longer than 120 characters
/// - efficiency (10): 100 less 20 for each time that the last error came back, less 10 for each call that had to be
///   stopped
///
/// Where there were fewer than ten errors at the start, ten count as all. Nothing falls below 0.
pub fn quality(facts: &ProgressFacts) -> Quality {
    let validation = validation(&facts.checks);
    let run = facts.run.map(|(passed, failed)| share(passed as f64, (passed + failed) as f64));
    let types = facts.type_errors.map(|(start, now)| cleanness(start as f64, now as f64));
    let losses = PER_REGRESSION * f64::from(facts.open_regressions);
    let (lines, long) = facts.changed_lines;
    let short = share(lines.saturating_sub(long) as f64, lines as f64);
    let lint = facts.lint.map(|(start, now)| cleanness(start, now));
    let steps =
        PER_REPEAT * f64::from(facts.repeated_errors) + PER_STOPPED_CALL * f64::from(facts.stopped_calls);
    let values = [
        validation,
        completeness(facts).unwrap_or(validation),
        mean(&[run, types]).unwrap_or(100.0) - losses,
        mean(&[lint, Some(short)]).unwrap_or(100.0),
        100.0 - steps,
    ];
    let mut breakdown = Map::new();
    let mut score = 0.0;
    for ((name, weight), value) in WEIGHTS.iter().zip(values) {
        let value = value.clamp(0.0, 100.0);
        breakdown.insert((*name).to_owned(), json!(rounded(value)));
        score += weight * value / 100.0;
    }
    Quality { score: rounded(score), breakdown }
}

fn validation(checks: &[CheckFact]) -> f64 {
    let credits = checks.iter().map(|check| match check {
        CheckFact { passed: true, .. } => Some(100.0),
        // All its tests pass and it fails all the same: something else is wrong.
        CheckFact { tests: Some((_, 0)) | None, .. } => Some(0.0),
        CheckFact { tests: Some((passed, failed)), .. } => {
            Some(share(*passed as f64, (passed + failed) as f64))
        }
    });
    mean(&credits.collect::<Vec<_>>()).unwrap_or(0.0)
}

fn completeness(facts: &ProgressFacts) -> Option<f64> {
    let tests =
        facts.tests.filter(|(start, _)| *start > 0).map(|(start, now)| share(now as f64, start as f64));
    let coverage = facts.coverage.filter(|(start, _)| *start > 0.0).map(|(start, now)| share(now, start));
    mean(&[tests, coverage])
}

/// Percent, at most 100; 100 of nothing.
fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { (100.0 * part / whole).clamp(0.0, 100.0) } else { 100.0 }
}

/// How much of the errors at the start is gone, in percent.
fn cleanness(start: f64, now: f64) -> f64 {
    100.0 * (1.0 - (now / start.max(FEWEST_ERRORS)).min(1.0))
}

/// The mean of what is known.
fn mean(values: &[Option<f64>]) -> Option<f64> {
    let known: Vec<f64> = values.iter().flatten().copied().collect();
    (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
}

fn rounded(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_dimension_moves_the_score_by_its_weight() {
        let held = CheckFact { passed: true, tests: None };
        let all = ProgressFacts {
            checks: vec![held],
            tests: Some((10, 10)),
            coverage: Some((80.0, 80.0)),
            run: Some((10, 0)),
            type_errors: Some((12, 0)),
            lint: Some((4.0, 0.0)),
            changed_lines: (100, 0),
            ..ProgressFacts::default()
        };
        let failed = |tests| CheckFact { passed: false, tests };
        let rows = [
            (all.clone(), 100.0),
            // validation: all of its 30, then 20 % of them
            (ProgressFacts { checks: vec![failed(None)], ..all.clone() }, 70.0),
            (ProgressFacts { checks: vec![failed(Some((8, 2)))], ..all.clone() }, 94.0),
            (ProgressFacts { checks: vec![failed(Some((8, 0)))], ..all.clone() }, 70.0),
            (ProgressFacts { checks: vec![held, failed(None)], ..all.clone() }, 85.0),
            (ProgressFacts { checks: vec![], ..all.clone() }, 70.0),
            // completeness: half of the tests, a quarter of the coverage; more than at the start is no more than all
            (ProgressFacts { tests: Some((10, 5)), coverage: None, ..all.clone() }, 87.5),
            (ProgressFacts { tests: None, coverage: Some((80.0, 60.0)), ..all.clone() }, 93.8),
            (ProgressFacts { tests: Some((10, 0)), coverage: Some((80.0, 0.0)), ..all.clone() }, 75.0),
            (ProgressFacts { tests: Some((10, 30)), ..all.clone() }, 100.0),
            // correctness: failing tests, errors of types, regressions
            (ProgressFacts { run: Some((5, 5)), ..all.clone() }, 93.8),
            (ProgressFacts { type_errors: Some((12, 6)), run: None, ..all.clone() }, 87.5),
            (ProgressFacts { type_errors: Some((0, 3)), run: None, ..all.clone() }, 92.5),
            (ProgressFacts { open_regressions: 1, ..all.clone() }, 87.5),
            (ProgressFacts { open_regressions: 9, ..all.clone() }, 75.0),
            // readability
            (ProgressFacts { lint: Some((20.0, 20.0)), ..all.clone() }, 95.0),
            (ProgressFacts { lint: None, changed_lines: (100, 100), ..all.clone() }, 90.0),
            // efficiency
            (ProgressFacts { repeated_errors: 1, ..all.clone() }, 98.0),
            (ProgressFacts { stopped_calls: 40, ..all.clone() }, 90.0),
            // nothing but a passing command is known
            (ProgressFacts { checks: vec![held], ..ProgressFacts::default() }, 100.0),
            (ProgressFacts { checks: vec![failed(None)], ..ProgressFacts::default() }, 45.0),
        ];
        for (facts, score) in rows {
            let quality = quality(&facts);
            assert_eq!(quality.score, score, "{facts:?}");
            assert_eq!(quality.breakdown.len(), 5);
        }
    }
}
