//! Source text of an interpreter as tokens: names with their dots, literals, signs. Comments are gone.

use std::borrow::Borrow;

use crate::shell::model::ScriptLanguage;
use crate::shell::wrappers::interpreter_code::quotes;
use crate::shell::wrappers::interpreter_code::quotes::by_shell;
pub(crate) use crate::shell::wrappers::interpreter_code::token::SourceToken;

use ScriptLanguage::{Awk, JavaScript, Perl, Php, Python, Ruby};

/// Where the bracket stands that the last token closes; without one to close it is the last token itself.
pub(crate) fn opening<T: Borrow<SourceToken>>(tokens: &[T]) -> Option<usize> {
    let mut depth = 0usize;
    tokens.iter().rposition(|token| {
        depth = depth.saturating_add_signed(-token.borrow().step());
        depth == 0
    })
}

/// The parts between signs that stand in no brackets; one where there is no such sign.
pub(crate) fn parted<'t, 's>(
    tokens: &'t [&'s SourceToken],
    sign: char,
) -> impl Iterator<Item = &'t [&'s SourceToken]> {
    parted_at(tokens, move |token| *token == SourceToken::Sign(sign))
}

/// The parts between tokens of a kind that stand in no brackets.
pub(crate) fn parted_at<'t, 's>(
    tokens: &'t [&'s SourceToken],
    parts: impl Fn(&SourceToken) -> bool + 't,
) -> impl Iterator<Item = &'t [&'s SourceToken]> {
    let mut depth = 0usize;
    tokens.split(move |token| {
        depth = depth.saturating_add_signed(token.step());
        depth == 0 && parts(token)
    })
}

/// The tokens of a source.
pub(crate) fn tokens(language: ScriptLanguage, source: &str) -> Vec<SourceToken> {
    let mut tokens = Vec::new();
    let characters: Vec<char> = source.chars().collect();
    let at = |index: usize| characters.get(index).copied().unwrap_or('\0');
    let mut index = 0;
    while index < characters.len() {
        if let Some(end) = comment_end(language, &characters, index) {
            index = end;
            continue;
        }
        let character = at(index);
        let begins = index == 0 || !is_name_part(at(index - 1));
        let quotes = matches!((language, character), (Perl, 'q' | '<') | (Ruby, '%'));
        if let Some((found, end)) = (quotes && begins)
            .then(|| quotes::quoted(language, &characters, index, |text| literal(language, text)))
            .flatten()
        {
            tokens.extend(found);
            index = end;
            continue;
        }
        match character {
            '\n' => tokens.push(SourceToken::Sign('\n')),
            '\'' | '"' | '`' => {
                let (token, end) = string(language, &characters, index, false);
                match character == '`' && runs_shell(language, &mut tokens) {
                    true => tokens.extend(by_shell(token)),
                    false => tokens.push(token),
                }
                index = end;
                continue;
            }
            _ if is_name_start(character) => {
                let start = index;
                while is_name_part(at(index)) || joins_names(&characters, index) {
                    index += 1;
                }
                let name: String = characters.get(start..index).unwrap_or_default().iter().collect();
                if matches!(at(index), '\'' | '"') && is_string_prefix(language, &name) {
                    let (token, end) =
                        string(language, &characters, index, name.to_lowercase().contains('f'));
                    tokens.push(token);
                    index = end;
                } else {
                    tokens.push(SourceToken::Name(
                        name.replace("?.", ".").trim_start_matches(['$', '@']).to_owned(),
                    ));
                }
                continue;
            }
            // A method of a call's result.
            '.' if matches!(tokens.last(), Some(SourceToken::Sign(')' | ']')))
                && is_name_start(at(index + 1)) =>
            {
                let start = index + 1;
                index += 1;
                while is_name_part(at(index)) || joins_names(&characters, index) {
                    index += 1;
                }
                let name: String = characters.get(start..index).unwrap_or_default().iter().collect();
                tokens.push(SourceToken::Name(format!("().{name}")));
                continue;
            }
            _ if character.is_whitespace() => {}
            sign => tokens.push(SourceToken::Sign(sign)),
        }
        index += 1;
    }
    tokens
}

/// Where a comment that begins here ends: at the line break, or after `*/`.
fn comment_end(language: ScriptLanguage, characters: &[char], start: usize) -> Option<usize> {
    let at = |index: usize| characters.get(index).copied().unwrap_or('\0');
    let slashes = matches!(language, JavaScript | Php) && at(start) == '/';
    let line = (at(start) == '#' && language != JavaScript) || (slashes && at(start + 1) == '/');
    let mut index = start;
    if line {
        while index < characters.len() && at(index) != '\n' {
            index += 1;
        }
        return Some(index);
    }
    (slashes && at(start + 1) == '*').then_some(())?;
    index += 2;
    while index < characters.len() && !(at(index) == '*' && at(index + 1) == '/') {
        index += 1;
    }
    Some(index + 2)
}

fn is_name_start(character: char) -> bool {
    character.is_alphabetic() || matches!(character, '_' | '$' | '@')
}

fn is_name_part(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '$' | '@')
}

