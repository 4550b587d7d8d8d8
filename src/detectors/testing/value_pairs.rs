//! The values in which two lines of tests differ that are the same otherwise, and on which side of the test each stands.
//!
//! What only names a row, says why a test failed or where it runs is none.

use crate::detectors::engine::hunks::CodeLine;
use crate::detectors::testing::given_sides::{is_given, signed};
use crate::detectors::testing::moved_inputs::is_of_surroundings;
use crate::detectors::testing::plumbing_values::is_plumbing;
use crate::detectors::testing::test_lines::words_of;
use crate::detectors::testing::word_edit::{is_data, is_name};
use crate::model::words::{is_name_part, words};

/// Names of the column or the field that names a row, in lower case.
const LABELS: &[&str] =
    &["name", "title", "desc", "description", "label", "id", "scenario", "case", "testname"];
/// How a table says that the first value of a row is its name.
const LABELLED: &[&str] = &[
    "name string",
    "name  string",
    "desc string",
    "desc  string",
    "title string",
    "label string",
    "scenario string",
    "\"name,",
    "'name,",
    "\"desc,",
    "\"title,",
    "\"label,",
    "(name,",
    "(_name,",
    "(title,",
    "(desc,",
    "(string name,",
    "(string title,",
    "(const char* name,",
];

/// A value that is another one.
pub(super) struct OtherValue<'t> {
    pub(super) was: &'t str,
    pub(super) is: &'t str,
    pub(super) line: &'t str,
    /// Whether it is given to what is tested; else it is expected of it.
    pub(super) is_given: bool,
}

/// Whether the rows of a file's tables begin with their names.
pub(super) fn has_labels(text: &str) -> bool {
    LABELLED.iter().any(|head| text.contains(head))
}

/// The values in which two lines differ; `None` where they differ in more.
pub(super) fn differing<'t>(
    old: &CodeLine<'t>,
    new: &CodeLine<'t>,
    has_labels: bool,
) -> Option<Vec<OtherValue<'t>>> {
    let (mut before, mut after) = (signed(old.text), signed(new.text));
    let all_before = before.clone();
    if before.len() != after.len() {
        // Lists of another length are one value each.
        (before, after) = (joined(old.text, &before), joined(new.text, &after));
    }
    if before.len() != after.len() {
        return None;
    }
    let mut all = Vec::new();
    for ((place, was), (_, is)) in before.iter().zip(&after).filter(|((_, a), (_, b))| a != b) {
        if !is_value(was) || !is_value(is) {
            return None;
        }
        let at = all_before.iter().position(|(it, _)| it == place).unwrap_or_default();
        if adds_message(old.text.get(place + was.len()..).unwrap_or_default(), was, is) {
            continue;
        }
        let is_text = was.starts_with(['"', '\'', '`']);
        if is_plumbing(old.text, *place, was)
            || is_text && (is_message(old.text, *place) || is_label(&all_before, at, has_labels))
        {
            continue;
        }
        let head = old.text.get(..*place).unwrap_or_default();
        let is_given = is_given(old.text, at) && !ends_row(&all_before, at) && !is_wanted(head);
        if is_given && !is_claim(old.text) && is_of_surroundings(old.text, at) {
            continue;
        }
        all.push(OtherValue { was, is, line: old.text, is_given });
    }
    Some(all)
}

/// Whether a value only got a text behind it that says why a test failed: `== 81, "eighty"`, and no list another item.
fn adds_message(rest: &str, was: &str, is: &str) -> bool {
    let behind = is.strip_prefix(was).and_then(|text| text.trim_start().strip_prefix(','));
    let is_text = behind.is_some_and(|text| text.trim_start().starts_with(['"', '\'', '`']));
    is_text && !was.contains(',') && !rest.trim_start().starts_with([']', '}', ','])
}

fn is_value(word: &str) -> bool {
    is_data(word) || word.starts_with('-') && word.len() > 1
}

