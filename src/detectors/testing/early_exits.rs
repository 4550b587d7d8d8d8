//! Tests that end early, or pass rows over, under a new condition about what they test or what they are given.
//!
//! A condition about the machine, and one behind the assertions about the same, are nobody's loss.

use crate::detectors::TestComparison;
use crate::detectors::testing::test_lines::words_of;
use crate::detectors::testing::word_edit::line_at;
use crate::languages::Test;
use crate::languages::testing::skip_condition::is_asked_for_in_go;

/// What ends a test or a row without a word, at the start of a statement.
const QUIET: &[&str] = &["return", "continue", "next"];
/// What ends a test and says that it was skipped, or leaves a block of it.
const SKIPS: &[&str] = &[
    "t.Skip",
    "pytest.skip(",
    "pytest.xfail(",
    "self.skipTest(",
    "this.skip(",
    "ctx.skip(",
    "context.skip(",
    "t.skip(",
    "test.skip(",
    "GTEST_SKIP",
    "throw XCTSkip",
    "$this->markTestSkipped(",
    "$this->markTestIncomplete(",
    "self::markTestSkipped(",
    "Assert.Ignore(",
    "Assert.Inconclusive(",
    "skip(",
    "skip ",
    "raise unittest.SkipTest",
    "raise SkipTest",
    "throw new SkipException",
    "raise pytest.skip",
    "return@",
];
/// Calls that end a test unless their condition holds, or where it does.
const ASSUMES: &[&str] = &[
    "assumeTrue(",
    "assumeFalse(",
    "assumeThat(",
    "Assume.That(",
    "prop_assume!(",
    "assume(",
    "XCTSkipIf(",
    "XCTSkipUnless(",
    "Skip.If(",
    "Skip.IfNot(",
    "assumingThat(",
];
/// Parts of conditions that ask for the machine, and not for what is tested.
const MACHINE: &[&str] = &[
    "sys.",
    "os.name",
    "os.path",
    "os.environ",
    "platform",
    "Platform",
    "GOOS",
    "GOARCH",
    "Getenv",
    "getenv",
    "env(",
    "ENV",
    ".env",
    "RUBY_",
    "PHP_",
    "isWindows",
    "isMac",
    "IS_WINDOWS",
    "geteuid",
    "Getuid",
    "uid",
    "which(",
    "LookPath",
    "Short()",
    "exists(",
    "exist?",
    "Exists(",
    "available",
    "Available",
    "version",
    "VERSION",
    "cfg!",
    "isCI",
    "OperatingSystem",
    "hostname",
    "respond_to",
    "hasattr(",
    "method_exists",
    "typeof",
];
/// Words of assertions that name nothing that a test is about.
const COMMON: &[&str] = &[
    "self",
    "this",
    "t",
    "assert",
    "expect",
    "not",
    "nil",
    "None",
    "null",
    "true",
    "false",
    "True",
    "False",
    "len",
    "is",
    "in",
    "if",
    "Errorf",
    "Fatalf",
    "Error",
    "Fatal",
    "toBe",
    "toEqual",
    "Equal",
    "require",
    "to",
    "eq",
    "and",
    "or",
    "raises",
    "pytest",
    "errors",
    "Is",
    "want",
    "reflect",
    "DeepEqual",
    "undefined",
    "length",
    "size",
    "count",
    "String",
    "new",
    "tests",
    "testing",
];

/// How a test would end early, with the line.
pub(super) fn left_early(comparison: &TestComparison, before: &Test, after: &Test) -> Option<(u32, String)> {
    let source = comparison.change.after.as_deref();
    let (old, new) = (before.text_in(comparison.change.before.as_deref()), after.text_in(source));
    if old == new {
        return None;
    }
    let asked: Vec<&str> = before
        .assertions
        .iter()
        .flat_map(|it| words_of(&it.text))
        .filter(|word| !COMMON.contains(word) && word.starts_with(|c: char| c.is_alphabetic() || c == '_'))
        .collect();
    let (first, _) = line_at(source.unwrap_or_default(), after.span.start);
    let is_known = |line: &str| old.lines().any(|it| it.trim() == line.trim());
    let lines = (first..).zip(new.lines()).zip(new.lines().skip(1).chain([""]));
    lines.filter(|((_, line), _)| !is_known(line)).find_map(|((number, line), next)| {
        if marks_failing(line) {
            return Some((number, format!("`{}` would let the test fail", line.trim())));
        }
        let (condition, exit) = leaving(line, next).filter(|(condition, _)| !is_about_machine(condition))?;
        // What was asserted before may be all that there is to say.
        let is_behind = || begins_with(&exit, QUIET) && after.assertions.iter().any(|it| it.line < number);
        (is_about_asked(old, &asked, &condition, &exit) && !is_behind())
            .then(|| (number, format!("the test would end early where `{}`", condition.trim())))
    })
}

