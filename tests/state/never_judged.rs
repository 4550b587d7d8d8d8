//! A person's new test that goes with a script of the agent is told, whatever had been looked at before; what a script of
//! the agent made may go again.

use std::process::Command;

use serde_json::{Value, json};

use crate::place::{CRITERIA, Place};

const FILE: &str = "tests/test_added.py";
const PROBE: &str = "def test_probe():\n    assert 1 == 1\n";
const HERS: &str = "\ndef test_hers():\n    assert 2 == 2\n";

/// A command that is run, both events. What they answer; the first alone where it is stopped.
fn run(place: &Place, command: &str, number: usize) -> String {
    let fields = json!({"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": format!("toolu_{number}"),
        "tool_response": {"stdout": "", "stderr": ""}});
    let before = place.fire("pre-tool-use", "s1", fields.clone()).unwrap_or_default();
    if before["hookSpecificOutput"]["permissionDecision"].is_string() {
        return format!("stopped: {before}");
    }
    assert!(Command::new("sh").args(["-c", command]).current_dir(place.root()).status().unwrap().success());
    let after = place.fire("post-tool-use", "s1", fields).unwrap_or_default();
    format!("{before}{after}")
}

fn project(in_loop: bool) -> Place {
    let place = Place::new();
    place.write("remove.py", format!("import os\nos.remove('{FILE}')\n"));
    place.write("make.py", format!("open('{FILE}', 'w').write({PROBE:?})\n"));
    place.write("note.py", "open('note.md', 'w').write('x')\n");
    place.commit("Scripts");
    if in_loop {
        place.done(&["loop", "start", "Make it right", "--until", CRITERIA, "--loop-id", "one"]);
    }
    place.start("s1");
    place.fire("user-prompt-submit", "s1", json!({"prompt": "go"}));
    place
}

#[test]
fn a_persons_test_that_nobody_had_judged_is_told_when_it_goes() {
    for in_loop in [true, false] {
        for begun in ["nothing", "an edit", "the file itself", "a script"] {
            let place = project(in_loop);
            match begun {
                "an edit" => place.write_by_call("calc.py", "def add(a, b):\n    return a + b\n"),
                "the file itself" => place.write_by_call(FILE, PROBE),
                "a script" => _ = run(&place, "python3 note.py", 1),
                _ => {}
            }
            let own = if begun == "the file itself" { PROBE } else { "" };
            place.write(FILE, format!("{own}{HERS}"));
            std::thread::sleep(std::time::Duration::from_millis(40));
            let told = run(&place, "python3 remove.py", 2);
            let ended = place.stop("s1").unwrap_or(Value::Null).to_string();
            assert!(
                format!("{told}{ended}").contains("test_hers"),
                "loop {in_loop}, {begun}: {told} {ended}"
            );
            assert!(!told.contains("test_probe"), "loop {in_loop}, {begun}: {told}");
        }
    }
}

#[test]
fn what_a_script_of_the_agent_made_may_go_again() {
    for in_loop in [true, false] {
        for way in ["rm tests/test_added.py", "python3 remove.py"] {
            let place = project(in_loop);
            run(&place, "python3 make.py", 1);
            let told = run(&place, way, 2);
            assert!(
                !told.contains("test_probe") && !told.starts_with("stopped"),
                "loop {in_loop}, {way}: {told}"
            );
            assert!(!place.path(FILE).exists(), "{way}");
            let ended = place.stop("s1").unwrap_or(Value::Null).to_string();
            assert!(!ended.contains("would be gone") && !ended.contains("is gone"), "{way}: {ended}");
        }
    }
}
