//! What an expression of literals stands for: texts, paths joined of them, the home and the working folder by whichever
//! function, and the files that a pattern, a folder or a listing names.
//!
//! A part that isn't known has a sign of its own in the text, so that a command can still be read around it.

mod functions;
mod methods;

use std::collections::HashMap;

use crate::shell::model::UNKNOWN;
use crate::shell::wrappers::interpreter_code::tokens::{SourceToken, opening, parted, parted_at};
use crate::shell::wrappers::interpreter_code::values::methods::{of_known, of_method, parent};
use crate::shell::wrappers::interpreter_code::vocabulary::{ENVIRONMENTS, PLACES, SAME_METHODS};

/// The literals that an expression stands for, each with whether it is a pattern.
pub(crate) type Literals = Option<Vec<(String, bool)>>;

/// The names that were given a value before.
pub(crate) type KnownValues = HashMap<String, Vec<(String, bool)>>;

/// The most values of one expression.
const MOST_VALUES: usize = 64;
/// How deep expressions may stand in each other.
const DEEPEST: u32 = 16;

/// The literals of an expression.
pub(crate) fn literals(tokens: &[SourceToken], known: &KnownValues) -> Literals {
    let tokens: Vec<&SourceToken> =
        tokens.iter().filter(|token| **token != SourceToken::Sign('\n')).collect();
    value(&tokens, known, 0)
}

/// One text of which nothing is known.
fn unknown() -> Vec<(String, bool)> {
    vec![(UNKNOWN.to_string(), false)]
}

fn one(text: &str) -> Literals {
    Some(vec![(text.to_owned(), false)])
}

fn value(tokens: &[&SourceToken], known: &KnownValues, depth: u32) -> Literals {
    if depth > DEEPEST {
        return None;
    }
    let by_form = of_literal(tokens, known, depth)
        .or_else(|| of_prefixed(tokens, known, depth))
        .or_else(|| looked_up(tokens, known, depth))
        .or_else(|| chosen(tokens, known, depth))
        .or_else(|| operator(tokens, known, depth));
    if let Some(value) = by_form {
        return value;
    }
    match tokens {
        [SourceToken::Sign('[' | '('), inside @ .., SourceToken::Sign(']' | ')')]
            if opening(tokens) == Some(0) =>
        {
            parts(inside, known, depth)
        }
        [.., SourceToken::Sign(')' | ']')] => called(tokens, known, depth),
        // `x.stdout` and its like.
        [before @ .., SourceToken::Name(name)] => {
            let attributes = name.strip_prefix("().")?;
            let base = value(before, known, depth + 1)?;
            attributes.split('.').try_fold(base, attribute_of)
        }
        _ => None,
    }
}

/// Literals and names alone. `None` for an expression of another form.
fn of_literal(tokens: &[&SourceToken], known: &KnownValues, depth: u32) -> Option<Literals> {
    let inner = |tokens: &[&SourceToken]| value(tokens, known, depth + 1);
    match tokens {
        [] => Some(None),
        [SourceToken::Text(text)] => Some(text.as_deref().and_then(one)),
        // Texts that stand beside each other are one.
        [SourceToken::Text(_), ..] if tokens.iter().all(|token| matches!(token, SourceToken::Text(_))) => {
            Some(joined(tokens.iter().map(|token| inner(&[*token])).collect(), ""))
        }
        [SourceToken::Mixed(pieces)] => {
            let pieces = pieces.iter().filter(|piece| **piece != [SourceToken::Text(Some(String::new()))]);
            Some(joined(pieces.map(|piece| inner(&piece.iter().collect::<Vec<_>>())).collect(), ""))
        }
        [SourceToken::Name(name)] => Some(of_name(name, known)),
        _ => None,
    }
}

/// A sign or a word that stands before an expression. `None` for an expression without one.
fn of_prefixed(tokens: &[&SourceToken], known: &KnownValues, depth: u32) -> Option<Literals> {
    let inner = |tokens: &[&SourceToken]| value(tokens, known, depth + 1);
    match tokens {
        // A splat hands over each element.
        [SourceToken::Sign('*'), rest @ ..]
        | [SourceToken::Sign('.'), SourceToken::Sign('.'), SourceToken::Sign('.'), rest @ ..] => {
            Some(inner(rest))
        }
        // Perl needs no parentheses, and has `<pattern>`.
        [SourceToken::Name(name), rest @ ..]
            if name == "glob" && !matches!(rest, [SourceToken::Sign('('), ..]) =>
        {
            Some(inner(rest).map(patterns))
        }
        [SourceToken::Name(name), rest @ ..] if matches!(name.as_str(), "await" | "new" | "my") => {
            Some(inner(rest))
        }
        _ => None,
    }
}

