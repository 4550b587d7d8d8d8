//! How loops end: at once, at a limit, by a person, after a crash, and never by tampering.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::samples::{MATH, MATH_TESTS, RIGHT_MATH, WRONG_MATH};
use crate::support::client::claude;
use crate::support::project::{HANGING, Project, kill_hanging, said};
use crate::support::script::Turn;
use crate::support::session::{Played, Session};

const PACKAGE: &str = "{\"name\": \"math\", \"scripts\": {\"test\": \"node --test\"}}\n";

/// The next session, in which the agent mends what is wrong.
pub(crate) fn mending(claude: &Path, project: &Project) -> Played {
    let source = project.path("math.js");
    Session::of(claude, project)
        .prompt("Go on.")
        .turn(Turn::read(&source))
        .turn(Turn::edit(&source, WRONG_MATH.trim_end(), RIGHT_MATH.trim_end()))
        .turn(Turn::say("Now it adds."))
        .play()
        .ended_well()
}

fn with_package() -> Project {
    let project = Project::with(MATH);
    project.write("package.json", PACKAGE);
    project.commit();
    project
}

#[test]
fn a_criterion_that_holds_already_costs_no_work() {
    let project = Project::with(&[("math.js", RIGHT_MATH), ("math.test.js", MATH_TESTS)]);
    let started = project.start_loop(&["Fix add", "--until", "node --test passes", "--loop-id", "one"]);
    assert!(started.contains("COMPLETE") && started.contains("Iterations: 0"), "{started}");
    let state = project.state_of("one");
    assert_eq!((&state["status"], &state["iteration"]), (&json!("completed"), &json!(0)));
    let typed = json!({"prompt": "/steadfast:loop Fix it --until \"node --test passes\" --loop-id two"});
    let told = project.hook("UserPromptSubmit", "s1", typed).expect("a word").to_string();
    assert!(told.contains("holds already"), "{told}");
    assert_eq!(project.stop("s1", "done"), None);
}

#[test]
fn a_vague_criterion_is_refused_with_what_would_do() {
    let project = with_package();
    for vague in ["the code is good", "tests pass"] {
        let refused = project.steadfast(&["loop", "start", "Fix it", "--until", vague]);
        assert!(!refused.status.success());
        assert!(said(&refused).contains("npm test passes"), "{}", said(&refused));
        let typed = json!({"prompt": format!("/steadfast:loop Fix it --until \"{vague}\"")});
        let told = project.hook("UserPromptSubmit", "s1", typed).expect("a word").to_string();
        assert!(told.contains("npm test passes"), "{told}");
    }
    assert!(project.loops().is_empty());
}

#[test]
fn every_command_speaks_json() {
    let project = with_package();
    let json_of = |args: &[&str]| -> Value {
        let output = project.steadfast(args);
        assert!(output.status.success(), "{args:?}: {}", said(&output));
        serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{args:?}: {error}: {}", said(&output)))
    };
    let started =
        json_of(&["loop", "start", "Fix add", "--until", "npm test passes", "--loop-id", "one", "--json"]);
    assert_eq!((&started["loop_id"], &started["already_met"]), (&json!("one"), &json!(false)));
    assert_eq!(started["first_check"]["checks"][0]["exit_code"], 1, "{started:#}");
    assert_eq!(json_of(&["loop", "pause", "--json"])["status"], "paused");
    let resumed = json_of(&["loop", "resume", "--loop-id", "one", "--max-iterations", "20", "--json"]);
    assert_eq!(resumed["max_iterations"], 20);
    assert_eq!(json_of(&["loop", "status", "--json"])["loops"][0]["loop_id"], "one");
    assert_eq!(json_of(&["loop", "abort", "one", "--json"])["status"], "aborted");
    assert!(!project.steadfast(&["loop", "resume", "one"]).status.success(), "what was aborted stays so");
    for args in [["reflect", "list", "--json"], ["reflect", "patterns", "--json"]] {
        json_of(&args);
    }
}

