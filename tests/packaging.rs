//! The files that the client reads from this repository agree with each other and with the code.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use steadfast::hosts::claude_code::registration::{hooks, plugin_hooks};

#[path = "support/executable.rs"]
mod executable;

fn file(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn json(path: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(file(path)).unwrap()).unwrap()
}

#[test]
fn the_plugin_registers_what_an_installation_registers() {
    assert_eq!(json("hooks/hooks.json")["hooks"], plugin_hooks("${CLAUDE_PLUGIN_ROOT}/hooks/run"));
    assert_ne!(fs::metadata(file("hooks/run")).unwrap().permissions().mode() & 0o111, 0);
}

#[test]
fn both_manifests_are_one_and_carry_the_packages_version() {
    let [top, read] = ["plugin.json", ".claude-plugin/plugin.json"].map(|path| fs::read(file(path)).unwrap());
    assert_eq!(top, read);
    let manifest = json("plugin.json");
    assert_eq!(manifest["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(manifest["name"], env!("CARGO_PKG_NAME"));
    // The client adds this one to hooks/hooks.json, and complains of duplicates.
    assert!(manifest.get("hooks").is_none());
    let marketplace = json(".claude-plugin/marketplace.json");
    assert_eq!(marketplace["plugins"][0]["name"], manifest["name"]);
    assert_eq!(marketplace["plugins"][0]["source"], "./");
}

/// The front matter of a Markdown file, line by line.
fn front_matter(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap();
    let mut parts = text.split("---\n");
    assert_eq!(parts.next(), Some(""), "{}: no front matter", path.display());
    parts.next().unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn a_command_is_named_like_its_folder_and_only_a_person_can_give_it() {
    let commands = ["allow", "loop", "status", "pause", "resume", "abort", "gate", "undo", "reflect"];
    for name in commands {
        let lines = front_matter(&file(&format!("skills/{name}/SKILL.md")));
        assert!(lines.contains(&format!("name: {name}")), "{name}: {lines:?}");
        assert!(lines.contains(&"disable-model-invocation: true".to_owned()), "{name}: {lines:?}");
    }
    // This one is for the agent itself.
    let lines = front_matter(&file("skills/reflection-injection/SKILL.md"));
    assert!(lines.contains(&"name: reflection-injection".to_owned()), "{lines:?}");
    assert!(!lines.contains(&"disable-model-invocation: true".to_owned()), "{lines:?}");
    let known = commands.len() + 1;
    assert_eq!(fs::read_dir(file("skills")).unwrap().count(), known, "a skill that this test does not know");
}

#[test]
fn the_orchestrator_has_its_tools() {
    let lines = front_matter(&file("agents/ralph-loop.md"));
    assert!(lines.contains(&"name: ralph-loop".to_owned()), "{lines:?}");
    let tools = "tools: Task, Read, Write, Bash, Glob, Grep, TodoWrite, Edit".to_owned();
    assert!(lines.contains(&tools), "{lines:?}");
}

/// Runs the launcher with a plugin root and a HOME that hold what `make` puts there.
fn launch(argument: &str, stdin: &str, make: impl Fn(&Path)) -> (String, Option<i32>) {
    let scratch = tempfile::tempdir().unwrap();
    make(scratch.path());
    let mut child = Command::new(file("hooks/run"))
        .arg(argument)
        .env_clear()
        .env("CLAUDE_PLUGIN_ROOT", scratch.path().join("root"))
        .env("CLAUDE_PROJECT_DIR", scratch.path().join("project"))
        .env("HOME", scratch.path().join("home"))
        .env("PATH", format!("{}:/usr/bin:/bin", scratch.path().join("path").display()))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let _ = std::io::Write::write_all(&mut input, stdin.as_bytes());
    drop(input);
    let output = child.wait_with_output().unwrap();
    (String::from_utf8(output.stdout).unwrap(), output.status.code())
}

fn telling(path: &Path) {
    executable::write(path, &format!("#!/bin/sh\necho {} \"$@\"\nexit 7\n", path.display()));
}

#[test]
fn the_launcher_becomes_the_first_executable_it_finds() {
    let places = ["root/bin/steadfast-hook", "home/.local/bin/steadfast-hook", "path/steadfast-hook"];
    for first in 0..places.len() {
        let made = &places[first..];
        let (said, code) = launch("stop", "{}", |scratch| {
            made.iter().for_each(|place| telling(&scratch.join(place)));
        });
        assert!(said.trim_end().ends_with(&format!("{} stop", places[first])), "{said}");
        assert_eq!(code, Some(7), "its exit code is the executable's");
    }
}

#[test]
fn the_launcher_steps_aside_where_the_settings_call_the_hook() {
    let ours = hooks("/opt/steadfast-hook").to_string();
    let cases = [
        ("project/.claude/settings.local.json", &ours[..], true),
        ("project/.claude/settings.json", &ours, true),
        ("home/.claude/settings.json", &ours, true),
        (
            "project/.claude/settings.json",
            "{\"permissions\": {\"allow\": [\"Bash(/opt/steadfast-hook)\"]}}",
            false,
        ),
        ("project/.claude/settings.json", "{\"command\": \"/opt/my-steadfast-hook\"}", false),
    ];
    for (path, settings, aside) in cases {
        let (said, _) = launch("stop", "{}", |scratch| {
            telling(&scratch.join("root/bin/steadfast-hook"));
            let path = scratch.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, settings).unwrap();
        });
        assert_eq!(said.is_empty(), aside, "{path} {settings}: {said}");
    }
}

#[test]
fn the_launcher_explains_a_missing_executable_at_the_start_of_a_session_only() {
    let startup = "{\"hook_event_name\":\"SessionStart\",\"source\":\"startup\"}\n";
    let (said, code) = launch("session-start", startup, |_| ());
    let answer: Value = serde_json::from_str(&said).unwrap();
    assert!(answer["systemMessage"].as_str().unwrap().contains("./install.sh"), "{said}");
    assert_eq!(code, Some(0));
    let resume = startup.replace("startup", "resume");
    for (argument, stdin) in [("session-start", &resume[..]), ("pre-tool-use", startup), ("stop", "")] {
        assert_eq!(launch(argument, stdin, |_| ()), (String::new(), Some(0)), "{argument} {stdin}");
    }
}
