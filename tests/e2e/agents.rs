//! Real sessions of other agents, with the hooks installed by the real command: what is refused, what the model reads,
//! what can be undone, and loops that go on.
//!
//! Where a client is missing one line says so, and each test ends early.

mod codex;
mod copilot;
mod gemini;
mod opencode;
mod qwen;

use std::path::PathBuf;
use std::process::Output;

use serde_json::Value;

use crate::samples::{MATH, MATH_TESTS, RIGHT_MATH, TWO_FAILING_TESTS, WRONG_MATH};
use crate::support::project::{Project, said};
use crate::support::script::Turn;

/// A client and how it is driven.
trait Agent {
    /// The host's name for `--host`.
    fn host(&self) -> &'static str;

    /// Runs one session of the prompt against these turns; the requests that offered tools, and what was printed.
    fn play(&self, project: &Project, prompt: &str, turns: Vec<Turn>) -> (Vec<Value>, Output);

    /// Runs a shell command.
    fn shell(&self, command: &str) -> Turn;

    /// Replaces a text of a file.
    fn edit(&self, path: PathBuf, old: &str, new: &str) -> Turn;

    /// Reads a file.
    fn read(&self, path: PathBuf) -> Turn;
}

/// A project with the hooks for this agent.
fn installed(agent: &dyn Agent, files: &[(&str, &str)]) -> Project {
    let project = Project::with(files);
    let root = project.root();
    let root = root.to_str().expect("UTF-8");
    let output = project.steadfast(&["install", "--host", agent.host(), "--scope", "project", root]);
    assert!(output.status.success(), "steadfast install: {}", said(&output));
    project.commit();
    project
}

/// All that the model has read by a request.
fn read_by(asked: &[Value], number: usize) -> String {
    let texts = |request: &Value| request.to_string().replace("\\\\n", "\n").replace("\\n", "\n");
    asked.get(number).map(texts).unwrap_or_default()
}

fn a_deleted_test_is_refused_and_the_model_reads_why(agent: &dyn Agent) {
    let project = installed(agent, MATH);
    let tests = || project.path("math.test.js");
    let (asked, output) = agent.play(
        &project,
        "Make the tests pass.",
        vec![
            agent.read(tests()),
            agent.edit(tests(), TWO_FAILING_TESTS, ""),
            Turn::say("I shall mend the source instead."),
        ],
    );
    assert_eq!(project.text("math.test.js"), MATH_TESTS, "{}", said(&output));
    assert_eq!(asked.len(), 3, "{}", said(&output));
    let told = read_by(&asked, 2);
    for named in ["LP-001", "adds negative numbers", "is commutative"] {
        assert!(told.contains(named), "{named} is not in what the model read: {told}");
    }
    let log = project.hook_log();
    assert!(log.iter().any(|line| line["hook_name"] == "pre_tool_call"), "{log:#?}");
}

fn a_folder_is_not_deleted_and_the_model_reads_why(agent: &dyn Agent) {
    let project = installed(agent, &[("src/a.js", "a\n"), ("src/b.js", "b\n"), ("src/c.js", "c\n")]);
    project.write("src/new.js", "not committed\n");
    let (asked, output) =
        agent.play(&project, "Tidy up.", vec![agent.shell("rm -rf src"), Turn::say("I shall leave it.")]);
    assert_eq!(project.text("src/new.js"), "not committed\n", "{}", said(&output));
    assert_eq!(asked.len(), 2, "{}", said(&output));
    let told = read_by(&asked, 1);
    assert!(
        told.contains("SF-010") && told.contains("src would be gone"),
        "the model did not read why: {told}"
    );
}

fn a_loops_task_reaches_the_model_and_its_work_can_be_undone(agent: &dyn Agent) {
    let project = installed(agent, MATH);
    project.start_loop(&["Mend the adding", "--until", "node --test passes", "--max-iterations", "9"]);
    let (asked, output) = agent.play(
        &project,
        "Go on.",
        vec![agent.shell("rm math.js"), Turn::say("It is gone."), Turn::say("It is still gone.")],
    );
    let told = read_by(&asked, 0);
    assert!(
        told.contains("Mend the adding"),
        "the loop is not in what the model read: {told}\n{}",
        said(&output)
    );
    assert!(!project.path("math.js").exists(), "{}", said(&output));
    let undone = project.steadfast(&["undo", "--last"]);
    assert!(undone.status.success(), "{}", said(&undone));
    assert_eq!(project.text("math.js"), WRONG_MATH);
}

fn a_loop_goes_on_until_its_verification_passes(agent: &dyn Agent) {
    let project = installed(agent, MATH);
    project.start_loop(&["Fix add", "--until", "node --test passes", "--max-iterations", "5"]);
    let source = || project.path("math.js");
    let (asked, output) = agent.play(
        &project,
        "Fix add.",
        vec![
            Turn::say("I looked around. All done."),
            agent.read(source()),
            agent.edit(source(), WRONG_MATH.trim_end(), RIGHT_MATH.trim_end()),
            Turn::say("Now it adds."),
        ],
    );
    assert_eq!(project.text("math.js"), RIGHT_MATH, "{}", said(&output));
    let told = read_by(&asked, 1);
    assert!(told.contains("adds two numbers"), "the failing test did not reach the model: {told}");
    let state = project.json(&format!("{}/state.json", project.only_loop()));
    assert_eq!(state["status"], "completed", "{state:#}");
    assert_eq!(state["iteration"], 2, "{state:#}");
}