#[test]
fn one_row_for_each_loop_and_all_of_them_at_once() {
    let project = Project::with(&[("check.sh", "test -f done\n"), ("a", "1")]);
    let json_of = |args: &[&str]| -> Value {
        let output = project.steadfast(args);
        serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{args:?}: {error}: {}", said(&output)))
    };
    let begin = |id: &str| project.start_loop(&["Do", "--until", "sh check.sh passes", "--loop-id", id]);
    for id in ["l1", "l2", "l3"] {
        begin(id);
    }
    let ids = |listed: &Value| -> Vec<String> {
        let loops = listed["loops"].as_array().expect("the loops");
        loops.iter().map(|one| one["loop_id"].as_str().expect("an id").to_owned()).collect()
    };
    assert_eq!(ids(&json_of(&["loop", "list", "--json"])), ["l1", "l2", "l3"]);
    let unclear = project.steadfast(&["loop", "pause", "--json"]);
    assert!(!unclear.status.success() && said(&unclear).contains("name one"), "{}", said(&unclear));
    // What it changed goes back, and what it made goes.
    project.begin_session("s1");
    let mine = ids(&json_of(&["loop", "status", "--json"]))
        .into_iter()
        .find(|id| project.state_of(id)["session_id"] == "s1")
        .expect("a loop of the session");
    let write = |path: &str, text: &str| {
        let input = json!({"file_path": project.path(path), "content": text});
        let call = json!({"tool_name": "Write", "tool_input": input, "tool_use_id": format!("t-{path}")});
        project.hook("PreToolUse", "s1", call.clone());
        project.write(path, text);
        project.hook("PostToolUse", "s1", call);
    };
    write("a", "2");
    write("new/b", "3");
    let reverted = json_of(&["loop", "abort", &mine, "--revert", "--json"]);
    assert_eq!(
        (&reverted["restored"], &reverted["status"]),
        (&json!(["a"]), &json!("aborted")),
        "{reverted:#}"
    );
    assert!(reverted["removed"].to_string().contains("new/b"), "{reverted:#}");
    assert_eq!((project.text("a").as_str(), project.path("new").exists()), ("1", false));
    assert_eq!(json_of(&["loop", "abort", "--all", "--json"])["loops"].as_array().map(Vec::len), Some(2));
    assert_eq!(json_of(&["loop", "list", "--json"])["loops"], json!([]));
    assert_eq!(ids(&json_of(&["loop", "list", "--all", "--json"])).len(), 3);
}

#[test]
fn the_documents_own_names_do_the_same() {
    let project = Project::with(&[("check.sh", "test -f done\n")]);
    let run = |args: &[&str]| {
        let output = project.steadfast(args);
        assert!(output.status.success(), "{args:?}: {}", said(&output));
        said(&output)
    };
    run(&["use", "agent-persistence"]);
    assert!(project.text(".claude/settings.local.json").contains("steadfast-hook"));
    run(&["ralph", "Do it", "--completion", "sh check.sh passes", "--loop-id", "one"]);
    assert!(run(&["ralph-status", "one", "--persistence"]).contains("one"));
    assert_eq!(run(&["status", "one", "--json"]), run(&["status", "--loop-id", "one", "--json"]));
    run(&["ralph-pause", "one"]);
    run(&["ralph-resume", "one"]);
    run(&["ralph-abort", "one"]);
    assert_eq!(project.state_of("one")["status"], "aborted");
}

