//! Which calls are risky, and how much: by the tool and its target together, whatever is found in them.

use serde_json::Value;

use crate::agent::Agent;

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
        ("a.test.js", old, "// One.\nit('a', () => {\n  expect(f(1)).toBe(2);\n});\n", "medium"),
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
        ("src/a.js", "f(1);\n", "$ git rm -q src/a.js", "medium"),
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
