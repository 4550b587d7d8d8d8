//! What is read of the real outputs of real tools, and of anything else.

use std::io::{BufReader, Read};

use proptest::prelude::*;

use super::listing::TestListing;
use super::model::TestLister;
use super::results::report;
use super::*;
use crate::metrics::{Problems, ReportReading, TestOutcome};

/// A reading in one line: formats, passed/failed/skipped (names), coverage, errors/warnings of types, of lint.
fn line(reading: &ReportReading) -> String {
    let problems = |problems: Option<Problems>| {
        problems.map_or("-".to_owned(), |p| format!("{}/{}", p.errors, p.warnings))
    };
    let tests = reading.tests.as_ref().map_or("-".to_owned(), |tests| {
        let more = if tests.partial { "+" } else { "" };
        format!("{}{more}/{}/{} ({})", tests.passed, tests.failed, tests.skipped, tests.by_name.len())
    });
    let coverage = reading.coverage.map_or("-".to_owned(), |percent| percent.to_string());
    let unread = if reading.unread.is_empty() { "" } else { " unread" };
    let (types, lint) = (problems(reading.types), problems(reading.lint));
    format!("{} | {tests} | {coverage} | {types} | {lint}{unread}", reading.formats.join("+"))
}

macro_rules! fixture {
    ($name:literal) => {
        ($name, include_bytes!(concat!("fixtures/results/", $name)).as_slice())
    };
}

