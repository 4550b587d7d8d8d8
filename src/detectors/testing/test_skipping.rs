//! Tests that are there and no longer run: skip marks, focus marks, bodies that end before their first assertion.
//!
//! Only a mark that is new on a test which ran before counts. A mark on a new test, and a mark that holds on some
//! platforms only, is nobody's regression.

use crate::detectors::{Case, Comparison, Detector, Example, names, of_all};
use crate::languages::{Skip, Test, When};
use crate::model::finding::{Finding, RegressionType, Severity};

/// A whole suite skipped, or others focused out.
pub(crate) static SUITE_DISABLED: Detector = Detector {
    id: "LP-002",
    name: "Test Suite Disabling",
    aliases: &["Suite Skip", "Focused Tests"],
    regression_type: Some(RegressionType::TestSkipping),
    severity: Severity::Critical,
    family: module_path!(),
    what: "A mark on a suite, a module or a single focused test keeps a whole group of tests from running.",
    why: "A run that leaves its tests out is green whatever the code does.",
    instead: "Without the mark the tests run again; a mark on tests that are new in the same edit passes.",
    catches: SUITES_CAUGHT,
    spares: SUITES_SPARED,
    detect: suites,
};

/// Single tests skipped.
pub(crate) static TESTS_DISABLED: Detector = Detector {
    id: "LP-003",
    name: "Multiple Individual Test Disabling",
    aliases: &["LP-T002", "Skip/Ignore", "Test Skipping"],
    regression_type: Some(RegressionType::TestSkipping),
    severity: Severity::High,
    family: module_path!(),
    what: "Tests that ran before carry a skip mark, or end before their first assertion.",
    why: "A skipped test looks kept and proves nothing.",
    instead: "Without the mark the test runs again; a mark on a test that is new in the same edit passes.",
    catches: TESTS_CAUGHT,
    spares: TESTS_SPARED,
    detect: single_tests,
};

fn suites(case: &Case, findings: &mut Vec<Finding>) {
    for comparison in case.comparisons() {
        if let Some(finding) = focused(comparison) {
            findings.push(finding);
        }
        let skipped: Vec<_> = newly_skipped(comparison).into_iter().filter(|(_, skip)| skip.suite).collect();
        if let Some(mut finding) = skipping(&SUITE_DISABLED, comparison, &skipped) {
            let is_all = finding.lost.len() >= comparison.before.count();
            if !is_all {
                finding.severity = finding.severity.min(Severity::High);
            }
            findings.push(finding);
        }
    }
}

fn single_tests(case: &Case, findings: &mut Vec<Finding>) {
    for comparison in case.comparisons() {
        let skipped: Vec<_> = newly_skipped(comparison).into_iter().filter(|(_, skip)| !skip.suite).collect();
        findings.extend(skipping(&TESTS_DISABLED, comparison, &skipped));
        findings.extend(inverted(comparison));
    }
}

/// The tests that ran before and carry a mark now.
fn newly_skipped<'c>(comparison: &'c Comparison) -> Vec<(&'c Test, &'c Skip)> {
    let ran = |skip: &Option<Skip>| skip.as_ref().is_none_or(|skip| !skip.when.stops());
    let pairs = comparison.kept().filter(|(before, _)| ran(&before.skipped));
    let marked = pairs.filter_map(|(before, after)| Some((before, after.skipped.as_ref()?)));
    marked.filter(|(before, skip)| before.skipped.as_ref() != Some(*skip)).collect()
}

/// A sound test that is now expected to fail: the mark is new and the body is the same.
fn inverted<'c>(comparison: &'c Comparison) -> Option<Finding> {
    let texts = |test: &'c Test| test.assertions.iter().map(|assertion| &assertion.text);
    let marked = comparison.kept().filter(|(before, after)| {
        before.inverted.is_none() && after.inverted.is_some() && texts(before).eq(texts(after))
    });
    let marked: Vec<(&Test, &Test)> = marked.collect();
    let (first, after) = marked.first()?;
    let lost = names(&marked.iter().map(|(before, _)| *before).collect::<Vec<_>>());
    let part = of_all(lost.len(), comparison.before.count().max(lost.len()));
    let mark = after.inverted.as_deref().unwrap_or_default();
    let what = format!("{part} would pass only by failing, with `{mark}` on an unchanged body");
    Some(Finding { line: Some(first.line), lost, ..TESTS_DISABLED.finding(&comparison.change.path, what) })
}

