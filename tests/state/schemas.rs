//! What the binaries write and print is valid by the schemas that they print.

use std::fs;

use flate2::read::GzDecoder;
use jsonschema::Validator;
use serde_json::{Value, json};

use crate::place::{CRITERIA, Place, read_json};

/// The schema that the command prints.
pub(crate) fn printed(place: &Place, of: &str) -> Validator {
    let schema: Value = serde_json::from_str(&place.done(&["schema", of])).unwrap();
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema", "{of}");
    jsonschema::meta::validate(&schema).unwrap_or_else(|error| panic!("the schema of {of}: {error}"));
    jsonschema::options().should_validate_formats(true).build(&schema).unwrap()
}

pub(crate) fn check(validator: &Validator, value: &Value, what: &str) {
    let errors: Vec<String> =
        validator.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{what}: {}\n{value:#}", errors.join("\n"));
}

/// Everything that one run left and said.
fn check_all(place: &Place, answers: &[Option<Value>]) {
    let [state, log, checkpoint, answer] =
        ["state", "log", "checkpoint", "answer"].map(|of| printed(place, of));
    for said in answers.iter().flatten() {
        check(&answer, said, "an answer");
    }
    for id in place.loops() {
        check(&state, &place.state(&id), &id);
        for line in place.log(&id) {
            check(&log, &line, &id);
        }
        let manifests =
            fs::read_dir(place.directory(&id).join("checkpoints")).into_iter().flatten().flatten();
        for path in
            manifests.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|e| e == "gz"))
        {
            let manifest = serde_json::from_reader(GzDecoder::new(fs::File::open(&path).unwrap())).unwrap();
            check(&checkpoint, &manifest, &path.display().to_string());
        }
    }
}

#[test]
fn a_guarded_session_is_valid() {
    let place = Place::new();
    let answers = [
        place.start("s1"),
        place.delete_test("s1"),
        place.edit("pre-tool-use", "s1", "add(0, 0) == 0", "add(0, 1) == 1"),
        place.lose_by_script("s1"),
        place.stop("s1"),
        place.fire("session-end", "s1", json!({"reason": "other"})),
    ];
    assert!(answers.iter().flatten().count() >= 3, "{answers:?}");
    let id = place.only_loop();
    let state = place.state(&id);
    assert_eq!(state["regression_events"].as_array().map(Vec::len), Some(1), "{state:#}");
    assert!(fs::read_dir(place.directory(&id).join("checkpoints")).unwrap().count() > 0);
    check_all(&place, &answers);
}

#[test]
fn a_loop_of_two_iterations_is_valid() {
    let place = Place::new();
    place.start_loop("two");
    let mut answers = vec![place.start("s1"), place.delete_test("s1"), place.stop("s1")];
    place.write("done", "");
    place.write("calc.py", "def add(a, b):\n    return a + b\n");
    answers.push(place.stop("s1"));
    let state = place.state("two");
    assert_eq!((&state["status"], &state["iteration"]), (&json!("completed"), &json!(2)), "{state:#}");
    check_all(&place, &answers);
}

