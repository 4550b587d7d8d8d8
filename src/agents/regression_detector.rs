//! `regression-detector`: compares metrics with the baseline.

use serde_json::{Value, json};

use super::{answer, input, number};
use crate::definitions::envelope::{AgentRequest, AgentVerdict, Reply};
use crate::model::finding::Severity;

/// Coverage may fall this far, in points, before it is more than noise.
pub const COVERAGE_NOISE: f64 = 0.5;
/// From which fall of coverage on, in points, a regression is how severe.
const COVERAGE_SEVERITY: &[(f64, Severity)] = &[
    (20.0, Severity::Critical),
    (5.0, Severity::High),
    (2.0, Severity::Medium),
    (COVERAGE_NOISE, Severity::Low),
];

/// Answers with PASS, WARN or BLOCK, and with the worst regression. One event tells one cause: a fall of coverage that
/// comes with lost tests is a detail of theirs.
pub fn reply(request: &AgentRequest) -> Reply {
    let (baseline, current) = (input(request, "baseline"), input(request, "current"));
    let count = |metrics| number(metrics, "test_count").map(|count| count as u64);
    let coverage = |metrics| number(metrics, "coverage_percentage");
    if let (Some(before), Some(after)) = (count(baseline), count(current))
        && after < before
    {
        let lost = deleted_tests(request, current);
        return found(
            "test_deletion",
            Severity::Critical,
            json!(before),
            json!(after),
            json!({
                "deleted_tests": lost,
                "before_test_count": before,
                "after_test_count": after,
                "coverage": [coverage(baseline), coverage(current)],
            }),
        );
    }
    if let (Some(before), Some(after)) = (coverage(baseline), coverage(current))
        && let Some(severity) = coverage_severity(before - after)
    {
        let diff = json!({"points": ((after - before) * 100.0).round() / 100.0});
        return found("coverage_regression", severity, json!(before), json!(after), diff);
    }
    answer(
        "No regression".to_owned(),
        Some(AgentVerdict::Pass),
        json!({"detected": false, "regressions": []}),
    )
}

/// How severe a fall of coverage is; `None` within the noise.
pub fn coverage_severity(points: f64) -> Option<Severity> {
    COVERAGE_SEVERITY
        .iter()
        .find(|(from, severity)| if *severity == Severity::Low { points > *from } else { points >= *from })
        .map(|(_, severity)| *severity)
}

fn found(kind: &str, severity: Severity, before: Value, after: Value, diff: Value) -> Reply {
    let verdict = match severity {
        Severity::Critical | Severity::High => AgentVerdict::Block,
        Severity::Medium | Severity::Low => AgentVerdict::Warn,
    };
    let regression = json!({
        "regression_type": kind,
        "severity": severity,
        "details": {"baseline_value": before, "current_value": after, "diff": diff},
    });
    let mut facts = regression.clone();
    facts["detected"] = json!(true);
    facts["regressions"] = json!([regression]);
    answer(format!("REGRESSION DETECTED: {kind}"), Some(verdict), facts)
}

fn deleted_tests<'r>(request: &'r AgentRequest, current: &'r Value) -> &'r Value {
    let given = input(request, "deleted_tests");
    if given.is_null() { current.get("deleted_tests").unwrap_or(&Value::Null) } else { given }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definitions::envelope::RequestMetadata;
    use jiff::Timestamp;

    fn ask(baseline: Value, current: Value) -> Reply {
        let inputs =
            [("baseline".to_owned(), baseline), ("current".to_owned(), current)].into_iter().collect();
        let metadata =
            RequestMetadata { hook_name: "post_iteration".into(), loop_id: "l".into(), iteration: 7, inputs };
        reply(&AgentRequest::new("Check", metadata, Timestamp::UNIX_EPOCH))
    }

    #[test]
    fn verdicts_by_numbers() {
        let m = |tests: u64, coverage: f64| json!({"test_count": tests, "coverage_percentage": coverage});
        let rows = [
            (m(150, 85.0), m(148, 84.0), Some(AgentVerdict::Block), "test_deletion", "critical"),
            (m(150, 85.0), m(150, 84.6), Some(AgentVerdict::Pass), "", ""),
            (m(150, 85.0), m(150, 84.5), Some(AgentVerdict::Pass), "", ""),
            (m(150, 85.0), m(150, 84.0), Some(AgentVerdict::Warn), "coverage_regression", "low"),
            (m(150, 85.0), m(150, 83.0), Some(AgentVerdict::Warn), "coverage_regression", "medium"),
            (m(150, 85.0), m(150, 80.0), Some(AgentVerdict::Block), "coverage_regression", "high"),
            (m(150, 92.0), m(150, 70.0), Some(AgentVerdict::Block), "coverage_regression", "critical"),
            (m(150, 85.0), m(160, 90.0), Some(AgentVerdict::Pass), "", ""),
            (json!({"test_count": null}), m(1, 1.0), Some(AgentVerdict::Pass), "", ""),
            (Value::Null, Value::Null, Some(AgentVerdict::Pass), "", ""),
        ];
        for (baseline, current, verdict, kind, severity) in rows {
            let reply = ask(baseline.clone(), current.clone());
            let fact =
                |name: &str| reply.metadata.extra.get(name).and_then(Value::as_str).unwrap_or_default();
            assert_eq!(reply.metadata.verdict, verdict, "{baseline} {current}");
            assert_eq!((fact("regression_type"), fact("severity")), (kind, severity), "{baseline} {current}");
        }
    }
}
