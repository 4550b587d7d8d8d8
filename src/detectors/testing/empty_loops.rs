//! Loops of a test over nothing, or over less than before: what stands in them is asserted of nothing.

use crate::detectors::Comparison;
use crate::languages::Test;
use crate::languages::differing::Middle;

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
pub(super) fn emptied(comparison: &Comparison, before: &Test, after: &Test) -> Option<String> {
    if !before.looped || after.assertions.is_empty() {
        return None;
    }
    let heads = |source: &Option<String>, test: &Test| -> Vec<String> {
        let text = source.as_deref().and_then(|it| it.get(test.span.clone())).unwrap_or_default();
        text.lines().filter_map(head).collect()
    };
    let (was, is) = (heads(&comparison.change.before, before), heads(&comparison.change.after, after));
    let count = |all: &[String], marks: &[&str]| {
        all.iter().filter(|line| marks.iter().any(|it| line.contains(it))).count()
    };
    if was.is_empty() || was.len() != is.len() {
        return None;
    }
    if count(&is, EMPTY) > count(&was, EMPTY) {
        return Some("the assertions would stand in a loop over nothing".to_owned());
    }
    (count(&is, CUT) > count(&was, CUT))
        .then(|| "the assertions would run for some of the values only".to_owned())
}

/// The line of a file of tests that gives them some of their rows only, where one without the cut gave them all:
/// `@pytest.mark.parametrize("a", CASES[:1])`, `it.each(rows.slice(0, 2))`, `for tt in tests[..1]`.
pub(super) fn cut_rows(old: &str, new: &str) -> Option<(u32, String)> {
    const FEEDS: &[&str] = &[
        "for",
        "each",
        "parametrize",
        "foreach",
        "cases",
        "rows",
        "tests",
        "data",
        "table",
        "examples",
        "inputs",
    ];
    let squeezed = |line: &str| line.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    let middle = Middle::of(old, new);
    let gone: Vec<String> = middle.before.lines().map(squeezed).collect();
    let lines = (middle.first_line(new)..).zip(middle.after.lines());
    lines.filter(|(_, line)| line.contains(['[', '.'])).find_map(|(at, line)| {
        let text = squeezed(line);
        let lower = text.to_lowercase();
        let is_claim = ["assert", "expect(", "require.", "should"].iter().any(|word| lower.contains(word));
        let feeds = FEEDS.iter().any(|word| lower.contains(word));
        (feeds && !is_claim && uncut(&text).any(|whole| gone.contains(&whole)))
            .then(|| (at, format!("`{}` would give the tests some of the rows only", line.trim())))
    })
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
    let slices = line.match_indices('[').filter_map(|(at, _)| {
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
    let calls = methods.filter_map(|(at, length)| {
        let rest = line.get(at + length..)?;
        let mut depth = 1i32;
        let end = rest.char_indices().find(|(_, c)| {
            depth += i32::from(matches!(c, '(' | '[' | '{')) - i32::from(matches!(c, ')' | ']' | '}'));
            depth == 0
        })?;
        Some(format!("{}{}", &line[..at], rest.get(end.0 + 1..)?))
    });
    slices.chain(calls).collect::<Vec<_>>().into_iter()
}

/// The head of a loop, in lower case without white space.
fn head(line: &str) -> Option<String> {
    let bare: String = line.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_lowercase();
    let is_loop = line.trim_start().starts_with("for")
        || [".each", ".foreach", "|>enum.each", "enum.each(", "foreach("].iter().any(|it| bare.contains(it));
    is_loop.then_some(bare)
}
