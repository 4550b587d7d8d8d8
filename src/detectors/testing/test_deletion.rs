//! Tests that are gone: deleted, commented out, or left where no runner finds them.
//!
//! A test whose body turns up under another name, in a table or in another file is not gone.

use crate::detectors::{Case, Comparison, Detector, Example, names, of_all};
use crate::languages::{Fate, Language, Test, bare_lines, is_test_name, is_test_path, scan};
use crate::model::finding::{Change, Finding, RegressionType, Severity};

/// Tests or a test file deleted, or kept where nothing collects them.
pub(crate) static DELETED: Detector = Detector {
    id: "LP-001",
    name: "Complete Test File Deletion",
    aliases: &[SOME_DELETED, "LP-T001", "Test File Deletion"],
    regression_type: Some(RegressionType::TestDeletion),
    severity: Severity::Critical,
    family: module_path!(),
    what: "A test file, or single tests of one, would no longer run because they are gone, renamed or in dead code.",
    why: "A failing test that is deleted hides the fault that it found.",
    instead: "Each lost test can be kept, or added at its new place first: then this edit passes. Where its code goes as well, that goes first.",
    catches: CATCHES,
    spares: SPARES,
    detect: deleted,
};

/// Tests turned into comments.
pub(crate) static COMMENTED_OUT: Detector = Detector {
    id: "LP-004",
    name: "Test Commenting Out",
    aliases: &["Commented-out tests"],
    regression_type: Some(RegressionType::TestDeletion),
    severity: Severity::Critical,
    family: module_path!(),
    what: "Tests would stand in comments.",
    why: "A test in a comment looks kept and runs never.",
    instead: "Each of these tests can stay as code while the code under test is mended: then this edit passes.",
    catches: COMMENTS_CAUGHT,
    spares: COMMENTS_SPARED,
    detect: commented_out,
};

/// The pattern's name where the file keeps some of its tests.
const SOME_DELETED: &str = "Test Deletion";

fn deleted(case: &Case, findings: &mut Vec<Finding>) {
    for comparison in case.comparisons() {
        let is_gone = |fate: &Fate| matches!(fate, Fate::Lost | Fate::Dead(_) | Fate::Uncollected(_));
        if let Some(mut finding) = loss(&DELETED, case, comparison, is_gone) {
            if !comparison.after.tests.is_empty() {
                finding.pattern_name = SOME_DELETED;
            }
            findings.push(finding);
        } else if let Some((before, after)) = comparison.counts.filter(|(before, after)| after < before) {
            let what = format!(
                "{} would be gone; the file is too large to name them",
                of_all(before - after, before)
            );
            let mut finding = DELETED.finding(&comparison.change.path, what);
            if after > 0 {
                finding.pattern_name = SOME_DELETED;
            }
            findings.push(Finding { confidence: 0.7, ..finding });
        }
    }
    for change in case.evidence.changes.iter().filter(|change| is_unread(case, change)) {
        findings.extend(unread_file(case, change));
    }
}

fn commented_out(case: &Case, findings: &mut Vec<Finding>) {
    for comparison in case.comparisons() {
        findings.extend(loss(&COMMENTED_OUT, case, comparison, |fate| *fate == Fate::CommentedOut));
    }
}

/// The finding for those tests of a file whose fate is meant.
fn loss(
    detector: &Detector,
    case: &Case,
    comparison: &Comparison,
    is_meant: impl Fn(&Fate) -> bool,
) -> Option<Finding> {
    let pairs = comparison.before.tests.iter().zip(&comparison.fates);
    let mut lost: Vec<(&Test, &Fate)> = pairs.filter(|(_, fate)| is_meant(fate)).collect();
    let subjects_gone = !lost.is_empty() && are_about_gone(case, comparison.change, &lost);
    if !subjects_gone {
        // What is about something that is gone is no part of the loss.
        let path = &comparison.change.path;
        lost.retain(|(test, _)| test.suite || !case.gone().has_subject_of(path, test));
    }
    let first = lost.first()?;
    let tests: Vec<&Test> = lost.iter().map(|(test, _)| *test).collect();
    let said_nothing = |test: &&Test| {
        !test.assertions.is_empty() && test.assertions.iter().all(|assertion| assertion.trivial)
    };
    // The example that a new project comes with.
    let is_blank = |test: &&Test| test.assertions.is_empty() && test.body.len() < 2 && !test.suite;
    if tests.iter().all(|test| said_nothing(test) || is_blank(test)) && is_replaced(comparison, &lost) {
        return None;
    }
    let lost_names = names(&tests);
    let part = of_all(lost_names.len(), comparison.before.count().max(lost_names.len()));
    let mut finding = detector.finding(&comparison.change.path, format!("{part} {}", ending(&lost)));
    finding.line = Some(first.0.line);
    let was_skipped = tests.iter().all(|test| test.skipped.as_ref().is_some_and(|skip| skip.when.stops()));
    if subjects_gone {
        finding.severity = Severity::Low;
    } else if was_skipped {
        finding.severity = Severity::Medium;
    } else if is_replaced(comparison, &lost) {
        finding.severity = Severity::High;
        finding.confidence = 0.6;
        finding.what = format!("{part} would be replaced by others that test something else");
    }
    finding.lost = lost_names;
    Some(finding)
}

