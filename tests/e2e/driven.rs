//! `steadfast run`: loops whose iterations are fresh sessions of any agent.

use std::fs;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use crate::support::project::{Project, said, wait_for};

const LOOP: &str = ".aiwg/ralph/loops/one";

fn driver(project: &Project, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_steadfast"));
    project.clean(command.arg("run").args(args));
    command
}

/// Runs a loop of the id `one` with an agent that is a shell script.
fn run(project: &Project, options: &[&str]) -> Output {
    let start = ["Do it", "--until", "sh check.sh passes", "--loop-id", "one"];
    driver(project, &[&start[..], options, &["--", "sh", "agent.sh"]].concat()).output().expect("steadfast")
}

fn scripted(agent: &str) -> Project {
    Project::with(&[("check.sh", "test -f done\n"), ("agent.sh", agent)])
}

#[test]
fn a_driven_loop_learns_is_bounded_and_counts_the_costs() {
    let agent = "echo \"$1\" >> ../prompts\necho '{\"type\":\"result\",\"result\":\"tried\",\"total_cost_usd\":0.25}'\ndate +%N > last\n";
    let project = scripted(agent);
    let output = run(&project, &["--max-iterations", "2", "--json"]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    let rows: Vec<Value> = String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).expect("a row of JSON"))
        .collect();
    let events: Vec<&str> = rows.iter().filter_map(|row| row["event"].as_str()).collect();
    assert_eq!(events, ["begin", "iteration", "begin", "iteration", "over"], "{rows:#?}");
    assert_eq!(rows.last().map(|row| row["status"].clone()), Some(json!("failed")));
    assert_eq!(project.json(&format!("{LOOP}/state.json"))["metrics"]["total_cost_usd"], 0.5);
    let prompts = fs::read_to_string(project.root().join("../prompts")).expect("the prompts");
    assert!(prompts.contains("Task: Do it") && prompts.contains("Iteration 1/2"), "{prompts}");
    // A higher limit, by a person, and the numbering goes on.
    project.write("agent.sh", "touch done\n");
    let resumed =
        driver(&project, &["one", "--resume", "--max-iterations", "5"]).output().expect("steadfast");
    assert!(resumed.status.success(), "{}", said(&resumed));
    let state = project.json(&format!("{LOOP}/state.json"));
    assert_eq!((&state["status"], &state["iteration"]), (&json!("completed"), &json!(3)));
}

#[test]
fn an_agent_that_does_not_work_is_not_tried_for_ever() {
    let project = scripted("echo broken >&2\nexit 7\n");
    let output = run(&project, &["--max-iterations", "50"]);
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    assert!(said(&output).contains("exit code 7"), "{}", said(&output));
    let state = project.json(&format!("{LOOP}/state.json"));
    assert_eq!(
        (&state["status"], &state["iteration_history"].as_array().map(Vec::len)),
        (&json!("paused"), &Some(3))
    );
    let start = ["Do it", "--until", "sh check.sh passes", "--loop-id", "two", "--", "/no/such/agent"];
    let missing = driver(&project, &start).output().expect("steadfast");
    assert!(!missing.status.success() && said(&missing).contains("/no/such/agent"), "{}", said(&missing));
    assert_eq!(project.state_of("two")["status"], "paused");
    let inside = driver(&project, &["x", "--until", "sh check.sh passes", "--", "true"])
        .env("CLAUDECODE", "1")
        .output();
    assert!(!inside.expect("steadfast").status.success(), "an agent starts no loop");
}