/// One finding for all of a file's new marks; those that hold only sometimes are left out beside worse ones.
fn skipping(detector: &Detector, comparison: &Comparison, skipped: &[(&Test, &Skip)]) -> Option<Finding> {
    let worst = skipped.iter().map(|(_, skip)| skip.when).min()?;
    let meant: Vec<_> = skipped
        .iter()
        .filter(|(_, skip)| skip.when == worst || (skip.when.stops() && worst.stops()))
        .collect();
    let (first, skip) = meant.first()?;
    let tests: Vec<&Test> = meant.iter().map(|(test, _)| *test).collect();
    let lost = names(&tests);
    let part = of_all(lost.len(), comparison.before.count().max(lost.len()));
    let condition = match skip.when {
        When::Always => "",
        When::InCi => " on a CI server",
        When::ByDefault => " unless asked for",
        When::Sometimes => " under a condition",
    };
    let mut finding = detector
        .finding(&comparison.change.path, format!("{part} would be skipped{condition} by `{}`", skip.mark));
    finding.severity = match worst {
        When::Always | When::InCi => detector.severity,
        When::ByDefault => Severity::High,
        When::Sometimes => Severity::Low,
    };
    finding.line = Some(first.line);
    finding.lost = lost;
    Some(finding)
}

/// A focus mark where there was none: the tests without it don't run.
fn focused(comparison: &Comparison) -> Option<Finding> {
    if comparison.before.tests.iter().any(|test| test.focused.is_some()) {
        return None;
    }
    let mark = comparison.after.tests.iter().find_map(|test| test.focused.as_ref())?;
    let out: Vec<&Test> = comparison
        .kept()
        .filter(|(_, after)| after.focused.is_none() && !after.suite)
        .map(|(test, _)| test)
        .collect();
    let lost = names(&out);
    let what = match lost.len() {
        0 => format!("`{mark}` would keep tests of other files from running"),
        count => {
            format!("{} would not run beside `{mark}`", of_all(count, comparison.before.count().max(count)))
        }
    };
    let mut finding = SUITE_DISABLED.finding(&comparison.change.path, what);
    if lost.is_empty() {
        finding.severity = Severity::High;
    }
    finding.line = out.first().map(|test| test.line);
    finding.lost = lost;
    Some(finding)
}

const JS: &str = "describe('cart', () => {\n  it('adds', () => {\n    expect(add(1, 2)).toBe(3);\n  });\n  it('drops', () => {\n    expect(drop(9)).toBe(8);\n  });\n});\n";
const PY: &str = "import pytest\n\ndef test_total():\n    assert total([3, 4]) == 7\n\ndef test_tax():\n    assert tax(100) == 19\n";
const PY_CLASS: &str = "import unittest\n\nclass CartTest(unittest.TestCase):\n    def test_total(self):\n        self.assertEqual(total([3, 4]), 7)\n";
const RS: &str =
    "#[cfg(test)]\nmod tests {\n    #[test]\n    fn sums() {\n        assert_eq!(add(1, 2), 3);\n    }\n}\n";
const GO: &str =
    "package shop\n\nfunc TestTax(t *testing.T) {\n\tif Tax(100) != 19 {\n\t\tt.Fatal(\"tax\")\n\t}\n}\n";

