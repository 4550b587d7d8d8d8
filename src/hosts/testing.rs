//! What the tests of the adapters share: events from texts and from the recorded files, and answers as texts.

use std::path::Path;

use serde_json::Value;

use super::registry::{HOSTS, received};
use super::{HookCall, HookOutput, Host};
use crate::model::event::{Action, Event, ShellDialect, TextEdit};
use crate::model::verdict::{Answer, Verdict};

/// Reads an event with these variables in the hook's environment.
pub(super) fn read_with(host: &dyn Host, argument: &str, input: &Value, variables: &[(&str, &str)]) -> Event {
    let env =
        |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
    host.read(&HookCall { argument, bytes: input.to_string().as_bytes(), env: &env }).expect("readable")
}

/// Reads an event.
pub(super) fn read(host: &dyn Host, argument: &str, input: &Value) -> Event {
    read_with(host, argument, input, &[])
}

/// The recorded event of this file name, of the host's version.
pub(super) fn recorded(host: &str, name: &str) -> Value {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/events").join(host);
    let text = std::fs::read_to_string(folder.join(format!("{name}.json"))).expect("a recorded event");
    serde_json::from_str(&text).expect("JSON")
}

/// The names of a host's recorded events.
pub(super) fn all_recorded(host: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/events").join(host);
    let files = std::fs::read_dir(folder).expect("recorded events");
    let stem = |entry: std::io::Result<std::fs::DirEntry>| {
        let path = entry.expect("a file").path();
        path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).expect("a name")
    };
    let mut names: Vec<String> = files.map(stem).collect();
    names.sort();
    names
}

/// An answer to an event, and a message for the person.
pub(super) fn write(host: &dyn Host, event: &str, verdict: Verdict, human: Option<&str>) -> HookOutput {
    host.write(event, &Answer { verdict, human: human.map(str::to_owned), ..Answer::default() })
}

/// The object that a host prints.
pub(super) fn printed(output: &HookOutput) -> Value {
    assert_eq!((output.code, output.stderr.as_str()), (0, ""), "{output:?}");
    serde_json::from_str(&output.stdout).expect("one object")
}

/// A shell call.
pub(super) fn shell(command: &str) -> Action {
    Action::Shell { command: command.to_owned(), dialect: ShellDialect::Posix }
}

/// A write of a whole file.
pub(super) fn written(path: &str, content: &str) -> Action {
    Action::Write { path: path.into(), content: content.to_owned() }
}

/// An edit with these replacements, none of them of all places.
pub(super) fn edited(path: &str, pairs: &[(&str, &str)]) -> Action {
    let edit =
        |(old, new): &(&str, &str)| TextEdit { old: (*old).to_owned(), new: (*new).to_owned(), all: false };
    Action::Edit { path: path.into(), edits: pairs.iter().map(edit).collect() }
}

/// A session of Claude Code's runs below another agent's now and then, and has that one's variables.
#[test]
fn every_recorded_event_is_known_for_its_hosts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/events");
    let mut seen = 0;
    for host in HOSTS {
        let versions = std::fs::read_dir(folder.join(host.name())).into_iter().flatten().flatten();
        for version in versions.map(|version| format!("{}/{}", host.name(), version.file_name().display())) {
            for name in all_recorded(&version) {
                let bytes =
                    std::fs::read(folder.join(&version).join(format!("{name}.json"))).expect("an event");
                let env = |variable: &str| host.variables().contains(&variable).then(|| "/p".to_owned());
                let (caller, event) = received(None, &HookCall { argument: "", bytes: &bytes, env: &env });
                assert_eq!(caller.name(), host.name(), "{version} {name}");
                seen += usize::from(event.is_ok_and(|event| event.host == host.name()));
            }
        }
    }
    assert!(seen > 100, "{seen}");
}
