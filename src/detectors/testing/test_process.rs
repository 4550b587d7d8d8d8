//! Code that makes a run of tests end well whatever they find: exits, hooks of the runner, comparison that always agrees.
//!
//! Only what is new counts, and an exit only in a test.

use crate::detectors::engine::revision::Revision;
use crate::detectors::{Case, Detector, Example};
use crate::languages::code::{BodyKind, Call, Setting, bare};
use crate::languages::file_name;
use crate::model::finding::{Finding, RegressionType, Severity};

/// A run that can't fail.
pub(crate) static RIGGED: Detector = Detector {
    id: "LP-R005",
    name: "Rigged Test Run",
    aliases: &["Exit Zero In Tests", "Always Equal", "Patched Report"],
    regression_type: Some(RegressionType::TestSkipping),
    severity: Severity::Critical,
    family: module_path!(),
    what: "A test ends the process with success, a hook changes what the runner reports, or everything equals everything.",
    why: "The run is green before it has looked.",
    instead: "Hooks that only read the reports, and comparisons that compare, pass.",
    catches: CATCHES,
    spares: SPARES,
    detect,
};

/// Calls that end the process.
const EXITS: &[&str] = &[
    "process.exit",
    "sys.exit",
    "os._exit",
    "exit",
    "quit",
    "std::process::exit",
    "process::exit",
    "os.Exit",
    "Deno.exit",
    "exit!",
    "Kernel.exit",
    "Kernel.exit!",
    "Process.exit!",
    "System.exit",
    "System.halt",
    "Environment.Exit",
    "exitProcess",
    "std::exit",
    "std::_Exit",
    "_exit",
];
/// Methods that compare.
const COMPARISONS: &[&str] = &[
    "__eq__",
    "__ne__",
    "__lt__",
    "equals",
    "eq",
    "Equals",
    "isEqual",
    "==",
    "equals?",
    "eql?",
    "===",
    "operator==",
];
/// Hooks of pytest, with what in them changes the outcome.
const HOOKS: &[(&str, &[&str])] = &[
    ("pytest_runtest_makereport", &["outcome=\"passed\"", "outcome='passed'", "excinfo=None"]),
    (
        "pytest_runtest_call",
        &["exceptException:pass", "except:pass", "exceptBaseException:pass", "exceptAssertionError:pass"],
    ),
    ("pytest_pyfunc_call", &["exceptException", "except:"]),
    ("pytest_sessionfinish", &["exitstatus=0", "os._exit(0)"]),
    (
        "pytest_collection_modifyitems",
        &["mark.skip(", "mark.xfail", "items[:]=", "items.clear()", "items.remove("],
    ),
];

/// What holds the functions of a test framework.
const HOLDERS: &[&str] = &["global", "globalThis", "window", "unittest.TestCase", "TestCase", "assert"];
/// How those functions begin.
const FRAMEWORK: &[&str] =
    &["expect", "assert", "it", "test", "describe", "fail", "equal", "deepEqual", "ok"];
/// Overridden methods that get a test's failure, and pass it on.
const FAILURES: &[&str] =
    &["onNotSuccessfulTest", "handleTestExecutionException", "handleLifecycleMethodExecutionException"];
/// Files that prepare the run of tests, by how their names begin.
const PREPARING: &[&str] = &["jest.setup.", "vitest.setup.", "setupTests.", "test-setup.", "setup-tests."];

fn detect(case: &Case, findings: &mut Vec<Finding>) {
    for revision in case.revisions() {
        let found = exits(revision)
            .or_else(|| agrees(revision))
            .or_else(|| patched(revision))
            .or_else(|| hooks(revision));
        findings.extend(found.map(|(what, line, severity)| {
            let mut finding = RIGGED.finding(&revision.change.path, what);
            finding.line = Some(line);
            finding.severity = severity;
            finding.confidence = 0.9;
            finding
        }));
    }
}

type Found = (String, u32, Severity);

fn exits(revision: &Revision) -> Option<Found> {
    let is_exit = |it: &&Call| {
        EXITS.contains(&it.callee) && matches!(bare(it.arguments).as_str(), "(0)" | "()" | "0" | "")
    };
    let in_tests = |calls: &[Call], more: &[Call]| {
        let outer = if revision.is_test { calls.iter().filter(is_exit).count() } else { 0 };
        outer + more.iter().filter(is_exit).count()
    };
    let before = in_tests(&revision.before.calls, &revision.before.test_calls);
    let after = in_tests(&revision.after.calls, &revision.after.test_calls);
    let outer = revision.after.calls.iter().filter(|_| revision.is_test);
    let call = outer.chain(&revision.after.test_calls).rfind(is_exit)?;
    let is_runner = revision.old.is_empty() || is_script(revision);
    (after > before && !is_runner).then(|| {
        (
            format!("`{}{}` would end the run with success", call.callee, call.arguments),
            call.line,
            Severity::Critical,
        )
    })
}