#[test]
fn hand_written_states_are_valid_and_wrong_ones_are_not() {
    let place = Place::new();
    let state = printed(&place, "state");
    let iteration = |fields: Value| {
        let mut record = json!({"iteration": 1, "timestamp": "2026-01-02T03:04:05Z", "quality_score": 60, "artifacts": []});
        record.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        json!({"iteration_history": [record]})
    };
    let event = |fields: Value| {
        let mut record = json!({"timestamp": "2026-01-02T03:04:05Z", "iteration": 1,
            "regression_type": "test_deletion", "severity": "critical", "event_id": "reg-001"});
        record.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        json!({"regression_events": [record]})
    };
    let recovery = |fields: Value| {
        let mut record = json!({"timestamp": "2026-01-02T03:04:05Z", "iteration": 1, "trigger": "x"});
        record.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        json!({"recovery_history": [record]})
    };
    let baseline = |tests: Value, coverage: Value| {
        json!({"baseline_metrics": {"captured_at": "2026-01-02T03:04:05Z", "test_count": tests,
            "coverage_percentage": coverage, "typescript_errors": null, "custom_metrics": {"any": ["thing"]}}})
    };
    let rows = [
        (json!({}), true),
        (
            json!({"version": "2.0.0", "loop_id": "x", "status": "running", "iteration": 3, "task": "t",
            "completion_criteria": "c", "started_at": "2126-01-02T03:04:05Z",
            "configuration": {"max_iterations": 200}}),
            true,
        ),
        (json!({"status": "sleeping"}), false),
        (json!({"iteration": -1}), false),
        (json!({"started_at": "yesterday"}), false),
        (baseline(json!(150), json!(85)), true),
        (baseline(json!(null), json!(null)), true),
        (baseline(json!(-1), json!(85)), false),
        (baseline(json!(1), json!(100.5)), false),
        (json!({"baseline_metrics": {"captured_at": "2026-01-02T03:04:05Z", "test_count": 1}}), false),
        (json!({"baseline_metrics": null}), true),
        (iteration(json!({"quality_breakdown": {"validation": 100}, "test_results": null})), true),
        (iteration(json!({"quality_breakdown": {"validation": 101}})), false),
        (iteration(json!({"quality_score": 101})), false),
        (iteration(json!({"iteration": 0})), false),
        (json!({"iteration_history": [{"iteration": 1}]}), false),
        (json!({"best_iteration": null}), true),
        (json!({"best_iteration": {"iteration": 0}}), false),
        (json!({"best_iteration": {"iteration": 1, "quality_score": -1}}), false),
        (event(json!({"recovery_outcome": null, "human_decision": "reject"})), true),
        (event(json!({"regression_type": "TEST_DELETION"})), false),
        (event(json!({"severity": "HIGH"})), false),
        (event(json!({"human_decision": "continue"})), false),
        (event(json!({"recovery_outcome": "aborted"})), false),
        (json!({"regression_events": [{"iteration": 1}]}), false),
        (json!({"reinforcement_level": "aggressive"}), false),
        (json!({"recovery_attempts": -1}), false),
        (
            recovery(
                json!({"protocol_steps": {"diagnose": {"confidence": 0.95}, "escalate": null}, "outcome": "aborted"}),
            ),
            true,
        ),
        (recovery(json!({"protocol_steps": {"escalate": {"human_decision": "reject - as I said"}}})), true),
        (recovery(json!({"protocol_steps": {"diagnose": {"confidence": 1.5}}})), false),
        (recovery(json!({"protocol_steps": {"retry": {"outcome": "escalated"}}})), false),
        (recovery(json!({"outcome": "skipped"})), false),
        (json!({"recovery_history": [{"trigger": "x"}]}), false),
        (json!({"detected_patterns": [{"severity": "huge"}]}), false),
        (json!({"detected_patterns": [{"pattern_id": "LP-001", "severity": "low"}]}), true),
        (json!({"persistence_metrics": {"false_positive_rate": 1.1}}), false),
        (json!({"persistence_metrics": {"false_positive_count": 0, "false_positive_rate": 0.03}}), true),
        (json!({"somebody": {"elses": 1}}), true),
    ];
    for (number, (value, valid)) in rows.into_iter().enumerate() {
        assert_eq!(state.is_valid(&value), valid, "{value}");
        // What is valid is also read whole, as soon as it says that it is a loop's.
        if valid {
            let mut value = value;
            // A loop of its own each: what is put over a state that Steadfast wrote does not hold.
            let id = format!("hand-{number}");
            value["loop_id"] = id.as_str().into();
            place.write(&format!(".aiwg/ralph/loops/{id}/state.json"), value.to_string());
            let shown: Value = serde_json::from_str(&place.done(&["status", &id, "--json"])).unwrap();
            assert_same(&value, &shown["loops"][0], &value);
        }
    }
}

/// Whether everything that is in `said` is in `read`, with the same value.
pub(crate) fn assert_same(said: &Value, read: &Value, whole: &Value) {
    match (said, read) {
        (Value::Object(fields), _) => {
            fields.iter().for_each(|(name, value)| assert_same(value, &read[name], whole));
        }
        (Value::Array(items), Value::Array(others)) => {
            assert_eq!(items.len(), others.len(), "{whole}");
            items.iter().zip(others).for_each(|(item, other)| assert_same(item, other, whole));
        }
        (Value::Number(a), Value::Number(b)) => assert_eq!(a.as_f64(), b.as_f64(), "{whole}"),
        _ => assert_eq!(said, read, "{whole}"),
    }
}

