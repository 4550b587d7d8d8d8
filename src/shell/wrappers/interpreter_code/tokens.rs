//! Source text of an interpreter as tokens: names with their dots, literals, signs. Comments are gone.

mod strings;

use std::borrow::Borrow;

use crate::shell::model::ScriptLanguage;
use crate::shell::wrappers::interpreter_code::quotes;
use crate::shell::wrappers::interpreter_code::quotes::by_shell;
pub(crate) use crate::shell::wrappers::interpreter_code::token::SourceToken;
use crate::shell::wrappers::interpreter_code::tokens::strings::{literal, string};

use ScriptLanguage::{JavaScript, Perl, Php, Python, Ruby};

/// Where the bracket stands that the last token closes; without one to close it is the last token itself.
pub(crate) fn opening<T: Borrow<SourceToken>>(tokens: &[T]) -> Option<usize> {
    let mut depth = 0usize;
    tokens.iter().rposition(|token| {
        depth = depth.saturating_add_signed(-token.borrow().step());
        depth == 0
    })
}

/// The parts between signs that stand in no brackets; one where there is no such sign.
pub(crate) fn parted<'t, 's>(
    tokens: &'t [&'s SourceToken],
    sign: char,
) -> impl Iterator<Item = &'t [&'s SourceToken]> {
    parted_at(tokens, move |token| *token == SourceToken::Sign(sign))
}

/// The parts between tokens of a kind that stand in no brackets.
pub(crate) fn parted_at<'t, 's>(
    tokens: &'t [&'s SourceToken],
    parts: impl Fn(&SourceToken) -> bool + 't,
) -> impl Iterator<Item = &'t [&'s SourceToken]> {
    let mut depth = 0usize;
    tokens.split(move |token| {
        depth = depth.saturating_add_signed(token.step());
        depth == 0 && parts(token)
    })
}

/// The tokens of a source.
pub(crate) fn tokens(language: ScriptLanguage, source: &str) -> Vec<SourceToken> {
    let characters: Vec<char> = source.chars().collect();
    let mut reading = TokenReading { language, characters: &characters, index: 0, tokens: Vec::new() };
    while reading.index < characters.len() {
        reading.step();
    }
    reading.tokens
}

/// A source as far as its tokens were read.
struct TokenReading<'c> {
    language: ScriptLanguage,
    characters: &'c [char],
    index: usize,
    tokens: Vec<SourceToken>,
}

impl TokenReading<'_> {
    fn at(&self, index: usize) -> char {
        self.characters.get(index).copied().unwrap_or('\0')
    }

    /// Reads what begins here.
    fn step(&mut self) {
        if let Some(end) = comment_end(self.language, self.characters, self.index) {
            self.index = end;
            return;
        }
        if let Some((found, end)) = self.quoted() {
            self.tokens.extend(found);
            self.index = end;
            return;
        }
        match self.at(self.index) {
            '\'' | '"' | '`' => self.string(),
            character if is_name_start(character) => self.name(),
            '.' if matches!(self.tokens.last(), Some(SourceToken::Sign(')' | ']')))
                && is_name_start(self.at(self.index + 1)) =>
            {
                self.method();
            }
            sign => {
                if sign == '\n' || !sign.is_whitespace() {
                    self.tokens.push(SourceToken::Sign(sign));
                }
                self.index += 1;
            }
        }
    }

    /// What stands in a language's own quotes, `q{…}` and `%w[…]`, and where it ends.
    fn quoted(&self) -> Option<(Vec<SourceToken>, usize)> {
        let (language, index) = (self.language, self.index);
        let begins = index == 0 || !is_name_part(self.at(index - 1));
        let quotes = matches!((language, self.at(index)), (Perl, 'q' | '<') | (Ruby, '%'));
        (quotes && begins)
            .then(|| quotes::quoted(language, self.characters, index, |text| literal(language, text)))
            .flatten()
    }

    fn string(&mut self) {
        let (token, end) = string(self.language, self.characters, self.index, false);
        match self.at(self.index) == '`' && runs_shell(self.language, &mut self.tokens) {
            true => self.tokens.extend(by_shell(token)),
            false => self.tokens.push(token),
        }
        self.index = end;
    }

    /// A name with its dots, or the string whose prefix it is.
    fn name(&mut self) {
        let name = self.name_from(self.index);
        if matches!(self.at(self.index), '\'' | '"') && is_string_prefix(self.language, &name) {
            let formats = name.to_lowercase().contains('f');
            let (token, end) = string(self.language, self.characters, self.index, formats);
            self.tokens.push(token);
            self.index = end;
        } else {
            let name = name.replace("?.", ".").trim_start_matches(['$', '@']).to_owned();
            self.tokens.push(SourceToken::Name(name));
        }
    }

    /// A method of a call's result.
    fn method(&mut self) {
        let name = self.name_from(self.index + 1);
        self.tokens.push(SourceToken::Name(format!("().{name}")));
    }

    /// The name that begins at `start`; reading goes on behind it.
    fn name_from(&mut self, start: usize) -> String {
        self.index = start;
        while is_name_part(self.at(self.index)) || joins_names(self.characters, self.index) {
            self.index += 1;
        }
        self.characters.get(start..self.index).unwrap_or_default().iter().collect()
    }
}

