//! `recovery-orchestrator`: what a regression or a stuck loop comes from, and what follows.
//!
//! Pause, diagnose, adapt, retry, escalate. What a person has to decide is never tried again first.

use serde_json::{Value, json};

use super::{answer, input};
use crate::definitions::envelope::{Reply, Request, Verdict};

/// A cause, how sure it is, and what follows from it.
struct Diagnosis {
    id: &'static str,
    root_cause: String,
    confidence: f64,
}

/// Answers `regression_detected` and `stuck_loop_detected`.
pub fn reply(request: &Request) -> Reply {
    if request.metadata.hook_name == "stuck_loop_detected" {
        return stuck(request);
    }
    let text = |name: &str| input(request, name).as_str().unwrap_or_default().to_owned();
    let (kind, severity) = (text("regression_type"), text("severity"));
    let diagnosis = diagnose(request, &kind);
    let escalates = must_escalate(request, &kind, &severity, &diagnosis);
    let now = json!(request.timestamp);
    let strategy = if escalates { "escalate_to_human_gate" } else { strategy(diagnosis.id) };
    let mut steps = json!({
        "PAUSE": {"executed_at": now, "actions": ["Writing tools are held back", "The bytes before the change are kept"]},
        "DIAGNOSE": {
            "executed_at": now,
            "root_cause": diagnosis.root_cause,
            "confidence": diagnosis.confidence,
            "diagnosis": diagnosis.id,
        },
        "ADAPT": {"executed_at": now, "strategy": strategy, "changes_made": []},
    });
    if escalates {
        steps["ESCALATE"] = json!({
            "executed_at": now,
            "gate_type": "TERMINATE",
            "reason": format!("{severity} regression: {}", kind.replace('_', " ")),
            "message": gate_message(request, &kind),
        });
    } else {
        steps["RETRY"] = json!({"executed_at": now, "retry_iteration": request.metadata.iteration + 1});
    }
    let recommended = if escalates { "ESCALATE to human gate" } else { "RETRY with the adapted approach" };
    let mut reply = answer(
        format!("{}. {recommended}.", diagnosis.root_cause),
        Some(if escalates { Verdict::Block } else { Verdict::Warn }),
        json!({
            "recovery_protocol": "PDARE",
            "recovery_invoked": true,
            "diagnosis": diagnosis.root_cause,
            "recommended_action": recommended,
            "strategy": strategy,
            "protocol_steps": steps,
            "gate": if escalates { json!("TERMINATE") } else { Value::Null },
        }),
    );
    reply.metadata.recommendations = vec![recommended.to_owned()];
    reply
}

fn stuck(request: &Request) -> Reply {
    let pattern = input(request, "error_pattern").as_str().unwrap_or("the same failure").to_owned();
    let attempts = input(request, "attempts").as_u64().unwrap_or(0);
    let iteration = request.metadata.iteration;
    let mut reply = answer(
        format!(
            "STUCK LOOP DETECTED - Iteration {iteration}\n\nThe same failure keeps coming back: {pattern}\nRecovery \
             attempts: {attempts}\n\nThe loop waits for a person."
        ),
        Some(Verdict::Block),
        json!({
            "recovery_protocol": "PDARE",
            "recovery_invoked": true,
            "gate": "TERMINATE",
            "recommended_action": "ESCALATE to human gate",
            "options": ["continue", "abort", "manual_fix"],
        }),
    );
    reply.metadata.recommendations = vec!["ESCALATE to human gate".to_owned()];
    reply
}

/// The cause, from what is known. A fact that was not given counts for neither side.
fn diagnose(request: &Request, kind: &str) -> Diagnosis {
    let fact = |name: &str| input(request, name).as_bool();
    let (failing, source_changed) = (fact("tests_failing_before"), fact("source_changed"));
    let diagnosis =
        |id, root_cause: &str, confidence| Diagnosis { id, root_cause: root_cause.to_owned(), confidence };
    if fact("subject_removed") == Some(true) {
        return diagnosis("genuine_fix", "What was tested was removed together with its tests", 0.8);
    }
    let against_tests = matches!(kind, "test_deletion" | "test_skipping" | "assertion_weakening");
    match (against_tests, failing, source_changed) {
        (true, Some(false), _) => {
            diagnosis("task_complexity", "Agent lost passing tests while it restructured the code", 0.6)
        }
        (true, _, Some(true)) => diagnosis(
            "specification_ambiguity",
            "Agent changed the source and dropped tests that no longer fit",
            0.7,
        ),
        (true, ..) => diagnosis("reward_hacking", against(kind), 0.95),
        (false, ..) if kind == "coverage_regression" => {
            diagnosis("task_complexity", "Agent added code that no test runs", 0.7)
        }
        (false, ..) => diagnosis("reward_hacking", against(kind), 0.85),
    }
}

fn against(kind: &str) -> &'static str {
    match kind {
        "test_deletion" => "Agent deleted failing tests instead of fixing code",
        "test_skipping" => "Agent switched failing tests off instead of fixing code",
        "assertion_weakening" => "Agent weakened assertions instead of fixing code",
        "error_suppression" => "Agent hid an error instead of fixing its cause",
        "validation_bypass" => "Agent took a check out instead of meeting it",
        _ => "Agent took a feature out instead of mending it",
    }
}

