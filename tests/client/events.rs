//! Events and tools that newer clients have: judged like what they stand for, or knowingly passed.

use serde_json::{Value, json};

use crate::place::Place;
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
