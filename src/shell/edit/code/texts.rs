//! Texts in source: literals, what is joined of them, and the names that hold one.
//!
//! A name counts that is given one text, once, in a source without functions of its own.

use std::collections::BTreeMap;

use crate::shell::model::ScriptLanguage;

/// How a function begins, whose parameters may have any name.
const FUNCTIONS: &[&str] = &["def ", "function ", "function("];
/// The most names that are kept.
const MOST_NAMES: usize = 100;

/// The names of a source that hold a text.
#[derive(Debug, Default)]
pub(crate) struct TextVariables {
    /// `None` for a name that is given something else, or more than once.
    texts: BTreeMap<String, Option<String>>,
}

impl TextVariables {
    /// The names that a source gives a text.
    pub(crate) fn of(language: ScriptLanguage, source: &str) -> TextVariables {
        let mut names = TextVariables::default();
        if !matches!(language, ScriptLanguage::Python | ScriptLanguage::JavaScript) {
            return names;
        }
        let mut rest = source;
        let mut begins = true;
        while let Some(letter) = rest.chars().next() {
            if FUNCTIONS.iter().any(|word| rest.starts_with(word)) {
                return TextVariables::default();
            }
            if begins && let Some((name, given)) = assignment(rest) {
                names.give(name, given);
            }
            begins = matches!(letter, '\n' | ';' | '{') || (begins && letter.is_whitespace());
            rest = match literal(rest).filter(|(_, after)| is_one_line_or_long(rest, after)) {
                Some((_, after)) => after,
                None if is_comment(language, rest) => rest.split_once('\n').map_or("", |_| line_end(rest)),
                None => rest.get(letter.len_utf8()..).unwrap_or_default(),
            };
        }
        names
    }

    fn give(&mut self, name: &str, given: &str) {
        let text = self.value(given, false).filter(|(_, rest)| ends_here(rest)).map(|(text, _)| text);
        if self.texts.len() < MOST_NAMES {
            let is_known = self.texts.contains_key(name);
            self.texts.insert(name.to_owned(), text.filter(|_| !is_known));
        }
    }

    /// The text at the beginning of a source, and what comes after it: a literal, a name, or several put together.
    /// `inside` of brackets a text may go on in the next line.
    pub(crate) fn value<'t>(&self, source: &'t str, inside: bool) -> Option<(String, &'t str)> {
        let (mut text, mut rest) = self.one(source)?;
        loop {
            let after = if inside { rest.trim_start() } else { rest.trim_start_matches([' ', '\t']) };
            if let Some(more) = after.strip_prefix('+').filter(|it| !it.starts_with(['+', '='])) {
                let (next, left) = self.one(more.trim_start())?;
                text.push_str(&next);
                rest = left;
            } else if let Some((next, left)) = literal(after) {
                // Literals side by side are one.
                text.push_str(&next);
                rest = left;
            } else {
                return Some((text, rest));
            }
        }
    }

    fn one<'t>(&self, source: &'t str) -> Option<(String, &'t str)> {
        if let Some((text, rest)) = literal(source) {
            return match rest.strip_prefix(".join(") {
                Some(list) => {
                    let (parts, rest) = self.list(list.trim_start())?;
                    Some((parts.join(&text), rest.trim_start().strip_prefix(')')?))
                }
                None => Some((text, rest)),
            };
        }
        if source.starts_with('[') {
            let (parts, rest) = self.list(source)?;
            let (sign, rest) = literal(rest.trim_start().strip_prefix(".join(")?)?;
            return Some((parts.join(&sign), rest.strip_prefix(')')?));
        }
        if let Some(rest) = source.strip_prefix('(') {
            let (text, rest) = self.value(rest.trim_start(), true)?;
            return Some((text, rest.trim_start().strip_prefix(')')?));
        }
        let (name, rest) = name(source)?;
        if rest.starts_with(['(', '.', '[']) {
            return None;
        }
        Some((self.texts.get(name)?.clone()?, rest))
    }

    /// The texts between brackets, and what comes after them.
    pub(crate) fn list<'t>(&self, source: &'t str) -> Option<(Vec<String>, &'t str)> {
        let mut parts = Vec::new();
        let mut rest = source.strip_prefix('[')?.trim_start();
        loop {
            if let Some(after) = rest.strip_prefix(']') {
                return Some((parts, after));
            }
            let (text, after) = self.value(rest, true)?;
            parts.push(text);
            rest = after.trim_start();
            rest = match rest.strip_prefix(',') {
                Some(more) => more.trim_start(),
                None => rest.starts_with(']').then_some(rest)?,
            };
        }
    }
}

