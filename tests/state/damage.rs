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