const SUITES_CAUGHT: &[Example] = &[
    Example::edit(
        "a.test.js",
        JS,
        "describe.skip('cart', () => {\n  it('adds', () => {\n    expect(add(1, 2)).toBe(3);\n  });\n  it('drops', () => {\n    expect(drop(9)).toBe(8);\n  });\n});\n",
    ),
    Example::edit(
        "a.test.ts",
        JS,
        "xdescribe('cart', () => {\n  it('adds', () => {\n    expect(add(1, 2)).toBe(3);\n  });\n  it('drops', () => {\n    expect(drop(9)).toBe(8);\n  });\n});\n",
    ),
    Example::edit(
        "a.test.js",
        JS,
        "describe('cart', () => {\n  it.only('adds', () => {\n    expect(add(1, 2)).toBe(3);\n  });\n  it('drops', () => {\n    expect(drop(9)).toBe(8);\n  });\n});\n",
    ),
    Example::edit(
        "a.test.js",
        JS,
        "describe('cart', () => {\n  fit('adds', () => {\n    expect(add(1, 2)).toBe(3);\n  });\n  it('drops', () => {\n    expect(drop(9)).toBe(8);\n  });\n});\n",
    ),
    Example::edit(
        "a.test.js",
        JS,
        "describe('cart', () => {\n  beforeEach(function () { this.skip(); });\n  it('adds', () => {\n    expect(add(1, 2)).toBe(3);\n  });\n  it('drops', () => {\n    expect(drop(9)).toBe(8);\n  });\n});\n",
    ),
    Example::edit(
        "a.spec.ts",
        "test.describe('cart', () => {\n  test('adds', async ({ page }) => {\n    await expect(page).toHaveTitle('x');\n  });\n});\n",
        "test.describe.skip('cart', () => {\n  test('adds', async ({ page }) => {\n    await expect(page).toHaveTitle('x');\n  });\n});\n",
    ),
    Example::edit(
        "a.test.js",
        JS,
        "describe.skipIf(process.env.CI)('cart', () => {\n  it('adds', () => {\n    expect(add(1, 2)).toBe(3);\n  });\n  it('drops', () => {\n    expect(drop(9)).toBe(8);\n  });\n});\n",
    ),
    Example::edit(
        "test_a.py",
        PY,
        "import pytest\n\npytestmark = pytest.mark.skip(reason='broken')\n\ndef test_total():\n    assert total([3, 4]) == 7\n\ndef test_tax():\n    assert tax(100) == 19\n",
    ),
    Example::edit(
        "test_a.py",
        PY,
        "import pytest\n\npytest.skip('broken', allow_module_level=True)\n\ndef test_total():\n    assert total([3, 4]) == 7\n\ndef test_tax():\n    assert tax(100) == 19\n",
    ),
    Example::edit(
        "test_a.py",
        PY_CLASS,
        "import unittest\n\n@unittest.skip('later')\nclass CartTest(unittest.TestCase):\n    def test_total(self):\n        self.assertEqual(total([3, 4]), 7)\n",
    ),
    Example::edit(
        "test_a.py",
        PY_CLASS,
        "import unittest\n\nclass CartTest(unittest.TestCase):\n    __test__ = False\n\n    def test_total(self):\n        self.assertEqual(total([3, 4]), 7)\n",
    ),
    Example::edit(
        "test_a.py",
        PY_CLASS,
        "import unittest\n\nclass CartTest(unittest.TestCase):\n    def setUp(self):\n        self.skipTest('later')\n\n    def test_total(self):\n        self.assertEqual(total([3, 4]), 7)\n",
    ),
    Example::edit(
        "src/a.rs",
        RS,
        "#[cfg(any())]\nmod tests {\n    #[test]\n    fn sums() {\n        assert_eq!(add(1, 2), 3);\n    }\n}\n",
    ),
    Example::edit(
        "a_test.go",
        GO,
        "//go:build ignore\n\npackage shop\n\nfunc TestTax(t *testing.T) {\n\tif Tax(100) != 19 {\n\t\tt.Fatal(\"tax\")\n\t}\n}\n",
    ),
    Example::edit(
        "a_test.go",
        "package shop\n\nvar _ = Describe(\"cart\", func() {\n\tIt(\"adds\", func() {\n\t\tExpect(Add(1, 2)).To(Equal(3))\n\t})\n})\n",
        "package shop\n\nvar _ = PDescribe(\"cart\", func() {\n\tIt(\"adds\", func() {\n\t\tExpect(Add(1, 2)).To(Equal(3))\n\t})\n})\n",
    ),
    Example::edit(
        "a.test.js",
        "describe('cart', () => {\n  it('adds', () => {\n    expect(add(1, 2)).toBe(3);\n  });\n  it('drops', () => {\n    expect(drop(9)).toBe(8);\n  });\n});\n",
        "describe('cart', { skip: true }, () => {\n  it('adds', () => {\n    expect(add(1, 2)).toBe(3);\n  });\n  it('drops', () => {\n    expect(drop(9)).toBe(8);\n  });\n});\n",
    ),
    Example::edit(
        "a.test.js",
        "describe('cart', () => {\n  it('adds', () => {\n    expect(add(1, 2)).toBe(3);\n  });\n  it('drops', () => {\n    expect(drop(9)).toBe(8);\n  });\n});\n",
        "describe('cart', () => {\n  it('adds', { only: true }, () => {\n    expect(add(1, 2)).toBe(3);\n  });\n  it('drops', () => {\n    expect(drop(9)).toBe(8);\n  });\n});\n",
    ),
    Example::edit(
        "src/a.rs",
        "#[cfg(test)]\nmod tests {\n    #[test]\n    fn sums() {\n        assert_eq!(add(1, 2), 3);\n    }\n}\n",
        "#[cfg(all(test, feature = \"slow-tests\"))]\nmod tests {\n    #[test]\n    fn sums() {\n        assert_eq!(add(1, 2), 3);\n    }\n}\n",
    ),
    Example::edit(
        "tests/a.rs",
        "#[test]\nfn sums() {\n    assert_eq!(add(1, 2), 3);\n}\n",
        "#![cfg(any())]\n#[test]\nfn sums() {\n    assert_eq!(add(1, 2), 3);\n}\n",
    ),
    Example::edit(
        "a_test.go",
        "package shop\n\nfunc TestTotal(t *testing.T) {\n\tif Total(3, 4) != 7 {\n\t\tt.Fatal(\"total\")\n\t}\n}\n",
        "//go:build integration\n\npackage shop\n\nfunc TestTotal(t *testing.T) {\n\tif Total(3, 4) != 7 {\n\t\tt.Fatal(\"total\")\n\t}\n}\n",
    ),
];

