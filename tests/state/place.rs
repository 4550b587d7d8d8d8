//! A scratch project in git, and the two binaries run in it as a client and a person would.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Map, Value, json};

#[path = "../support/keyboard.rs"]
mod keyboard;

pub(crate) const HOOK: &str = env!("CARGO_BIN_EXE_steadfast-hook");
const STEADFAST: &str = env!("CARGO_BIN_EXE_steadfast");

/// The tests that calls try to lose.
pub(crate) const TESTS: &str = "from calc import add

def test_adds():
    assert add(1, 2) == 3

def test_zero():
    assert add(0, 0) == 0

def test_negative():
    assert add(-1, -2) == -3
";
/// One of them.
pub(crate) const ONE_TEST: &str = "
def test_zero():
    assert add(0, 0) == 0
";
/// Where they are.
pub(crate) const TEST_FILE: &str = "tests/test_calc.py";
/// What a loop of these tests waits for: a file `done`.
pub(crate) const CRITERIA: &str = "sh check.sh passes";

/// The project.
pub(crate) struct Place {
    scratch: tempfile::TempDir,
}

impl Place {
    /// A committed project with three tests.
    pub(crate) fn new() -> Place {
        Place::in_folder(tempfile::tempdir().unwrap())
    }

    /// The same in a folder of the caller's choice.
    pub(crate) fn in_folder(scratch: tempfile::TempDir) -> Place {
        let place = Place { scratch };
        fs::create_dir_all(place.home()).unwrap();
        place.write(TEST_FILE, TESTS);
        place.write("calc.py", "def add(a, b):\n    return a - b\n");
        place.write("check.sh", "test -f done || { cat why 2>/dev/null || echo not done; exit 1; }\n");
        place.git(&["init", "--quiet", "--initial-branch", "main"]);
        place.commit("First");
        place
    }

    /// Commits everything.
    pub(crate) fn commit(&self, message: &str) {
        self.git(&["add", "--all"]);
        let who = ["-c", "user.name=T", "-c", "user.email=t@example.org"];
        self.git(&[&who[..], &["commit", "--quiet", "--allow-empty", "-m", message]].concat());
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.scratch.path().canonicalize().unwrap().join("project")
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.scratch.path().join("home")
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.root().join(path)
    }

    pub(crate) fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    pub(crate) fn git(&self, arguments: &[&str]) {
        let status = Command::new("git").current_dir(self.root()).args(arguments).status().unwrap();
        assert!(status.success(), "git {arguments:?}");
    }