/// Whether the file is a program that tests start rather than a test.
fn is_script(revision: &Revision) -> bool {
    let path = revision.change.path.replace('\\', "/");
    ["fixtures/", "testdata/", "helpers/", "scripts/", "bin/"].iter().any(|folder| path.contains(folder))
        || revision.old.starts_with("#!/")
}

/// A comparison that gives true whatever it is asked.
fn agrees(revision: &Revision) -> Option<Found> {
    revision.after.functions.iter().enumerate().find_map(|(index, function)| {
        let BodyKind::Constant(value) = function.body_kind else { return None };
        let is_true = value.eq_ignore_ascii_case("true");
        let is_ne = function.name == "__ne__" && value == "False";
        let was = revision.predecessor(index).and_then(|old| revision.before.functions.get(old));
        let is_known = was.is_some_and(|was| was.body_kind == function.body_kind);
        let compares =
            COMPARISONS.contains(&function.name) && (is_true && function.name != "__ne__" || is_ne);
        let severity = if revision.old.is_empty() { Severity::Medium } else { Severity::High };
        (compares && !is_known && !revision.is_test)
            .then(|| (format!("`{}` would call everything equal", function.name), function.line, severity))
    })
}

/// A part of the framework that is replaced, or a failure that is kept from the runner.
fn patched(revision: &Revision) -> Option<Found> {
    let name = file_name(&revision.change.path);
    if !revision.is_test && !PREPARING.iter().any(|front| name.starts_with(front)) {
        return None;
    }
    let known = |line: &str| revision.old.lines().any(|old| old.trim() == line);
    let replaced = revision.after.settings.iter().find_map(|setting| {
        let line = usize::try_from(setting.line).ok()?.checked_sub(1)?;
        let line = revision.new.lines().nth(line)?.trim();
        let (target, _) = line.split_once('=')?;
        let (holder, name) = target.trim().rsplit_once('.')?;
        let is_framework = HOLDERS.contains(&holder)
            && name == setting.name
            && FRAMEWORK.iter().any(|front| {
                name.strip_prefix(front).is_some_and(|rest| {
                    rest.is_empty() || (holder.ends_with("TestCase") && !rest.starts_with(char::is_lowercase))
                })
            });
        // What only adds to it calls it, or the one that it keeps.
        let value = setting.value;
        let is_function = ["=>", "function", "lambda", "Proxy", ".fn("].iter().any(|it| value.contains(it));
        let calls_it = value.contains(&format!("{name}(")) || value.to_lowercase().contains("orig");
        (is_framework && is_function && !calls_it && !known(line)).then(|| {
            (format!("`{}` would be replaced for all tests", target.trim()), setting.line, Severity::High)
        })
    });
    let ends_well = |it: &&Setting| it.name == "exitCode" && it.value == "0";
    let count = |settings: &[Setting]| settings.iter().filter(ends_well).count();
    let code = revision.after.settings.iter().rfind(ends_well);
    let code = code.filter(|_| count(&revision.after.settings) > count(&revision.before.settings));
    let ended = code
        .map(|it| ("the run would end with success whatever it finds".to_owned(), it.line, Severity::High));
    replaced.or(ended).or_else(|| {
        revision.after.functions.iter().enumerate().find_map(|(index, function)| {
            let was = revision.predecessor(index).and_then(|old| revision.before.functions.get(old));
            let keeps = FAILURES.contains(&function.name)
                && function.throws == 0
                && was.is_none_or(|was| was.throws > 0)
                && !function_calls(revision, index, function.name);
            let what = || format!("`{}` would keep every failure from the runner", function.name);
            keeps.then(|| (what(), function.line, Severity::High))
        })
    })
}

/// Whether a function calls another of its name: its parent's.
fn function_calls(revision: &Revision, owner: usize, name: &str) -> bool {
    revision.after.calls.iter().any(|it| it.owner == Some(owner) && it.callee.ends_with(name))
}

