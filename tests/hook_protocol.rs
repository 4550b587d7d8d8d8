//! The hook's binary as a host runs it: whatever comes, it exits with 0 and prints nothing or one JSON object.

#![expect(clippy::expect_used, clippy::panic, reason = "a test fails by panicking, its helpers included")]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use proptest::prelude::*;
use serde_json::{Value, json};

const HOOK: &str = env!("CARGO_BIN_EXE_steadfast-hook");
const EVENTS: &[&str] = &[
    "session-start",
    "user-prompt-submit",
    "pre-tool-use",
    "post-tool-use",
    "post-tool-use-failure",
    "stop",
    "subagent-stop",
    "pre-compact",
    "session-end",
];

/// A project directory and a home that nothing else uses.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Place {
        let directory = tempfile::tempdir().expect("temporary directory");
        fs::create_dir(directory.path().join("project")).expect("project");
        Place(directory)
    }

    fn project(&self) -> PathBuf {
        self.0.path().join("project")
    }

    fn command(&self, program: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        command
            .args(arguments)
            .env_clear()
            .env("HOME", self.0.path())
            .env("CLAUDE_PROJECT_DIR", self.project())
            .env("CLAUDE_CODE_ENTRYPOINT", "cli")
            .current_dir(self.project())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    fn run(&self, arguments: &[&str], input: &[u8]) -> Output {
        fed(&mut self.command(HOOK, arguments), input)
    }

    fn event(&self, tool: &str, tool_input: &Value) -> Value {
        json!({
            "session_id": "5e5510", "cwd": self.project(), "permission_mode": "default",
            "tool_name": tool, "tool_input": tool_input, "tool_use_id": "toolu_1",
        })
    }
}

/// Runs the command with `input` on stdin, which the hook need not read to its end.
fn fed(command: &mut Command, input: &[u8]) -> Output {
    let mut child = command.spawn().expect("the hook starts");
    let mut stdin = child.stdin.take().expect("piped");
    let input = input.to_vec();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().expect("the hook ends");
    let _ = writer.join().expect("the writer ends");
    output
}

/// Checks what holds for every run, and gives the answer if there is one.
fn answered(output: &Output, what: &str) -> Option<Value> {
    let stdout =
        String::from_utf8(output.stdout.clone()).unwrap_or_else(|_| panic!("{what}: stdout is no text"));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{what}: {:?} {stderr}", output.status);
    assert_eq!(stderr, "", "{what}");
    if stdout.is_empty() {
        return None;
    }
    let answer: Value =
        serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{what}: {error}: {stdout}"));
    assert!(answer.as_object().is_some_and(|object| !object.is_empty()), "{what}: {stdout}");
    assert!(!has_null(&answer), "{what}: {stdout}");
    Some(answer)
}

fn has_null(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(elements) => elements.iter().any(has_null),
        Value::Object(fields) => fields.values().any(has_null),
        _ => false,
    }
}

fn kebab(name: &str) -> String {
    let mut kebab = String::new();
    for character in name.chars() {
        if character.is_uppercase() && !kebab.is_empty() {
            kebab.push('-');
        }
        kebab.extend(character.to_lowercase());
    }
    kebab
}

#[test]
fn every_recorded_event_gets_a_valid_answer() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/events/claude-code");
    let Ok(versions) = fs::read_dir(&root) else { return };
    for version in versions.map(|entry| entry.expect("entry").path()).filter(|path| path.is_dir()) {
        for file in
            fs::read_dir(version).expect("a version's events").map(|entry| entry.expect("entry").path())
        {
            if file.extension().is_none_or(|extension| extension != "json") {
                continue;
            }
            let what = file.display().to_string();
            let place = Place::new();
            let project = place.project().display().to_string();
            let input = fs::read_to_string(&file).expect("event").replace("/home/user/project", &project);
            let stem = file.file_stem().and_then(|stem| stem.to_str()).expect("a file name");
            // Not from the text: some recorded events are no valid JSON.
            let name = stem.split('-').next().unwrap_or(stem);
            for arguments in [&[kebab(name).as_str()][..], &[]] {
                let answer = answered(&place.run(arguments, input.as_bytes()), &what);
                if let Some(specific) = answer.as_ref().and_then(|answer| answer.get("hookSpecificOutput")) {
                    assert_eq!(specific["hookEventName"], name, "{what}");
                }
            }
        }
    }
}