#[test]
fn each_option_of_a_start_does_what_it_says() {
    let project = Project::with(&[("check.sh", "test -f done\n")]);
    let start = |more: &[&str]| {
        project.steadfast(&[&["loop", "start", "Do it", "--until", "sh check.sh passes"], more].concat())
    };
    for (options, refused) in [
        (&["--max-iterations", "0"][..], "at least one"),
        (&["--timeout", "0"], "at least one"),
        (&["--max-iterations", "many"], "invalid value"),
        (&["--loop-id", "../x"], "../x"),
        (&["--interactive"], "terminal"),
    ] {
        let output = start(options);
        assert!(
            !output.status.success() && said(&output).contains(refused),
            "{options:?}: {}",
            said(&output)
        );
    }
    assert!(project.loops().is_empty(), "what is refused leaves nothing");
    assert!(
        start(&["--loop-id", "a", "--max-iterations", "3", "--timeout", "7", "--no-commit"]).status.success()
    );
    let limits = project.state_of("a")["configuration"].clone();
    assert_eq!((&limits["max_iterations"], &limits["timeout_minutes"]), (&json!(3), &json!(7)));
    assert!(said(&start(&["--loop-id", "a"])).contains("exists already"));
    assert!(start(&["--loop-id", "b", "--branch"]).status.success());
    assert_eq!(project.git(&["branch", "--show-current"]).trim(), "ralph/b");
    let defaults = project.state_of("b")["configuration"].clone();
    assert_eq!((&defaults["max_iterations"], &defaults["timeout_minutes"]), (&json!(10), &json!(60)));
    for id in ["c", "d"] {
        assert!(start(&["--loop-id", id]).status.success());
    }
    let fifth = start(&["--loop-id", "e"]);
    assert!(!fifth.status.success() && said(&fifth).contains("--force"), "{}", said(&fifth));
    assert!(start(&["--loop-id", "e", "--force"]).status.success());
    // Without an id one is made of the task; without --commit nothing is committed.
    let made = project.steadfast(&["loop", "abort", "--all"]);
    assert!(made.status.success(), "{}", said(&made));
    let before = project.git(&["rev-parse", "HEAD"]);
    assert!(start(&["--commit", "--no-commit"]).status.success());
    project.begin_session("s1");
    project.write("done", "");
    assert_eq!(project.stop("s1", "Done."), None);
    assert_eq!(project.git(&["rev-parse", "HEAD"]), before);
}

#[test]
fn options_of_a_start_hold() {
    let project = with_package();
    project.write("dirty", "x");
    let refused = project.steadfast(&["loop", "start", "x", "--until", "npm test passes", "--commit"]);
    assert!(said(&refused).contains("clean"), "{}", said(&refused));
    fs::remove_file(project.path("dirty")).expect("removed");
    project.git(&["config", "user.name", "Test"]);
    project.git(&["config", "user.email", "test@example.org"]);
    let args =
        ["Fix add", "--until", "npm test passes", "--loop-id", "one", "--commit", "--branch", "fix/add"];
    project.start_loop(&[&args[..], &["--scope", "math.js"]].concat());
    assert_eq!(project.git(&["branch", "--show-current"]).trim(), "fix/add");
    project.begin_session("s1");
    // Outside of the scope.
    let write = |path: &str, text: &str| {
        let input = json!({"file_path": project.path(path), "content": text});
        let call = json!({"tool_name": "Write", "tool_input": input, "tool_use_id": format!("t-{path}")});
        project.hook("PreToolUse", "s1", call).map(|answer| answer.to_string()).unwrap_or_default()
    };
    assert!(write("other.js", "x").contains("SF-006"), "not in the scope");
    assert!(!write("math.js", RIGHT_MATH).contains("SF-006"));
    project.write("math.js", "exports.add = (a, b) => b - a;\n");
    assert!(project.stop("s1", "Turned it round.").is_some());
    project.write("math.js", RIGHT_MATH);
    assert_eq!(project.stop("s1", "Now it adds."), None);
    let log = project.git(&["log", "--format=%s"]);
    assert!(log.contains("ralph: iteration 2 - PASS") && log.contains("ralph: iteration 1 - FAIL"), "{log}");
}

