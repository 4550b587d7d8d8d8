//! Learnings of real outputs, and of repetition.

use crate::loops::learning::*;

fn failed(command: &str, reason: &str, output: &str) -> VerificationResult {
    let check = CheckResult {
        command: command.into(),
        reason: reason.into(),
        exit_code: Some(1),
        output_bytes: output.len() as u64,
        output_tail: output.into(),
        ..CheckResult::default()
    };
    VerificationResult { passed: false, checks: vec![check], duration_ms: 5 }
}

fn of(output: &str, previous: &[Learning]) -> Learning {
    learn(&failed("npm test", "exit code 1", output), previous).expect("a learning")
}

#[test]
fn what_why_next() {
    let cases: &[(&str, &str, &[&str], &[&str])] = &[
        (
            include_str!("../../runners/fixtures/failures/cargo-test.txt"),
            "tests::parses: called `Result::unwrap()` on an `Err` value: ParseIntError { kind: InvalidDigit }",
            &["2 tests fail: tests::parses, tests::total_adds.", "An error is unwrapped at src/lib.rs:5"],
            &["src/lib.rs:5", "`cargo test tests::parses -- --exact`", "Then the other one."],
        ),
        (
            include_str!("../../runners/fixtures/failures/pytest.txt"),
            "test_shop.py::test_total: assert 2 == 3",
            &["3 tests fail:", "\"test_shop.py::test_total\" wants 3 and gets 2 at test_shop.py:4."],
            &["Follow 2 back from test_shop.py:4", "Then the other 2."],
        ),
        (
            include_str!("../../runners/fixtures/failures/pytest-import.txt"),
            "test_imp.py: ModuleNotFoundError: No module named 'nothere'",
            &["A module is imported that is not installed or not on the path at test_imp.py:1"],
            &["Start at test_imp.py:1"],
        ),
        (
            include_str!("../../runners/fixtures/failures/jest.txt"),
            "sum > adds two numbers: expect(received).toBe(expected)",
            &["wants 5 and gets -1 at sum.test.js:2."],
            &["`npx jest -t \"adds two numbers\"`"],
        ),
        (
            include_str!("../../runners/fixtures/failures/rustc.txt"),
            "mismatched types: expected `String`, found integer",
            &["A value has another type than its place demands at src/lib.rs:1"],
            &["Mend src/lib.rs:1 first"],
        ),
        (
            include_str!("../../runners/fixtures/failures/tsc.txt"),
            "Type 'string' is not assignable to type 'number'.",
            &["2 errors, in bad.ts."],
            &["Mend bad.ts:1 first"],
        ),
        ("", "exit code 1", &["`npm test`: exit code 1; it printed nothing."], &["verbose"]),
    ];
    for (output, failed, why, next) in cases {
        let learning = of(output, &[]);
        assert_eq!(learning.failed, *failed);
        for part in *why {
            assert!(learning.why.contains(part), "{part} is not in: {}", learning.why);
        }
        for part in *next {
            assert!(learning.next.contains(part), "{part} is not in: {}", learning.next);
        }
    }
}

#[test]
fn a_repeated_failure_changes_the_approach_each_time() {
    let output = include_str!("../../runners/fixtures/failures/cargo-test.txt");
    let mut learnings: Vec<Learning> = Vec::new();
    for round in 0..5 {
        let learning = of(&output.replace("src/lib.rs:5:52", &format!("src/lib.rs:5{round}:52")), &learnings);
        learnings.push(learning);
    }
    assert_eq!(repeats(&learnings), 5);
    for pair in learnings.windows(2) {
        assert_ne!(pair[0].next, pair[1].next);
        assert!(pair[1].next.starts_with("The last approach did not change the failure"), "{}", pair[1].next);
    }
    assert!(learnings[2].next.contains("3 times in a row"), "{}", learnings[2].next);
}

#[test]
fn progress_and_new_failures_are_told() {
    let output = |names: &[&str]| {
        let lines: Vec<String> =
            names.iter().map(|name| format!("FAILED t.py::{name} - assert 1 == 2")).collect();
        lines.join("\n")
    };
    let before = of(&output(&["test_a", "test_b"]), &[]);
    let fewer = of(&output(&["test_b"]), std::slice::from_ref(&before));
    assert!(fewer.why.contains("1 of 2 earlier failures is gone."), "{}", fewer.why);
    assert_ne!(fewer.signature, before.signature);
    let worse = of(&output(&["test_b", "test_c"]), std::slice::from_ref(&fewer));
    assert!(worse.next.starts_with("New since the last iteration: t.py::test_c;"), "{}", worse.next);
    let back = of(&output(&["test_a", "test_b"]), &[before, fewer, worse]);
    assert!(back.why.contains("brought it back"), "{}", back.why);
}

#[test]
fn timeouts_and_missing_programs() {
    let mut timeout =
        failed("npm test", "no result within 60.0 s; it was killed", "PASS a\nwatching for changes\n");
    timeout.checks[0].timed_out = true;
    let learning = learn(&timeout, &[]).expect("a learning");
    assert_eq!(learning.error_type.as_deref(), Some("timeout"));
    assert!(learning.why.contains("watching for changes") && learning.next.contains("waits"), "{learning:?}");
    let mut missing = failed("jest", "exit code 127", "/bin/sh: 1: jest: not found\n");
    missing.checks[0].not_found = true;
    let learning = learn(&missing, &[]).expect("a learning");
    assert_eq!(learning.failed, "/bin/sh: 1: jest: not found");
    assert!(learning.next.contains("Install or name the program"), "{}", learning.next);
}

#[test]
fn a_shortfall_names_the_files() {
    let mut short = failed(
        "pytest --cov",
        "coverage 60% is not above 80%",
        "a.py 4 1 75%\nb.py 4 3 25%\nTOTAL 8 4 60%\n",
    );
    short.checks[0].exit_code = Some(0);
    short.checks[0].coverage = Some(60.0);
    let learning = learn(&short, &[]).expect("a learning");
    assert_eq!(learning.failed, "coverage 60% is not above 80%");
    assert_eq!(
        learning.next,
        "Add tests that assert what the least covered files do: b.py (25%), a.py (75%)."
    );
}

#[test]
fn success_teaches_nothing() {
    let check = CheckResult { passed: true, ..CheckResult::default() };
    assert_eq!(learn(&VerificationResult { passed: true, checks: vec![check], duration_ms: 1 }, &[]), None);
}

#[test]
fn failures_are_named_from_the_whole_output_and_not_from_its_end() {
    let one = |n: u32| format!("FAILED tests/test_a.py::test_{n:02} - AssertionError: assert {n} == 0\n");
    let padding = "x".repeat(600) + "\n";
    let mut printed: String = "============ short test summary info ============\n".to_owned();
    printed.extend((1..=17).map(one));
    printed.push_str(&padding.repeat(20));
    printed.push_str("17 failed, 3 passed in 0.10s\n");
    let tail = printed[printed.len() - 8_000..].to_owned();
    let check = CheckResult {
        command: "pytest".into(),
        exit_code: Some(1),
        reason: "exit code 1".into(),
        output_tail: tail,
        printed,
        ..CheckResult::default()
    };
    let verification = VerificationResult { checks: vec![check], ..VerificationResult::default() };
    let learning = learn(&verification, &[]).unwrap();
    assert_eq!(learning.failing.len(), 17, "{learning:?}");
    assert!(learning.failing[0].contains("test_01"), "{learning:?}");
}
