//! Choices and parts of sums that go from a line while the rest of it stays: `fixed ? a : scale(a)` that became `scale(a)`,
//! `base + fee` that became `base`.

use crate::detectors::engine::code_lines::closing;
use crate::detectors::engine::hunks::{CodeLine, TextHunk};
use crate::detectors::product::line_conditions::group;
use crate::detectors::testing::word_edit::{Edit, is_data};
use crate::languages::code::{bare, identifiers, is_log};

/// Words of conditions about what is not of the work: switches on their way out, and systems.
const SWITCHES: &[&str] = &[
    "flag",
    "feature",
    "legacy",
    "enabled",
    "experiment",
    "debug",
    "env",
    "platform",
    "version",
    "node",
    "browser",
    "window",
    "test",
    "mock",
    "old",
    "deprecated",
    "rollout",
    "toggle",
];

/// The condition of a choice of which one side is taken always now.
pub(super) fn choice_lost<'a>(hunk: &TextHunk<'a>) -> Option<(CodeLine<'a>, String)> {
    let ([gone], [come]) = (&hunk.gone[..], &hunk.come[..]) else { return None };
    if is_log(gone.text) || come.text.len() >= gone.text.len() {
        return None;
    }
    let is = bare(come.text);
    let all = choices(gone.text);
    let found = all.iter().find(|choice| {
        [choice.first, choice.second].iter().any(|side| {
            let side = side.trim();
            let plain = format!("{}{side}{}", choice.ahead, choice.behind);
            !side.is_empty() && bare(&plain) == is
        })
    })?;
    let lower = found.condition.to_lowercase();
    let is_switch = SWITCHES.iter().any(|word| lower.contains(word));
    let is_telling = identifiers(found.condition).any(|it| it.len() > 2);
    (is_telling && !is_switch).then(|| (*gone, found.condition.trim().to_owned()))
}

/// The condition of a choice by a switch that is settled: the side for the new way is taken always now.
pub(super) fn settled<'a>(hunk: &TextHunk, line: &CodeLine<'a>) -> Option<&'a str> {
    const OLD: &[&str] = &["legacy", "old", "deprecated"];
    let choice = choices(line.text).into_iter().find(|choice| {
        let condition = choice.condition.trim().to_lowercase();
        let is_turned = ["!", "not ", "~"].iter().any(|sign| condition.starts_with(sign));
        let is_for_new = is_turned == OLD.iter().any(|word| condition.contains(word));
        let side = if is_for_new { choice.first } else { choice.second };
        // Brackets around the choice go with it.
        let open = |text: &str| bare(text).replace(['(', ')'], "");
        let plain = open(&format!("{}{}{}", choice.ahead, side.trim(), choice.behind));
        SWITCHES.iter().any(|word| condition.contains(word))
            && hunk.come.iter().any(|it| open(it.text) == plain)
    })?;
    Some(choice.condition)
}

/// What is added to a value, or taken from it, or multiplied with it, and is no more.
pub(super) fn term_lost<'a>(hunk: &TextHunk<'a>) -> Option<(CodeLine<'a>, String)> {
    let ([gone], [come]) = (&hunk.gone[..], &hunk.come[..]) else { return None };
    let (old, new) = (format!("{}\n", gone.text), format!("{}\n", come.text));
    let edit = Edit::of(&old, &new).filter(|it| it.come.iter().all(|word| matches!(*word, "(" | ")")))?;
    let (sign, term) = edit.gone.split_first()?;
    let is_sign = matches!(*sign, "+" | "-" | "*" | "/")
        && !matches!(term.first(), Some(&"+" | &"-" | &"=" | &">" | &"*"));
    let names = term
        .iter()
        .filter(|word| !is_data(word) && word.starts_with(|c: char| c.is_alphabetic() || c == '_'));
    let is_balanced =
        term.iter().filter(|it| **it == "(").count() == term.iter().filter(|it| **it == ")").count();
    // A text that says more or less is no sum.
    let is_text =
        term.iter().any(|word| word.starts_with(['"', '\'', '`'])) || gone.text.contains(['"', '`']);
    let is_told = names.filter(|word| word.len() > 1).count() > 0;
    (is_sign && is_told && is_balanced && !is_text && !is_log(gone.text)).then(|| (*gone, term.concat()))
}

