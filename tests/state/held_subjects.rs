//! Values of tests that are others, and functions that a shared setup answers for: what the project's other files say of it.

use serde_json::{Value, json};

use crate::place::Place;

const FEES: &str = "def fee(total):\n    return total // 10\n";
const TEST: &str = "from shop.fees import fee\n\n\ndef test_fee_is_rounded_up():\n    assert fee(95) == 10\n";

/// What the hook says of a text for another in a file of a project with these files.
fn answer(place: &Place, path: &str, (old, new): (&str, &str)) -> Value {
    place.start("s1");
    let input = json!({"file_path": place.path(path), "old_string": old, "new_string": new});
    let fields = json!({"tool_name": "Edit", "tool_input": input, "tool_use_id": "toolu_fee"});
    place.fire("pre-tool-use", "s1", fields).unwrap_or_default()
}

fn project() -> Place {
    let place = Place::new();
    place.write("shop/fees.py", FEES);
    place.write("tests/test_fees.py", TEST);
    place.commit("fees");
    place
}

fn stopped(told: &Value) -> &str {
    told["hookSpecificOutput"]["permissionDecisionReason"].as_str().unwrap_or_default()
}

#[test]
fn another_answer_of_code_that_is_as_it_was_is_stopped() {
    let told = answer(&project(), "tests/test_fees.py", ("== 10", "== 9"));
    assert!(stopped(&told).contains("LP-024") && stopped(&told).contains("shop/fees.py"), "{told}");
}

#[test]
fn another_answer_of_code_that_somebody_works_on_is_advice() {
    let place = project();
    place.write("shop/fees.py", FEES.replace("10", "9"));
    let told = answer(&place, "tests/test_fees.py", ("== 10", "== 9"));
    assert_eq!(stopped(&told), "", "{told}");
}

#[test]
fn another_answer_of_code_that_is_not_here_is_advice() {
    let place = Place::new();
    place.write("tests/test_fees.py", TEST);
    place.commit("fees");
    let told = answer(&place, "tests/test_fees.py", ("== 10", "== 9"));
    assert_eq!(stopped(&told), "", "{told}");
    let advice = told["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default();
    assert!(advice.contains("LP-024"), "{told}");
}

#[test]
fn a_recorded_answer_of_a_component_that_is_as_it_was_is_stopped() {
    let place = Place::new();
    place.write("src/Tag.tsx", "export function Tag({ n }) {\n  return <b>{n}</b>;\n}\n");
    place.write(
        "src/Tag.test.tsx",
        "import { Tag } from './Tag';\n\ntest('caps', () => {\n  expect(render(<Tag n={120} />)).toMatchSnapshot();\n});\n",
    );
    place.write(
        "src/__snapshots__/Tag.test.tsx.snap",
        "// Jest Snapshot v1\n\nexports[`caps 1`] = `\n<b>\n  50+\n</b>\n`;\n",
    );
    place.commit("tag");
    let told = answer(&place, "src/__snapshots__/Tag.test.tsx.snap", ("50+", "120"));
    assert!(stopped(&told).contains("`Tag`"), "{told}");
}

#[test]
fn a_setup_that_answers_for_what_a_test_asks_is_stopped() {
    let place = project();
    place.write("tests/conftest.py", "import pytest\n\nfrom shop import fees\n");
    place.commit("setup");
    let fixture = "from shop import fees\n\n\n@pytest.fixture(autouse=True)\ndef fixed(monkeypatch):\n    monkeypatch.setattr(fees, \"fee\", lambda total: 10)\n";
    let told = answer(&place, "tests/conftest.py", ("from shop import fees\n", fixture));
    assert_eq!(stopped(&told), "", "a name of three letters says too little: {told}");
    let long = "def shipping_fee(total):\n    return total // 10\n";
    place.write("shop/fees.py", long);
    place.write(
        "tests/test_fees.py",
        TEST.replace("fee(", "shipping_fee(").replace("import fee", "import shipping_fee"),
    );
    place.commit("a longer name");
    let fixture = fixture.replace("\"fee\"", "\"shipping_fee\"");
    let told = answer(&place, "tests/conftest.py", ("from shop import fees\n", &fixture));
    assert!(stopped(&told).contains("LP-014") && stopped(&told).contains("tests/test_fees.py"), "{told}");
}
