//! What an expression of literals stands for: texts, paths joined of them, and the files that a pattern or a folder names.

use std::collections::HashMap;

use crate::shell::wrappers::interpreter_code::tokens::Token;

/// The most tokens of one expression: hostile nesting must not cost a square.
const LONGEST_EXPRESSION: usize = 256;

/// Functions that give back the path they get.
const PATHS: &[&str] = &[
    "Path",
    "pathlib.Path",
    "PurePath",
    "Pathname.new",
    "Bun.file",
    "os.path.expanduser",
    "os.path.abspath",
    "os.path.realpath",
    "expanduser",
    "File.expand_path",
];

/// So many texts at most come of one sum.
const MOST_SUMS: usize = 64;

const JOINS: &[&str] = &["os.path.join", "path.join", "path.resolve", "File.join"];

const GLOBS: &[&str] = &["glob.glob", "glob", "glob.iglob", "Dir.glob", "glob.sync", "globSync"];

/// Functions that give back the names of what is in a folder.
const LISTINGS: &[&str] = &["os.listdir", "listdir", "readdirSync", "fs.readdirSync", "Dir.children"];

/// Methods of a path that give back the paths in it, and how they say that folders below are meant.
const BELOW: &[(&str, &str)] = &[("rglob", "**/"), ("glob", ""), ("iterdir", "*")];

/// The literals that an expression stands for, each with whether it is a pattern.
pub(crate) type Literals = Option<Vec<(String, bool)>>;

/// `Path('x').unlink()`: what stands in the parentheses before the dot.
pub(crate) fn base_of_method(
    tokens: &[Token],
    at: usize,
    known: &HashMap<String, Vec<(String, bool)>>,
) -> Literals {
    let mut depth = 0usize;
    for index in (0..at).rev().take(LONGEST_EXPRESSION) {
        match tokens.get(index)? {
            Token::Sign(')') => depth += 1,
            Token::Sign('(') => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    let Some(Token::Name(name)) = tokens.get(index.checked_sub(1)?) else { return None };
                    PATHS.contains(&name.as_str()).then_some(())?;
                    return literals(tokens.get(index + 1..at - 1)?, known);
                }
            }
            _ => {}
        }
    }
    None
}

pub(crate) fn expression_end(tokens: &[Token], start: usize) -> usize {
    let mut depth = 0usize;
    for (index, token) in tokens.iter().enumerate().skip(start).take(LONGEST_EXPRESSION) {
        match token {
            Token::Sign('(' | '[' | '{') => depth += 1,
            Token::Sign(')' | ']' | '}') if depth == 0 => return index,
            Token::Sign(')' | ']' | '}') => depth -= 1,
            Token::Sign(';' | '\n' | ':') if depth == 0 => return index,
            _ => {}
        }
    }
    tokens.len().min(start + LONGEST_EXPRESSION)
}

pub(crate) fn arguments(
    tokens: &[Token],
    start: usize,
    known: &HashMap<String, Vec<(String, bool)>>,
    bare: bool,
) -> Vec<Literals> {
    let mut arguments = Vec::new();
    let mut depth = 0usize;
    let mut from = start;
    for (index, token) in tokens.iter().enumerate().skip(start).take(LONGEST_EXPRESSION) {
        let ends = match token {
            Token::Sign('(' | '[' | '{') => {
                depth += 1;
                continue;
            }
            Token::Sign(')' | ']' | '}') if depth > 0 => {
                depth -= 1;
                continue;
            }
            Token::Sign(')' | ']' | '}') => true,
            Token::Sign(';' | '\n') => depth == 0 && bare,
            Token::Sign(',') if depth == 0 => false,
            _ => continue,
        };
        if index > from {
            arguments.push(literals(tokens.get(from..index).unwrap_or_default(), known));
        }
        from = index + 1;
        if ends {
            return arguments;
        }
    }
    if from < tokens.len() {
        let end = tokens.len().min(from + LONGEST_EXPRESSION);
        arguments.push(literals(tokens.get(from..end).unwrap_or_default(), known));
    }
    arguments
}