#[rustfmt::skip]
const OUTPUTS: &[(Fixture, &str)] = &[
    (fixture!("cargo-test.txt"), "cargo test | 2/1/1 (4) | - | - | -"),
    (fixture!("cargo-test-color.txt"), "cargo test | 3/1/1 (5) | - | - | -"),
    (fixture!("nextest.txt"), "nextest | 2/1/1 (3) | - | - | -"),
    (fixture!("pytest.txt"), "pytest | 4/2/1 (2) | - | - | -"),
    (fixture!("pytest-q.txt"), "pytest | 4/2/1 (2) | - | - | -"),
    (fixture!("pytest-v-color.txt"), "pytest | 4/2/1 (7) | - | - | -"),
    (fixture!("pytest-cov.txt"), "pytest | 4/2/1 (2) | 92 | - | -"),
    (fixture!("go-test.txt"), "go test | 0+/2/0 (2) | - | - | -"),
    (fixture!("go-test-v.txt"), "go test | 3/2/1 (6) | - | - | -"),
    (fixture!("go-test.json"), "go test | 3/2/1 (6) | - | - | -"),
    (fixture!("go-test-cover.txt"), "go test | 0+/2/0 (2) | 85.7 | - | -"),
    (fixture!("vitest.txt"), "vitest | 1/1/2 (4) | - | - | -"),
    (fixture!("vitest-color.txt"), "vitest | 1/1/2 (4) | - | - | -"),
    (fixture!("vitest-cov.txt"), "vitest | 1/1/2 (4) | 71.42 | - | -"),
    (fixture!("vitest.json"), "jest | 1/1/2 (4) | - | - | -"),
    (fixture!("vitest.tap"), "tap | 1/1/2 (4) | - | - | -"),
    (fixture!("jest.txt"), "jest | 3/1/2 (6) | - | - | -"),
    (fixture!("jest-color.txt"), "jest | 3/1/2 (6) | - | - | -"),
    (fixture!("jest-cov.txt"), "jest | 3/1/2 (6) | 75 | - | -"),
    (fixture!("jest.json"), "jest | 3/1/2 (6) | - | - | -"),
    (fixture!("mocha.txt"), "mocha | 1/2/1 (4) | - | - | -"),
    (fixture!("mocha-color.txt"), "mocha | 1/2/1 (4) | - | - | -"),
    (fixture!("mocha.json"), "mocha | 1/2/1 (4) | - | - | -"),
    (fixture!("mocha.tap"), "tap | 1/2/1 (4) | - | - | -"),
    (fixture!("node-spec.txt"), "node --test | 2/2/2 (6) | - | - | -"),
    (fixture!("node.tap"), "tap | 2/2/2 (6) | - | - | -"),
    (fixture!("rspec.txt"), "rspec | 1/1/1 (1) | - | - | -"),
    (fixture!("rspec-color.txt"), "rspec | 1/1/1 (1) | - | - | -"),
    (fixture!("rspec.json"), "rspec | 1/1/1 (3) | - | - | -"),
    (fixture!("phpunit.txt"), "phpunit | 1/2/1 (2) | - | - | -"),
    (fixture!("phpunit-testdox.txt"), "phpunit | 1/2/1 (0) | - | - | -"),
    (fixture!("phpunit-ok.txt"), "phpunit | 1/0/0 (0) | - | - | -"),
    (fixture!("phpunit-skip.txt"), "phpunit | 1/0/1 (0) | - | - | -"),
    (fixture!("junit-pytest.xml"), "junit | 3/2/2 (7) | - | - | -"),
    (fixture!("junit-vitest.xml"), "junit | 1/1/2 (4) | - | - | -"),
    (fixture!("junit-jest.xml"), "junit | 4/1/1 (6) | - | - | -"),
    (fixture!("junit-phpunit.xml"), "junit | 1/2/1 (4) | - | - | -"),
    (fixture!("junit-node.xml"), "junit | 2/2/2 (6) | - | - | -"),
    (fixture!("lcov-py.info"), "lcov | - | 92 | - | -"),
    (fixture!("lcov-vitest.info"), "lcov | - | 71.43 | - | -"),
    (fixture!("cobertura-py.xml"), "cobertura | - | 92 | - | -"),
    (fixture!("cobertura-vitest.xml"), "cobertura | - | 71.42 | - | -"),
    (fixture!("coverage-py.json"), "coverage.py | - | 92 | - | -"),
    (fixture!("llvm-cov.json"), "llvm-cov | - | 63.16 | - | -"),
    (fixture!("llvm-cov-summary.json"), "llvm-cov | - | 63.16 | - | -"),
    (fixture!("llvm-cov.info"), "lcov | - | 63.16 | - | -"),
    (fixture!("llvm-cov.txt"), " | - | 63.16 | - | -"),
    (fixture!("cobertura-llvm.xml"), "cobertura | - | 63.16 | - | -"),
    (fixture!("jacoco.xml"), "jacoco | - | 70 | - | -"),
    (fixture!("surefire.txt"), "surefire | 3/2/1 (2) | - | - | -"),
    (fixture!("junit-surefire.xml"), "junit | 2/1/1 (4) | - | - | -"),
    (fixture!("prove.txt"), "prove | 3/3/1 (4) | - | - | -"),
    (fixture!("prove-v.txt"), "tap | 2/2/1 (5) | - | - | -"),
    (fixture!("junit-ant.xml"), "junit | 2/1/1 (4) | - | - | -"),
    (fixture!("istanbul-summary.json"), "istanbul | - | 71.42 | - | -"),
    (fixture!("istanbul-jest.json"), "istanbul | - | 100 | - | -"),
    (fixture!("go-cover.out"), "go profile | - | 87.5 | - | -"),
    (fixture!("tsc.txt"), "tsc | - | - | 1/0 | -"),
    (fixture!("tsc-pretty.txt"), "tsc | - | - | 1/0 | -"),
    (fixture!("mypy.txt"), "mypy | - | - | 1/0 | -"),
    (fixture!("eslint.txt"), "eslint | - | - | - | 3/1"),
    (fixture!("eslint-color.txt"), "eslint | - | - | - | 3/1"),
    (fixture!("eslint.json"), "eslint | - | - | - | 3/1"),
    (fixture!("clippy.txt"), "clippy | - | - | - | 0/1"),
    (fixture!("clippy.json"), "clippy | - | - | - | 0/1"),
    (fixture!("ruff-concise.txt"), "ruff | - | - | - | 3/0"),
    (fixture!("ruff.json"), "ruff | - | - | - | 3/0"),
    (fixture!("go-vet.txt"), "go vet | - | - | - | 1/0"),
    // Forms of the tools' own documentation.
    (("surefire", b"[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s -- in shop.ATest\n[ERROR] shop.BTest.fails -- Time elapsed: 0.01 s <<< FAILURE!\n[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 1, Time elapsed: 0.1 s <<< FAILURE! -- in shop.BTest\n[INFO] Results:\n[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 1"), "surefire | 3/1/1 (1) | - | - | -"),
    (("dotnet", b"  Failed Shop.Tests.Fails [12 ms]\n  Passed Shop.Tests.Adds [< 1 ms]\nFailed!  - Failed:     1, Passed:     2, Skipped:     1, Total:     4, Duration: 20 ms - Shop.dll (net8.0)"), "dotnet test | 2/1/1 (2) | - | - | -"),
    (("trx", b"<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<TestRun id=\"1\" xmlns=\"http://microsoft.com/schemas/VisualStudio/TeamTest/2010\"><Times creation=\"x\"/><Results><UnitTestResult testName=\"Shop.Adds\" outcome=\"Passed\" duration=\"00:00:00.1\"/><UnitTestResult testName=\"Shop.Fails\" outcome=\"Failed\"><Output><ErrorInfo><Message>no</Message></ErrorInfo></Output></UnitTestResult><UnitTestResult testName=\"Shop.Later\" outcome=\"NotExecuted\"/><UnitTestResult testName=\"Shop.Rows\" outcome=\"Passed\" resultType=\"DataDrivenTest\"><InnerResults><UnitTestResult testName=\"Shop.Rows (1)\" outcome=\"Passed\"/><UnitTestResult testName=\"Shop.Rows (2)\" outcome=\"Passed\"></UnitTestResult></InnerResults></UnitTestResult></Results><ResultSummary outcome=\"Failed\"><Counters total=\"4\" passed=\"2\" failed=\"1\"/></ResultSummary></TestRun>"), "trx | 3/1/1 (5) | - | - | -"),
    (("coverlet", b"\xef\xbb\xbf<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<coverage line-rate=\"0.8333\" branch-rate=\"0.5\" version=\"1.9\" timestamp=\"1700000000\" lines-covered=\"5\" lines-valid=\"6\" branches-covered=\"1\" branches-valid=\"2\"><sources/><packages><package name=\"Shop\" line-rate=\"0.8333\"/></packages></coverage>"), "cobertura | - | 83.33 | - | -"),
    (("dotnet, older", b"Test Run Failed.\nTotal tests: 3\n     Passed: 2\n     Failed: 1\n Total time: 1.2 Seconds"), "dotnet test | 2/1/0 (0) | - | - | -"),
    (("jacoco", b"<?xml version=\"1.0\"?><!DOCTYPE report PUBLIC \"-//JACOCO//DTD Report 1.1//EN\" \"report.dtd\"><report name=\"s\"><package name=\"p\"><counter type=\"LINE\" missed=\"9\" covered=\"1\"/></package><counter type=\"BRANCH\" missed=\"1\" covered=\"1\"/><counter type=\"LINE\" missed=\"1\" covered=\"3\"/></report>"), "jacoco | - | 75 | - | -"),
    (("llvm-cov", b"{\"data\":[{\"files\":[{\"filename\":\"a\"}],\"totals\":{\"branches\":{\"count\":0},\"lines\":{\"count\":9,\"covered\":8,\"percent\":88.88888888888889}}}],\"type\":\"llvm.coverage.json.export\",\"version\":\"2.0.1\"}"), "llvm-cov | - | 88.89 | - | -"),
    (("build that fails", b"FAIL\texample.com/shop [build failed]\nok  \texample.com/sub\t0.1s\nFAIL"), "go test | 0+/1/0 (0) | - | - | -"),
    (("mypy, clean", b"Success: no issues found in 3 source files"), "mypy | - | - | 0/0 | -"),
    (("two runners", b"test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.06s\n=== 2 failed, 3 passed in 0.05s ==="), "cargo test+pytest | 6/2/1 (0) | - | - | -"),
    // What only speaks of tests is none of them.
    (("prose", b"All 12 tests passed in the end.\nok, that works\n3 passing thoughts\nTests: many\nFound 3 errors in the text"), " | - | - | - | - unread"),
    (("own JSON", b"{\"level\":\"info\"}\n=== 3 passed in 0.05s ==="), "pytest | 3/0/0 (0) | - | - | -"),
    (("nothing", b""), " | - | - | - | - unread"),
    (("broken XML", b"<testsuites><testsuite><testcase name=\"a\"><failure/></testcase><testcase name=\"b\""), "junit | 0/1/0 (1) | - | - | - unread"),
    (("broken JSON", b"{\"stats\":{},\"passes\":[{\"fullTitle\":\"a\"},{\"fullT"), "mocha | 1/0/0 (1) | - | - | - unread"),
    (("foreign XML", b"<?xml version=\"1.0\"?><html/>"), " | - | - | - | - unread"),
];

