//! Functions of a source's own that hand what they get to a shell: `sh = lambda c: subprocess.run(c, shell=True)`.

use crate::shell::model::ScriptLanguage;
use crate::shell::wrappers::interpreter_code::functions::{Does, find};
use crate::shell::wrappers::interpreter_code::tokens::Token;

/// So many tokens of a function are looked at.
const LONGEST_BODY: usize = 120;

/// A function that runs what it gets.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Runs {
    /// Its name.
    pub(crate) name: String,
    /// The words that it puts before what it gets.
    pub(crate) leading: Vec<String>,
}

/// The functions of a source that run what they get.
pub(crate) fn running(language: ScriptLanguage, tokens: &[Token]) -> Vec<Runs> {
    (0..tokens.len()).filter_map(|at| defined_at(language, tokens, at)).collect()
}

fn defined_at(language: ScriptLanguage, tokens: &[Token], at: usize) -> Option<Runs> {
    let name = |at: usize| match tokens.get(at) {
        Some(Token::Name(name)) => Some(name.as_str()),
        _ => None,
    };
    let (own, body) = match (name(at)?, tokens.get(at + 1)?) {
        ("def" | "function", Token::Name(own)) => (own.as_str(), at + 2),
        (own, Token::Sign('=')) if takes_parameters(tokens, at + 2) => (own, at + 2),
        _ => return None,
    };
    let is_next = |token: &Token| matches!(token, Token::Name(name) if matches!(name.as_str(), "def" | "function" | "class"));
    let ends = |token: &Token| {
        name(at) != Some("def") && name(at) != Some("function") && *token == Token::Sign('\n')
    };
    let body: Vec<&Token> = tokens
        .iter()
        .skip(body)
        .take(LONGEST_BODY)
        .take_while(|token| !is_next(token) && !ends(token))
        .collect();
    let runs = |token: &&Token| match token {
        Token::Name(called) => matches!(find(language, called), Some(Does::Shell)),
        _ => false,
    };
    let called = body.iter().position(runs)?;
    let list = body.iter().skip(called + 1).take_while(|token| **token != &Token::Sign(')'));
    let leading = list.filter_map(|token| match token {
        Token::Text(Some(text)) => Some(text.clone()),
        _ => None,
    });
    // A text that is not in a list is all that is run.
    let is_list = body.get(called + 2) == Some(&&Token::Sign('['));
    Some(Runs { name: own.to_owned(), leading: leading.filter(|_| is_list).collect() })
}

/// `lambda …` of Python, `(…) => …` and `x => …` of JavaScript.
fn takes_parameters(tokens: &[Token], from: usize) -> bool {
    let head = || tokens.iter().skip(from).take(24).take_while(|token| **token != Token::Sign('\n'));
    tokens.get(from) == Some(&Token::Name("lambda".to_owned()))
        || head().zip(head().skip(1)).any(|(one, two)| *one == Token::Sign('=') && *two == Token::Sign('>'))
}
