//! Who is asked and who is denied, and that both read the same first line.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::place::{ONE_TEST, Place, TEST_FILE, TESTS};
use crate::{ATTENDED, decision, reason};

const FIRST_LINE: &str = "Steadfast: 1 of 3 tests would be gone: test_zero (LP-001)";

fn deletion(place: &Place) -> Value {
    let input = json!({"file_path": place.path(TEST_FILE), "old_string": ONE_TEST, "new_string": ""});
    json!({"tool_name": "Edit", "tool_input": input, "tool_use_id": "toolu_1"})
}

fn fired(place: &Place, variables: &[(&str, &str)], mode: &str, mut call: Value) -> Value {
    call["permission_mode"] = json!(mode);
    place.fire_with(variables, "pre-tool-use", "s1", call).unwrap()
}

#[test]
fn a_person_is_asked_wherever_one_is_and_the_finding_stands_in_the_first_line() {
    let place = Place::new();
    let rows: &[(&str, Option<&str>, &str, &str)] = &[
        ("cli", Some("1"), "auto", "ask"),
        ("cli", Some("1"), "bypassPermissions", "ask"),
        ("cli", Some("1"), "dontAsk", "ask"),
        ("cli", Some("1"), "default", "ask"),
        ("claude-vscode", Some("0"), "auto", "ask"),
        ("claude-desktop", Some("0"), "default", "ask"),
        ("sdk-cli", Some("0"), "default", "deny"),
        ("sdk-cli", Some("1"), "default", "deny"),
        ("sdk-ts", Some("0"), "acceptEdits", "deny"),
        ("cli", None, "default", "ask"),
        ("cli", None, "auto", "deny"),
        ("cli", None, "bypassPermissions", "deny"),
        ("sdk-cli", None, "default", "deny"),
    ];
    for (entry, attended, mode, expected) in rows {
        let mut variables = vec![("CLAUDE_CODE_ENTRYPOINT", *entry)];
        variables.extend(attended.map(|attended| ("CLAUDE_CODE_SESSION_ATTENDED", attended)));
        let answer = fired(&place, &variables, mode, deletion(&place));
        let what = format!("{entry} {attended:?} {mode}: {answer}");
        assert_eq!(decision(&answer), *expected, "{what}");
        assert_eq!(reason(&answer).lines().next(), Some(FIRST_LINE), "{what}");
        if attended.is_some() && *expected == "ask" {
            assert!(answer.get("systemMessage").is_none(), "beside a dialog nothing else is read: {what}");
        }
    }
}

