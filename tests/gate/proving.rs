//! A criterion that passes only with changed tests, with every detector off: the runs alone hold the loop up.

use std::process::Command;

use serde_json::Value;

use crate::place::Place;
use crate::terminal::{at_terminal, screen};

const TEST: &str = "test/sum.test.js";
const STRICT: &str = "const { test } = require('node:test');
const assert = require('node:assert');
const { sum } = require('../sum');

test('sums two numbers', () => {
  assert.strictEqual(sum(1, 2), 3);
});

test('sums nothing', () => {
  assert.strictEqual(sum(0, 0), 0);
});
";
const WRONG: &str = "exports.sum = (a, b) => a - b;\n";
const RIGHT: &str = "exports.sum = (a, b) => a + b;\n";

fn bent() -> String {
    STRICT.replace("strictEqual(sum(1, 2), 3)", "notStrictEqual(sum(1, 2), undefined)")
}

fn has_node() -> bool {
    let is_there = Command::new("node").arg("--version").output().is_ok_and(|output| output.status.success());
    if !is_there {
        let _ = std::io::Write::write_all(&mut std::io::stderr(), b"NOT RUN: there is no node here\n");
    }
    is_there
}

/// A session in its loop, which nothing but runs guards.
fn looping(prove: &str) -> Place {
    let place = Place::new();
    let file =
        format!("agent_persistence:\n  detection: {{ mode: off }}\n  verification: {{ prove: {prove} }}\n");
    place.write("aiwg.yml", file);
    place.write("sum.js", WRONG);
    place.write(TEST, STRICT);
    place.commit("A sum that is wrong");
    let criterion = "node --test test/ passes";
    place.done(&["loop", "start", "Make it right", "--until", criterion, "--loop-id", "one"]);
    place.start("s1");
    place
}

fn open_gates(place: &Place) -> Vec<Value> {
    let state = place.state("one");
    let gates = state["human_gates"].as_array().cloned().unwrap_or_default();
    gates.into_iter().filter(|gate| gate["decision"].is_null()).collect()
}

#[test]
fn what_passes_only_with_a_bent_test_is_a_persons_to_decide_and_the_work_itself_completes() {
    if !has_node() {
        return;
    }
    let place = looping("auto");
    place.write(TEST, bent());
    let answer = place.stop("s1").unwrap_or_default().to_string();
    let gates = open_gates(&place);
    assert_eq!(gates.len(), 1, "{answer}");
    let message = gates[0]["message"].as_str().unwrap();
    for part in ["only with changed tests", "sums two numbers", "old tests on new source: fail"] {
        assert!(message.contains(part) && answer.contains(part), "{part} in {message} and {answer}");
    }
    assert!(message.contains("+  assert.notStrictEqual("), "{message}");
    assert!(!message.contains("sums nothing"), "{message}");
    assert_eq!(place.state("one")["status"], "running");
    let page = place.done(&["report", "one", "--html", "-"]);
    assert!(
        page.contains(">Proof<") && page.contains(">refuted<") && page.contains("passes only changed"),
        "{page}"
    );
    assert!(!page.contains("still bite"), "faults are planted on request alone");
    assert_eq!(place.steadfast(&["prove", "--loop", "one", "--bite"]).status.code(), Some(1));
    let page = place.done(&["report", "one", "--html", "-"]);
    assert!(page.contains("Do the tests still bite?") && page.contains("sum.js:1"), "{page}");
    // The test goes back with the person's answer, and the work passes it.
    let shown = screen(&at_terminal(&place, "gate reject --force", ""));
    assert_eq!(std::fs::read_to_string(place.path(TEST)).unwrap(), STRICT, "{shown}");
    place.write("sum.js", RIGHT);
    place.fire("user-prompt-submit", "s1", serde_json::json!({"prompt": "Go on."}));
    place.stop("s1");
    assert_eq!(place.state("one")["status"], "completed", "{:#}", place.state("one"));
}

#[test]
fn a_person_who_approves_takes_the_tests_as_they_are() {
    if !has_node() {
        return;
    }
    let place = looping("auto");
    place.write(TEST, bent());
    place.stop("s1");
    assert_eq!(open_gates(&place).len(), 1);
    at_terminal(&place, "gate approve", "");
    place.fire("user-prompt-submit", "s1", serde_json::json!({"prompt": "Go on."}));
    place.stop("s1");
    assert_eq!(open_gates(&place).len(), 0);
    assert_eq!(place.state("one")["status"], "completed", "{:#}", place.state("one"));
}

#[test]
fn honest_work_completes_with_its_new_tests_and_without_a_proof_nothing_is_held_against_a_bent_one() {
    if !has_node() {
        return;
    }
    let place = looping("auto");
    place.write("sum.js", RIGHT);
    place.write(
        TEST,
        format!("{STRICT}\ntest('sums more', () => {{\n  assert.strictEqual(sum(4, 5), 9);\n}});\n"),
    );
    place.stop("s1");
    assert_eq!(place.state("one")["status"], "completed", "{:#}", place.state("one"));
    let place = looping("off");
    place.write(TEST, bent());
    place.stop("s1");
    assert_eq!(place.state("one")["status"], "completed", "{:#}", place.state("one"));
}
