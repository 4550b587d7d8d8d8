//! Every file under `.aiwg/ralph` holds each of its keys once, and reading and writing it again gives the same text.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use jiff::Timestamp;
use serde::de::{DeserializeOwned, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use steadfast::checkpoint::manifest::Manifest;
use steadfast::checkpoint::watch::Watch;
use steadfast::lifecycle::criterion::loop_contract::LoopContract;
use steadfast::lifecycle::iteration::record::{Iteration, read_snapshot};
use steadfast::loops::reflexion::patterns::Pattern;
use steadfast::loops::reflexion::record::Reflection;
use steadfast::loops::reflexion::store::Index;
use steadfast::metrics::Reading;
use steadfast::state::allowance::Allowance;
use steadfast::state::audit::Line;
use steadfast::state::false_alarms::{FalseAlarm, FalseAlarms};
use steadfast::state::gate::CodeHash;
use steadfast::state::layout::Layout;
use steadfast::state::legacy::CurrentLoop;
use steadfast::state::loop_state::LoopState;
use steadfast::state::records::{IterationRecord, ToolCallRecord};
use steadfast::state::registry::Registry;
use steadfast::state::test_record::TestRecord;
use steadfast::state::test_runs::{FailedTest, TestRun};

use crate::place::{CRITERIA, Place, TEST_FILE, TESTS};

/// A JSON value of which no object has a key twice.
struct Strict(Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StrictVisitor).map(Strict)
    }
}

struct StrictVisitor;

impl<'de> Visitor<'de> for StrictVisitor {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value without a key that stands twice")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Strict(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            let Strict(value) = entries.next_value()?;
            if object.contains_key(&key) {
                return Err(A::Error::custom(format!("the key {key} stands twice")));
            }
            object.insert(key, value);
        }
        Ok(Value::Object(object))
    }
}

fn strict(text: &str, path: &Path) -> Value {
    let Strict(value) =
        serde_json::from_str(text).unwrap_or_else(|error| panic!("{}: {error}\n{text}", path.display()));
    value
}

/// What is read as `T` and written again is the same text, whatever its indentation.
fn same<T: Serialize + DeserializeOwned>(text: &str, path: &Path) {
    let once = serde_json::to_string(&strict(text, path)).unwrap();
    let read: T = serde_json::from_str(text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert_eq!(serde_json::to_string(&read).unwrap(), once, "{}", path.display());
}

/// The same of a file in YAML.
fn same_yaml<T: Serialize + DeserializeOwned>(text: &str, path: &Path) {
    let read: T = serde_saphyr::from_str(text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert_eq!(serde_saphyr::to_string(&read).unwrap(), text, "{}", path.display());
}

fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// Looks at a file as its name asks; answers the form, where it has one.
fn look_at(path: &Path, root: &Path) -> Option<&'static str> {
    let below = path.strip_prefix(root).unwrap_or(path);
    let name = path.file_name()?.to_str()?;
    let folder = |folder: &str| below.components().any(|part| part.as_os_str() == folder);
    if folder("objects") {
        return None;
    }
    if folder("checkpoints") && name.ends_with(".json.gz") {
        let text = std::io::read_to_string(GzDecoder::new(fs::File::open(path).unwrap())).unwrap();
        same::<Manifest>(&text, path);
        return Some("manifest");
    }
    let text = fs::read_to_string(path).ok()?;
    let lines = |look: fn(&str, &Path)| text.lines().for_each(|line| look(line, path));
    match name {
        "state.json" => same::<LoopState>(&text, path),
        "registry.json" => same::<Registry>(&text, path),
        "hook-log.jsonl" => lines(same::<Line>),
        "tool-calls.jsonl" => lines(same::<ToolCallRecord>),
        "watch.json" => same::<Watch>(&text, path),
        "tests.json" => same::<TestRecord>(&text, path),
        "test-run.json" => same::<TestRun>(&text, path),
        "terms.json" => same::<LoopContract>(&text, path),
        "current-loop.json" => same::<CurrentLoop>(&text, path),
        "false-positives.json" => same::<FalseAlarms>(&text, path),
        "allowances.json" => same::<Vec<Allowance>>(&text, path),
        "index.yaml" => same_yaml::<Index>(&text, path),
        _ if name.ends_with(".yaml") && folder("patterns") => same_yaml::<Pattern>(&text, path),
        _ if name.ends_with(".yaml") && folder("reflections") => same_yaml::<Reflection>(&text, path),
        _ if folder("iterations") && name.ends_with(".json") => {
            same::<Iteration>(&text, path);
            return Some("iteration");
        }
        _ if name.ends_with(".json") => _ = strict(&text, path),
        _ if name.ends_with(".jsonl") => lines(|line, path| _ = strict(line, path)),
        _ => return None,
    }
    let known = [
        "state.json",
        "registry.json",
        "hook-log.jsonl",
        "tool-calls.jsonl",
        "watch.json",
        "tests.json",
        "test-run.json",
        "terms.json",
        "current-loop.json",
        "false-positives.json",
        "allowances.json",
        "index.yaml",
        "analytics.json",
        "worker.json",
        "agent.json",
        "dependencies.json",
        "measured.json",
    ];
    known.into_iter().find(|known| *known == name).or(name.ends_with(".yaml").then_some("reflection"))
}

/// Looks at all files; answers the forms that were there.
fn look(place: &Place) -> BTreeSet<&'static str> {
    let root = place.path(".aiwg/ralph");
    files(&root).iter().filter_map(|path| look_at(path, &root)).collect()
}