fn ending(lost: &[(&Test, &Fate)]) -> String {
    match lost.first() {
        Some((_, Fate::Dead(why))) => format!("would {why}"),
        Some((test, Fate::Uncollected(name))) if test.title == *name => {
            format!("would no longer be collected: `{name}` stays as a plain function")
        }
        Some((test, Fate::Uncollected(name))) => {
            format!("would no longer be collected: `{}` becomes `{name}`", test.title)
        }
        Some((_, Fate::CommentedOut)) => "would be commented out".to_owned(),
        _ => "would be gone".to_owned(),
    }
}

/// Whether as many tests with as many assertions stand in the place of the lost ones.
fn is_replaced(comparison: &Comparison, lost: &[(&Test, &Fate)]) -> bool {
    let assertions =
        |tests: &[Test]| tests.iter().flat_map(|test| &test.assertions).filter(|it| !it.trivial).count();
    let runs = comparison.after.tests.iter().filter(|test| !test.suite && test.skipped.is_none()).count();
    lost.iter().all(|(_, fate)| **fate == Fate::Lost)
        && runs >= comparison.before.count()
        && assertions(&comparison.after.tests) >= assertions(&comparison.before.tests)
}

/// Whether the code that lost tests are about is gone as well: the file of a file, the functions of single tests.
fn are_about_gone(case: &Case, change: &Change, lost: &[(&Test, &Fate)]) -> bool {
    let has_all = lost
        .iter()
        .filter(|(test, _)| !test.suite)
        .all(|(test, fate)| **fate == Fate::Lost && case.gone().has_subject_of(&change.path, test));
    let has_cases = lost.iter().any(|(test, _)| !test.suite);
    subject_is_gone(case, change) || (has_cases && has_all)
}

/// Whether the file that a deleted test file is about is gone as well.
fn subject_is_gone(case: &Case, change: &Change) -> bool {
    change.after.is_none() && case.gone().has_file_of(&change.path)
}

/// Whether the file is of no known language, or no test that can be named is in it.
fn is_unread(case: &Case, change: &Change) -> bool {
    let (Some(language), Some(before)) = (Language::of_path(&change.path), change.before.as_deref()) else {
        return true;
    };
    // A file that is neither deleted nor emptied is none of this.
    if change.after.as_deref().is_some_and(|after| !after.trim().is_empty()) {
        return false;
    }
    match case.comparisons().iter().find(|it| it.change.path == change.path) {
        Some(comparison) => comparison.before.tests.is_empty() && comparison.counts.is_none(),
        None => scan(language, before).tests == 0,
    }
}

/// Whether the file stays as it is, under its name with something behind it.
fn is_hidden(case: &Case, change: &Change) -> bool {
    change.after.is_none()
        && case.all_changes().any(|other| {
            other.after == change.before
                && other
                    .path
                    .strip_prefix(&change.path)
                    .is_some_and(|ending| ending.starts_with(['.', '_', '~']))
        })
}

/// A deleted or emptied test file that can't be read: its name says what it held.
fn unread_file(case: &Case, change: &Change) -> Option<Finding> {
    let is_test = is_test_name(&change.path);
    let belongs = Language::of_path(&change.path).is_some() && is_test_path(&change.path);
    let before = change.before.as_deref().filter(|_| is_test || belongs)?;
    let after = change.after.as_deref().unwrap_or_default();
    if before.trim().is_empty() || !after.trim().is_empty() {
        return None;
    }
    let mut lines: Vec<u64> = bare_lines(before).collect();
    lines.sort_unstable();
    let moved = case
        .all_changes()
        .filter(|other| other.path != change.path && is_test_path(&other.path))
        // A test that gets another ending is hidden, not moved.
        .filter(|other| Language::of_path(&other.path) == Language::of_path(&change.path))
        .any(|other| {
            let there = other.after.as_deref().map(bare_lines).into_iter().flatten();
            let found = there.filter(|line| lines.binary_search(line).is_ok()).count();
            found * 10 >= lines.len() * 6
        });
    if moved {
        return None;
    }
    let what = if is_test { "the test file would be gone" } else { "a file of the tests would be gone" };
    let what =
        if is_hidden(case, change) { "it would stay under a name that no runner collects" } else { what };
    let mut finding = DELETED.finding(&change.path, what.to_owned());
    // Without a test that can be named it may be a helper that nothing needs any more.
    let is_read = Language::of_path(&change.path).is_some_and(|language| language != Language::Cpp);
    finding.severity = match (is_test, subject_is_gone(case, change)) {
        (true, false) if !is_read => Severity::Critical,
        (true, false) => Severity::High,
        // Nobody empties a file that is needed no more.
        (false, false) if change.after.is_some() || is_hidden(case, change) => Severity::High,
        _ => Severity::Medium,
    };
    Some(finding)
}

