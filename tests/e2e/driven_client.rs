//! `steadfast run` with the real client: the outcomes of a loop in a session, with a fresh session per iteration.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use crate::samples::{MATH, MATH_TESTS, RIGHT_MATH, WRONG_MATH};
use crate::support::api::Api;
use crate::support::client::claude;
use crate::support::project::{HANGING, Project, kill_hanging, said, wait_for};
use crate::support::script::{Thread, Turn};
use crate::support::session::{Place, client};

const PACKAGE: &str = "{\"name\": \"math\", \"scripts\": {\"test\": \"node --test\"}}\n";
const STILL_WRONG: &str = "exports.add = (a, b) => b - a;\n";

/// A driver's run, with the model's turns over all of its sessions.
struct Drive<'a> {
    claude: &'a Path,
    project: &'a Project,
    api: Api,
}

impl<'a> Drive<'a> {
    fn of(claude: &'a Path, project: &'a Project, turns: Vec<Turn>) -> Self {
        let api = Api::play(vec![Thread { mark: String::new(), turns }]);
        Drive { claude, project, api }
    }

    /// The command `steadfast run ARGS`, with the client as its agent.
    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_steadfast"));
        self.project.clean(command.arg("run").args(args)).arg("--").arg(self.claude);
        command.args(["--permission-mode", "bypassPermissions", "--output-format", "json", "-p"]);
        for (name, value) in client(self.claude, self.project).get_envs() {
            if let Some(value) = value {
                command.env(name, value);
            }
        }
        command.env("ANTHROPIC_BASE_URL", self.api.url()).env("IS_SANDBOX", "1");
        command
    }

    fn run(&self, args: &[&str]) -> Output {
        let _place = Place::take();
        self.command(args).output().expect("steadfast")
    }

    /// How many sessions there were.
    fn sessions(&self) -> usize {
        let fresh = |messages: &[Value]| messages.iter().all(|message| message["role"] != "assistant");
        self.api.asked().iter().filter(|asked| fresh(&asked.messages)).count()
    }

    /// All that the last session's agent was told.
    fn told(&self) -> String {
        self.api.asked().last().map(|asked| json!(asked.messages).to_string()).unwrap_or_default()
    }
}

fn with_package() -> Project {
    let project = Project::with(MATH);
    project.write("package.json", PACKAGE);
    project.commit();
    project
}

fn begin<'a>(until: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["Fix add", "--until", until, "--loop-id", "one"], more].concat()
}

#[test]
fn each_iteration_is_a_fresh_session_of_the_real_client() {
    let Some(claude) = claude() else { return };
    let project = Project::with(MATH).install();
    let source = project.path("math.js");
    let drive = Drive::of(
        &claude,
        &project,
        vec![
            Turn::say("I looked around. All done."),
            Turn::read(&source),
            Turn::edit(&source, WRONG_MATH.trim_end(), STILL_WRONG.trim_end()),
            Turn::say("Turned it round."),
            Turn::read(&source),
            Turn::edit(&source, STILL_WRONG.trim_end(), RIGHT_MATH.trim_end()),
            Turn::say("Now it adds."),
        ],
    );
    let output = drive.run(&begin("node --test passes", &[]));
    let told = said(&output);
    assert!(output.status.success() && told.contains("Status: SUCCESS"), "{told}");
    for line in ["iteration 1/10: FAIL", "iteration 2/10: FAIL", "iteration 3/10: PASS"] {
        assert!(told.contains(line), "{line}: {told}");
    }
    assert_eq!(drive.sessions(), 3, "each iteration is a session of its own");
    let last = drive.told();
    assert!(last.contains("adds two numbers"), "it knows what failed: {last}");
    assert!(
        last.contains("Turned it round") && last.contains("iteration 3 of 10"),
        "and what was tried: {last}"
    );
    let state = project.state_of("one");
    assert_eq!((&state["status"], &state["iteration"]), (&json!("completed"), &json!(3)), "{state:#}");
    assert_eq!(state["iteration_history"][0]["action"], "I looked around. All done.");
    // The hooks of the driven sessions worked for this loop.
    let log = project.text(".aiwg/ralph/loops/one/hook-log.jsonl");
    assert!(log.contains("\"SessionStart\"") && log.contains("pre_tool_call"), "{log}");
    let reflected = project.steadfast(&["reflect", "list", "--json"]);
    assert!(said(&reflected).contains("\"one\""), "{}", said(&reflected));
}

