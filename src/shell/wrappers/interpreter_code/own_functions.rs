//! Functions of a source's own that hand what they get to a shell: `sh = lambda c: subprocess.run(c, shell=True)`.

use crate::shell::model::ScriptLanguage;
use crate::shell::wrappers::interpreter_code::functions::{FunctionEffect, find};
use crate::shell::wrappers::interpreter_code::tokens::SourceToken;

/// So many tokens of a function are looked at.
const LONGEST_BODY: usize = 120;

/// A function that runs what it gets.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct RunnerFunction {
    /// Its name.
    pub(crate) name: String,
    /// The words that it puts before what it gets.
    pub(crate) leading: Vec<String>,
}

/// The functions of a source that run what they get.
pub(crate) fn running(language: ScriptLanguage, tokens: &[SourceToken]) -> Vec<RunnerFunction> {
    (0..tokens.len()).filter_map(|at| defined_at(language, tokens, at)).collect()
}

fn defined_at(language: ScriptLanguage, tokens: &[SourceToken], at: usize) -> Option<RunnerFunction> {
    let name = |at: usize| match tokens.get(at) {
        Some(SourceToken::Name(name)) => Some(name.as_str()),
        _ => None,
    };
    let (own, body) = match (name(at)?, tokens.get(at + 1)?) {
        ("def" | "function", SourceToken::Name(own)) => (own.as_str(), at + 2),
        (own, SourceToken::Sign('=')) if takes_parameters(tokens, at + 2) => (own, at + 2),
        _ => return None,
    };
    let is_next = |token: &SourceToken| matches!(token, SourceToken::Name(name) if matches!(name.as_str(), "def" | "function" | "class"));
    let ends = |token: &SourceToken| {
        name(at) != Some("def") && name(at) != Some("function") && *token == SourceToken::Sign('\n')
    };
    let body: Vec<&SourceToken> = tokens
        .iter()
        .skip(body)
        .take(LONGEST_BODY)
        .take_while(|token| !is_next(token) && !ends(token))
        .collect();
    let runs = |token: &&SourceToken| match token {
        SourceToken::Name(called) => matches!(find(language, called), Some(FunctionEffect::Shell)),
        _ => false,
    };
    let called = body.iter().position(runs)?;
    let list = body.iter().skip(called + 1).take_while(|token| **token != &SourceToken::Sign(')'));
    let leading = list.filter_map(|token| match token {
        SourceToken::Text(Some(text)) => Some(text.clone()),
        _ => None,
    });
    // A text that is not in a list is all that is run.
    let is_list = body.get(called + 2) == Some(&&SourceToken::Sign('['));
    Some(RunnerFunction { name: own.to_owned(), leading: leading.filter(|_| is_list).collect() })
}

/// `lambda …` of Python, `(…) => …` and `x => …` of JavaScript.
fn takes_parameters(tokens: &[SourceToken], from: usize) -> bool {
    let head = || tokens.iter().skip(from).take(24).take_while(|token| **token != SourceToken::Sign('\n'));
    tokens.get(from) == Some(&SourceToken::Name("lambda".to_owned()))
        || head()
            .zip(head().skip(1))
            .any(|(one, two)| *one == SourceToken::Sign('=') && *two == SourceToken::Sign('>'))
}
