//! The documents' lines about a loop's metrics, its regressions and its quality.

use serde_json::Value;

use super::verdicts::short_id;
use crate::model::finding::counted;
use crate::state::loop_state::LoopState;
use crate::state::records::{HumanDecision, IterationRecord, RecoveryOutcome, RegressionEvent, lost_key};

/// The longest bar, in characters: one for every five points where there is room.
const LONGEST_BAR: usize = 20;

/// `150 tests, 85% coverage, 12 TS errors`; what is not known is not named.
pub fn metrics(of: &Value) -> String {
    let number = |name: &str| of.get(name).and_then(Value::as_f64);
    let parts = [
        number("test_count").map(|n| counted(n, "test")),
        number("coverage_percentage").map(|n| format!("{n}% coverage")),
        number("typescript_errors").map(|n| counted(n, "TS error")),
        number("type_errors")
            .filter(|_| number("typescript_errors").is_none())
            .map(|n| counted(n, "type error")),
        number("lint_errors").map(|n| counted(n, "lint error")),
        number("lint_warnings").map(|n| counted(n, "lint warning")),
    ];
    let known: Vec<String> = parts.into_iter().flatten().collect();
    if known.is_empty() { "unknown".to_owned() } else { known.join(", ") }
}

/// The seven lines of `--persistence`, and the rate of false alarms.
pub fn persistence(state: &LoopState, rate: Option<f64>) -> String {
    let last = state.iteration_history.last();
    let current =
        last.map_or("unknown".to_owned(), |record| metrics(&Value::Object(record.metrics_snapshot.clone())));
    let baseline = state.baseline_metrics.as_ref().and_then(|baseline| serde_json::to_value(baseline).ok());
    let worst = state.regression_events.iter().max_by_key(|event| event.severity);
    let worst = worst.map(|event| format!(" ({}: {})", event.severity.name(), event.regression_type.name()));
    let best = state.best_iteration.as_ref();
    let best = best.map_or("none".to_owned(), |best| {
        format!("{} (quality: {}%)", best.iteration, round(best.quality_score))
    });
    let quality = last.filter(|record| record.iteration == state.iteration);
    let quality = quality
        .map_or("not measured yet".to_owned(), |record| format!("quality: {}%", round(record.quality_score)));
    let rate = rate.map_or("unknown (nothing was detected)".to_owned(), |rate| format!("{:.2}", rate));
    format!(
        "Persistence Metrics:\n  Baseline Metrics: {}\n  Current Metrics: {current}\n  Regression Events: {}{}\n  \
         Reinforcement Level: {}\n  Recovery Attempts: {}\n  Best Iteration: {best}\n  Current Iteration: {} ({quality})\n  \
         false_positive_rate: {rate}",
        baseline.map_or("unknown".to_owned(), |baseline| metrics(&baseline)),
        state.regression_events.len(),
        worst.unwrap_or_default(),
        state.reinforcement_level.name(),
        state.recovery_attempts,
        state.iteration,
    )
}

/// The events of `--regressions`.
pub fn regressions(state: &LoopState) -> String {
    if state.regression_events.is_empty() {
        return "Regression Events: none".to_owned();
    }
    let mut out = "Regression Events:".to_owned();
    for event in &state.regression_events {
        out.push_str(&format!("\n{}", regression(state, event)));
    }
    out
}

fn regression(state: &LoopState, event: &RegressionEvent) -> String {
    let id = event.display_id.as_deref().unwrap_or_else(|| short_id(&event.event_id));
    let mut lines = vec![format!(
        "[{id}] Iteration {} - {} ({})",
        event.iteration,
        event.regression_type.name(),
        event.severity.name().to_uppercase()
    )];
    lines.push(format!("  - {}", lost(event)));
    lines.extend(event.said().iter().take(50).map(|name| format!("      {name}")));
    lines.push(format!("  - Recovery: {}", recovery(event)));
    let record = state.iteration_history.iter().find(|record| record.iteration == event.iteration);
    // Of several attempts at one iteration an earlier one may have been taken back, and the loss of a later one accepted.
    let stays = event.human_decision == Some(HumanDecision::Approve);
    let reverted = record.and_then(|record| record.reverted_to).or(event.reverted_to).filter(|_| !stays);
    if let Some(to) = reverted {
        lines.push(format!("  - Reverted to iteration {to}"));
    }
    lines.join("\n")
}

