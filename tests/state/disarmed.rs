//! Attempts to take the guard out of the way by something that no single command shows, in a session without a loop.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::place::{ONE_TEST, Place, TEST_FILE, TESTS};

/// A person sits before the client.
const ATTENDED: &[(&str, &str)] = &[("CLAUDECODE", "1"), ("CLAUDE_CODE_ENTRYPOINT", "cli")];

fn text(answer: Option<Value>) -> String {
    answer.map(|answer| answer.to_string()).unwrap_or_default()
}

fn call(place: &Place, event: &str, tool: &str, input: Value, id: &str) -> Option<Value> {
    let fields = json!({"tool_name": tool, "tool_input": input, "tool_use_id": id, "tool_response": {}});
    place.fire(event, "s1", fields)
}

/// The session writes a file by a call.
fn writes(place: &Place, path: &str, content: &str) {
    let input = json!({"file_path": place.path(path), "content": content});
    let before = text(call(place, "pre-tool-use", "Write", input.clone(), path));
    assert!(!before.contains("deny"), "{path}: {before}");
    place.write(path, content);
    call(place, "post-tool-use", "Write", input, path);
}

/// The answer to a command before it runs.
fn asked(place: &Place, command: &str) -> String {
    text(call(place, "pre-tool-use", "Bash", json!({"command": command}), command))
}

/// A command has run, and has done `harm`. The answer to it.
fn ran(place: &Place, command: &str, harm: impl FnOnce()) -> String {
    let before = asked(place, command);
    assert!(!before.contains("deny"), "{command}: {before}");
    harm();
    text(call(place, "post-tool-use", "Bash", json!({"command": command}), command))
}

