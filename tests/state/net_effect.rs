//! What a session loses is judged by its net effect over files and calls: a move pairs up whatever its order, and what
//! goes in small steps adds up.

use serde_json::json;

use crate::agent::{Agent, test, tests};

const A: &str = "a.test.js";
const B: &str = "b.test.js";

#[test]
fn a_test_that_is_at_its_new_place_first_may_go() {
    let mut agent = Agent::with(&[(A, &tests(&["add", "drop"]))]);
    assert!(agent.write(B, &test("add")).is_silent());
    let told = agent.edit(A, &test("add"), "");
    assert!(told.is_silent(), "{told:?}");
    assert!(!agent.stop().contains("LP-"));
    assert_eq!(agent.regressions(), []);
}

#[test]
fn a_test_that_goes_first_is_told_to_be_added_first() {
    let mut agent = Agent::with(&[(A, &tests(&["add", "drop"]))]);
    let told = agent.edit(A, &test("add"), "");
    assert!(told.is_denied() && told.text().contains("added at its new place first"), "{told:?}");
    assert!(agent.write(B, &test("add")).is_silent());
    assert!(agent.edit(A, &test("add"), "").is_silent());
    // The copy is no spare: when it goes too, the test is lost.
    let told = agent.edit(B, &test("add"), "// nothing\n");
    assert!(told.is_denied() && told.text().contains("add"), "{told:?}");
}

#[test]
fn a_copy_that_is_committed_between_two_calls_still_counts() {
    let mut agent = Agent::with(&[(A, &tests(&["add", "drop"]))]);
    assert!(agent.write(B, &test("add")).is_silent());
    agent.shell("git add -A && git -c user.name=T -c user.email=t@example.org commit -qm copy");
    let told = agent.edit(A, &test("add"), "");
    assert!(told.is_silent(), "{told:?}");
    assert!(!agent.stop().contains("LP-"));
}

#[test]
fn within_one_file_the_order_of_edits_means_nothing() {
    for edits in [
        vec![(test("add"), String::new()), (test("drop"), tests(&["drop", "add"]))],
        vec![(test("drop"), tests(&["drop", "add"])), (test("add"), String::new())],
    ] {
        let mut agent = Agent::with(&[(A, &tests(&["add", "drop"]))]);
        let edits: Vec<(&str, &str)> = edits.iter().map(|(old, new)| (old.as_str(), new.as_str())).collect();
        let told = agent.multi_edit(A, &edits);
        assert!(told.is_silent(), "{told:?}");
    }
    let mut agent = Agent::with(&[(A, &tests(&["add", "drop"]))]);
    let told = agent.multi_edit(A, &[(&test("add"), ""), (&test("drop"), "")]);
    assert!(told.is_denied() && told.text().matches("LP-001").count() == 1, "{told:?}");
}

#[test]
fn files_that_the_shell_moves_pair_up() {
    let split = "sed -n 1,3p a.test.js > b.test.js && sed -i 1,3d a.test.js";
    for command in [
        "git mv a.test.js b.test.js",
        "mv a.test.js b.test.js",
        "mkdir -p tests && mv a.test.js tests/b.test.js",
        "cp a.test.js b.test.js && rm a.test.js",
        "cat a.test.js > b.test.js; rm -f a.test.js",
        split,
    ] {
        let mut agent = Agent::with(&[(A, &tests(&["add", "drop"]))]);
        let told = agent.shell(command);
        assert!(told.is_silent(), "{command}: {told:?}");
        assert!(!agent.stop().contains("LP-"), "{command}");
        assert_eq!(agent.regressions(), [], "{command}");
    }
    for command in
        ["mv a.test.js a.test.js.bak", "sed -i 1,3d a.test.js", "rm a.test.js", "git rm -q a.test.js"]
    {
        let mut agent = Agent::with(&[(A, &tests(&["add", "drop"]))]);
        let told = agent.shell(command);
        let is_found = told.is_denied() || agent.regressions().len() == 1;
        assert!(is_found && told.text().contains("LP-001"), "{command}: {told:?}");
    }
}

#[test]
fn a_file_that_is_split_in_three_loses_nothing() {
    let all = ["add", "drop", "ship", "pack", "send", "load"];
    let mut agent = Agent::with(&[(A, &tests(&all))]);
    assert!(agent.write("one.test.js", &tests(&all[..2])).is_silent());
    assert!(agent.write("two.test.js", &tests(&all[2..4])).is_silent());
    let told = agent.shell("rm a.test.js");
    assert!(
        told.is_denied() && told.text().contains("send") && !told.text().contains("ships two"),
        "{told:?}"
    );
    assert!(agent.write("three.test.js", &tests(&all[4..])).is_silent());
    let told = agent.shell("rm a.test.js");
    assert!(told.is_silent(), "{told:?}");
    assert!(!agent.stop().contains("LP-"));
    assert_eq!(agent.regressions(), []);
}

#[test]
fn a_subject_goes_with_its_tests_over_several_calls() {
    let subject = "export function add(a, b) {\n  return `add-${a + b}`;\n}\n";
    let mut agent = Agent::with(&[("src/add.js", subject), ("src/add.test.js", &tests(&["add"]))]);
    assert!(!agent.shell("rm src/add.js").is_denied());
    let told = agent.shell("rm src/add.test.js");
    assert!(!told.is_denied(), "{told:?}");
    assert!(!agent.stop().contains("LP-001"));
    assert!(agent.regressions().iter().all(|(_, open, _)| !open), "{:?}", agent.regressions());
}

