//! On a system that is short of something, or without git, a test's deletion does not pass and nothing is forgotten.

use std::io::Write;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::place::{HOOK, ONE_TEST, Place, TEST_FILE, TESTS};

/// The event of an edit that deletes a test, and of a turn's end.
fn events(place: &Place) -> [(&'static str, Value); 2] {
    let common = json!({"session_id": "s1", "cwd": place.root(), "permission_mode": "acceptEdits"});
    let with = |more: Value| {
        let mut event = common.clone();
        event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        event
    };
    let input = json!({"file_path": place.path(TEST_FILE), "old_string": ONE_TEST, "new_string": ""});
    [
        (
            "pre-tool-use",
            with(json!({"tool_name": "Edit", "tool_input": input, "tool_use_id": "toolu_poor"})),
        ),
        ("stop", with(json!({"last_assistant_message": "All done.", "stop_hook_active": false}))),
    ]
}

/// What the hook answers under a limit that the shell sets.
fn under(place: &Place, limit: &str, event: &str, input: &Value) -> Value {
    let script = format!("{limit}; exec \"$0\" \"$1\"");
    let mut child = place.command("sh").args(["-c", &script, HOOK, event]).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.to_string().as_bytes()).ok();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{limit} {event}: {output:?}");
    if output.stdout.is_empty() { Value::Null } else { serde_json::from_slice(&output.stdout).expect(limit) }
}

/// A place where session `s1` has lost one test to a script and has put it back; another loss is open.
fn lost() -> Place {
    let place = Place::new();
    place.write("tests/test_more.py", "def test_more():\n    assert 1 + 1 == 2\n");
    place.commit("More");
    let fields = json!({
        "tool_name": "Bash", "tool_input": {"command": "python3 tidy.py"}, "tool_use_id": "toolu_script",
        "tool_response": {"stdout": "", "stderr": ""},
    });
    assert_eq!(place.fire("pre-tool-use", "s1", fields.clone()), None);
    place.write("tests/test_more.py", "def helper():\n    return 2\n");
    assert!(place.fire("post-tool-use", "s1", fields).is_some());
    place
}

#[test]
fn small_limits_are_borne_or_told() {
    let place = lost();
    for limit in ["ulimit -f 0", "ulimit -f 1", "ulimit -f 8", "ulimit -n 6", "ulimit -n 12", "ulimit -s 128"]
    {
        let [edit, stop] = events(&place);
        let answer = under(&place, limit, edit.0, &edit.1).to_string();
        assert!(answer.contains("\"deny\"") || answer.contains("\"ask\""), "{limit}: {answer}");
        let answer = under(&place, limit, stop.0, &stop.1);
        let told = answer["systemMessage"].is_string();
        let goes_on = answer["hookSpecificOutput"]["additionalContext"].is_string();
        assert!(told || goes_on, "{limit}: a turn ends on a loss without a word: {answer}");
    }
    assert!(place.guards("s1"));
    assert!(place.stop("s1").is_some());
}

#[test]
fn a_signal_ends_a_hook_in_a_question_where_something_is_lost() {
    let place = lost();
    // Git stands still, so there is time for a signal.
    let slow = place.path("slow");
    std::fs::create_dir_all(&slow).unwrap();
    place.write("slow/git", "#!/bin/sh\n: > asked\nexec sleep 20\n");
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(slow.join("git"), executable).unwrap();
    let path = format!("{}:{}", slow.display(), std::env::var("PATH").unwrap());
    for signal in ["TERM", "INT", "HUP", "XCPU", "XFSZ"] {
        let [(_, mut event), _] = events(&place);
        event["tool_name"] = json!("Bash");
        event["tool_input"] = json!({"command": "git reset --hard"});
        let script = "rm -f asked; \"$0\" pre-tool-use < event.json & hook=$!
            until test -e asked; do sleep 0.05; done; kill -\"$1\" $hook; wait $hook";
        place.write("event.json", event.to_string());
        let output = place
            .command("bash")
            .args(["-m", "-c", script, HOOK, signal])
            .env("PATH", &path)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && said.contains("\"ask\""), "{signal}: {output:?}");
    }
}