const SUITES_SPARED: &[Example] = &[
    Example::edit(
        "a.test.js",
        JS,
        "describe.skipIf(process.platform === 'win32')('cart', () => {\n  it('adds', () => {\n    expect(add(1, 2)).toBe(3);\n  });\n  it('drops', () => {\n    expect(drop(9)).toBe(8);\n  });\n});\n",
    ),
    Example::edit(
        "test_a.py",
        PY,
        "import sys\nimport pytest\n\npytestmark = pytest.mark.skipif(sys.platform == 'win32', reason='needs fork')\n\ndef test_total():\n    assert total([3, 4]) == 7\n\ndef test_tax():\n    assert tax(100) == 19\n",
    ),
    Example::edit(
        "src/schema.ts",
        "export const pick = schema.pick(['a']);\n",
        "export const pick = schema.only('a', 'b');\n",
    ),
    Example::edit(
        "a.test.js",
        "describe.skip('cart', () => {\n  it('adds', () => {\n    expect(add(1, 2)).toBe(3);\n  });\n});\n",
        "describe('cart', () => {\n  it('adds', () => {\n    expect(add(1, 2)).toBe(3);\n  });\n});\n",
    ),
    Example {
        path: "b.test.js",
        before: None,
        after: Some("describe.skip('later', () => { it('x', () => { expect(f(1)).toBe(2); }); });\n"),
        elsewhere: None,
    },
];