#[test]
fn a_limit_ends_it_with_the_ways_to_go_on() {
    let Some(claude) = claude() else { return };
    let project = Project::with(MATH).install();
    let drive = Drive::of(&claude, &project, (0..4).map(|_| Turn::say("All done.")).collect());
    let output = drive.run(&begin("node --test passes", &["--max-iterations", "2"]));
    let told = said(&output);
    assert_eq!(output.status.code(), Some(1), "{told}");
    for part in ["MAX_ITERATIONS", "--max-iterations", "loop abort one", "state.json"] {
        assert!(told.contains(part), "{part}: {told}");
    }
    assert_eq!((drive.sessions(), project.state_of("one")["status"].clone()), (2, json!("failed")));
    // The way on that is offered without a number works too.
    let resumed = drive.run(&["one", "--resume"]);
    assert!(said(&resumed).contains("iteration 3/"), "{}", said(&resumed));
    assert_eq!(drive.sessions(), 3);
}

#[test]
fn a_verification_without_an_end_is_cut_off() {
    let Some(claude) = claude() else { return };
    let project = Project::with(&[("slow.sh", "sleep 4343 & sleep 4343\n")]);
    project.write("aiwg.yml", "agent_persistence:\n  verification:\n    timeout_seconds: 1\n");
    project.commit();
    let project = project.install();
    let drive = Drive::of(&claude, &project, vec![Turn::say("Looked."), Turn::say("Looked again.")]);
    let output = drive.run(&begin("sh slow.sh passes", &["--max-iterations", "2"]));
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(drive.told().contains("no result within"), "{}", drive.told());
    assert_eq!((drive.sessions(), project.state_of("one")["status"].clone()), (2, json!("failed")));
    let left = Command::new("pgrep").args(["-f", "^sleep 4343"]).output().expect("pgrep");
    assert!(left.stdout.is_empty(), "still running: {left:?}");
}

#[test]
fn a_paused_run_is_aborted_and_taken_back_to_the_byte() {
    let Some(claude) = claude() else { return };
    let project = Project::with(MATH).install();
    let drive = Drive::of(
        &claude,
        &project,
        vec![
            Turn::read(&project.path("math.js")),
            Turn::edit(&project.path("math.js"), "a - b", "b - a"),
            Turn::bash("mkdir -p deep/er && echo new > deep/er/new.txt"),
            Turn::bash("touch ../working; sleep 60"),
        ],
    );
    let place = Place::take();
    let mut command = drive.command(&begin("node --test passes", &[]));
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("steadfast");
    wait_for("the agent's work", || project.root().join("../working").exists());
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill").success());
    let output = child.wait_with_output().expect("its end");
    drop(place);
    assert_eq!(output.status.code(), Some(130), "{}", said(&output));
    assert_eq!(project.state_of("one")["status"], "paused");
    assert!(project.text("math.js").contains("b - a"), "the work is kept");
    // Work of somebody else is not taken.
    project.write("mine.txt", "mine");
    let refused = project.steadfast(&["loop", "abort", "one", "--revert"]);
    assert!(!refused.status.success() && said(&refused).contains("mine.txt"), "{}", said(&refused));
    assert!(project.text("math.js").contains("b - a"), "nothing was touched");
    fs::remove_file(project.path("mine.txt")).expect("removed");
    let reverted = project.steadfast(&["loop", "abort", "one", "--revert"]);
    assert!(reverted.status.success(), "{}", said(&reverted));
    assert_eq!((project.text("math.js").as_str(), project.path("deep").exists()), (WRONG_MATH, false));
    assert_eq!(project.git(&["status", "--porcelain", "--", "math.js", "math.test.js", "deep"]), "");
    let over = drive.run(&["one", "--resume"]);
    assert!(!over.status.success() && said(&over).contains("aborted"), "{}", said(&over));
}

