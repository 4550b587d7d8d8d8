//! `steadfast check` on real repositories, through the real binary.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test that cannot go on fails")]

mod peer;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

const TESTS: &str = "const { add } = require('./math');\n\ntest('adds', () => {\n  expect(add(1, 2)).toBe(3);\n});\n\ntest('is commutative', () => {\n  expect(add(1, 5)).toBe(add(5, 1));\n});\n";
const SECOND: &str = "\ntest('is commutative', () => {\n  expect(add(1, 5)).toBe(add(5, 1));\n});\n";

/// A repository with a function and its two tests committed.
struct Repository(tempfile::TempDir);

impl Repository {
    fn new() -> Self {
        let repository = Repository(tempfile::tempdir().expect("a scratch directory"));
        repository.git(&["init", "--quiet", "--initial-branch", "main"]);
        repository.write("math.js", "exports.add = (a, b) => a + b;\n");
        repository.write("math.test.js", TESTS);
        repository.commit("first");
        repository
    }

    fn root(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn git(&self, args: &[&str]) -> String {
        let output = clean(Command::new("git").args(args), self.root()).output().unwrap();
        assert!(output.status.success(), "git {args:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    fn commit(&self, message: &str) {
        self.git(&["add", "--all"]);
        self.commit_staged(message);
    }

    fn commit_staged(&self, message: &str) {
        let identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org"];
        self.git(
            &[&identity[..], &["commit", "--quiet", "--allow-empty", "--no-gpg-sign", "--message", message]]
                .concat(),
        );
    }

    fn check(&self, args: &[&str]) -> Output {
        check_in(self.root(), args)
    }

    /// Exit code and standard output.
    fn said(&self, args: &[&str]) -> (Option<i32>, String) {
        let output = self.check(args);
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    }

    fn json(&self, args: &[&str]) -> Value {
        let (_, text) = self.said(&[args, &["--json"]].concat());
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
    }
}

fn check_in(directory: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_steadfast"));
    clean(command.arg("check").args(args), directory).output().unwrap()
}

fn clean<'a>(command: &'a mut Command, directory: &Path) -> &'a mut Command {
    command
        .current_dir(directory)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", "/nonexistent")
        .env("GIT_CONFIG_NOSYSTEM", "1")
}

#[test]
fn a_lost_test_fails_and_says_where_what_and_what_instead() {
    let repository = Repository::new();
    assert_eq!(repository.said(&[]), (Some(0), "0 changed files: 0 findings\n".to_owned()));
    repository.write("math.test.js", &TESTS.replace(SECOND, ""));
    let (code, text) = repository.said(&[]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.starts_with("math.test.js:5: LP-001 Test Deletion (critical): "), "{text}");
    assert!(text.contains("\n  lost: is commutative\n") && text.contains("\n  instead: "), "{text}");
    assert!(text.ends_with("1 changed file: 1 finding, 1 at or above high\n"), "{text}");
    let json = repository.json(&[]);
    assert_eq!(json["failed"], true);
    assert_eq!(
        (&json["findings"][0]["pattern_id"], &json["findings"][0]["fails"]),
        (&"LP-001".into(), &true.into())
    );
}

#[test]
fn what_is_staged_is_judged_apart_from_the_disk() {
    let repository = Repository::new();
    repository.write("math.test.js", &TESTS.replace(SECOND, ""));
    assert_eq!(repository.check(&["--staged"]).status.code(), Some(0), "nothing is staged");
    repository.git(&["add", "--all"]);
    repository.write("math.test.js", TESTS);
    assert_eq!(repository.check(&[]).status.code(), Some(0), "the disk is whole again");
    assert_eq!(repository.check(&["--staged"]).status.code(), Some(1));
}

#[test]
fn ranges_are_judged_from_commits_alone() {
    let repository = Repository::new();
    repository.write("math.test.js", &TESTS.replace(SECOND, ""));
    repository.commit("second");
    repository.write("math.test.js", TESTS);
    repository.commit("third");
    for (range, code) in [("HEAD~2..HEAD~1", 1), ("HEAD~2..HEAD", 0), ("HEAD~2..", 0), ("HEAD~2...HEAD~1", 1)]
    {
        assert_eq!(repository.check(&["--range", range]).status.code(), Some(code), "{range}");
    }
}

