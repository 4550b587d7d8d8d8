//! The human gate in real sessions: it opens, it holds back, the session ends, a person decides, another goes on.

use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use crate::samples::{MATH, MATH_TESTS, RIGHT_MATH, TWO_FAILING_TESTS};
use crate::support::client::claude;
use crate::support::project::{Project, said};
use crate::support::screen::Screen;
use crate::support::script::Turn;
use crate::support::session::Session;

/// Takes two tests out, as a script does that no text shows.
const TIDY: &str =
    "sed '/adds negative/,/^$/d; /is commutative/,/^$/d' math.test.js > t && cat t > math.test.js && rm t\n";

/// A project with a running loop.
fn looping() -> Project {
    let project = Project::with(&[MATH, &[("tidy.sh", TIDY)]].concat()).install();
    project.start_loop(&["Fix add", "--until", "node --test passes", "--max-iterations", "20"]);
    project
}

fn state(project: &Project) -> Value {
    project.json(&format!("{}/state.json", project.only_loop()))
}

/// A fault that tells itself by a word of its own.
fn fault(word: &str) -> String {
    format!("exports.add = () => {{ throw new Error(\"{word}\"); }};\n")
}

/// Runs `steadfast gate` on a terminal outside of any session and types an answer.
fn decide(project: &Project, typed: &str) -> Output {
    at_a_terminal(project, "gate", typed)
}

/// Runs a command of a person on a terminal outside of any session, and types what it asks for.
pub(crate) fn at_a_terminal(project: &Project, words: &str, typed: &str) -> Output {
    let mut script = Command::new("script");
    let command = format!("{} {words}", env!("CARGO_BIN_EXE_steadfast"));
    project.clean(script.args(["--quiet", "--return", "--command", &command, "/dev/null"]));
    let child = script
        .env("TERM", "dumb")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = child.expect("script makes a terminal");
    std::io::Write::write_all(child.stdin.as_mut().expect("its input"), typed.as_bytes()).expect("typed");
    child.wait_with_output().expect("its end")
}

/// The code behind the command that a text shows to the person.
fn code(text: &str) -> Option<String> {
    let (_, rest) = text.split_once("/steadfast:gate reject ")?;
    let code: String = rest.chars().take_while(char::is_ascii_alphanumeric).collect();
    (code.len() == 8).then_some(code)
}

#[test]
fn a_loop_waits_at_the_gate_and_the_next_session_resumes_from_iteration_six() {
    let Some(claude) = claude() else { return };
    let project = looping();
    let source = project.path("math.js");
    let mut session = Session::of(&claude, &project).prompt("Fix add.").turn(Turn::read(&source));
    for word in ["alpha", "beta", "gamma", "delta", "epsilon", "zeta"] {
        session = session.turn(Turn::write(&source, &fault(word))).turn(Turn::say("Done."));
    }
    let played = session
        .turn(Turn::write(&source, &fault("eta")))
        .turn(Turn::bash("sh tidy.sh"))
        .turn(Turn::write(&source, "exports.add = null;\n"))
        .turn(Turn::bash("cat math.js"))
        .turn(Turn::say("I wait."))
        .turn(Turn::say("This is never asked for."))
        .play()
        .ended_well();

    let (write, read) = (played.result(9), played.result(10));
    assert!(
        write.is_error && write.text.contains("waits for a person's decision"),
        "{write:?}\n{}",
        played.outline()
    );
    assert!(!read.is_error && read.text.contains("eta"), "reading goes on: {read:?}");
    assert_eq!(played.told("This is never asked for."), 0);
    let stopped = state(&project);
    assert_eq!((&stopped["status"], &stopped["iteration"]), (&json!("running"), &json!(7)), "{stopped:#}");
    let id = stopped["loop_id"].as_str().expect("its id");
    assert_eq!(project.history_of(id).len(), 7);
    let shown: String =
        played.hook_responses("PostToolUse").iter().filter_map(|row| row["stdout"].as_str()).collect();
    let code = code(&shown).unwrap_or_else(|| panic!("no code for the person in {shown}"));
    assert!(played.sent.iter().all(|body| !body.contains(&code)), "the code was sent to the model");

    let decided = decide(&project, "1\n");
    assert!(decided.status.success(), "{}", said(&decided));
    assert_eq!(project.text("math.test.js"), MATH_TESTS);
    assert_eq!(project.text("math.js"), fault("zeta"));
    let back = state(&project);
    assert_eq!(
        (&back["iteration"], &back["reinforcement_level"]),
        (&json!(6), &json!("AGGRESSIVE")),
        "{back:#}"
    );

    let next = Session::of(&claude, &project)
        .prompt("Go on.")
        .turn(Turn::read(&source))
        .turn(Turn::write(&source, RIGHT_MATH))
        .turn(Turn::say("Now it adds."))
        .play()
        .ended_well();
    let told = next.conversation("");
    assert!(told.contains("A person rejected") && told.contains("iteration 7 of"), "{told}");
    let end = state(&project);
    assert_eq!((&end["status"], &end["iteration"]), (&json!("completed"), &json!(7)), "{end:#}");
    let history = project.history_of(id);
    assert_eq!(history.len(), 8, "history is only added to");
    assert_eq!((&history[6]["reverted_to"], &history[7]["attempt"]), (&json!(6), &json!(2)));
}