#[test]
fn a_rigged_script_completes_nothing() {
    let Some(claude) = claude() else { return };
    let project = with_package().install();
    project.start_loop(&["Fix add", "--until", "npm test passes", "--loop-id", "one"]);
    // A program that the agent writes, since an edit would be refused at once.
    let rig = "const fs = require('fs');\nconst name = 'package' + '.json';\nfs.writeFileSync(name, fs.readFileSync(name, 'utf8').replace('node --test', process.argv[2]));\n";
    let played = Session::of(&claude, &project)
        .prompt("Fix add.")
        .turn(Turn::write(&project.path("rig.js"), rig))
        .turn(Turn::bash("node rig.js true"))
        .turn(Turn::say("All tests pass."))
        .play()
        .ended_well();
    assert!(project.text("package.json").contains("\"true\""), "the script was replaced");
    let told = played.conversation("");
    assert!(told.contains("LP-R001") || told.contains("ompletion criterion"), "{told}");
    let state = project.state_of("one");
    assert_eq!(state["status"], "running", "{state:#}\n{}", played.outline());
    assert_eq!(state["regression_detected"], true, "{state:#}");
    // Put back as it was, it needs no decision, and the loop goes on in the next session to its end.
    project.write("package.json", PACKAGE);
    assert!(project.steadfast(&["loop", "pause", "one"]).status.success());
    assert!(project.steadfast(&["loop", "resume", "one"]).status.success());
    let mended = mending(&claude, &project);
    let state = project.state_of("one");
    assert_eq!(state["status"], "completed", "{state:#}\n{}", mended.outline());
}

#[test]
fn an_edit_of_what_the_loop_rests_on_is_refused_at_once() {
    let project = with_package();
    project.start_loop(&["Fix add", "--until", "npm test passes", "--loop-id", "one"]);
    project.begin_session("s1");
    let call = |text: &str| {
        let input = json!({"file_path": project.path("package.json"), "content": text});
        let call = json!({"tool_name": "Write", "tool_input": input, "tool_use_id": "t1"});
        project.hook("PreToolUse", "s1", call).map(|answer| answer.to_string()).unwrap_or_default()
    };
    assert!(
        call("{\"name\": \"math\", \"scripts\": {\"test\": \"node --test math.test.js\"}}")
            .contains("SF-005")
    );
    let more = "{\"name\": \"math\", \"scripts\": {\"test\": \"node --test\", \"build\": \"tsc\"}, \"private\": true}";
    assert!(!call(more).contains("\"deny\""), "another script is no change of it");
}

#[test]
fn fewer_tests_than_at_the_start_are_no_success() {
    let project = with_package();
    project.write("aiwg.yml", "agent_persistence:\n  allowed_paths: [\"*.test.js\"]\n");
    project.start_loop(&["Fix add", "--until", "npm test passes", "--loop-id", "one"]);
    project.begin_session("s1");
    let leave = |names: &str| {
        let tests: String = names.chars().map(|name| format!("test('{name}', () => {{}});\n")).collect();
        project.write("math.test.js", &format!("const test = require('node:test');\n{tests}"));
    };
    leave("abcd");
    let told = project.stop("s1", "All tests pass.").expect("it goes on");
    assert!(told.contains("4 tests ran where 5 ran"), "{told}");
    // Where most are gone a person is asked at once, and the turn ends.
    leave("a");
    assert_eq!(project.stop("s1", "All tests pass."), None);
    let state = project.state_of("one");
    assert_eq!(state["status"], "running", "{state:#}");
    let gate = &state["human_gates"][0];
    assert!(gate["subject"] == "regression" && gate["decided_at"].is_null(), "{gate:#}");
}

