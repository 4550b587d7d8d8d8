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
    for command in [
        "steadfast:loop",
        "steadfast:status",
        "steadfast:pause",
        "steadfast:resume",
        "steadfast:abort",
        "steadfast:undo",
        "steadfast:reflect",
        "steadfast:reflection-injection",
    ] {
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

/// A project whose check fails, with the plugin loaded from the repository and a loop of the id `one`.
fn looping() -> Project {
    let project = Project::with(&[("check.sh", "test -f done\n")]).install();
    project.start_loop(&["Do it", "--until", "sh check.sh passes", "--loop-id", "one"]);
    project
}

fn session<'a>(claude: &'a Path, project: &'a Project) -> Session<'a> {
    let path = format!("{}:{}", built().display(), std::env::var("PATH").unwrap_or_default());
    Session::of(claude, project).args(&["--plugin-dir", REPOSITORY]).env("PATH", &path)
}

#[test]
fn a_person_pauses_resumes_and_aborts_by_the_plugins_commands() {
    let Some(claude) = claude() else { return };
    let project = looping();
    let played = session(&claude, &project)
        .prompt("Begin.")
        .prompt("/steadfast:pause")
        .prompt("/steadfast:resume --max-iterations 20")
        .prompt("/steadfast:abort")
        .turn(Turn::bash("steadfast loop abort one"))
        .turn(Turn::say("I wait."))
        .turn(Turn::say("Still."))
        .turn(Turn::say("Still."))
        .turn(Turn::say("Still."))
        .play()
        .ended_well();
    let told = played.conversation("");
    for part in ["Steadfast loop one is paused", "iteration", "ABORTED", "kept in the working tree"] {
        assert!(told.contains(part), "{part}: {told}");
    }
    assert!(played.result(0).is_error, "the agent's own call is refused: {:?}", played.result(0));
    let state = project.state_of("one");
    assert_eq!(state["status"], "aborted", "{state:#}");
    assert_eq!(state["configuration"]["max_iterations"], 20);
}

#[test]
fn the_agent_can_neither_give_a_persons_command_nor_schedule_it() {
    let Some(claude) = claude() else { return };
    let project = looping();
    let named = |name: &str| serde_json::json!({"skill": name});
    let skill = |name: &str| Turn::call("Skill", named(name));
    let cron = serde_json::json!({"cron": "0 9 * * *", "prompt": "/steadfast:abort", "recurring": false});
    let played = session(&claude, &project)
        .prompt("Begin.")
        .turn(skill("steadfast:abort"))
        .turn(Turn::call("CronCreate", cron))
        .turn(skill("steadfast:reflection-injection"))
        .turn(
            ["loop", "pause", "resume", "gate", "allow", "undo"]
                .iter()
                .fold(Turn::default(), |turn, name| turn.and("Skill", named(&format!("steadfast:{name}")))),
        )
        .turn(Turn::write(&project.path("done"), "x"))
        .play()
        .ended_well();
    for number in [0, 1, 3, 4, 5, 6, 7, 8] {
        assert!(played.result(number).is_error, "{number}: {:?}", played.result(number));
    }
    assert!(!played.result(2).is_error, "{:?}", played.result(2));
    assert!(
        played.conversation("").contains("steadfast reflect patterns"),
        "the skill's text reached the agent"
    );
    assert_eq!(project.state_of("one")["status"], "completed");
}

#[test]
fn the_commands_that_show_are_read_by_the_agent_that_runs_them() {
    let Some(claude) = claude() else { return };
    let project = looping();
    for (prompt, command) in [
        ("/steadfast:status one", "steadfast status one"),
        ("/steadfast:undo --list", "steadfast undo --list"),
        ("/steadfast:reflect list", "steadfast reflect list"),
    ] {
        project.steadfast(&["loop", "pause", "one"]);
        let played = session(&claude, &project).prompt(prompt).turn(Turn::bash(command)).play().ended_well();
        assert!(played.conversation("").contains(command.split(' ').nth(1).expect("a word")), "{prompt}");
        let result = played.result(0);
        assert!(!result.is_error, "{prompt}: {result:?}");
    }
}

#[test]
fn the_orchestrator_works_in_a_loop_as_a_subagent() {
    let Some(claude) = claude() else { return };
    let project = looping();
    let call = serde_json::json!({
        "description": "carry it out", "prompt": "MARK-1: make the check pass", "subagent_type": "steadfast:ralph-loop",
    });
    let played = session(&claude, &project)
        .prompt("Begin.")
        .turn(Turn::call("Agent", call))
        .turn(Turn::say("The agent has done it."))
        .thread(
            "MARK-1",
            vec![
                Turn::write(&project.path("done"), "x"),
                Turn::bash("sh check.sh"),
                Turn::say("The check passes."),
            ],
        )
        .play()
        .ended_well();
    let state = project.state_of("one");
    assert_eq!(
        (&state["status"], &state["iteration"]),
        (&serde_json::json!("completed"), &serde_json::json!(1)),
        "{}",
        played.outline()
    );
}