#[test]
fn moves_pair_up_in_the_diff_and_with_the_files_beside_it() {
    let repository = Repository::new();
    fs::remove_file(repository.root().join("math.test.js")).unwrap();
    repository.write("tests/arithmetic.test.js", &TESTS.replace("./math", "../math"));
    assert_eq!(repository.check(&[]).status.code(), Some(0), "moved, and not known to git yet");
    assert_eq!(
        repository.check(&["math.test.js"]).status.code(),
        Some(0),
        "its new place is not judged, but seen"
    );
    repository.git(&["add", "--all"]);
    assert_eq!(repository.check(&["--staged"]).status.code(), Some(0));
    repository.commit("moved");
    assert_eq!(repository.check(&["--range", "HEAD~1..HEAD"]).status.code(), Some(0));
    fs::remove_file(repository.root().join("tests/arithmetic.test.js")).unwrap();
    assert_eq!(repository.check(&["math.js"]).status.code(), Some(0), "another file is asked for");
    let (code, text) = check_of(&repository, "tests", &["arithmetic.test.js"]);
    assert_eq!(code, Some(1), "named from a folder in the project: {text}");
    assert!(text.starts_with("tests/arithmetic.test.js:"), "{text}");
}

#[test]
fn an_exclusion_is_tried_on_the_files_that_are_there() {
    let repository = Repository::new();
    let excluding = |list: &str| format!("export default {{ test: {{ exclude: [{list}] }} }};\n");
    repository.write("vitest.config.ts", &excluding("'**/node_modules/**'"));
    repository.commit("configured");
    repository.write("vitest.config.ts", &excluding("'**/node_modules/**', '**/unit/**'"));
    let (code, text) = check_of(&repository, "", &[]);
    assert_eq!(code, Some(0), "no test is left out: {text}");
    repository.commit("excluded");
    repository.write("unit/math.test.js", TESTS);
    repository.commit("tested");
    repository.write("vitest.config.ts", &excluding("'**/node_modules/**'"));
    repository.commit("included");
    repository.write("vitest.config.ts", &excluding("'**/node_modules/**', '**/unit/**'"));
    let (code, text) = check_of(&repository, "", &[]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("a file, for example unit/math.test.js"), "{text}");
    assert_eq!(
        repository.check(&["--range", "HEAD~3..HEAD~2"]).status.code(),
        Some(0),
        "before there was one"
    );
}