#[test]
fn real_outputs() {
    for ((name, bytes), expected) in OUTPUTS {
        assert_eq!(line(&report(&mut &**bytes)), *expected, "{name}");
    }
}

/// A file's name and bytes.
type Fixture = (&'static str, &'static [u8]);

#[test]
fn failing_tests_have_names() {
    let rows: &[(Fixture, &[&str])] = &[
        (fixture!("cargo-test.txt"), &["src/lib.rs > tests::empty"]),
        (fixture!("nextest.txt"), &["shop tests::empty"]),
        (fixture!("pytest.txt"), &["test_shop.py::TestCart::test_cart", "test_shop.py::test_empty"]),
        (fixture!("go-test-v.txt"), &["example.com/shop.TestEmpty", "example.com/shop.TestTable/b"]),
        (fixture!("go-test.json"), &["example.com/shop.TestEmpty", "example.com/shop.TestTable/b"]),
        (fixture!("vitest.txt"), &["src/sum.test.ts > sum > fails"]),
        (fixture!("vitest-color.txt"), &["src/sum.test.ts > sum > fails"]),
        (fixture!("jest.txt"), &["sum.test.js > sum > fails"]),
        (fixture!("mocha.txt"), &["m > fails", "m > in > dies"]),
        (fixture!("node-spec.txt"), &["cart > bad", "fails"]),
        (fixture!("node.tap"), &["cart > bad", "fails"]),
        (fixture!("vitest.tap"), &["src/sum.test.ts > sum > fails"]),
        (fixture!("phpunit.txt"), &["ShopTest::testDies", "ShopTest::testFails"]),
        (fixture!("surefire.txt"), &["shop.MoreTest.breaks", "shop.ShopTest.fails"]),
        (fixture!("junit-surefire.xml"), &["shop.ShopTest > fails"]),
        (fixture!("prove.txt"), &["t/stock.t", "t/total.t"]),
        (fixture!("prove-v.txt"), &["adds two prices", "many > is positive"]),
    ];
    for ((name, bytes), expected) in rows {
        let tests = report(&mut &**bytes).tests.unwrap();
        assert_eq!(tests.named(TestOutcome::Failed).collect::<Vec<_>>(), *expected, "{name}");
    }
}

