//! Whatever is wrong with the files, no hook fails and the guard stays on.

use std::fs;

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::{Map, Value, json};

use crate::place::{Place, TEST_FILE, TESTS};

/// A place with a loop that everything has happened to: two iterations, a denial, a loss.
fn rich() -> Place {
    let place = Place::new();
    place.start_loop("rich");
    place.start("s1");
    assert!(place.guards("s1"));
    assert!(place.lose_by_script("s1").is_some());
    assert!(place.stop("s1").is_some());
    place.write(TEST_FILE, TESTS);
    assert!(place.stop("s1").is_some());
    place
}

/// Fires every event. `Place` checks that each exits with 0 and prints nothing or one object; the edit that deletes a
/// test must be denied at the end as at the beginning.
fn every_hook(place: &Place, what: &str) {
    let shell = json!({"tool_name": "Bash", "tool_input": {"command": "python3 tidy.py"}, "tool_use_id": "toolu_b",
        "tool_response": {"stdout": "", "stderr": ""}, "error": "Exit code 1"});
    place.start("s1");
    assert!(place.guards("s1"), "{what}: the guard is off");
    for event in ["pre-tool-use", "post-tool-use", "post-tool-use-failure"] {
        place.fire(event, "s1", shell.clone());
    }
    place.fire("user-prompt-submit", "s1", json!({"prompt": "go on"}));
    place.fire("subagent-stop", "s1", json!({"agent_type": "helper"}));
    place.stop("s1");
    place.fire("pre-compact", "s1", json!({}));
    place.fire("session-end", "s1", json!({"reason": "other"}));
    assert!(place.guards("s1"), "{what}: the guard is off after all hooks");
}

/// The directory `.aiwg` as it is, to be put back.
fn kept(place: &Place) -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    copy_tree(&place.path(".aiwg"), copy.path());
    copy
}

fn put_back(place: &Place, kept: &tempfile::TempDir) {
    fs::remove_dir_all(place.path(".aiwg")).unwrap();
    copy_tree(kept.path(), &place.path(".aiwg"));
    fs::remove_file(place.path("aiwg.yml")).ok();
    place.write(TEST_FILE, TESTS);
}

fn copy_tree(from: &std::path::Path, to: &std::path::Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_tree(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// The state without each field in turn: those at the top, and those one level down, in records of lists too.
fn without_each_field(state: &Value) -> Vec<(String, Value)> {
    let mut variants = Vec::new();
    let fields = state.as_object().unwrap();
    for (name, value) in fields {
        let without = |value: Option<Value>| {
            let mut fields: Map<String, Value> = fields.clone();
            match value {
                Some(value) => fields.insert(name.clone(), value),
                None => fields.shift_remove(name),
            };
            Value::Object(fields)
        };
        variants.push((name.clone(), without(None)));
        match value {
            Value::Object(inner) => variants.extend(inner.keys().map(|field| {
                let mut inner = inner.clone();
                inner.shift_remove(field);
                (format!("{name}.{field}"), without(Some(Value::Object(inner))))
            })),
            Value::Array(items) => {
                let record = items.first().and_then(Value::as_object);
                variants.extend(record.into_iter().flat_map(Map::keys).map(|field| {
                    let mut items = items.clone();
                    for item in &mut items {
                        item.as_object_mut().unwrap().shift_remove(field);
                    }
                    (format!("{name}[].{field}"), without(Some(Value::Array(items))))
                }));
            }
            _ => {}
        }
    }
    variants
}

#[test]
fn each_field_may_be_missing() {
    let place = rich();
    let kept = kept(&place);
    let variants = without_each_field(&place.state("rich"));
    assert!(variants.len() > 80, "{}", variants.len());
    for (field, state) in variants {
        put_back(&place, &kept);
        place.write(".aiwg/ralph/loops/rich/state.json", state.to_string());
        every_hook(&place, &format!("without {field}"));
    }
}

/// Bytes that no file should hold.
fn rubbish() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("nothing", Vec::new()),
        ("half an object", b"{\"version\": \"2.0".to_vec()),
        ("a list", b"[1, 2]".to_vec()),
        ("null", b"null".to_vec()),
        ("an empty object", b"{}".to_vec()),
        ("zeros", vec![0; 4096]),
        ("no UTF-8", b"{\"a\": \"\xff\xfe\"}".to_vec()),
        ("deep", vec![b'['; 100_000]),
        ("deep YAML", b"a: ".repeat(5_000)),
        (
            "wrong types",
            br#"{"version": 7, "loops": 7, "sessions": [], "status": {}, "files": 1, "loop_id": []}"#
                .to_vec(),
        ),
        ("a newer version", br#"{"version": "9.0.0"}"#.to_vec()),
        ("pseudo-random bytes", pseudo_random(3_000)),
    ]
}

fn pseudo_random(length: usize) -> Vec<u8> {
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed.to_le_bytes()[3]
    };
    (0..length).map(|_| next()).collect()
}

