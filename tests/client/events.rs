//! Events and tools that newer clients have: judged like what they stand for, or knowingly passed.

use serde_json::{Value, json};

use crate::place::{ONE_TEST, Place, TEST_FILE, TESTS};
use crate::{ATTENDED, decision, reason};

fn call(tool: &str, input: Value) -> Value {
    json!({"tool_name": tool, "tool_input": input, "tool_use_id": "toolu_1:preamble-0", "command_name": "tidy"})
}

#[test]
fn a_skills_shell_line_is_judged_and_nobody_is_asked_of_it() {
    let place = Place::new();
    let line = |command: &str| call("Bash", json!({"command": command}));
    for variables in [ATTENDED, &[]] {
        for command in ["rm -rf tests", "sed -i '/def test_zero/,/assert/d' tests/test_calc.py"] {
            let answer = place
                .fire_with(variables, "pre-skill-shell-command", "s1", line(command))
                .unwrap_or_default();
            assert_eq!(decision(&answer), "deny", "{command}: {answer}");
            assert_eq!(answer["hookSpecificOutput"]["hookEventName"], "PreSkillShellCommand", "{answer}");
            assert!(reason(&answer).starts_with("Steadfast: "), "{answer}");
        }
        let harmless = place.fire_with(variables, "pre-skill-shell-command", "s1", line("git status"));
        assert_eq!(harmless, None);
    }
}

#[test]
fn tools_that_run_something_are_judged_like_a_shell() {
    let place = Place::new();
    let delete = "require('fs').rmSync('tests', {recursive: true})";
    for (tool, input) in [
        ("Monitor", json!({"command": "rm -rf tests", "description": "watch", "timeout_ms": 1000})),
        ("mcp__workspace__bash", json!({"command": "rm -rf tests"})),
        ("REPL", json!({"code": delete})),
        ("Eval", json!({"code": delete})),
        ("JavaScript", json!({"code": delete})),
        ("CronCreate", json!({"cron": "* * * * *", "prompt": "/steadfast:gate approve", "recurring": true})),
        ("ScheduleWakeup", json!({"delaySeconds": 60, "prompt": "steadfast allow ABCDEFGH", "reason": "r"})),
    ] {
        let answer = place.fire("pre-tool-use", "s1", call(tool, input)).unwrap_or_default();
        assert_eq!(decision(&answer), "deny", "{tool}: {answer}");
    }
}

#[test]
fn what_changes_no_file_passes_without_a_word() {
    let place = Place::new();
    for (tool, input) in [
        ("ListAgents", json!({})),
        ("ToolSearch", json!({"query": "select:Monitor"})),
        ("Workflow", json!({"script": "log('hi')"})),
        ("EnterWorktree", json!({"name": "wt"})),
        ("CronCreate", json!({"cron": "*/5 * * * *", "prompt": "rm -rf tests", "recurring": true})),
        ("ScheduleWakeup", json!({"delaySeconds": 60, "prompt": "go on", "reason": "r"})),
        ("Monitor", json!({"command": "tail -f log.txt", "timeout_ms": 1000})),
    ] {
        assert_eq!(place.fire("pre-tool-use", "s1", call(tool, input)), None, "{tool}");
    }
}

#[test]
fn an_unknown_tool_that_may_write_is_swept_like_a_script() {
    let place = Place::new();
    let run = call("ApplyChanges", json!({"goal": "tidy"}));
    assert_eq!(place.fire("pre-tool-use", "s1", run.clone()), None);
    place.write(crate::place::TEST_FILE, crate::place::TESTS.replace(crate::place::ONE_TEST, ""));
    let answer = place.fire("post-tool-use", "s1", run).unwrap();
    assert_eq!(answer["decision"], "block", "{answer}");
    let first = answer["reason"].as_str().unwrap().lines().next().unwrap();
    assert!(first.contains("test_zero") && first.contains("LP-001"), "{first}");
}

#[test]
fn a_client_newer_than_what_was_tested_is_told_of_once_when_a_session_begins() {
    for (agent, source, told) in [
        ("claude-code_2-1-332_harness", "startup", false),
        ("claude-code_2-99-0_harness", "startup", true),
        ("claude-code_2-99-0_harness", "resume", false),
        ("claude-code_2-1-197_harness", "startup", false),
        ("something else", "startup", false),
    ] {
        let place = Place::new();
        let variables = [ATTENDED, &[("AI_AGENT", agent)]].concat();
        let answer = place.fire_with(&variables, "session-start", "s1", json!({"source": source}));
        let said = answer.map(|answer| answer["systemMessage"].to_string()).unwrap_or_default();
        assert_eq!(said.contains("2.99.0 is newer than 2.1.332"), told, "{agent} {source}: {said}");
    }
}

#[test]
fn nothing_of_the_environment_is_written_down() {
    const SECRET: &str = "s3cr3t-4f9a1c";
    let place = Place::new();
    let secrets: Vec<(&str, &str)> = [
        "CLAUDE_CODE_MESSAGING_TOKEN",
        "CLAUDE_CODE_MESSAGING_SOCKET",
        "ANTHROPIC_API_KEY",
        "CLAUDE_CODE_CHILD_NOTES_DIR",
    ]
    .map(|name| (name, SECRET))
    .to_vec();
    let fire = |event: &str, fields: serde_json::Value| place.fire_with(&secrets, event, "s1", fields);
    let mut answers = vec![fire("session-start", json!({"source": "startup"}))];
    let call =
        json!({"tool_name": "Bash", "tool_input": {"command": "sh tidy.sh"}, "tool_use_id": "toolu_1"});
    answers.push(fire("pre-tool-use", call.clone()));
    place.write(TEST_FILE, TESTS.replace(ONE_TEST, ""));
    answers.push(fire("post-tool-use", call));
    answers.push(fire("stop", json!({})));
    answers.push(fire("session-end", json!({"reason": "other"})));
    assert!(answers.iter().flatten().all(|answer| !answer.to_string().contains(SECRET)), "{answers:?}");
    let mut folders = vec![place.root(), place.home()];
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            files += 1;
            let bytes = std::fs::read(&path).unwrap();
            let holds = bytes.windows(SECRET.len()).any(|part| part == SECRET.as_bytes());
            assert!(!holds, "{}", path.display());
        }
    }
    assert!(files > 10, "the state was looked at");
}