const TWO_JS: &str = "describe('add', () => {\n  it('sums', () => {\n    expect(add(1, 2)).toBe(3);\n  });\n  it('takes negatives', () => {\n    expect(add(-4, 7)).toBe(3);\n  });\n});\n";
const ONE_JS: &str =
    "describe('add', () => {\n  it('sums', () => {\n    expect(add(1, 2)).toBe(3);\n  });\n});\n";
const TWO_PY: &str = "from shop import total, tax\n\ndef test_total():\n    assert total([3, 4]) == 7\n\ndef test_tax():\n    assert tax(100, 'DE') == 19\n";
const TWO_RS: &str = "pub fn add(a: u8, b: u8) -> u8 { a + b }\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn sums() {\n        assert_eq!(add(1, 2), 3);\n    }\n\n    #[test]\n    fn zero_is_neutral() {\n        assert_eq!(add(0, 9), 9);\n    }\n}\n";
const TWO_GO: &str = "package shop\n\nimport \"testing\"\n\nfunc TestTotal(t *testing.T) {\n\tif Total(3, 4) != 7 {\n\t\tt.Fatal(\"total\")\n\t}\n}\n\nfunc TestTax(t *testing.T) {\n\tif Tax(100) != 19 {\n\t\tt.Fatal(\"tax\")\n\t}\n}\n";