#[test]
fn two_runs_work_side_by_side() {
    let Some(claude) = claude() else { return };
    let project = Project::with(&[("a.sh", "test -f a\n"), ("b.sh", "test -f b\n")]).install();
    let run = |file: &str| {
        let path = project.path(file);
        let turns = vec![Turn::say("Not yet."), Turn::write(&path, file), Turn::say("Done.")];
        let drive = Drive::of(&claude, &project, turns);
        let id = format!("l{file}");
        let until = format!("sh {file}.sh passes");
        let output = drive.run(&[&format!("Make the file {file}"), "--until", &until, "--loop-id", &id]);
        assert!(output.status.success(), "{}", said(&output));
        assert_eq!(drive.sessions(), 2);
        let asked = drive.api.asked();
        let foreign = if file == "a" { "Make the file b" } else { "Make the file a" };
        for asked in &asked {
            let text = json!(asked.messages).to_string();
            let around = text.split(foreign).next().unwrap_or_default().chars().rev().take(400);
            let around: String = around.collect::<Vec<_>>().into_iter().rev().collect();
            assert!(!text.contains(foreign), "no session of it, but after: {around}");
        }
    };
    std::thread::scope(|scope| {
        for file in ["a", "b"] {
            scope.spawn(move || run(file));
        }
    });
    for id in ["la", "lb"] {
        let state = project.state_of(id);
        assert_eq!((&state["status"], &state["iteration"]), (&json!("completed"), &json!(2)), "{state:#}");
        assert_eq!(state["regression_events"], json!([]));
    }
}

#[test]
fn a_killed_client_and_a_killed_driver_lose_nothing() {
    let Some(claude) = claude() else { return };
    // The driver is what runs the check.
    let killer = "if [ -f ../kill ]; then rm ../kill; p=$PPID\nwhile [ $p -gt 1 ] && [ \"$(cat /proc/$p/comm)\" != steadfast ]; do p=$(cut -d' ' -f4 /proc/$p/stat); done\n[ $p -gt 1 ] && kill -9 $p\nfi\ntest -f done\n";
    let project = Project::with(&[("check.sh", killer)]).install();
    let drive = Drive::of(
        &claude,
        &project,
        vec![
            Turn::bash(HANGING),
            Turn::bash("touch ../kill"),
            Turn::say("Looked."),
            Turn::write(&project.path("done"), "x"),
            Turn::say("Done."),
        ],
    );
    let killed = std::thread::scope(|scope| {
        scope.spawn(|| kill_hanging(&project, "agent"));
        drive.run(&begin("sh check.sh passes", &[]))
    });
    let told = said(&killed);
    assert!(
        !killed.status.success() && told.contains("killed by signal 9"),
        "the client's death is told: {told}"
    );
    let state = project.state_of("one");
    assert_eq!(state["iteration_history"].as_array().map(Vec::len), Some(1), "{state:#}");
    let seen = project.steadfast(&["status", "one", "--json"]);
    assert!(said(&seen).contains("\"crashed\""), "{}", said(&seen));
    let resumed = drive.run(&["one", "--resume"]);
    assert!(resumed.status.success(), "{}", said(&resumed));
    let state = project.state_of("one");
    assert_eq!((&state["status"], &state["iteration"]), (&json!("completed"), &json!(2)), "{state:#}");
    assert_eq!(drive.sessions(), 3);
}

#[test]
fn what_holds_already_or_says_nothing_costs_no_session() {
    let Some(claude) = claude() else { return };
    let project = with_package().install();
    let drive = Drive::of(&claude, &project, Vec::new());
    for vague in ["the code is good", "tests pass"] {
        let refused = drive.run(&begin(vague, &[]));
        assert!(
            !refused.status.success() && said(&refused).contains("npm test passes"),
            "{}",
            said(&refused)
        );
    }
    project.write("math.js", RIGHT_MATH);
    let met = drive.run(&begin("npm test passes", &[]));
    assert!(met.status.success() && said(&met).contains("Iterations: 0"), "{}", said(&met));
    assert_eq!(drive.sessions(), 0);
}

