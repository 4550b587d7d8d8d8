//! What a person at the client's terminal sees of a call that would lose something, and what their keys do: in the
//! newer client's default mode, which is auto, and in the older one's.

use std::path::PathBuf;
use std::thread::sleep;
use std::time::Duration;

use serde_json::json;

use crate::samples::{MATH, MATH_TESTS, TWO_FAILING_TESTS};
use crate::support::client::{NEWER, VERSION, claude, newer};
use crate::support::project::Project;
use crate::support::screen::Screen;
use crate::support::script::{Thread, Turn};

/// What a person reads first of the two tests.
const LOST: &str = "2 of 5 tests would be gone: adds negative numbers, is commutative (LP-001)";
const SED: &str = "sed -i '/negative/,/^$/d; /commutative/,/^$/d' math.test.js";

/// The clients that are there, with the version that they are installed for.
fn clients() -> impl Iterator<Item = (PathBuf, &'static str)> {
    [(claude(), VERSION), (newer(), NEWER)]
        .into_iter()
        .filter_map(|(client, version)| Some((client?, version)))
}

fn project(version: &str) -> Project {
    let files = [MATH, &[("src/a.js", "exports.a = 1;\n"), ("src/b.js", "exports.b = 2;\n")]].concat();
    Project::with(&files).install_for(version)
}

/// Answers the dialog that is open.
fn answer(screen: &Screen, key: &str) {
    // It is drawn before it takes keys.
    sleep(Duration::from_secs(2));
    screen.key(key);
    sleep(Duration::from_secs(1));
}

#[test]
fn a_person_sees_what_a_command_would_lose_and_lets_it_through_once_or_refuses() {
    for (claude, version) in clients() {
        let project = project(version);
        let turns = vec![
            Turn::bash(SED),
            Turn::say("The first."),
            Turn::bash("rm -rf src"),
            Turn::say("The second."),
            Turn::bash(SED),
            Turn::say("The third."),
        ];
        let Some(screen) = Screen::open(&claude, &project, turns, &[]) else { return };
        screen.line("Tidy the tests.");
        screen.wait(LOST);
        answer(&screen, "2");
        assert_eq!(project.text("math.test.js"), MATH_TESTS, "{version}");
        screen.line("Then something else.");
        screen.wait("The first.");
        let told = |what: &str| {
            screen.sent().iter().any(|body| body.contains("they refused") && body.contains(what))
        };
        assert!(told("2 of 5 tests would be gone"), "{version}: the model was not told");

        screen.line("And now?");
        screen.wait("src would be gone, with 2 tracked files (SF-010)");
        answer(&screen, "Escape");
        screen.line("No.");
        screen.wait("The second.");
        assert!(
            told("src would be gone, with 2 tracked files") && project.path("src/a.js").exists(),
            "{version}"
        );

        screen.line("The tests, please.");
        screen.wait_for("the dialog", |text| {
            (text.matches(LOST).count() > 1 || text.contains("Do you want to proceed?")).then_some(())
        });
        answer(&screen, "1");
        screen.wait("The third.");
        assert!(!project.text("math.test.js").contains("is commutative"), "{version}");
        let state = project.json(&format!("{}/state.json", project.only_loop()));
        let decisions: Vec<&str> = state["human_gates"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|gate| gate["decision"].as_str())
            .collect();
        assert_eq!(decisions, ["reject", "reject", "approve"], "{version}");
    }
}

#[test]
fn an_edit_and_a_servers_call_show_what_would_be_lost_beside_what_they_do() {
    let Some(claude) = newer() else { return };
    let project = project(NEWER);
    let server = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/mcp_server.js");
    let servers = json!({"mcpServers": {"files": {"command": "node", "args": [server]}}}).to_string();
    let tests = project.path("math.test.js");
    let state = project.path(".aiwg/ralph/registry.json");
    let turns = vec![
        Turn::edit(&tests, TWO_FAILING_TESTS, ""),
        Turn::say("The first."),
        Turn::call("mcp__files__write_file", json!({"path": tests, "content": "// nothing\n"})),
        Turn::say("The second."),
        Turn::call("mcp__files__write_file", json!({"path": state, "content": "{}"})),
        Turn::say("The third."),
    ];
    let Some(screen) = Screen::open(&claude, &project, turns, &["--mcp-config", &servers]) else { return };
    screen.line("Tidy the tests.");
    screen.wait("Do you want to make this edit");
    assert!(screen.now().contains(LOST), "{}", screen.now());
    answer(&screen, "2");
    screen.line("Leave it.");
    screen.wait("The first.");
    screen.line("Go on.");
    screen.wait("all 5 tests would be gone: adds two numbers");
    answer(&screen, "Escape");
    screen.line("Leave it.");
    screen.wait("The second.");
    assert_eq!(project.text("math.test.js"), MATH_TESTS);
    // What a yes is not enough for is denied, in one line that says why, with the way through beside it.
    screen.line("Go on.");
    screen.wait("The third.");
    let shown = screen.now();
    assert!(shown.contains("the guard's own state and log would be changed"), "{shown}");
    assert!(shown.contains("Stopped: mcp__files__write_file") && shown.contains("in a terminal"), "{shown}");
}