const CATCHES: &[Example] = &[
    Example::deletion("test/add.test.ts", TWO_JS),
    Example::edit("add.test.js", TWO_JS, ""),
    Example::edit("add.test.js", TWO_JS, ONE_JS),
    Example::deletion("tests/test_shop.py", TWO_PY),
    Example::edit(
        "tests/test_shop.py",
        TWO_PY,
        "from shop import total, tax\n\ndef test_total():\n    assert total([3, 4]) == 7\n",
    ),
    Example::edit("src/add.rs", TWO_RS, "pub fn add(a: u8, b: u8) -> u8 { a + b }\n"),
    Example::edit(
        "shop_test.go",
        TWO_GO,
        "package shop\n\nimport \"testing\"\n\nfunc TestTotal(t *testing.T) {\n\tif Total(3, 4) != 7 {\n\t\tt.Fatal(\"total\")\n\t}\n}\n",
    ),
    // Swapped for a test that says something else.
    Example::edit(
        "add.test.js",
        TWO_JS,
        "describe('add', () => {\n  it('sums', () => {\n    expect(add(1, 2)).toBe(3);\n  });\n  it('exists', () => {\n    expect(typeof library).toBe('object');\n  });\n});\n",
    ),
    // Renamed so that no runner collects it.
    Example::edit(
        "test_shop.py",
        TWO_PY,
        "from shop import total, tax\n\ndef test_total():\n    assert total([3, 4]) == 7\n\ndef _test_tax():\n    assert tax(100, 'DE') == 19\n",
    ),
    Example::edit(
        "test_shop.py",
        "class TestShop:\n    def test_tax(self):\n        assert tax(100, 'DE') == 19\n",
        "class ShopChecks:\n    def test_tax(self):\n        assert tax(100, 'DE') == 19\n",
    ),
    Example::edit(
        "shop_test.go",
        TWO_GO,
        "package shop\n\nimport \"testing\"\n\nfunc TestTotal(t *testing.T) {\n\tif Total(3, 4) != 7 {\n\t\tt.Fatal(\"total\")\n\t}\n}\n\nfunc testTax(t *testing.T) {\n\tif Tax(100) != 19 {\n\t\tt.Fatal(\"tax\")\n\t}\n}\n",
    ),
    Example::edit(
        "src/add.rs",
        TWO_RS,
        "pub fn add(a: u8, b: u8) -> u8 { a + b }\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn sums() {\n        assert_eq!(add(1, 2), 3);\n    }\n\n    fn zero_is_neutral() {\n        assert_eq!(add(0, 9), 9);\n    }\n}\n",
    ),
    // In code that never runs.
    Example::edit(
        "add.test.js",
        ONE_JS,
        "function later() {\n  describe('add', () => {\n    it('sums', () => {\n      expect(add(1, 2)).toBe(3);\n    });\n  });\n}\n",
    ),
    Example::edit(
        "add.test.js",
        ONE_JS,
        "if (false) {\n  describe('add', () => {\n    it('sums', () => {\n      expect(add(1, 2)).toBe(3);\n    });\n  });\n}\n",
    ),
    Example::edit(
        "test_shop.py",
        TWO_PY,
        "from shop import total, tax\n\ndef test_total():\n    assert total([3, 4]) == 7\n\nif False:\n    def test_tax():\n        assert tax(100, 'DE') == 19\n",
    ),
    Example::edit(
        "test_shop.py",
        TWO_PY,
        "from shop import total, tax\n\ndef test_total():\n    assert total([3, 4]) == 7\n\n'''\ndef test_tax():\n    assert tax(100, 'DE') == 19\n'''\n",
    ),
    // A subtest.
    Example::edit(
        "shop_test.go",
        "package shop\nfunc TestTax(t *testing.T) {\n\tt.Run(\"food\", func(t *testing.T) {\n\t\tequal(t, Tax(100, food), 7)\n\t})\n\tt.Run(\"books\", func(t *testing.T) {\n\t\tequal(t, Tax(30, books), 2)\n\t})\n}\n",
        "package shop\nfunc TestTax(t *testing.T) {\n\tt.Run(\"food\", func(t *testing.T) {\n\t\tequal(t, Tax(100, food), 7)\n\t})\n}\n",
    ),
    // A macro's tests.
    Example::edit(
        "tests/laws.rs",
        "proptest! {\n    #[test]\n    fn adds(a in 0..9u8) { prop_assert_eq!(add(a, 0), a); }\n    #[test]\n    fn halves(b in 0..5u8) { prop_assert!(half(b) <= b); }\n}\n",
        "proptest! {\n    #[test]\n    fn adds(a in 0..9u8) { prop_assert_eq!(add(a, 0), a); }\n}\n",
    ),
    // A language that is not parsed, a deletion beside an unrelated one.
    Example::deletion(
        "src/test/java/ShopTest.java",
        "class ShopTest { @Test void total() { assertEquals(7, total(3, 4)); } }\n",
    ),
    Example::deletion("tests/test_shop.c", "int main(void) { return total(3, 4) == 7 ? 0 : 1; }\n"),
    Example::deletion("test/add.test.ts", TWO_JS).with("src/other.ts", Some("export const x = 1;\n"), None),
    // The code under test has only moved, or has another name.
    Example::deletion("test/add.test.ts", TWO_JS).with(
        "src/add.js",
        Some("export const add = (a, b) => a + b;\n"),
        Some("export const sum = (a, b) => a + b;\n"),
    ),
    Example::edit(
        "src/add.rs",
        "pub fn double(a: u8) -> u8 {\n    a.checked_mul(2).unwrap_or(255)\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn doubles() {\n        assert_eq!(double(4), 8);\n    }\n}\n",
        "pub fn twice(a: u8) -> u8 {\n    a.checked_mul(2).unwrap_or(255)\n}\n",
    ),
    // A helper of tests is no subject.
    Example::edit(
        "src/add.rs",
        "pub fn add(a: u8, b: u8) -> u8 {\n    a + b\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    fn check_sum(a: u8, b: u8, sum: u8) {\n        assert_eq!(add(a, b), sum);\n    }\n\n    #[test]\n    fn sums() {\n        check_sum(1, 2, 3);\n    }\n}\n",
        "pub fn add(a: u8, b: u8) -> u8 {\n    a + b\n}\n",
    ),
    // Hidden in other ways.
    Example::edit(
        "add.test.js",
        "describe('add', () => {\n  it('sums', () => {\n    expect(add(1, 2)).toBe(3);\n  });\n  it('takes negatives', () => {\n    expect(add(-4, 7)).toBe(3);\n  });\n});\n",
        "const later = () => {\n  it('sums', () => {\n    expect(add(1, 2)).toBe(3);\n  });\n  it('takes negatives', () => {\n    expect(add(-4, 7)).toBe(3);\n  });\n};\n",
    ),
    Example::edit(
        "test_shop.py",
        "class TestShop:\n    def test_tax(self):\n        assert tax(100, 'DE') == 19\n",
        "class TestShop:\n    def __init__(self):\n        pass\n\n    def test_tax(self):\n        assert tax(100, 'DE') == 19\n",
    ),
    Example::edit(
        "test_shop.py",
        "def test_total():\n    assert total([3, 4]) == 7\n\ndef test_tax():\n    assert tax(100, 'DE') == 19\n",
        "def test_total():\n    assert total([3, 4]) == 7\n\ndef check_tax():\n    assert tax(100, 'DE') == 19\n",
    ),
    Example::edit(
        "shop_test.go",
        "package shop\n\nfunc TestTotal(t *testing.T) {\n\tif Total(3, 4) != 7 {\n\t\tt.Fatal(\"total\")\n\t}\n}\n",
        "package shop\n\nfunc TestTotal(t testing.T) {\n\tif Total(3, 4) != 7 {\n\t\tt.Fatal(\"total\")\n\t}\n}\n",
    ),
    Example::edit(
        "src/add.rs",
        "#[cfg(test)]\nmod tests {\n    #[test]\n    fn sums() {\n        assert_eq!(add(1, 2), 3);\n    }\n\n    #[test]\n    fn zero() {\n        assert_eq!(add(0, 9), 9);\n    }\n}\n",
        "#[cfg(test)]\nmod tests {\n    #[test]\n    fn sums() {\n        assert_eq!(add(1, 2), 3);\n    }\n\n    fn zero() {\n        assert_eq!(add(0, 9), 9);\n    }\n}\n",
    ),
    Example::edit(
        "add.test.js",
        "describe('add', () => {\n  it('sums', () => {\n    expect(add(1, 2)).toBe(3);\n  });\n  it('takes negatives', () => {\n    expect(add(-4, 7)).toBe(3);\n  });\n});\n",
        "describe('add', () => {\n  it('sums', () => {\n    expect(add(1, 2)).toBe(3);\n  });\n  `\n  it('takes negatives', () => {\n    expect(add(-4, 7)).toBe(3);\n  });\n  `;\n});\n",
    ),
];