#[test]
fn a_person_reads_the_code_and_decides_with_it_and_the_model_never_sees_it() {
    let Some(claude) = claude() else { return };
    let project = looping();
    let turns = vec![
        Turn::bash("sh tidy.sh"),
        Turn::say("I wait for the person."),
        Turn::write(&project.path("math.js"), RIGHT_MATH),
    ];
    let plugin = env!("CARGO_MANIFEST_DIR");
    let args = ["--dangerously-skip-permissions", "--plugin-dir", plugin];
    let Some(screen) = Screen::open(&claude, &project, turns, &args) else { return };
    screen.line("Fix add.");
    let code = screen.wait_for("a code", code);
    screen.wait("I wait for the person.");
    assert_ne!(project.text("math.test.js"), MATH_TESTS);

    screen.line(&format!("/steadfast:gate reject {code}"));
    screen.wait("Rejected:");
    assert_eq!(project.text("math.test.js"), MATH_TESTS);
    let decided = state(&project);
    assert_eq!(decided["human_gates"][0]["decided_via"], "one-time code", "{decided:#}");

    screen.line("Go on.");
    screen.wait_for("the model's next request", |_| {
        screen.sent().iter().any(|body| body.contains("A person rejected")).then_some(())
    });
    assert!(screen.sent().iter().all(|body| !body.contains(&code)), "the code was sent to the model");
}

#[test]
fn the_clients_terminal_calls_the_person_as_configured() {
    let Some(claude) = claude() else { return };
    for (terminal, rings, notified) in [("bell", true, false), ("desktop", true, true), ("off", false, false)]
    {
        let project = looping();
        project.write("aiwg.yml", &format!("agent_persistence:\n  notify:\n    terminal: {terminal}\n"));
        let turns = vec![Turn::bash("sh tidy.sh"), Turn::say("I wait for the person.")];
        let args = ["--dangerously-skip-permissions"];
        let Some(screen) = Screen::open(&claude, &project, turns, &args) else { return };
        screen.line("Fix add.");
        screen.wait_for("a code", code);
        screen.wait("I wait for the person.");
        let sent = screen.raw().matches("\u{1b}]9;Steadfast: 🛑 REGRESSION DETECTED - Iteration 1").count();
        assert_eq!(
            (screen.has_rung(), sent),
            (rings, usize::from(notified)),
            "{terminal}: {}",
            screen.text()
        );
    }
}

#[test]
fn a_person_answers_the_hosts_own_dialog_either_way() {
    let Some(claude) = claude() else { return };
    for (key, decision) in [("1", "approve"), ("Escape", "reject")] {
        let project = Project::with(MATH).install();
        let tests = project.path("math.test.js");
        let turns = vec![
            Turn::read(&tests),
            Turn::edit(&tests, TWO_FAILING_TESTS, ""),
            Turn::say("That was it."),
            Turn::say("Nothing more."),
        ];
        let Some(screen) = Screen::open(&claude, &project, turns, &[]) else { return };
        screen.line("Tidy the tests.");
        screen.wait("Do you want to make this edit");
        let asked = screen.text();
        assert_eq!(project.text("math.test.js"), MATH_TESTS, "nothing happens before the answer");
        // The dialog is drawn before it takes keys.
        std::thread::sleep(std::time::Duration::from_secs(2));
        screen.key(key);
        if decision == "approve" {
            screen.wait("That was it.");
        } else {
            // The client ends the turn; the person's next words begin another.
            std::thread::sleep(std::time::Duration::from_secs(1));
            screen.line("Then leave them.");
            screen.wait_for("the end of the turn", |text| {
                (text.contains("Nothing more.") || text.contains("That was it.")).then_some(())
            });
        }
        if decision == "approve" {
            // Newer clients show the reason above the edit, older ones what is told beside it, afterwards.
            let shown = format!("{asked}\n{}", screen.text());
            assert!(shown.contains("LP-001") && shown.contains("is commutative"), "what was asked: {shown}");
        }
        assert_eq!(project.text("math.test.js") == MATH_TESTS, decision == "reject");
        let state = screen.wait_for("the decision in the state", |_| {
            let state = state(&project);
            (!state["human_gates"][0]["decision"].is_null()).then_some(state)
        });
        let gate = &state["human_gates"][0];
        assert_eq!(
            (&gate["decision"], &gate["decided_via"]),
            (&json!(decision), &json!("dialog")),
            "{state:#}"
        );
        let events = state["regression_events"].as_array().expect("events");
        match decision {
            "approve" => assert_eq!(events[0]["human_decision"], "approve"),
            _ => assert!(events.is_empty(), "what did not happen is no regression: {state:#}"),
        }
    }
}
