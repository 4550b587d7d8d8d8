//! Texts that a word or a sign quotes: Perl's `qw(a b)`, `qx{…}` and `<*.c>`, Ruby's `%w[a b]`.

use crate::shell::model::ScriptLanguage;
use crate::shell::wrappers::interpreter_code::token::SourceToken;

use ScriptLanguage::{Perl, Ruby};

/// The function that runs what stands in its brackets by a shell, as backquotes do.
pub(crate) const BY_SHELL: &str = "qx";

/// A text in backquotes as the call that it is.
pub(crate) fn by_shell(text: SourceToken) -> Vec<SourceToken> {
    vec![SourceToken::Name(BY_SHELL.to_owned()), SourceToken::Sign('('), text, SourceToken::Sign(')')]
}

/// What a quoting word or sign at an index stands for, and where it ends. `literal` makes a text with what is put into it.
pub(crate) fn quoted(
    language: ScriptLanguage,
    characters: &[char],
    start: usize,
    literal: impl Fn(&str) -> SourceToken,
) -> Option<(Vec<SourceToken>, usize)> {
    let at = |index: usize| characters.get(index).copied().unwrap_or('\0');
    let (kind, open) = match (language, at(start)) {
        (Perl, 'q') if matches!(at(start + 1), 'w' | 'q' | 'x') => (at(start + 1), start + 2),
        (Perl, 'q') => ('q', start + 1),
        (Perl, '<') => ('<', start),
        (Ruby, '%') => (at(start + 1).to_ascii_lowercase(), start + 2),
        _ => return None,
    };
    let close = match at(open) {
        '(' => ')',
        '[' => ']',
        '{' => '}',
        '<' => '>',
        same @ ('/' | '|' | '!') if kind != '<' => same,
        _ => return None,
    };
    let length = characters.get(open + 1..)?.iter().position(|letter| *letter == close)?;
    let inside: String = characters.get(open + 1..open + 1 + length)?.iter().collect();
    let end = open + length + 2;
    let text = |text: &str| SourceToken::Text(Some(text.to_owned()));
    let tokens = match kind {
        'w' | 'i' => {
            let words = inside.split_whitespace().flat_map(|word| [text(word), SourceToken::Sign(',')]);
            [SourceToken::Sign('(')].into_iter().chain(words).chain([SourceToken::Sign(')')]).collect()
        }
        'x' => by_shell(literal(&inside)),
        '<' => {
            let is_pattern = inside.contains(['*', '?', '/']) && !inside.contains([' ', '=', ';', '$', '\n']);
            is_pattern.then_some(())?;
            vec![
                SourceToken::Name("glob".to_owned()),
                SourceToken::Sign('('),
                text(&inside),
                SourceToken::Sign(')'),
            ]
        }
        'q' if language == Perl || language == Ruby => vec![literal(&inside)],
        _ => return None,
    };
    Some((tokens, end))
}
