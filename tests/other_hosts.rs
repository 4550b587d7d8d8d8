//! Hosts other than Claude Code through the built executables: installation, what is answered, sessions side by side.
#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

const TESTS: &str = "const test = require(\"node:test\");\ntest(\"adds\", () => { assert.equal(add(1, 2), 3); });\n\
                     test(\"refuses\", () => { assert.throws(() => add(\"x\")); });\n";

/// A repository with a HOME beside it.
struct Place {
    scratch: TempDir,
}

impl Place {
    fn new() -> Self {
        let place = Place { scratch: tempfile::tempdir().expect("a scratch directory") };
        for folder in [place.root(), place.home()] {
            fs::create_dir_all(folder).expect("a directory");
        }
        place.write("add.test.js", TESTS);
        for words in [
            &["init", "--quiet"][..],
            &["add", "--all"],
            &["-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "--quiet", "--message", "x"],
        ] {
            assert!(place.clean(Command::new("git").args(words)).output().expect("git").status.success());
        }
        place
    }

    fn root(&self) -> PathBuf {
        self.scratch.path().canonicalize().expect("the scratch directory").join("project")
    }

    fn home(&self) -> PathBuf {
        self.scratch.path().canonicalize().expect("the scratch directory").join("home")
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a written file");
    }

    fn text(&self, path: &str) -> String {
        fs::read_to_string(self.root().join(path)).unwrap_or_default()
    }

    fn clean<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        let path = std::env::var_os("PATH").unwrap_or_default();
        command.current_dir(self.root()).env_clear().env("HOME", self.home()).env("PATH", path)
    }

    fn steadfast(&self, words: &[&str]) -> Output {
        self.clean(Command::new(env!("CARGO_BIN_EXE_steadfast")).args(words)).output().expect("steadfast")
    }

    /// What the hook gives back for an event.
    fn hook(&self, words: &[&str], event: &Value) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_steadfast-hook"));
        let command = self.clean(command.args(words));
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the hook");
        let mut stdin = child.stdin.take().expect("its input");
        write!(stdin, "{event}").expect("an event");
        drop(stdin);
        child.wait_with_output().expect("its end")
    }

    fn answer(&self, words: &[&str], event: &Value) -> Value {
        let output = self.hook(words, event);
        assert!(output.status.success(), "{output:?}");
        serde_json::from_slice(&output.stdout).unwrap_or_default()
    }

    fn registry(&self) -> Value {
        serde_json::from_str(&self.text(".aiwg/ralph/registry.json")).unwrap_or_default()
    }
}

fn said(output: &Output) -> String {
    [&output.stdout[..], &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned()).concat()
}

fn value(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap_or_default()).unwrap_or_default()
}

/// A patch that deletes the second test and touches another file.
fn codex_patch(place: &Place, session: &str) -> Value {
    let patch = "*** Begin Patch\n*** Update File: add.test.js\n@@\n-test(\"refuses\", () => { assert.throws(() => add(\"x\")); });\n\
                 *** Add File: notes.md\n+x\n*** End Patch\n";
    json!({"session_id": session, "turn_id": "t", "cwd": place.root(), "hook_event_name": "PreToolUse",
        "model": "m", "permission_mode": "default", "tool_name": "apply_patch",
        "tool_input": {"command": patch}, "tool_use_id": format!("call-{session}")})
}

fn cursor_edit(place: &Place, session: &str) -> Value {
    json!({"conversation_id": session, "hook_event_name": "preToolUse", "cursor_version": "1",
        "workspace_roots": [place.root()], "tool_name": "Write", "tool_use_id": format!("tool-{session}"),
        "tool_input": {"file_path": place.root().join("new.js"), "content": "exports.x = 1;\n"}})
}

#[test]
fn an_installation_for_several_hosts_is_taken_back_to_nothing() {
    let place = Place::new();
    let output = place.steadfast(&["install", "--host", "codex,cursor,copilot"]);
    assert!(output.status.success(), "{}", said(&output));
    assert!(said(&output).contains("/hooks"), "the approval is not explained: {}", said(&output));
    for (file, event, host) in [
        (".codex/hooks.json", "PreToolUse", "codex"),
        (".cursor/hooks.json", "preToolUse", "cursor"),
        (".github/hooks/steadfast.json", "PreToolUse", ""),
    ] {
        let entries = value(&place.root().join(file))["hooks"][event].to_string();
        // Two hosts run the last of these, so it names neither.
        let named = if host.is_empty() { String::new() } else { format!(" --host {host}") };
        assert!(entries.contains(&format!("pre-tool-use{named}\"")), "{file}: {entries}");
    }
    let copilots = place.text(".github/hooks/steadfast.json");
    let other = place.steadfast(&["install", "--host", "vscode"]);
    assert!(said(&other).contains("already"), "{}", said(&other));
    assert_eq!(place.text(".github/hooks/steadfast.json"), copilots);
    assert!(!place.root().join(".claude").exists(), "Claude Code was not named");
    let once = place.text(".codex/hooks.json");
    let again = place.steadfast(&["install", "--host", "codex"]);
    assert!(said(&again).contains("already"), "{}", said(&again));
    assert_eq!(place.text(".codex/hooks.json"), once);
    let listed = said(&place.steadfast(&["hosts"]));
    let of_codex = listed.lines().find(|line| line.starts_with("codex")).unwrap_or_default();
    assert!(of_codex.ends_with(".codex/hooks.json"), "{listed}");
    let output = place.steadfast(&["uninstall", "--host", "codex,cursor,copilot"]);
    assert!(output.status.success(), "{}", said(&output));
    for folder in [".codex", ".cursor", ".github"] {
        assert!(!place.root().join(folder).exists(), "{folder} stays");
    }
}

