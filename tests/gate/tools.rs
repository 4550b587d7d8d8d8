//! Tools beside the client's own edits and shell, and ways of its own tools round a gate: what writes waits for the
//! person, what reads goes on, and what is lost by any of them is seen.

use std::fs;

use serde_json::{Value, json};

use crate::looping;
use crate::place::{ONE_TEST, Place, TEST_FILE, TESTS};

fn call(place: &Place, event: &str, tool: &str, input: Value, more: Value) -> Value {
    let mut fields = json!({"tool_name": tool, "tool_input": input, "tool_use_id": "toolu_x"});
    if let (Some(fields), Some(more)) = (fields.as_object_mut(), more.as_object()) {
        fields.extend(more.clone());
    }
    place.fire(event, "s1", fields).unwrap_or_default()
}

fn denied(answer: &Value) -> bool {
    answer["hookSpecificOutput"]["permissionDecision"] == "deny"
}

fn asked(place: &Place, tool: &str, input: Value) -> bool {
    denied(&call(place, "pre-tool-use", tool, input, json!({})))
}

#[test]
fn at_an_open_gate_no_tool_writes_and_every_tool_reads() {
    let place = looping(true);
    let file = place.path("calc.py");
    let writes = [
        ("Write", json!({"file_path": file, "content": "x"})),
        ("Write", json!({"file_path": "/tmp/elsewhere.txt", "content": "x"})),
        ("Edit", json!({"file_path": file, "old_string": "a", "new_string": "b"})),
        ("MultiEdit", json!({"file_path": file, "edits": [{"old_string": "a", "new_string": "b"}]})),
        ("NotebookEdit", json!({"notebook_path": place.path("n.ipynb"), "new_source": "x"})),
        ("Bash", json!({"command": "sleep 5 && touch x", "run_in_background": true})),
        ("Bash", json!({"command": "python3 tidy.py"})),
        ("Bash", json!({"command": "touch x"})),
        ("Bash", json!({"command": "cargo test; mkdir -p a/b"})),
        ("Bash", json!({"command": "git add -A && git commit -m x"})),
        ("Monitor", json!({"command": "while :; do touch x; sleep 1; done"})),
        ("mcp__filesystem__write_file", json!({"path": file, "content": "x"})),
        ("mcp__filesystem__edit_file", json!({"path": file, "edits": [{"oldText": "a", "newText": "b"}]})),
        ("mcp__filesystem__move_file", json!({"source": file, "destination": "b.py"})),
        ("mcp__filesystem__create_directory", json!({"path": "d"})),
        ("mcp__filesystem__delete_file", json!({"path": file})),
        ("mcp__shell__execute_command", json!({"command": "touch x"})),
        ("mcp__serena__replace_symbol_body", json!({"relative_path": "calc.py", "body": "x"})),
        ("mcp__git__git_checkout", json!({"repo_path": ".", "branch_name": "main"})),
        ("mcp__github__create_or_update_file", json!({"owner": "o", "repo": "r", "path": "a"})),
        // Of these nothing is known: at a gate it costs little to wait.
        ("mcp__x__frobnicate", json!({})),
        ("mcp__x__frobnicate", json!({"file": file})),
        ("ApplyPatch", json!({"input": "*** Begin Patch"})),
    ];
    for (tool, input) in writes {
        let answer = call(&place, "pre-tool-use", tool, input.clone(), json!({}));
        assert!(denied(&answer), "{tool} {input}: {answer}");
        let last = place.log("one").pop().unwrap();
        assert!(last["outcomes"].to_string().contains(tool), "{tool} is in the log: {last}");
    }
    let reads = [
        ("Bash", json!({"command": "cat calc.py"})),
        ("Bash", json!({"command": "pytest -q 2>&1 | tail -5"})),
        ("Bash", json!({"command": "cd tests && ls -la; echo $?; sleep 1"})),
        ("Read", json!({"file_path": file})),
        ("WebFetch", json!({"url": "https://example.org", "prompt": "write a file"})),
        ("WebSearch", json!({"query": "delete"})),
        ("ExitPlanMode", json!({"plan": "steadfast gate approve"})),
        ("TodoWrite", json!({"todos": [{"content": "write tests", "status": "pending"}]})),
        ("Agent", json!({"prompt": "run steadfast gate approve", "description": "x"})),
        ("Task", json!({"prompt": "delete the tests", "description": "x"})),
        ("mcp__filesystem__read_text_file", json!({"path": file})),
        ("mcp__filesystem__search_files", json!({"path": ".", "pattern": "write"})),
        ("mcp__filesystem__list_directory", json!({"path": "."})),
        ("mcp__git__git_diff", json!({"repo_path": "."})),
        ("mcp__postgres__query", json!({"sql": "select 1"})),
        ("mcp__shell__execute_command", json!({"command": "git status"})),
        ("mcp__filesystem__edit_file", json!({"path": file, "edits": [], "dryRun": true})),
    ];
    for (tool, input) in reads {
        let answer = call(&place, "pre-tool-use", tool, input.clone(), json!({}));
        assert!(!denied(&answer), "{tool} {input}: {answer}");
    }
}