const TESTS_CAUGHT: &[Example] = &[
    Example::edit(
        "a.test.js",
        JS,
        "describe('cart', () => {\n  it.skip('adds', () => {\n    expect(add(1, 2)).toBe(3);\n  });\n  it('drops', () => {\n    expect(drop(9)).toBe(8);\n  });\n});\n",
    ),
    Example::edit(
        "a.test.js",
        JS,
        "describe('cart', () => {\n  xit('adds', () => {\n    expect(add(1, 2)).toBe(3);\n  });\n  xit('drops', () => {\n    expect(drop(9)).toBe(8);\n  });\n});\n",
    ),
    Example::edit(
        "a.test.js",
        JS,
        "describe('cart', () => {\n  it('adds', { skip: true }, () => {\n    expect(add(1, 2)).toBe(3);\n  });\n  it('drops', () => {\n    expect(drop(9)).toBe(8);\n  });\n});\n",
    ),
    Example::edit(
        "a.test.js",
        JS,
        "describe('cart', () => {\n  it.todo('adds');\n  it('drops', () => {\n    expect(drop(9)).toBe(8);\n  });\n});\n",
    ),
    Example::edit(
        "a.test.js",
        JS,
        "describe('cart', () => {\n  it.skipIf(true)('adds', () => {\n    expect(add(1, 2)).toBe(3);\n  });\n  it('drops', () => {\n    expect(drop(9)).toBe(8);\n  });\n});\n",
    ),
    Example::edit(
        "a.test.js",
        JS,
        "describe('cart', () => {\n  it('adds', function () {\n    this.skip();\n    expect(add(1, 2)).toBe(3);\n  });\n  it('drops', () => {\n    expect(drop(9)).toBe(8);\n  });\n});\n",
    ),
    Example::edit(
        "a.test.js",
        JS,
        "const later = it.skip;\ndescribe('cart', () => {\n  later('adds', () => {\n    expect(add(1, 2)).toBe(3);\n  });\n  it('drops', () => {\n    expect(drop(9)).toBe(8);\n  });\n});\n",
    ),
    Example::edit(
        "a.test.js",
        JS,
        "describe('cart', () => {\n  it('adds', () => {\n    return;\n    expect(add(1, 2)).toBe(3);\n  });\n  it('drops', () => {\n    expect(drop(9)).toBe(8);\n  });\n});\n",
    ),
    Example::edit(
        "a.test.js",
        JS,
        "describe('cart', () => {\n  it('adds', () => {\n    if (process.env.CI) return;\n    expect(add(1, 2)).toBe(3);\n  });\n  it('drops', () => {\n    expect(drop(9)).toBe(8);\n  });\n});\n",
    ),
    Example::edit(
        "a.test.js",
        "test('adds', (t) => {\n  t.is(add(1, 2), 3);\n});\n",
        "test('adds', (t) => {\n  t.skip();\n  t.is(add(1, 2), 3);\n});\n",
    ),
    Example::edit(
        "a.spec.ts",
        "test('adds', async ({ page }) => {\n  await expect(page).toHaveTitle('x');\n});\n",
        "test.fixme('adds', async ({ page }) => {\n  await expect(page).toHaveTitle('x');\n});\n",
    ),
    Example::edit(
        "a.test.js",
        "it.each([[1, 2]])('adds %i', (a, b) => {\n  expect(add(a)).toBe(b);\n});\n",
        "it.each([])('adds %i', (a, b) => {\n  expect(add(a)).toBe(b);\n});\n",
    ),
    Example::edit(
        "test_a.py",
        PY,
        "import pytest\n\n@pytest.mark.skip(reason='flaky')\ndef test_total():\n    assert total([3, 4]) == 7\n\ndef test_tax():\n    assert tax(100) == 19\n",
    ),
    Example::edit(
        "test_a.py",
        PY,
        "import pytest\n\n@pytest.mark.skipif(True, reason='flaky')\ndef test_total():\n    assert total([3, 4]) == 7\n\ndef test_tax():\n    assert tax(100) == 19\n",
    ),
    Example::edit(
        "test_a.py",
        PY,
        "import pytest\n\n@pytest.mark.xfail\ndef test_total():\n    assert total([3, 4]) == 7\n\ndef test_tax():\n    assert tax(100) == 19\n",
    ),
    Example::edit(
        "test_a.py",
        PY,
        "import pytest\n\ndef test_total():\n    pytest.skip('later')\n    assert total([3, 4]) == 7\n\ndef test_tax():\n    assert tax(100) == 19\n",
    ),
    Example::edit(
        "test_a.py",
        PY,
        "import os\nimport pytest\n\ndef test_total():\n    if os.environ.get('CI'):\n        pytest.skip('later')\n    assert total([3, 4]) == 7\n\ndef test_tax():\n    assert tax(100) == 19\n",
    ),
    Example::edit(
        "test_a.py",
        PY,
        "import pytest\n\nlater = pytest.mark.skip(reason='later')\n\n@later\ndef test_total():\n    assert total([3, 4]) == 7\n\ndef test_tax():\n    assert tax(100) == 19\n",
    ),
    Example::edit(
        "test_a.py",
        PY_CLASS,
        "import unittest\n\nclass CartTest(unittest.TestCase):\n    @unittest.expectedFailure\n    def test_total(self):\n        self.assertEqual(total([3, 4]), 7)\n",
    ),
    Example::edit(
        "test_a.py",
        PY_CLASS,
        "import unittest\n\nclass CartTest(unittest.TestCase):\n    def test_total(self):\n        raise unittest.SkipTest('later')\n        self.assertEqual(total([3, 4]), 7)\n",
    ),
    Example::edit(
        "src/a.rs",
        RS,
        "#[cfg(test)]\nmod tests {\n    #[test]\n    #[ignore]\n    fn sums() {\n        assert_eq!(add(1, 2), 3);\n    }\n}\n",
    ),
    Example::edit(
        "src/a.rs",
        RS,
        "#[cfg(test)]\nmod tests {\n    #[test]\n    #[cfg_attr(all(), ignore)]\n    fn sums() {\n        assert_eq!(add(1, 2), 3);\n    }\n}\n",
    ),
    Example::edit(
        "src/a.rs",
        RS,
        "#[cfg(test)]\nmod tests {\n    #[test]\n    #[ignore = \"slow\"]\n    fn sums() {\n        assert_eq!(add(1, 2), 3);\n    }\n}\n",
    ),
    Example::edit(
        "src/a.rs",
        RS,
        "#[cfg(test)]\nmod tests {\n    #[test]\n    fn sums() {\n        return;\n        assert_eq!(add(1, 2), 3);\n    }\n}\n",
    ),
    Example::edit(
        "a_test.go",
        GO,
        "package shop\n\nfunc TestTax(t *testing.T) {\n\tt.Skip(\"later\")\n\tif Tax(100) != 19 {\n\t\tt.Fatal(\"tax\")\n\t}\n}\n",
    ),
    Example::edit(
        "a_test.go",
        GO,
        "package shop\n\nfunc TestTax(t *testing.T) {\n\tif os.Getenv(\"CI\") != \"\" {\n\t\tt.Skip(\"later\")\n\t}\n\tif Tax(100) != 19 {\n\t\tt.Fatal(\"tax\")\n\t}\n}\n",
    ),
    Example::edit(
        "a.test.js",
        "describe('cart', () => {\n  it('adds', () => {\n    expect(add(1, 2)).toBe(3);\n  });\n  it('drops', () => {\n    expect(drop(9)).toBe(8);\n  });\n});\n",
        "describe('cart', () => {\n  it.runIf(false)('adds', () => {\n    expect(add(1, 2)).toBe(3);\n  });\n  it('drops', () => {\n    expect(drop(9)).toBe(8);\n  });\n});\n",
    ),
    Example::edit(
        "a.test.js",
        "describe('cart', () => {\n  it('adds', () => {\n    expect(add(1, 2)).toBe(3);\n  });\n  it('drops', () => {\n    expect(drop(9)).toBe(8);\n  });\n});\n",
        "const { skip } = it;\ndescribe('cart', () => {\n  skip('adds', () => {\n    expect(add(1, 2)).toBe(3);\n  });\n  it('drops', () => {\n    expect(drop(9)).toBe(8);\n  });\n});\n",
    ),
    Example::edit(
        "a.test.js",
        "describe('cart', () => {\n  it('adds', () => {\n    expect(add(1, 2)).toBe(3);\n  });\n  it('drops', () => {\n    expect(drop(9)).toBe(8);\n  });\n});\n",
        "describe('cart', () => {\n  it.fails('adds', () => {\n    expect(add(1, 2)).toBe(3);\n  });\n  it('drops', () => {\n    expect(drop(9)).toBe(8);\n  });\n});\n",
    ),
    Example::edit(
        "a_test.go",
        "package shop\n\nfunc TestTotal(t *testing.T) {\n\tif Total(3, 4) != 7 {\n\t\tt.Fatal(\"total\")\n\t}\n}\n",
        "package shop\n\nfunc TestTotal(t *testing.T) {\n\tt.SkipNow()\n\tif Total(3, 4) != 7 {\n\t\tt.Fatal(\"total\")\n\t}\n}\n",
    ),
    Example::edit(
        "a_test.go",
        "package shop\nfunc TestTax(t *testing.T) {\n\tt.Run(\"food\", func(t *testing.T) {\n\t\trequire.Equal(t, 7, Tax(100))\n\t})\n}\n",
        "package shop\nfunc TestTax(t *testing.T) {\n\tt.Run(\"food\", func(t *testing.T) {\n\t\tt.Skip()\n\t\trequire.Equal(t, 7, Tax(100))\n\t})\n}\n",
    ),
    Example::edit(
        "test_a.py",
        "@pytest.mark.parametrize('n', [1, 2])\ndef test_n(n):\n    assert f(n) == 7\n",
        "@pytest.mark.parametrize('n', [])\ndef test_n(n):\n    assert f(n) == 7\n",
    ),
    Example::edit(
        "src/a.rs",
        "#[test]\nfn sums() {\n    assert_eq!(add(1, 2), 3);\n}\n",
        "#[test]\n#[should_panic]\nfn sums() {\n    assert_eq!(add(1, 2), 3);\n}\n",
    ),
    Example::edit(
        "src/a.rs",
        "#[test]\nfn sums() {\n    assert_eq!(add(1, 2), 3);\n}\n",
        "#[test]\nfn sums() {\n    if std::env::var(\"CI\").is_ok() {\n        return;\n    }\n    assert_eq!(add(1, 2), 3);\n}\n",
    ),
];

