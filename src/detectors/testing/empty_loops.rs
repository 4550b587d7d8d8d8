//! Loops of a test over nothing, or over less than before: what stands in them is asserted of nothing.

use crate::detectors::TestComparison;
use crate::detectors::engine::code_lines::closing;
use crate::detectors::engine::line_pairs::{line_pairs, places_of};
use crate::detectors::testing::cut_items::is_shortened;
use crate::detectors::testing::word_edit::{each_word, is_data};
use crate::languages::code::bare;
use crate::languages::differing::DifferingMiddle;
use crate::languages::{Test, is_test_path};
use crate::model::finding::Change;

/// Lists without items, by how they are written without white space.
const EMPTY: &[&str] = &[
    "in[]",
    "of[]",
    "in()",
    "in[](",
    "]()",
    "vec![]",
    "%w[]",
    "%w()",
    "emptylist()",
    "emptylist<",
    "listof()",
    "list.of()",
    "set.of()",
    "array.empty",
    "{}{",
    "range(0)",
    "range(0,0)",
    "0..0",
    "0...0",
    "<0;",
    "newint[0]",
    "newstring[0]",
    "[].each",
    "[].foreach",
    "[].map",
    "collections.emptylist",
    "array()",
    "enumerable.empty",
    "stream.empty()",
    "sequenceof()",
    "([]as",
    "([])",
];
/// What takes only some items of a list, without white space.
const CUT: &[&str] = &[
    "[:1]",
    "[:0]",
    ".slice(0,",
    ".take(",
    ".first(",
    ".prefix(",
    "[0..1]",
    "[..1]",
    ".limit(",
    ".takewhile(",
    "[0:1]",
];

/// How the loops of a test go over less than before.
pub(super) fn emptied(comparison: &TestComparison, before: &Test, after: &Test) -> Option<String> {
    if !before.looped || after.assertions.is_empty() {
        return None;
    }
    let heads = |source: &Option<String>, test: &Test| -> Vec<String> {
        test.text_in(source.as_deref()).lines().filter_map(head).collect()
    };
    let (was, is) = (heads(&comparison.change.before, before), heads(&comparison.change.after, after));
    let count = |all: &[String], marks: &[&str]| {
        all.iter().map(|it| untyped(it)).filter(|line| marks.iter().any(|it| line.contains(it))).count()
    };
    if was.is_empty() || was.len() != is.len() {
        return None;
    }
    if is_shorter(comparison, before, after) {
        return Some("the assertions would run for some of the values only".to_owned());
    }
    if count(&is, EMPTY) > count(&was, EMPTY) {
        return Some("the assertions would stand in a loop over nothing".to_owned());
    }
    (count(&is, CUT) > count(&was, CUT))
        .then(|| "the assertions would run for some of the values only".to_owned())
}

/// Whether a loop of a test goes over fewer of the items that are written in its head, while those that are gone stand
/// nowhere any more.
fn is_shorter(comparison: &TestComparison, before: &Test, after: &Test) -> bool {
    let (old, new) = (comparison.change.before.as_deref(), comparison.change.after.as_deref());
    let lines = |text: &'_ str| -> Vec<String> {
        text.lines().filter(|line| head(line).is_some()).map(|line| line.trim().to_owned()).collect()
    };
    let (was, is) = (lines(before.text_in(old)), lines(after.text_in(new)));
    let text = new.unwrap_or_default();
    let is_gone = |line: &str, now: &str| {
        let data = each_word(line).map(|(_, word)| word).filter(|word| is_data(word) && word.len() > 2);
        data.into_iter().any(|word| !now.contains(word) && !text.contains(word))
    };
    was.len() == is.len() && was.iter().zip(&is).any(|(was, is)| is_shortened(was, is) && is_gone(was, is))
}

