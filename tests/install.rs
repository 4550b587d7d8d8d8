//! `steadfast install`, `steadfast uninstall` and `install.sh` on real settings files.
//!
//! The hook is a stand-in that refuses everything, so that only the installation is looked at here.
#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};
use steadfast::hosts::claude_code::registration::{REGISTRATIONS, hooks, plugin_hooks};
use tempfile::TempDir;

#[path = "support/executable.rs"]
mod executable;

const REFUSING: &str = r#"#!/bin/sh
cat > /dev/null
printf '%s' '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"LP-001: would be lost"}}'
"#;

/// A project, a HOME and a directory of executables.
struct Place {
    scratch: TempDir,
}

impl Place {
    fn new() -> Self {
        let place = Place { scratch: tempfile::tempdir().expect("a scratch directory") };
        for directory in ["home", "my project", "built"] {
            fs::create_dir(place.path(directory)).expect("a directory");
        }
        place.hook(REFUSING);
        let mut copy = Command::new("cp");
        copy.arg(env!("CARGO_BIN_EXE_steadfast")).arg(place.path("built/steadfast"));
        assert!(copy.status().expect("cp").success());
        place
    }

    fn path(&self, path: &str) -> PathBuf {
        self.scratch.path().canonicalize().expect("the scratch directory").join(path)
    }

    fn project(&self) -> PathBuf {
        self.path("my project")
    }

    fn settings(&self) -> PathBuf {
        self.project().join(".claude/settings.local.json")
    }

    fn hook(&self, script: &str) {
        executable::write(&self.path("built/steadfast-hook"), script);
    }

    /// Shared settings call the hook that each person has in `~/.local/bin`.
    fn put_executable_where_people_have_it(&self) {
        executable::write(&self.path("home/.local/bin/steadfast-hook"), REFUSING);
    }

    fn clean<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        let path = std::env::var_os("PATH").unwrap_or_default();
        command.current_dir(self.project()).env_clear().env("HOME", self.path("home")).env("PATH", path)
    }

    fn run(&self, args: &[&str]) -> Output {
        self.clean(Command::new(self.path("built/steadfast")).args(args)).output().expect("steadfast")
    }

    fn install_sh(&self, args: &[&str]) -> Output {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/install.sh");
        self.clean(Command::new(script).args(args)).output().expect("install.sh")
    }

    fn git(&self, args: &[&str]) -> String {
        let output = self.clean(Command::new("git").args(args)).output().expect("git");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}