#[test]
fn the_tests_of_the_start_find_weakened_ones_that_detectors_were_told_to_ignore() {
    let Some(claude) = claude() else { return };
    let project = with_package();
    project.write("aiwg.yml", "agent_persistence:\n  allowed_paths: [\"*.test.js\"]\n");
    project.commit();
    let project = project.install();
    project.start_loop(&["Fix add", "--until", "npm test passes", "--loop-id", "one", "--verify-original"]);
    let tests = project.path("math.test.js");
    let weak = MATH_TESTS.replace(", 5);", ", -1);").replace("-5);", "1);").replace("add(9, 4)", "add(4, 9)");
    let played = Session::of(&claude, &project)
        .prompt("Fix add.")
        .turn(Turn::read(&tests))
        .turn(Turn::write(&tests, &weak))
        .turn(Turn::say("All five tests pass."))
        .turn(Turn::read(&project.path("math.js")))
        .turn(Turn::edit(&project.path("math.js"), WRONG_MATH.trim_end(), RIGHT_MATH.trim_end()))
        .turn(Turn::write(&tests, MATH_TESTS))
        .turn(Turn::say("Now it adds."))
        .play()
        .ended_well();
    let told = played.conversation("");
    assert!(told.contains("with the tests of the loop's start: exit code 1"), "{told}");
    for name in ["adds two numbers", "adds negative numbers", "is commutative"] {
        assert!(told.contains(name), "{name} is not named: {told}");
    }
    let state = project.state_of("one");
    assert_eq!(
        state["iteration_history"][0]["metrics_snapshot"]["verification_status"], "failed",
        "{state:#}"
    );
    assert_eq!(
        (&state["status"], &state["iteration"]),
        (&json!("completed"), &json!(2)),
        "{}",
        played.outline()
    );
}

#[test]
fn a_tampered_runner_among_the_installed_packages_completes_nothing() {
    let runner = "process.exit(require('node:child_process').spawnSync('node', ['--test']).status);\n";
    let project = with_package();
    project.write(".gitignore", "node_modules\n");
    project.write("package.json", &PACKAGE.replace("node --test", "node node_modules/runner/run.js"));
    project.write("node_modules/runner/run.js", runner);
    project.commit();
    project.start_loop(&["Fix add", "--until", "npm test passes", "--loop-id", "one", "--verify-original"]);
    project.begin_session("s1");
    project.write("node_modules/runner/run.js", "process.exit(0);\n");
    // What a test run rests on was rigged: that is a person's matter.
    assert_eq!(project.stop("s1", "All tests pass."), None);
    let state = project.state_of("one");
    assert_eq!(
        (&state["status"], &state["regression_detected"]),
        (&json!("running"), &json!(true)),
        "{state:#}"
    );
    assert!(state["regression_events"].to_string().contains("node_modules/runner"), "{state:#}");
    assert!(state["human_gates"][0]["decision"].is_null(), "{state:#}");
    // A package that comes along is none of that, and the runner installed anew is the runner.
    fs::remove_file(project.path("node_modules/runner/run.js")).expect("removed");
    project.write("node_modules/runner/run.js", runner);
    project.write("node_modules/left-pad/index.js", "x");
    project.write("math.js", RIGHT_MATH);
    while project.stop("s1", "Now it adds.").is_some() {}
    let state = project.state_of("one");
    assert_eq!(state["status"], "completed", "{state:#}");
}

#[test]
fn a_verification_that_hangs_is_cut_off_with_all_that_it_started() {
    let Some(claude) = claude() else { return };
    let project = Project::with(&[("slow.sh", "sleep 4242 & sleep 4242\n")]);
    project.write("aiwg.yml", "agent_persistence:\n  verification:\n    timeout_seconds: 1\n");
    project.commit();
    let project = project.install();
    project.start_loop(&[
        "Be quick",
        "--until",
        "sh slow.sh passes",
        "--loop-id",
        "one",
        "--max-iterations",
        "2",
    ]);
    let played = Session::of(&claude, &project)
        .prompt("Go.")
        .turn(Turn::say("Looked."))
        .turn(Turn::say("Looked again."))
        .play()
        .ended_well();
    assert!(played.conversation("").contains("no result within"), "{}", played.conversation(""));
    assert_eq!(project.state_of("one")["status"], "failed");
    let left = std::process::Command::new("pgrep").args(["-f", "^sleep 4242"]).output().expect("pgrep");
    assert!(left.stdout.is_empty(), "still running: {left:?}");
}

