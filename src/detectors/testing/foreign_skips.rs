//! Skip marks in tests of languages that have no reader here: Groovy, Clojure, Julia, Lua, F#, Crystal.
//!
//! Only a line is judged that names a test, and that stood there without the mark.

use crate::detectors::engine::code_lines::CodeLine;
use crate::detectors::engine::hunks::{TextHunk, hunks};
use crate::languages::{Language, is_test_path};
use crate::model::finding::Change;

/// Words that begin a test, and the word that stands in the place of each for one that is not run.
const HEADS: &[(&str, &[&str])] = &[
    ("test", &["ignore", "xtest", "ptest", "skip", "pending"]),
    ("it", &["ignore", "xit", "pending", "pit", "skip"]),
    ("testCase", &["ptestCase"]),
    ("property", &["ignore"]),
    ("describe", &["xdescribe", "pending"]),
    ("@test", &["@test_skip", "@test_broken"]),
    ("@testset", &["@test_skip"]),
];
/// Marks in a line of their own above a test.
const ABOVE: &[&str] = &["@Ignore", "@PendingFeature", "@ignore", "@Disabled", "@Skip", "[<Ignore"];
/// What stands in the line of a test that is not run.
const WITHIN: &[&str] = &[
    "skip: true",
    "skip: '",
    "skip: \"",
    "^:skip",
    "^:kaocha/skip",
    "(Skip = ",
    "(Skip=",
    "ignore should",
    " ignore {",
    ".ignore",
];

/// The first test that ran before and carries a mark now.
pub(super) fn skipped(change: &Change) -> Option<(u32, String)> {
    let (old, new) = (change.before.as_deref()?, change.after.as_deref()?);
    if Language::of_path(&change.path).is_some() || !is_test_path(&change.path) || !is_code(&change.path) {
        return None;
    }
    let all = hunks("//", old, new)?;
    all.iter().find_map(|hunk| {
        let renamed = hunk.come.iter().find_map(|come| {
            let mark = hunk.gone.iter().find_map(|gone| marked(gone, come))?;
            Some((come.number, mark))
        });
        renamed.or_else(|| hunk.come.iter().find_map(|come| closed_with_mark(hunk, come))).or_else(|| {
            let above = hunk.come.iter().find(|it| ABOVE.iter().any(|mark| it.text.starts_with(mark)))?;
            let is_last = hunk.come.last().is_some_and(|it| it.at == above.at);
            let is_over_test = hunk.below.is_some_and(|below| is_test(below.text));
            (is_last && is_over_test && hunk.gone.is_empty()).then(|| (above.number, above.text.to_owned()))
        })
    })
}

/// The mark behind the body of a test: `}, skip: true);` for `});`.
fn closed_with_mark(hunk: &TextHunk, come: &CodeLine) -> Option<(u32, String)> {
    const SKIPS: &[&str] = &["skip: true", "skip: '", "skip: \""];
    let rest = come.text.strip_prefix('}')?.trim_start().strip_prefix(',')?;
    let mark = SKIPS.iter().find(|mark| rest.contains(**mark))?;
    (!hunk.gone.iter().any(|gone| gone.text.contains(mark))).then(|| (come.number, (*mark).to_owned()))
}

/// The mark by which a line is the other one, not run.
fn marked(old: &CodeLine, new: &CodeLine) -> Option<String> {
    let parts = |text: &'_ str| -> Option<(String, String)> {
        let end = text.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '@')))?;
        Some((text.get(..end)?.to_owned(), text.get(end..)?.to_owned()))
    };
    let ((was, rest), (is, given)) = (parts(old.text)?, parts(new.text)?);
    let is_renamed = HEADS.iter().any(|(head, others)| was == *head && others.contains(&is.as_str()));
    if is_renamed && rest == given && rest.len() > 3 {
        return Some(is);
    }
    let mark = WITHIN.iter().find(|mark| new.text.contains(**mark) && !old.text.contains(**mark))?;
    let title = |text: &str| text.split(['"', '\'']).nth(1).map(str::to_owned).filter(|it| it.len() > 2);
    let is_same = title(old.text).is_some() && title(old.text) == title(new.text)
        || new.text.replace(mark, "").len() + 4 > old.text.len()
            && new.text.starts_with(old.text.split(['(', ')', ' ']).next().unwrap_or("-"));
    (is_same && is_test(old.text)).then(|| (*mark).trim().to_owned())
}

/// Whether a line begins a test.
fn is_test(line: &str) -> bool {
    let lower = line.to_lowercase();
    [
        "test", "it(", "it ", "it(\"", "def ", "\"", "(deftest", "describe", "fun ", "void ", "let ",
        "[<fact", "property",
    ]
    .iter()
    .any(|head| lower.starts_with(head))
}

/// Whether a file is code, and no data or document.
fn is_code(path: &str) -> bool {
    const CODE: &[&str] = &[
        "groovy", "clj", "cljs", "cljc", "jl", "lua", "fs", "fsx", "cr", "nim", "zig", "ml", "hs", "erl",
        "R", "r", "pl", "t", "coffee", "vb", "d",
    ];
    path.rsplit_once('.').is_some_and(|(_, extension)| CODE.contains(&extension))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_other_languages_are_told() {
        for (path, before, after, expected) in [
            ("test/a_test.nim", "  test \"adds\":\n", "  test \"adds two\":\n", false),
            ("src/rule.nim", "  test \"adds\":\n", "  skip \"adds\":\n", false),
            ("test/a_test.nim", "  test \"adds\":\n", "  skip \"adds\":\n", true),
            // Dart has a reader, which tells it.
            ("test/a_test.dart", "  test('adds', () {\n", "  test('adds', skip: true, () {\n", false),
            ("src/test/groovy/ASpec.groovy", "  def \"adds\"() {\n", "  @Ignore\n  def \"adds\"() {\n", true),
            ("test/core_test.clj", "(deftest adds\n", "(deftest ^:skip adds\n", true),
            ("test/runtests.jl", "@test add(1, 2) == 3\n", "@test_skip add(1, 2) == 3\n", true),
            ("spec/a_spec.lua", "  it(\"adds\", function()\n", "  pending(\"adds\", function()\n", true),
        ] {
            let text = |line: &str| Some(format!("head(1)\n{line}  body(2)\n"));
            let change = Change { path: path.to_owned(), before: text(before), after: text(after) };
            assert_eq!(skipped(&change).is_some(), expected, "{path}: {after}");
        }
    }
}