fn list(runner: &Runner) -> TestLister {
    runner.list.unwrap()
}

#[test]
fn lists() {
    let rows: &[(&Runner, &[u8], Option<u64>)] = &[
        (&cargo_test::RUNNER, fixture!("cargo-list.txt").1, Some(5)),
        (&pytest::RUNNER, fixture!("pytest-list.txt").1, Some(7)),
        (&vitest::RUNNER, fixture!("vitest-list.txt").1, Some(2)),
        (&phpunit::RUNNER, fixture!("phpunit-list.txt").1, Some(4)),
        (&rspec::RUNNER, fixture!("rspec-list.txt").1, Some(3)),
        (&mocha::RUNNER, fixture!("mocha-dry.json").1, Some(4)),
        (&go_test::RUNNER, b"TestA\nExampleB\nBenchmarkC\nok  \texample.com/shop\t0.002s\n?   \texample.com/x\t[no test files]", Some(2)),
        (&go_test::RUNNER, fixture!("go-list.txt").1, None),
        (&jest::RUNNER, b"/home/dev/a.test.js\n/home/dev/b.test.js\n", Some(2)),
        (&dotnet::RUNNER, b"The following Tests are available:\n    Shop.A\n    Shop.B\n", Some(2)),
        (&pytest::RUNNER, b"no tests collected in 0.01s", Some(0)),
        (&pytest::RUNNER, b"pytest: command not found", None),
        (&cargo_test::RUNNER, b"error: could not compile", None),
    ];
    for (runner, bytes, count) in rows {
        let listed = listing::read(&list(runner), &mut &**bytes);
        assert_eq!(listed.map(|listing: TestListing| listing.count), *count, "{runner:?}");
    }
}