/// What stands in brackets behind a name, and the method of a text. `None` for an expression of another form.
fn looked_up(tokens: &[&SourceToken], known: &KnownValues, depth: u32) -> Option<Literals> {
    match tokens {
        // `os.environ["HOME"]`, `$ENV{HOME}`.
        [SourceToken::Name(name), SourceToken::Sign('[' | '{'), key, SourceToken::Sign(']' | '}')]
            if ENVIRONMENTS.contains(&name.as_str()) =>
        {
            Some(is_home_key(key).then(|| vec![("~".to_owned(), false)]))
        }
        [
            SourceToken::Text(Some(text)),
            SourceToken::Sign('.'),
            SourceToken::Name(name),
            SourceToken::Sign('('),
            words @ ..,
            SourceToken::Sign(')'),
        ] => Some(of_text(text, name, words, known, depth)),
        // `Dir["src/*"]`
        [SourceToken::Name(name), SourceToken::Sign('['), arguments @ .., SourceToken::Sign(']')]
            if name == "Dir" =>
        {
            Some(parts(arguments, known, depth).map(patterns))
        }
        _ => None,
    }
}

/// The same texts, each as a pattern.
fn patterns(values: Vec<(String, bool)>) -> Vec<(String, bool)> {
    values.into_iter().map(|(text, _)| (text, true)).collect()
}

/// What an attribute of a path stands for.
fn attribute_of(base: Vec<(String, bool)>, attribute: &str) -> Literals {
    match attribute {
        "parent" => Some(base.iter().map(|(path, _)| (parent(path), false)).collect()),
        same => SAME_METHODS.contains(&same).then_some(base),
    }
}

/// A name that was given a value, or that of the home.
fn of_name(name: &str, known: &KnownValues) -> Literals {
    if let Some(values) = known.get(name) {
        return Some(values.clone());
    }
    if let Some((_, place)) = PLACES.iter().find(|(own, _)| *own == name) {
        return one(place);
    }
    let mut base = name;
    // The longest name that is known, and attributes of it.
    while let Some((before, _)) = base.rsplit_once('.') {
        base = before;
        let Some(values) = known.get(base) else { continue };
        let mut attributes = name.get(base.len() + 1..)?.split('.');
        return attributes.try_fold(values.clone(), attribute_of);
    }
    None
}

fn is_home_key(key: &SourceToken) -> bool {
    matches!(key, SourceToken::Text(Some(text)) if text == "HOME" || text == "USERPROFILE")
        || matches!(key, SourceToken::Name(name) if name == "HOME")
}

/// A method of a text that is written there: `" ".join(words)`, `"rm {}".format(x)`, `"git reset".split()`.
fn of_text(text: &str, method: &str, words: &[&SourceToken], known: &KnownValues, depth: u32) -> Literals {
    match method {
        "join" => Some(vec![one_text(&parts(words, known, depth)?, text)]),
        "format" => {
            let values = each(words, known, depth);
            let filled = values
                .iter()
                .fold(text.to_owned(), |text, value| text.replacen("{}", &one_text(value, " ").0, 1));
            one(&filled)
        }
        same => SAME_METHODS.contains(&same).then(|| vec![(text.to_owned(), false)]),
    }
}

/// What a call gives back: of a function, or of a method of what stands before it.
fn called(tokens: &[&SourceToken], known: &KnownValues, depth: u32) -> Literals {
    let open = opening(tokens)?;
    let arguments = tokens.get(open + 1..tokens.len() - 1)?;
    let (SourceToken::Name(name), before) = tokens.get(..open)?.split_last()? else { return None };
    if let Some(method) = name.strip_prefix("().") {
        return of_method(method, before, arguments, known, depth);
    }
    before.is_empty().then_some(())?;
    if let Some((folder, method)) = name.rsplit_once('.')
        && let Some(folder) = known.get(folder)
    {
        return of_known(method, folder, arguments, known, depth);
    }
    functions::of_function(name, arguments, known, depth)
}