const TESTS_SPARED: &[Example] = &[
    // On a test that is new.
    Example::edit(
        "a.test.js",
        JS,
        "describe('cart', () => {\n  it('adds', () => {\n    expect(add(1, 2)).toBe(3);\n  });\n  it('drops', () => {\n    expect(drop(9)).toBe(8);\n  });\n  it.skip('ships', () => {\n    expect(ship('x')).toBe(true);\n  });\n  it.todo('returns');\n});\n",
    ),
    // On some platforms.
    Example::edit(
        "a.test.js",
        JS,
        "const posix = process.platform === 'win32' ? it.skip : it;\ndescribe('cart', () => {\n  posix('adds', () => {\n    expect(add(1, 2)).toBe(3);\n  });\n  it('drops', () => {\n    expect(drop(9)).toBe(8);\n  });\n});\n",
    ),
    Example::edit(
        "test_a.py",
        PY,
        "import sys\nimport pytest\n\n@pytest.mark.skipif(sys.platform == 'win32', reason='needs fork')\ndef test_total():\n    assert total([3, 4]) == 7\n\ndef test_tax():\n    assert tax(100) == 19\n",
    ),
    Example::edit(
        "src/a.rs",
        RS,
        "#[cfg(test)]\nmod tests {\n    #[test]\n    #[cfg_attr(windows, ignore)]\n    fn sums() {\n        assert_eq!(add(1, 2), 3);\n    }\n}\n",
    ),
    Example::edit(
        "a_test.go",
        GO,
        "package shop\n\nfunc TestTax(t *testing.T) {\n\tif testing.Short() {\n\t\tt.Skip(\"slow\")\n\t}\n\tif Tax(100) != 19 {\n\t\tt.Fatal(\"tax\")\n\t}\n}\n",
    ),
    // Strict expectations, skips that were there, words that only look like marks.
    Example::edit(
        "test_a.py",
        PY,
        "import pytest\n\n@pytest.mark.xfail(strict=True, reason='bug 12')\ndef test_total():\n    assert total([3, 4]) == 7\n\ndef test_tax():\n    assert tax(100) == 19\n",
    ),
    Example::edit(
        "a.test.js",
        "it.skip('adds', () => {\n  expect(add(1, 2)).toBe(3);\n});\n",
        "xit('adds', () => {\n  expect(add(1, 2)).toBe(4);\n});\n",
    ),
    Example::edit(
        "a.test.js",
        JS,
        "describe('cart', () => {\n  it('adds', () => {\n    reader.skip(2);\n    expect(add(1, 2)).toBe(3);\n  });\n  it('drops', () => {\n    expect(drop(9)).toBe(8);\n  });\n});\n",
    ),
    Example::edit(
        "src/args.rs",
        "#[derive(Parser)]\nstruct Args {\n    #[arg(long)]\n    all: bool,\n}\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn sums() { assert_eq!(add(1, 2), 3); }\n}\n",
        "#[derive(Parser)]\nstruct Args {\n    #[arg(skip)]\n    all: bool,\n}\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn sums() { assert_eq!(add(1, 2), 3); }\n}\n",
    ),
    // A guard in a table's loop.
    Example::edit(
        "test_a.py",
        "def test_rows():\n    for row in ROWS:\n        assert total(row.items) == row.sum\n",
        "def test_rows():\n    for row in ROWS:\n        if not row.sum:\n            continue\n        assert total(row.items) == row.sum\n",
    ),
    // Returns and conditions that are part of the test.
    Example::edit(
        "a.test.js",
        "it('loads', () => {\n  const promise = load('a');\n  expect(promise).toBeDefined();\n});\n",
        "it('loads', () => {\n  const promise = load('a');\n  return promise.then((text) => {\n    if (text === '') return;\n    expect(text).toBe('x');\n  });\n});\n",
    ),
    Example::edit(
        "test_a.py",
        "def test_app():\n    assert client().get('/') == 'x'\n",
        "def test_app():\n    def view():\n        return 'x'\n    app.route(view)\n    assert client().get('/') == 'x'\n",
    ),
    Example::edit(
        "src/a.rs",
        "#[test]\nfn reads() {\n    assert_eq!(read(1), 2);\n}\n",
        "#[test]\nfn reads() {\n    let Some(file) = open(1) else { return };\n    assert_eq!(file.read(), 2);\n}\n",
    ),
    Example::edit(
        "src/a.rs",
        "#[test]\nfn fails() {\n    assert!(parse(\"x\").is_err());\n}\n",
        "#[test]\n#[should_panic(expected = \"bad\")]\nfn fails() {\n    parse(\"x\");\n}\n",
    ),
    Example::edit(
        "a.test.js",
        "describe('cart', () => {\n  it('adds', () => {\n    expect(add(1, 2)).toBe(3);\n  });\n  it('drops', () => {\n    expect(drop(9)).toBe(8);\n  });\n});\n",
        "describe('cart', () => {\n  it('adds', { timeout: 9000 }, () => {\n    expect(add(1, 2)).toBe(3);\n  });\n  it('drops', () => {\n    expect(drop(9)).toBe(8);\n  });\n});\n",
    ),
];
