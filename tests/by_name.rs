//! Each of the ten hooks fires by name, and the documents' worked examples replay.

#![expect(clippy::unwrap_used, reason = "a test")]

use std::path::Path;

use assert_cmd::Command;
use serde_json::{Value, json};

fn fire(hook: &str, payload: &Value, project: &Path) -> Value {
    let fired = steadfast(hook, &payload.to_string(), project).assert().success();
    serde_json::from_slice(&fired.get_output().stdout).unwrap()
}

fn steadfast(hook: &str, payload: &str, project: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_steadfast"));
    command.args(["hook", hook]).current_dir(project).write_stdin(payload);
    command
}

fn here() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

const LOOP: &str = "ralph-fix-tests-a1b2c3d4";

#[test]
fn every_hook_answers_with_a_message() {
    let project = here();
    for hook in [
        "loop_start",
        "pre_iteration",
        "pre_tool_call",
        "post_tool_call",
        "post_iteration",
        "on_error",
        "regression_detected",
        "reinforcement_escalation",
        "stuck_loop_detected",
        "loop_complete",
    ] {
        let answer = fire(hook, &json!({"loop_id": LOOP, "iteration": 2}), project.path());
        assert_eq!(answer["role"], "assistant", "{hook}");
        assert!(answer["content"].is_string(), "{hook}");
        let metadata = &answer["metadata"];
        assert!(
            ["PASS", "WARN", "BLOCK"].contains(&metadata["verdict"].as_str().unwrap()),
            "{hook}: {answer}"
        );
        for key in ["recommendations", "artifacts", "agents_invoked", "hook_name", "loop_id", "iteration"] {
            assert!(!metadata[key].is_null(), "{hook}: {key} in {answer}");
        }
    }
    assert!(!project.path().join(".aiwg").exists(), "asking leaves nothing on disk");
}

#[test]
fn the_example_of_a_loop_start_replays() {
    let payload = json!({
        "hook": "loop_start", "loop_id": LOOP, "task": "Fix all TypeScript errors",
        "completion": "npx tsc --noEmit passes",
        "baseline_metrics": {"test_count": 150, "coverage_percentage": 85, "typescript_errors": 12},
    });
    let answer = fire("loop_start", &payload, here().path());
    let invoked = &answer["metadata"]["agents_invoked"];
    assert_eq!(
        invoked["progress-tracker"]["baseline_metrics"],
        json!({"test_count": 150, "coverage_percentage": 85, "typescript_errors": 12})
    );
    assert_eq!(invoked["laziness-detector"]["detection_mode"], "standard");
    let patterns = invoked["laziness-detector"]["patterns_enabled"].as_array().unwrap();
    for pattern in ["test_deletion", "feature_removal"] {
        assert!(patterns.contains(&json!(pattern)), "{pattern} in {patterns:?}");
    }
    assert_eq!(
        answer["content"].as_str().unwrap().lines().next(),
        Some("Baseline: 150 tests, 85% coverage, 12 TypeScript errors")
    );
}

#[test]
fn the_example_of_a_detected_regression_replays() {
    let payload = json!({
        "hook": "regression_detected", "loop_id": LOOP, "iteration": 7,
        "regression": {
            "type": "test_deletion", "severity": "critical",
            "diff": {
                "before_test_count": 150, "after_test_count": 148,
                "deleted_tests": [
                    "test/unit/auth/login.test.ts: should validate email format",
                    "test/unit/auth/login.test.ts: should reject weak passwords",
                ],
            },
        },
    });
    let answer = fire("regression_detected", &payload, here().path());
    let orchestrator = &answer["metadata"]["agents_invoked"]["recovery-orchestrator"];
    assert_eq!(orchestrator["recovery_protocol"], "PDARE");
    assert_eq!(orchestrator["diagnosis"], "Agent deleted failing tests instead of fixing code");
    assert_eq!(orchestrator["recommended_action"], "ESCALATE to human gate");
}

#[test]
fn the_payload_of_the_documents_unit_test_invokes_recovery() {
    let payload = json!({
        "type": "test_deletion", "severity": "critical",
        "details": {"baseline_value": 150, "current_value": 148},
    });
    let answer = fire("regression_detected", &payload, here().path());
    let metadata = &answer["metadata"];
    assert_eq!(metadata["recovery_invoked"], true);
    for step in ["PAUSE", "DIAGNOSE", "ESCALATE"] {
        assert!(metadata["protocol_steps"][step].is_object(), "{step} in {metadata}");
    }
}