#[test]
fn what_is_lost_and_back_before_the_turn_ends_is_closed() {
    let mut agent = Agent::with(&[(A, &tests(&["add", "drop"]))]);
    let told =
        agent.call("Bash", json!({"command": "python3 tidy.py"}), |place| place.write(A, test("drop")));
    assert!(told.text().contains("LP-001"), "{told:?}");
    assert_eq!(agent.regressions().len(), 1);
    assert!(!agent.write(A, &tests(&["drop", "add"])).is_denied());
    assert!(!agent.stop().contains("LP-"));
    let all = agent.regressions();
    assert!(all.len() == 1 && !all[0].1, "{all:?}");
}

#[test]
fn one_loss_is_recorded_once_however_often_it_is_looked_at() {
    let mut agent = Agent::with(&[(A, &tests(&["add", "drop"]))]);
    agent.call("Bash", json!({"command": "python3 tidy.py"}), |place| place.write(A, test("drop")));
    agent.shell("true");
    agent.call("Bash", json!({"command": "python3 tidy.py"}), |_| {});
    agent.stop();
    agent.stop();
    let all = agent.regressions();
    assert_eq!(all, [("test_deletion".to_owned(), true, vec!["a.test.js: adds two".to_owned()])]);
    let state = agent.place.state(&agent.place.only_loop());
    assert_eq!(state["detected_patterns"].as_array().unwrap().len(), 1, "{}", state["detected_patterns"]);
}

#[test]
fn a_weaker_test_is_no_mended_one() {
    let mut agent = Agent::with(&[(A, &tests(&["add", "drop"]))]);
    let weaker = tests(&["add", "drop"]).replace("toBe('add-3')", "toBeDefined()");
    let told = agent.call("Bash", json!({"command": "python3 tidy.py"}), |place| place.write(A, &weaker));
    assert!(told.text().contains("LP-T003"), "{told:?}");
    agent.stop();
    let all = agent.regressions();
    assert!(all.len() == 1 && all[0].1, "still open: {all:?}");
    agent.write(A, &tests(&["add", "drop"]));
    agent.stop();
    let all = agent.regressions();
    assert!(all.len() == 1 && !all[0].1, "mended: {all:?}");
}

#[test]
fn what_is_no_test_is_mended_when_it_is_back() {
    let code = "export function pay(user, sum) {\n  if (sum < 0) {\n    throw new RangeError('negative');\n  }\n  const row = begin(user);\n  return row.take(sum);\n}\n";
    let bare = "export function pay(user, sum) {\n  const row = begin(user);\n  return row.take(sum);\n}\n";
    let mut agent = Agent::with(&[("src/pay.js", code)]);
    let told =
        agent.call("Bash", json!({"command": "python3 tidy.py"}), |place| place.write("src/pay.js", bare));
    assert!(told.text().contains("LP-006"), "{told:?}");
    agent.stop();
    let all = agent.regressions();
    assert!(all.len() == 1 && all[0].1, "still open: {all:?}");
    agent.write("src/pay.js", code);
    agent.stop();
    let all = agent.regressions();
    assert!(all.len() == 1 && !all[0].1, "mended: {all:?}");
}

/// A suite of which each test asserts three things in its own words.
fn long_tests(count: usize) -> String {
    let one = |number: usize| {
        format!(
            "it('takes {number}', () => {{\n  const row = take({number}, 'p{number}');\n  expect(row.sum).toBeCloseTo({number}1.234, 9);\n}});\n"
        )
    };
    (0..count).map(one).collect()
}

#[test]
fn small_losses_add_up_at_the_end_of_the_turn() {
    let mut agent = Agent::with(&[(A, &long_tests(6))]);
    for number in 0..2 {
        let told = agent.edit(A, &format!("{number}1.234, 9"), &format!("{number}1.234, 8"));
        assert!(
            told.text().contains("LP-T003") == (number == 0) && !told.is_denied(),
            "advice once: {told:?}"
        );
    }
    let state = agent.place.state(&agent.place.only_loop());
    assert_eq!(
        state["detected_patterns"].as_array().unwrap().len(),
        2,
        "each once: {}",
        state["detected_patterns"]
    );
    agent.stop();
    assert_eq!(agent.regressions(), [], "two are advice");
    agent.edit(A, "21.234, 9", "21.234, 8");
    agent.stop();
    let all = agent.regressions();
    let names =
        ["a.test.js: takes 0", "a.test.js: takes 1", "a.test.js: takes 2"].map(str::to_owned).to_vec();
    assert_eq!(all, [("assertion_weakening".to_owned(), true, names)]);
    agent.stop();
    assert_eq!(agent.regressions().len(), 1, "told once");
    agent.write(A, &long_tests(6));
    agent.stop();
    assert!(!agent.regressions()[0].1, "back: {:?}", agent.regressions());
}

#[test]
fn small_losses_that_are_put_back_add_nothing() {
    let mut agent = Agent::with(&[(A, &long_tests(6))]);
    for number in 0..4 {
        agent.edit(A, &format!("{number}1.234, 9"), &format!("{number}1.234, 8"));
        agent.edit(A, &format!("{number}1.234, 8"), &format!("{number}1.234, 9"));
    }
    agent.stop();
    assert_eq!(agent.regressions(), []);
}