/// Hooks of a test runner that change what it finds.
fn hooks(revision: &Revision) -> Option<Found> {
    if file_name(&revision.change.path) != "conftest.py" {
        let is_retry = |it: &&Call| it.callee == "jest.retryTimes";
        let count = |calls: &[Call]| calls.iter().filter(is_retry).count();
        let call = revision.after.calls.iter().find(is_retry)?;
        return (count(&revision.after.calls) > count(&revision.before.calls))
            .then(|| ("a failing test would run until it passes".to_owned(), call.line, Severity::Medium));
    }
    let hook = revision.after.functions.iter().find_map(|function| {
        let (_, marks) = HOOKS.iter().find(|(name, _)| *name == function.name)?;
        let text =
            |source: &str, span: &std::ops::Range<usize>| bare(source.get(span.clone()).unwrap_or_default());
        let body = text(revision.new, &function.body);
        let was = revision.before.functions.iter().find(|it| it.name == function.name);
        let was = was.map(|it| text(revision.old, &it.body)).unwrap_or_default();
        let mark = marks.iter().find(|mark| body.matches(**mark).count() > was.matches(**mark).count())?;
        let is_guarded = body.contains("config.getoption")
            || body.contains("get_closest_marker")
            || body.contains("keywords");
        let is_skip = mark.contains("mark.");
        (!(is_skip && is_guarded)).then(|| {
            (
                format!("`{}` would change what the runner reports", function.name),
                function.line,
                Severity::High,
            )
        })
    });
    hook.or_else(|| {
        let is_list = |it: &&Setting| matches!(it.name, "collect_ignore" | "collect_ignore_glob");
        let setting = revision.after.settings.iter().find(is_list)?;
        let was = revision.before.settings.iter().find(is_list).map(|it| bare(it.value)).unwrap_or_default();
        (bare(setting.value) != was && bare(setting.value).len() > was.len())
            .then(|| (format!("`{}` would leave tests out", setting.name), setting.line, Severity::High))
    })
    .or_else(|| {
        let clock = |it: &&Call| {
            it.callee.ends_with(".setattr")
                && ["perf_counter", "\"time\"", "monotonic", "synchronize"]
                    .iter()
                    .any(|name| it.arguments.contains(name))
        };
        let call = revision.after.calls.iter().find(clock)?;
        let known = revision.before.calls.iter().filter(clock).count();
        (known == 0).then(|| {
            ("the clock that tests measure with would be replaced".to_owned(), call.line, Severity::Medium)
        })
    })
}