fn check_of(repository: &Repository, folder: &str, args: &[&str]) -> (Option<i32>, String) {
    let folder = repository.root().join(folder);
    fs::create_dir_all(&folder).unwrap();
    let output = check_in(&folder, args);
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn the_configuration_holds() {
    let repository = Repository::new();
    repository.write("math.test.js", &TESTS.replace(SECOND, ""));
    let cases = [
        ("detection: {mode: off}", &[][..], 0, "Detection is off in aiwg.yml: nothing was judged.\n"),
        ("pattern_severity: {LP-001: medium}", &[], 0, "(medium): "),
        ("pattern_severity: {LP-001: medium}", &["--fail-on", "medium"], 1, "1 at or above medium"),
        ("pattern_severity: {LP-001: high}\n  detection: {mode: minimal}", &[], 0, "(high): "),
        ("pattern_severity: {LP-001: medium}\n  detection: {mode: aggressive}", &[], 1, "at or above medium"),
        ("pattern_severity: {LP-001: off}", &[], 0, ": 0 findings\n"),
        ("pattern_severity: {LP-T001: off}", &[], 0, ": 0 findings\n"),
        ("pattern_severity: {lp-t001: medium}", &[], 0, "(medium): "),
        ("allowed_paths: ['*.test.js']", &[], 0, ": 0 findings\n"),
        (
            "allowed_paths: ['*.test.js']\n  protected_paths: ['math*']",
            &[],
            0,
            "SF-004 Protected Path (medium)",
        ),
    ];
    for (lines, args, code, part) in cases {
        repository.write("aiwg.yml", &format!("agent_persistence:\n  {lines}\n"));
        // The change of the configuration is a finding of its own.
        repository.git(&["add", "aiwg.yml"]);
        repository.commit_staged("configuration");
        let (found, text) = repository.said(args);
        assert_eq!(found, Some(code), "{lines} {args:?}: {text}");
        assert!(text.contains(part), "{lines} {args:?}: {text}");
    }
}

#[test]
fn what_can_not_be_had_is_said_with_another_code() {
    let repository = Repository::new();
    for args in [
        &["--range", "nowhere..HEAD"][..],
        &["--range", "HEAD"],
        &["--range=--output=x..HEAD"],
        &["--staged", "--range", "a..b"],
        &["--fail-on", "awful"],
    ] {
        let output = repository.check(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {output:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{args:?}: {output:?}");
    }
    let outside = tempfile::tempdir().unwrap();
    let project = outside.path().join("project");
    fs::create_dir(&project).unwrap();
    assert_eq!(check_in(&project, &[]).status.code(), Some(2), "no repository");
    // A file that no repository holds is judged as a new one.
    fs::write(project.join("fine.test.js"), TESTS).unwrap();
    let output = check_in(&project, &["fine.test.js"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.code() == Some(0) && text.contains("1 changed file"), "{text}");
    let output = check_in(&project, &["fine.test.js", "missing.js"]);
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && text.contains("missing.js is not there"), "{text}");
}

#[test]
fn a_shallow_clone_and_a_repository_without_a_commit() {
    let repository = Repository::new();
    repository.write("math.test.js", &TESTS.replace(SECOND, ""));
    repository.commit("second");
    let place = tempfile::tempdir().unwrap();
    let clone = place.path().join("clone");
    let from = format!("file://{}", repository.root().display());
    repository.git(&["clone", "--quiet", "--depth=1", &from, clone.to_str().unwrap()]);
    let output = check_in(&clone, &["--range", "HEAD~1..HEAD"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("shallow clone"), "{output:?}");
    assert_eq!(check_in(&clone, &[]).status.code(), Some(0));
    let first = repository.git(&["rev-list", "--max-parents=0", "HEAD"]);
    let pushed = format!("{}..{first}", "0".repeat(40));
    let (code, text) = repository.said(&["--range", &pushed]);
    assert_eq!(
        (code, text.as_str()),
        (Some(0), "2 changed files: 0 findings\n"),
        "all that a first push brings"
    );
    let new = Repository(tempfile::tempdir().unwrap());
    new.git(&["init", "--quiet"]);
    new.write("math.test.js", TESTS);
    assert_eq!(new.said(&[]), (Some(0), "1 changed file: 0 findings\n".to_owned()));
    new.git(&["add", "--all"]);
    assert_eq!(new.said(&["--staged"]), (Some(0), "1 changed file: 0 findings\n".to_owned()));
}

#[test]
fn annotations_for_runners_name_file_line_and_pattern() {
    let repository = Repository::new();
    repository.write("math.test.js", &TESTS.replace(SECOND, ""));
    let (code, text) = repository.said(&["--github"]);
    assert_eq!(code, Some(1));
    let expected = "::error file=math.test.js,line=5,title=LP-001 Test Deletion (critical)::";
    assert!(text.starts_with(expected) && text.contains("%0A- is commutative%0A"), "{text}");
}

#[test]
fn sarif_names_its_rules_and_places() {
    let repository = Repository::new();
    repository.write("math.test.js", &TESTS.replace(SECOND, ""));
    let (code, text) = repository.said(&["--sarif"]);
    assert_eq!(code, Some(1));
    let sarif: Value = serde_json::from_str(&text).unwrap();
    let run = &sarif["runs"][0];
    assert_eq!((&sarif["version"], &run["tool"]["driver"]["name"]), (&"2.1.0".into(), &"Steadfast".into()));
    let result = &run["results"][0];
    let rule =
        &run["tool"]["driver"]["rules"][usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap()];
    assert_eq!((&result["ruleId"], &rule["id"]), (&"LP-001".into(), &"LP-001".into()));
    assert_eq!(result["level"], "error");
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "math.test.js");
    assert_eq!(place["region"]["startLine"], 5);
    // The fingerprint outlives a move of the lines.
    repository.write("math.test.js", &format!("// A comment.\n{}", TESTS.replace(SECOND, "")));
    let moved: Value = serde_json::from_str(&repository.said(&["--sarif"]).1).unwrap();
    assert_eq!(moved["runs"][0]["results"][0]["partialFingerprints"], result["partialFingerprints"]);
    fs::remove_file(repository.root().join("math.test.js")).unwrap();
    let gone: Value = serde_json::from_str(&repository.said(&["--sarif"]).1).unwrap();
    assert_eq!(gone["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"], Value::Null);
}

#[test]
fn entries_of_every_kind_are_survived() {
    use std::os::unix::ffi::OsStrExt;
    let repository = Repository::new();
    let strange = repository.root().join(std::ffi::OsStr::from_bytes(b"a b\xff: c.test.js"));
    fs::write(&strange, TESTS).unwrap();
    fs::write(repository.root().join("picture.png"), [0u8, 159, 146, 150]).unwrap();
    repository.write("run.sh", "echo one\r\necho two\r\n");
    std::os::unix::fs::symlink("math.js", repository.root().join("link.js")).unwrap();
    repository.commit("kinds");
    fs::write(repository.root().join("picture.png"), [0u8, 1]).unwrap();
    repository.git(&["update-index", "--chmod=+x", "run.sh"]);
    fs::remove_file(repository.root().join("link.js")).unwrap();
    std::os::unix::fs::symlink("other.js", repository.root().join("link.js")).unwrap();
    repository.git(&["-c", "protocol.file.allow=always", "clone", "--quiet", ".", "inner"]);
    repository.git(&["add", "inner"]);
    repository.git(&["mv", "math.test.js", "renamed.test.js"]);
    let (code, text) = repository.said(&["--staged"]);
    assert_eq!(code, Some(0), "{text}");
    repository.commit_staged("moved");
    fs::remove_file(&strange).unwrap();
    let (code, text) = repository.said(&[]);
    assert!(code == Some(1) && text.contains("LP-001"), "{text}");
    for form in ["--json", "--sarif", "--github"] {
        assert_eq!(repository.check(&[form]).status.code(), Some(1), "{form}");
    }
    // Lines that end otherwise are the same lines.
    let windows = Repository::new();
    windows.write("math.test.js", &TESTS.replace('\n', "\r\n"));
    assert_eq!(windows.check(&[]).status.code(), Some(0));
}

#[test]
fn a_merge_is_judged_against_the_parent_that_is_named() {
    let repository = Repository::new();
    repository.git(&["checkout", "--quiet", "-b", "side"]);
    repository.write("math.test.js", &TESTS.replace(SECOND, ""));
    repository.commit("less");
    repository.git(&["checkout", "--quiet", "main"]);
    repository.write("other.js", "exports.one = 1;\n");
    repository.commit("more");
    let identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org"];
    repository.git(&[&identity[..], &["merge", "--quiet", "--no-ff", "--no-edit", "side"]].concat());
    for (range, code) in [("HEAD^1..HEAD", 1), ("HEAD^2..HEAD", 0), ("HEAD^1...HEAD^2", 1)] {
        assert_eq!(repository.check(&["--range", range]).status.code(), Some(code), "{range}");
    }
}

#[test]
fn a_commit_hook_judges_what_is_committed_however_it_is_named() {
    use std::os::unix::fs::PermissionsExt;
    for commit in [&["--all"][..], &["--", "math.test.js"], &["--include", "math.test.js"]] {
        let repository = Repository::new();
        let hook = repository.root().join(".git/hooks/pre-commit");
        fs::create_dir_all(hook.parent().unwrap()).unwrap();
        let line = format!("#!/bin/sh\nexec {} check --staged\n", env!("CARGO_BIN_EXE_steadfast"));
        fs::write(&hook, line).unwrap();
        fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).unwrap();
        repository.write("math.test.js", &TESTS.replace(SECOND, ""));
        let mut command = Command::new("git");
        command.args(["-c", "user.name=Test", "-c", "user.email=test@example.org", "commit", "-qm", "fewer"]);
        let refused = clean(command.args(commit), repository.root()).output().unwrap();
        let said = String::from_utf8_lossy(&[refused.stdout, refused.stderr].concat()).into_owned();
        assert!(!refused.status.success() && said.contains("LP-001"), "{commit:?}: {said}");
    }
    // An index of another repository is none of this one's.
    let (repository, other) = (Repository::new(), Repository::new());
    repository.write("math.test.js", &TESTS.replace(SECOND, ""));
    repository.git(&["add", "--all"]);
    let mut command = Command::new(env!("CARGO_BIN_EXE_steadfast"));
    clean(command.args(["check", "--staged"]), repository.root());
    let output = command.env("GIT_INDEX_FILE", other.root().join(".git/index")).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
}

#[test]
fn a_bare_repository_and_a_name_that_is_nowhere() {
    let repository = Repository::new();
    repository.write("math.test.js", &TESTS.replace(SECOND, ""));
    repository.commit("second");
    let place = tempfile::tempdir().unwrap();
    let bare = place.path().join("bare.git");
    repository.git(&["clone", "--quiet", "--bare", ".", bare.to_str().unwrap()]);
    let output = check_in(&bare, &["--range", "HEAD~1..HEAD"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let output = check_in(&bare, &[]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("no working tree"), "{output:?}");
    let output = repository.check(&["mth.test.js", "math.js"]);
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "nothing of a name that is nowhere was judged: {text}");
    assert!(text.contains("mth.test.js is neither there nor in the diff"), "{text}");
    let (code, text) = repository.said(&["--range", "HEAD~1..", "math.test.js"]);
    assert!(code == Some(1) && !text.contains("not judged"), "{text}");
}

#[test]
fn a_thousand_files_are_judged_at_once() {
    let repository = Repository::new();
    for number in 0..1_000 {
        let text = TESTS.replace("add(1, 2)", &format!("add({number}, 2)"));
        repository.write(&format!("src/part{number}/math.test.js"), &text);
    }
    repository.commit("many");
    for number in 0..1_000 {
        let text = TESTS.replace("add(1, 2)", &format!("add({number}, 3)"));
        repository.write(&format!("src/part{number}/math.test.js"), &text);
    }
    fs::remove_file(repository.root().join("src/part7/math.test.js")).unwrap();
    let started = std::time::Instant::now();
    let json = repository.json(&[]);
    assert_eq!(json["files"], 1_000);
    assert!(started.elapsed().as_secs() < 60, "{:?}", started.elapsed());
    assert_eq!(json["failed"], true);
}

#[test]
fn a_commit_hook_and_a_runner_use_it_as_they_stand() {
    use std::os::unix::fs::PermissionsExt;
    let repository = Repository::new();
    let hook = repository.root().join(".git/hooks/pre-commit");
    fs::create_dir_all(hook.parent().unwrap()).unwrap();
    fs::write(&hook, format!("#!/bin/sh\nexec {} check --staged\n", env!("CARGO_BIN_EXE_steadfast")))
        .unwrap();
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).unwrap();
    repository.write("math.test.js", &TESTS.replace(SECOND, ""));
    repository.git(&["add", "--all"]);
    let commit = |message: &str| {
        let mut command = Command::new("git");
        command.args([
            "-c",
            "user.name=Test",
            "-c",
            "user.email=test@example.org",
            "commit",
            "--quiet",
            "-m",
            message,
        ]);
        clean(&mut command, repository.root()).output().unwrap()
    };
    let refused = commit("fewer tests");
    let said = String::from_utf8_lossy(&[refused.stdout, refused.stderr].concat()).into_owned();
    assert!(!refused.status.success() && said.contains("LP-001"), "{said}");
    repository.write("math.test.js", &format!("{TESTS}\n// More to come.\n"));
    repository.git(&["add", "--all"]);
    assert!(commit("a comment").status.success());
}

/// A copy of this project's own tests, committed.
fn own_tests() -> Repository {
    let repository = Repository(tempfile::tempdir().unwrap());
    repository.git(&["init", "--quiet", "--initial-branch", "main"]);
    repository.commit("nothing yet");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut folders = vec![source.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap().flatten() {
            let path = entry.path();
            let name = Path::new("tests").join(path.strip_prefix(&source).unwrap());
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(text) = fs::read_to_string(&path) {
                repository.write(name.to_str().unwrap(), &text);
            }
        }
    }
    repository
}

#[test]
fn the_projects_own_tests_pass_its_own_detectors() {
    let repository = own_tests();
    repository.git(&["add", "--all"]);
    let found = repository.check(&["--staged", "--fail-on", "low"]);
    assert_eq!(found.status.code(), Some(0), "{}", String::from_utf8_lossy(&found.stdout));
    repository.commit_staged("our tests");
    // The same look does find what is wrong with them.
    let own = fs::read_to_string(repository.root().join("tests/check/main.rs")).unwrap();
    let off = own.replacen("#[test]\nfn", "#[test]\n#[ignore]\nfn", 1);
    assert_ne!(own, off);
    repository.write("tests/check/main.rs", &off);
    repository.git(&["add", "--all"]);
    let found = repository.check(&["--staged"]);
    assert_eq!(found.status.code(), Some(1), "{}", String::from_utf8_lossy(&found.stdout));
}

/// What an exclusion names is read as it is after what is judged: on the disk, in the index, or in a commit.
#[test]
fn a_file_that_a_tool_makes_may_be_left_out() {
    let repository = Repository::new();
    let made = "# This file is automatically generated by a lexer\nclass Lexer\nend\n";
    let own = "class Lexer\nend\n";
    let settings = "AllCops:\n  NewCops: enable\n";
    repository.write("lib/lexer.rb", made);
    repository.write(".rubocop.yml", settings);
    repository.commit("a lexer");
    repository.write(".rubocop.yml", &format!("{settings}  Exclude:\n    - \"lib/lexer.rb\"\n"));
    assert_eq!(repository.said(&[]).0, Some(0));
    repository.git(&["add", "--all"]);
    repository.write("lib/lexer.rb", own);
    assert_eq!(repository.said(&["--staged"]).0, Some(0), "the index has what was made");
    assert_eq!(repository.said(&[]).0, Some(1), "nothing makes what is on the disk");
    repository.commit_staged("left out");
    assert_eq!(repository.said(&["--range", "HEAD~1..HEAD"]).0, Some(0), "the commit has what was made");
}
