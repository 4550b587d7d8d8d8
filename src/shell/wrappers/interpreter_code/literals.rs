//! Where the expressions and arguments of a source begin and end.

use crate::shell::wrappers::interpreter_code::tokens::{SourceToken, opening};
pub(crate) use crate::shell::wrappers::interpreter_code::values::{KnownValues, Literals, literals};

/// Words behind which a line says how often, or whether, it is done.
const MODIFIERS: &[&str] = &["for", "foreach", "if", "unless", "while", "until", "or", "and"];

/// The most tokens of one expression: hostile nesting must not cost a square.
const LONGEST_EXPRESSION: usize = 256;

/// `Path('x').unlink()`: the path that stands before the dot.
pub(crate) fn base_of_method(tokens: &[SourceToken], at: usize, known: &KnownValues) -> Literals {
    let start = chain_start(tokens, at)?;
    literals(tokens.get(start..at)?, known)
}

/// Where the expression begins whose method stands at an index: `a(b).c[d].method`.
pub(crate) fn chain_start(tokens: &[SourceToken], at: usize) -> Option<usize> {
    let mut index = at;
    let first = at.saturating_sub(LONGEST_EXPRESSION);
    loop {
        let last = index.checked_sub(1).filter(|last| *last >= first)?;
        matches!(tokens.get(last)?, SourceToken::Sign(')' | ']')).then_some(())?;
        let open = first + opening(tokens.get(first..=last)?)?;
        match open.checked_sub(1).and_then(|before| tokens.get(before)) {
            Some(SourceToken::Name(name)) if name.starts_with("().") => index = open - 1,
            Some(SourceToken::Name(name)) if !matches!(name.as_str(), "in" | "of" | "return") => {
                return Some(open - 1);
            }
            Some(SourceToken::Sign(')' | ']')) => index = open,
            _ => return Some(open),
        }
    }
}

/// Where the bracket closes that opens at an index.
pub(crate) fn closing(tokens: &[SourceToken], open: usize) -> usize {
    let mut depth = 0usize;
    for (index, token) in tokens.iter().enumerate().skip(open).take(LONGEST_EXPRESSION) {
        match token {
            SourceToken::Sign('(' | '[' | '{') => depth += 1,
            SourceToken::Sign(')' | ']' | '}') => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return index;
        }
    }
    open
}

/// Where an expression ends that begins at an index.
pub(crate) fn expression_end(tokens: &[SourceToken], start: usize) -> usize {
    let mut depth = 0usize;
    for (index, token) in tokens.iter().enumerate().skip(start).take(LONGEST_EXPRESSION) {
        match token {
            SourceToken::Sign('(' | '[' | '{') => depth += 1,
            SourceToken::Sign(')' | ']' | '}') if depth == 0 => return index,
            SourceToken::Sign(')' | ']' | '}') => depth -= 1,
            SourceToken::Sign(';' | '\n' | ':') if depth == 0 => return index,
            _ => {}
        }
    }
    tokens.len().min(start + LONGEST_EXPRESSION)
}

/// The arguments of a call from an index on; without brackets they end with the line.
pub(crate) fn arguments(
    tokens: &[SourceToken],
    start: usize,
    known: &KnownValues,
    bare: bool,
) -> Vec<Literals> {
    let mut arguments = Vec::new();
    let mut depth = 0usize;
    let mut from = start;
    for (index, token) in tokens.iter().enumerate().skip(start).take(LONGEST_EXPRESSION) {
        let ends = match token {
            SourceToken::Sign('(' | '[' | '{') => {
                depth += 1;
                continue;
            }
            SourceToken::Sign(')' | ']' | '}') if depth > 0 => {
                depth -= 1;
                continue;
            }
            SourceToken::Sign(')' | ']' | '}') => true,
            SourceToken::Sign(';' | '\n') => depth == 0 && bare,
            SourceToken::Sign(',') if depth == 0 => false,
            // `unlink $f for @list`: what follows is not handed over.
            SourceToken::Name(word)
                if bare && depth == 0 && index > start && MODIFIERS.contains(&word.as_str()) =>
            {
                true
            }
            _ => continue,
        };
        let argument = tokens.get(from..index).unwrap_or_default();
        // A table of options names no file.
        let is_options = argument.first() == Some(&SourceToken::Sign('{')) && !arguments.is_empty();
        if index > from {
            arguments.extend(Some(literals(argument, known)).filter(|it| it.is_some() || !is_options));
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