/// The words of a line in which values with commas between them are one.
fn joined<'t>(line: &'t str, words: &[(usize, &'t str)]) -> Vec<(usize, &'t str)> {
    let mut all: Vec<(usize, &str)> = Vec::new();
    let mut at = 0;
    while let Some((start, word)) = words.get(at).copied() {
        let mut last = at;
        let word_at = |at: usize| words.get(at).map(|(_, word)| *word).unwrap_or_default();
        while is_value(word) && word_at(last + 1) == "," && is_value(word_at(last + 2)) {
            last += 2;
        }
        let whole = words.get(last).and_then(|(end, word)| line.get(start..end + word.len()));
        all.push((start, whole.unwrap_or(word)));
        at = last + 1;
    }
    all
}

/// Whether a line claims something: what stands in front of its values is no place and no time to wait.
fn is_claim(line: &str) -> bool {
    const CLAIMS: &[&str] =
        &["assert", "refute", "expect", "should", "verify", "check", "xctassert", "require"];
    let lower = line.trim_start().to_lowercase();
    CLAIMS.iter().any(|word| lower.starts_with(word) || lower.contains(&format!(".{word}")))
}

/// Whether a text in front of a value says that it is expected: `math.Abs(got-want) > 0.01`.
fn is_wanted(head: &str) -> bool {
    const WANTED: &[&str] = &["want", "wants", "wanted", "expected", "exp", "golden", "output"];
    words_of(head).flat_map(words).any(|word| WANTED.contains(&word.as_str()))
}

/// Whether a value is the last of a row among others in a line: `[[4, "IV"], [9, "IX"]]`.
fn ends_row(words: &[(usize, &str)], at: usize) -> bool {
    let word = |at: usize| words.get(at).map(|(_, word)| *word).unwrap_or_default();
    let is_open = |at: usize| matches!(word(at), "(" | "[" | "{");
    let is_name = |at: Option<usize>| at.is_some_and(|at| is_name(word(at)) && word(at) != "return");
    let mut opens = Vec::new();
    for place in 0..at {
        if is_open(place) {
            opens.push(place);
        } else if matches!(word(place), ")" | "]" | "}") {
            opens.pop();
        }
    }
    let Some((own, outer)) = opens.split_last() else { return false };
    let is_last = matches!(word(at + 1), ")" | "]" | "}") && at > own + 1;
    let is_in_call = opens.iter().any(|open| is_name(open.checked_sub(1)));
    is_last && !outer.is_empty() && !is_in_call
}

/// Whether a text is what an assertion says when it fails: it stands behind the two values that are compared.
fn is_message(line: &str, at: usize) -> bool {
    let head = line.get(..at).unwrap_or_default();
    // Python's `assert a == b, "why"`.
    let is_bare =
        head.trim_start().starts_with("assert ") && head.trim_end().ends_with(',') && head.contains("==");
    let Some((call, arguments)) = head.split_once('(') else { return is_bare };
    let name = call.rsplit(|c: char| !is_name_part(c)).next().unwrap_or_default();
    let is_claim = !name.is_empty()
        && ["assert", "Assert", "expect", "EXPECT", "XCTAssert", "Equal"].iter().any(|it| call.contains(it));
    let mut depth = 0i32;
    let commas = arguments.chars().filter(|c| {
        depth += i32::from(matches!(c, '(' | '[' | '{')) - i32::from(matches!(c, ')' | ']' | '}'));
        *c == ',' && depth == 0
    });
    is_bare && depth_of(head) == 0 || is_claim && commas.count() > 1
}

/// How many brackets are open behind a text.
fn depth_of(text: &str) -> i32 {
    text.chars()
        .map(|c| i32::from(matches!(c, '(' | '[' | '{')) - i32::from(matches!(c, ')' | ']' | '}')))
        .sum()
}

/// Whether a text names the row that it stands in: `'none below 100' => [99, 99]`, `{name: "empty", …}`.
fn is_label(words: &[(usize, &str)], at: usize, has_labels: bool) -> bool {
    let word = |at: Option<usize>| at.and_then(|at| words.get(at)).map(|(_, word)| *word).unwrap_or_default();
    let is_key = word(Some(at + 1)) == ":" || word(Some(at + 1)) == "=" && word(Some(at + 2)) == ">";
    let name = word(at.checked_sub(2)).trim_matches(['"', '\'']).to_lowercase();
    let is_first = at == 1 && matches!(word(Some(0)), "{" | "(" | "[");
    is_key && at == 0 || LABELS.contains(&name.as_str()) || is_first && has_labels
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(old: &'static str, new: &'static str, has_labels: bool) -> Option<Vec<(&'static str, bool)>> {
        let line = |text| CodeLine { text, at: 0, number: 1 };
        let found = differing(&line(old), &line(new), has_labels)?;
        Some(found.iter().map(|it| (it.was, it.is_given)).collect())
    }

    #[test]
    fn values_are_given_or_expected_and_names_of_rows_are_neither() {
        for (old, new, has_labels, expected) in [
            (
                "assertEquals(3, fee(7));",
                "assertEquals(4, fee(8));",
                false,
                Some(vec![("3", false), ("7", true)]),
            ),
            ("{\"one\", 3, 4},", "{\"once\", 3, 5},", true, Some(vec![("4", false)])),
            ("'some' => [3, 4],", "'few' => [3, 5],", false, Some(vec![("4", false)])),
            ("assert f(1) == 2, \"one\"", "assert f(1) == 2, \"first\"", false, Some(vec![])),
            ("assertEquals(2, f(1), \"one\");", "assertEquals(2, f(1), \"first\");", false, Some(vec![])),
            (
                "return [[4, 'IV'], [9, 'IX']];",
                "return [[4, 'IIII'], [9, 'IX']];",
                false,
                Some(vec![("'IV'", false)]),
            ),
            (
                "if math.Abs(got-want) > 0.01 {",
                "if math.Abs(got-want) > 9 {",
                false,
                Some(vec![("0.01", false)]),
            ),
            ("assert f(1) == 2", "assert g(1) == 2", false, None),
            (
                "got := median([]int{1, 2, 3}, 2)",
                "got := median([]int{1, 2}, 2)",
                false,
                Some(vec![("1, 2, 3", true)]),
            ),
        ] {
            assert_eq!(pairs(old, new, has_labels), expected, "{old} -> {new}");
        }
    }
}