/// The literals of an expression.
pub(crate) fn literals(tokens: &[Token], known: &HashMap<String, Vec<(String, bool)>>) -> Literals {
    let tokens: Vec<&Token> = tokens.iter().filter(|token| **token != Token::Sign('\n')).collect();
    match tokens.as_slice() {
        [Token::Text(text)] => Some(vec![(text.clone()?, false)]),
        [Token::Name(name)] => known.get(name).cloned(),
        // Perl needs no parentheses.
        [Token::Name(name), Token::Text(text)] if name == "glob" => Some(vec![(text.clone()?, true)]),
        [Token::Sign('[' | '('), inner @ .., Token::Sign(']' | ')')] => all_texts(inner, known),
        [.., Token::Sign(')')] if tokens.iter().any(|token| is_method(token)) => path_method(&tokens, known),
        [Token::Name(name), Token::Sign('('), inner @ .., Token::Sign(')')] => {
            let values = all_texts(inner, known)?;
            let name = name.as_str();
            if PATHS.contains(&name) {
                Some(values)
            } else if JOINS.contains(&name) {
                let parts: Vec<&str> = values.iter().map(|(text, _)| text.as_str()).collect();
                Some(vec![(parts.join("/"), values.iter().any(|(_, glob)| *glob))])
            } else if LISTINGS.contains(&name) {
                Some(vec![("*".to_owned(), true)])
            } else if let Some((folder, method)) = name.rsplit_once('.')
                && let Some(folder) = known.get(folder)
            {
                in_folder(method, folder, &values)
            } else if GLOBS.contains(&name) {
                Some(values.into_iter().take(1).map(|(text, _)| (text, true)).collect())
            } else {
                None
            }
        }
        // Texts that stand beside each other are one.
        [Token::Text(Some(before)), Token::Text(Some(after))] => {
            Some(vec![(format!("{before}{after}"), false)])
        }
        _ => sum(&tokens, known),
    }
}

/// `'a' + x + 'b'`: each text that it may be.
fn sum(tokens: &[&Token], known: &HashMap<String, Vec<(String, bool)>>) -> Literals {
    let parts = outer_parts(tokens, '+');
    if parts.len() < 2 {
        return None;
    }
    let mut texts = vec![(String::new(), false)];
    for part in parts {
        let part: Vec<Token> = part.iter().map(|token| (*token).clone()).collect();
        let values = literals(&part, known)?;
        if texts.len() * values.len() > MOST_SUMS {
            return None;
        }
        let joined = texts.iter().flat_map(|(before, glob)| {
            values.iter().map(move |(after, other)| (format!("{before}{after}"), *glob || *other))
        });
        texts = joined.collect();
    }
    Some(texts)
}

/// The parts of an expression between signs that stand in no parentheses.
fn outer_parts<'t>(tokens: &'t [&'t Token], sign: char) -> Vec<&'t [&'t Token]> {
    let (mut parts, mut depth, mut from) = (Vec::new(), 0usize, 0);
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Sign('(' | '[' | '{') => depth += 1,
            Token::Sign(')' | ']' | '}') => depth = depth.saturating_sub(1),
            Token::Sign(found) if depth == 0 && *found == sign => {
                parts.extend(tokens.get(from..at));
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.extend(tokens.get(from..));
    parts
}

/// Whether a name is a method of what a call gives back.
fn is_method(token: &Token) -> bool {
    matches!(token, Token::Name(name) if name.starts_with("()."))
}

/// `Path('x').glob('y')`.
fn path_method(tokens: &[&Token], known: &HashMap<String, Vec<(String, bool)>>) -> Literals {
    let at = tokens.iter().position(|token| is_method(token))?;
    let (Token::Name(method), [Token::Name(path), Token::Sign('('), folder @ .., Token::Sign(')')]) =
        (tokens.get(at)?, tokens.get(..at)?)
    else {
        return None;
    };
    let [Token::Sign('('), inner @ .., Token::Sign(')')] = tokens.get(at + 1..)? else { return None };
    PATHS.contains(&path.as_str()).then_some(())?;
    in_folder(method.strip_prefix("().")?, &all_texts(folder, known)?, &all_texts(inner, known)?)
}

/// What `Path('x').glob('y')` and its like stand for.
fn in_folder(method: &str, folder: &[(String, bool)], values: &[(String, bool)]) -> Literals {
    let (_, below) = BELOW.iter().find(|(known, _)| *known == method)?;
    let pattern = values.first().map_or("", |(text, _)| text.as_str());
    Some(folder.iter().map(|(folder, _)| (format!("{folder}/{below}{pattern}"), true)).collect())
}

fn all_texts(tokens: &[&Token], known: &HashMap<String, Vec<(String, bool)>>) -> Literals {
    let mut texts = Vec::new();
    for part in tokens.split(|token| **token == Token::Sign(',')) {
        match part {
            [] => {}
            [Token::Text(text)] => texts.push((text.clone()?, false)),
            [Token::Name(name)] => texts.extend(known.get(name)?.iter().cloned()),
            // A keyword argument names no file.
            [Token::Name(_), Token::Sign('='), ..] => {}
            _ => texts.extend(sum(part, known)?),
        }
    }
    Some(texts)
}