#[test]
fn a_rigged_script_completes_no_run_and_the_way_back_does() {
    let Some(claude) = claude() else { return };
    let project = with_package().install();
    // A program that the agent writes, since an edit would be refused at once.
    let rig = "const fs = require('fs');\nconst name = 'package' + '.json';\nfs.writeFileSync(name, fs.readFileSync(name, 'utf8').replace(process.argv[2], process.argv[3]));\n";
    let source = project.path("math.js");
    let drive = Drive::of(
        &claude,
        &project,
        vec![
            Turn::write(&project.path("rig.js"), rig),
            Turn::bash("node rig.js 'node --test' true"),
            Turn::say("All tests pass."),
            Turn::read(&source),
            Turn::edit(&source, WRONG_MATH.trim_end(), RIGHT_MATH.trim_end()),
            Turn::say("Now it adds."),
        ],
    );
    let first = drive.run(&begin("npm test passes", &["--max-iterations", "4"]));
    let state = project.state_of("one");
    assert_eq!(state["iteration_history"][0]["regression_detected"], true, "{}\n{state:#}", said(&first));
    assert!(
        said(&first).contains("iteration 1/4") && !said(&first).contains("iteration 1/4: PASS ("),
        "{}",
        said(&first)
    );
    assert_eq!(first.status.code(), Some(3), "a person has to decide: {}", said(&first));
    assert_eq!(project.state_of("one")["status"], "paused");
    let sessions = drive.sessions();
    let undecided = drive.run(&["one", "--resume"]);
    assert!(
        undecided.status.code() == Some(3) && said(&undecided).contains("steadfast gate"),
        "{}",
        said(&undecided)
    );
    assert_eq!(drive.sessions(), sessions, "no session while a person has to decide");
    project.write("package.json", PACKAGE);
    let last = drive.run(&["one", "--resume"]);
    assert!(
        last.status.success(),
        "{} {:#} {}",
        said(&last),
        project.state_of("one")["regression_events"],
        drive.told()
    );
    let state = project.state_of("one");
    assert_eq!((&state["status"], &state["iteration"]), (&json!("completed"), &json!(2)), "{state:#}");
}

#[test]
fn the_tests_of_the_start_judge_a_run_too() {
    let Some(claude) = claude() else { return };
    let project = with_package();
    project.write("aiwg.yml", "agent_persistence:\n  allowed_paths: [\"*.test.js\"]\n");
    project.commit();
    let project = project.install();
    let tests = project.path("math.test.js");
    let weak = MATH_TESTS.replace(", 5);", ", -1);").replace("-5);", "1);").replace("add(9, 4)", "add(4, 9)");
    let drive = Drive::of(
        &claude,
        &project,
        vec![
            Turn::read(&tests),
            Turn::write(&tests, &weak),
            Turn::say("All five tests pass."),
            Turn::read(&project.path("math.js")),
            Turn::edit(&project.path("math.js"), WRONG_MATH.trim_end(), RIGHT_MATH.trim_end()),
            Turn::read(&tests),
            Turn::write(&tests, MATH_TESTS),
            Turn::say("Now it adds."),
        ],
    );
    let output = drive.run(&begin("npm test passes", &["--verify-original"]));
    assert!(output.status.success(), "{}", said(&output));
    let told = drive.told();
    assert!(told.contains("with the tests of the loop's start: exit code 1"), "{told}");
    for name in ["adds two numbers", "adds negative numbers", "is commutative"] {
        assert!(told.contains(name), "{name} is not named: {told}");
    }
    assert_eq!(drive.sessions(), 2);
    assert_eq!(project.state_of("one")["iteration"], 2);
}