fn said(output: &Output) -> String {
    [&output.stdout[..], &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned()).concat()
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

fn value(path: &Path) -> Value {
    serde_json::from_str(&text(path)).unwrap_or_default()
}

#[test]
fn an_installation_registers_every_event_and_is_taken_back_to_nothing() {
    let place = Place::new();
    let output = place.run(&["install", "--client", "2.1.332"]);
    assert!(output.status.success(), "{}", said(&output));
    let binary = place.path("built/steadfast-hook");
    let expected = hooks(binary.to_str().expect("UTF-8"));
    let written = value(&place.settings());
    assert_eq!(written["hooks"], expected);
    assert_eq!(written["env"], json!({"CLAUDE_CODE_STOP_HOOK_BLOCK_CAP": "0"}));
    assert!(
        said(&output).contains("deny") && said(&output).contains("LP-001: would be lost"),
        "{}",
        said(&output)
    );
    assert!(!place.project().join(".aiwg").exists(), "an installation leaves no state");

    let once = text(&place.settings());
    assert!(place.run(&["install", "--client", "2.1.332"]).status.success());
    assert_eq!(text(&place.settings()), once, "a second installation changes the file");
    // An older client would ask about an event that it does not know.
    assert!(place.run(&["install", "--client", "2.1.197"]).status.success());
    assert_eq!(value(&place.settings())["hooks"], plugin_hooks(binary.to_str().expect("UTF-8")));

    assert!(place.run(&["uninstall"]).status.success());
    assert!(!place.project().join(".claude").exists(), "what was made is gone");
    let again = place.run(&["uninstall"]);
    assert!(again.status.success(), "{}", said(&again));
}

#[test]
fn an_untouched_file_comes_back_byte_for_byte_and_keeps_its_mode() {
    let place = Place::new();
    // No formatter writes this: only the kept original brings it back.
    let original = "{ \"model\":\"opus\",\n\n   \"hooks\" : {\"Stop\": [ {\"hooks\":[{\"type\":\"command\",\"command\":\"beep\"}]} ]}}";
    fs::create_dir(place.project().join(".claude")).expect("a directory");
    fs::write(place.settings(), original).expect("settings");
    fs::set_permissions(place.settings(), fs::Permissions::from_mode(0o640)).expect("a mode");

    for _ in 0..2 {
        assert!(place.run(&["install"]).status.success());
    }
    assert_eq!(value(&place.settings())["hooks"]["Stop"][0]["hooks"][0]["command"], "beep");
    let mode = fs::metadata(place.settings()).expect("settings").permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
    assert!(place.run(&["uninstall"]).status.success());
    assert_eq!(text(&place.settings()), original);
}

#[test]
fn after_a_later_change_only_ours_goes() {
    let place = Place::new();
    assert!(place.run(&["install"]).status.success());
    let mut changed = value(&place.settings());
    changed["permissions"] = json!({"allow": ["Bash(ls)"]});
    changed["hooks"]["Stop"].as_array_mut().expect("groups").push(json!({"hooks": []}));
    fs::write(place.settings(), changed.to_string()).expect("settings");

    assert!(place.run(&["uninstall"]).status.success());
    let expected = json!({"hooks": {"Stop": [{"hooks": []}]}, "permissions": {"allow": ["Bash(ls)"]}});
    assert_eq!(value(&place.settings()), expected);
}

#[test]
fn without_a_record_the_users_variable_stays() {
    let place = Place::new();
    assert!(place.run(&["install"]).status.success());
    fs::remove_dir_all(place.path("home")).expect("a lost home");
    assert!(place.run(&["uninstall"]).status.success());
    assert_eq!(value(&place.settings()), json!({"env": {"CLAUDE_CODE_STOP_HOOK_BLOCK_CAP": "0"}}));
}

#[test]
fn what_is_malformed_is_named_with_line_and_column_and_stays() {
    let place = Place::new();
    fs::create_dir(place.project().join(".claude")).expect("a directory");
    let cases = [
        ("{\n  \"a\": 1,\n}\n", "line 3, column 1"),
        ("{\"hooks\": {\"Stop\": 1}}", "`hooks.Stop` is not an array"),
        ("[1]", "not an object"),
        ("{\n  // mine\n  \"a\": 1\n}\n", "line 2, column 3: a comment, which JSON has not"),
        ("{\n  \"a\": 1, /* mine */\n  \"b\": 2\n}\n", "a comment, which JSON has not"),
    ];
    for (broken, named) in cases {
        fs::write(place.settings(), broken).expect("settings");
        let output = place.run(&["install"]);
        assert_eq!(output.status.code(), Some(1), "{broken}: {}", said(&output));
        assert!(said(&output).contains(named), "{broken}: {}", said(&output));
        assert!(said(&output).contains("settings.local.json"), "{broken}: {}", said(&output));
        assert_eq!(text(&place.settings()), broken);
    }
}

#[test]
fn a_hook_that_fails_its_trial_is_not_installed() {
    let place = Place::new();
    for (name, script) in [
        ("it crashes", "#!/bin/sh\nexit 134\n"),
        ("it says nothing", "#!/bin/sh\nexit 0\n"),
        ("it is no program", "\u{1}"),
    ] {
        place.hook(script);
        let output = place.run(&["install"]);
        assert!(!output.status.success(), "{name}: {}", said(&output));
        assert!(!place.settings().exists(), "{name}: settings were written");
    }
    let output = place.run(&["install", "--bin-dir", "/nowhere"]);
    assert!(said(&output).contains("/nowhere/steadfast-hook is missing"), "{}", said(&output));
}

#[test]
fn each_scope_has_its_file_and_a_linked_one_stays_a_link() {
    let place = Place::new();
    let shared = place.project().join(".claude/settings.json");
    let dotfiles = place.path("dotfiles.json");
    fs::write(&dotfiles, "{\n  \"model\": \"opus\"\n}\n").expect("settings");
    fs::create_dir(place.path("home/.claude")).expect("a directory");
    let own = place.path("home/.claude/settings.json");
    symlink(&dotfiles, &own).expect("a link");

    place.put_executable_where_people_have_it();
    for (scope, file) in [("project", &shared), ("user", &own)] {
        let output = place.run(&["install", "--scope", scope]);
        assert!(output.status.success(), "{scope}: {}", said(&output));
        assert_eq!(
            value(file)["hooks"].as_object().map(|hooks| hooks.len()),
            Some(REGISTRATIONS.iter().filter(|one| !one.settings_only).count()),
            "{scope}"
        );
        assert!(!place.settings().exists(), "{scope}: the local file was written");
    }
    assert!(own.is_symlink());
    assert_eq!(value(&dotfiles)["model"], "opus");
    for scope in ["project", "user"] {
        assert!(place.run(&["uninstall", "--scope", scope]).status.success(), "{scope}");
    }
    assert_eq!(text(&dotfiles), "{\n  \"model\": \"opus\"\n}\n");
    assert!(!shared.exists());
}

#[test]
fn a_local_file_is_kept_out_of_git_and_the_list_comes_back() {
    let place = Place::new();
    place.git(&["init", "--quiet"]);
    let exclude = place.project().join(".git/info/exclude");
    let before = text(&exclude);
    for _ in 0..2 {
        assert!(place.run(&["install"]).status.success());
    }
    assert_eq!(place.git(&["status", "--porcelain"]), "");
    assert_eq!(text(&exclude).matches("settings.local.json").count(), 1, "{}", text(&exclude));
    assert!(place.run(&["uninstall"]).status.success());
    assert_eq!(text(&exclude), before);
}

#[test]
fn the_script_installs_prebuilt_executables_and_takes_the_hooks_out_again() {
    let place = Place::new();
    let (built, project) = (place.path("built"), place.project());
    let (built, project) = (built.to_str().expect("UTF-8"), project.to_str().expect("UTF-8"));
    for _ in 0..2 {
        let output = place.install_sh(&["--from", built, project]);
        assert!(output.status.success(), "{}", said(&output));
        assert!(said(&output).contains("deny"), "{}", said(&output));
    }
    let hook = place.path("home/.local/bin/steadfast-hook");
    assert_eq!(text(&hook), REFUSING);
    let command = value(&place.settings())["hooks"]["Stop"][0]["hooks"][0]["command"].clone();
    assert_eq!(command, json!(hook));
    let names = fs::read_dir(place.path("home/.local/bin")).expect("executables").count();
    assert_eq!(names, 2, "no temporary file is left");

    let output = place.install_sh(&["--uninstall", project]);
    assert!(output.status.success(), "{}", said(&output));
    assert!(!place.settings().exists());
    assert!(hook.exists(), "the executables stay");
}

#[test]
fn the_script_says_what_is_wrong() {
    let place = Place::new();
    let cases: &[(&[&str], &str)] = &[
        (&["--scope", "global"], "--scope is local, project or user, not global"),
        (&["--frm", "x"], "unknown option --frm"),
        (&["/nowhere"], "/nowhere is not a directory"),
        (&["--from", "/nowhere"], "/nowhere/steadfast is missing"),
        (&["--prefix"], "--prefix needs a value"),
        (&["--uninstall"], "steadfast is not in"),
    ];
    for (args, message) in cases {
        let output = place.install_sh(args);
        assert_eq!(output.status.code(), Some(1), "{args:?}: {}", said(&output));
        assert!(said(&output).contains(message), "{args:?}: {}", said(&output));
    }
    let output = place
        .clean(Command::new("/bin/sh").arg(concat!(env!("CARGO_MANIFEST_DIR"), "/install.sh")))
        .env("PATH", place.path("empty path"))
        .output()
        .expect("install.sh");
    assert!(!output.status.success() && !place.settings().exists(), "{}", said(&output));
}

/// The commands that an installation below `claude` brings.
fn commands(claude: &Path) -> Vec<String> {
    let entries = fs::read_dir(claude.join("commands/steadfast")).into_iter().flatten().flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn the_slash_commands_come_with_each_scope_and_go_with_it() {
    let place = Place::new();
    place.put_executable_where_people_have_it();
    place.git(&["init", "--quiet"]);
    for (scope, claude) in [
        ("local", place.project().join(".claude")),
        ("project", place.project().join(".claude")),
        ("user", place.path("home/.claude")),
    ] {
        for _ in 0..2 {
            let output = place.run(&["install", "--scope", scope]);
            assert!(
                output.status.success() && said(&output).contains("/steadfast:allow"),
                "{}",
                said(&output)
            );
        }
        let brought = commands(&claude);
        assert_eq!(brought.len(), 9, "{scope}: {brought:?}");
        for name in ["allow.md", "gate.md", "loop.md", "undo.md"] {
            assert!(brought.iter().any(|one| one == name), "{scope}: {brought:?}");
        }
        if scope == "local" {
            assert_eq!(place.git(&["status", "--porcelain"]), "");
        }
        assert!(place.run(&["uninstall", "--scope", scope]).status.success(), "{scope}");
        assert!(!claude.join("commands").exists(), "{scope}: {:?}", commands(&claude));
    }
    assert!(!place.project().join(".claude").exists());
}

#[test]
fn a_foreign_command_stays_and_so_does_a_changed_one() {
    let place = Place::new();
    let folder = place.project().join(".claude/commands/steadfast");
    fs::create_dir_all(&folder).expect("a directory");
    fs::write(folder.join("undo.md"), "mine\n").expect("a command");
    let output = place.run(&["install"]);
    assert!(said(&output).contains("undo.md is somebody else's"), "{}", said(&output));
    assert_eq!(text(&folder.join("undo.md")), "mine\n");
    fs::write(folder.join("loop.md"), "changed\n").expect("a command");

    assert!(place.run(&["uninstall"]).status.success());
    assert_eq!(commands(&place.project().join(".claude")), ["loop.md", "undo.md"]);
    assert_eq!(text(&folder.join("loop.md")), "changed\n");
}

#[test]
fn a_failing_hook_blocks_calls_only_where_that_was_asked_for() {
    let place = Place::new();
    for (arguments, expected) in
        [(&["install", "--fail-closed"][..], json!("block")), (&["install"], json!(null))]
    {
        let output = place.run(&[arguments, &["--client", "2.1.332"]].concat());
        assert!(output.status.success(), "{}", said(&output));
        let hooks = &value(&place.settings())["hooks"];
        for event in ["PreToolUse", "PreSkillShellCommand"] {
            assert_eq!(hooks[event][0]["hooks"][0]["onFailure"], expected, "{event} {arguments:?}");
        }
        assert_eq!(hooks["Stop"][0]["hooks"][0]["onFailure"], json!(null));
    }
}

#[test]
fn a_dry_run_shows_what_would_change_and_changes_nothing() {
    let place = Place::new();
    let output = place.run(&["install", "--dry-run"]);
    let shown = said(&output);
    let names = ["+  \"hooks\": {", "Nothing was changed."];
    assert!(output.status.success() && names.iter().all(|name| shown.contains(name)), "{shown}");
    assert!(!place.project().join(".claude").exists());
    let output = place.run(&["install", "--dry-run", "--json"]);
    let planned: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(
        (&planned["dry_run"], &planned["changed"], &planned["before"]),
        (&json!(true), &json!(true), &Value::Null)
    );
    assert_eq!(planned["trial"]["decision"], "deny");
    let done = place.run(&["install", "--json"]);
    let done: Value = serde_json::from_slice(&done.stdout).expect("JSON");
    assert_eq!(done["after"], planned["after"]);
    assert_eq!(
        text(&place.settings()),
        planned["after"].as_str().expect("a text"),
        "what was planned is done"
    );
    assert_eq!(
        fs::read_dir(place.path("home/.local/state/steadfast")).expect("the record").count(),
        1,
        "a trial leaves nothing"
    );
}
