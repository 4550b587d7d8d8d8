//! Real sessions in which the agent has other tools than the client's edits and shell: an MCP server's, a subagent's, a
//! background command, a notebook.

use serde_json::{Value, json};

use crate::samples::{MATH, MATH_TESTS, TWO_FAILING_TESTS};
use crate::support::client::claude;
use crate::support::project::Project;
use crate::support::script::Turn;
use crate::support::session::{Played, Session};

/// Takes two tests out, as a script does that no text shows.
const TIDY: &str =
    "sed '/adds negative/,/^$/d; /is commutative/,/^$/d' math.test.js > t && cat t > math.test.js && rm t\n";
/// Takes the last test out when it is told to.
const SLOW: &str = "while [ ! -e ../go ]; do sleep 0.05; done; node -e \"const fs = require('fs'); const all = \
                    fs.readFileSync('math.test.js', 'utf8'); fs.writeFileSync('math.test.js', \
                    all.slice(0, all.lastIndexOf('test(')))\"; touch ../done\n";

fn project() -> Project {
    let project = Project::with(&[MATH, &[("tidy.sh", TIDY), ("slow.sh", SLOW)]].concat()).install();
    let server = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/mcp_server.js");
    let servers = json!({"mcpServers": {"files": {"command": "node", "args": [server]}}});
    std::fs::write(project.home().join("mcp.json"), servers.to_string()).expect("a written file");
    project
}

fn looping() -> Project {
    let project = project();
    project.start_loop(&["Fix add", "--until", "node --test passes", "--max-iterations", "20"]);
    project
}

/// Plays turns in a session that has the server.
fn play(project: &Project, turns: Vec<Turn>) -> Option<Played> {
    let claude = claude()?;
    let servers = project.home().join("mcp.json");
    let servers = servers.to_str().expect("UTF-8");
    let session = Session::of(&claude, project).args(&["--mcp-config", servers, "--strict-mcp-config"]);
    Some(turns.into_iter().fold(session, Session::turn).play().ended_well())
}

fn served(tool: &str, input: Value) -> Turn {
    Turn::call(&format!("mcp__files__{tool}"), input)
}

fn state(project: &Project) -> Value {
    project.json(&format!("{}/state.json", project.only_loop()))
}

#[test]
fn a_servers_tools_are_judged_and_kept_as_the_clients_own() {
    let project = project();
    let tests = project.path("math.test.js");
    let fewer = MATH_TESTS.replace(TWO_FAILING_TESTS, "");
    let Some(played) = play(
        &project,
        vec![
            served("read_text_file", json!({"path": tests})),
            served("write_file", json!({"path": tests, "content": fewer})),
            served(
                "edit_file",
                json!({"path": tests, "edits": [{"oldText": TWO_FAILING_TESTS, "newText": ""}]}),
            ),
            served("move_file", json!({"source": tests, "destination": project.home().join("aside.js")})),
            served("execute_command", json!({"command": "rm math.test.js"})),
            served("write_file", json!({"path": project.path("notes.md"), "content": "x"})),
            served("delete_lines", json!({"path": tests, "first": 1, "last": 40})),
        ],
    ) else {
        return;
    };
    assert!(!played.result(0).is_error, "reading goes on: {:?}", played.result(0));
    for number in [1, 2] {
        let refusal = played.result(number);
        assert!(refusal.is_error && refusal.text.contains("math.test.js: is commutative"), "{refusal:?}");
    }
    for number in [3, 4] {
        assert!(played.result(number).is_error, "{:?}", played.result(number));
    }
    assert!(!played.result(5).is_error && project.path("notes.md").exists(), "{:?}", played.result(5));
    // Of this one only what it left tells what it did.
    assert!(!played.result(6).is_error);
    let told = played.conversation("");
    assert!(told.contains("is commutative") && told.contains("undo"), "{told}");
    assert_ne!(project.text("math.test.js"), MATH_TESTS);
    let undone = project.steadfast(&["undo", "--last"]);
    assert!(undone.status.success(), "{undone:?}");
    assert_eq!(project.text("math.test.js"), MATH_TESTS);
}