#[test]
fn what_stands_in_a_hosts_file_comes_back_byte_for_byte() {
    let place = Place::new();
    let before = "{\n\t\"version\": 1,\n\t\"hooks\": {\"stop\": [{\"command\": \"beep\"}]}\n}";
    place.write(".cursor/hooks.json", before);
    assert!(place.steadfast(&["install", "--host", "cursor"]).status.success());
    assert!(place.text(".cursor/hooks.json").contains("beep"));
    assert!(place.steadfast(&["uninstall", "--host", "cursor"]).status.success());
    assert_eq!(place.text(".cursor/hooks.json"), before);
    place.write(".cursor/hooks.json", "{ broken");
    let refused = place.steadfast(&["install", "--host", "cursor"]);
    assert_eq!(refused.status.code(), Some(1), "{}", said(&refused));
    assert_eq!(place.text(".cursor/hooks.json"), "{ broken");
}

#[test]
fn a_host_that_runs_claude_codes_hooks_is_not_registered_twice() {
    let place = Place::new();
    // Settings that are shared call what each person has installed.
    let own = place.home().join(".local/bin");
    fs::create_dir_all(&own).expect("a folder");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_steadfast-hook"), own.join("steadfast-hook"))
        .expect("a link");
    let output = place.steadfast(&["install", "--scope", "project"]);
    assert!(output.status.success(), "{}", said(&output));
    let output = place.steadfast(&["install", "--host", "copilot"]);
    assert!(said(&output).contains("Nothing was registered twice"), "{}", said(&output));
    assert!(!place.root().join(".github").exists());
    let output = place.steadfast(&["install", "--host", "codex", "--scope", "local"]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(said(&output).contains("it has project and user"), "{}", said(&output));
}

/// The files below a folder, git's own left out.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().map(|entry| entry.expect("an entry").path());
    let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir() && !path.is_symlink());
    let below =
        folders.iter().filter(|folder| !folder.ends_with(".git")).flat_map(|folder| files_below(folder));
    files.into_iter().chain(below).collect()
}

/// What an installation for a host has written, where its hooks are called.
fn hook_files(place: &Place, host: &str, scope: &str) -> Vec<PathBuf> {
    let output = place.steadfast(&["install", "--host", host, "--scope", scope]);
    if !output.status.success() {
        assert!(said(&output).contains("it has"), "{host}: {}", said(&output));
        return Vec::new();
    }
    let folders = if scope == "user" { place.home() } else { place.root() };
    let calls = |path: &PathBuf| fs::read_to_string(path).is_ok_and(|text| text.contains("steadfast-hook"));
    let is_setting = |path: &PathBuf| !path.starts_with(place.home().join(".local")) && calls(path);
    files_below(&folders).into_iter().filter(is_setting).collect()
}

#[test]
fn the_file_that_calls_the_hook_is_guarded_by_its_name_in_every_host() {
    for host in steadfast::hosts::registry::HOSTS.iter().filter(|host| host.installation().is_some()) {
        let mut count = 0;
        for scope in ["project", "user"] {
            let place = Place::new();
            for file in hook_files(&place, host.name(), scope) {
                count += 1;
                let name = file.display();
                let call = |tool: &str, input: Value| {
                    let event = json!({"session_id": "s", "cwd": place.root(), "hook_event_name": "PreToolUse",
                        "tool_name": tool, "tool_input": input, "tool_use_id": "toolu_1"});
                    let answer = place.answer(&["pre-tool-use", "--host", "claude-code"], &event);
                    answer["hookSpecificOutput"]["permissionDecisionReason"]
                        .as_str()
                        .unwrap_or_default()
                        .to_owned()
                };
                let text = fs::read_to_string(&file).expect("its text");
                for (tool, input) in [
                    ("Bash", json!({"command": format!("rm {name}")})),
                    ("Bash", json!({"command": format!("echo x > {name}")})),
                    ("Bash", json!({"command": format!("sed -i s/steadfast-hook/true/ {name}")})),
                    ("Write", json!({"file_path": file, "content": "{}\n"})),
                    ("Write", json!({"file_path": file, "content": text.replace("steadfast-hook", "true")})),
                ] {
                    let refusal = call(tool, input.clone());
                    let by_guard = refusal.contains("SF-001") || refusal.contains("SF-002");
                    assert!(by_guard, "{} {name}: {input} gets {refusal:?}", host.name());
                }
                assert_eq!(call("Bash", json!({"command": format!("cat {name}")})), "", "{name}");
                assert_eq!(call("Write", json!({"file_path": file, "content": text})), "", "{name}");
                // Whether a file is guarded does not hang on what it holds now.
                fs::write(&file, "{}").expect("a written file");
                let refusal = call("Bash", json!({"command": format!("rm {name}")}));
                assert!(refusal.contains("SF-002"), "{} {name}: {refusal:?}", host.name());
            }
        }
        assert!(count > 0, "{} has no file that calls the hook", host.name());
    }
}