/// Whether a condition that leaves the test is about what its assertions ask. A skip by what anything of the test comes
/// to is one by what is tested.
fn is_about_asked(old: &str, asked: &[&str], condition: &str, exit: &str) -> bool {
    let is_compared = ["==", "!=", "<", ">", "equal"].iter().any(|sign| condition.contains(sign));
    let is_quiet = begins_with(exit, QUIET);
    let is_skip = begins_with(exit, SKIPS) || ASSUMES.contains(&exit);
    let is_used = |word: &str| {
        !COMMON.contains(&word)
            && word.starts_with(char::is_alphabetic)
            && old.lines().any(|line| words_of(line).any(|it| it == word))
    };
    (!is_quiet || is_compared) && words_of(condition).any(|word| asked.contains(&word))
        || is_skip && is_compared && words_of(condition).any(is_used)
}

/// Whether a condition asks for the machine that a test runs on.
pub(super) fn is_about_machine(condition: &str) -> bool {
    let is_of_machine = |operand: &str| MACHINE.iter().any(|word| operand.contains(word));
    // Of several conditions one is enough; one that holds in every plain run is none.
    condition.split("||").all(|part| part.split("&&").any(|it| is_of_machine(it) && !is_asked_for_in_go(it)))
}

fn begins_with(text: &str, heads: &[&str]) -> bool {
    heads.iter().any(|head| text.starts_with(head))
}

/// A mark that a test puts on itself: `request.applymarker(pytest.mark.xfail)`.
fn marks_failing(line: &str) -> bool {
    ["applymarker(pytest.mark.", "add_marker(pytest.mark.", "add_marker(\""].iter().any(|head| {
        line.split(head).nth(1).is_some_and(|rest| rest.starts_with("xfail") || rest.starts_with("skip"))
    })
}

/// The condition under which a line leaves the test, and how it does.
pub(super) fn leaving(line: &str, next: &str) -> Option<(String, String)> {
    let bare = line.trim().trim_end_matches(';');
    let bare = bare.strip_prefix("try ").unwrap_or(bare);
    if let Some(call) = ASSUMES.iter().find(|call| {
        bare.match_indices(**call).next().is_some_and(|(at, _)| !bare[..at].contains(['=', '"', '\'', ' ']))
    }) {
        let condition = bare.split(call).nth(1)?;
        // A call is what is tested; what a generator gives may be left out.
        return condition
            .contains('(')
            .then(|| (condition.trim_end_matches(')').to_owned(), (*call).to_owned()));
    }
    let is_exit = |text: &str| {
        let text = text.trim_start();
        begins_with(text, QUIET) || begins_with(text, SKIPS)
    };
    // `next if row.empty?`.
    for word in [" if ", " unless "] {
        if let Some((exit, condition)) =
            bare.split_once(word).filter(|(exit, _)| is_exit(exit) && !exit.contains(" = "))
        {
            return Some((condition.to_owned(), exit.trim().to_owned()));
        }
    }
    let rest = ["if ", "if(", "unless ", "guard "].iter().find_map(|head| bare.strip_prefix(head))?;
    // `if (row.isBad) return;`, `if x: continue`, `if x { return }`.
    for mark in
        [") return", ") continue", ": return", ": continue", "{ return", "{ continue", ") t.Skip", "{ t.Skip"]
    {
        if let Some((condition, _)) = rest.split_once(mark) {
            let exit = mark.trim_start_matches([')', ':', '{', ' ']);
            return Some((condition.to_owned(), exit.to_owned()));
        }
    }
    // `if (till.total() == 0) GTEST_SKIP()`.
    let one_line = rest.match_indices(") ").find(|(at, _)| rest.get(at + 2..).is_some_and(is_exit));
    if let Some((at, _)) = one_line {
        return Some((rest.get(..at)?.to_owned(), rest.get(at + 2..)?.to_owned()));
    }
    let opens = bare.ends_with(['{', ':']) || bare.ends_with(" then") || bare.ends_with(" do");
    let leaves = is_exit(next) && !next.trim_start().starts_with("return ");
    (opens && leaves).then(|| {
        let condition = rest.trim_end_matches(['{', ':']).trim_end_matches(" then").trim();
        (condition.to_owned(), next.trim().to_owned())
    })
}

/// Whether all conditions that are new in a test are about what it tests or is given.
pub(super) fn is_of_tests(was: &str, is: &str) -> bool {
    const HEADS: &[&str] = &["if ", "if(", "unless ", "guard ", "when "];
    let conditions = is.lines().filter(|line| begins_with(line.trim_start(), HEADS));
    let mut new = conditions.filter(|line| !was.lines().any(|old| old.trim() == line.trim())).peekable();
    new.peek().is_some() && !new.any(is_about_machine)
}