#[test]
fn a_subagent_waits_at_the_gate_as_the_main_agent_does() {
    let place = looping(true);
    for more in [
        json!({"agent_id": "a1b2", "agent_type": "general-purpose"}),
        json!({"agent_type": "reviewer"}),
        json!({"agent_id": "", "agent_type": ""}),
    ] {
        let input = json!({"file_path": place.path("calc.py"), "content": "x"});
        let answer = call(&place, "pre-tool-use", "Write", input, more.clone());
        assert!(denied(&answer), "{more}: {answer}");
        let command = json!({"command": "steadfast gate approve"});
        assert!(denied(&call(&place, "pre-tool-use", "Bash", command, more.clone())), "{more}");
        let read = json!({"command": "git status"});
        assert!(!denied(&call(&place, "pre-tool-use", "Bash", read, more)), "it may look");
    }
    assert!(place.state("one")["human_gates"][0]["decision"].is_null());
}

#[test]
fn what_a_background_command_loses_after_the_gate_opened_is_seen_at_the_next_event() {
    let place = looping(false);
    let started = json!({"command": "python3 slow.py", "run_in_background": true});
    let id = json!({"tool_use_id": "toolu_slow", "tool_response": {"stdout": "", "backgroundTaskId": "b1"}});
    assert!(!denied(&call(&place, "pre-tool-use", "Bash", started.clone(), id.clone())));
    call(&place, "post-tool-use", "Bash", started, id);
    place.lose_by_script("s1").expect("the gate opens");
    let events = || place.state("one")["regression_events"].as_array().map_or(0, Vec::len);
    assert_eq!(events(), 1);
    // What was started before goes on and takes another test.
    let left = fs::read_to_string(place.path(TEST_FILE)).unwrap();
    place.write(TEST_FILE, left.replace("def test_negative():\n    assert add(-1, -2) == -3\n", ""));
    let looked = json!({"command": "git status"});
    call(&place, "pre-tool-use", "Bash", looked.clone(), json!({}));
    call(&place, "post-tool-use", "Bash", looked, json!({"tool_response": {"stdout": "x"}}));
    place.stop("s1");
    let state = place.state("one");
    let told = state["regression_events"].to_string();
    assert!(told.contains("test_negative"), "the second loss is recorded: {told}");
    let gates = state["human_gates"].as_array().unwrap();
    assert_eq!(gates.len(), 1, "one question at a time");
    let asked = gates[0]["message"].as_str().unwrap();
    assert!(asked.contains("test_zero") && asked.contains("test_negative"), "it is about both: {asked}");
}

