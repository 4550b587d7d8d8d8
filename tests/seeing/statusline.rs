//! The line for the client's status line.

use serde_json::{Value, json};

use crate::place::{HOOK, Place};
use crate::with_input;

fn line(place: &Place, session: &str) -> String {
    let told = json!({"hook_event_name": "Status", "session_id": session, "cwd": place.root(),
        "workspace": {"project_dir": place.root(), "current_dir": place.root()}, "version": "2.1.332"});
    said(place, told.to_string().as_bytes(), &[("NO_COLOR", "1")])
}

fn said(place: &Place, input: &[u8], variables: &[(&str, &str)]) -> String {
    let output = with_input(place, &["statusline"], variables, input);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!((output.status.code(), &*output.stderr), (Some(0), &b""[..]), "{text}");
    assert_eq!(text.lines().count(), 1, "{text:?}");
    text.trim_end().to_owned()
}

#[test]
fn it_says_whether_a_session_is_guarded_and_what_came_of_it() {
    let place = Place::new();
    assert_eq!(line(&place, "s1"), "steadfast not guarded: steadfast doctor");
    assert!(!place.path(".aiwg").exists(), "a look writes nothing");
    let handler = json!({"type": "command", "command": HOOK, "args": ["pre-tool-use"]});
    place
        .write(".claude/settings.json", json!({"hooks": {"PreToolUse": [{"hooks": [handler]}]}}).to_string());
    assert_eq!(line(&place, "s1"), "steadfast guarded");
    assert!(place.guards("s1"));
    assert!(place.guards("s2"));
    assert_eq!(line(&place, "s1"), "steadfast guarded · 2 stopped today");
    place.write("aiwg.yml", "agent_persistence: {enabled: false}\n");
    assert_eq!(line(&place, "s9"), "steadfast off in aiwg.yml · 2 stopped today");
}

#[test]
fn it_shows_the_sessions_loop_and_an_open_gate() {
    let place = Place::new();
    place.start_loop("one");
    place.start("s1");
    assert_eq!(line(&place, "s1"), "steadfast guarded · loop one 1/10");
    place.lose_by_script("s1").expect("the loss is seen");
    assert_eq!(line(&place, "s1"), "steadfast guarded · loop one 1/10 · gate open: steadfast gate");
    assert!(line(&place, "s2").contains("loop one 1/10 (running) · gate open"), "{}", line(&place, "s2"));
}

#[test]
fn whatever_it_is_given_it_prints_one_line() {
    let place = Place::new();
    let deep = "[".repeat(100_000);
    for input in
        ["", "{", "[]", "null", "{\"session_id\": 7, \"workspace\": []}", "{\"cwd\": \"/nowhere\"}", &deep]
    {
        assert!(said(&place, input.as_bytes(), &[("TERM", "dumb")]).starts_with("steadfast "), "{input}");
    }
    place.write(".aiwg/ralph/registry.json", "{ half");
    place.write("aiwg.yml", "agent_persistence: [\n");
    place.write(".claude/settings.json", [0xff, 0xfe]);
    assert!(said(&place, b"\xff\xfe", &[]).contains("\u{1b}[31"));
    let plain = with_input(&place, &["statusline", "--plain"], &[], b"");
    assert!(!String::from_utf8(plain.stdout).unwrap().contains('\u{1b}'));
}

#[test]
fn the_settings_get_it_on_request_and_a_foreign_one_stays() {
    let place = Place::new();
    let settings = || -> Value { place.json(".claude/settings.local.json") };
    let install = ["install", "--client", "2.1.332", "--statusline"];
    place.done(&install[..3]);
    assert!(settings()["statusLine"].is_null(), "only on request");
    place.done(&install);
    let line = settings()["statusLine"].clone();
    assert!(line["command"].as_str().unwrap().trim_matches('\'').ends_with("steadfast statusline"), "{line}");
    place.done(&install[..3]);
    assert_eq!(settings()["statusLine"], line, "a later installation keeps it");
    let mut theirs = settings();
    theirs["statusLine"] = json!({"type": "command", "command": "my-line"});
    place.write(".claude/settings.local.json", theirs.to_string());
    assert!(place.done(&install).contains("somebody else's and stays"));
    assert_eq!(settings()["statusLine"]["command"], "my-line");
}
