//! `{a,b}` and `{1..3}`, nested ones too.

use crate::shell::parse::marks::{WordChar, WordChars};
use crate::shell::parse::unquote::{MOST_FIELDS, bare};

/// The most characters that braces may make of one word, in all.
const MOST_EXPANDED: usize = 200_000;

/// `{a,b}` and `{1..3}`, nested ones too.
pub(crate) fn braces(marks: &[WordChar]) -> Vec<WordChars> {
    let mut done: Vec<WordChars> = Vec::new();
    let mut open = vec![marks.to_vec()];
    let mut made = 0usize;
    while let Some(field) = open.pop() {
        match first_brace(&field) {
            Some((start, end, choices))
                if done.len() + open.len() + choices.len() <= MOST_FIELDS
                    && made + choices.len() * field.len() <= MOST_EXPANDED =>
            {
                made += choices.len() * field.len();
                for choice in choices.iter().rev() {
                    let mut expanded = field.get(..start).unwrap_or_default().to_vec();
                    expanded.extend_from_slice(choice);
                    expanded.extend_from_slice(field.get(end..).unwrap_or_default());
                    open.push(expanded);
                }
            }
            _ => done.push(field),
        }
    }
    done
}

/// The first brace pair that expands: where it starts, where it ends, and its choices.
fn first_brace(marks: &[WordChar]) -> Option<(usize, usize, Vec<WordChars>)> {
    for (start, mark) in marks.iter().enumerate() {
        if *mark != WordChar::Plain('{') {
            continue;
        }
        let mut depth = 0usize;
        let mut choices: Vec<WordChars> = vec![WordChars::new()];
        for (offset, inner) in marks.iter().enumerate().skip(start + 1) {
            match inner {
                WordChar::Plain('}') if depth == 0 => {
                    let choices = if choices.len() > 1 { Some(choices) } else { range(choices.first()?) };
                    match choices {
                        Some(choices) => return Some((start, offset + 1, choices)),
                        None => break,
                    }
                }
                WordChar::Plain(',') if depth == 0 => {
                    choices.push(WordChars::new());
                    continue;
                }
                WordChar::Plain('{') => depth += 1,
                WordChar::Plain('}') => depth -= 1,
                _ => {}
            }
            if let Some(choice) = choices.last_mut() {
                choice.push(*inner);
            }
        }
    }
    None
}

fn range(inside: &[WordChar]) -> Option<Vec<WordChars>> {
    let text: String = inside
        .iter()
        .map(|mark| match mark {
            WordChar::Plain(character) => Some(*character),
            _ => None,
        })
        .collect::<Option<_>>()?;
    let (from, to) = text.split_once("..")?;
    if let (Ok(from), Ok(to)) = (from.parse::<i32>(), to.parse::<i32>()) {
        let count = usize::try_from(from.abs_diff(to)).ok()?;
        (count < MOST_FIELDS).then_some(())?;
        return Some((from.min(to)..=from.max(to)).map(|number| bare(&number.to_string())).collect());
    }
    let (from, to) = (single(from)?, single(to)?);
    Some((from.min(to)..=from.max(to)).map(|letter| vec![WordChar::Plain(letter)]).collect())
}

fn single(text: &str) -> Option<char> {
    let mut characters = text.chars();
    characters.next().filter(|letter| letter.is_ascii_alphabetic() && characters.next().is_none())
}
