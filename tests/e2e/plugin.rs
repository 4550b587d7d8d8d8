//! The plugin as a person installs it: from the repository as its own marketplace, into a fresh HOME.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output};

use crate::samples::{MATH, MATH_TESTS, TWO_FAILING_TESTS};
use crate::support::client::claude;
use crate::support::project::{Project, built, said};
use crate::support::script::Turn;
use crate::support::session::{Session, client};

const REPOSITORY: &str = env!("CARGO_MANIFEST_DIR");

fn plugin(claude: &Path, project: &Project, args: &[&str]) -> Output {
    client(claude, project).arg("plugin").args(args).output().expect("the client")
}

/// What the client reads of this repository. The rest stays out of the copy: the client copies a plugin whole, and a
/// built repository holds gigabytes.
const PARTS: [&str; 5] = [".claude-plugin", "plugin.json", "hooks", "skills", "agents"];

/// A project with the plugin installed from the marketplace.
fn with_plugin(claude: &Path) -> Project {
    let project = Project::with(MATH);
    let market = project.home().join("market");
    fs::create_dir(&market).expect("a directory");
    let parts = PARTS.map(|part| format!("{REPOSITORY}/{part}"));
    let copied = Command::new("cp").arg("-R").args(parts).arg(&market).status().expect("cp");
    assert!(copied.success());
    let market = market.to_str().expect("UTF-8");
    for args in [&["marketplace", "add", market][..], &["install", "steadfast@steadfast"]] {
        let output = plugin(claude, &project, args);
        assert!(output.status.success(), "claude plugin {args:?}: {}", said(&output));
    }
    project
}

/// The messages for the person that SessionStart hooks answered with.
fn explanations(session: Session<'_>) -> Vec<String> {
    let played = session.play().ended_well();
    let mut told = Vec::new();
    for row in played.rows.iter().filter(|row| row["subtype"] == "hook_response") {
        let answer = row["stdout"].as_str().unwrap_or_default();
        assert_eq!(row["exit_code"], 0, "{row}");
        told.extend((!answer.is_empty()).then(|| answer.to_owned()));
    }
    told
}

#[test]
fn the_client_finds_the_plugin_and_the_marketplace_valid() {
    let Some(claude) = claude() else { return };
    let project = Project::with(&[]);
    let output = plugin(&claude, &project, &["validate", REPOSITORY, "--strict"]);
    assert!(output.status.success(), "{}", said(&output));
    let manifest = format!("{REPOSITORY}/.claude-plugin/plugin.json");
    let output = plugin(&claude, &project, &["validate", &manifest, "--strict"]);
    assert!(output.status.success(), "{}", said(&output));
}

#[test]
fn an_installed_plugin_guards_and_brings_its_commands() {
    let Some(claude) = claude() else { return };
    let project = with_plugin(&claude);
    let bin = project.home().join(".local/bin");
    fs::create_dir_all(&bin).expect("a directory");
    symlink(built().join("steadfast-hook"), bin.join("steadfast-hook")).expect("a link to the executable");
    let tests = project.path("math.test.js");

    let played = Session::of(&claude, &project)
        .turn(Turn::read(&tests))
        .turn(Turn::edit(&tests, TWO_FAILING_TESTS, ""))
        .play()
        .ended_well();

    let refusal = played.result(1);
    assert!(refusal.is_error && refusal.text.contains("LP-001"), "{refusal:?}\n{}", played.outline());
    assert_eq!(project.text("math.test.js"), MATH_TESTS);
    let init = played.rows.iter().find(|row| row["subtype"] == "init").expect("the first row");
    for command in ["steadfast:loop", "steadfast:status", "steadfast:undo"] {
        let commands = init["slash_commands"].as_array().expect("the commands");
        assert!(commands.iter().any(|one| one == command), "{command} is not in {commands:?}");
    }
    let agents = init["agents"].to_string();
    assert!(agents.contains("steadfast:ralph-loop"), "{agents}");
    assert!(init["plugin_errors"].is_null(), "{}", init["plugin_errors"]);
}

#[test]
fn a_missing_executable_is_explained_to_the_person_once() {
    let Some(claude) = claude() else { return };
    let project = with_plugin(&claude);
    let work = |session: Session<'_>| {
        explanations(
            session
                .turn(Turn::bash("echo one > one.txt"))
                .turn(Turn::bash("echo two > two.txt"))
                .turn(Turn::say("Done.")),
        )
    };

    // A PATH of the system alone, so that a hook which this machine has installed is not found.
    let told = work(Session::of(&claude, &project).env("PATH", "/usr/bin:/bin"));

    assert_eq!(told.len(), 1, "{told:#?}");
    assert!(told[0].contains("systemMessage") && told[0].contains("install.sh"), "{}", told[0]);
    assert_eq!(project.text("two.txt"), "two\n", "without the executable everything goes on");
}
