//! Results that were worked out and are written down: an item of a list of literals, constants in the place of a loop.

use crate::detectors::engine::code_lines::lines;
use crate::detectors::engine::hunks::{CodeLine, TextHunk};
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::short;
use crate::detectors::product::literals::{is_literal, value_of};
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::parameters::body_code;
use crate::detectors::testing::word_edit::words;
use crate::languages::code::{bare, identifiers};
use crate::model::finding::Severity;

/// Words and calls that go over many.
const LOOPS: &[&str] = &[
    "for",
    "while",
    "foreach",
    "loop",
    "each",
    "map",
    "filter",
    "reduce",
    "forEach",
    "sum",
    "fold",
    "inject",
    "select",
    "Where",
    "Select",
    "Sum",
    "count",
    "reject",
    "partition",
    "retain",
    "removeIf",
    "sumOf",
    "delete_if",
];

/// The first function whose result is written down.
pub(super) fn written_result(revision: &Revision) -> Option<LostCheck> {
    listed(revision).or_else(|| counted_out(revision))
}

/// `2 ** attempt` that became `[2, 4][attempt]`.
fn listed(revision: &Revision) -> Option<LostCheck> {
    let line = revision.hunks().iter().find_map(put_in_list)?;
    let new = revision.after.functions.iter().rposition(|it| it.span.contains(&line.at))?;
    let name = revision.predecessor(new).and_then(|it| revision.before.functions.get(it))?.name;
    let what = format!("`{name}` would take its result from a list: `{}`", short(line.text));
    Some(LostCheck::new(line.number, name, what, Severity::Medium))
}

/// The line of a place that takes an item of a list, where one that is gone reckoned.
fn put_in_list<'a>(hunk: &TextHunk<'a>) -> Option<CodeLine<'a>> {
    let reckons =
        |text: &str| ["*", "+ ", "- ", "/ ", "<<", "pow", "%"].iter().any(|sign| text.contains(sign));
    let line = *hunk.come.iter().find(|it| item_of_list(it.text))?;
    let is_known = hunk.gone.iter().any(|it| item_of_list(it.text));
    (!is_known && hunk.gone.iter().any(|it| reckons(it.text))).then_some(line)
}

/// Whether a line takes an item of a list of two literals and more that stands in it.
fn item_of_list(line: &str) -> bool {
    let text = bare(line);
    ["][", "}[", ")[", "].get(", "}.get(", "].at(", "].fetch(", ").get(", "].nth("].iter().any(|sign| {
        let mut places = text.match_indices(sign);
        places.any(|(at, _)| {
            let Some(head) = text.get(..at) else { return false };
            let open = match sign.chars().next() {
                Some(']') => head.rfind('['),
                Some('}') => head.rfind('{'),
                _ => ["listOf(", "List.of(", "Array(", "array("]
                    .iter()
                    .filter_map(|it| head.rfind(it).map(|at| at + it.len() - 1))
                    .max(),
            };
            let inner = open.and_then(|from| head.get(from + 1..)).unwrap_or_default();
            let items: Vec<&str> = inner.split(',').collect();
            let is_value = |item: &&str| {
                let value = item.rsplit(':').next().unwrap_or(item).trim_matches(|c: char| c == '-');
                is_literal(value)
            };
            items.len() > 1 && items.iter().all(is_value)
        })
    })
}

/// A function that went over many and gave what it found, and gives one of several constants now.
fn counted_out(revision: &Revision) -> Option<LostCheck> {
    revision.working().find_map(|(_, _, before, after)| {
        let goes_over = |source: &str, span: &std::ops::Range<usize>| {
            let code = source.get(span.clone()).unwrap_or_default();
            identifiers(code).any(|word| LOOPS.contains(&word))
        };
        if before.name != after.name
            || !goes_over(revision.old, &before.body)
            || goes_over(revision.new, &after.body)
        {
            return None;
        }
        let (was, is) = (body_code(revision, revision.old, before), body_code(revision, revision.new, after));
        let (old, new) = (answers(&was), answers(&is));
        let values: std::collections::BTreeSet<String> = new.iter().flatten().cloned().collect();
        let is_written = new.len() > 1 && new.iter().all(Option::is_some) && values.len() > 1;
        let is_truth = values
            .iter()
            .all(|it| matches!(it.to_lowercase().as_str(), "true" | "false" | "null" | "nil" | "none"));
        let was_found = old.last().is_some_and(Option::is_none);
        let stays = lines(revision.words.comment, revision.new, after.body.clone()).count();
        (is_written && !is_truth && was_found && stays <= 12).then(|| {
            let given = values.iter().cloned().collect::<Vec<_>>().join("` or `");
            let what = format!("`{}` would give `{given}` where it went over all there is", before.name);
            LostCheck::new(before.line, before.name, what, Severity::High)
        })
    })
}

/// What each `return` of a body gives, where it is a literal.
fn answers(code: &str) -> Vec<Option<String>> {
    let returns = code.lines().filter_map(|line| {
        let at = line.find("return ")?;
        let value = line.get(at + 7..)?.trim_end_matches([';', ' ', '}']).trim();
        let all = words(value);
        let [(_, only)] = all[..] else { return Some(None) };
        Some(
            (is_literal(only)
                || matches!(only, "true" | "false" | "nil" | "null" | "None" | "True" | "False"))
            .then(|| value_of(only)),
        )
    });
    returns.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_of_a_written_list_is_told() {
        for (line, expected) in [
            ("sleep([2.0, 4.0][min(n, 2) - 1])", true),
            ("wait = {1: 2, 2: 4}[n]", true),
            ("return {1: \"a\", 2: \"b\"}.get(n, \"c\")", true),
            ("val wait = listOf(2L, 4L)[n]", true),
            ("d := []int{2, 4}[n]", true),
            ("x = rows[0][1]", false),
            ("x = [a, b][n]", false),
            ("x = table[n]", false),
        ] {
            assert_eq!(item_of_list(line), expected, "{line}");
        }
    }
}