#[test]
fn an_abort_keeps_the_changes_and_a_revert_takes_exactly_them_back() {
    let Some(claude) = claude() else { return };
    let project = Project::with(MATH).install();
    let begin = |id: &str| {
        project.start_loop(&[
            "Fix add",
            "--until",
            "node --test passes",
            "--loop-id",
            id,
            "--max-iterations",
            "3",
        ])
    };
    let play = || {
        Session::of(&claude, &project)
            .prompt("Go.")
            .turn(Turn::read(&project.path("math.js")))
            .turn(Turn::edit(&project.path("math.js"), "a - b", "b - a"))
            .turn(Turn::bash("mkdir -p deep/er && echo new > deep/er/new.txt"))
            .turn(Turn::say("Turned it round."))
            .turn(Turn::bash("kill -9 $PPID"))
            .play()
    };
    begin("kept");
    play();
    let aborted = project.steadfast(&["loop", "abort", "kept"]);
    assert!(aborted.status.success() && project.text("math.js").contains("b - a"), "{}", said(&aborted));
    project.git(&["checkout", "--quiet", "--", "."]);
    fs::remove_dir_all(project.path("deep")).expect("removed");

    begin("taken");
    play();
    // Work of somebody else, after the last call.
    project.write("math.test.js", &format!("{MATH_TESTS}// mine\n"));
    project.write("mine.txt", "mine");
    let refused = project.steadfast(&["loop", "abort", "taken", "--revert"]);
    assert!(!refused.status.success() && said(&refused).contains("math.test.js"), "{}", said(&refused));
    assert!(said(&refused).contains("mine.txt"), "{}", said(&refused));
    assert!(project.text("math.js").contains("b - a"), "nothing was touched");
    assert_ne!(project.state_of("taken")["status"], "aborted");
    project.write("math.test.js", MATH_TESTS);
    fs::remove_file(project.path("mine.txt")).expect("removed");
    let reverted = project.steadfast(&["loop", "abort", "taken", "--revert"]);
    assert!(reverted.status.success() && said(&reverted).contains("undone"), "{}", said(&reverted));
    assert_eq!((project.text("math.js").as_str(), project.path("deep").exists()), (WRONG_MATH, false));
    assert_eq!(project.git(&["status", "--porcelain", "--", "math.js", "math.test.js", "deep"]), "");
}

#[test]
fn two_loops_work_side_by_side_in_two_sessions() {
    let Some(claude) = claude() else { return };
    let project = Project::with(&[("a.sh", "test -f a\n"), ("b.sh", "test -f b\n")]).install();
    project.start_loop(&["Make a", "--until", "sh a.sh passes", "--loop-id", "la"]);
    project.start_loop(&["Make b", "--until", "sh b.sh passes", "--loop-id", "lb"]);
    let session = |file: &'static str, pause: &'static str| {
        Session::of(&claude, &project)
            .prompt(&format!("Make {file}."))
            .turn(Turn::bash(pause))
            .turn(Turn::say("Not yet."))
            .turn(Turn::write(&project.path("a"), "a"))
            .turn(Turn::write(&project.path("b"), "b"))
            .turn(Turn::say("Done."))
    };
    std::thread::scope(|scope| {
        for file in ["a", "b"] {
            scope.spawn(move || session(file, "sleep 0.2").play().ended_well());
        }
    });
    let sessions: Vec<Value> = ["la", "lb"].map(|id| project.state_of(id)["session_id"].clone()).to_vec();
    assert!(sessions.iter().all(Value::is_string) && sessions[0] != sessions[1], "{sessions:?}");
    for id in ["la", "lb"] {
        let state = project.state_of(id);
        assert_eq!(state["status"], "completed", "{state:#}");
        assert_eq!(state["regression_events"], json!([]));
    }
}