/// A loop over all of a list that goes over its first item alone now: `for it in wanted.iter().take(1)`.
pub(super) fn first_alone<'a>(hunk: &TextHunk<'a>) -> Option<CodeLine<'a>> {
    const ONE: &[&str] = &[
        ".take(1)",
        ".prefix(1)",
        "[:1]",
        ".slice(0,1)",
        ".first(1)",
        ".Take(1)",
        ".limit(1)",
        "[0..1]",
        "[..1]",
        ".head(1)",
        ".sublist(0,1)",
        ".subList(0,1)",
    ];
    let ([gone], [come]) = (&hunk.gone[..], &hunk.come[..]) else { return None };
    let count = |text: &str| ONE.iter().map(|sign| bare(text).matches(sign).count()).sum::<usize>();
    let goes_over = |text: &str| {
        identifiers(text).next().is_some_and(|it| matches!(it, "for" | "foreach"))
            || [".each", ".forEach", ".map", ".flatMap"].iter().any(|it| text.contains(it))
    };
    let is_alone = goes_over(gone.text) && goes_over(come.text) && count(come.text) > count(gone.text);
    let is_kept = identifiers(gone.text).all(|word| identifiers(come.text).any(|it| it == word));
    (is_alone && is_kept).then_some(*gone)
}

/// A choice within a line, with what stands around it.
struct LineChoice<'t> {
    ahead: &'t str,
    condition: &'t str,
    first: &'t str,
    second: &'t str,
    behind: &'t str,
}

fn choices(line: &str) -> Vec<LineChoice<'_>> {
    let by_sign = line.match_indices(" ? ").filter_map(|(at, _)| by_sign(line, at));
    let by_word = line.match_indices("if ").filter_map(|(at, _)| by_word(line, at));
    let behind = line.match_indices(" if ").filter_map(|(at, _)| condition_behind(line, at));
    by_sign.chain(by_word).chain(behind).collect()
}

/// `ahead(condition ? first : second)behind`.
fn by_sign(line: &str, at: usize) -> Option<LineChoice<'_>> {
    let start = begin(line.get(..at)?);
    let rest = line.get(at + 3..)?;
    let colon = top_level(rest, |rest| rest.starts_with(" : "))?;
    let tail = rest.get(colon + 3..)?;
    let end = end_of(tail, |rest| rest.starts_with([',', ';']));
    Some(LineChoice {
        ahead: line.get(..start)?,
        condition: line.get(start..at)?,
        first: rest.get(..colon)?,
        second: tail.get(..end)?,
        behind: tail.get(end..)?,
    })
}

/// `aheadif (condition) first else secondbehind`, and with braces around both.
fn by_word(line: &str, at: usize) -> Option<LineChoice<'_>> {
    let rest = line.get(at + 3..)?;
    let (condition, first, tail) = if rest.starts_with('(') {
        let condition = group(rest)?;
        let body = rest.get(condition.len() + 2..)?;
        let (first, tail) = body.split_once(" else ")?;
        (condition, first, tail)
    } else {
        let (condition, body) = rest.split_once('{')?;
        let (first, tail) = body.split_once('}')?;
        (condition, first, tail.trim_start().strip_prefix("else ")?)
    };
    let end = end_of(tail, |rest| rest.starts_with([',', ';']));
    let second = tail.get(..end)?;
    let inside = second.trim().strip_prefix('{').and_then(|it| it.strip_suffix('}'));
    Some(LineChoice {
        ahead: line.get(..at)?,
        condition,
        first,
        second: inside.unwrap_or(second),
        behind: tail.get(end..)?,
    })
}