/// Where a comment that begins here ends: at the line break, or after `*/`.
fn comment_end(language: ScriptLanguage, characters: &[char], start: usize) -> Option<usize> {
    let at = |index: usize| characters.get(index).copied().unwrap_or('\0');
    let slashes = matches!(language, JavaScript | Php) && at(start) == '/';
    let line = (at(start) == '#' && language != JavaScript) || (slashes && at(start + 1) == '/');
    let mut index = start;
    if line {
        while index < characters.len() && at(index) != '\n' {
            index += 1;
        }
        return Some(index);
    }
    (slashes && at(start + 1) == '*').then_some(())?;
    index += 2;
    while index < characters.len() && !(at(index) == '*' && at(index + 1) == '/') {
        index += 1;
    }
    Some(index + 2)
}

fn is_name_start(character: char) -> bool {
    character.is_alphabetic() || matches!(character, '_' | '$' | '@')
}

fn is_name_part(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '$' | '@')
}

/// Whether `.`, `?.`, `::` or `->` joins two names here.
fn joins_names(characters: &[char], index: usize) -> bool {
    let at = |index: usize| characters.get(index).copied().unwrap_or('\0');
    match at(index) {
        '.' => is_name_start(at(index + 1)),
        '?' => at(index + 1) == '.' && is_name_start(at(index + 2)),
        ':' => {
            (at(index + 1) == ':' && is_name_start(at(index + 2)))
                || (index > 0 && at(index - 1) == ':' && is_name_start(at(index + 1)))
        }
        '-' => at(index + 1) == '>' && is_name_start(at(index + 2)),
        '>' => index > 0 && at(index - 1) == '-' && is_name_start(at(index + 1)),
        _ => false,
    }
}

fn is_string_prefix(language: ScriptLanguage, name: &str) -> bool {
    language == Python
        && matches!(name.to_lowercase().as_str(), "r" | "b" | "f" | "u" | "rb" | "br" | "fr" | "rf")
}

/// Whether text in backquotes runs by a shell: in these languages always, in JavaScript behind a `$`, which is taken off.
fn runs_shell(language: ScriptLanguage, tokens: &mut Vec<SourceToken>) -> bool {
    let is_tag = |name: &str| name.is_empty() || name.ends_with(".$") || name == "$";
    match tokens.last() {
        Some(SourceToken::Name(name)) if language == JavaScript && is_tag(name) => tokens.pop().is_some(),
        _ => matches!(language, Perl | Ruby | Php),
    }
}
