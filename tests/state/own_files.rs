//! Every file under `.aiwg/ralph`, read back as what Steadfast reads it as: no key stands twice, and reading and writing it
//! again gives the same text.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use serde::de::{DeserializeOwned, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use steadfast::checkpoint::manifest::Manifest;
use steadfast::checkpoint::watch::Watch;
use steadfast::lifecycle::criterion::loop_contract::LoopContract;
use steadfast::lifecycle::iteration::record::FinishedIteration;
use steadfast::loops::reflexion::patterns::FailurePattern;
use steadfast::loops::reflexion::record::Reflection;
use steadfast::loops::reflexion::store::Index;
use steadfast::state::allowance::Allowance;
use steadfast::state::audit::Line;
use steadfast::state::false_alarms::FalseAlarms;
use steadfast::state::legacy::CurrentLoop;
use steadfast::state::loop_state::LoopState;
use steadfast::state::records::ToolCallRecord;
use steadfast::state::registry::Registry;
use steadfast::state::test_record::TestRecord;
use steadfast::state::test_runs::TestRun;

use crate::place::Place;

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

pub(crate) fn strict(text: &str, path: &Path) -> Value {
    let Strict(value) =
        serde_json::from_str(text).unwrap_or_else(|error| panic!("{}: {error}\n{text}", path.display()));
    value
}

/// What is read as `T` and written again is the same text, whatever its indentation.
pub(crate) fn same<T: Serialize + DeserializeOwned>(text: &str, path: &Path) {
    let once = serde_json::to_string(&strict(text, path)).unwrap();
    let read: T = serde_json::from_str(text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert_eq!(serde_json::to_string(&read).unwrap(), once, "{}", path.display());
}

/// The same of a file in YAML.
fn same_yaml<T: Serialize + DeserializeOwned>(text: &str, path: &Path) {
    let read: T = serde_saphyr::from_str(text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert_eq!(serde_saphyr::to_string(&read).unwrap(), text, "{}", path.display());
}

pub(crate) fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// Looks at a file as its name asks; answers the form, where it has one.
pub(crate) fn look_at(path: &Path, root: &Path) -> Option<&'static str> {
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
        _ if name.ends_with(".yaml") && folder("patterns") => same_yaml::<FailurePattern>(&text, path),
        _ if name.ends_with(".yaml") && folder("reflections") => same_yaml::<Reflection>(&text, path),
        _ if folder("iterations") && name.ends_with(".json") => {
            same::<FinishedIteration>(&text, path);
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
pub(crate) fn look(place: &Place) -> BTreeSet<&'static str> {
    let root = place.path(".aiwg/ralph");
    files(&root).iter().filter_map(|path| look_at(path, &root)).collect()
}