fn lost(event: &RegressionEvent) -> String {
    let count = event.lost().len();
    let tests = if count == 1 { "test" } else { "tests" };
    let value = |name: &str| event.details.get(name).filter(|value| !value.is_null()).map(Value::to_string);
    match (lost_key(event.regression_type), value("baseline_value"), value("current_value")) {
        ("deleted_tests", ..) if count > 0 => format!("{count} {tests} deleted"),
        ("skipped_tests", ..) if count > 0 => format!("{count} {tests} no longer run"),
        (_, Some(before), Some(after)) => format!("{before} before, {after} now"),
        _ => format!("{count} lost"),
    }
}

fn recovery(event: &RegressionEvent) -> String {
    let outcome = match event.recovery_outcome {
        Some(RecoveryOutcome::Success) => "success",
        Some(RecoveryOutcome::Failed) => "failed",
        Some(RecoveryOutcome::Escalated) => "escalated",
        Some(RecoveryOutcome::Skipped) => "recorded only",
        None if event.human_decision.is_some() => "escalated",
        None => "open",
    };
    match event.human_decision {
        Some(HumanDecision::Approve) => format!("{outcome}, human approved"),
        Some(HumanDecision::Reject) => format!("{outcome}, human rejected"),
        Some(HumanDecision::Abort) => format!("{outcome}, human aborted"),
        None => outcome.to_owned(),
    }
}

/// One line of `--quality`.
#[derive(Debug, Clone, PartialEq)]
pub struct QualityLine {
    /// `Iteration 2: 85%`, padded so that all bars begin below each other.
    pub label: String,
    /// A mark for every five points.
    pub bar: String,
    /// `BEST`, `REGRESSION`, or both.
    pub marks: Vec<&'static str>,
}

/// The iteration that is the best one so far, or that was selected at the end.
pub fn best(state: &LoopState) -> Option<u32> {
    state.selected_iteration.or(state.best_iteration.as_ref().map(|best| best.iteration))
}

/// The lines of `--quality`, their bars no longer than `columns` leave room for.
pub fn quality(state: &LoopState, columns: Option<usize>) -> Vec<QualityLine> {
    let best = best(state);
    let labels = state
        .iteration_history
        .iter()
        .map(|record| format!("{}: {}%", name(state, record), round(record.quality_score)));
    let labels: Vec<String> = labels.collect();
    let wide = labels.iter().map(String::len).max().unwrap_or_default();
    let marks_of = |record: &IterationRecord| {
        let is_best = best == Some(record.iteration) && !record.is_reverted();
        let marks = [("BEST", is_best), ("REGRESSION", record.regression_detected)];
        marks.into_iter().filter(|(_, holds)| *holds).map(|(word, _)| word).collect()
    };
    let marked = state.iteration_history.iter().map(|record| {
        let marks: Vec<&str> = marks_of(record);
        marks.iter().map(|mark| mark.len() + 3).sum::<usize>()
    });
    // Two in front, one between label and bar.
    let taken = marked.max().unwrap_or_default() + wide + 3;
    let longest = columns.map_or(LONGEST_BAR, |columns| columns.saturating_sub(taken).min(LONGEST_BAR));
    let lines = state.iteration_history.iter().zip(labels).map(|(record, label)| QualityLine {
        label: format!("{label:wide$}"),
        bar: "░".repeat((record.quality_score.clamp(0.0, 100.0) / 100.0 * longest as f64).floor() as usize),
        marks: marks_of(record),
    });
    lines.collect()
}

