//! Loops of a test over nothing, or over less than before: what stands in them is asserted of nothing.

use crate::detectors::Comparison;
use crate::languages::Test;

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

/// The head of a loop, in lower case without white space.
fn head(line: &str) -> Option<String> {
    let bare: String = line.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_lowercase();
    let is_loop = line.trim_start().starts_with("for")
        || [".each", ".foreach", "|>enum.each", "enum.each(", "foreach("].iter().any(|it| bare.contains(it));
    is_loop.then_some(bare)
}