#[test]
fn an_edit_by_a_servers_tool_is_judged_kept_and_undone_like_the_clients_own() {
    let place = Place::new();
    place.start("s1");
    let without = TESTS.replace(ONE_TEST, "");
    for (tool, input) in [
        ("mcp__filesystem__write_file", json!({"path": place.path(TEST_FILE), "content": without})),
        (
            "mcp__filesystem__edit_file",
            json!({"path": TEST_FILE, "edits": [{"oldText": ONE_TEST, "newText": "\n"}]}),
        ),
        (
            "mcp__x__str_replace_editor",
            json!({"command": "str_replace", "path": place.path(TEST_FILE), "old_str": ONE_TEST, "new_str": "\n"}),
        ),
        ("mcp__filesystem__delete_file", json!({"path": TEST_FILE})),
        ("mcp__filesystem__move_file", json!({"source": TEST_FILE, "destination": "/tmp/aside.py"})),
        ("mcp__shell__execute_command", json!({"command": format!("rm {TEST_FILE}")})),
        ("mcp__shell__run", json!({"command": "rm", "args": [TEST_FILE]})),
        ("mcp__shell__exec", json!({"cmd": "git push --force", "cwd": place.root()})),
        ("mcp__db__execute_sql", json!({"query": "DROP TABLE users"})),
        ("mcp__code__run_python", json!({"code": format!("import os; os.remove('{TEST_FILE}')")})),
    ] {
        assert!(asked(&place, tool, input.clone()), "{tool} {input}");
    }
    // What loses nothing passes, is kept and can be undone.
    let before = fs::read(place.path("calc.py")).unwrap();
    let input = json!({"path": place.path("calc.py"), "content": "def add(a, b):\n    return a + b\n"});
    assert!(!asked(&place, "mcp__filesystem__write_file", input.clone()));
    place.write("calc.py", "def add(a, b):\n    return a + b\n");
    call(&place, "post-tool-use", "mcp__filesystem__write_file", input, json!({"tool_response": []}));
    place.done(&["undo", "--tool-call", "toolu_x"]);
    assert_eq!(fs::read(place.path("calc.py")).unwrap(), before);
}

#[test]
fn what_an_unknown_tool_loses_is_found_afterwards_and_its_bytes_are_there() {
    for (tool, input) in [
        ("mcp__serena__delete_lines", json!({"relative_path": TEST_FILE, "start_line": 6, "end_line": 8})),
        ("mcp__x__frobnicate", json!({})),
    ] {
        let place = Place::new();
        place.start("s1");
        assert!(!asked(&place, tool, input.clone()), "{tool}");
        place.write(TEST_FILE, TESTS.replace(ONE_TEST, ""));
        let told = call(&place, "post-tool-use", tool, input, json!({"tool_response": []}));
        assert!(told.to_string().contains("test_zero"), "{tool}: {told}");
        place.done(&["undo", "--tool-call", "toolu_x"]);
        assert_eq!(fs::read_to_string(place.path(TEST_FILE)).unwrap(), TESTS, "{tool}");
    }
}

#[test]
fn a_servers_tool_that_reads_leaves_nothing() {
    let place = Place::new();
    place.start("s1");
    for (tool, input) in [
        ("mcp__filesystem__read_text_file", json!({"path": TEST_FILE})),
        ("mcp__git__git_log", json!({"repo_path": "."})),
        ("mcp__fetch__fetch", json!({"url": "https://example.org"})),
    ] {
        for event in ["pre-tool-use", "post-tool-use"] {
            assert_eq!(call(&place, event, tool, input.clone(), json!({})), Value::Null, "{tool}");
        }
    }
    assert!(!place.path(".aiwg").exists());
}

#[test]
fn no_servers_tool_writes_what_is_the_guards() {
    let place = looping(false);
    let settings = json!({"disableAllHooks": true}).to_string();
    for (tool, input) in [
        ("mcp__filesystem__write_file", json!({"path": ".claude/settings.json", "content": settings})),
        ("mcp__filesystem__write_file", json!({"path": ".aiwg/ralph/registry.json", "content": "{}"})),
        ("mcp__filesystem__move_file", json!({"source": ".aiwg/ralph", "destination": "/tmp/aside"})),
        ("mcp__serena__delete_lines", json!({"relative_path": ".aiwg/ralph/registry.json"})),
        ("mcp__shell__execute_command", json!({"command": "steadfast gate approve"})),
        ("mcp__shell__execute_command", json!({"command": "pkill -f steadfast-hook"})),
        ("mcp__tmux__send_keys", json!({"keys": "steadfast gate approve", "pane": "0"})),
    ] {
        let answer = call(&place, "pre-tool-use", tool, input.clone(), json!({}));
        assert!(denied(&answer), "{tool} {input}: {answer}");
        let last = place.log("one").pop().unwrap();
        assert!(last["outcomes"].to_string().contains("SF-00"), "{tool} {input}: {last}");
    }
}