#[test]
fn without_git_a_test_is_not_taken_for_moved_into_a_file_whose_past_is_unknown() {
    for git in ["none", "#!/bin/sh\nexit 128\n", "#!/bin/sh\nhead -c 20000 /dev/urandom\n"] {
        let place = Place::new();
        // The same names and no twin: the texts differ.
        let other = TESTS.replace(" == ", " ==  ");
        place.write("tests/test_other.py", &other);
        place.commit("Copies");
        // The session touches the other file, which has the same tests all along.
        let fields = json!({
            "tool_name": "Bash", "tool_input": {"command": "python3 tidy.py"}, "tool_use_id": "toolu_script",
            "tool_response": {"stdout": "", "stderr": ""},
        });
        assert_eq!(place.fire("pre-tool-use", "s1", fields.clone()), None);
        place.write("tests/test_other.py", format!("# tidied\n{other}"));
        place.fire("post-tool-use", "s1", fields);
        assert!(place.guards("s1"), "with git");
        let bin = place.home().join("bin");
        std::fs::create_dir_all(&bin).unwrap();
        if git != "none" {
            std::fs::write(bin.join("git"), git).unwrap();
            let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
            std::fs::set_permissions(bin.join("git"), executable).unwrap();
        }
        let path = if git == "none" {
            bin.display().to_string()
        } else {
            format!("{}:/usr/bin:/bin", bin.display())
        };
        let [(event, edit), _] = events(&place);
        let answer = place.fire_with(&[("PATH", &path)], event, "s1", edit).unwrap_or_default();
        assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], "deny", "{git}: {answer}");
    }
}

#[test]
fn first_calls_at_once_open_one_loop() {
    let place = Place::new();
    let call = |n: usize| {
        json!({
            "tool_name": "Bash", "tool_input": {"command": format!("sed -i s/a/b/ file{n}.py")},
            "tool_use_id": format!("toolu_{n}"), "tool_response": {"stdout": "", "stderr": ""},
        })
    };
    std::thread::scope(|scope| {
        for n in 0..8 {
            let place = &place;
            scope.spawn(move || {
                for event in ["pre-tool-use", "post-tool-use"] {
                    place.fire(event, "s1", call(n));
                }
            });
        }
    });
    let state = place.state(&place.only_loop());
    assert_eq!(state["tool_calls_total"], 8);
}

#[test]
fn many_questions_leave_the_state_as_large_as_a_few() {
    let place = Place::new();
    let size = |asked: usize| {
        for n in 0..asked {
            let input = json!({"file_path": place.path(TEST_FILE), "old_string": ONE_TEST, "new_string": ""});
            let id = format!("toolu_{asked}_{n}");
            let call = json!({
                "tool_name": "Edit", "tool_input": input, "tool_use_id": id, "permission_mode": "default",
            });
            let client = [("CLAUDECODE", "1"), ("CLAUDE_CODE_ENTRYPOINT", "cli")];
            place.fire_with(&client, "pre-tool-use", "s1", call);
            place.fire("user-prompt-submit", "s1", json!({"prompt": "go on"}));
        }
        std::fs::metadata(place.path(&format!(".aiwg/ralph/loops/{}/state.json", place.only_loop())))
            .unwrap()
            .len()
    };
    let (few, many) = (size(12), size(40));
    assert!(many < few * 5 / 4, "{few} bytes, then {many}");
    let state: Value = serde_json::from_str(&place.done(&["status", "--all", "--json"])).unwrap();
    let gates = state["loops"][0]["human_gates"].as_array().unwrap();
    assert_eq!(gates.len(), 52, "every question is still known");
}