const SPARES: &[Example] = &[
    // The code under test is gone as well: a file, a function of the same file, one of another.
    Example::deletion("test/add.test.ts", TWO_JS).with("src/add.ts", Some("export const add = 1;\n"), None),
    Example::edit(
        "src/shop.rs",
        "pub fn add(a: u8, b: u8) -> u8 {\n    a.saturating_add(b)\n}\n\npub fn half(a: u8) -> u8 {\n    a.div_euclid(2)\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn sums() {\n        assert_eq!(add(1, 2), 3);\n    }\n\n    #[test]\n    fn halves() {\n        assert_eq!(half(9), 4);\n    }\n}\n",
        "pub fn add(a: u8, b: u8) -> u8 {\n    a.saturating_add(b)\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn sums() {\n        assert_eq!(add(1, 2), 3);\n    }\n}\n",
    ),
    Example::edit(
        "tests/test_shop.py",
        TWO_PY,
        "from shop import total\n\ndef test_total():\n    assert total([3, 4]) == 7\n",
    )
    .with(
        "shop.py",
        Some("def total(all):\n    return sum(all)\n\n\ndef tax(net, land):\n    return net * RATES[land] // 100\n"),
        Some("def total(all):\n    return sum(all)\n"),
    ),
    Example::edit(
        "shop_test.go",
        TWO_GO,
        "package shop\n\nimport \"testing\"\n\nfunc TestTotal(t *testing.T) {\n\tif Total(3, 4) != 7 {\n\t\tt.Fatal(\"total\")\n\t}\n}\n",
    )
    .with(
        "shop.go",
        Some("package shop\n\nfunc Total(a, b int) int {\n\treturn a + b\n}\n\nfunc Tax(net int) int {\n\treturn net * 19 / 100\n}\n"),
        Some("package shop\n\nfunc Total(a, b int) int {\n\treturn a + b\n}\n"),
    ),
    // New files, comments, layout.
    Example { path: "add.test.js", before: None, after: Some(TWO_JS), elsewhere: None },
    Example::edit("add.test.js", ONE_JS, TWO_JS),
    Example::edit(
        "add.test.js",
        TWO_JS,
        "// Sums.\ndescribe(\"add\", function () {\n    it(\"sums\", function () { expect(add(1, 2)).toBe(3) })\n    // Below zero.\n    it(\"takes negatives\", function () { expect(add(-4, 7)).toBe(3) })\n})\n",
    ),
    // Renamed: the case, the suite.
    Example::edit(
        "add.test.js",
        TWO_JS,
        "describe('sum', () => {\n  it('adds up', () => {\n    expect(add(1, 2)).toBe(3);\n  });\n  it('works below zero', () => {\n    expect(add(-4, 7)).toBe(3);\n  });\n});\n",
    ),
    // Another framework.
    Example::edit(
        "add.test.js",
        TWO_JS,
        "import test from 'node:test';\nimport assert from 'node:assert';\ntest('sums', () => {\n  assert.strictEqual(add(1, 2), 3);\n});\ntest('takes negatives', () => {\n  assert.strictEqual(add(-4, 7), 3);\n});\n",
    ),
    Example::edit(
        "test_shop.py",
        "import unittest\n\nclass ShopTest(unittest.TestCase):\n    def test_total(self):\n        self.assertEqual(total([3, 4]), 7)\n",
        "def test_total():\n    assert total([3, 4]) == 7\n",
    ),
    Example::edit(
        "src/add.rs",
        "#[test]\nfn waits() { assert_eq!(block_on(answer()), 42); }\n",
        "#[tokio::test]\nasync fn waits() { assert_eq!(answer().await, 42); }\n",
    ),
    // Merged into a table.
    Example::edit(
        "add.test.js",
        TWO_JS,
        "describe('add', () => {\n  it.each([[1, 2, 3], [-4, 7, 3]])('adds %i and %i', (a, b, sum) => {\n    expect(add(a, b)).toBe(sum);\n  });\n});\n",
    ),
    Example::edit(
        "test_shop.py",
        "def test_small():\n    assert tax(100) == 19\n\ndef test_large():\n    assert tax(2000) == 380\n",
        "import pytest\n\n@pytest.mark.parametrize('net, expected', [(100, 19), (2000, 380)])\ndef test_tax(net, expected):\n    assert tax(net) == expected\n",
    ),
    Example::edit(
        "shop_test.go",
        "package shop\nfunc TestSmall(t *testing.T) {\n\tif Tax(100) != 19 {\n\t\tt.Fatal(\"small\")\n\t}\n}\nfunc TestLarge(t *testing.T) {\n\tif Tax(2000) != 380 {\n\t\tt.Fatal(\"large\")\n\t}\n}\n",
        "package shop\nfunc TestTax(t *testing.T) {\n\tfor _, tc := range []struct{ name string; net, want int }{{\"small\", 100, 19}, {\"large\", 2000, 380}} {\n\t\tt.Run(tc.name, func(t *testing.T) {\n\t\t\tif got := Tax(tc.net); got != tc.want {\n\t\t\t\tt.Fatal(got)\n\t\t\t}\n\t\t})\n\t}\n}\n",
    ),
    // Split.
    Example::edit(
        "test_shop.py",
        "def test_shop():\n    assert total([3, 4]) == 7\n    assert tax(100, 'DE') == 19\n",
        "def test_sums():\n    assert total([3, 4]) == 7\n\ndef test_vat():\n    assert tax(100, 'DE') == 19\n",
    ),
    // Moved where it already is; the whole file renamed.
    Example::edit("add.test.js", TWO_JS, ONE_JS).with(
        "negative.test.js",
        None,
        Some("it('takes negatives', () => {\n  expect(add(-4, 7)).toBe(3);\n});\n"),
    ),
    Example::deletion("test/add.test.ts", TWO_JS).with("test/sum.test.ts", None, Some(TWO_JS)),
    Example::edit("src/add.rs", TWO_RS, "pub fn add(a: u8, b: u8) -> u8 { a + b }\n").with(
        "tests/add.rs",
        None,
        Some(TWO_RS),
    ),
    // A copy removed.
    Example::edit(
        "test_shop.py",
        "def test_tax():\n    assert tax(100, 'DE') == 19\n\ndef test_tax_again():\n    assert tax(100, 'DE') == 19\n",
        "def test_tax():\n    assert tax(100, 'DE') == 19\n",
    ),
    // A helper taken out of a test that still calls it.
    Example::edit(
        "test_shop.py",
        TWO_PY,
        "from shop import total, tax\n\ndef check_tax(net, land, want):\n    assert tax(net, land) == want\n\ndef test_total():\n    assert total([3, 4]) == 7\n\ndef test_tax():\n    check_tax(100, 'DE', 19)\n",
    ),
    // Not tests.
    Example::edit(
        "src/health.py",
        "def test_connection(db):\n    return db.ping()\n\ndef other():\n    return 1\n",
        "def other():\n    return 1\n",
    ),
    Example::edit(
        "src/match.js",
        "const ok = /x/.test('x');\nfunction gone() { return 1; }\n",
        "const ok = true;\n",
    ),
    Example::deletion("testing.md", "# How to test\n"),
    Example::deletion(
        "src/test/java/ShopTest.java",
        "class ShopTest { @Test void total() { assertEquals(7, total(3, 4)); } }\n",
    )
    .with(
        "src/test/java/TotalTest.java",
        None,
        Some("class ShopTest { @Test void total() { assertEquals(7, total(3, 4)); } }\n"),
    ),
    // Order, nesting, style.
    Example::edit(
        "add.test.js",
        "describe('add', () => {\n  it('sums', () => {\n    expect(add(1, 2)).toBe(3);\n  });\n  it('takes negatives', () => {\n    expect(add(-4, 7)).toBe(3);\n  });\n});\n",
        "describe('add', () => {\n  describe('below zero', () => {\n    it('takes negatives', async () => {\n      expect(await add(-4, 7)).toBe(3);\n    });\n  });\n  it('sums', () => {\n    expect(add(1, 2)).toBe(3);\n  });\n});\n",
    ),
    Example::edit(
        "add.test.js",
        "it('loads', function (done) {\n  load('a.txt', function (error, text) {\n    expect(text).toBe('hello');\n    done();\n  });\n});\n",
        "it('loads the file', async () => {\n  const text = await load('a.txt');\n  expect(text).toBe('hello');\n});\n",
    ),
    Example::edit(
        "test_shop.py",
        "def test_total():\n    assert total([3, 4]) == 7\n\ndef test_tax():\n    assert tax(100, 'DE') == 19\n",
        "class TestShop:\n    def test_total(self):\n        assert total([3, 4]) == 7\n\nclass TestTax:\n    def test_tax(self):\n        assert tax(100, 'DE') == 19\n",
    ),
    Example::edit(
        "test_shop.py",
        "def test_total():\n    assert total([3, 4]) == 7\n\ndef test_tax():\n    assert tax(100, 'DE') == 19\n",
        "def test_sum_of_items():\n    items = [3, 4]\n    assert total(items) == 7\n\ndef test_german_vat():\n    rate = tax(100, 'DE')\n    assert rate == 19\n",
    ),
    Example::edit(
        "src/add.rs",
        "#[cfg(test)]\nmod tests {\n    #[test]\n    fn sums() {\n        assert_eq!(add(1, 2), 3);\n    }\n\n    #[test]\n    fn zero() {\n        assert_eq!(add(0, 9), 9);\n    }\n}\n",
        "#[cfg(test)]\nmod tests {\n    mod basics {\n        #[test]\n        fn sums() {\n            assert_eq!(add(1, 2), 3);\n        }\n        #[test]\n        fn zero_is_neutral() {\n            assert_eq!(add(0, 9), 9);\n        }\n    }\n}\n",
    ),
    Example::edit(
        "src/add.rs",
        "#[cfg(test)]\nmod tests {\n    #[test]\n    fn sums() {\n        assert_eq!(add(1, 2), 3);\n    }\n\n    #[test]\n    fn zero() {\n        assert_eq!(add(0, 9), 9);\n    }\n}\n",
        "#[cfg(test)]\nmod tests {\n    #[rstest]\n    #[case(1, 2, 3)]\n    #[case(0, 9, 9)]\n    fn adds(#[case] a: u8, #[case] b: u8, #[case] sum: u8) {\n        assert_eq!(add(a, b), sum);\n    }\n}\n",
    ),
    Example::edit(
        "src/add.rs",
        "#[cfg(test)]\nmod tests {\n    #[test]\n    fn sums() {\n        assert_eq!(add(1, 2), 3);\n    }\n\n    #[test]\n    fn zero() {\n        assert_eq!(add(0, 9), 9);\n    }\n}\n",
        "#[cfg(test)]\nmod tests {\n    #[test]\n    fn sums() {\n        for (a, b, sum) in [(1, 2, 3), (0, 9, 9)] {\n            assert_eq!(add(a, b), sum);\n        }\n    }\n}\n",
    ),
    Example::edit(
        "shop_test.go",
        "package shop\n\nfunc TestTotal(t *testing.T) {\n\tif Total(3, 4) != 7 {\n\t\tt.Fatal(\"total\")\n\t}\n}\n",
        "package shop\n\nfunc TestTotal(t *testing.T) {\n\tt.Run(\"two\", func(t *testing.T) {\n\t\tif Total(3, 4) != 7 {\n\t\t\tt.Fatal(\"total\")\n\t\t}\n\t})\n}\n",
    ),
    // Another expected value, a spelling mended.
    Example::edit(
        "add.test.js",
        "it('recieves 404', () => {\n  expect(get('/x').status).toBe(404);\n});\n",
        "it('receives 410', () => {\n  expect(get('/x').status).toBe(410);\n});\n",
    ),
    // Merged into one test with both assertions; a table beside the test.
    Example::edit(
        "add.test.js",
        "describe('add', () => {\n  it('sums', () => {\n    expect(add(1, 2)).toBe(3);\n  });\n  it('takes negatives', () => {\n    expect(add(-4, 7)).toBe(3);\n  });\n});\n",
        "it('adds', () => {\n  expect(add(1, 2)).toBe(3);\n  expect(add(-4, 7)).toBe(3);\n});\n",
    ),
    Example::edit(
        "test_shop.py",
        "def test_small():\n    assert tax(100) == 19\n\ndef test_large():\n    assert tax(2000) == 380\n",
        "CASES = [(100, 19), (2000, 380)]\n\n@pytest.mark.parametrize('net, expected', CASES)\ndef test_tax(net, expected):\n    assert tax(net) == expected\n",
    ),
    Example::edit(
        "add.test.js",
        "describe('add', () => {\n  it('sums', () => {\n    expect(add(1, 2)).toBe(3);\n  });\n  it('takes negatives', () => {\n    expect(add(-4, 7)).toBe(3);\n  });\n});\n",
        "for (const [a, b, sum] of [[1, 2, 3], [-4, 7, 3]]) {\n  it(`adds ${a} and ${b}`, () => {\n    expect(add(a, b)).toBe(sum);\n  });\n}\n",
    ),
    // A syntax error elsewhere.
    Example::edit(
        "test_shop.py",
        "def test_total():\n    assert total([3, 4]) == 7\n\ndef test_tax():\n    assert tax(100, 'DE') == 19\n",
        "def broken(:\n\ndef test_total():\n    assert total([3, 4]) == 7\n\ndef test_tax():\n    assert tax(100, 'DE') == 19\n",
    ),
];