/// `aheadfirst if condition else secondbehind`.
fn condition_behind(line: &str, at: usize) -> Option<LineChoice<'_>> {
    let start = begin(line.get(..at)?);
    let rest = line.get(at + 4..)?;
    let (condition, tail) = rest.split_once(" else ")?;
    let end = end_of(tail, |rest| rest.starts_with(',') || rest.starts_with(" for "));
    Some(LineChoice {
        ahead: line.get(..start)?,
        condition,
        first: line.get(start..at)?,
        second: tail.get(..end)?,
        behind: tail.get(end..)?,
    })
}

/// Where the expression begins that a text ends with.
fn begin(text: &str) -> usize {
    let mut depth = 0i32;
    for (at, c) in text.char_indices().rev() {
        depth += i32::from(matches!(c, ')' | ']' | '}')) - i32::from(matches!(c, '(' | '[' | '{'));
        let is_assigned = c == '='
            && !text.get(..at).is_some_and(|it| it.ends_with(['=', '!', '<', '>']))
            && !text.get(at + 1..).is_some_and(|it| it.starts_with(['=', '~']));
        if depth < 0 || depth == 0 && (matches!(c, ',' | ';') || is_assigned) {
            return start_of(text, at + c.len_utf8());
        }
    }
    start_of(text, 0)
}

/// A place behind the blanks, the arrow and the word that stand there.
fn start_of(text: &str, from: usize) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    let own = rest.trim_start().trim_start_matches('>').trim_start();
    let own = own.strip_prefix("return ").unwrap_or(own);
    text.len() - own.len()
}

/// The first place of a text, outside of brackets, of which something is so.
fn top_level(text: &str, is: impl Fn(&str) -> bool) -> Option<usize> {
    let mut depth = 0i32;
    for (at, c) in text.char_indices() {
        if depth == 0 && text.get(at..).is_some_and(&is) {
            return Some(at);
        }
        depth += i32::from(matches!(c, '(' | '[' | '{')) - i32::from(matches!(c, ')' | ']' | '}'));
        if depth < 0 {
            return None;
        }
    }
    None
}

/// Where an expression ends that a text begins with: at a sign that ends it, or where the brackets around it close.
fn end_of(text: &str, is_end: impl Fn(&str) -> bool) -> usize {
    top_level(text, is_end).or_else(|| closing(text)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lost(gone: &str, come: &str) -> Option<String> {
        let line = |text| CodeLine { text, at: 0, number: 1 };
        let hunk = TextHunk { gone: vec![line(gone)], come: vec![line(come)], ..TextHunk::default() };
        choice_lost(&hunk).or_else(|| term_lost(&hunk)).map(|it| it.1)
    }

    #[test]
    fn one_side_of_a_choice_and_a_part_of_a_sum_may_go() {
        for (gone, come, expected) in [
            ("i.fixed ? i : i.copyWith(amount: f(i)),", "i.copyWith(amount: f(i)),", Some("i.fixed")),
            ("add(item.loud ? up(item) : item);", "add(item);", Some("item.loud")),
            ("text = render(name.upper() if item.loud else name)", "text = render(name)", Some("item.loud")),
            ("return if (i.fixed) i else i.times(f)", "return i.times(f)", Some("i.fixed")),
            ("if i.fixed { i.clone() } else { i.times(f) }", "i.times(f)", Some("i.fixed")),
            ("x = flags.on ? a(b) : c(b);", "x = c(b);", None),
            ("x = a ? b : c;", "x = d;", None),
            ("return base + fee", "return base", Some("fee")),
            ("new Ledger(b, seen + t.id)", "new Ledger(b, seen)", Some("t.id")),
            ("sum += price * count;", "sum += price;", Some("count")),
            ("at = start + 1;", "at = start;", None),
            ("text = \"a\" + name;", "text = \"a\";", None),
        ] {
            assert_eq!(lost(gone, come).as_deref(), expected, "{gone} -> {come}");
        }
    }
}