#[test]
fn any_bytes_that_agents_and_commands_print_are_taken() {
    let check = "printf 'row \\377\\000\\033[31m {prompt} $(touch ../pwned) \\n'; test -f done\n";
    // The second session finishes it.
    let agent = "printf '\\377\\376 broken \\000 words'; [ -f second ] && touch done; touch second\n";
    let project = Project::with(&[("check.sh", check), ("agent.sh", agent)]);
    let output = run(&project, &["--max-iterations", "3"]);
    assert!(output.status.success(), "{}", said(&output));
    let state = project.state_of("one");
    assert_eq!((&state["status"], &state["iteration"]), (&json!("completed"), &json!(2)), "{state:#}");
    assert!(state["iteration_history"][0]["action"].to_string().contains("broken"), "{state:#}");
    assert!(!project.root().join("../pwned").exists());
    let prompt = project.text(&format!("{LOOP}/iterations/session-002.prompt.md"));
    assert!(prompt.contains("$(touch ../pwned)") && !prompt.contains('\0'), "{prompt:?}");
    let shell =
        ["Do it", "--until", "sh check.sh passes", "--loop-id", "two", "--", "sh", "-c", "echo {prompt}"];
    let refused = driver(&project, &shell).output().expect("steadfast");
    assert!(
        !refused.status.success() && said(&refused).contains("the shell would run"),
        "{}",
        said(&refused)
    );
}

#[test]
fn ctrl_c_pauses_and_a_killed_driver_is_found_crashed() {
    let project = scripted("touch ../working\nsleep 60\n");
    let begin = |args: &[&str]| {
        let child =
            driver(&project, args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("steadfast");
        wait_for("the agent", || project.root().join("../working").exists());
        fs::remove_file(project.root().join("../working")).expect("removed");
        child
    };
    let start = ["Do it", "--until", "sh check.sh passes", "--loop-id", "one", "--", "sh", "agent.sh"];
    let child = begin(&start);
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill").success());
    let output = child.wait_with_output().expect("its end");
    assert_eq!(output.status.code(), Some(130), "{}", said(&output));
    assert!(said(&output).contains("--resume"), "{}", said(&output));
    let state = project.state_of("one");
    assert_eq!((&state["status"], &state["iteration_history"]), (&json!("paused"), &json!([])));

    let mut child = begin(&["one", "--resume"]);
    child.kill().expect("killed");
    child.wait().expect("its end");
    let seen = project.steadfast(&["status", "one", "--json"]);
    assert!(said(&seen).contains("\"crashed\""), "{}", said(&seen));
    project.write("agent.sh", "touch done\n");
    let resumed = driver(&project, &["one", "--resume"]).output().expect("steadfast");
    assert!(resumed.status.success(), "{}", said(&resumed));
}

#[test]
fn a_driven_loop_starts_and_ends_by_the_same_rules() {
    let project = scripted("exit 9\n");
    project.write("done", "");
    let met = run(&project, &[]);
    assert!(met.status.success() && said(&met).contains("Iterations: 0"), "{}", said(&met));
    let vague = driver(&project, &["x", "--until", "it is good", "--", "true"]).output().expect("steadfast");
    assert!(said(&vague).contains("completion criterion"), "{}", said(&vague));
    // The script behind the criterion is replaced: a person has to decide, and nothing is completed.
    let project = scripted("echo true > check.sh\n");
    let output = run(&project, &["--max-iterations", "4"]);
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    assert!(said(&output).contains("steadfast gate"), "{}", said(&output));
    let state = project.state_of("one");
    assert_eq!(state["iteration_history"][0]["regression_detected"], true, "{state:#}");
    assert_eq!(state["status"], "paused");
    // Put back, it goes on by itself.
    project.write("check.sh", "test -f done\n");
    project.write("agent.sh", "touch done\n");
    let resumed = driver(&project, &["one", "--resume"]).output().expect("steadfast");
    assert!(resumed.status.success(), "{}", said(&resumed));
    // Tests weakened where detectors were told to look away.
    let agent = "sed -i 's/test -f done/true/' tests/done.test.sh\n";
    let project = Project::with(&[("agent.sh", agent), ("tests/done.test.sh", "test -f done\n")]);
    project.write("aiwg.yml", "agent_persistence:\n  allowed_paths: [\"tests/\"]\n");
    project.commit();
    let until =
        ["Do it", "--until", "sh -c 'for t in tests/*; do sh $t || exit 1; done' passes", "--loop-id", "one"];
    let options = ["--verify-original", "--max-iterations", "2", "--", "sh", "agent.sh"];
    let output = driver(&project, &[&until[..], &options].concat()).output().expect("steadfast");
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(said(&output).contains("with the tests of the loop's start"), "{}", said(&output));
}
