//! Settings that colleagues share, with the real clients: they guard where the executable is, and where it is not it is
//! said once and nothing is blocked.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use crate::samples::{MATH, MATH_TESTS, TWO_FAILING_TESTS};
use crate::support::client::{claude, newer};
use crate::support::project::{Project, built, said};
use crate::support::script::Turn;
use crate::support::session::Session;

fn guards_and_says_once_what_is_missing(claude: &Path) {
    let project = Project::with(MATH);
    let bin = project.home().join(".local/bin");
    fs::create_dir_all(&bin).expect("a directory");
    let hook = bin.join("steadfast-hook");
    symlink(built().join("steadfast-hook"), &hook).expect("a link to the executable");
    let output = project.steadfast(&["install", "--scope", "project", "--client", "2.1.197"]);
    assert!(output.status.success(), "{}", said(&output));
    project.commit();
    let tests = project.path("math.test.js");

    let played = Session::of(claude, &project)
        .turn(Turn::read(&tests))
        .turn(Turn::edit(&tests, TWO_FAILING_TESTS, ""))
        .play()
        .ended_well();
    let refusal = played.result(1);
    assert!(refusal.is_error && refusal.text.contains("LP-001"), "{refusal:?}\n{}", played.outline());
    assert_eq!(project.text("math.test.js"), MATH_TESTS);

    fs::remove_file(&hook).expect("the link goes");
    let played = Session::of(claude, &project)
        // A PATH of the system alone, so that a hook which this machine has installed is not found.
        .env("PATH", "/usr/bin:/bin")
        .turn(Turn::bash("echo one > one.txt"))
        .turn(Turn::bash("echo two > two.txt"))
        .play()
        .ended_well();
    let answers: Vec<&str> = played
        .rows
        .iter()
        .filter(|row| row["subtype"] == "hook_response")
        .filter_map(|row| row["stdout"].as_str())
        .filter(|answer| !answer.is_empty())
        .collect();
    assert!(answers.len() == 1 && answers[0].contains("not guarding"), "{answers:?}");
    assert_eq!(project.text("two.txt"), "two\n", "nothing is blocked");
}

#[test]
fn shared_settings_guard_whoever_has_the_executable() {
    let Some(claude) = claude() else { return };
    guards_and_says_once_what_is_missing(&claude);
}

#[test]
fn the_newer_client_does_the_same() {
    let Some(claude) = newer() else { return };
    guards_and_says_once_what_is_missing(&claude);
}