#[test]
fn the_built_in_definitions_and_their_slips() {
    let place = Place::new();
    let hooks = printed(&place, "hooks");
    let shown: Value = serde_json::from_str(&place.done(&["hooks", "show", "--json"])).unwrap();
    check(&hooks, &shown["definitions"], "the built-in definitions");
    let of = |hook: Value| json!({"hooks": {"on_error": hook}});
    let rows = [
        (json!({}), true),
        (json!({"$id": "https://example.org/other/v2"}), false),
        (json!({"hooks": {"on_eror": {}}}), false),
        (of(json!({"actions": ["log_error"]})), true),
        (of(json!({"actions": ["log_eror"]})), false),
        (of(json!({"timing": "later"})), false),
        (of(json!({"agents_to_invoke": [{"purpose": "none is named"}]})), false),
        (of(json!({"state_updates": [{"increment": "error_count"}]})), true),
        (of(json!({"state_updates": [{"increment": "error_count", "value": 2}]})), false),
        (of(json!({"state_updates": [{"set": "last_error"}]})), false),
        (of(json!({"state_updates": [{"set": "last_error", "value": null}]})), true),
        (of(json!({"state_updates": [{"set": "colour", "value": 1}]})), false),
        (
            of(json!({"conditional_actions": [{"condition": "iteration > 2", "action": "trigger_hook"}]})),
            false,
        ),
        (of(json!({"conditional_actions": [{"condition": "iteration > 2", "action": "log_error"}]})), true),
        (of(json!({"thresholds": {"iteration_3": "STANDARD", "quality_plateau": "aggressive"}})), true),
        (of(json!({"thresholds": {"iteration_x": "STANDARD"}})), false),
        (of(json!({"risk_patterns": [{"tool": "Bash", "risk": "r", "command_pattern": "*"}]})), true),
        (of(json!({"risk_patterns": [{"tool": "Bash", "risk": "r"}]})), false),
        (of(json!({"human_gate": {"type": "TERMINATE", "timeout": null, "options": []}})), false),
        (json!({"execution": {"timeout_ms": {"default": 5000, "on_error": null}}}), true),
        (json!({"execution": {"timeout_ms": {"default": 0}}}), false),
        (json!({"audit": {"log_location": "log.jsonl"}}), false),
        (json!({"audit": {"log_location": "logs/{loop_id}.jsonl"}}), false),
        (json!({"audit": {"log_location": ".aiwg/ralph/audit/{loop_id}.jsonl"}}), true),
        (json!({"performance": {"false_positive_rate": {"target": "<5%"}}}), true),
    ];
    for (value, valid) in rows {
        assert_eq!(hooks.is_valid(&value), valid, "{value}");
        // JSON is YAML, so the reader can be asked the same.
        place.write("h.yaml", value.to_string());
        let read = place.steadfast(&["hooks", "check", "h.yaml"]).status.success();
        assert_eq!(read, valid, "the reader: {value}");
    }
}

#[test]
fn the_schema_of_the_configuration_agrees_with_its_reader() {
    let place = Place::new();
    let config = printed(&place, "config");
    let ours = |block: Value| json!({"agent_persistence": block, "somebody": "else"});
    let rows = [
        (json!({}), true),
        (ours(json!(null)), true),
        (ours(json!({"enabled": true, "detection": {"mode": "standard", "patterns_enabled": null}})), true),
        (ours(json!({"enabled": "maybe"})), false),
        (ours(json!({"detection": {"mode": "strictest"}})), false),
        (ours(json!({"detection": {"patterns_enabled": ["test_deletion", "test_skip"]}})), true),
        (ours(json!({"detection": {"patterns_enabled": ["everything"]}})), false),
        (ours(json!({"reinforcement": {"escalation_thresholds": {"iteration_3": "STANDARD"}}})), true),
        (ours(json!({"reinforcement": {"escalation_thresholds": {"iteration_0": "STANDARD"}}})), false),
        (ours(json!({"reinforcement": {"quality_plateau_threshold": 1.5}})), false),
        (ours(json!({"recovery": {"human_gate_timeout_minutes": null, "max_retries": 3}})), true),
        (ours(json!({"recovery": {"max_retries": -1}})), false),
        (ours(json!({"recovery": {"max_retries": 2.5}})), false),
        (ours(json!({"best_output_selection": {"quality_threshold": 101}})), false),
        (ours(json!({"commands": {"test": "make test"}, "protected_paths": ["a/**"]})), true),
        (ours(json!({"commands": {"test": 7}})), false),
        (ours(json!({"pattern_severity": {"LP-012": "low", "LP-001": "off"}})), true),
        (ours(json!({"pattern_severity": {"LP-012": "awful"}})), false),
        (ours(json!({"pattern_severity": {"twelve": "low"}})), false),
        (ours(json!({"detection": []})), false),
        (ours(json!({"a_key_of_tomorrow": 1})), true),
    ];
    for (value, valid) in rows {
        assert_eq!(config.is_valid(&value), valid, "{value}");
        place.write("aiwg.yml", value.to_string());
        let read = place.steadfast(&["config", "check"]).status.success();
        assert_eq!(read, valid, "the reader: {value}");
    }
    let shown = place.done(&["config", "show", "--json"]);
    assert!(serde_json::from_str::<Value>(&shown).is_ok(), "{shown}");
}

#[test]
fn iterations_on_disk_carry_the_records_of_the_state() {
    let place = Place::new();
    place.done(&["loop", "start", "T", "--until", CRITERIA, "--loop-id", "one"]);
    place.start("s1");
    place.stop("s1");
    let record = &place.state("one")["iteration_history"][0];
    let file = read_json(&place.directory("one").join("iterations/iteration-001.json"));
    assert_same(record, &file, record);
}