/// An output that lost one end still tells what is in the rest, never more than the whole.
#[test]
fn cut_outputs() {
    for ((name, bytes), _) in OUTPUTS {
        let whole = report(&mut &**bytes).tests.map_or(0, |tests| tests.total());
        for at in (0..bytes.len()).step_by(61) {
            for part in [&bytes[at..], &bytes[..at]] {
                let told = report(&mut &*part).tests.map_or(0, |tests| tests.total());
                assert!(told <= whole + 1, "{name} cut at {at}: {told} of {whole}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..2000), which in 0..OUTPUTS.len(), at in any::<prop::sample::Index>()) {
        report(&mut bytes.as_slice());
        let (_, fixture) = OUTPUTS[which].0;
        let mut mixed = fixture.to_vec();
        let at = at.index(mixed.len() + 1);
        mixed.splice(at..at, bytes.iter().copied());
        report(&mut mixed.as_slice());
        for runner in [&cargo_test::RUNNER, &go_test::RUNNER, &dotnet::RUNNER, &jest::RUNNER] {
            listing::read(&list(runner), &mut mixed.as_slice());
        }
    }
}

/// A report that is made while it is read.
struct Repeated {
    head: &'static [u8],
    part: &'static [u8],
    times: usize,
}

impl Read for Repeated {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        if self.head.is_empty() && self.times > 0 {
            self.times -= 1;
            self.head = self.part;
        }
        self.head.read(into)
    }
}

#[test]
fn huge_reports_are_streamed() {
    let rows: &[(&[u8], &[u8], usize, u64)] = &[
        (b"<testsuites>", b"<testcase name=\"a\"><system-out>................................................................</system-out></testcase>", 40_000, 40_000),
        (b"<testsuites><testcase name=\"a\"><system-out><![CDATA[", b"<not><a tag><x y=\"", 200_000, 1),
        (b"", b"test a ... ok\n", 200_000, 200_000),
        (b"{\"stats\":{},\"passes\":[{\"fullTitle\":\"a\"}", b",{\"fullTitle\":\"b\"}", 200_000, 200_001),
        (b"TAP version 13\n", b"ok 1 - a\n", 300_000, 300_000),
    ];
    for (head, part, times, expected) in rows {
        let source = Repeated { head, part, times: *times };
        let told = report(&mut BufReader::new(source)).tests.map_or(0, |tests| tests.total());
        assert_eq!(told, *expected, "{}", String::from_utf8_lossy(head));
    }
}