/// A name at the beginning of a text, and what comes after it.
pub(crate) fn name(text: &str) -> Option<(&str, &str)> {
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '$');
    let end = text.find(|letter| !is_part(letter)).unwrap_or(text.len());
    let begins_well = text.starts_with(|letter: char| letter.is_alphabetic() || matches!(letter, '_' | '$'));
    text.split_at_checked(end).filter(|_| begins_well)
}

/// `name = …` or `name += …` at the beginning of a statement: the name, and what it is given.
fn assignment(text: &str) -> Option<(&str, &str)> {
    let text = ["const ", "let ", "var "].iter().find_map(|word| text.strip_prefix(word)).unwrap_or(text);
    let (name, rest) = name(text.trim_start())?;
    let rest = rest.trim_start_matches([' ', '\t']);
    // What is put behind a text makes another one of it.
    if rest.starts_with("+=") {
        return Some((name, ""));
    }
    let given = rest.strip_prefix('=').filter(|given| !given.starts_with(['=', '>']))?;
    Some((name, given.trim_start_matches([' ', '\t'])))
}

/// Whether what was taken for a literal can be one: an apostrophe in a pattern begins none.
fn is_one_line_or_long(rest: &str, after: &str) -> bool {
    let taken = rest.get(..rest.len() - after.len()).unwrap_or_default();
    let quotes = taken.trim_start_matches(['r', 'b', 'R', 'B']);
    !taken.contains('\n') || ["\"\"\"", "'''", "`"].iter().any(|quote| quotes.starts_with(quote))
}

fn ends_here(rest: &str) -> bool {
    let rest = rest.trim_start_matches([' ', '\t']);
    rest.is_empty() || rest.starts_with(['\n', ';', '#']) || rest.starts_with("//")
}

fn is_comment(language: ScriptLanguage, rest: &str) -> bool {
    match language {
        ScriptLanguage::Python => rest.starts_with('#'),
        _ => rest.starts_with("//"),
    }
}

/// From the end of the first line on.
fn line_end(text: &str) -> &str {
    text.find('\n').and_then(|at| text.get(at..)).unwrap_or_default()
}

/// A literal between quotes at the beginning of a text, and what comes after it.
pub(crate) fn literal(text: &str) -> Option<(String, &str)> {
    let prefix = text.len() - text.trim_start_matches(['r', 'b', 'R', 'B']).len();
    let (letters, rest) = text.split_at_checked(prefix)?;
    let raw = letters.contains(['r', 'R']);
    let triple = ["\"\"\"", "'''"].into_iter().find(|quote| rest.starts_with(quote));
    let quote = match triple {
        Some(quote) => quote,
        None => ["\"", "'", "`"].into_iter().find(|quote| rest.starts_with(quote))?,
    };
    let mut inside = String::new();
    let mut rest = rest.get(quote.len()..)?;
    loop {
        if let Some(after) = rest.strip_prefix(quote) {
            return Some((inside, after));
        }
        let letter = rest.chars().next()?;
        rest = rest.get(letter.len_utf8()..)?;
        if letter == '\\' {
            let escaped = rest.chars().next()?;
            rest = rest.get(escaped.len_utf8()..)?;
            match escaped {
                _ if raw => inside.extend(['\\', escaped]),
                'n' => inside.push('\n'),
                't' => inside.push('\t'),
                '\\' | '\'' | '"' | '`' | '/' => inside.push(escaped),
                '\n' => {}
                other => inside.extend(['\\', other]),
            }
            continue;
        }
        if quote == "`" && letter == '$' && rest.starts_with('{') {
            return None;
        }
        inside.push(letter);
    }
}
