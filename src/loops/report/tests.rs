//! What a report must tell a person, and that quoted text can't break it.

use crate::loops::report::analytics::analytics;
use crate::loops::report::*;
use crate::loops::verification::CheckResult;
use jiff::Timestamp;
use serde_json::json;

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_736_935_200 + second).expect("a time")
}

fn iteration_summary(number: u32, quality: f64, passed: bool) -> IterationSummary {
    let check = CheckResult {
        command: "npm test".into(),
        passed,
        reason: format!("exit code {}", i32::from(!passed)),
        output_tail: "```\nnot ok\n".into(),
        duration_ms: 1_500,
        ..CheckResult::default()
    };
    let learning = Learning {
        failed: format!("auth > case {number}: wants `5` | gets 4"),
        why: "the clock is read".into(),
        next: "pass the clock in".into(),
        failing: vec![format!("auth > case {number}")],
        ..Learning::default()
    };
    IterationSummary {
        number,
        started: at(i64::from(number) * 60),
        ended: at(i64::from(number) * 60 + 30),
        action: format!("attempt {number}"),
        result: String::new(),
        learning: (!passed).then_some(learning),
        changed: vec!["src/auth.js".into()],
        verification: Some(VerificationResult { passed, checks: vec![check], duration_ms: 1_500 }),
        quality: Some(quality),
        ..IterationSummary::default()
    }
}

fn summary() -> LoopSummary {
    LoopSummary {
        loop_id: "ralph-fix-1a2b3c4d".into(),
        task: "Fix a | b".into(),
        task_type: Some("test fixes".into()),
        status: "completed".into(),
        criteria: "npm test passes".into(),
        started: at(0),
        ended: at(3_723),
        iterations: vec![
            iteration_summary(1, 60.0, false),
            iteration_summary(2, 85.0, false),
            iteration_summary(3, 95.0, true),
        ],
        regression_events: vec![ReportedRegression {
            iteration: 2,
            pattern_id: "LP-001".into(),
            regression_type: "test_deletion".into(),
            severity: "critical".into(),
            path: "auth.test.js".into(),
            lost: vec!["auth > case 1".into()],
            outcome: "denied".into(),
        }],
        recovery_attempts: vec![RecoveryAttempt {
            iteration: 2,
            fault: "LP-001".into(),
            action: "kept the test".into(),
            helped: Some(true),
        }],
        files: 4,
        added: 20,
        removed: 7,
        others: vec!["notes.md".into()],
        best: Some(Best { iteration: 3, quality: Some(95.0), reason: "Highest quality, verified".into() }),
        costs: None,
        ..LoopSummary::default()
    }
}

#[test]
fn the_report_tells_the_whole_course() {
    let text = report(&summary());
    for part in [
        "# Ralph loop ralph-fix-1a2b3c4d",
        "Fix a \\| b",
        "| Status | completed |",
        "1h 02m 03s",
        "| Lines | +20, -7 |\n| Changed by no call of this loop | notes.md |",
        "Quality: improving.",
        "| 2 | 85.0 | +25.0 | failed |",
        "### Iteration 1: failed (30s)",
        "- Tried: attempt 1",
        "- Why: the clock is read",
        "- Next: pass the clock in",
        "- Failing tests (1): `auth > case 1`",
        "`npm test` passed: exit code 0",
        "LP-001 test_deletion (critical) in `auth.test.js`: denied",
        "  - `auth > case 1`",
        "kept the test (helped)",
        "- Best: iteration 3, quality 95.0: Highest quality",
        "- Final: iteration 3, quality 95.0",
        "- Tokens: unknown",
        "- Money: unknown",
        "of it 4s in verification",
    ] {
        assert!(text.contains(part), "{part} is not in:\n{text}");
    }
    // A fence in the output does not end the report's own.
    assert!(text.contains("````text\n```\nnot ok\n````"), "{text}");
}

#[test]
fn the_completion_is_the_outcome_on_one_page() {
    let text = completion(&summary(), "analytics/report.md");
    for part in [
        "# COMPLETED: Fix a | b",
        "`npm test` passed: exit code 0",
        "- Iteration 2: `` auth > case 2",
        "LP-001",
        "Best: iteration 3",
        "analytics/report.md",
    ] {
        assert!(text.contains(part), "{part} is not in:\n{text}");
    }
    assert!(!text.contains("attempt 1"));
}

#[test]
fn a_loop_without_work_has_reports() {
    let empty = LoopSummary { loop_id: "x".into(), status: "aborted".into(), ..LoopSummary::default() };
    let text = report(&empty);
    for part in [
        "None: no work was done.",
        "None: no finding.",
        "Best: none was selected",
        "there was no iteration",
        "unknown (fewer than three scores)",
    ] {
        assert!(text.contains(part), "{part} is not in:\n{text}");
    }
    assert!(completion(&empty, "r").contains("None was run."));
}

#[test]
fn analytics_hold_the_numbers() {
    let mut of = summary();
    let value = analytics(&of);
    assert_eq!(value["summary"]["quality_trajectory"], "improving");
    assert_eq!(value["summary"]["total_iterations"], 3);
    assert_eq!(value["summary"]["successful_iterations"], 1);
    assert_eq!(value["iterations"][1]["quality_delta"], 25.0);
    assert_eq!(value["iterations"][1]["verification_status"], "failed");
    assert_eq!(value["iterations"][0]["quality_delta"], json!(null));
    assert_eq!(value["iterations"][0]["execution_time_ms"], 30_000);
    assert_eq!(value["costs"], json!({"total_tokens": "unknown", "total_cost_usd": "unknown"}));
    assert_eq!(value["regression_events"][0]["lost"][0], "auth > case 1");
    of.costs = Some(Costs { tokens: Some(5), usd: Some(0.25) });
    assert_eq!(analytics(&of)["costs"], json!({"total_tokens": 5, "total_cost_usd": 0.25}));
}