/// Whether `.`, `?.`, `::` or `->` joins two names here.
fn joins_names(characters: &[char], index: usize) -> bool {
    let at = |index: usize| characters.get(index).copied().unwrap_or('\0');
    match at(index) {
        '.' => is_name_start(at(index + 1)),
        '?' => at(index + 1) == '.' && is_name_start(at(index + 2)),
        ':' => {
            (at(index + 1) == ':' && is_name_start(at(index + 2)))
                || (index > 0 && at(index - 1) == ':' && is_name_start(at(index + 1)))
        }
        '-' => at(index + 1) == '>' && is_name_start(at(index + 2)),
        '>' => index > 0 && at(index - 1) == '-' && is_name_start(at(index + 1)),
        _ => false,
    }
}

fn is_string_prefix(language: ScriptLanguage, name: &str) -> bool {
    language == Python
        && matches!(name.to_lowercase().as_str(), "r" | "b" | "f" | "u" | "rb" | "br" | "fr" | "rf")
}

/// Reads a string from its quote on; gives the token and the index after it.
fn string(
    language: ScriptLanguage,
    characters: &[char],
    start: usize,
    formats: bool,
) -> (SourceToken, usize) {
    let at = |index: usize| characters.get(index).copied().unwrap_or('\0');
    let quote = at(start);
    let triple = language == Python && at(start + 1) == quote && at(start + 2) == quote;
    let mut index = start + if triple { 3 } else { 1 };
    let mut text = String::new();
    let mut known = !formats;
    let interpolates = quote == '`' || (quote == '"' && matches!(language, Perl | Ruby | Php));
    while index < characters.len() {
        let character = at(index);
        if character == '\\' {
            match at(index + 1) {
                'n' if quote != '\'' || language == JavaScript || language == Python => text.push('\n'),
                't' if quote != '\'' => text.push('\t'),
                '0'..='7' if language == Awk => {
                    let digits: String =
                        (1..=3).map(|step| at(index + step)).take_while(|digit| digit.is_digit(8)).collect();
                    text.extend(u8::from_str_radix(&digits, 8).ok().map(char::from));
                    index += digits.len() + 1;
                    continue;
                }
                other => text.push(other),
            }
            index += 2;
            continue;
        }
        if character == quote && (!triple || (at(index + 1) == quote && at(index + 2) == quote)) {
            index += if triple { 3 } else { 1 };
            break;
        }
        known &= !(interpolates
            && matches!(character, '$' | '#')
            && matches!(at(index + 1), '{' | 'a'..='z' | 'A'..='Z' | '_'));
        text.push(character);
        index += 1;
    }
    let token = match known {
        true => SourceToken::Text(Some(text)),
        false => SourceToken::Mixed(pieces(language, &text, formats)),
    };
    (token, index.min(characters.len()))
}

/// A literal with what is put into it.
fn literal(language: ScriptLanguage, text: &str) -> SourceToken {
    match text.contains(['$', '#']) {
        true => SourceToken::Mixed(pieces(language, text, false)),
        false => SourceToken::Text(Some(text.to_owned())),
    }
}

/// Whether text in backquotes runs by a shell: in these languages always, in JavaScript behind a `$`, which is taken off.
fn runs_shell(language: ScriptLanguage, tokens: &mut Vec<SourceToken>) -> bool {
    let is_tag = |name: &str| name.is_empty() || name.ends_with(".$") || name == "$";
    match tokens.last() {
        Some(SourceToken::Name(name)) if language == JavaScript && is_tag(name) => tokens.pop().is_some(),
        _ => matches!(language, Perl | Ruby | Php),
    }
}

/// A literal taken apart at the expressions in it: `{x}` where it formats, else `${x}`, `#{x}`, `$x` and `$x{y}`.
fn pieces(language: ScriptLanguage, text: &str, formats: bool) -> Vec<Vec<SourceToken>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    let opens = |it: char| if formats { it == '{' } else { matches!(it, '$' | '#') };
    while let Some(at) = rest.find(opens) {
        let (before, from) = rest.split_at(at);
        let (inside, after) = inserted(from, formats);
        match inside {
            Some(inside) => {
                pieces.push(vec![SourceToken::Text(Some(before.to_owned()))]);
                pieces.push(tokens(language, inside));
            }
            None => {
                let end = rest.len() - after.len();
                pieces.push(vec![SourceToken::Text(Some(rest.get(..end).unwrap_or_default().to_owned()))]);
            }
        }
        rest = after;
    }
    pieces.push(vec![SourceToken::Text(Some(rest.to_owned()))]);
    pieces
}

/// The expression at the beginning of a text, and what follows it.
fn inserted(text: &str, formats: bool) -> (Option<&str>, &str) {
    let sign = usize::from(!formats);
    let next = text.as_bytes().get(sign);
    if next == Some(&b'{') {
        let inside = text.get(sign + 1..).unwrap_or_default();
        return match inside.split_once('}') {
            Some((inside, after)) => (Some(inside), after),
            None => (None, ""),
        };
    }
    let is_name = |it: char| it.is_alphanumeric() || it == '_';
    let name = text.get(sign..).unwrap_or_default();
    let mut end = name.find(|it| !is_name(it)).unwrap_or(name.len());
    if end == 0 || !text.starts_with('$') {
        return (None, text.get(1..).unwrap_or_default());
    }
    if let Some(closes) = name.get(end..).filter(|rest| rest.starts_with('{')).and_then(|rest| rest.find('}'))
    {
        end += closes + 1;
    }
    (name.get(..end), name.get(end..).unwrap_or_default())
}
