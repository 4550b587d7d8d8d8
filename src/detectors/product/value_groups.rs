//! Lists of literals that new code asks whether something is one of, in the place of work: the inputs of a test, written down.

use std::collections::BTreeSet;

use crate::detectors::engine::code_lines::CodeLine;
use crate::detectors::engine::hunks::TextHunk;
use crate::detectors::product::literals::{CodeLiteral, shown, value_of, values_of};
use crate::detectors::product::lookups::MEMBERS;
use crate::detectors::product::other_sides::OtherSide;
use crate::detectors::testing::word_edit::words;
use crate::languages::code::identifiers;
use crate::model::words::{has_word, is_name_part};

/// How else than by `MEMBERS` a line asks whether something is one of several, where its values are a test's inputs.
const MORE_MEMBERS: &[&str] =
    &["any?", ".any(", "binary_search(", "slices.Contains(", "isset(", "case ", "when "];
/// So many values of one list are no chance, or two that are as long as this.
const MANY: usize = 3;
const LONG: usize = 8;
/// So many lines of a test may hold the list.
const WITHIN: usize = 8;

/// The values of a new list that stands where something was worked out.
pub(super) fn asked_group(hunk: &TextHunk, old: &str) -> Vec<String> {
    let works = |line: &CodeLine| {
        line.text.contains(['(', '%', '*', '+', '/'])
            || line.text.starts_with("for")
            || line.text.starts_with("while")
    };
    if hunk.gone.len() < 2 || !hunk.gone.iter().any(works) || hunk.come.len() > hunk.gone.len() + 2 {
        return Vec::new();
    }
    let asks = |line: &CodeLine| MEMBERS.iter().chain(MORE_MEMBERS).any(|sign| line.text.contains(sign));
    let is_asked =
        |name: &str| hunk.come.iter().any(|line| asks(line) && identifiers(line.text).any(|it| it == name));
    let of_line = |line: &CodeLine| -> Vec<String> {
        let is_list = list_name(line.text).is_some_and(is_asked);
        if !is_list && !asks(line) {
            return Vec::new();
        }
        let all = CodeLiteral::all(&words(line.text));
        all.iter().map(|it| value_of(it.text)).filter(|it| !it.trim().is_empty()).collect()
    };
    let found: BTreeSet<String> =
        hunk.come.iter().flat_map(of_line).filter(|value| is_telling(value)).collect();
    let is_new = |value: &String| !old.lines().flat_map(values_of).any(|it| it == *value);
    let new: Vec<String> = found.into_iter().filter(is_new).collect();
    let long = new.iter().filter(|it| it.len() >= LONG).count();
    if new.len() >= MANY || long > 1 { new } else { Vec::new() }
}

/// Whether a value is none of the plain words that code tells kinds by.
fn is_telling(value: &str) -> bool {
    value.chars().any(|c| c.is_ascii_digit()) || value.len() >= LONG || value.contains(' ')
}

/// The name that a line gives a list.
fn list_name(line: &str) -> Option<&str> {
    let (head, list) = line.split_once('=')?;
    let head = head.split(':').next().unwrap_or(head).trim_end();
    let name = head.rsplit(|c| !is_name_part(c)).next()?;
    (list.contains(['[', '{', '(']) && name.len() > 1).then_some(name)
}

/// The first line of a test of the function that has all of the values near it, or several long ones anywhere.
pub(super) fn row_of_group(test: &OtherSide, group: &[String], function: &str) -> Option<String> {
    let began = test.began.as_deref().filter(|text| has_word(text, function))?;
    let wanted: BTreeSet<String> = group.iter().map(|it| squeeze(it)).collect();
    let lines: Vec<(&str, Vec<String>)> =
        began.lines().map(|line| (line, values_of(line).map(|it| squeeze(&it)).collect())).collect();
    let near = (0..lines.len()).find_map(|at| {
        let found: BTreeSet<&String> = lines
            .iter()
            .skip(at)
            .take(WITHIN)
            .flat_map(|(_, all)| all)
            .filter(|it| wanted.contains(*it))
            .collect();
        let first = lines.get(at).filter(|(_, all)| all.iter().any(|it| wanted.contains(it)))?;
        (found.len() == wanted.len()).then(|| shown(first.0))
    });
    near.or_else(|| {
        let long = |value: &&String| value.len() >= LONG && wanted.contains(*value);
        let found: BTreeSet<&String> = lines.iter().flat_map(|(_, all)| all).filter(long).collect();
        let first = lines.iter().find(|(_, all)| all.iter().any(|it| found.contains(it)))?;
        (found.len() > 1 && found.len() * 2 > wanted.len()).then(|| shown(first.0))
    })
}

/// A value without what may stand between its parts.
fn squeeze(value: &str) -> String {
    value.chars().filter(|c| !c.is_whitespace() && !matches!(c, '_' | '-')).collect()
}