/// A call of another host that deletes what is not the project's: how the host says it, and where its answer has the
/// reason. Without a place there it is an exit code and stderr.
fn calls_of_other_hosts(cwd: &Path) -> Vec<(&'static str, &'static str, Value, Option<&'static str>)> {
    let input = json!({"command": "rm -rf /usr"});
    let said = |tool: &str, more: Value| {
        let mut said = json!({"session_id": "s-1", "cwd": cwd, "tool_name": tool, "tool_input": input});
        said.as_object_mut().expect("fields").extend(more.as_object().expect("fields").clone());
        said
    };
    let nested = Some("/hookSpecificOutput/permissionDecisionReason");
    let claude = |tool: &str| said(tool, json!({"hook_event_name": "PreToolUse"}));
    let goose = json!({"event": "PreToolUse", "matcher_context": "developer__shell", "working_dir": cwd});
    let cline = json!({"hookName": "tool_call", "clineVersion": "", "taskId": "t-1", "workspaceRoots": [cwd],
        "tool_call": {"id": "1", "name": "run_commands", "input": {"commands": ["rm -rf /usr"]}}});
    let opencode = json!({"directory": cwd, "worktree": cwd, "output": {"args": input},
        "input": {"tool": "bash", "sessionID": "ses_1", "callID": "1"}});
    let windsurf = json!({"agent_action_name": "pre_run_command", "trajectory_id": "t-1",
        "tool_info": {"command_line": "rm -rf /usr", "cwd": cwd}});
    let before = said("run_shell_command", json!({"hook_event_name": "BeforeTool", "timestamp": "t"}));
    let qwen = json!({"hook_event_name": "PreToolUse", "timestamp": "t", "permission_mode": "yolo"});
    let kiro = json!({"hook_event_name": "preToolUse", "cwd": cwd, "tool_name": "execute_bash", "tool_input": input});
    vec![
        ("gemini", "pre-tool-use", before, Some("/reason")),
        ("qwen", "pre-tool-use", said("run_shell_command", qwen), nested),
        ("droid", "pre-tool-use", claude("Execute"), nested),
        ("kimi", "pre-tool-use", claude("Shell"), nested),
        ("kimi-code", "pre-tool-use", claude("Bash"), nested),
        ("opencode", "pre-tool-use", opencode, Some("/deny")),
        ("cline", "pre-tool-use", cline, Some("/errorMessage")),
        ("goose", "pre-tool-use", said("developer__shell", goose), Some("/reason")),
        ("crush", "pre-tool-use", said("bash", json!({"event": "PreToolUse"})), Some("/reason")),
        ("windsurf", "pre-run-command", windsurf, None),
        ("kiro", "pre-tool-use", kiro, None),
    ]
}

/// The reason of a refusal, as the host is told it.
fn refusal(output: &Output, host: &str, place: Option<&str>) -> String {
    let Some(pointer) = place else {
        assert_eq!(output.status.code(), Some(2), "{host}: {output:?}");
        assert!(output.stdout.is_empty(), "{host}: {output:?}");
        return String::from_utf8_lossy(&output.stderr).into_owned();
    };
    let answer = answered(output, host).unwrap_or_else(|| panic!("{host} was told nothing"));
    answer.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned()
}

#[test]
fn each_host_hears_a_refusal_in_its_own_words() {
    let place = Place::new();
    for (host, argument, event, reason) in calls_of_other_hosts(&place.project()) {
        let output = place.run(&[argument, "--host", host], event.to_string().as_bytes());
        let said = refusal(&output, host, reason);
        assert!(said.contains("/usr") && said.contains("SF-"), "{host}: {said} {output:?}");
    }
}

