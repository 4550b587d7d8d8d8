//! Which calls are risky, and how much: by the tool and its target together, whatever is found in them.

use serde_json::{Value, json};

use crate::agent::Agent;
use crate::place::{Place, TEST_FILE};

const PAY: &str = "export function pay(user, sum) {\n  if (!user) {\n    throw new Error('no user');\n  }\n  validate(user);\n  return begin(user).take(sum);\n}\n";

/// The risky actions on record: target and level.
fn risky(agent: &Agent) -> Vec<(String, String)> {
    let mut loops = agent.place.loops();
    let Some(id) = loops.pop() else { return Vec::new() };
    let state = agent.place.state(&id);
    let text = |action: &Value, field: &str| action[field].as_str().unwrap_or_default().to_owned();
    let all = state["risky_actions"].as_array().cloned().unwrap_or_default();
    all.iter().map(|action| (text(action, "target"), text(action, "risk_level"))).collect()
}

#[test]
fn each_call_has_its_level() {
    let old = "it('a', () => {\n  expect(f(1)).toBe(2);\n});\n";
    // The file, its text, what is written instead of it (or a command), and the level; an empty one is no risk.
    let rows = [
        ("a.test.js", "// One.\nit('a', () => {\n  expect(f(1)).toBe(2);\n});\n", old, "medium"),
        ("a.test.js", old, "// One.\nit('a', () => {\n  expect(f(1)).toBe(2);\n});\n", ""),
        ("tests/helper.py", "x = 1\n", "x = 2\n", "medium"),
        ("src/__tests__/cart.tsx", "f(1);\n", "f(2);\n", "medium"),
        ("shop_test.go", "package shop\n\nvar a = 1\n", "package shop\n\nvar a = 2\n", "medium"),
        ("src/latest/util.ts", "export const a = 1;\n", "export const a = 2;\n", ""),
        ("src/contest.ts", "export const a = 1;\n", "export const a = 2;\n", ""),
        ("src/attestation.py", "a = 1\n", "a = 2\n", ""),
        ("src/pay.js", PAY, &PAY.replace("!user", "!user && strict"), "medium"),
        ("src/pay.js", PAY, &PAY.replace("!user", "!user || !sum"), "low"),
        ("src/pay.js", PAY, &PAY.replace("validate(user)", "validate(user, strict)"), "low"),
        ("src/pay.js", PAY, &PAY.replace("  validate(user);\n", ""), "critical"),
        ("src/pay.js", PAY, &PAY.replace("take(sum)", "take(sum, 1)"), ""),
        ("a.test.js", old, "// nothing\n", "critical"),
        ("src/a.js", "f(1);\n", "$ git rm -q src/a.js", "low"),
        ("build/a.js", "f(1);\n", "$ rm -rf build", "high"),
        ("a.test.js", old, "$ rm a.test.js", "critical"),
        ("src/a.js", "f(1);\n", "$ cat src/a.js", ""),
        ("src/a.js", "f(1);\n", "$ git status", ""),
    ];
    let mut faults = Vec::new();
    for (path, before, after, level) in rows {
        let mut agent = Agent::with(&[(path, before), ("src/other.js", "g(1);\n")]);
        match after.strip_prefix("$ ") {
            Some(command) => drop(agent.shell(command)),
            None => drop(agent.write(path, after)),
        }
        let levels: Vec<String> = risky(&agent).into_iter().map(|(_, level)| level).collect();
        if levels.join(" ") != level {
            faults.push(format!("{path} {after:?}: {levels:?}, not {level:?}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// What the agent reads before a command runs, in a session of its own.
fn before(place: &Place, session: &str, command: &str) -> String {
    let fields = json!({"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": "toolu_1"});
    place.fire("pre-tool-use", session, fields).unwrap_or_default().to_string()
}

#[test]
fn a_file_that_a_command_empties_before_it_reads_it_is_told() {
    let place = Place::new();
    place.write("names.txt", "b\na\n");
    let told = before(&place, "s1", "sort names.txt > names.txt");
    assert!(
        told.contains("empties names.txt before it is read") && told.contains("1 file is kept"),
        "{told}"
    );
    assert_eq!(before(&place, "s2", "sort -o names.txt names.txt"), "null");
    let refused = before(&place, "s3", &format!("sort {TEST_FILE} > {TEST_FILE}"));
    assert!(refused.contains("deny"), "the tests would be gone: {refused}");
}

#[test]
fn work_in_no_commit_that_is_moved_or_copied_over_is_told() {
    let place = Place::new();
    place.write("new.py", "def add(a, b):\n    return a + b\n");
    let over = "cp new.py calc.py";
    assert_eq!(before(&place, "s1", over), "null", "a commit has it");
    place.write("calc.py", "def add(a, b):\n    return b - a\n");
    for (session, command) in [("s2", over), ("s3", "mv new.py calc.py")] {
        let told = before(&place, session, command);
        assert!(
            told.contains("calc.py would be replaced") && told.contains("kept; `steadfast undo"),
            "{told}"
        );
    }
    assert_eq!(before(&place, "s4", "sed s/a/b/ calc.py > calc.tmp && mv calc.tmp calc.py"), "null");
}