#[test]
fn a_patch_that_deletes_a_test_is_refused_in_its_hosts_words() {
    let place = Place::new();
    for words in [&["pre-tool-use", "--host", "codex"][..], &["pre-tool-use"], &[]] {
        let answer = place.answer(words, &codex_patch(&place, "a"));
        let specific = &answer["hookSpecificOutput"];
        assert_eq!(specific["permissionDecision"], "deny", "{words:?}: {answer}");
        let reason = specific["permissionDecisionReason"].as_str().unwrap_or_default();
        assert!(reason.contains("LP-001") && reason.contains("refuses"), "{reason}");
        let fields = answer.as_object().into_iter().flatten().map(|(name, _)| name.as_str());
        let known = ["hookSpecificOutput", "systemMessage"];
        assert!(fields.into_iter().all(|field| known.contains(&field)), "a field more voids it: {answer}");
    }
}

#[test]
fn two_hosts_with_sessions_of_one_id_share_the_project_and_not_the_session() {
    let place = Place::new();
    place.answer(&["pre-tool-use", "--host", "codex"], &codex_patch(&place, "same"));
    place.answer(&["--host", "cursor"], &cursor_edit(&place, "same"));
    let registry = place.registry();
    let sessions = registry["sessions"].as_object().cloned().unwrap_or_default();
    let mut names: Vec<&String> = sessions.keys().collect();
    names.sort();
    assert_eq!(names, ["codex:same", "cursor:same"], "{registry:#}");
    assert_ne!(sessions["codex:same"], sessions["cursor:same"], "each has a loop of its own");
    let log = said(&place.steadfast(&["log", "--json"]));
    assert!(log.contains(r#""host":"cursor""#) || log.contains(r#""host":"codex""#), "{log}");
}

#[test]
fn advice_that_a_host_cannot_give_before_a_call_is_given_after_it() {
    let place = Place::new();
    let started =
        place.steadfast(&["loop", "start", "Mend it", "--until", "`test -f done`", "--max-iterations", "3"]);
    assert!(started.status.success(), "{}", said(&started));
    let event = |name: &str, more: Value| {
        let mut event = json!({"conversation_id": "c", "hook_event_name": name, "workspace_roots": [place.root()],
            "cursor_version": "1"});
        event
            .as_object_mut()
            .zip(more.as_object())
            .map(|(all, more)| all.extend(more.clone()))
            .expect("objects");
        event
    };
    let begun = place.answer(&["session-start", "--host", "cursor"], &event("sessionStart", json!({})));
    assert!(begun["additional_context"].as_str().unwrap_or_default().contains("Mend it"), "{begun}");
    let call =
        json!({"tool_name": "Shell", "tool_input": {"command": "npm test || true"}, "tool_use_id": "t1"});
    let before = place.hook(&["pre-tool-use", "--host", "cursor"], &event("preToolUse", call.clone()));
    assert_eq!((before.stdout.as_slice(), before.status.code()), (&b""[..], Some(0)), "{}", said(&before));
    let after = place.answer(&["post-tool-use", "--host", "cursor"], &event("postToolUse", call.clone()));
    let told = after["additional_context"].as_str().unwrap_or_default();
    assert!(told.contains("SF-019"), "the advice is not there: {after}");
    let again = place.answer(&["post-tool-use", "--host", "cursor"], &event("postToolUse", call));
    assert_eq!(again, Value::Null, "it is said once");
}

#[test]
fn the_answer_of_a_broken_event_is_silence_in_every_host() {
    let place = Place::new();
    let listed = place.steadfast(&["hosts", "--json"]);
    let hosts: Vec<Value> = serde_json::from_slice(&listed.stdout).expect("a list");
    assert!(hosts.len() > 3, "{hosts:?}");
    for host in &hosts {
        let name = host["host"].as_str().expect("a name");
        for event in [json!(17), json!({}), json!({"hook_event_name": "NoSuchEvent"})] {
            let output = place.hook(&["no-such-event", "--host", name], &event);
            // One of them takes nothing but an object.
            let says_nothing = matches!(output.stdout.trim_ascii(), b"" | b"{}");
            let silent = says_nothing && output.stderr.is_empty() && output.status.success();
            assert!(silent, "{name} {event}: {output:?}");
        }
    }
}