/// One value or another: `a if c else b`, `a or b`, `a || b`. `None` for an expression without such a choice.
fn chosen(tokens: &[&SourceToken], known: &KnownValues, depth: u32) -> Option<Literals> {
    let is_name = |token: &SourceToken, names: &[&str]| matches!(token, SourceToken::Name(name) if names.contains(&name.as_str()));
    let branches: Vec<&[&SourceToken]> = parted_at(tokens, |token| is_name(token, &["if", "else"])).collect();
    if branches.len() > 1 {
        let values: Vec<_> = [branches.first(), branches.get(2)]
            .into_iter()
            .flatten()
            .filter_map(|branch| value(branch, known, depth + 1))
            .collect();
        return Some((!values.is_empty()).then(|| values.concat()));
    }
    let is_or = |token: &SourceToken| *token == SourceToken::Sign('|') || is_name(token, &["or"]);
    let either: Vec<&[&SourceToken]> = parted_at(tokens, is_or).filter(|part| !part.is_empty()).collect();
    (either.len() > 1).then(|| either.into_iter().find_map(|part| value(part, known, depth + 1)))
}

/// Texts put together by `+` or `.`, paths by `/`, and texts filled by `%`. `None` for an expression without such a sign.
fn operator(tokens: &[&SourceToken], known: &KnownValues, depth: u32) -> Option<Literals> {
    if let [SourceToken::Text(Some(text)), SourceToken::Sign('%'), rest @ ..] = tokens {
        let values = value(rest, known, depth + 1).unwrap_or_else(unknown);
        let filled = values.iter().fold(text.clone(), |text, (value, _)| text.replacen("%s", value, 1));
        return Some(one(&filled.replace("%s", &UNKNOWN.to_string())));
    }
    for (sign, between) in [('+', ""), ('.', ""), ('/', "/")] {
        let pieces: Vec<&[&SourceToken]> = parted(tokens, sign).collect();
        if pieces.len() > 1 {
            let are_lists =
                sign == '+' && pieces.iter().any(|piece| piece.first() == Some(&&SourceToken::Sign('[')));
            let values: Vec<Literals> =
                pieces.into_iter().map(|piece| value(piece, known, depth + 1)).collect();
            return Some(match are_lists {
                true => Some(values.into_iter().flat_map(|list| list.unwrap_or_else(unknown)).collect()),
                false => joined(values, between),
            });
        }
    }
    None
}

/// The elements of a list as one text.
fn one_text(parts: &[(String, bool)], between: &str) -> (String, bool) {
    let texts: Vec<&str> = parts.iter().map(|(text, _)| text.as_str()).collect();
    (texts.join(between), parts.iter().any(|(_, glob)| *glob))
}

/// Every value with every continuation, up to a bound. Nothing where no part is known.
fn joined(parts: Vec<Literals>, between: &str) -> Literals {
    parts.iter().any(Option::is_some).then_some(())?;
    let mut values: Vec<(String, bool)> = Vec::new();
    for (index, part) in parts.into_iter().enumerate() {
        let part = part.unwrap_or_else(unknown);
        if index == 0 {
            values = part;
            continue;
        }
        (values.len() * part.len() <= MOST_VALUES).then_some(())?;
        values = values
            .iter()
            .flat_map(|(text, glob)| {
                part.iter().map(move |(tail, tail_glob)| match between {
                    // A path that begins anew is that path.
                    "/" if tail.starts_with(['/', '~']) => (tail.clone(), *tail_glob),
                    _ => (format!("{text}{between}{tail}"), *glob || *tail_glob),
                })
            })
            .collect();
    }
    Some(values)
}

/// The elements of a list, or the arguments of a call, as one list. Nothing where none of them is known.
fn parts(tokens: &[&SourceToken], known: &KnownValues, depth: u32) -> Literals {
    let each = each(tokens, known, depth);
    let is_known = each.is_empty() || each.iter().any(|values| *values != unknown());
    is_known.then(|| each.concat())
}

/// The values of each element of a list, or of each argument of a call.
fn each(tokens: &[&SourceToken], known: &KnownValues, depth: u32) -> Vec<Vec<(String, bool)>> {
    let mut values = Vec::new();
    for part in parted(tokens, ',') {
        match part {
            [] | [SourceToken::Sign('{'), ..] => {}
            // A keyword argument names no file.
            [SourceToken::Name(_), SourceToken::Sign('=' | ':'), ..] => {}
            part => values.push(value(part, known, depth + 1).unwrap_or_else(unknown)),
        }
    }
    values
}
