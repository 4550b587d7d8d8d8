//! What is read of real outputs.

use super::failures::*;
use super::*;
use crate::metrics::terminal::plain;

/// A failure in one line: `test | message | expected | actual | place | type`.
fn line(failure: &TestFailure) -> String {
    let text = |part: &Option<String>| part.clone().unwrap_or_else(|| "-".to_owned());
    let parts = [&failure.expected, &failure.actual, &failure.place, &failure.error_type].map(text);
    format!("{} | {} | {}", text(&failure.test), failure.message, parts.join(" | "))
}

#[test]
fn real_outputs() {
    let cases: &[(&str, &str, OutputSource, &[&str])] = &[
        (
            "cargo test",
            include_str!("fixtures/failures/cargo-test.txt"),
            OutputSource::Runner(&cargo_test::RUNNER),
            &[
                "tests::parses | called `Result::unwrap()` on an `Err` value: ParseIntError { kind: InvalidDigit } | - | - | src/lib.rs:5 | panic",
                "tests::total_adds | assertion `left == right` failed | 3 | 2 | src/lib.rs:4 | assertion",
            ],
        ),
        (
            "pytest",
            include_str!("fixtures/failures/pytest.txt"),
            OutputSource::Runner(&pytest::RUNNER),
            &[
                "test_shop.py::test_total | assert 2 == 3 | 3 | 2 | test_shop.py:4 | AssertionError",
                "test_shop.py::TestCart::test_empty | KeyError: 'cart' | - | - | test_shop.py:7 | KeyError",
                "test_shop.py::test_param[2] | assert 2 == 1 | 1 | 2 | test_shop.py:11 | AssertionError",
            ],
        ),
        (
            "pytest import",
            include_str!("fixtures/failures/pytest-import.txt"),
            OutputSource::Runner(&pytest::RUNNER),
            &[
                "test_imp.py | ModuleNotFoundError: No module named 'nothere' | - | - | test_imp.py:1 | ModuleNotFoundError",
            ],
        ),
        (
            "vitest",
            include_str!("fixtures/failures/vitest.txt"),
            OutputSource::Runner(&vitest::RUNNER),
            &[
                "vt/sum.test.mjs > sum > adds two numbers | AssertionError: expected -1 to be 5 // Object.is equality | 5 | -1 | vt/sum.test.mjs:2 | AssertionError",
            ],
        ),
        (
            "jest",
            include_str!("fixtures/failures/jest.txt"),
            OutputSource::Runner(&jest::RUNNER),
            &[
                "sum > adds two numbers | expect(received).toBe(expected) | 5 | -1 | sum.test.js:2 | AssertionError",
                "sum > throws | TypeError: Cannot read properties of null (reading 'x') | - | - | sum.test.js:2 | TypeError",
            ],
        ),
        (
            "node --test, TAP",
            include_str!("fixtures/failures/node-tap.txt"),
            OutputSource::Runner(&node_test::RUNNER),
            &[
                "adds two numbers | Expected values to be strictly equal: -1 !== 5 | 5 | -1 | /home/dev/shop/nt/a.test.js:2 | AssertionError",
                "Cart > rejects an empty cart | Missing expected exception. | - | - | /home/dev/shop/nt/a.test.js:4 | AssertionError",
            ],
        ),
        (
            "node --test, spec",
            include_str!("fixtures/failures/node-spec.txt"),
            OutputSource::Runner(&node_test::RUNNER),
            &[
                "adds two numbers | AssertionError [ERR_ASSERTION]: Expected values to be strictly equal: -1 !== 5 | 5 | -1 | /home/dev/shop/nt/a.test.js:2 | AssertionError",
                "Cart > rejects an empty cart | AssertionError [ERR_ASSERTION]: Missing expected exception. | - | - | /home/dev/shop/nt/a.test.js:4 | AssertionError",
            ],
        ),
        (
            "mocha",
            include_str!("fixtures/failures/mocha.txt"),
            OutputSource::Runner(&mocha::RUNNER),
            &[
                "sum > adds two numbers | AssertionError [ERR_ASSERTION]: -1 == 5 | 5 | -1 | mt/sum.spec.js:2 | AssertionError",
                "sum > inner > dies | TypeError: boom | - | - | mt/sum.spec.js:2 | TypeError",
            ],
        ),
        (
            "go test",
            include_str!("fixtures/failures/go-test.txt"),
            OutputSource::Runner(&go_test::RUNNER),
            &[
                "TestTotal | Total([1 2]) = 2; want 3 | 3 | 2 | shop_test.go:9 | assertion",
                "TestCart/empty_cart. | got \"full\", want \"empty\" | \"empty\" | \"full\" | shop_test.go:16 | assertion",
            ],
        ),
        (
            "go build",
            include_str!("fixtures/failures/go-build.txt"),
            OutputSource::Runner(&go_test::RUNNER),
            &["- | undefined: strings.ReplaceAll | - | - | schemadocs.go:294 | build error"],
        ),
        (
            "tsc",
            include_str!("fixtures/failures/tsc.txt"),
            OutputSource::Compiler,
            &[
                "- | Type 'string' is not assignable to type 'number'. | - | - | bad.ts:1 | TS2322",
                "- | Property 'nme' does not exist on type '{ name: string; }'. Did you mean 'name'? | - | - | bad.ts:2 | TS2551",
            ],
        ),
        (
            "eslint",
            include_str!("fixtures/failures/eslint.txt"),
            OutputSource::Compiler,
            &[
                "- | 'a' is assigned a value but never used | - | - | /home/dev/shop/lint.js:1 | no-unused-vars",
            ],
        ),
        (
            "rustc",
            include_str!("fixtures/failures/rustc.txt"),
            OutputSource::Compiler,
            &["- | mismatched types: expected `String`, found integer | - | - | src/lib.rs:1 | E0308"],
        ),
        (
            "npm",
            include_str!("fixtures/failures/npm.txt"),
            OutputSource::Unknown,
            &["- | Error: no test specified | - | - | - | Error"],
        ),
        (
            "gcc",
            "x.c:3:5: error: 'y' undeclared",
            OutputSource::Compiler,
            &["- | 'y' undeclared | - | - | x.c:3 | error"],
        ),
        (
            "mypy",
            "a.py:3: error: Bad  [arg-type]",
            OutputSource::Compiler,
            &["- | Bad [arg-type] | - | - | a.py:3 | arg-type"],
        ),
        (
            "ruff",
            "a.py:1:8: F401 `os` unused",
            OutputSource::Compiler,
            &["- | `os` unused | - | - | a.py:1 | F401"],
        ),
        (
            "shell",
            "sh: 1: jest: not found\nnpm error code 127",
            OutputSource::Unknown,
            &["- | sh: 1: jest: not found | - | - | - | -"],
        ),
        (
            "python",
            "Traceback (most recent call last):\n  File \"app.py\", line 3, in <module>\n    main()\nValueError: bad",
            OutputSource::Unknown,
            &["- | ValueError: bad | - | - | app.py:3 | ValueError"],
        ),
        ("words", "all fine\nstill no\n\n", OutputSource::Unknown, &["- | still no | - | - | - | -"]),
    ];
    for (name, output, source, expected) in cases {
        let failures = read(&plain(output.as_bytes())).unwrap_or_else(|| panic!("{name}: nothing read"));
        let lines: Vec<String> = failures.list.iter().map(line).collect();
        assert_eq!(
            (failures.source, lines),
            (*source, expected.iter().map(|line| (*line).to_owned()).collect()),
            "{name}"
        );
    }
}

