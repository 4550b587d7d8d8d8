//! The shell texts that a source runs: what it hands to a shell, word by word or as a whole.

use crate::model::shell_word::in_quotes;
use crate::shell::model::{ScriptLanguage, UNKNOWN};
use crate::shell::wrappers::interpreter_code::calls::{SourceCall, each_call};
use crate::shell::wrappers::interpreter_code::functions::FunctionEffect;
use crate::shell::wrappers::interpreter_code::literals::literals;
use crate::shell::wrappers::interpreter_code::names::named_tokens;
use crate::shell::wrappers::interpreter_code::own_functions;
use crate::shell::wrappers::interpreter_code::tokens::SourceToken;

/// The shell texts that a source runs, as far as they are known.
pub(crate) fn shell_texts(language: ScriptLanguage, source: &str) -> Vec<String> {
    let mut texts = Vec::new();
    let tokens = named_tokens(language, source);
    if language == ScriptLanguage::Awk {
        // `print | "command"`, `"command" | getline`, and `do shell script "command"`.
        texts.extend(tokens.windows(2).filter_map(|pair| match pair {
            [SourceToken::Sign('|'), SourceToken::Text(Some(text))]
            | [SourceToken::Text(Some(text)), SourceToken::Sign('|')] => Some(text.clone()),
            [SourceToken::Name(script), SourceToken::Text(Some(text))] if script == "script" => {
                Some(text.clone())
            }
            _ => None,
        }));
    }
    let own = own_functions::running(language, &tokens);
    each_call(language, source, |call| {
        let of_own = own.iter().find(|own| own.name == call.name);
        if of_own.is_none() && !matches!(call.does, Some(FunctionEffect::Shell)) {
            return;
        }
        let leading = of_own.iter().flat_map(|own| own.leading.iter().cloned());
        let words: Vec<String> = leading.chain(words_of(call)).collect();
        let text = match words.as_slice() {
            [] if language == ScriptLanguage::Awk => side_by_side(call.inside),
            [] => return,
            [only] => only.clone(),
            several => several.iter().map(|word| in_quotes(word)).collect::<Vec<_>>().join(" "),
        };
        // Nothing is known of what is run.
        if text.trim_matches(UNKNOWN).trim().is_empty() {
            return;
        }
        let folder = given(call, "cwd").or(call.folder.map(str::to_owned));
        texts.push(match folder {
            Some(folder) => format!("cd {} && {text}", in_place(&folder)),
            None => text,
        });
    });
    texts
}

/// Texts and values that stand beside each other, which awk makes one text of.
fn side_by_side(tokens: &[SourceToken]) -> String {
    let mut text = String::new();
    for token in tokens {
        match token {
            SourceToken::Text(Some(known)) => text.push_str(known),
            SourceToken::Sign('\n' | '(' | ')') => {}
            _ if text.ends_with(UNKNOWN) => {}
            _ => text.push(UNKNOWN),
        }
    }
    text
}

/// A folder as a word of the shell.
fn in_place(folder: &str) -> String {
    match folder.strip_prefix('~') {
        Some(rest) => format!("~{}", if rest.is_empty() { String::new() } else { in_quotes(rest) }),
        None => in_quotes(folder),
    }
}

/// The words that a call hands over: its arguments, up to the first that is none, and those that an option has.
fn words_of(call: &SourceCall) -> Vec<String> {
    let arguments: Vec<_> = call.arguments.iter().map_while(Clone::clone).collect();
    let mut words: Vec<String> = arguments.concat().into_iter().map(|(word, _)| word).collect();
    for name in ["args", "cmd"] {
        words.extend(values(call, name));
    }
    words
}

/// The values that an option of a call has: `cwd='x'`, `{ cwd: 'x' }`.
fn values(call: &SourceCall, name: &str) -> Vec<String> {
    let at = call.inside.windows(2).position(
        |pair| matches!(pair, [SourceToken::Name(own), SourceToken::Sign('=' | ':')] if own == name),
    );
    let Some(rest) = at.and_then(|at| call.inside.get(at + 2..)) else { return Vec::new() };
    let mut depth = 0usize;
    let ends = |token: &SourceToken| match token {
        SourceToken::Sign('(' | '[' | '{') => {
            depth += 1;
            false
        }
        SourceToken::Sign(')' | ']' | '}') if depth > 0 => {
            depth -= 1;
            false
        }
        SourceToken::Sign(',' | ')' | ']' | '}') => depth == 0,
        _ => false,
    };
    let end = rest.iter().position(ends).unwrap_or(rest.len());
    let found = literals(rest.get(..end).unwrap_or_default(), call.known).unwrap_or_default();
    found.into_iter().map(|(text, _)| text).collect()
}

fn given(call: &SourceCall, name: &str) -> Option<String> {
    values(call, name).into_iter().next()
}