/// Every file that a hook reads.
const FILES: [&str; 8] = [
    ".aiwg/ralph/loops/rich/state.json",
    ".aiwg/ralph/registry.json",
    ".aiwg/ralph/loops/rich/hook-log.jsonl",
    ".aiwg/ralph/loops/rich/watch.json",
    ".aiwg/ralph/loops/rich/iterations/iteration-001.json",
    ".aiwg/ralph/current-loop.json",
    "aiwg.yml",
    ".aiwg/ralph/hooks/persistence-hooks.yaml",
];

#[test]
fn rubbish_may_stand_in_any_file() {
    let place = rich();
    let kept = kept(&place);
    for file in FILES {
        for (what, bytes) in rubbish() {
            put_back(&place, &kept);
            place.write(file, &bytes);
            every_hook(&place, &format!("{what} in {file}"));
        }
    }
}

#[test]
fn any_bytes_may_stand_in_any_file() {
    let place = rich();
    let kept = kept(&place);
    let config = ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() };
    let cases = (0..FILES.len(), proptest::collection::vec(any::<u8>(), 0..300));
    let ran = TestRunner::new(config).run(&cases, |(file, bytes)| {
        put_back(&place, &kept);
        place.write(FILES[file], &bytes);
        every_hook(&place, FILES[file]);
        Ok(())
    });
    ran.unwrap();
}

#[test]
fn state_and_registry_may_both_be_lost() {
    let place = rich();
    for bytes in [&b""[..], b"\xff\x00"] {
        for file in ["registry.json", "loops/rich/state.json", "loops/rich/state.json.bak"] {
            place.write(&format!(".aiwg/ralph/{file}"), bytes);
        }
        every_hook(&place, "all state is lost");
    }
    fs::remove_dir_all(place.path(".aiwg")).unwrap();
    every_hook(&place, "the folder is gone");
}

#[test]
fn folders_and_read_only_files_in_place_of_files() {
    let place = rich();
    let kept = kept(&place);
    for file in
        ["registry.json", "loops/rich/state.json", "loops/rich/watch.json", "loops/rich/hook-log.jsonl"]
    {
        put_back(&place, &kept);
        let path = place.path(".aiwg/ralph").join(file);
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        every_hook(&place, &format!("a folder at {file}"));
    }
}

