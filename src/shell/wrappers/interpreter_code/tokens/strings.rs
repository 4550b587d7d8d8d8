//! String literals of an interpreter's source, taken apart at the expressions that are put into them.

use crate::shell::model::ScriptLanguage;
use crate::shell::wrappers::interpreter_code::token::SourceToken;
use crate::shell::wrappers::interpreter_code::tokens::tokens;

use ScriptLanguage::{Awk, JavaScript, Perl, Php, Python, Ruby};

/// Reads a string from its quote on; gives the token and the index after it.
pub(super) fn string(
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
            let rest = characters.get(index + 1..).unwrap_or_default();
            let (meant, length) = escaped(language, quote, rest);
            text.extend(meant);
            index += 1 + length;
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

/// What the characters behind a backslash stand for, and how many they are.
fn escaped(language: ScriptLanguage, quote: char, rest: &[char]) -> (Option<char>, usize) {
    match rest.first().copied().unwrap_or('\0') {
        'n' if quote != '\'' || matches!(language, JavaScript | Python) => (Some('\n'), 1),
        't' if quote != '\'' => (Some('\t'), 1),
        '0'..='7' if language == Awk => {
            let digits: String = rest.iter().take(3).take_while(|digit| digit.is_digit(8)).collect();
            (u8::from_str_radix(&digits, 8).ok().map(char::from), digits.len())
        }
        other => (Some(other), 1),
    }
}

/// A literal with what is put into it.
pub(super) fn literal(language: ScriptLanguage, text: &str) -> SourceToken {
    match text.contains(['$', '#']) {
        true => SourceToken::Mixed(pieces(language, text, false)),
        false => SourceToken::Text(Some(text.to_owned())),
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
