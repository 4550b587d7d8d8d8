//! A short form of what an installation has to bear: many hooks at once, each of its files damaged, hooks that are killed.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::place::Place;

/// So many hooks run at once.
const AT_ONCE: usize = 16;
/// So many rounds of hooks of which one is killed.
const ROUNDS: usize = 32;
/// No hook takes longer, whatever becomes of its files.
const LONGEST: Duration = Duration::from_secs(8);

/// The event of a call that writes a file of its own.
fn written(place: &Place, number: usize) -> Value {
    json!({
        "tool_name": "Write",
        "tool_input": {"file_path": place.path(&format!("src/f{number}.py")), "content": "x = 1\n"},
        "tool_use_id": format!("toolu_{number}"),
        "tool_response": {},
    })
}

/// Starts a hook and hands it its event, without waiting for its end.
fn begun(place: &Place, event: &str, session: &str, fields: Value) -> Child {
    let mut input = json!({"session_id": session, "cwd": place.root(), "permission_mode": "acceptEdits"});
    if let (Some(input), Value::Object(fields)) = (input.as_object_mut(), fields) {
        input.extend(fields);
    }
    let mut command = place.command(env!("CARGO_BIN_EXE_steadfast-hook"));
    let mut child = command.arg(event).stdout(Stdio::null()).spawn().unwrap();
    // One that is killed does not read to the end.
    child.stdin.take().unwrap().write_all(input.to_string().as_bytes()).ok();
    child
}

/// The numbers of the calls that are on record, each line readable.
fn recorded(place: &Place, id: &str) -> Vec<String> {
    let text = fs::read_to_string(place.directory(id).join("tool-calls.jsonl")).unwrap_or_default();
    let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("a whole line"));
    rows.filter_map(|row| row["tool_use_id"].as_str().map(str::to_owned)).collect()
}

/// Whether the log's chain holds.
fn log_holds(place: &Place, id: &str) {
    let verified = place.steadfast(&["log", "verify", id]);
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stdout));
}

#[test]
fn many_hooks_at_once_are_all_counted() {
    let place = Place::new();
    place.start("s1");
    // The first call opens the session's loop.
    place.fire("pre-tool-use", "s1", written(&place, 0));
    place.write("src/f0.py", "x = 1\n");
    place.fire("post-tool-use", "s1", written(&place, 0));
    let id = place.only_loop();
    let before = place.state(&id)["tool_calls_total"].as_u64().unwrap();
    let place = &place;
    let answers: Vec<Option<Value>> = thread::scope(|scope| {
        let started: Vec<_> = (1..=AT_ONCE)
            .map(|number| {
                scope.spawn(move || {
                    let before = place.fire("pre-tool-use", "s1", written(place, number));
                    place.write(&format!("src/f{number}.py"), "x = 1\n");
                    [before, place.fire("post-tool-use", "s1", written(place, number))]
                })
            })
            .collect();
        started.into_iter().flat_map(|one| one.join().unwrap()).collect()
    });
    // A machine that is too slow for a lock says so, and only then a count may be short.
    let told: Vec<&Value> = answers.iter().flatten().collect();
    assert!(told.iter().all(|it| it["systemMessage"].to_string().contains("can't record")), "{told:?}");
    assert_eq!(place.loops(), std::slice::from_ref(&id), "one session, one loop");
    let mut calls = recorded(place, &id);
    calls.sort();
    calls.dedup();
    assert_eq!(calls.len(), AT_ONCE + 1, "each call is on record: {calls:?}");
    let counted = place.state(&id)["tool_calls_total"].as_u64().unwrap() - before;
    assert!(
        counted == AT_ONCE as u64 || (counted < AT_ONCE as u64 && !told.is_empty()),
        "{counted} {told:?}"
    );
    log_holds(place, &id);
    assert!(place.guards("s1"));
}

/// Everything that is kept of a loop and of all loops, but what hooks hold on to while they run.
fn kept(place: &Place, id: &str) -> Vec<PathBuf> {
    let folders = [place.path(".aiwg/ralph"), place.directory(id)];
    let files = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap().flatten());
    let mut names: Vec<PathBuf> = files
        .map(|file| file.path())
        .filter(|path| path.is_file() && path.extension().is_none_or(|it| it != "lock"))
        .map(|path| path.strip_prefix(place.root()).unwrap().to_owned())
        .collect();
    names.sort();
    names
}

type Fault = fn(&Path);

const FAULTS: &[(&str, Fault)] = &[
    ("gone", |path| fs::remove_file(path).unwrap()),
    ("empty", |path| fs::write(path, "").unwrap()),
    ("cut in half", |path| {
        let bytes = fs::read(path).unwrap();
        fs::write(path, &bytes[..bytes.len() / 2]).unwrap();
    }),
    ("no text", |path| fs::write(path, [0xff, 0xfe, 0x00, 0x80]).unwrap()),
    ("a folder", |path| {
        fs::remove_file(path).unwrap();
        fs::create_dir(path).unwrap();
    }),
];

#[test]
fn a_damaged_file_leaves_the_guard_on() {
    let model = Place::new();
    model.guards("s1");
    let files = kept(&model, &model.only_loop());
    assert!(files.len() >= 5, "{files:?}");
    let count = files.len();
    let all: Vec<(usize, &(&str, Fault))> =
        (0..count).flat_map(|at| FAULTS.iter().map(move |fault| (at, fault))).collect();
    thread::scope(|scope| {
        for part in all.chunks(all.len().div_ceil(4)) {
            scope.spawn(move || {
                for (at, (what, fault)) in part {
                    let place = Place::new();
                    place.guards("s1");
                    let files = kept(&place, &place.only_loop());
                    let Some(file) = files.get(*at) else { continue };
                    fault(&place.path(&file.to_string_lossy()));
                    let begun = Instant::now();
                    assert!(place.guards("s1"), "{}: {what}", file.display());
                    assert!(begun.elapsed() < LONGEST, "{}: {what}", file.display());
                }
            });
        }
    });
}

#[test]
fn a_killed_hook_corrupts_and_counts_nothing_twice() {
    let place = Place::new();
    place.start("s1");
    place.fire("pre-tool-use", "s1", written(&place, 0));
    let id = place.only_loop();
    for round in 1..=ROUNDS {
        let number = round * 10;
        let mut hooks: Vec<Child> = (0..3)
            .map(|at| {
                let event = if at == 0 { "pre-tool-use" } else { "post-tool-use" };
                begun(&place, event, "s1", written(&place, number + at))
            })
            .collect();
        // Another moment in each round, over all of what a hook does.
        thread::sleep(Duration::from_micros((round as u64 * 1_337) % 41_000));
        hooks[round % 3].kill().unwrap();
        for hook in &mut hooks {
            hook.wait().unwrap();
        }
    }
    assert!(place.guards("s1"), "the guard is on");
    let mut calls = recorded(&place, &id);
    let lines = calls.len();
    calls.sort();
    calls.dedup();
    assert_eq!(calls.len(), lines, "each call once");
    let state = place.state(&id);
    let total = state["tool_calls_total"].as_u64().unwrap() as usize;
    // A call whose hook died between its line and the count is on record and was not counted yet.
    assert!(total <= lines && lines - total <= ROUNDS, "{total} counted, {lines} on record");
    assert_eq!(place.loops(), std::slice::from_ref(&id));
    log_holds(&place, &id);
}