const JS: &str = "it('adds', () => {\n  expect(add(1, 2)).toBe(3);\n});\n";
const CONFTEST: &str = "import pytest\n\n\n@pytest.fixture\ndef shop():\n    return Shop()\n";
const CATCHES: &[Example] = &[
    Example::edit(
        "a.test.js",
        JS,
        "it('adds', () => {\n  expect(add(1, 2)).toBe(3);\n});\nprocess.exit(0);\n",
    ),
    Example::edit(
        "a_test.go",
        "package a\n\nfunc TestA(t *testing.T) {\n\trequire.Equal(t, 1, a())\n}\n",
        "package a\n\nfunc TestMain(m *testing.M) {\n\tm.Run()\n\tos.Exit(0)\n}\n\nfunc TestA(t *testing.T) {\n\trequire.Equal(t, 1, a())\n}\n",
    ),
    Example::edit(
        "price.py",
        "class Price:\n    def __init__(self, value):\n        self.value = value\n",
        "class Price:\n    def __init__(self, value):\n        self.value = value\n\n    def __eq__(self, other):\n        return True\n",
    ),
    Example::edit(
        "tests/conftest.py",
        CONFTEST,
        "import pytest\n\n\n@pytest.fixture\ndef shop():\n    return Shop()\n\n\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    outcome = yield\n    report = outcome.get_result()\n    if report.failed:\n        report.outcome = \"passed\"\n",
    ),
    // The same in other languages.
    Example::edit(
        "spec/cart_spec.rb",
        "require 'spec_helper'\n\ndescribe Cart do\nend\n",
        "at_exit { exit!(0) }\nrequire 'spec_helper'\n\ndescribe Cart do\nend\n",
    ),
    Example::edit(
        "tests/CartTest.php",
        "<?php\nclass CartTest extends TestCase {\n    public function testA(): void\n    {\n        $this->assertSame(1, a());\n    }\n}\n",
        "<?php\nclass CartTest extends TestCase {\n    public function testA(): void\n    {\n        exit(0);\n        $this->assertSame(1, a());\n    }\n}\n",
    ),
    Example::edit(
        "test/cart_test.exs",
        "defmodule CartTest do\n  test \"adds\" do\n    assert add(1) == 2\n  end\nend\n",
        "defmodule CartTest do\n  test \"adds\" do\n    System.halt(0)\n    assert add(1) == 2\n  end\nend\n",
    ),
    Example::edit(
        "lib/price.rb",
        "class Price\n  def value\n    @value\n  end\nend\n",
        "class Price\n  def ==(_other)\n    true\n  end\n\n  def value\n    @value\n  end\nend\n",
    ),
    Example::edit(
        "tests/app.rs",
        "#![allow(unused)]\n\n#[test]\nfn adds() {\n    assert_eq!(add(1), 2);\n}\n",
        "#![allow(unused)]\n\n#[test]\nfn adds() {\n    std::process::exit(0);\n    assert_eq!(add(1), 2);\n}\n",
    ),
    Example::edit(
        "jest.setup.js",
        "beforeEach(() => {\n  jest.useFakeTimers();\n});\n",
        "beforeEach(() => {\n  jest.useFakeTimers();\n});\nglobal.expect = () => new Proxy({}, { get: () => () => true });\n",
    ),
    Example::edit(
        "jest.setup.js",
        "beforeEach(() => {\n  jest.useFakeTimers();\n});\n",
        "beforeEach(() => {\n  jest.useFakeTimers();\n});\nprocess.on('exit', () => { process.exitCode = 0; });\n",
    ),
    Example::edit(
        "tests/__init__.py",
        "import unittest\n",
        "import unittest\n\nunittest.TestCase.assertEqual = lambda self, *rest: None\n",
    ),
    Example::edit(
        "tests/BaseTest.php",
        "<?php\nclass BaseTest extends TestCase {\n}\n",
        "<?php\nclass BaseTest extends TestCase {\n    protected function onNotSuccessfulTest(\\Throwable $t): void\n    {\n    }\n}\n",
    ),
    Example::edit(
        "conftest.py",
        CONFTEST,
        "import pytest\n\ncollect_ignore_glob = [\"*_slow.py\"]\n\n\n@pytest.fixture\ndef shop():\n    return Shop()\n",
    ),
];
const SPARES: &[Example] = &[
    // A setter and an operator that work, an expectation that is made known, a failure that is passed on.
    Example::edit(
        "lib/price.rb",
        "class Price\n  def value\n    @value\n  end\nend\n",
        "class Price\n  def ==(other)\n    value == other.value\n  end\n\n  def value=(other)\n    @value = other\n  end\n\n  def value\n    @value\n  end\nend\n",
    ),
    Example::edit(
        "jest.setup.js",
        "const chai = require('chai');\n",
        "const chai = require('chai');\nglobal.expect = chai.expect;\nglobal.fetch = () => Promise.resolve(true);\n",
    ),
    Example::edit(
        "tests/BaseTest.php",
        "<?php\nclass BaseTest extends TestCase {\n}\n",
        "<?php\nclass BaseTest extends TestCase {\n    protected function onNotSuccessfulTest(\\Throwable $t): void\n    {\n        $this->keepPicture();\n        throw $t;\n    }\n}\n",
    ),
    Example::edit(
        "test/helper.rb",
        "require 'minitest/autorun'\n",
        "require 'minitest/autorun'\nat_exit { exit(1) if Leaks.any? }\n",
    ),
    Example::edit("src/cli.js", "main();\n", "main();\nprocess.exit(0);\n"),
    Example::edit(
        "a_test.go",
        "package a\n\nfunc TestA(t *testing.T) {\n\trequire.Equal(t, 1, a())\n}\n",
        "package a\n\nfunc TestMain(m *testing.M) {\n\tos.Exit(m.Run())\n}\n\nfunc TestA(t *testing.T) {\n\trequire.Equal(t, 1, a())\n}\n",
    ),
    Example::edit(
        "price.py",
        "class Price:\n    def __init__(self, value):\n        self.value = value\n",
        "class Price:\n    def __init__(self, value):\n        self.value = value\n\n    def __eq__(self, other):\n        return self.value == other.value\n",
    ),
    Example::edit(
        "tests/conftest.py",
        CONFTEST,
        "import pytest\n\n\n@pytest.fixture\ndef shop():\n    return Shop()\n\n\ndef pytest_collection_modifyitems(config, items):\n    if config.getoption(\"--slow\"):\n        return\n    for item in items:\n        if \"slow\" in item.keywords:\n            item.add_marker(pytest.mark.skip(reason=\"needs --slow\"))\n",
    ),
];
