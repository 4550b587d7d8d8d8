//! What the guard costs and how often it was right: `persistence_metrics`, from a loop's own log.
//!
//! Targets are compared and told, never enforced. What the criterion's commands take would be spent without the guard
//! too, so it is no cost of it.

use std::io;

use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;

use crate::config::PerformanceConfig;
use crate::state::audit::Line;
use crate::state::loop_state::LoopState;

/// The outcome under which the end of an iteration says how long its commands took, milliseconds.
pub const COMMANDS: &str = "commands_ms";
/// The share of detections that may be wrong, in percent.
const MOST_FALSE: f64 = 5.0;

/// The figures, under the documents' names; what can't be known yet is left out.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct PersistenceFigures {
    /// From a call's hook to its answer, milliseconds, 95th percentile.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detection_latency_p95_ms: Option<u64>,
    /// The same, 99th percentile.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detection_latency_p99_ms: Option<u64>,
    /// How much longer the loop took than without hooks, percent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub integration_overhead_percentage: Option<f64>,
    /// False alarms in all detections, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub false_positive_rate: Option<f64>,
    /// Detections that nobody called false.
    pub true_positive_count: u64,
    /// False alarms.
    pub false_positive_count: u64,
}

impl PersistenceFigures {
    /// From the lines of the loop's log and its detections; lines that can't be read are left out.
    pub fn of(state: &LoopState, lines: impl Iterator<Item = io::Result<Line>>, now: Timestamp) -> Self {
        let (mut calls, mut spent, mut is_measured) = (Vec::new(), 0_u64, false);
        for line in lines.flatten() {
            match line.hook_name.as_str() {
                "pre_tool_call" | "post_tool_call" => {
                    calls.push(line.duration_ms);
                    spent = spent.saturating_add(line.duration_ms);
                    is_measured = true;
                }
                "post_iteration" => {
                    let commands = line.outcomes.iter().find_map(|outcome| outcome.get(COMMANDS)?.as_u64());
                    if let Some(commands) = commands {
                        spent = spent.saturating_add(line.duration_ms.saturating_sub(commands));
                        is_measured = true;
                    }
                }
                _ => {}
            }
        }
        calls.sort_unstable();
        // The nearest rank: the least time that so many of a hundred do not exceed.
        let rank = |percent: usize| calls.get((calls.len() * percent).div_ceil(100).checked_sub(1)?).copied();
        let ended = state.completed_at.unwrap_or(now);
        let elapsed = u64::try_from(ended.duration_since(state.started_at).as_millis()).unwrap_or_default();
        let without = elapsed.saturating_sub(spent);
        let (all, wrong) = state.hits();
        PersistenceFigures {
            detection_latency_p95_ms: rank(95),
            detection_latency_p99_ms: rank(99),
            integration_overhead_percentage: (is_measured && without > 0)
                .then(|| (spent as f64 / without as f64 * 10_000.0).round() / 100.0),
            false_positive_rate: (all > 0).then(|| wrong as f64 / all as f64),
            true_positive_count: all - wrong,
            false_positive_count: wrong,
        }
    }

    /// What is over its target, a sentence for each.
    pub fn breaches(&self, targets: &PerformanceConfig) -> Vec<String> {
        let budget = targets.detection_latency_budget_ms;
        let most = targets.max_integration_overhead_percentage;
        let latency = self.detection_latency_p95_ms.filter(|p95| *p95 > budget);
        // The documents allow the slowest of a hundred twice the time.
        let slowest = self.detection_latency_p99_ms.filter(|p99| *p99 > budget.saturating_mul(2));
        let overhead = self.integration_overhead_percentage.filter(|percent| *percent > most);
        let wrong = self.false_positive_rate.map(|rate| rate * 100.0).filter(|rate| *rate > MOST_FALSE);
        let told = [
            latency.map(|p95| format!("detection latency: p95 is {p95} ms, the budget is {budget} ms")),
            slowest.map(|p99| format!("detection latency: p99 is {p99} ms, the budget is {} ms", budget * 2)),
            overhead.map(|percent| format!("integration overhead: {percent}%, at most {most}% is wanted")),
            wrong.map(|rate| format!("false positive rate: {rate:.1}%, less than {MOST_FALSE}% is wanted")),
        ];
        told.into_iter().flatten().collect()
    }

    /// Puts the figures into the state.
    pub fn note(&self, state: &mut LoopState) {
        let known = state.persistence_metrics.get_or_insert_default();
        match serde_json::to_value(self) {
            Ok(Value::Object(own)) => known.extend(own),
            _ => known.clear(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use jiff::SignedDuration;
    use serde_json::json;

    fn line(hook: &str, millis: u64, outcome: Value) -> io::Result<Line> {
        let line = Line::new(hook, "l", 1, Timestamp::UNIX_EPOCH);
        Ok(Line { duration_ms: millis, outcomes: vec![outcome], ..line })
    }

    #[test]
    fn a_log_becomes_figures_and_breaches() {
        let start = Timestamp::UNIX_EPOCH;
        let mut state = LoopState::new("l", "t", start);
        let calls = (1..=100).map(|n| line("pre_tool_call", n * 10, Value::Null));
        let others = [
            line("post_iteration", 60_000, json!({"iteration": 1, COMMANDS: 55_000})),
            line("post_iteration", 9_000, json!("waits")),
            line("pre_iteration", 9_000, Value::Null),
            Err(io::Error::other("torn")),
        ];
        // 50.5 s of calls and 5 s of the iteration's end, in 555 s.
        let now = start + SignedDuration::from_millis(555_500);
        let found = PersistenceFigures::of(&state, calls.chain(others), now);
        assert_eq!(found.detection_latency_p95_ms, Some(950));
        assert_eq!(found.detection_latency_p99_ms, Some(990));
        assert_eq!(found.integration_overhead_percentage, Some(11.1));
        assert_eq!((found.false_positive_rate, found.true_positive_count), (None, 0));
        let targets = Config::default().performance;
        let told = found.breaches(&targets);
        assert_eq!(told.len(), 2, "{told:?}");
        assert!(told[0].contains("p95 is 950 ms") && told[1].contains("11.1%"), "{told:?}");
        let wide = PerformanceConfig {
            detection_latency_budget_ms: 2_000,
            max_integration_overhead_percentage: 50.0,
        };
        assert!(found.breaches(&wide).is_empty());
        found.note(&mut state);
        assert_eq!(state.persistence_metrics.unwrap()["detection_latency_p95_ms"], 950);
    }

    #[test]
    fn nothing_is_made_of_nothing() {
        let state = LoopState::new("l", "t", Timestamp::UNIX_EPOCH);
        let found = PersistenceFigures::of(&state, std::iter::empty(), Timestamp::UNIX_EPOCH);
        assert_eq!(found, PersistenceFigures::default());
        assert!(found.breaches(&Config::default().performance).is_empty());
    }
}