#[test]
fn with_the_copy_lost_too_the_log_tells_the_state() {
    let place = rich();
    // One regression was mended, and an error was noted.
    let before = place.state("rich");
    for bytes in [&b"{\"half"[..], b""] {
        for file in ["state.json", "state.json.bak"] {
            place.write(&format!(".aiwg/ralph/loops/rich/{file}"), bytes);
        }
        // Looking mends it in memory alone.
        let shown: Value = serde_json::from_str(&place.done(&["status", "rich", "--json"])).unwrap();
        let looked = &shown["loops"][0];
        assert_eq!(looked["completion_criteria"], before["completion_criteria"]);
        let answer = place.edit("pre-tool-use", "s1", "add(1, 2)", "add(2, 1)").unwrap_or_default();
        let told = answer["systemMessage"].as_str().unwrap_or_default();
        for named in ["loops/rich/state.json ", "state.json.bak", "hook-log.jsonl", "state.json.damaged-"] {
            assert!(told.contains(named), "{named} is not in {answer}");
        }
        let after = place.state("rich");
        for field in [
            "task",
            "completion_criteria",
            "kind",
            "status",
            "iteration",
            "session_id",
            "started_at",
            "working_directory",
            "configuration",
            "baseline_metrics",
            "detection_enabled",
            "reinforcement_level",
            "tool_call_history",
            "recovery_in_progress",
        ] {
            assert_eq!(after[field], before[field], "{field}");
        }
        // A file holds the last attempt at its iteration.
        let last =
            |state: &Value| state["iteration_history"].as_array().unwrap().last().unwrap()["result"].clone();
        assert_eq!(last(&after), last(&before));
        for field in ["iteration", "quality_score", "snapshot_path"] {
            assert_eq!(after["best_iteration"][field], before["best_iteration"][field], "{field}");
        }
        let events = |state: &Value| -> Vec<Value> {
            let events = state["regression_events"].as_array().unwrap();
            let fields = ["event_id", "regression_type", "severity", "recovery_outcome"];
            let of = |event: &Value| Value::from(fields.map(|field| event[field].clone()).to_vec());
            events.iter().map(of).collect()
        };
        assert_eq!(events(&after), events(&before));
        let lost = |state: &Value| state["regression_events"][0]["details"]["diff"]["deleted_tests"].clone();
        assert_eq!(lost(&after), lost(&before), "what is still lost is known by name");
        assert_eq!(after["error_count"], before["error_count"]);
    }
    assert_eq!(place.steadfast(&["log", "verify", "rich"]).status.code(), Some(0));
}

#[test]
fn with_everything_lost_it_is_an_error_and_nothing_is_made_up() {
    let place = rich();
    for file in ["state.json", "state.json.bak", "hook-log.jsonl"] {
        place.write(&format!(".aiwg/ralph/loops/rich/{file}"), b"{");
    }
    fs::remove_dir_all(place.home().join(".local/state/steadfast/projects")).unwrap();
    assert!(place.guards("s1"), "the guard needs no state");
    let output = place.steadfast(&["status", "rich"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && said.contains("state.json.bak"), "{said}");
    assert!(said.contains("hook-log.jsonl tells nothing of it"), "{said}");
    assert_eq!(fs::read(place.directory("rich").join("state.json")).unwrap(), b"{");
}

#[test]
fn what_is_wrong_with_a_projects_files_is_told_once_a_session_wherever_it_begins() {
    let rows = [
        ("aiwg.yml", "agent_persistence:\n  detection:\n    mode: 7\n", "aiwg.yml line 3"),
        ("aiwg.yml", "agent_persistence: {\n", "the built-in defaults hold"),
        (".aiwg/ralph/hooks/persistence-hooks.yaml", "hooks: [", "persistence-hooks.yaml line 1"),
    ];
    for (file, text, told) in rows {
        let place = Place::new();
        place.write(file, text);
        let hears = |answer: Option<Value>| {
            answer.is_some_and(|answer| answer["systemMessage"].to_string().contains(told))
        };
        let read = json!({"tool_name": "Bash", "tool_input": {"command": "git status"}, "tool_use_id": "r"});
        assert!(hears(place.fire("pre-tool-use", "s1", read.clone())), "{text}");
        assert!(!hears(place.fire("pre-tool-use", "s1", read)), "{text}: twice");
        assert!(!hears(place.start("s1")), "{text}: twice");
        assert!(place.guards("s1"));
        assert!(hears(place.start("s2")), "{text}: another session");
        assert!(!hears(place.stop("s2")));
        // Another fault is another notice.
        place.write(file, format!("{text}\n  x: [\n"));
        assert!(place.start("s2").is_some(), "{text}");
    }
}