#[test]
fn what_a_loop_and_a_session_leave_has_no_key_twice_and_is_written_again_as_it_was() {
    let place = Place::new();
    place.start_loop("whole");
    place.start("s1");
    assert!(place.guards("s1"));
    assert!(place.lose_by_script("s1").is_some());
    let failing = json!({"tool_name": "Bash", "tool_input": {"command": "pytest"}, "tool_use_id": "toolu_f",
        "error": "E   TypeError: add() takes 1 argument\nFAILED tests/test_calc.py::test_adds\n1 failed, 2 passed in 0.01s"});
    place.fire("post-tool-use-failure", "s1", failing);
    place.fire("pre-compact", "s1", json!({}));
    assert!(place.stop("s1").is_some());
    look(&place);
    place.write(TEST_FILE, TESTS);
    assert!(place.stop("s1").is_some());
    place.write("done", "");
    place.stop("s1");
    assert_eq!(place.state("whole")["status"], "completed");
    let seen = look(&place);
    for form in [
        "state.json",
        "registry.json",
        "hook-log.jsonl",
        "tool-calls.jsonl",
        "watch.json",
        "tests.json",
        "terms.json",
        "iteration",
        "manifest",
        "reflection",
        "index.yaml",
        "analytics.json",
    ] {
        assert!(seen.contains(form), "no {form} was written: {seen:?}");
    }
}

#[test]
fn what_a_driver_leaves_while_it_works_has_no_key_twice() {
    let place = Place::new();
    let agent = "cp -r .aiwg/ralph ../kept && touch done";
    place.done(&[
        "run",
        "Make it right",
        "--until",
        CRITERIA,
        "--loop-id",
        "driven",
        "--",
        "sh",
        "-c",
        agent,
    ]);
    let kept = place.home().with_file_name("kept");
    let seen: BTreeSet<&str> = files(&kept).iter().filter_map(|path| look_at(path, &kept)).collect();
    assert!(seen.contains("worker.json") && seen.contains("agent.json"), "{seen:?}");
    look(&place);
}

#[test]
fn the_smaller_records_are_written_again_as_they_were() {
    let now = Timestamp::UNIX_EPOCH;
    let path = Path::new("in memory");
    let alarm = json!({"event_id": "reg-1", "pattern_id": "LP-001", "path": "a.py", "lost": ["t"], "what": "w",
        "reason": "r", "marked_at": now, "expires_at": now});
    let alarm: FalseAlarm = serde_json::from_value(alarm).unwrap();
    same::<FalseAlarms>(&json!(FalseAlarms { entries: vec![alarm] }).to_string(), path);
    let allowed = Allowance {
        call: "c".to_owned(),
        command: "rm -rf src".to_owned(),
        code: CodeHash::of("CODE", "salt"),
        refused_at: now,
        granted_at: Some(now),
        granted_via: Some("terminal".to_owned()),
    };
    same::<Vec<Allowance>>(&json!([allowed]).to_string(), path);
    let run = TestRun {
        at: now,
        iteration: 2,
        command: "pytest".to_owned(),
        reading: Reading::default(),
        failures: vec![FailedTest {
            test: "test_add".to_owned(),
            expected: Some("3".to_owned()),
            actual: Some("-1".to_owned()),
        }],
    };
    same::<TestRun>(&json!(run).to_string(), path);
    let record = TestRecord {
        listed: vec!["t".to_owned()],
        passed: BTreeMap::from([("t".to_owned(), 1)]),
        flaky: BTreeSet::from(["u".to_owned()]),
        high_water: BTreeMap::from([("coverage_percentage".to_owned(), 81.5)]),
    };
    same::<TestRecord>(&json!(record).to_string(), path);
}

#[test]
fn an_iteration_that_an_older_version_wrote_with_a_key_twice_is_still_read() {
    let place = Place::new();
    let learning =
        json!({"failed": "f", "why": "w", "next": "n", "signature": "s", "error_type": null, "failing": []});
    let verification = json!({"passed": false, "checks": [], "duration_ms": 0});
    let text = format!(
        r#"{{"iteration": 1, "learning": {learning}, "learning": {learning}, "verification": {verification}}}"#
    );
    place.write(".aiwg/ralph/loops/l/iterations/iteration-001.json", text);
    let record = IterationRecord { iteration: 1, ..IterationRecord::default() };
    let layout = Layout::of_project(&place.root());
    let read = read_snapshot(&layout, "l", &record).expect("it is read");
    assert!(read.verification.is_some());
    assert_eq!(serde_json::to_value(&read).unwrap()["learning"], learning);
}
