use serde_json::{Map, json};

use super::*;
use crate::definitions::envelope::{AgentVerdict, RequestMetadata};

fn request() -> AgentRequest {
    let metadata = RequestMetadata {
        hook_name: "post_iteration".into(),
        loop_id: "ralph-x-00000000".into(),
        iteration: 7,
        inputs: Map::from_iter([("baseline".to_owned(), json!({"test_count": 150}))]),
    };
    AgentRequest::new("Compare", metadata, jiff::Timestamp::UNIX_EPOCH)
}

fn ask(script: &str, timeout_ms: u64) -> Result<Reply, ProgramFailure> {
    ask_in(script, timeout_ms, Path::new("/"))
}

fn ask_in(script: &str, timeout_ms: u64, cwd: &Path) -> Result<Reply, ProgramFailure> {
    call(&["sh", "-c", script], &request(), Some(Duration::from_millis(timeout_ms)), cwd)
}

const REPLY: &str = r#"{"role":"assistant","content":"ok","metadata":{"verdict":"WARN","seen":true}}"#;

#[test]
fn a_program_gets_the_message_and_its_reply_is_read() {
    let dir = tempfile::tempdir().unwrap();
    let reply = ask_in(&format!("cat > got.json; echo '{REPLY}'"), 5_000, dir.path()).unwrap();
    assert_eq!((reply.content.as_str(), reply.metadata.verdict), ("ok", Some(AgentVerdict::Warn)));
    assert_eq!(reply.metadata.extra["seen"], true);
    let got: AgentRequest =
        serde_json::from_slice(&std::fs::read(dir.path().join("got.json")).unwrap()).unwrap();
    assert_eq!(got, request());
}

#[test]
fn a_program_may_ignore_its_input_and_have_no_limit() {
    let mut large = request();
    large.content = "x".repeat(1_000_000);
    let script = format!("echo '{REPLY}'");
    assert!(call(&["sh", "-c", &script], &large, None, Path::new("/")).is_ok());
}

#[test]
fn a_relative_program_is_looked_for_in_the_directory() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("detector");
    std::fs::write(&path, format!("#!/bin/sh\necho '{REPLY}'\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    assert!(call(&["./detector"], &request(), Some(Duration::from_secs(5)), dir.path()).is_ok());
    let failure = call(&["./no-detector"], &request(), None, dir.path()).unwrap_err();
    assert!(matches!(failure, ProgramFailure::NotStarted { .. }), "{failure}");
    assert!(matches!(call(&[] as &[&str], &request(), None, dir.path()), Err(ProgramFailure::NoCommand)));
}

#[test]
fn every_failure_has_its_reason() {
    let rows = [
        (format!("echo '{REPLY}'; echo broken pipe dream >&2; exit 3"), "exit status: 3: broken pipe dream"),
        ("kill -9 $$".to_owned(), "signal: 9"),
        ("true".to_owned(), "printed no reply"),
        ("echo oops >&2".to_owned(), "printed no reply: oops"),
        ("echo hello".to_owned(), "no reply of the agents' form"),
        ("echo '{\"role\":\"user\"}'".to_owned(), "no reply of the agents' form"),
        (format!("echo '{REPLY}{REPLY}'"), "no reply of the agents' form"),
        ("head -c 2000000 /dev/zero".to_owned(), "more than 1048576 bytes"),
        ("yes".to_owned(), "more than 1048576 bytes"),
    ];
    for (script, text) in rows {
        let failure = ask(&script, 20_000).expect_err(&script).to_string();
        assert!(failure.contains(text), "{script}: {failure}");
    }
}

#[test]
fn a_late_program_is_ended_with_all_it_started() {
    let dir = tempfile::tempdir().unwrap();
    let scripts = [
        "(sleep 1; touch late) & sleep 60",
        "exec >&- 2>&-; (sleep 1; touch late) & sleep 60",
        "trap '' TERM; (sleep 1; touch late) & while :; do sleep 60; done",
    ];
    for script in scripts {
        let start = Instant::now();
        let failure = ask_in(script, 100, dir.path()).unwrap_err();
        assert!(matches!(failure, ProgramFailure::TimedOut { limit_ms: 100, .. }), "{script}: {failure}");
        assert!(start.elapsed() < Duration::from_secs(10), "{script}");
    }
    thread::sleep(Duration::from_millis(1_500));
    assert!(!dir.path().join("late").exists());
}

#[test]
fn what_a_program_leaves_in_the_background_is_not_waited_for() {
    let start = Instant::now();
    let reply = ask(&format!("sleep 60 & echo '{REPLY}'"), 30_000).unwrap();
    assert_eq!(reply.content, "ok");
    assert!(start.elapsed() < Duration::from_secs(20));
}