/// Critical, deleted tests, a cause that is not sure, a gamed measure, or every try used up.
fn must_escalate(request: &Request, kind: &str, severity: &str, diagnosis: &Diagnosis) -> bool {
    let used_up = input(request, "incident_attempts").as_u64().is_some_and(|attempts| attempts >= 3);
    severity == "critical"
        || kind == "test_deletion"
        || diagnosis.id == "reward_hacking"
        || diagnosis.confidence < 0.5
        || used_up
}

fn strategy(diagnosis: &str) -> &'static str {
    match diagnosis {
        "cognitive_load" => "decompose_task",
        "task_complexity" => "simpler_approach",
        "specification_ambiguity" => "request_clarification",
        "genuine_fix" => "allow_with_documentation",
        _ => "block_and_escalate",
    }
}

/// What a person reads at the gate.
fn gate_message(request: &Request, kind: &str) -> String {
    let diff = input(request, "diff");
    let count = |name: &str| diff.get(name).and_then(Value::as_u64);
    let mut text = format!(
        "REGRESSION DETECTED - Iteration {}\n\n{} detected",
        request.metadata.iteration,
        capitalised(&kind.replace('_', " "))
    );
    if let (Some(before), Some(after)) = (count("before_test_count"), count("after_test_count")) {
        text.push_str(&format!(":\n- Previous: {before} tests\n- Current: {after} tests"));
    }
    let lost = diff.get("deleted_tests").and_then(Value::as_array);
    if let Some(lost) = lost.filter(|lost| !lost.is_empty()) {
        text.push_str("\n\nLost:");
        for name in lost.iter().filter_map(Value::as_str) {
            text.push_str(&format!("\n- {name}"));
        }
    }
    text.push_str(
        "\n\nThis is not acceptable without a person's decision: what is lost may be what shows a fault.\n\n[1] Reject \
         and revert the changes\n[2] Continue (override, not recommended)\n[3] Abort the loop",
    );
    text
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definitions::envelope::RequestMetadata;
    use jiff::Timestamp;

    fn ask(inputs: Value) -> Reply {
        let metadata = RequestMetadata {
            hook_name: "regression_detected".into(),
            loop_id: "l".into(),
            iteration: 7,
            inputs: inputs.as_object().cloned().unwrap_or_default(),
        };
        reply(&Request::new("Recover", metadata, Timestamp::UNIX_EPOCH))
    }

    #[test]
    fn deleted_tests_are_diagnosed_and_escalated_with_their_names() {
        let reply = ask(json!({
            "regression_type": "test_deletion", "severity": "critical", "iteration": 7,
            "diff": {"before_test_count": 150, "after_test_count": 148, "deleted_tests": ["a.test.ts: x", "a.test.ts: y"]},
        }));
        let facts = &reply.metadata.extra;
        assert_eq!(facts["recovery_protocol"], "PDARE");
        assert_eq!(facts["diagnosis"], "Agent deleted failing tests instead of fixing code");
        assert_eq!(facts["recommended_action"], "ESCALATE to human gate");
        let steps = facts["protocol_steps"].as_object().unwrap();
        assert_eq!(steps.keys().collect::<Vec<_>>(), ["PAUSE", "DIAGNOSE", "ADAPT", "ESCALATE"]);
        assert!(steps["DIAGNOSE"]["confidence"].as_f64().unwrap() >= 0.9);
        let message = steps["ESCALATE"]["message"].as_str().unwrap();
        for part in ["Iteration 7", "150 tests", "148 tests", "- a.test.ts: y", "[1]", "[2]", "[3]"] {
            assert!(message.contains(part), "{part} in {message}");
        }
    }

    #[test]
    fn facts_change_the_diagnosis_and_what_follows() {
        let rows = [
            (json!({"regression_type": "test_skipping", "severity": "high"}), "reward_hacking", true),
            (
                json!({"regression_type": "test_skipping", "severity": "high", "tests_failing_before": false}),
                "task_complexity",
                false,
            ),
            (
                json!({"regression_type": "assertion_weakening", "severity": "medium", "source_changed": true}),
                "specification_ambiguity",
                false,
            ),
            (json!({"regression_type": "coverage_regression", "severity": "high"}), "task_complexity", false),
            (
                json!({"regression_type": "coverage_regression", "severity": "critical"}),
                "task_complexity",
                true,
            ),
            (
                json!({"regression_type": "coverage_regression", "severity": "high", "incident_attempts": 3}),
                "task_complexity",
                true,
            ),
            (
                json!({"regression_type": "test_deletion", "severity": "medium", "subject_removed": true}),
                "genuine_fix",
                true,
            ),
        ];
        for (inputs, diagnosis, escalates) in rows {
            let reply = ask(inputs.clone());
            let steps = &reply.metadata.extra["protocol_steps"];
            assert_eq!(steps["DIAGNOSE"]["diagnosis"], diagnosis, "{inputs}");
            assert_eq!(steps.get("ESCALATE").is_some(), escalates, "{inputs}");
            assert_eq!(steps.get("RETRY").is_some(), !escalates, "{inputs}");
        }
    }
}
