//! A scratch project: a git repository in a temporary directory, with a HOME of its own beside it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use super::client::VERSION;
use super::{executable, keyboard};

/// The project. It goes when dropped.
pub(crate) struct Project {
    scratch: TempDir,
}

impl Project {
    /// A committed repository with these files.
    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let project = Project { scratch: tempfile::tempdir().expect("a scratch directory") };
        for directory in [project.root(), project.home()] {
            fs::create_dir_all(directory).expect("a directory");
        }
        for (path, text) in files {
            project.write(path, text);
        }
        project.git(&["init", "--quiet", "--initial-branch", "main"]);
        project.commit();
        project
    }

    /// Commits everything as it is.
    pub(crate) fn commit(&self) {
        self.git(&["add", "--all"]);
        let identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org"];
        self.git(
            &[&identity[..], &["commit", "--quiet", "--allow-empty", "--message", "As it was"]].concat(),
        );
    }

    /// Installs the hooks into the project's local settings with the real command.
    pub(crate) fn install(self) -> Self {
        self.install_for(VERSION)
    }

    /// Installs the hooks for a client of this version.
    pub(crate) fn install_for(self, version: &str) -> Self {
        let root = self.root();
        let output = self.steadfast(&["install", root.to_str().expect("UTF-8"), "--client", version]);
        assert!(output.status.success(), "steadfast install: {}", said(&output));
        self
    }

    /// The project's directory.
    pub(crate) fn root(&self) -> PathBuf {
        self.scratch.path().canonicalize().expect("the scratch directory").join("project")
    }

    /// The HOME of everything that runs in the project.
    pub(crate) fn home(&self) -> PathBuf {
        self.scratch.path().canonicalize().expect("the scratch directory").join("home")
    }

    /// A path of the project, absolute.
    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.root().join(path)
    }

    /// A file's text; panics when it is missing.
    pub(crate) fn text(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// Writes a file, with its directories.
    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        fs::write(path, text).expect("a written file");
    }

    /// Writes an executable file.
    pub(crate) fn write_script(&self, path: &str, text: &str) {
        executable::write(&self.path(path), text);
    }

    /// A JSON file.
    pub(crate) fn json(&self, path: &str) -> Value {
        serde_json::from_str(&self.text(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// Runs git in the project; panics when it fails.
    pub(crate) fn git(&self, args: &[&str]) -> String {
        let output = self.clean(Command::new("git").args(args)).output().expect("git");
        assert!(output.status.success(), "git {args:?}: {}", said(&output));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Runs the built `steadfast` in the project.
    pub(crate) fn steadfast(&self, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_steadfast"));
        self.clean(command.args(args));
        if keyboard::is_needed(args) { keyboard::run(&command) } else { command.output().expect("steadfast") }
    }

    /// Gives a command the project's directory and an environment with nothing of this machine's user in it.
    pub(crate) fn clean<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command
            .current_dir(self.root())
            .env_clear()
            .env("HOME", self.home())
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("LANG", "C.UTF-8")
            .env("GIT_CONFIG_NOSYSTEM", "1")
    }

    /// Starts a loop at the command line; panics when it does not start.
    pub(crate) fn start_loop(&self, args: &[&str]) -> String {
        let started = self.steadfast(&[&["loop", "start"], args].concat());
        assert!(started.status.success(), "{}", said(&started));
        said(&started)
    }

    /// The state of a loop.
    pub(crate) fn state_of(&self, id: &str) -> Value {
        self.json(&format!(".aiwg/ralph/loops/{id}/state.json"))
    }

    /// A loop's finished iterations, oldest first: those that its state has let go, and those that it holds. Of one that
    /// was written twice the last one counts.
    pub(crate) fn history_of(&self, id: &str) -> Vec<Value> {
        let file = self.path(&format!(".aiwg/ralph/loops/{id}/history/iteration_history.jsonl"));
        let gone = fs::read_to_string(file).unwrap_or_default();
        let gone = gone.lines().map(|line| serde_json::from_str(line).expect("a record"));
        let held = self.state_of(id)["iteration_history"].as_array().cloned().unwrap_or_default();
        let mut all: Vec<Value> = Vec::new();
        for record in gone.chain(held) {
            let same =
                |one: &&mut Value| ["iteration", "timestamp"].iter().all(|key| one[*key] == record[*key]);
            match all.iter_mut().find(same) {
                Some(known) => *known = record,
                None => all.push(record),
            }
        }
        all
    }

    /// The directories of the project's loops, explicit and implicit, by name.
    pub(crate) fn loops(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path(".aiwg/ralph/loops")).into_iter().flatten().flatten();
        let mut names: Vec<_> =
            entries.map(|entry| format!(".aiwg/ralph/loops/{}", entry.file_name().display())).collect();
        names.sort();
        names
    }

    /// The directory of the only loop.
    pub(crate) fn only_loop(&self) -> String {
        let mut loops = self.loops();
        assert_eq!(loops.len(), 1, "one loop is expected");
        loops.remove(0)
    }

    /// The lines of the only loop's audit trail.
    pub(crate) fn hook_log(&self) -> Vec<Value> {
        let log = self.text(&format!("{}/hook-log.jsonl", self.only_loop()));
        log.lines().map(|line| serde_json::from_str(line).expect("a JSON line")).collect()
    }
}

/// What a process printed.
pub(crate) fn said(output: &Output) -> String {
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    format!("{} {}{}", output.status, text(&output.stdout), text(&output.stderr))
}

/// The directory of the built executables.
pub(crate) fn built() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_steadfast-hook")).parent().expect("the directory of the executables")
}

/// A command in which a client hangs until [`kill_hanging`] has killed it.
pub(crate) const HANGING: &str = "touch ../working; until test -f ../killed; do sleep 0.05; done";

/// Kills the client of the loop `one` in the middle of the command [`HANGING`], as the system does that is short of
/// memory. Its process is noted in `FILE.json` of the loop.
pub(crate) fn kill_hanging(project: &Project, file: &str) {
    wait_for("the command", || project.root().join("../working").exists());
    let client = project.json(&format!(".aiwg/ralph/loops/one/{file}.json"))["pid"].to_string();
    assert!(Command::new("kill").args(["-9", &client]).status().expect("kill").success());
    fs::write(project.root().join("../killed"), "").expect("written");
}

/// Waits until something is seen; a test in which it never is fails.
pub(crate) fn wait_for(what: &str, mut seen: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !seen() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{what} never came");
        thread::sleep(Duration::from_millis(20));
    }
}
