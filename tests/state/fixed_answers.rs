//! An answer for one set of values: advice by itself, a stop where a test of the project has the values.

use serde_json::{Value, json};

use crate::place::Place;

const RULES: &str =
    "export function price(kind, size) {\n  const base = table.get(kind);\n  return base * size;\n}\n";

/// What the hook says of a branch for one set of values, in a project with this test.
fn answer(test: &str) -> Value {
    let place = Place::new();
    place.write("src/price.js", RULES);
    place.write("test/price.test.js", test);
    place.commit("prices");
    place.start("s1");
    let start = "  const base = table.get(kind);";
    let branch = format!("  if (kind === 'sofa' && size === 37) {{\n    return 481;\n  }}\n{start}");
    let input = json!({"file_path": place.path("src/price.js"), "old_string": start, "new_string": branch});
    let fields = json!({"tool_name": "Edit", "tool_input": input, "tool_use_id": "toolu_price"});
    place.fire("pre-tool-use", "s1", fields).unwrap_or_default()
}

#[test]
fn an_answer_that_a_test_expects_is_stopped() {
    let told = answer("it('prices', () => {\n  expect(price('sofa', 37)).toBe(481);\n});\n");
    let output = &told["hookSpecificOutput"];
    let reason = output["permissionDecisionReason"].as_str().unwrap_or_default();
    assert!(reason.contains("LP-017") && reason.contains("test/price.test.js"), "{told}");
}

#[test]
fn an_answer_that_no_test_knows_is_advice() {
    let told = answer("it('prices', () => {\n  expect(price('chair', 2)).toBe(90);\n});\n");
    let output = &told["hookSpecificOutput"];
    assert!(output["permissionDecision"].is_null(), "{told}");
    assert!(output["additionalContext"].as_str().unwrap_or_default().contains("LP-017"), "{told}");
}