#[test]
fn a_person_may_say_what_the_table_can_not_know() {
    let place = Place::new();
    for (setting, entry, attended, expected) in
        [("always", "sdk-ts", "0", "ask"), ("never", "cli", "1", "deny"), ("", "cli", "1", "ask")]
    {
        let variables = [
            ("STEADFAST_ASK", setting),
            ("CLAUDE_CODE_ENTRYPOINT", entry),
            ("CLAUDE_CODE_SESSION_ATTENDED", attended),
        ];
        let answer = fired(&place, &variables, "default", deletion(&place));
        assert_eq!(decision(&answer), expected, "{setting} {entry}: {answer}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_host_with_a_permission_tool_is_asked() {
    let place = Place::new();
    for (argument, expected) in [("--permission-prompt-tool", "ask"), ("--verbose", "deny")] {
        let mut client = Command::new("sh")
            .args(["-c", "echo begun; read -r line", argument, "stdio"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        // Its words can be looked up only once it runs, which is a moment after it was started.
        let begun = BufReader::new(client.stdout.take().unwrap()).lines().next();
        assert_eq!(begun.unwrap().unwrap(), "begun");
        let pid = client.id().to_string();
        let variables = [
            ("CLAUDE_PID", pid.as_str()),
            ("CLAUDE_CODE_ENTRYPOINT", "sdk-cli"),
            ("CLAUDE_CODE_SESSION_ATTENDED", "0"),
        ];
        let answer = fired(&place, &variables, "default", deletion(&place));
        drop(client.stdin.take());
        client.wait().unwrap();
        assert_eq!(decision(&answer), expected, "{argument}: {answer}");
    }
}

#[test]
fn what_concerns_the_guard_is_denied_though_a_person_sits_there_and_they_read_the_way() {
    let place = Place::new();
    place.delete_test("s1");
    for command in ["rm -rf .aiwg", "steadfast gate approve"] {
        let call = json!({"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": "toolu_2"});
        let answer = fired(&place, ATTENDED, "auto", call);
        assert_eq!(decision(&answer), "deny", "{command}: {answer}");
        let told = answer["systemMessage"].as_str().unwrap();
        assert!(told.contains(command) && told.contains("terminal"), "{told}");
        assert!(!told.contains("allow "), "no code is offered: {told}");
    }
}

#[test]
fn what_a_person_refused_is_told_with_the_next_prompt() {
    let place = Place::new();
    fired(&place, ATTENDED, "auto", deletion(&place));
    let answer = place.fire_with(ATTENDED, "user-prompt-submit", "s1", json!({"prompt": "Go on."})).unwrap();
    let told = answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
    assert!(told.contains("refused") && told.contains(FIRST_LINE), "{told}");
    let again = place.fire_with(ATTENDED, "user-prompt-submit", "s1", json!({"prompt": "Go on."}));
    assert_eq!(again, None, "once is enough");
}

#[test]
fn the_guards_folder_is_kept_from_the_first_call_on() {
    let place = Place::new();
    let call =
        json!({"tool_name": "Bash", "tool_input": {"command": "rm -rf .aiwg"}, "tool_use_id": "toolu_1"});
    assert_eq!(decision(&fired(&place, ATTENDED, "auto", call)), "deny");
}

/// The call of a subagent, and the events around it.
fn of_agent(agent: &str, mut fields: Value) -> Value {
    fields["agent_id"] = json!(agent);
    fields["agent_type"] = json!("general-purpose");
    fields
}

#[test]
fn a_question_of_a_background_agent_waits_for_its_answer_while_other_turns_end() {
    let place = Place::new();
    let running = json!([{"id": "a1", "type": "local_agent", "status": "running"}]);
    let told = |event: &str, fields: Value| place.fire_with(ATTENDED, event, "s1", fields);
    assert_eq!(decision(&fired(&place, ATTENDED, "auto", of_agent("a1", deletion(&place)))), "ask");
    // The main turn ends, another agent too, and a prompt comes: the dialog is still open.
    assert_eq!(told("stop", json!({"background_tasks": running})), None);
    assert_eq!(told("subagent-stop", of_agent("a2", json!({}))), None);
    assert_eq!(told("user-prompt-submit", json!({"prompt": "And now?"})), None);
    // A yes.
    place.write(TEST_FILE, TESTS.replace(ONE_TEST, ""));
    let mut run = of_agent("a1", deletion(&place));
    run["tool_response"] = json!({});
    assert_eq!(told("post-tool-use", run), None, "what a person let through is no regression");
    let decisions = place.state(&place.only_loop())["human_gates"].clone();
    assert_eq!((decisions.as_array().unwrap().len(), &decisions[0]["decision"]), (1, &json!("approve")));
    assert_eq!(told("stop", json!({})), None);
}

#[test]
fn what_a_person_refused_a_subagent_is_told_with_the_next_prompt() {
    for ends_by_itself in [true, false] {
        let place = Place::new();
        let told = |event: &str, fields: Value| place.fire_with(ATTENDED, event, "s1", fields);
        fired(&place, ATTENDED, "auto", of_agent("a1", deletion(&place)));
        if ends_by_itself {
            told("subagent-stop", of_agent("a1", json!({})));
        }
        // Nothing runs any more, so nobody waits for an answer.
        told("stop", json!({"background_tasks": []}));
        let answer = told("user-prompt-submit", json!({"prompt": "Go on."})).unwrap();
        assert!(answer.to_string().contains(FIRST_LINE), "{answer}");
        let decisions = place.state(&place.only_loop())["human_gates"].clone();
        assert_eq!((decisions.as_array().unwrap().len(), &decisions[0]["decision"]), (1, &json!("reject")));
    }
}
