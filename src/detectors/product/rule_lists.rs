//! Rules of a field as one text or as a list: `'required|file|max:800'`, `['required', 'file', 'max:500']`.

use crate::detectors::engine::code_lines::{PLAIN_QUOTES, quoted};
use crate::detectors::engine::hunks::{CodeLine, TextHunk};

/// Rules whose number is the most that passes, and the least.
const MOST: &[&str] = &["max", "lte", "lt", "before", "max_length", "less_than"];
const LEAST: &[&str] = &["min", "gte", "gt", "after", "min_length", "greater_than"];
/// Rules that let more through.
const OPENING: &[&str] = &["nullable", "sometimes", "optional", "permit_empty", "if_exist"];
/// Lines that a list of rules has at most.
const LINES: usize = 30;

/// Whether what comes for a line of rules has them all, or tighter ones, in whatever form.
pub(super) fn has_rules_of(hunk: &TextHunk, line: &CodeLine) -> bool {
    let Some((key, old)) = rules(line.text) else { return false };
    let at = hunk.come.iter().position(|it| begins_with(it.text, key));
    let Some(from) = at.and_then(|at| hunk.come.get(at..)) else { return false };
    let Some((_, new)) = rules(&statement(from)) else { return false };
    let is_kept = |rule: &String| new.iter().any(|other| is_as_tight(rule, other));
    let is_opened = new.iter().any(|rule| OPENING.contains(&rule.as_str()) && !old.contains(rule));
    old.len() > 1 && !is_opened && old.iter().all(is_kept)
}

/// A list over several lines as one.
fn statement(lines: &[CodeLine]) -> String {
    let mut text = String::new();
    for line in lines.iter().take(LINES) {
        text.push_str(line.text);
        if text.matches('[').count() <= text.matches(']').count()
            || text.len() > line.text.len() && line.text.contains("=>")
        {
            break;
        }
    }
    text
}

fn begins_with(text: &str, key: &str) -> bool {
    quoted(text, PLAIN_QUOTES).next() == Some(key) && text.starts_with(PLAIN_QUOTES)
}

/// A field and its rules, where a line gives some to one.
fn rules(text: &str) -> Option<(&str, Vec<String>)> {
    let key = quoted(text, PLAIN_QUOTES).next().filter(|_| text.starts_with(PLAIN_QUOTES))?;
    let (_, value) =
        text.split_once("=>").or_else(|| text.split_once("':")).or_else(|| text.split_once("\":"))?;
    let value = value.trim_start();
    let rules = |text: &str| text.split('|').map(|it| it.trim().to_owned()).collect::<Vec<_>>();
    let all: Vec<String> = match value.chars().next()? {
        // A pattern may have the sign itself.
        '[' => quoted(value, PLAIN_QUOTES)
            .flat_map(|it| if it.contains("regex:") { vec![it.to_owned()] } else { rules(it) })
            .collect(),
        '\'' | '"' => quoted(value, PLAIN_QUOTES).next().map(rules)?,
        _ => return None,
    };
    Some((key, all))
}

/// Whether a rule refuses all that another refuses.
fn is_as_tight(old: &str, new: &str) -> bool {
    if old == new {
        return true;
    }
    let (Some((name, from)), Some((other, to))) = (old.split_once(':'), new.split_once(':')) else {
        return false;
    };
    let (Ok(from), Ok(to)) = (from.trim().parse::<f64>(), to.trim().parse::<f64>()) else { return false };
    name == other && (MOST.contains(&name) && to <= from || LEAST.contains(&name) && to >= from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_compared_as_a_set() {
        let line = |text| CodeLine { text, at: 0, number: 1 };
        for (old, new, expected) in [
            (
                "'scan' => 'required|file|max:900',",
                "'scan' => ['required', 'file', 'max:400', 'mimes:pdf'],",
                true,
            ),
            ("'scan' => ['required', 'max:900'],", "'scan' => 'max:900|required',", true),
            ("'scan' => 'required|file|max:900',", "'scan' => ['required', 'max:900'],", false),
            ("'scan' => 'required|file|max:900',", "'scan' => ['required', 'file', 'max:9000'],", false),
            ("'pin' => 'required|min:6',", "'pin' => ['required', 'min:8'],", true),
            ("'pin' => 'required|min:6',", "'pin' => ['required', 'min:4'],", false),
            ("'pin' => 'required|min:6',", "'pin' => ['nullable', 'required', 'min:6'],", false),
            ("'pin' => 'required|min:6',", "'code' => ['required', 'min:6'],", false),
        ] {
            let hunk = TextHunk { gone: vec![line(old)], come: vec![line(new)], ..TextHunk::default() };
            assert_eq!(has_rules_of(&hunk, &line(old)), expected, "{old} -> {new}");
        }
        let old = line("'scan' => 'required|max:900',");
        let come = vec![line("'scan' => ["), line("'required',"), line("'max:900',"), line("'mimes:pdf',")];
        assert!(has_rules_of(&TextHunk { gone: vec![old], come, ..TextHunk::default() }, &old));
    }
}
