//! Tests that a build file makes known by name: targets of Bazel, tests of Meson and of CTest. One that goes while what it
//! is built from stays, or that a run over all tests leaves out or repeats, is a loss.

use crate::detectors::Case;
use crate::detectors::checks::setting_keys::SettingFinding;
use crate::detectors::checks::test_sources::is_removed;
use crate::detectors::engine::code_lines::{PLAIN_QUOTES, quoted};
use crate::languages::code::bare;
use crate::languages::file_name;
use crate::model::finding::{Change, Severity};
use crate::model::words::has_word;

/// A test that a build file names.
struct RegisteredTest {
    name: String,
    /// What the test is built from, or runs.
    of: Vec<String>,
    /// All that is said of the test, without white space.
    said: String,
    line: u32,
}

/// A test that a build file no longer makes known, or no longer takes at its word.
pub(super) fn weakened(case: &Case, change: &Change, before: &str, after: &str) -> Option<SettingFinding> {
    let read: fn(&str) -> Vec<RegisteredTest> = match file_name(&change.path) {
        "BUILD" | "BUILD.bazel" => of_bazel,
        "meson.build" => of_meson,
        "CMakeLists.txt" => of_ctest,
        _ => return None,
    };
    let (old, new) = (read(before), read(after));
    // A loop or a pattern stands for many.
    let is_of_many = |text: &str| text.matches("foreach").count() + text.matches("glob(").count();
    let lost = old.iter().find(|test| {
        !new.iter().any(|it| it.name == test.name || shares(test, it)) && stays(case, change, after, test)
    });
    if let Some(test) = lost.filter(|_| is_of_many(after) <= is_of_many(before)) {
        let what = format!("the test `{}` would not be made known any more", test.name);
        return Some((what, test.line, Severity::High));
    }
    new.iter().find_map(|test| {
        let was = old.iter().find(|it| it.name == test.name)?;
        let comes = |mark: &str| test.said.contains(mark) && !was.said.contains(mark);
        let how = match () {
            () if comes("\"manual\"") => "would be left out of a run of all tests",
            () if comes("--gtest_filter=-") && !is_run_besides(test, &old, &new) => {
                "would leave some of its cases out"
            }
            () if comes("flaky=True") => "would be run again until it passes",
            () => return None,
        };
        Some((format!("the test `{}` {how}", test.name), test.line, Severity::High))
    })
}

/// Whether a test that is new runs a part of the same program.
fn is_run_besides(test: &RegisteredTest, old: &[RegisteredTest], new: &[RegisteredTest]) -> bool {
    let is_new = |it: &&RegisteredTest| !old.iter().any(|old| old.name == it.name);
    new.iter().filter(is_new).any(|it| shares(it, test))
}

/// Whether two are built from the same.
fn shares(one: &RegisteredTest, other: &RegisteredTest) -> bool {
    one.of.iter().any(|it| other.of.contains(it))
}

/// Whether what a test is built from is still there: named in the file, or a file of its folder that the session has not
/// removed.
fn stays(case: &Case, change: &Change, after: &str, test: &RegisteredTest) -> bool {
    match file_name(&change.path) {
        "meson.build" | "CMakeLists.txt" => test.of.iter().any(|target| has_word(after, target)),
        _ => !test.of.is_empty() && !test.of.iter().any(|source| is_removed(case, &change.path, source)),
    }
}

/// Targets whose rule is one of tests: `py_test(name = "tax_test", srcs = ["tax_test.py"])`.
fn of_bazel(text: &str) -> Vec<RegisteredTest> {
    let mut all: Vec<RegisteredTest> = Vec::new();
    let mut open: Option<(u32, String)> = None;
    for (number, line) in (1u32..).zip(text.lines()) {
        let is_head = line.split_once('(').is_some_and(|(rule, _)| {
            rule.ends_with("_test") && !rule.starts_with([' ', '\t', '#']) && !rule.contains(' ')
        });
        if is_head {
            open = Some((number, String::new()));
        }
        let Some((_, said)) = open.as_mut() else { continue };
        said.push_str(line);
        said.push('\n');
        if line.starts_with(')') || is_head && line.trim_end().ends_with(')') {
            all.extend(open.take().and_then(|(at, said)| target(&said, at)));
        }
    }
    all
}

fn target(said: &str, line: u32) -> Option<RegisteredTest> {
    let value = |key: &str| said.split_once(key).map(|(_, rest)| rest);
    let name = value("name = ").and_then(|rest| quoted(rest, PLAIN_QUOTES).next())?.to_owned();
    let sources = value("srcs = ").and_then(|rest| rest.split(']').next()).unwrap_or_default();
    let of = quoted(sources, PLAIN_QUOTES).map(str::to_owned).collect();
    Some(RegisteredTest { name, of, said: bare(said), line })
}

/// `test('cart', cart_test, timeout : 30)`
fn of_meson(text: &str) -> Vec<RegisteredTest> {
    let read = |(line, text): (u32, &str)| {
        let inside = text.trim_start().strip_prefix("test(")?;
        let (name, rest) = inside.split_once(',')?;
        let of = rest.split([',', ')']).next().unwrap_or_default().trim().to_owned();
        let name = name.trim().trim_matches('\'').to_owned();
        Some(RegisteredTest { name, of: vec![of], said: bare(text), line })
    };
    (1u32..).zip(text.lines()).filter_map(read).collect()
}

/// `add_test(NAME cart COMMAND cart_test)`, `gtest_discover_tests(cart_test)`.
fn of_ctest(text: &str) -> Vec<RegisteredTest> {
    let read = |(line, text): (u32, &str)| {
        let (head, inside) = text.trim_start().split_once('(')?;
        let head = head.trim();
        let words: Vec<&str> = inside.split([' ', ')', '\t']).filter(|word| !word.is_empty()).collect();
        let (name, of) = match (head, &words[..]) {
            ("add_test", ["NAME", name, "COMMAND", of, ..]) | ("add_test", [name, of, ..]) => (*name, *of),
            (head, [of, ..]) if head.ends_with("_discover_tests") => (*of, *of),
            _ => return None,
        };
        let is_one = !name.contains("${") && !of.contains("${");
        is_one.then(|| RegisteredTest {
            name: name.to_owned(),
            of: vec![of.to_owned()],
            said: bare(text),
            line,
        })
    };
    (1u32..).zip(text.lines()).filter_map(read).collect()
}
