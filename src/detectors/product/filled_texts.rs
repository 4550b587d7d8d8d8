//! Texts that had values put into them, and that have the values of one input now; values that were worked on from what they
//! were, and are a number now.

use crate::detectors::engine::code_lines::lines;
use crate::detectors::engine::hunks::CodeLine;
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::short;
use crate::detectors::product::literals::{CodeLiteral, is_literal, is_template, value_of};
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::testing::word_edit::words;
use crate::languages::code::{bare, identifiers, is_log};
use crate::model::finding::Severity;

/// The first text or value of the kind.
pub(super) fn filled_in(revision: &Revision) -> Option<LostCheck> {
    filled_in_place(revision).or_else(|| filled_beside(revision))
}

/// A text for one input in a new branch, while the same function puts such texts together still.
fn filled_beside(revision: &Revision) -> Option<LostCheck> {
    let places = revision.hunks().iter().filter(|hunk| hunk.gone.is_empty() && hunk.come.len() <= 4);
    places.into_iter().find_map(|hunk| {
        let is_branch = |line: &CodeLine| {
            identifiers(line.text)
                .any(|it| matches!(it, "if" | "unless" | "elif" | "when" | "case" | "match"))
        };
        let line = hunk.come.iter().find(|it| !is_log(it.text) && it.text.contains(['"', '\'', '`']))?;
        let at = revision.after.functions.iter().rposition(|it| it.body.contains(&line.at))?;
        let old = revision.predecessor(at)?;
        let body = revision.old.get(revision.before.functions.get(old)?.body.clone())?;
        let numbers = lines(revision.words.comment, body, 0..body.len());
        let is_filled = numbers.into_iter().filter(|it| !is_log(it.text)).any(|it| has_values(&it, line));
        let name = revision.after.functions.get(at)?.name;
        let what = format!("`{}` would be written down where `{name}` puts it together", short(line.text));
        (is_filled && hunk.come.iter().any(is_branch))
            .then(|| LostCheck::new(line.number, name, what, Severity::High))
    })
}

/// A text or value for one input in the place of one that was worked out.
fn filled_in_place(revision: &Revision) -> Option<LostCheck> {
    let places = revision.hunks().iter().filter(|hunk| hunk.gone.len() <= 3 && hunk.come.len() <= 3);
    let mut pairs = places
        .flat_map(|hunk| hunk.gone.iter().flat_map(|gone| hunk.come.iter().map(move |come| (gone, come))));
    let (gone, come) = pairs.find(|(gone, come)| {
        !is_log(gone.text)
            && (has_values(gone, come) || is_put(gone.text, come.text))
            && revision.is_of_one(gone, come)
    })?;
    let old = revision.owner_at(gone.at)?;
    revision.successor(old)?;
    let name = revision.before.functions.get(old)?.name;
    let what =
        format!("`{}` would be written down where `{}` worked it out", short(come.text), short(gone.text));
    Some(LostCheck::new(gone.number, name, what, Severity::High))
}

/// Whether a line has a text of the other with values in the places of what was put into it.
fn has_values(gone: &CodeLine, come: &CodeLine) -> bool {
    let (old, new) = (words(gone.text), words(come.text));
    let templates = old.iter().filter(|(_, word)| is_template(word)).map(|(_, word)| *word);
    let mut texts =
        new.iter().filter(|(_, word)| is_literal(word) && !is_template(word)).map(|(_, word)| *word);
    let all: Vec<&str> = templates.collect();
    texts.any(|text| all.iter().any(|template| fills(&value_of(template), &value_of(text))))
}

/// Whether a text is a template with something in each of its places, a number among it.
fn fills(template: &str, text: &str) -> bool {
    let parts = fixed_parts(template);
    let is_told = parts.iter().map(|it| it.len()).sum::<usize>() > 7;
    let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return false };
    let Some(rest) = text.strip_prefix(first.as_str()) else { return false };
    if parts.len() < 2 || !is_told || text.contains(['{', '$']) {
        return false;
    }
    let (mut rest, mut filled) = (rest, String::new());
    for part in parts.iter().skip(1).take(parts.len() - 2) {
        let Some((value, behind)) = rest.split_once(part.as_str()) else { return false };
        filled.push_str(value);
        rest = behind;
    }
    let Some(value) = rest.strip_suffix(last.as_str()) else { return false };
    filled.push_str(value);
    filled.bytes().any(|byte| byte.is_ascii_digit()) && filled.len() < 60
}

/// What a template has around its places: `${x}`, `{x}`, `#{x}`, `\\(x)`.
fn fixed_parts(template: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut rest = template;
    while let Some(c) = rest.chars().next() {
        let open = ["${", "#{", "\\(", "{"].iter().find(|sign| rest.starts_with(**sign));
        let close = open.map(|sign| if sign.ends_with('(') { ')' } else { '}' });
        let end = close.and_then(|close| rest.find(close));
        match end {
            Some(end) => {
                all.push(String::new());
                rest = rest.get(end + 1..).unwrap_or_default();
            }
            None => {
                if let Some(last) = all.last_mut() {
                    last.push(c);
                }
                rest = rest.get(c.len_utf8()..).unwrap_or_default();
            }
        }
    }
    all
}

/// `cents /= 2` that became `cents = 84`.
fn is_put(gone: &str, come: &str) -> bool {
    let old = ["+=", "-=", "*=", "/=", "%="].iter().find_map(|sign| gone.split_once(sign));
    let (Some((name, _)), Some((left, right))) = (old, come.split_once('=')) else { return false };
    let value = words(right.trim_end_matches(';'));
    let [(_, only)] = value[..] else { return false };
    let is_plain = CodeLiteral { text: only, at: 0 }.is_plain();
    bare(name) == bare(left) && only.starts_with(|c: char| c.is_ascii_digit()) && !is_plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_with_the_values_of_one_input_is_told_from_another_text() {
        assert!(fills("more than ${max} lines, at ${at}", "more than 10 lines, at 12"));
        assert!(fills("{kind} of {count} seats is taken", "row of 14 seats is taken"));
        assert!(fills("no rate for \\(land) in \\(year)", "no rate for DE in 2024"));
        assert!(!fills("more than ${max} lines", "more lines than 10"));
        assert!(!fills("more than ${max} lines", "more than ${most} lines"));
        assert!(!fills("{a}{b}", "12"));
        assert!(!fills("no such user: ${name}", "no such user: known"));
    }

    #[test]
    fn a_value_that_was_worked_on_may_become_a_number() {
        for (gone, come, expected) in [
            ("cents /= 2", "cents = 84", true),
            ("this.left -= amount;", "this.left = 1200;", true),
            ("count += 1;", "count = 0;", false),
            ("sum += price;", "sum = price * 2;", false),
            ("cents /= 2", "other = 84", false),
        ] {
            assert_eq!(is_put(gone, come), expected, "{gone} -> {come}");
        }
    }
}
