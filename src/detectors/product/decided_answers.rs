//! What new decisions are made for and what they answer: the head of a clause of Elixir with its literals, the number that
//! stands behind `return`.

use crate::detectors::engine::code_lines::CodeLine;
use crate::detectors::engine::hunks::TextHunk;
use crate::detectors::product::compared_literals::{PlacedWords, compared};
use crate::detectors::product::input_words::BESIDE;
use crate::detectors::product::literals::{CodeLiteral, value_of, values_of};
use crate::detectors::product::maker_words::is_maker;
use crate::detectors::product::other_sides::lines_with;
use crate::detectors::testing::word_edit::{is_name, words};

/// The only line of a test that has a value which nobody writes by chance.
pub(super) fn sole<'t>(test: &'t str, values: &[&str]) -> Option<&'t str> {
    values.iter().find_map(|value| {
        let lines = lines_with(test, value, "");
        lines.first().filter(|_| lines.len() == 1).map(|(line, _)| *line)
    })
}

/// What new decisions answer, where the text had it nowhere: numbers that are more than a count.
pub(super) fn answers(hunk: &TextHunk, old: &str) -> Vec<String> {
    let decides = |line: &CodeLine| {
        ["if ", "if(", "when ", "case "].iter().any(|it| line.text.contains(it))
            || clause(line.text).is_some()
    };
    if !hunk.come.iter().any(decides) {
        return Vec::new();
    }
    let given = hunk.come.iter().filter_map(|line| {
        let text = line.text.trim_end_matches(';');
        let at = text.rfind("return ").map(|at| at + "return ".len());
        let value = at.and_then(|at| text.get(at..)).or_else(|| clause(text).map(|(_, answer)| answer))?;
        let value = value.split(['}', ' ']).next()?;
        let (sign, number) = if value.starts_with('-') { value.split_at(1) } else { ("", value) };
        let number = value_of(number);
        let is_number = number.parse::<f64>().is_ok_and(|it| it > 2.0);
        is_number.then(|| (format!("{sign}{number}"), number))
    });
    let is_new = |number: &str| !old.lines().flat_map(values_of).any(|it| it == number);
    given.filter(|(_, number)| is_new(number)).map(|(_, number)| number).collect()
}

/// The long texts that a new table beside a new decision has for keys: `'a red ferry' => 3`.
pub(super) fn keys(hunk: &TextHunk, old: &str) -> Vec<String> {
    const LONG: usize = 10;
    let decides = |line: &CodeLine| {
        let heads = ["if ", "if(", "return ", "when "];
        heads.iter().any(|it| line.text.starts_with(it)) && line.text.contains(['[', '('])
    };
    if !hunk.gone.is_empty() || !hunk.come.iter().any(decides) {
        return Vec::new();
    }
    let key = |line: &CodeLine| {
        let text = line.text.strip_prefix(['"', '\''])?;
        let (key, rest) = text.split_once(['"', '\''])?;
        let is_key = ["=>", ":", "to ", "->", ","].iter().any(|it| rest.trim_start().starts_with(it));
        (is_key && key.len() >= LONG && key.contains([' ', ',', ';', '-']) && !old.contains(key))
            .then(|| key.to_owned())
    };
    hunk.come.iter().filter_map(key).collect()
}

/// The head of a clause of Elixir that has its answer beside it, and the answer.
fn clause(line: &str) -> Option<(&str, &str)> {
    let head = line.strip_prefix("def ").or_else(|| line.strip_prefix("defp "))?;
    head.split_once("), do: ")
}

/// The literals that a line compares something with: of a clause of Elixir those of its head.
pub(super) fn asked_of(line: &str) -> Vec<CodeLiteral<'_>> {
    if clause(line).is_none() {
        return compared(line);
    }
    let all = words(line);
    let end = all.iter().position(|(_, word)| *word == "do").unwrap_or_default();
    CodeLiteral::all(&all).into_iter().filter(|literal| literal.at < end).collect()
}

/// A line with the texts that lines above it gave names to: `if text == SAMPLE` below `SAMPLE = "a;b"`.
pub(super) fn spelled(hunk: &TextHunk, line: &CodeLine) -> String {
    let above = hunk.come.iter().filter(|it| it.number < line.number);
    let bound = above.filter_map(|it| {
        let (head, value) = it.text.split_once(" = ")?;
        let name = head.rsplit([' ', '*', '&']).next()?.trim_end_matches([':', ' ']);
        let value = value.trim_end_matches(';');
        let is_text = value.len() > 4 && value.starts_with('"') && value.ends_with('"');
        (is_text && name.len() > 2).then_some((name, value))
    });
    bound.fold(line.text.to_owned(), |text, (name, value)| {
        let equal = [format!("== {name})"), format!("== {name} "), format!("=== {name}")];
        let found = equal.iter().find(|it| text.contains(it.as_str()));
        found.map_or(text.clone(), |it| text.replace(it.as_str(), &it.replace(name, value)))
    })
}

/// Whether a line asks how something is set.
pub(super) fn is_setting(all: &PlacedWords) -> bool {
    let is_of = |name: &str| {
        ["config", "option", "setting", "param", "flag", "env"].iter().any(|it| name.contains(it))
    };
    all.iter().any(|(_, word)| is_name(word) && is_of(&word.to_lowercase()))
}

/// The last words of the names that a literal is compared with, in lower case.
pub(super) fn last_words(all: &PlacedWords, at: usize) -> Vec<String> {
    let is_own = |word: &&str| is_name(word) && !is_maker(word) && !BESIDE.contains(word);
    let near = |part: &[(usize, &str)]| -> Vec<String> {
        part.iter().map(|(_, word)| *word).filter(is_own).map(last_word).collect()
    };
    let before = near(all.get(at.saturating_sub(12)..at).unwrap_or_default());
    match before.last() {
        Some(last) => vec![last.clone()],
        None => near(all.get(at..(at + 12).min(all.len())).unwrap_or_default()),
    }
}

/// `tagName` -> `name`, `day_of_week` -> `week`.
fn last_word(name: &str) -> String {
    let name = name.trim_end_matches(['_', '?', '!']);
    let start = name.rfind(|c: char| c.is_uppercase() || c == '_').unwrap_or(0);
    name.get(start..).unwrap_or(name).trim_start_matches('_').to_lowercase()
}

/// Whether a literal is reckoned with rather than compared.
pub(super) fn is_part(all: &PlacedWords, literal: &CodeLiteral) -> bool {
    let word = |at: Option<usize>| at.and_then(|at| all.get(at)).map_or("", |(_, word)| *word);
    let is_sum = |sign: &str| matches!(sign, "%" | "*" | "/" | "+");
    is_sum(word(literal.at.checked_sub(1))) || is_sum(word(Some(literal.at + 1)))
}