#[test]
fn at_an_open_gate_every_way_to_write_waits_for_the_person() {
    let project = looping();
    let (source, notebook) = (project.path("math.js"), project.path("n.ipynb"));
    let cells = json!({"cells": [{"cell_type": "code", "id": "a", "source": "1", "metadata": {}, "outputs": []}],
                       "metadata": {}, "nbformat": 4, "nbformat_minor": 5});
    project.write("n.ipynb", &cells.to_string());
    let before = project.text("n.ipynb");
    let errand = "ERRAND: mend it.";
    let background = json!({"command": "sh slow.sh", "run_in_background": true, "description": "slow"});
    let late = json!({"command": "touch late", "run_in_background": true, "description": "late"});
    let Some(claude) = claude() else { return };
    let servers = project.home().join("mcp.json");
    let servers = servers.to_str().expect("UTF-8");
    let turns = vec![
        Turn::read(&notebook),
        Turn::call("Bash", background),
        Turn::bash("sh tidy.sh"),
        Turn::agent(errand),
        Turn::call("NotebookEdit", json!({"notebook_path": notebook, "cell_id": "a", "new_source": "2"})),
        Turn::call("Bash", late),
        Turn::write(&project.home().join("outside.txt"), "x"),
        served("write_file", json!({"path": source, "content": "x"})),
        served("execute_command", json!({"command": "touch x"})),
        Turn::call("Skill", json!({"skill": "steadfast:gate", "args": "approve AAAAAAAA"})),
        served("read_text_file", json!({"path": source})),
        // What was started before the gate goes on, and is waited for.
        Turn::bash("ls ../done 2>/dev/null; cat math.js"),
        Turn::say("I wait."),
    ];
    std::thread::scope(|scope| {
        let root = project.root();
        scope.spawn(move || {
            let open = || {
                let text =
                    std::fs::read_to_string(root.join(".aiwg/ralph/registry.json")).unwrap_or_default();
                text.contains("\"gate_open\": true") || text.contains("\"gate_open\":true")
            };
            let begun = std::time::Instant::now();
            while !open() && begun.elapsed().as_secs() < 60 {
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
            std::fs::write(root.join("../go"), "").expect("a written file");
        });
        let session =
            Session::of(&claude, &project).args(&["--mcp-config", servers, "--strict-mcp-config"]).thread(
                errand,
                vec![
                    Turn::write(&project.path("new.js"), "x"),
                    Turn::bash("cat math.js"),
                    Turn::say("Done."),
                ],
            );
        let played = turns.into_iter().fold(session, Session::turn).play().ended_well();
        let waits = "waits for a person's decision";
        // Where the subagent's two calls come among the others is the client's matter: newer ones start it behind them.
        let results: Vec<_> = (4..=12).map(|number| played.result(number)).collect();
        let held = results.iter().filter(|result| result.is_error && result.text.contains(waits)).count();
        let refused = results.iter().filter(|result| result.is_error && !result.text.contains(waits)).count();
        assert_eq!(
            (held, refused),
            (6, 1),
            "six ways to write, and no skill of the agent's decides: {results:?}"
        );
    });
    assert!(!project.path("late").exists() && !project.home().join("outside.txt").exists());
    assert_eq!(project.text("n.ipynb"), before);
    let state = state(&project);
    assert!(state["human_gates"][0]["decision"].is_null(), "{state:#}");
    let asked = state["human_gates"][0]["message"].to_string();
    assert!(
        asked.contains("is commutative") && asked.contains("answers with a number"),
        "what was lost before and after it opened: {asked}"
    );
}

#[test]
fn no_skill_that_the_agent_calls_decides_at_the_gate() {
    let Some(claude) = claude() else { return };
    let project = Project::with(&[MATH, &[("tidy.sh", TIDY)]].concat());
    project.start_loop(&["Fix add", "--until", "node --test passes", "--max-iterations", "20"]);
    let decisions = ["steadfast:gate", "steadfast:allow", "steadfast:abort", "steadfast:pause"];
    let call = |skill: &str| Turn::call("Skill", json!({"skill": skill, "args": "approve AAAAAAAA"}));
    let session = Session::of(&claude, &project)
        .args(&["--plugin-dir", env!("CARGO_MANIFEST_DIR")])
        .turn(Turn::bash("sh tidy.sh"));
    let played = decisions.iter().fold(session, |session, skill| session.turn(call(skill)));
    let played = played.turn(Turn::say("I wait.")).play().ended_well();
    for (number, skill) in (1..).zip(decisions) {
        assert!(played.result(number).is_error, "{skill}: {:?}", played.result(number));
    }
    let state = state(&project);
    assert!(state["human_gates"][0]["decision"].is_null(), "{state:#}");
    assert_eq!(state["status"], "running");
}