/// Settings that call the hook before every edit.
fn settings() -> String {
    let hook = env!("CARGO_BIN_EXE_steadfast-hook");
    let handler = json!({"type": "command", "command": hook, "args": ["pre-tool-use"]});
    json!({"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [handler]}]}}).to_string()
}

#[test]
fn a_script_that_the_session_wrote_is_judged_by_what_it_holds() {
    let rows: &[(&str, &str, &str)] = &[
        ("x.sh", "#!/bin/sh\nrm -rf tests\n", "sh x.sh"),
        ("x.sh", "rm -rf tests\n", "cd . && bash ./x.sh"),
        ("run/x", "#!/usr/bin/env python3\nimport shutil\nshutil.rmtree('te' + 'sts')\n", "run/x"),
        ("x.py", "import shutil\nshutil.rmtree('.ai' + 'wg')\n", "python3 x.py"),
        ("x.js", "require('fs').rmSync('tests', {recursive: true})\n", "node x.js"),
        ("package.json", "{\"scripts\": {\"tidy\": \"rm -rf tests\"}}\n", "npm run tidy"),
        ("package.json", "{\"scripts\": {\"postinstall\": \"rm -rf tests\"}}\n", "npm install"),
        ("Makefile", "all: tidy\n\ntidy:\n\t@rm -rf tests\n", "make"),
        ("justfile", "tidy:\n    rm -rf tests\n", "just tidy"),
        ("g.sh", "steadfast gate approve\n", "script -qc 'sh g.sh' /dev/null"),
        ("f.py", "import subprocess\nsubprocess.run(['steadfast-hook', 'stop'])\n", "python3 f.py"),
    ];
    for (path, content, command) in rows {
        let place = Place::new();
        place.start("s1");
        writes(&place, path, content);
        assert!(asked(&place, command).contains("deny"), "{command} of {path}");
    }
    // What another wrote is what its people mean it to be, but for whole folders of tests: about those a person is asked.
    let place = Place::new();
    place.write("x.sh", "rm -rf tests\n");
    place.write("z.sh", "rm -rf dist build\n");
    place.commit("Two scripts");
    place.start("s1");
    writes(&place, "y.sh", "echo done\n");
    for (command, is_stopped) in [("sh x.sh", true), ("sh y.sh", false), ("sh z.sh", false)] {
        assert_eq!(asked(&place, command).contains("deny"), is_stopped, "{command}");
    }
}

#[test]
fn settings_that_a_script_empties_are_told_at_once_and_in_the_next_session() {
    let place = Place::new();
    place.write(".claude/settings.local.json", settings());
    place.start("s1");
    writes(&place, "a.py", "a = 1\n");
    let path = place.path(".claude/settings.local.json");
    // A permission more is a person's own business, also while the session runs.
    let more = settings().replacen('{', "{\"permissions\":{\"allow\":[\"Bash(ls:*)\"]},", 1);
    assert_eq!(ran(&place, "python3 other.py", || fs::write(&path, &more).unwrap()), "");
    let found = ran(&place, "python3 other.py", || fs::write(&path, "{}").unwrap());
    assert!(found.contains("block") && found.contains("SF-001"), "{found}");
    assert_eq!(ran(&place, "python3 third.py", || ()), "", "it is told once");
    assert!(text(place.start("s2")).contains("In an earlier session"));
    assert!(!text(place.start("s3")).contains("In an earlier session"));
}

#[test]
fn what_the_configuration_says_at_the_beginning_holds_until_the_session_ends() {
    for weaker in [
        "agent_persistence:\n  pattern_severity: { LP-001: \"off\" }\n",
        "agent_persistence:\n  detection: { mode: minimal, patterns_enabled: [feature_removal] }\n",
        "agent_persistence:\n  allowed_paths: [\"tests/**\"]\n",
    ] {
        let place = Place::new();
        place.start("s1");
        writes(&place, "a.py", "a = 1\n");
        let found = ran(&place, "python3 other.py", || place.write("aiwg.yml", weaker));
        assert!(found.contains("block") && found.contains("holds until it ends"), "{weaker}: {found}");
        assert!(place.guards("s1"), "{weaker}");
        place.start("s1");
        let now = text(place.delete_test("s1"));
        assert!(!now.contains("deny"), "a session goes by what it begins with: {weaker}: {now}");
    }
}

/// The agent's own shell starts a hook with an event of its session, by another name and in this way.
fn forge(place: &Place, way: &str, event: &str, fields: &Value) {
    let copy = place.home().join("zz");
    fs::copy(env!("CARGO_BIN_EXE_steadfast-hook"), &copy).unwrap();
    let mut input = json!({"session_id": "s1", "cwd": place.root(), "permission_mode": "acceptEdits"});
    if let (Some(input), Value::Object(fields)) = (input.as_object_mut(), fields.clone()) {
        input.extend(fields);
    }
    let mut shell = place.command("sh");
    let mut child =
        shell.env_remove("CLAUDE_PROJECT_DIR").args(["-c", way]).arg(&copy).arg(event).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.to_string().as_bytes()).ok();
    let output = child.wait_with_output().unwrap();
    assert!(output.stdout.is_empty(), "it is answered nothing: {}", String::from_utf8_lossy(&output.stdout));
}

#[test]
#[cfg(target_os = "linux")]
fn an_event_that_the_client_did_not_send_decides_nothing_and_is_told() {
    let ways = ["\"$0\" \"$1\"; :", "CLAUDE_PROJECT_DIR=$PWD \"$0\" \"$1\"; :"];
    for way in ways {
        let place = Place::new();
        place.start("s1");
        let input = json!({"file_path": place.path(TEST_FILE), "old_string": ONE_TEST, "new_string": ""});
        let fields =
            json!({"tool_name": "Edit", "tool_input": input, "tool_use_id": "asked", "tool_response": {}});
        let question = text(place.fire_with(ATTENDED, "pre-tool-use", "s1", fields.clone()));
        assert!(question.contains("\"ask\""), "{way}: {question}");
        // The person says no; a command does it all the same, and says that the edit was approved.
        let told = ran(&place, "python3 other.py", || {
            place.write(TEST_FILE, TESTS.replace(ONE_TEST, ""));
            forge(&place, way, "post-tool-use", &fields);
            let gates = place.state(&place.only_loop())["human_gates"].clone();
            assert!(!gates.to_string().contains("approve"), "{way}: {gates}");
        });
        assert!(told.contains("block") && told.contains("SF-002"), "{way}: {told}");
        assert!(told.contains("test_zero"), "{way}: the loss is found: {told}");
        assert!(!text(place.stop("s1")).is_empty(), "{way}: the turn does not end on it");
    }
}

#[test]
fn a_script_around_a_hook_and_a_client_that_comes_back_are_no_forgery() {
    let place = Place::new();
    place.start("s1");
    writes(&place, "a.py", "a = 1\n");
    // What a client starts for a hook has its variable.
    place.fire_and_leave("user-prompt-submit", "s1", json!({"prompt": "go on"}));
    assert_eq!(text(place.stop("s1")), "");
    assert!(place.guards("s1"));
}

#[test]
fn the_guards_own_places_are_closed_to_every_tool() {
    let place = Place::new();
    place.write(".claude/settings.local.json", settings());
    place.start("s1");
    writes(&place, "a.py", "a = 1\n");
    let root = place.root();
    let home = place.home();
    fs::create_dir_all(home.join(".local/bin")).unwrap();
    for name in ["steadfast", "steadfast-hook"] {
        fs::write(home.join(".local/bin").join(name), "#!/bin/sh\n").unwrap();
    }
    for path in [
        format!("/proc/1/root{}/.claude/settings.local.json", root.display()),
        format!("/proc/self/root{}/.aiwg/ralph/registry.json", root.display()),
        format!("{}/.local/bin/steadfast-hook", home.display()),
        format!("{}/.local/state/steadfast/projects/x/registry.json", home.display()),
    ] {
        let input = json!({"file_path": path, "content": "{}"});
        assert!(text(call(&place, "pre-tool-use", "Write", input, "t")).contains("deny"), "{path}");
    }
    for command in [
        "rm -rf ~/.local/state/steadfast",
        "echo {} > ~/.local/state/steadfast/projects/x/registry.json",
        "python3 -c \"import os; os.rename(os.path.expanduser('~/.local/bin/steadfast-hook'), '/tmp/zz')\"",
        "truncate -s 0 \"$(readlink -f ~/.local/bin/steadfast-hook)\"",
        "mount --bind /bin/true ~/.local/bin/steadfast-hook",
        "cp ~/.local/bin/steadfast /tmp/zz && /tmp/zz loop abort",
        "cat e.json | ~/.local/bin/steadfast-hook post-tool-use",
        "steadfast hook post_tool_call < e.json",
        "prlimit --pid $PPID --fsize=0",
        "kill -STOP $PPID",
        "echo 'ulimit -f 0' >> ~/.bashrc",
        "echo \"alias npm='true'\" >> ~/.bashrc",
        "git update-index --assume-unchanged tests/test_calc.py",
        "git replace HEAD:calc.py HEAD:check.sh",
    ] {
        assert!(asked(&place, command).contains("deny"), "{command}");
    }
    for command in [
        "steadfast-hook --version",
        "target/debug/steadfast-hook pre-tool-use < fixtures/e.json",
        "cp target/release/steadfast /tmp/steadfast",
        "ls -l ~/.local/bin/steadfast",
        "ulimit -n 4096; python3 a.py",
        "echo 'alias gs=\"git status\"' > aliases.sh",
        "prlimit --pid 1",
        "kill -0 $PPID",
    ] {
        assert!(!asked(&place, command).contains("deny"), "{command}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_decision_of_an_orphan_is_refused() {
    let place = Place::new();
    place.start_loop("one");
    let steadfast = place.command_of_steadfast();
    let program = steadfast.get_program().to_os_string();
    let mut shell = place.command("sh");
    let way = "setsid -f sh -c '\"$0\" loop abort one > said 2>&1; echo $? > code' \"$0\"; while [ ! -s code ]; do sleep 0.05; done";
    let status = shell.args(["-c", way]).arg(program).stdin(Stdio::null()).status().unwrap();
    assert!(status.success());
    let said = fs::read_to_string(place.path("said")).unwrap();
    // Where nothing takes orphans over as init does, they can't be told from what a person has started.
    let reaper = fs::read_to_string("/proc/1/comm").unwrap_or_default();
    if ["systemd", "init", "tini", "dumb-init", "docker-init", "catatonit"].contains(&reaper.trim()) {
        assert!(said.contains("only a person"), "{said}");
        assert_eq!(place.state("one")["status"], "running");
    }
}