#[test]
fn a_host_is_known_by_the_form_of_its_event_whatever_the_environment_says() {
    let place = Place::new();
    for (host, argument, event, reason) in calls_of_other_hosts(&place.project()) {
        // What these send, others send too: their installations name them.
        if matches!(host, "droid" | "kimi" | "kimi-code") {
            continue;
        }
        let output = place.run(&[argument], event.to_string().as_bytes());
        let said = refusal(&output, host, reason);
        assert!(said.contains("SF-"), "{host}: {said} {output:?}");
    }
}

#[test]
fn a_harmless_call_gets_no_output_at_all() {
    let place = Place::new();
    let calls = [
        ("Bash", json!({"command": "ls"})),
        ("Read", json!({"file_path": "a.txt"})),
        ("Write", json!({"file_path": "notes.txt", "content": "hello\n"})),
    ];
    for (tool, tool_input) in calls {
        let input = place.event(tool, &tool_input).to_string();
        assert_eq!(answered(&place.run(&["pre-tool-use"], input.as_bytes()), tool), None, "{tool}");
    }
}

#[test]
fn damaged_and_foreign_input_is_survived_at_every_event() {
    let place = Place::new();
    let whole = place.event("Bash", &json!({"command": "echo 'x' && ls"})).to_string();
    let surrogate = whole.replace('x', r"\ud83d");
    let mut inputs: Vec<(&str, Vec<u8>)> = vec![
        ("empty", Vec::new()),
        ("blank", b" \n".to_vec()),
        ("not JSON", b"hello".to_vec()),
        ("no object", b"[1,2]".to_vec()),
        ("null", b"null".to_vec()),
        ("empty object", b"{}".to_vec()),
        ("nulls", br#"{"session_id":null,"tool_name":null,"tool_input":null,"cwd":null}"#.to_vec()),
        ("wrong types", br#"{"session_id":1,"tool_name":[],"tool_input":"x","cwd":{}}"#.to_vec()),
        ("lone surrogate", surrogate.into_bytes()),
        ("two objects", format!("{whole}\n{whole}").into_bytes()),
        ("deep", format!("{{\"tool_input\":{}", "[".repeat(200_000)).into_bytes()),
        ("not UTF-8", b"{\"tool_name\":\"\xff\xfe\xc3\"}".to_vec()),
    ];
    inputs.extend((1..whole.len()).step_by(17).map(|end| ("truncated", whole.as_bytes()[..end].to_vec())));
    for (what, input) in &inputs {
        let events = if *what == "truncated" { &EVENTS[2..3] } else { EVENTS };
        for event in events {
            answered(&place.run(&[event], input), &format!("{event}, {what}, {} bytes", input.len()));
        }
    }
}

#[test]
fn a_call_that_nobody_can_read_is_stopped() {
    let place = Place::new();
    let nested = format!("{}rm -rf src{}", "$(".repeat(20_000), ")".repeat(20_000));
    for (what, command) in [
        ("17 MB", format!("rm -rf src # {}", "x".repeat(17 << 20))),
        ("substitutions in each other", nested),
        ("texts that run each other", format!("{}rm -rf src", "eval ".repeat(300))),
    ] {
        let call = place.event("Bash", &json!({"command": command}));
        let said = answered(&place.run(&["pre-tool-use"], call.to_string().as_bytes()), what);
        let decision = said.as_ref().map(|said| &said["hookSpecificOutput"]["permissionDecision"]);
        assert!(decision.is_some_and(|it| it == "ask" || it == "deny"), "{what}: {said:?}");
    }
    let calls_itself = "again() { [ \"$1\" -gt 0 ] && echo \"$1\" && again $(( $1 - 1 )); }\nagain 3";
    let call = place.event("Bash", &json!({"command": calls_itself}));
    assert_eq!(answered(&place.run(&["pre-tool-use"], call.to_string().as_bytes()), "a recursion"), None);
}

#[test]
fn large_events_are_survived() {
    let place = Place::new();
    let three = "word ".repeat(600_000);
    let seventeen = "word ".repeat(3_400_000);
    for (what, text) in [("3 MB", &three), ("17 MB", &seventeen)] {
        let write = place.event("Write", &json!({"file_path": "notes.txt", "content": text}));
        answered(&place.run(&["pre-tool-use"], write.to_string().as_bytes()), what);
    }
    let shell = place.event("Bash", &json!({"command": format!("echo {three}")}));
    answered(&place.run(&["pre-tool-use"], shell.to_string().as_bytes()), "a command of 3 MB");
}

#[test]
fn unknown_missing_and_strange_arguments_end_well() {
    let place = Place::new();
    let input = place.event("Bash", &json!({"command": "ls"})).to_string();
    let rows: &[&[&str]] =
        &[&[], &["no-such-event"], &[""], &["--no-such-flag"], &["pre-tool-use", "more"], &["é\n"]];
    for arguments in rows {
        for input in [input.as_bytes(), b"", b"hello"] {
            let what = format!("{arguments:?}, {} bytes", input.len());
            assert_eq!(answered(&place.run(arguments, input), &what), None, "{what}");
        }
    }
}

#[test]
fn a_person_gets_help_and_the_version() {
    let place = Place::new();
    for (argument, expected) in [("--help", "usage: steadfast-hook"), ("--version", "steadfast-hook 0.")] {
        let output = place.run(&[argument], b"");
        assert_eq!(output.status.code(), Some(0), "{argument}");
        assert!(output.stdout.starts_with(expected.as_bytes()), "{argument}: {output:?}");
    }
}

#[test]
fn closed_streams_are_no_failure() {
    let place = Place::new();
    let input = place.event("Bash", &json!({"command": "ls"})).to_string();
    for redirection in ["<&-", ">&-", "2>&-", "<&- >&- 2>&-", "| true", "> /dev/full"] {
        for argument in ["pre-tool-use", "stop", "--help"] {
            // The hook's own code, not that of the pipe.
            let script = format!("{{ \"$0\" {argument}; echo $? >&3; }} 3>code {redirection}");
            let mut shell = place.command("/bin/sh", &["-c", &script, HOOK]);
            let output = fed(&mut shell, input.as_bytes());
            let code = fs::read_to_string(place.project().join("code")).expect("the code");
            assert_eq!(code.trim(), "0", "{argument} {redirection}: {output:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_survived(bytes in proptest::collection::vec(any::<u8>(), 0..400), event in 0..EVENTS.len()) {
        let place = Place::new();
        answered(&place.run(&[EVENTS[event]], &bytes), EVENTS[event]);
    }

    #[test]
    fn any_json_text_is_survived(text in "\\PC{0,60}", command in "[ -~\\n]{0,80}") {
        let place = Place::new();
        let input = place.event("Bash", &json!({"command": command, "description": text})).to_string();
        answered(&place.run(&["pre-tool-use"], input.as_bytes()), &command);
    }
}

/// The last word, on the real process. The faults exist in debug builds only.
#[cfg(debug_assertions)]
mod last_word {
    use std::time::{Duration, Instant};

    use super::*;

    /// Each fault, and how the log names it.
    const FAULTS: &[(&str, &str)] = &[
        ("panic", "panic at "),
        ("abort", "abort"),
        ("overflow", "segmentation fault"),
        ("oom", "abort"),
        ("hang", "deadline"),
    ];

    fn failing(place: &Place, event: &str, fault: &str) -> Output {
        let input = place.event("Bash", &json!({"command": "rm -rf tests"})).to_string();
        let mut command = place.command(HOOK, &[event]);
        command.env("STEADFAST_FAULT", fault).env("STEADFAST_FAULT_LOG", place.0.path().join("log"));
        fed(&mut command, input.as_bytes())
    }

    fn log(place: &Place) -> String {
        fs::read_to_string(place.0.path().join("log")).expect("the log")
    }

    #[test]
    fn a_failure_inside_a_loop_asks_before_a_call_and_is_logged() {
        for (fault, cause) in FAULTS {
            let place = Place::new();
            let output = failing(&place, "pre-tool-use", &format!("guarded {fault}"));
            assert_eq!(output.status.code(), Some(0), "{fault}: {output:?}");
            let answer: Value =
                serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{fault}: {output:?}"));
            assert_eq!(answer["hookSpecificOutput"]["hookEventName"], "PreToolUse", "{fault}");
            assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], "ask", "{fault}");
            let reason =
                answer["hookSpecificOutput"]["permissionDecisionReason"].as_str().unwrap_or_default();
            assert!(reason.contains("Steadfast failed"), "{fault}: {reason}");
            let log = log(&place);
            assert!(log.ends_with("\"}\n") && log.lines().count() == 1, "{fault}: {log}");
            let line: Value =
                serde_json::from_str(&log).unwrap_or_else(|error| panic!("{fault}: {error}: {log}"));
            let logged = line["cause"].as_str().unwrap_or_default();
            assert!(logged.starts_with(cause), "{fault}: {logged}");
        }
    }

    #[test]
    fn a_failure_without_a_loop_lets_the_call_through_silently() {
        for (fault, _) in FAULTS {
            let place = Place::new();
            let output = failing(&place, "pre-tool-use", fault);
            assert_eq!(output.status.code(), Some(0), "{fault}: {output:?}");
            assert_eq!(output.stdout, b"", "{fault}");
            assert_eq!(log(&place).lines().count(), 1, "{fault}");
        }
    }

    #[test]
    fn in_a_session_that_is_watched_a_person_hears_of_a_failure_and_nothing_is_decided() {
        for event in ["pre-tool-use", "post-tool-use", "stop"] {
            for (fault, _) in FAULTS {
                let output = failing(&Place::new(), event, &format!("watched {fault}"));
                let said = String::from_utf8_lossy(&output.stdout).into_owned();
                let told: Value = serde_json::from_str(&said).unwrap_or_else(|_| panic!("{fault}: {said}"));
                assert!(told.as_object().is_some_and(|told| told.keys().eq(["systemMessage"])), "{said}");
                assert!(said.contains("nothing about it was checked"), "{event}, {fault}: {said}");
            }
        }
    }

    #[test]
    fn every_other_event_fails_open_even_inside_a_loop() {
        for event in EVENTS.iter().filter(|event| **event != "pre-tool-use") {
            for fault in ["guarded panic", "guarded abort", "guarded hang"] {
                let output = failing(&Place::new(), event, fault);
                assert_eq!(output.status.code(), Some(0), "{event}, {fault}: {output:?}");
                // Nothing is decided; at most a person hears of it.
                let said = String::from_utf8_lossy(&output.stdout).into_owned();
                let told: Option<Value> =
                    (!said.is_empty()).then(|| serde_json::from_str(&said).expect(&said));
                let told = told.as_ref().and_then(Value::as_object);
                assert!(
                    told.is_none_or(|told| told.keys().eq(["systemMessage"])),
                    "{event}, {fault}: {said}"
                );
            }
        }
    }

    #[test]
    fn what_the_hook_spawns_can_be_given_the_limits_it_was_started_with() {
        let place = Place::new();
        let script = "ulimit -S -v 4000000; ulimit -S -c 0; \"$0\" stop";
        let mut shell = place.command("/bin/sh", &["-c", script, HOOK]);
        shell.env("STEADFAST_FAULT", "limits").env("STEADFAST_FAULT_LOG", place.0.path().join("log"));
        assert_eq!(answered(&fed(&mut shell, b"{}"), "limits"), None);
        // In kilobytes: a hook keeps to less than what it was started with.
        assert_eq!(log(&place), "inherited 4000000\nown 1048576\n");
    }

    #[test]
    fn a_panic_is_silent_on_stderr() {
        let output = failing(&Place::new(), "pre-tool-use", "panic");
        assert_eq!(output.stderr, b"", "{output:?}");
    }

    #[test]
    fn a_host_that_never_ends_its_event_is_answered_by_the_deadline() {
        let place = Place::new();
        let started = Instant::now();
        let mut child = place.command(HOOK, &["stop"]).spawn().expect("the hook starts");
        let mut stdin = child.stdin.take().expect("piped");
        stdin.write_all(b"{\"session_id\":").expect("the hook reads");
        let status = child.wait().expect("the hook ends");
        drop(stdin);
        assert_eq!(status.code(), Some(0));
        assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
    }
}
