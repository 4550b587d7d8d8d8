//! Marks and settings that run a failing test again until it passes.

use crate::languages::differing::DifferingMiddle;
use crate::languages::{file_name, is_test_path};
use crate::model::finding::Change;

/// What a line says that repeats failing tests, in lower case without blanks and `_`.
const MARKS: &[&str] = &[
    "jest.retrytimes(",
    "this.retries(",
    "mark.flaky",
    "@flaky",
    "[retry(",
    "@retry(",
    "retryingtest(",
    "repeatedifexceptions",
    "retryrule(",
    "runwithretry",
    "minitest::retry",
    "rspec/retry",
    "defaultretrycount",
    "rerunfailingtestscount",
    "--reruns",
    "retry(count:",
    "flaky(maxruns",
    "mode:\"retry",
    "[retryfact",
    "[retrytheory",
    "instancevariableset(:@exception",
    "runtestprotocol(",
    "example.runifexample.exception",
    "example.rununlessexample.exception.nil?",
];
/// The same as an option of one test or suite.
const OPTIONS: &[&str] = &["retry:", "retries:", "retry=", "retries=", "maxretries"];
/// How the head of a test, or what holds options of a suite, begins.
const HEADS: &[&str] = &[
    "it(",
    "it ",
    "test(",
    "describe(",
    "describe.",
    "test.",
    "context ",
    "specify ",
    "@",
    "[",
    "#[",
    "}, retry:",
];

/// The first line that repeats failing tests where none did, with its number.
pub(super) fn retried(change: &Change) -> Option<(String, u32)> {
    let name = file_name(&change.path);
    let prepares = ["setup", "jest", "vitest", "playwright", "cypress"].iter().any(|it| name.contains(it));
    if !is_test_path(&change.path) && !prepares {
        return None;
    }
    let (before, after) = (change.before.as_deref()?, change.after.as_deref()?);
    let count = |text: &str| text.lines().filter(|line| repeats(line)).count();
    // What stands in both texts counts on both sides.
    let middle = DifferingMiddle::of(before, after);
    if count(middle.after) <= count(middle.before) {
        return None;
    }
    let known: Vec<&str> = before.lines().map(str::trim).collect();
    let (number, line) =
        (1u32..).zip(after.lines()).find(|(_, line)| repeats(line) && !known.contains(&line.trim()))?;
    Some((line.trim().chars().take(80).collect(), number))
}

fn repeats(line: &str) -> bool {
    let line = line.trim_start();
    let bare: String =
        line.chars().filter(|c| !c.is_whitespace() && *c != '_').flat_map(char::to_lowercase).collect();
    if bare.starts_with("//") || bare.starts_with('#') && !bare.starts_with("#[") {
        return false;
    }
    let is_none = ["retry:0", "retries:0", "retrytimes(0", "retries(0"].iter().any(|it| bare.contains(it));
    let is_option =
        || HEADS.iter().any(|head| line.starts_with(head)) && OPTIONS.iter().any(|it| bare.contains(it));
    !is_none && (MARKS.iter().any(|mark| bare.contains(mark)) || is_option())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_that_repeat_tests_are_told() {
        let told = |path: &str, before: &str, after: &str| {
            let text = |it: &str| Some(it.to_owned());
            retried(&Change { path: path.to_owned(), before: text(before), after: text(after) }).is_some()
        };
        assert!(told("a.test.ts", "it('a', () => {\n", "it('a', { retry: 3 }, () => {\n"));
        assert!(told("test_a.py", "def test_a():\n", "@pytest.mark.flaky(reruns=3)\ndef test_a():\n"));
        assert!(told(
            "CartTests.cs",
            "[Test]\npublic void A() {\n",
            "[Test, Retry(3)]\n[Retry(3)]\npublic void A() {\n"
        ));
        assert!(told("a.test.js", "\n", "jest.retryTimes(2);\n"));
        assert!(told("test/a_test.dart", "  });\n", "  }, retry: 3);\n"));
        assert!(!told("test/a_test.dart", "  });\n", "  }, retry: 0);\n"));
        assert!(!told("a.test.ts", "it('a', () => {\n", "it('a', { retry: 0 }, () => {\n"));
        assert!(!told("src/a.ts", "it('a', () => {\n", "it('a', { retry: 3 }, () => {\n"));
        assert!(!told("a.test.ts", "x\n", "expect(plan({ retries: 3 })).toBe(1);\n"));
        assert!(!told("a.test.ts", "x\n", "afterAll(() => rm(folder, { force: true, maxRetries: 3 }));\n"));
        assert!(!told("CartTest.java", "x\n", "var client = new Client(Options.of().maxRetries(4));\n"));
        assert!(told("CartTest.java", "void a() {\n", "@RetryOnFailure(maxRetries = 4)\nvoid a() {\n"));
    }
}