/// An attempt's name; one that was taken back and done again says so.
fn name(state: &LoopState, record: &IterationRecord) -> String {
    let number = record.iteration;
    let is_later = |other: &IterationRecord| other.iteration == number && other.attempt > record.attempt;
    let is_redone = record.is_reverted() && state.iteration_history.iter().any(is_later);
    match record.attempt.filter(|_| is_redone) {
        Some(attempt) => format!("Iteration {number}, attempt {attempt}, taken back"),
        None if is_redone => format!("Iteration {number}, taken back"),
        None => format!("Iteration {number}"),
    }
}

fn round(score: f64) -> f64 {
    (score * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// The state of the documents' example.
    fn example() -> LoopState {
        serde_json::from_value(json!({
            "loop_id": "ralph-fix-tests-a1b2c3d4",
            "iteration": 7,
            "baseline_metrics": {"test_count": 150, "coverage_percentage": 85, "typescript_errors": 12},
            "iteration_history": [
                {"iteration": 1, "quality_score": 60}, {"iteration": 2, "quality_score": 85},
                {"iteration": 3, "quality_score": 83}, {"iteration": 4, "quality_score": 81},
                {"iteration": 5, "quality_score": 79}, {"iteration": 6, "quality_score": 77},
                {"iteration": 7, "quality_score": 70, "regression_detected": true, "reverted_to": 6,
                 "metrics_snapshot": {"test_count": 148, "coverage_percentage": 84, "typescript_errors": 0}},
            ],
            "best_iteration": {"iteration": 2, "quality_score": 85},
            "regression_events": [{
                "event_id": "x", "display_id": "reg-001", "iteration": 7, "regression_type": "test_deletion",
                "severity": "critical", "recovery_outcome": "escalated", "human_decision": "reject",
                "details": {"diff": {"deleted_tests": ["a.test.ts: one", "a.test.ts: two"]}},
            }],
            "reinforcement_level": "AGGRESSIVE",
            "recovery_attempts": 1,
        }))
        .unwrap()
    }

    #[test]
    fn the_documents_lines() {
        let lines = persistence(&example(), Some(0.0));
        for line in [
            "Baseline Metrics: 150 tests, 85% coverage, 12 TS errors",
            "Current Metrics: 148 tests, 84% coverage, 0 TS errors",
            "Regression Events: 1 (critical: test_deletion)",
            "Reinforcement Level: AGGRESSIVE",
            "Recovery Attempts: 1",
            "Best Iteration: 2 (quality: 85%)",
            "Current Iteration: 7 (quality: 70%)",
            "false_positive_rate: 0.00",
        ] {
            assert!(lines.contains(&format!("\n  {line}")), "{line}: {lines}");
        }
        let lines = regressions(&example());
        for line in [
            "[reg-001] Iteration 7 - test_deletion (CRITICAL)",
            "  - 2 tests deleted",
            "  - Recovery: escalated, human rejected",
            "  - Reverted to iteration 6",
        ] {
            assert!(lines.lines().any(|told| told == line), "{line}: {lines}");
        }
        let bars = quality(&example(), None);
        assert_eq!((bars[0].label.as_str(), bars[0].bar.chars().count()), ("Iteration 1: 60%", 12));
        assert_eq!((bars[1].bar.chars().count(), bars[1].marks.as_slice()), (17, ["BEST"].as_slice()));
        assert_eq!(bars[6].marks, ["REGRESSION"]);
    }

    #[test]
    fn an_empty_loop_says_that_nothing_is_known() {
        let lines = persistence(&LoopState::default(), None);
        assert!(
            lines.contains("Baseline Metrics: unknown") && lines.contains("Best Iteration: none"),
            "{lines}"
        );
        assert_eq!(regressions(&LoopState::default()), "Regression Events: none");
        assert!(quality(&LoopState::default(), None).is_empty());
    }
}
