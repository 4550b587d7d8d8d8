//! The calls of a source, each with what is known of its arguments.
//!
//! An argument counts as known only when it is a literal, a list of them, or a name that was given one before.

use std::collections::HashMap;

use crate::shell::model::Language;
use crate::shell::wrappers::interpreter_code::functions::{Does, find};
use crate::shell::wrappers::interpreter_code::literals::{
    Literals, arguments, base_of_method, chain_start, expression_end, literals,
};
use crate::shell::wrappers::interpreter_code::tokens::{Token, tokens};

use Language::{Perl, Ruby};

/// The longest source that is read, in bytes.
pub(crate) const LONGEST_SOURCE: usize = 64 * 1024;

/// Calls `visit` with each call: its name, what is known of it, its arguments, and the path it is a method of.
pub(crate) fn each_call(
    language: Language,
    source: &str,
    mut visit: impl FnMut(&str, Option<Does>, &[Literals], Option<&[(String, bool)]>),
) {
    if source.len() > LONGEST_SOURCE || language == Language::Shell {
        return;
    }
    let tokens = tokens(language, source);
    let mut known = of_comprehensions(&tokens);
    for index in 0..tokens.len() {
        remember(&tokens, index, &mut known);
        remember_handed(&tokens, index, &mut known);
        let Some(Token::Name(name)) = tokens.get(index) else { continue };
        let does = find(language, name);
        let arguments = match tokens.get(index + 1) {
            Some(Token::Sign('(')) => arguments(&tokens, index + 2, &known, false),
            // Perl and Ruby call without parentheses too.
            Some(Token::Text(_) | Token::Mixed(_) | Token::Name(_))
                if does.is_some() && matches!(language, Perl | Ruby) =>
            {
                arguments(&tokens, index + 1, &known, true)
            }
            _ => continue,
        };
        let base = match name.rsplit_once('.') {
            Some(("()", _)) => base_of_method(&tokens, index, &known),
            Some((variable, _)) => known.get(variable).cloned(),
            None => None,
        };
        visit(name, does, &arguments, base.as_deref());
    }
}

/// The names of `[… for x in …]`, which stand before what they are given.
fn of_comprehensions(tokens: &[Token]) -> HashMap<String, Vec<(String, bool)>> {
    let mut known = HashMap::new();
    for (index, pair) in tokens.windows(2).enumerate() {
        let is_inside = !matches!(pair, [Token::Sign(';' | '\n' | ':'), _]);
        if is_inside && pair.get(1) == Some(&Token::Name("for".to_owned())) {
            remember(tokens, index + 2, &mut known);
        }
    }
    known
}

/// Notes `for r, d, f in os.walk('x')`: the folder, and what may be below it.
fn remember_walk(
    tokens: &[Token],
    index: usize,
    known: &mut HashMap<String, Vec<(String, bool)>>,
) -> Option<()> {
    let [
        Token::Name(root),
        Token::Sign(','),
        Token::Name(folders),
        Token::Sign(','),
        Token::Name(files),
        is_in,
        walk,
    ] = tokens.get(index..index + 7)?
    else {
        return None;
    };
    if *is_in != Token::Name("in".to_owned()) || *walk != Token::Name("os.walk".to_owned()) {
        return None;
    }
    let start = arguments(tokens, index + 8, known, false).into_iter().next()??;
    known.insert(root.clone(), start);
    for below in [folders, files] {
        known.insert(below.clone(), vec![("**/*".to_owned(), true)]);
    }
    Some(())
}

/// Notes `paths.forEach(path => …)`, and `paths.each { |path| … }`: the name of what is handed over, one by one.
fn remember_handed(
    tokens: &[Token],
    index: usize,
    known: &mut HashMap<String, Vec<(String, bool)>>,
) -> Option<()> {
    let Token::Name(name) = tokens.get(index)? else { return None };
    let method = name.rsplit('.').next()?;
    matches!(method, "forEach" | "map" | "each" | "each_child").then_some(())?;
    let after = tokens.get(index + 1..index + 8)?;
    let parameter = match after {
        [Token::Sign('('), Token::Name(function), Token::Sign('('), Token::Name(name), ..]
            if function == "function" =>
        {
            name
        }
        [Token::Sign('('), Token::Name(function), Token::Sign('('), ..] if function == "async" => {
            match after.get(3)? {
                Token::Name(name) => name,
                _ => return None,
            }
        }
        [Token::Sign('('), Token::Sign('('), Token::Name(name), ..] => name,
        [Token::Sign('('), Token::Name(name), Token::Sign('='), Token::Sign('>'), ..] => name,
        [Token::Sign('{'), Token::Sign('|'), Token::Name(name), Token::Sign('|'), ..] => name,
        [Token::Name(word), Token::Sign('|'), Token::Name(name), Token::Sign('|'), ..] if word == "do" => {
            name
        }
        _ => return None,
    };
    let values = match name.rsplit_once('.')? {
        ("()", _) => literals(tokens.get(chain_start(tokens, index)?..index)?, known)?,
        (variable, _) => known.get(variable)?.clone(),
    };
    known.insert(parameter.clone(), values);
    Some(())
}

/// Notes `x = 'literal'` and `for x in […]`.
fn remember(tokens: &[Token], index: usize, known: &mut HashMap<String, Vec<(String, bool)>>) {
    if remember_walk(tokens, index, known).is_some() {
        return;
    }
    let (Some(Token::Name(name)), Some(sign)) = (tokens.get(index), tokens.get(index + 1)) else { return };
    let assigns = *sign == Token::Sign('=') && !matches!(tokens.get(index + 2), Some(Token::Sign('=' | '>')));
    let loops = *sign == Token::Name("in".to_owned()) || *sign == Token::Name("of".to_owned());
    if !assigns && !loops {
        return;
    }
    // What its names stand for is noted with the first of them.
    if tokens.get(index + 2) == Some(&Token::Name("os.walk".to_owned())) {
        return;
    }
    let end = expression_end(tokens, index + 2);
    match literals(tokens.get(index + 2..end).unwrap_or_default(), known) {
        Some(values) => known.insert(name.clone(), values),
        None => known.remove(name),
    };
}
