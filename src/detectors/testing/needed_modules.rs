//! What tests need now to run at all, and did not need before: a module that has to be importable, an extension, a symbol
//! that nobody defines, a suite that says of itself that it is left out.

use crate::languages::differing::DifferingMiddle;
use crate::languages::is_test_path;
use crate::model::finding::Change;

/// What says that a test needs a module, up to its name in quotes.
const NEEDS: &[&str] = &[
    "pytest.importorskip(",
    "RequiresPhpExtension(",
    "@requires extension ",
    "RequiresFunction(",
    "RequiresMethod(",
];
/// Words of symbols by which somebody asks for more tests than there are by default.
const ASKED: &[&str] = &[
    "FULL",
    "SLOW",
    "LONG",
    "E2E",
    "INTEGRATION",
    "FLAKY",
    "EXTRA",
    "ALL_TESTS",
    "RUN_",
    "ENABLE",
    "NIGHTLY",
    "EXTENDED",
    "HEAVY",
    "MANUAL",
    "UNSTABLE",
];
/// How lines begin that are, or mark, a test.
const TESTS: &[&str] = &[
    "[Fact",
    "[Theory",
    "[Test",
    "func test",
    "@Test",
    "TEST(",
    "TEST_F(",
    "TEST_P(",
    "TEST_CASE(",
    "[InlineData",
];

/// The first new need of tests that were there, with its line.
pub(super) fn needed(change: &Change) -> Option<(String, u32)> {
    let (before, after) = (change.before.as_deref()?, change.after.as_deref()?);
    let all: Vec<&str> = after.lines().collect();
    // The text before is looked through only for what would be told.
    let is_new = |line: &str| line.trim().len() > 3 && !before.contains(line.trim());
    let number = |at: usize| u32::try_from(at + 1).unwrap_or(0);
    let middle = DifferingMiddle::of(before, after);
    let first = middle.first_line(after) as usize - 1;
    let differing = all.iter().enumerate().skip(first).take(middle.after.lines().count());
    differing.into_iter().find_map(|(at, line)| {
        let said = module(before, &all, at, line)
            .map(|name| format!("tests would be skipped where `{name}` is not there"))
            .or_else(|| {
                let name = symbol(before, &all, at, line).filter(|_| is_test_path(&change.path))?;
                Some(format!("tests would only be built where `{name}` is defined"))
            })
            .or_else(|| {
                left_out(line).then(|| format!("the suite would be left out by `{}`", line.trim()))
            })?;
        is_new(line).then(|| (said, number(at)))
    })
}

/// The module that a test or a fixture which was there needs now.
fn module<'t>(before: &str, all: &[&'t str], at: usize, line: &'t str) -> Option<&'t str> {
    let need = NEEDS.iter().find(|it| line.contains(**it))?;
    let rest = line.split_once(need)?.1;
    let name = match rest.starts_with(['"', '\'']) {
        true => rest.split(['"', '\'']).nth(1)?,
        false => rest.split([' ', ')', '*']).next()?,
    };
    let is_known = name.is_empty() || before.contains(name);
    let indent = |line: &str| line.len() - line.trim_start().len();
    // Of code the function around it counts, of a mark the next line that is none.
    let is_mark = line.trim_start().starts_with(['#', '@', '*']);
    let near = match is_mark {
        true => all.iter().skip(at + 1).find(|it| !it.trim_start().starts_with(['#', '@', '*', '/'])),
        false => all.iter().take(at).rev().find(|it| indent(it) < indent(line) && !it.trim().is_empty()),
    };
    let was_there = near.is_none_or(|it| before.contains(it.trim()));
    (!is_known && was_there).then_some(name)
}

/// The symbol under which tests stand that were there without it.
fn symbol<'t>(before: &str, all: &[&'t str], at: usize, line: &'t str) -> Option<&'t str> {
    let bare = line.trim();
    let name = ["#ifdef ", "#if "].iter().find_map(|head| bare.strip_prefix(head))?.trim();
    let name = name.strip_prefix("defined(").map_or(name, |it| it.trim_end_matches(')'));
    let is_asked = ASKED.iter().any(|word| name.to_uppercase().contains(word)) && !before.contains(name);
    let inside = all.iter().skip(at + 1).take_while(|it| !it.trim().starts_with("#endif"));
    let is_test =
        |it: &&&str| TESTS.iter().any(|head| it.trim_start().starts_with(head)) && before.contains(it.trim());
    (is_asked && inside.filter(is_test).count() > 0).then_some(name)
}

/// Whether a suite of MUnit says of itself that it is left out.
fn left_out(line: &str) -> bool {
    let value = line.split_once("munitIgnore").and_then(|(_, rest)| rest.split_once('='));
    line.contains("override ") && value.is_some_and(|(_, value)| value.trim() != "false")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_tests_did_not_need_before_is_told() {
        let python = "def client():\n    return App()\n";
        let cs = "class TillTests\n{\n    [Fact]\n    public void Adds() { }\n}\n";
        let php = "    #[Test]\n    public function adds(): void\n";
        let scala = "class TillSuite extends FunSuite:\n  val rows = 3\n";
        for (path, before, from, to, expected) in [
            (
                "tests/test_a.py",
                python,
                "    return",
                "    pytest.importorskip(\"sandbox\")\n    return",
                true,
            ),
            (
                "tests/test_a.py",
                python,
                "def client",
                "def other():\n    pytest.importorskip(\"x1\")\n\ndef client",
                false,
            ),
            ("TillTests.cs", cs, "    [Fact]", "#if FULL_RUN\n    [Fact]", true),
            ("TillTests.cs", cs, "    [Fact]", "#if NET8_0\n    [Fact]", false),
            (
                "tests/TillTest.php",
                php,
                "    #[Test]",
                "    #[Test]\n    #[RequiresPhpExtension('tick')]",
                true,
            ),
            ("TillSuite.scala", scala, "  val", "  override def munitIgnore: Boolean = true\n  val", true),
            ("TillSuite.scala", scala, "  val", "  override def munitIgnore: Boolean = false\n  val", false),
        ] {
            let after = before.replacen(from, to, 1);
            let change =
                Change { path: path.to_owned(), before: Some(before.to_owned()), after: Some(after) };
            assert_eq!(needed(&change).is_some(), expected, "{to}");
        }
    }
}
