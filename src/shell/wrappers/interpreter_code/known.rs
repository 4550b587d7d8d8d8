//! What the names of a source were given: by an assignment, a loop, a block, or whoever calls the function.

use std::collections::HashMap;

use crate::shell::model::ScriptLanguage;
use crate::shell::wrappers::interpreter_code::literals::{
    Literals, arguments, chain_start, expression_end, literals,
};
use crate::shell::wrappers::interpreter_code::tokens::SourceToken;
use crate::shell::wrappers::interpreter_code::values::KnownValues;

/// The most values that a name collects.
const MOST_ADDED: usize = 64;

/// The names of `[… for x in …]`, which stand before what they are given.
pub(super) fn of_comprehensions(tokens: &[SourceToken]) -> KnownValues {
    let mut known = KnownValues::new();
    for (index, pair) in tokens.windows(2).enumerate() {
        let is_inside = !matches!(pair, [SourceToken::Sign(';' | '\n' | ':'), _]);
        if is_inside && pair.get(1) == Some(&SourceToken::Name("for".to_owned())) {
            remember(tokens, index + 2, &mut known);
        }
    }
    known
}

/// Notes `for r, d, f in os.walk('x')`: the folder, and what may be below it.
fn remember_walk(tokens: &[SourceToken], index: usize, known: &mut KnownValues) -> Option<()> {
    let [
        SourceToken::Name(root),
        SourceToken::Sign(','),
        SourceToken::Name(folders),
        SourceToken::Sign(','),
        SourceToken::Name(files),
        is_in,
        walk,
    ] = tokens.get(index..index + 7)?
    else {
        return None;
    };
    if *is_in != SourceToken::Name("in".to_owned()) || *walk != SourceToken::Name("os.walk".to_owned()) {
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
fn remember_handed(tokens: &[SourceToken], index: usize, known: &mut KnownValues) -> Option<()> {
    let SourceToken::Name(name) = tokens.get(index)? else { return None };
    let method = name.rsplit('.').next()?;
    matches!(method, "forEach" | "map" | "each" | "each_child" | "flatMap" | "each_entry").then_some(())?;
    let after = tokens.get(index + 1..index + 8)?;
    let parameter = match after {
        [
            SourceToken::Sign('('),
            SourceToken::Name(function),
            SourceToken::Sign('('),
            SourceToken::Name(name),
            ..,
        ] if function == "function" => name,
        [SourceToken::Sign('('), SourceToken::Name(function), SourceToken::Sign('('), ..]
            if function == "async" =>
        {
            match after.get(3)? {
                SourceToken::Name(name) => name,
                _ => return None,
            }
        }
        [SourceToken::Sign('('), SourceToken::Sign('('), SourceToken::Name(name), ..] => name,
        [
            SourceToken::Sign('('),
            SourceToken::Name(name),
            SourceToken::Sign('='),
            SourceToken::Sign('>'),
            ..,
        ] => name,
        [
            SourceToken::Sign('{'),
            SourceToken::Sign('|'),
            SourceToken::Name(name),
            SourceToken::Sign('|'),
            ..,
        ] => name,
        [
            SourceToken::Name(word),
            SourceToken::Sign('|'),
            SourceToken::Name(name),
            SourceToken::Sign('|'),
            ..,
        ] if word == "do" => name,
        _ => return None,
    };
    let values = match name.rsplit_once('.')? {
        ("()", _) => literals(tokens.get(chain_start(tokens, index)?..index)?, known)?,
        (variable, _) => known.get(variable)?.clone(),
    };
    known.insert(parameter.clone(), values);
    Some(())
}

/// Notes what the name at an index is given.
pub(super) fn remember(tokens: &[SourceToken], index: usize, known: &mut KnownValues) {
    remember_value(tokens, index, known);
    _ = remember_handed(tokens, index, known);
    _ = remember_block(tokens, index, known);
    _ = remember_named(tokens, index, known);
    _ = remember_added(tokens, index, known);
    _ = remember_each(tokens, index, known);
}

/// `Dir.glob('x') { |f| … }`: the name of a block behind a call.
fn remember_block(tokens: &[SourceToken], index: usize, known: &mut KnownValues) -> Option<()> {
    let parameter = match tokens.get(index..index + 4)? {
        [SourceToken::Sign(')'), SourceToken::Sign('{'), SourceToken::Sign('|'), SourceToken::Name(name)] => {
            name
        }
        [
            SourceToken::Sign(')'),
            SourceToken::Name(word),
            SourceToken::Sign('|'),
            SourceToken::Name(name),
        ] if word == "do" => name,
        _ => return None,
    };
    let start = chain_start(tokens, index + 1)?;
    let values = literals(tokens.get(start..=index)?, known)?;
    known.insert(parameter.clone(), values);
    Some(())
}

/// `with open(x) as f`, `foreach (glob('x') as $f)`: what a value is called from here on.
fn remember_named(tokens: &[SourceToken], index: usize, known: &mut KnownValues) -> Option<()> {
    let [SourceToken::Name(word), SourceToken::Name(name)] = tokens.get(index..index + 2)? else {
        return None;
    };
    (word == "as").then_some(())?;
    // Of a key and its value the value is the file.
    let name = match tokens.get(index + 2..index + 5) {
        Some([SourceToken::Sign('='), SourceToken::Sign('>'), SourceToken::Name(value)]) => value,
        _ => name,
    };
    let values = match tokens.get(index.checked_sub(1)?)? {
        SourceToken::Name(variable) => known.get(variable)?.clone(),
        _ => literals(tokens.get(chain_start(tokens, index)?..index)?, known)?,
    };
    known.insert(name.clone(), values);
    Some(())
}

/// `words += ['x']`, `words.append('x')`.
fn remember_added(tokens: &[SourceToken], index: usize, known: &mut KnownValues) -> Option<()> {
    let SourceToken::Name(name) = tokens.get(index)? else { return None };
    let (own, values) = match tokens.get(index + 1..index + 3)? {
        [SourceToken::Sign('+'), SourceToken::Sign('=')] => {
            let end = expression_end(tokens, index + 3);
            (name.as_str(), literals(tokens.get(index + 3..end)?, known)?)
        }
        [SourceToken::Sign('('), _] => {
            let (own, method) = name.rsplit_once('.')?;
            matches!(method, "append" | "extend" | "push" | "concat").then_some(())?;
            (own, arguments(tokens, index + 2, known, false).into_iter().flatten().flatten().collect())
        }
        _ => return None,
    };
    let before = known.get_mut(own)?;
    (before.len() + values.len() <= MOST_ADDED).then(|| before.extend(values))
}

/// Perl's `for my $f (list)` and `foreach $f (list)`.
fn remember_each(tokens: &[SourceToken], index: usize, known: &mut KnownValues) -> Option<()> {
    let SourceToken::Name(word) = tokens.get(index)? else { return None };
    matches!(word.as_str(), "for" | "foreach").then_some(())?;
    let own = usize::from(matches!(tokens.get(index + 1), Some(SourceToken::Name(my)) if my == "my"));
    let [SourceToken::Name(name), SourceToken::Sign('(')] = tokens.get(index + 1 + own..index + 3 + own)?
    else {
        return None;
    };
    let values = arguments(tokens, index + 3 + own, known, false).into_iter().flatten().flatten().collect();
    known.insert(name.clone(), values);
    Some(())
}

/// Perl's `unlink $_ for list`: what stands behind is what the line is done with.
pub(super) fn of_modifiers(language: ScriptLanguage, tokens: &[SourceToken], known: &mut KnownValues) {
    if language != ScriptLanguage::Perl {
        return;
    }
    for (index, token) in tokens.iter().enumerate() {
        let modifies = matches!(token, SourceToken::Name(word) if matches!(word.as_str(), "for" | "foreach"))
            && index > 0
            && !matches!(tokens.get(index - 1), Some(SourceToken::Sign(';' | '\n' | '{' | '}')));
        if modifies {
            let end = expression_end(tokens, index + 1);
            let values = literals(tokens.get(index + 1..end).unwrap_or_default(), known);
            known.extend(values.map(|values| ("_".to_owned(), values)));
        }
    }
}

/// The parameters of a source's own functions, by what they are called with: the names of each function's parameters.
pub(super) fn parameters(tokens: &[SourceToken]) -> HashMap<String, Vec<String>> {
    let mut functions = HashMap::new();
    for (index, token) in tokens.iter().enumerate() {
        let SourceToken::Name(word) = token else { continue };
        let (name, open) = match (word.as_str(), tokens.get(index + 1)) {
            ("def" | "function" | "fn", Some(SourceToken::Name(name))) => (name.clone(), index + 2),
            // `const wipe = (path) => …`
            (name, Some(SourceToken::Sign('=')))
                if tokens.get(index + 2) == Some(&SourceToken::Sign('(')) =>
            {
                (name.to_owned(), index + 2)
            }
            _ => continue,
        };
        if tokens.get(open) != Some(&SourceToken::Sign('(')) {
            continue;
        }
        let inside = tokens.get(open + 1..).unwrap_or_default();
        let inside = inside.split(|token| *token == SourceToken::Sign(')')).next().unwrap_or_default();
        let names =
            inside.split(|token| *token == SourceToken::Sign(',')).filter_map(|part| match part.first() {
                Some(SourceToken::Name(name)) => Some(name.clone()),
                _ => None,
            });
        functions.insert(name, names.collect());
    }
    functions
}

/// Notes what a call of a source's own function hands over.
pub(super) fn hand_over(names: &[String], arguments: &[Literals], handed: &mut KnownValues) {
    for (name, values) in names.iter().zip(arguments) {
        let all = handed.entry(name.clone()).or_default();
        for value in values.iter().flatten().filter(|value| !value.0.is_empty()) {
            if all.len() < MOST_ADDED && !all.contains(value) {
                all.push(value.clone());
            }
        }
    }
}

/// Notes `x = 'literal'`, `x: str = 'literal'` and `for x in […]`.
fn remember_value(tokens: &[SourceToken], index: usize, known: &mut KnownValues) {
    if remember_walk(tokens, index, known).is_some() {
        return;
    }
    // A type may stand between the name and its value.
    let typed = matches!(
        tokens.get(index + 1..index + 4),
        Some([SourceToken::Sign(':'), SourceToken::Name(_), SourceToken::Sign('=')])
    );
    let sign = if typed { tokens.get(index + 3) } else { tokens.get(index + 1) };
    let (Some(SourceToken::Name(name)), Some(sign)) = (tokens.get(index), sign) else { return };
    let index = if typed { index + 2 } else { index };
    let assigns = *sign == SourceToken::Sign('=')
        && !matches!(tokens.get(index + 2), Some(SourceToken::Sign('=' | '>')));
    let loops = *sign == SourceToken::Name("in".to_owned()) || *sign == SourceToken::Name("of".to_owned());
    if !assigns && !loops {
        return;
    }
    // What its names stand for is noted with the first of them.
    if tokens.get(index + 2) == Some(&SourceToken::Name("os.walk".to_owned())) {
        return;
    }
    let end = expression_end(tokens, index + 2);
    match literals(tokens.get(index + 2..end).unwrap_or_default(), known) {
        Some(values) => known.insert(name.clone(), values),
        None => known.remove(name),
    };
}
