//! One call that replaces: what is looked for, what is put in its place, and how often.

use crate::shell::edit::code::ArgumentMeaning;
use crate::shell::edit::code::texts::TextVariables;
use crate::shell::edit::pattern::replacement::{ReplacementTemplate, Substitution, Writing};
use crate::shell::edit::pattern::{Flags, Flavour, TextPattern};
use crate::shell::edit::perl;
use crate::shell::model::ScriptLanguage;

/// The substitution that a call with these arguments makes.
pub(super) fn replacement(
    language: ScriptLanguage,
    call: ArgumentMeaning,
    names: &TextVariables,
    arguments: &str,
) -> Option<Substitution> {
    let text = arguments.trim_start();
    let slashed = text.starts_with('/') && matches!(call, ArgumentMeaning::Either { .. });
    let (pattern, rest, all) = if slashed {
        let (pattern, rest) = perl::until(text.get(1..)?, '/', '/')?;
        let end = rest.find(|it: char| !it.is_ascii_alphabetic()).unwrap_or(rest.len());
        let (letters, rest) = rest.split_at(end);
        let ruby = language == ScriptLanguage::Ruby;
        let flags = flags_of(letters, ruby);
        let flavour = if ruby { Flavour::Ruby } else { Flavour::Perl };
        let all = matches!(call, ArgumentMeaning::Either { all: true }) || letters.contains('g');
        (TextPattern::new(&pattern, flavour, flags)?, rest, all)
    } else {
        sought(language, call, names, text)?
    };
    let rest = rest.trim_start().strip_prefix(',')?.trim_start();
    let (with, rest) = put_in(language, call, names, rest)?;
    let rest = rest.trim_start();
    if !rest.starts_with([')', ',']) {
        return None;
    }
    let all = match language {
        ScriptLanguage::Python => all && !is_first_only(call, rest)?,
        _ => all,
    };
    Some(Substitution { pattern, with, from: 1, all })
}

/// What a call with a text or a pattern looks for, and what comes after it.
fn sought<'t>(
    language: ScriptLanguage,
    call: ArgumentMeaning,
    names: &TextVariables,
    text: &'t str,
) -> Option<(TextPattern, &'t str, bool)> {
    let escaped = text
        .strip_prefix("re.escape(")
        .filter(|_| language == ScriptLanguage::Python && call == ArgumentMeaning::Pattern);
    if let Some(escaped) = escaped {
        let (found, rest) = names.value(escaped.trim_start(), true)?;
        return Some((TextPattern::literal(&found)?, rest.trim_start().strip_prefix(')')?, true));
    }
    let (found, rest) = names.value(text, true)?;
    Some(match call {
        ArgumentMeaning::Texts { all } | ArgumentMeaning::Either { all } => {
            (TextPattern::literal(&found)?, rest, all)
        }
        ArgumentMeaning::Pattern => (pattern_of(language, &found, text)?, rest, true),
    })
}

/// What is put in the place of a match, and what comes after it.
fn put_in<'t>(
    language: ScriptLanguage,
    call: ArgumentMeaning,
    names: &TextVariables,
    text: &'t str,
) -> Option<(ReplacementTemplate, &'t str)> {
    // What a function answers is taken as it is.
    if let Some(answered) = answered(language, text) {
        let (with, rest) = names.value(answered, true)?;
        return Some((ReplacementTemplate::text(&with), rest));
    }
    let (with, rest) = names.value(text, true)?;
    let writing = match language {
        ScriptLanguage::JavaScript => Writing::Dollar,
        ScriptLanguage::Php => Writing::Perl,
        _ => Writing::Backslash,
    };
    let with = match call {
        ArgumentMeaning::Texts { .. } => ReplacementTemplate::text(&with),
        _ => ReplacementTemplate::new(&with, writing)?,
    };
    Some((with, rest))
}

/// What a function without a body of its own answers: `lambda m: …`, `() => …`.
fn answered(language: ScriptLanguage, text: &str) -> Option<&str> {
    let (head, answer) = match language {
        ScriptLanguage::Python => text.strip_prefix("lambda ")?.split_once(':')?,
        ScriptLanguage::JavaScript => text.split_once("=>")?,
        _ => return None,
    };
    let named = head.trim().trim_start_matches('(').trim_end_matches(')');
    named.chars().all(|it| it.is_alphanumeric() || it == '_').then_some(answer.trim_start())
}

/// Whether Python replaces the first match only; `None` for another number of them.
fn is_first_only(call: ArgumentMeaning, rest: &str) -> Option<bool> {
    let end = rest.find([')', '\n']).unwrap_or(rest.len());
    let more: Vec<&str> = rest.get(..end)?.split(',').map(str::trim).filter(|it| !it.is_empty()).collect();
    // The first of what follows a pattern and its replacement is the text.
    let more = more.get(usize::from(call == ArgumentMeaning::Pattern)..).unwrap_or_default();
    let count = more.iter().find_map(|it| it.strip_prefix("count=").unwrap_or(it).parse::<usize>().ok());
    match count {
        None | Some(0) => Some(false),
        Some(1) => Some(true),
        Some(_) => None,
    }
}

/// The pattern of `re.sub` or `preg_replace`, whose flags stand in the call or behind the closing sign.
fn pattern_of(language: ScriptLanguage, found: &str, arguments: &str) -> Option<TextPattern> {
    if language == ScriptLanguage::Php {
        let sign = found.chars().next()?;
        let (pattern, letters) = perl::until(found.get(sign.len_utf8()..)?, sign, sign)?;
        return TextPattern::new(&pattern, Flavour::Perl, flags_of(letters, false));
    }
    let call = arguments.split('\n').take(3).collect::<Vec<_>>().join(" ");
    let has = |short: &str, long: &str| call.contains(short) || call.contains(long);
    let flags = Flags {
        lines: has("re.M", "MULTILINE"),
        dot_all: has("re.S", "DOTALL"),
        ignore_case: has("re.I", "IGNORECASE"),
        ..Flags::default()
    };
    TextPattern::new(found, Flavour::Perl, flags)
}

fn flags_of(letters: &str, ruby: bool) -> Flags {
    Flags {
        ignore_case: letters.contains('i'),
        lines: letters.contains('m') && !ruby,
        dot_all: letters.contains('s') || (ruby && letters.contains('m')),
        spaced: letters.contains('x'),
        ..Flags::default()
    }
}