#[test]
fn of_two_calls_that_are_denied_at_once_a_person_reads_both() {
    for (claude, version) in clients() {
        let project = project(version);
        let second = json!({"command": "steadfast gate approve", "description": "scripted"});
        let turns = vec![
            Turn::bash("rm -f .claude/settings.local.json").and("Bash", second),
            Turn::say("Neither, then."),
        ];
        let Some(screen) = Screen::open(&claude, &project, turns, &[]) else { return };
        screen.line("Do both.");
        screen.wait("Neither, then.");
        let shown = screen.now();
        for what in ["Stopped: rm -f .claude/settings.local.json", "Stopped: steadfast gate approve"] {
            assert!(shown.contains(what), "{version}, {what}: {shown}");
        }
    }
}

#[test]
fn a_background_agents_call_waits_for_the_person_while_the_main_turn_ends() {
    for (claude, version) in clients() {
        for key in ["2", "1"] {
            let project = project(version);
            let agent = Thread {
                mark: "TIDYING".to_owned(),
                turns: vec![Turn::bash(SED), Turn::say("The agent's end.")],
            };
            let input = json!({"description": "scripted", "prompt": "TIDYING", "subagent_type": "general-purpose",
                "run_in_background": true});
            let turns = vec![
                Turn::call("Agent", input),
                Turn::say("I wait for the agent."),
                Turn::say("I have heard of it."),
                Turn::say("I see."),
            ];
            let Some(screen) = Screen::with_agents(&claude, &project, vec![agent], turns, &[]) else {
                return;
            };
            screen.line("Have it tidied.");
            screen.wait(LOST);
            screen.wait("I wait for the agent.");
            sleep(Duration::from_secs(2));
            answer(&screen, key);
            screen.wait("I have heard of it.");
            screen.line("And?");
            screen.wait("I see.");
            let refused = key == "2";
            assert_eq!(project.text("math.test.js") == MATH_TESTS, refused, "{version} {key}");
            let told = screen.sent().iter().any(|body| body.contains("they refused"));
            assert_eq!(told, refused, "{version} {key}: {}", screen.text());
            let state = project.json(&format!("{}/state.json", project.only_loop()));
            let expected = if refused { "reject" } else { "approve" };
            assert_eq!(state["human_gates"][0]["decision"], expected, "{version}: {state:#}");
            assert_eq!(state["human_gates"].as_array().map(Vec::len), Some(1), "{version}: {state:#}");
            let lost = state["regression_events"].as_array().into_iter().flatten();
            assert!(
                lost.into_iter().all(|event| event["human_decision"] == "approve"),
                "{version}: {state:#}"
            );
        }
    }
}

#[test]
fn in_auto_mode_a_turn_with_an_open_regression_becomes_a_persons_decision_who_decides_it() {
    let Some(claude) = newer() else { return };
    let project = project(NEWER);
    project.write("tidy.sh", &format!("{SED}\n"));
    project.commit();
    let mut turns = vec![Turn::bash("sh tidy.sh")];
    turns.extend(["Ended once.", "Ended twice.", "Ended for good."].map(Turn::say));
    let Some(screen) = Screen::open(&claude, &project, turns, &[]) else { return };
    screen.line("Tidy the tests.");
    let typed = screen.wait_for("a code", |text| {
        let rest = text.rsplit_once("/steadfast:gate reject ")?.1;
        Some(rest.split_whitespace().next()?.to_owned()).filter(|code| code.len() == 8)
    });
    screen.wait("Ended for good.");
    let shown = screen.text();
    assert!(shown.contains("1 regression is open") && shown.contains("adds negative numbers"), "{shown}");
    assert!(!shown.contains("waits for your decision. Run"), "said twice: {shown}");
    screen.line(&format!("/steadfast:gate reject {typed}"));
    screen.wait("Rejected:");
    assert_eq!(project.text("math.test.js"), MATH_TESTS);
    assert!(screen.sent().iter().all(|body| !body.contains(&typed)), "the code was sent to the model");
}