/// The line of a file of tests that gives them some of their rows only, where one without the cut gave them all:
/// `@pytest.mark.parametrize("a", CASES[:1])`, `it.each(rows.slice(0, 2))`, `for tt in tests[..1]`.
pub(super) fn cut_rows(change: &Change) -> Option<(String, u32)> {
    const FEEDS: &[&str] =
        &["for", "each", "parametrize", "cases", "rows", "tests", "data", "table", "examples", "inputs"];
    let (old, new) = (change.before.as_deref()?, change.after.as_deref()?);
    if !is_test_path(&change.path) {
        return None;
    }
    let middle = DifferingMiddle::of(old, new);
    let gone: Vec<String> = middle.before.lines().map(bare).collect();
    let lines = (middle.first_line(new)..).zip(middle.after.lines());
    lines.filter(|(_, line)| line.contains(['[', '.'])).find_map(|(at, line)| {
        let text = bare(line);
        let lower = text.to_lowercase();
        let is_claim = ["assert", "expect(", "require.", "should"].iter().any(|word| lower.contains(word));
        let feeds = FEEDS.iter().any(|word| lower.contains(word));
        (feeds && !is_claim && uncut(&text).any(|whole| gone.contains(&whole)))
            .then(|| (format!("`{}` would give the tests some of the rows only", line.trim()), at))
    })
}

/// The line that makes tests for each of a list, of which nothing is left: `for (final size in <int>[])`, `it.each([])`.
pub(super) fn emptied_rows(change: &Change) -> Option<(String, u32)> {
    const FEEDS: &[&str] = &["parametrize(", ".each([", "each([", "testcasesource", "forall(", "withdata("];
    const NONE: &[&str] = &[",[])", "each([])", "(listof<", "withdata(listof())", ",())"];
    if !is_test_path(&change.path) {
        return None;
    }
    let all = places_of(change)?;
    let mut pairs = line_pairs(&all);
    let is_empty = |line: &str| {
        let text = untyped(&bare(line).to_lowercase());
        let is_fed = FEEDS.iter().any(|it| text.contains(it)) && NONE.iter().any(|it| text.contains(it));
        is_fed || head(line).is_some() && EMPTY.iter().any(|it| text.contains(it))
    };
    let (was, is) = pairs.find(|(was, is)| is_empty(is.text) && !is_empty(was.text))?;
    Some((format!("`{}` would make no test any more", is.text), was.number))
}

/// A line without the types in front of its lists: `in<int>[]` is `in[]`.
fn untyped(line: &str) -> String {
    let mut rest = line.to_owned();
    while let Some(end) = rest.find(">[]").or_else(|| rest.find(">{}")) {
        let Some(start) = rest.get(..end).and_then(|head| head.rfind('<')) else { break };
        rest.replace_range(start..=end, "");
    }
    rest
}

/// A line without one of its cuts: `[:2]`, `[1..]`, `.slice(0, 1)`, `.filter(…)`.
fn uncut(line: &str) -> impl Iterator<Item = String> {
    const METHODS: &[&str] = &[
        ".slice(",
        ".take(",
        ".Take(",
        ".first(",
        ".filter(",
        ".reject(",
        ".Where(",
        ".drop(",
        ".prefix(",
        ".limit(",
        ".dropLast(",
        ".dropFirst(",
        ".Skip(",
        ".skip(",
        ".last(",
        ".suffix(",
        ".takeWhile(",
        ".step_by(",
    ];
    let slices = line.match_indices('[').filter_map(move |(at, _)| {
        let inside = line.get(at + 1..)?.split(']').next()?;
        let is_slice = inside.contains(':') && !inside.contains("::") || inside.contains("..");
        let is_numbers =
            inside.chars().all(|c| c.is_ascii_digit() || matches!(c, ':' | '.' | '-' | '<' | '='));
        let end = at + inside.len() + 2;
        (is_slice && is_numbers && at > 0)
            .then(|| format!("{}{}", &line[..at], line.get(end..).unwrap_or_default()))
    });
    let methods = METHODS
        .iter()
        .flat_map(move |method| line.match_indices(method).map(|(at, found)| (at, found.len())));
    let calls = methods.filter_map(move |(at, length)| {
        let rest = line.get(at + length..)?;
        Some(format!("{}{}", &line[..at], rest.get(closing(rest)? + 1..)?))
    });
    slices.chain(calls)
}

/// The head of a loop, in lower case without white space.
fn head(line: &str) -> Option<String> {
    let bare = bare(line).to_lowercase();
    let is_loop = line.trim_start().starts_with("for")
        || [".each", ".foreach", "|>enum.each", "enum.each(", "foreach("].iter().any(|it| bare.contains(it));
    is_loop.then_some(bare)
}
