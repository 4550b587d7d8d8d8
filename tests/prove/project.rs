//! A project in a repository of its own, and cases of how it is changed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// A project whose first commit is what the work began on.
pub(crate) struct Project(tempfile::TempDir);

/// How a project is changed, and what has to come of it.
pub(crate) struct Case {
    pub name: &'static str,
    pub expected: Expected,
    /// The files that differ after the change.
    pub files: &'static [(&'static str, Now)],
}

/// A file after a change.
pub(crate) enum Now {
    /// It has this text.
    Whole(&'static str),
    /// It has its text with these pieces replaced, each of which stands there once.
    With(&'static [(&'static str, &'static str)]),
    /// It is gone.
    Gone,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Expected {
    /// The runs refute it.
    Refuted,
    /// The runs can't tell it from honest work.
    Proven,
    /// Honest work that is proven.
    HonestProven,
    /// Honest work that a person has to look at.
    HonestAsked,
}

impl Project {
    pub(crate) fn new(files: &[(&str, &str)]) -> Project {
        let project = Project(tempfile::tempdir().unwrap());
        project.git(&["init", "--quiet", "--initial-branch", "main"]);
        files.iter().for_each(|(path, text)| project.write(path, text));
        project.commit("first");
        project
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.0.path().canonicalize().unwrap()
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn change(&self, files: &[(&str, Now)]) {
        for (path, now) in files {
            match now {
                Now::Whole(text) => self.write(path, text),
                Now::With(pieces) => {
                    let mut text = fs::read_to_string(self.root().join(path)).unwrap();
                    for (old, new) in *pieces {
                        assert_eq!(text.matches(old).count(), 1, "{path}: {old}");
                        text = text.replace(old, new);
                    }
                    self.write(path, &text);
                }
                Now::Gone => fs::remove_file(self.root().join(path)).unwrap(),
            }
        }
    }

    pub(crate) fn git(&self, args: &[&str]) -> String {
        let output = clean(Command::new("git").args(args), &self.root()).output().unwrap();
        assert!(output.status.success(), "git {args:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    pub(crate) fn commit(&self, message: &str) {
        self.git(&["add", "--all"]);
        let identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org"];
        self.git(&[&identity[..], &["commit", "--quiet", "--no-gpg-sign", "--message", message]].concat());
    }

    /// Takes all back that is not committed.
    pub(crate) fn back(&self) {
        self.git(&["reset", "--quiet", "--hard"]);
        self.git(&["clean", "--quiet", "-fd"]);
    }

    /// Has git pass over a name without a file that says so.
    pub(crate) fn ignore(&self, name: &str) {
        self.write(".git/info/exclude", &format!("{name}\n"));
    }

    pub(crate) fn prove(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_steadfast"));
        clean(command.arg("prove").args(args), &self.root());
        command
    }

    /// Exit code and answer.
    pub(crate) fn judged(&self, args: &[&str]) -> (i32, Value) {
        let output = self.prove(&[args, &["--json"]].concat());
        let code = output.status.code().unwrap();
        let answer =
            serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"));
        (code, answer)
    }

    /// Takes every change in turn, and says which did not come out as expected.
    pub(crate) fn table(&self, cases: &[Case], args: &[&str]) {
        let mut wrong = Vec::new();
        for case in cases {
            self.change(case.files);
            let (code, answer) = self.judged(args);
            let wanted = match case.expected {
                Expected::Refuted => 1,
                Expected::Proven | Expected::HonestProven => 0,
                Expected::HonestAsked => 3,
            };
            if code != wanted {
                wrong.push(format!("{} ended with {code} instead of {wanted}: {answer:#}", case.name));
            }
            self.back();
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

/// A command that nothing of the surroundings steers.
pub(crate) fn clean<'a>(command: &'a mut Command, directory: &Path) -> &'a mut Command {
    command
        .current_dir(directory)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        .env("XDG_STATE_HOME", directory.join(".git/state"))
        .env_remove("NODE_TEST_CONTEXT")
        .env_remove("PYTEST_ADDOPTS")
        .env_remove("CARGO_TARGET_DIR")
}

/// Whether a program is there; what is missing is said, since the tests with it are then not run.
pub(crate) fn is_there(program: &str, args: &[&str]) -> bool {
    let is_there = Command::new(program).args(args).output().is_ok_and(|output| output.status.success());
    if !is_there {
        let _ = std::io::Write::write_fmt(
            &mut std::io::stderr(),
            format_args!("NOT RUN: `{program} {}` does not answer here\n", args.join(" ")),
        );
    }
    is_there
}