const COMMENTS_CAUGHT: &[Example] = &[
    Example::edit(
        "add.test.js",
        TWO_JS,
        "describe('add', () => {\n  it('sums', () => {\n    expect(add(1, 2)).toBe(3);\n  });\n  // it('takes negatives', () => {\n  //   expect(add(-4, 7)).toBe(3);\n  // });\n});\n",
    ),
    Example::edit(
        "add.test.js",
        TWO_JS,
        "/*\ndescribe('add', () => {\n  it('sums', () => {\n    expect(add(1, 2)).toBe(3);\n  });\n  it('takes negatives', () => {\n    expect(add(-4, 7)).toBe(3);\n  });\n});\n*/\n",
    ),
    Example::edit(
        "test_shop.py",
        TWO_PY,
        "from shop import total, tax\n\ndef test_total():\n    assert total([3, 4]) == 7\n\n# def test_tax():\n#     assert tax(100, 'DE') == 19\n",
    ),
    Example::edit(
        "src/add.rs",
        TWO_RS,
        "pub fn add(a: u8, b: u8) -> u8 { a + b }\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn sums() {\n        assert_eq!(add(1, 2), 3);\n    }\n\n    // #[test]\n    // fn zero_is_neutral() {\n    //     assert_eq!(add(0, 9), 9);\n    // }\n}\n",
    ),
    Example::edit(
        "shop_test.go",
        TWO_GO,
        "package shop\n\nimport \"testing\"\n\nfunc TestTotal(t *testing.T) {\n\tif Total(3, 4) != 7 {\n\t\tt.Fatal(\"total\")\n\t}\n}\n\n/*\nfunc TestTax(t *testing.T) {\n\tif Tax(100) != 19 {\n\t\tt.Fatal(\"tax\")\n\t}\n}\n*/\n",
    ),
];

const COMMENTS_SPARED: &[Example] = &[
    // Brought back.
    Example::edit(
        "test_shop.py",
        "def test_total():\n    assert total([3, 4]) == 7\n\n# def test_tax():\n#     assert tax(100, 'DE') == 19\n",
        "def test_total():\n    assert total([3, 4]) == 7\n\ndef test_tax():\n    assert tax(100, 'DE') == 19\n",
    ),
    // A comment that shows how to write a test.
    Example::edit(
        "add.test.js",
        ONE_JS,
        "// it('sums', () => {\n//   expect(add(1, 2)).toBe(3);\n// });\ndescribe('add', () => {\n  it('sums', () => {\n    expect(add(1, 2)).toBe(3);\n  });\n});\n",
    ),
    Example::edit(
        "src/add.rs",
        TWO_RS,
        "/// Adds.\n///\n/// #[test]\n/// fn sums() {}\npub fn add(a: u8, b: u8) -> u8 { a + b }\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn sums() {\n        assert_eq!(add(1, 2), 3);\n    }\n\n    #[test]\n    fn zero_is_neutral() {\n        assert_eq!(add(0, 9), 9);\n    }\n}\n",
    ),
];