#[test]
fn the_message_about_a_fifth_iteration_replays() {
    let message = json!({
        "role": "user",
        "content": "Inject anti-laziness reinforcement for iteration 5",
        "metadata": {
            "hook_name": "pre_iteration", "loop_id": LOOP, "iteration": 5,
            "inputs": {
                "iteration_number": 5,
                "task_context": "Fix all TypeScript errors",
                "error_history": [
                    {"iteration": 3, "error": "TypeError at line 42"},
                    {"iteration": 4, "error": "TypeError at line 42"},
                ],
                "risk_patterns": ["repeated_error"],
            },
        },
        "timestamp": "2026-02-02T21:10:00Z",
        "sender": "ralph-orchestrator",
    });
    let answer = fire("pre_iteration", &message, here().path());
    let metadata = &answer["metadata"];
    assert_eq!(metadata["verdict"], "WARN");
    assert_eq!(metadata["reinforcement_level"], "AGGRESSIVE");
    assert_eq!(
        metadata["recommendations"],
        json!(["Escalate if iteration 6 also fails", "Consider decomposing task into smaller steps"])
    );
    assert_eq!(metadata["reason"], "Iteration 5 threshold + repeated error pattern");
    let content = answer["content"].as_str().unwrap();
    assert!(content.contains("ITERATION #5 - Stuck Loop Risk") && content.contains("TypeError"), "{content}");
}

#[test]
fn the_message_about_a_regression_in_the_seventh_iteration_replays() {
    let deleted = [
        "test/unit/auth/login.test.ts: should validate email format",
        "test/unit/auth/login.test.ts: should reject weak passwords",
    ];
    let message = json!({
        "role": "user",
        "content": "Check for regression in iteration 7",
        "metadata": {
            "hook_name": "post_iteration", "loop_id": LOOP, "iteration": 7,
            "inputs": {
                "baseline": {"test_count": 150, "coverage_percentage": 85},
                "current": {"test_count": 148, "coverage_percentage": 84, "deleted_tests": deleted},
            },
        },
    });
    let answer = fire("post_iteration", &message, here().path());
    let metadata = &answer["metadata"];
    assert!(answer["content"].as_str().unwrap().contains("REGRESSION DETECTED: test_deletion"), "{answer}");
    assert_eq!(metadata["verdict"], "BLOCK");
    assert_eq!(metadata["regression_type"], "test_deletion");
    assert_eq!(metadata["severity"], "critical");
    assert_eq!(metadata["details"]["baseline_value"], 150);
    assert_eq!(metadata["details"]["current_value"], 148);
    assert_eq!(metadata["details"]["diff"]["deleted_tests"], json!(deleted));
    // The detector's finding went on to recovery.
    assert_eq!(metadata["hooks_fired"], json!(["post_iteration", "regression_detected"]));
    let steps = &metadata["agents_invoked"]["recovery-orchestrator"]["protocol_steps"];
    assert_eq!(steps["DIAGNOSE"]["diagnosis"], "reward_hacking");
    assert_eq!(steps["ADAPT"]["strategy"], "escalate_to_human_gate");
    assert_eq!(steps["ESCALATE"]["gate_type"], "TERMINATE");
    for name in deleted {
        assert!(steps["ESCALATE"]["message"].as_str().unwrap().contains(name));
    }
}

#[test]
fn a_project_can_put_a_program_in_an_agents_place() {
    let project = here();
    let hooks = project.path().join(".aiwg/ralph/hooks");
    std::fs::create_dir_all(&hooks).unwrap();
    let program = r#"[sh, -c, 'cat > asked.json; echo "{\"role\":\"assistant\",\"content\":\"mine\",\"metadata\":{\"verdict\":\"BLOCK\",\"detected\":true}}"']"#;
    let yaml = format!(
        "hooks:\n  pre_tool_call:\n    agents_to_invoke:\n      - agent: laziness-detector\n        purpose: \"Look\"\n        required: false\n        command: {program}\n        inputs:\n          action_type: \"{{tool_name}}\"\n"
    );
    std::fs::write(hooks.join("persistence-hooks.yaml"), yaml).unwrap();
    let answer = fire("pre_tool_call", &json!({"tool_name": "Write", "loop_id": LOOP}), project.path());
    assert_eq!(answer["content"], "mine");
    assert_eq!(answer["metadata"]["verdict"], "BLOCK");
    let asked: Value =
        serde_json::from_slice(&std::fs::read(project.path().join("asked.json")).unwrap()).unwrap();
    assert_eq!(asked["role"], "user");
    assert_eq!(asked["metadata"]["hook_name"], "pre_tool_call");
    assert_eq!(asked["metadata"]["inputs"]["action_type"], "Write");
}

#[test]
fn what_is_no_hook_and_what_is_no_payload_is_said() {
    let project = here();
    for (hook, payload, said) in [
        ("no_hook", "{}", "pre_tool_call"),
        ("loop_start", "[1]", "not a JSON object"),
        ("loop_start", r#"{"loop_id":"../x"}"#, "refused"),
    ] {
        let refused = steadfast(hook, payload, project.path()).assert().failure();
        let stderr = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
        assert!(stderr.contains(said), "{hook} {payload}: {stderr}");
    }
}