#[test]
fn a_killed_client_and_a_killed_hook_lose_nothing_and_the_loop_goes_on() {
    let Some(claude) = claude() else { return };
    let killer = "if [ -f ../kill ]; then rm ../kill; p=$PPID\nwhile [ $p -gt 1 ] && [ \"$(cat /proc/$p/comm)\" != steadfast-hook ]; do p=$(cut -d' ' -f4 /proc/$p/stat); done\n[ $p -gt 1 ] && kill -9 $p\nfi\ntest -f done\n";
    let project = Project::with(&[("check.sh", killer)]).install();
    project.start_loop(&["Do it", "--until", "sh check.sh passes", "--loop-id", "one"]);
    fs::write(project.root().join("../kill"), "").expect("written");
    // The hook dies in the middle of its verification; the client goes on without it.
    Session::of(&claude, &project).prompt("Go.").turn(Turn::say("Looked.")).play().ended_well();
    let state = project.state_of("one");
    assert_eq!((&state["status"], &state["iteration_history"]), (&json!("running"), &json!([])));
    // Then the client dies in the middle of a call.
    let resume = project.steadfast(&["loop", "pause", "one"]);
    assert!(resume.status.success(), "{}", said(&resume));
    assert!(project.steadfast(&["loop", "resume", "one"]).status.success());
    // (Somebody else kills it: a call that would is refused.)
    let refused = Turn::bash("kill -9 $PPID");
    let session = Session::of(&claude, &project).prompt("Go.").turn(refused).turn(Turn::bash(HANGING));
    let killed = std::thread::scope(|scope| {
        scope.spawn(|| kill_hanging(&project, "worker"));
        session.play()
    });
    assert_ne!(killed.exit, Some(0));
    assert!(killed.result(0).is_error && killed.result(0).text.contains("SF-002"), "{}", killed.outline());
    let seen = project.steadfast(&["status", "one", "--json"]);
    assert!(said(&seen).contains("\"crashed\""), "{}", said(&seen));
    // No other session is caught by it.
    let other = Session::of(&claude, &project).prompt("Hi.").turn(Turn::say("Hello.")).play().ended_well();
    assert_eq!(other.asked.len(), 1);
    let resumed = project.steadfast(&["loop", "resume", "one"]);
    assert!(resumed.status.success(), "{}", said(&resumed));
    Session::of(&claude, &project)
        .prompt("Go on.")
        .turn(Turn::say("Looked."))
        .turn(Turn::write(&project.path("done"), "x"))
        .play()
        .ended_well();
    let state = project.state_of("one");
    assert_eq!((&state["status"], &state["iteration"]), (&json!("completed"), &json!(2)), "{state:#}");
}

#[test]
fn what_one_loop_learned_the_next_one_hears() {
    let project = with_package();
    let begin = |id: &str, session: &str| {
        project.start_loop(&["Fix the failing tests of add", "--until", "npm test passes", "--loop-id", id]);
        project.begin_session(session).expect("a word").to_string()
    };
    begin("first", "s1");
    assert!(project.stop("s1", "Looked at the rounding.").is_some());
    project.write("math.js", "// turned round\nexports.add = (a, b) => a - b;\n");
    let told = project.stop("s1", "Turned it round.").expect("it goes on");
    assert!(told.contains("Looked at the rounding"), "{told}");
    project.write("math.js", RIGHT_MATH);
    assert_eq!(project.stop("s1", "Added instead of subtracting."), None);

    let folder = ".aiwg/ralph/reflections";
    for number in 1..=3 {
        let text = project.text(&format!("{folder}/loops/first/iteration-{number}.yaml"));
        for field in
            ["trial_number:", "timestamp:", "outcome:", "reflection:", "strategy_change:", "trajectory:"]
        {
            assert!(text.contains(field), "{field} in {text}");
        }
    }
    let index = project.text(&format!("{folder}/index.yaml"));
    assert!(index.contains("total_loops: 1") && index.contains("total_reflections: 3"), "{index}");
    let patterns = project.steadfast(&["reflect", "patterns"]);
    assert!(said(&patterns).contains("seen 2 times, 100%"), "{}", said(&patterns));

    project.write("math.js", WRONG_MATH);
    let told = begin("second", "s2");
    assert!(told.contains("Known from earlier loops") && told.contains("math.js"), "{told}");
    let shown = project.steadfast(&["reflect", "show", "first", "2"]);
    assert!(said(&shown).contains("Turned it round"), "{}", said(&shown));
    assert!(project.steadfast(&["reflect", "clear", "--all"]).status.success());
    assert!(said(&project.steadfast(&["reflect", "list"])).contains("No loop"));
}