    pub(crate) fn command(&self, program: &str) -> Command {
        // A long run may use a faster build of the same programs.
        let faster = std::env::var_os("STEADFAST_EXECUTABLES").map(PathBuf::from);
        let faster = faster.and_then(|folder| Some(folder.join(Path::new(program).file_name()?)));
        let mut command = Command::new(faster.unwrap_or_else(|| program.into()));
        command
            .env_clear()
            .env("HOME", self.home())
            .env("PATH", std::env::var_os("PATH").unwrap())
            .env("CLAUDE_PROJECT_DIR", self.root())
            .current_dir(self.root())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Fires one event of a session where nobody can be asked, with more variables. It must exit with 0, say nothing
    /// on stderr, and print nothing or one object.
    pub(crate) fn fire_with(
        &self,
        variables: &[(&str, &str)],
        event: &str,
        session: &str,
        fields: Value,
    ) -> Option<Value> {
        let mut input = json!({"session_id": session, "cwd": self.root(), "permission_mode": "acceptEdits"});
        if let (Some(input), Value::Object(fields)) = (input.as_object_mut(), fields) {
            input.extend(fields);
        }
        let mut child = self.command(HOOK).arg(event).envs(variables.iter().copied()).spawn().unwrap();
        // The hook need not read to the end.
        child.stdin.take().unwrap().write_all(input.to_string().as_bytes()).ok();
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), &*stderr), (Some(0), ""), "{event}");
        if output.stdout.is_empty() {
            return None;
        }
        Some(serde_json::from_slice(&output.stdout).expect("one object"))
    }

    pub(crate) fn fire(&self, event: &str, session: &str, fields: Value) -> Option<Value> {
        self.fire_with(&[], event, session, fields)
    }

    /// Writes a file as the agent of the session `s1` does, with both events of the call.
    pub(crate) fn write_by_call(&self, path: &str, text: &str) {
        let input = json!({"file_path": self.path(path), "content": text});
        let fields = json!({"tool_name": "Write", "tool_input": input, "tool_use_id": "toolu_write", "tool_response": {}});
        self.fire("pre-tool-use", "s1", fields.clone());
        self.write(path, text);
        self.fire("post-tool-use", "s1", fields);
    }

    /// Fires an event from a process that ends with it, so that the session's client is gone afterwards.
    pub(crate) fn fire_and_leave(&self, event: &str, session: &str, fields: Value) {
        let mut input = json!({"session_id": session, "cwd": self.root(), "permission_mode": "acceptEdits"});
        if let (Some(input), Value::Object(fields)) = (input.as_object_mut(), fields) {
            input.extend(fields);
        }
        let mut child = self.command("sh").args(["-c", "\"$0\" \"$1\"; :", HOOK, event]).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.to_string().as_bytes()).unwrap();
        assert!(child.wait_with_output().unwrap().status.success());
    }

    pub(crate) fn start(&self, session: &str) -> Option<Value> {
        self.fire("session-start", session, json!({"source": "startup"}))
    }

    pub(crate) fn stop(&self, session: &str) -> Option<Value> {
        self.fire("stop", session, json!({"last_assistant_message": "All done.", "stop_hook_active": false}))
    }

    /// The event of an edit that takes `old` out of the tests and puts `new` in its place.
    pub(crate) fn edit(&self, event: &str, session: &str, old: &str, new: &str) -> Option<Value> {
        let input = json!({"file_path": self.path(TEST_FILE), "old_string": old, "new_string": new});
        self.fire(
            event,
            session,
            json!({"tool_name": "Edit", "tool_input": input, "tool_use_id": "toolu_edit"}),
        )
    }

    /// An edit that deletes a test: the answer of the guard to it.
    pub(crate) fn delete_test(&self, session: &str) -> Option<Value> {
        self.edit("pre-tool-use", session, ONE_TEST, "")
    }

    /// Whether an edit that deletes a test is denied.
    pub(crate) fn guards(&self, session: &str) -> bool {
        let answer = self.delete_test(session).unwrap_or_default();
        answer["hookSpecificOutput"]["permissionDecision"] == "deny"
    }

    /// A script that is run and takes a test with it, both events; the answer to the second.
    pub(crate) fn lose_by_script(&self, session: &str) -> Option<Value> {
        let fields = json!({
            "tool_name": "Bash", "tool_input": {"command": "python3 tidy.py"}, "tool_use_id": "toolu_script",
            "tool_response": {"stdout": "", "stderr": ""},
        });
        let before = self.fire("pre-tool-use", session, fields.clone());
        assert_eq!(before, None, "a script is let through");
        self.write(TEST_FILE, TESTS.replace(ONE_TEST, ""));
        self.fire("post-tool-use", session, fields)
    }

    /// `steadfast`, to be run in the project.
    pub(crate) fn command_of_steadfast(&self) -> Command {
        self.command(STEADFAST)
    }

    /// Runs `steadfast` as a person does.
    pub(crate) fn steadfast(&self, arguments: &[&str]) -> Output {
        let mut command = self.command(STEADFAST);
        command.args(arguments).stdin(Stdio::null());
        if keyboard::is_needed(arguments) { keyboard::run(&command) } else { command.output().unwrap() }
    }

    /// Runs it, and it must not fail. What it printed.
    pub(crate) fn done(&self, arguments: &[&str]) -> String {
        let output = self.steadfast(arguments);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "steadfast {arguments:?}: {stderr}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Starts a loop of a name, which the next session claims.
    pub(crate) fn start_loop(&self, id: &str) {
        self.done(&["loop", "start", "Make it right", "--until", CRITERIA, "--loop-id", id]);
    }

    /// The same, of at most so many iterations.
    pub(crate) fn start_bounded(&self, id: &str, max: &str) {
        let bounded = ["--loop-id", id, "--max-iterations", max];
        self.done(&[&["loop", "start", "Make it right", "--until", CRITERIA], &bounded[..]].concat());
    }

    /// Lets a loop's time be over.
    pub(crate) fn outlast(&self, id: &str) {
        let registry = self.path(".aiwg/ralph/registry.json");
        let old = jiff::Timestamp::now() - jiff::SignedDuration::from_hours(2);
        let mut state = self.state(id);
        state["started_at"] = json!(old);
        self.write(&format!(".aiwg/ralph/loops/{id}/state.json"), state.to_string());
        let mut all = read_json(&registry);
        all["loops"][id]["deadline"] = json!(old);
        self.unseal(id);
        self.write(".aiwg/ralph/registry.json", all.to_string());
    }

    /// Leaves a loop as older versions do: without a seal and second copies nothing is told of a change.
    pub(crate) fn unseal(&self, id: &str) {
        let registry = self.path(".aiwg/ralph/registry.seal");
        for seal in [registry, self.directory(id).join("state.seal")] {
            fs::remove_file(seal).ok();
        }
        let projects = fs::read_dir(self.home().join(".local/state/steadfast/projects"));
        for project in projects.into_iter().flatten().flatten() {
            for kept in fs::read_dir(project.path()).unwrap().flatten().filter(|kept| kept.path().is_dir()) {
                fs::remove_dir_all(kept.path()).unwrap();
            }
        }
    }

    pub(crate) fn directory(&self, id: &str) -> PathBuf {
        self.path(".aiwg/ralph/loops").join(id)
    }

    /// The ids of all loops.
    pub(crate) fn loops(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path(".aiwg/ralph/loops")).into_iter().flatten().flatten();
        entries.map(|entry| entry.file_name().into_string().unwrap()).collect()
    }

    pub(crate) fn only_loop(&self) -> String {
        let loops = self.loops();
        assert_eq!(loops.len(), 1, "{loops:?}");
        loops[0].clone()
    }

    pub(crate) fn json(&self, path: &str) -> Value {
        read_json(&self.path(path))
    }

    pub(crate) fn state(&self, id: &str) -> Value {
        read_json(&self.directory(id).join("state.json"))
    }

    /// The lines of a loop's log.
    pub(crate) fn log(&self, id: &str) -> Vec<Value> {
        let text = fs::read_to_string(self.directory(id).join("hook-log.jsonl")).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

pub(crate) fn read_json(path: &Path) -> Value {
    let bytes = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_slice(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The fields in which two states differ; those of `metrics` and `progress` by their own names.
pub(crate) fn changed(before: &Value, after: &Value) -> Vec<String> {
    let flat = |state: &Value| -> BTreeMap<String, Value> {
        let mut fields = BTreeMap::new();
        for (name, value) in state.as_object().unwrap_or(&Map::new()) {
            match value {
                Value::Object(inner) if name == "metrics" || name == "progress" => {
                    fields.extend(
                        inner.iter().map(|(field, value)| (format!("{name}.{field}"), value.clone())),
                    );
                }
                _ => {
                    fields.insert(name.clone(), value.clone());
                }
            }
        }
        fields
    };
    let (before, after) = (flat(before), flat(after));
    let names: std::collections::BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    names.into_iter().filter(|name| before.get(*name) != after.get(*name)).cloned().collect()
}