/// An output that lost its beginning still tells, and nothing panics wherever it is cut.
#[test]
fn cut_outputs() {
    let all = [
        include_str!("fixtures/failures/cargo-test.txt"),
        include_str!("fixtures/failures/pytest.txt"),
        include_str!("fixtures/failures/vitest.txt"),
        include_str!("fixtures/failures/jest.txt"),
        include_str!("fixtures/failures/node-spec.txt"),
        include_str!("fixtures/failures/node-tap.txt"),
        include_str!("fixtures/failures/mocha.txt"),
        include_str!("fixtures/failures/go-test.txt"),
        include_str!("fixtures/failures/eslint.txt"),
    ];
    for output in all {
        for at in (0..output.len()).filter(|at| output.is_char_boundary(*at)) {
            for part in [&output[at..], &output[..at]] {
                let told = read(part);
                assert_eq!(told.is_some(), !part.trim().is_empty(), "{part}");
            }
        }
    }
    let spec = include_str!("fixtures/failures/node-spec.txt");
    let half = &spec[spec.find("ℹ tests").expect("summary")..];
    assert_eq!(read(half).map(|failures| failures.list.len()), Some(2));
}

#[test]
fn one_test_alone() {
    let cases = [
        (&cargo_test::RUNNER, "tests::adds", "cargo test tests::adds -- --exact"),
        (&pytest::RUNNER, "t.py::test_a[1]", "pytest \"t.py::test_a[1]\""),
        (&vitest::RUNNER, "a.test.ts > sum > adds", "npx vitest run -t \"adds\""),
        (&jest::RUNNER, "sum > says \"$hi\"", "npx jest -t \"says ..hi.\""),
        (&go_test::RUNNER, "TestCart/empty", "go test ./... -run '^TestCart$/^empty$'"),
    ];
    for (runner, test, expected) in cases {
        assert_eq!(OutputSource::Runner(runner).alone(test).as_deref(), Some(expected));
    }
    assert_eq!(OutputSource::Compiler.alone("x"), None);
}
