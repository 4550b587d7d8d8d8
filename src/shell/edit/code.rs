//! Source text that reads a file, replaces something in it and writes it back: `python -c`, `node -e`, `ruby -e`, `php -r`.
//!
//! A reader of calls with literals, not of a language: a replacement that it can't read gives no result at all.

mod lines;
mod texts;
pub(crate) mod written;

use crate::shell::edit::code::texts::{Names, literal};
use crate::shell::edit::code::written::written;
use crate::shell::edit::machine::program::{Action, Address, Command, Point, Program};
use crate::shell::edit::pattern::replacement::{Substitution, Template, Writing};
use crate::shell::edit::pattern::{Flags, Flavour, Pattern};
use crate::shell::edit::{Step, TextEdit};
use crate::shell::model::Language;

/// The most calls that are read.
const MOST_CALLS: usize = 100;

/// What a source makes of the one file that it writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::shell) enum Rewriting {
    /// An edit of what is there.
    Edit(TextEdit),
    /// This text.
    Text(String),
}

/// How a call's arguments are meant.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Call {
    /// Two texts; every match, or the first.
    Texts { all: bool },
    /// A pattern, then the text in its place.
    Pattern,
    /// A text or a pattern between slashes; every match, or as its flags say.
    Either { all: bool },
}

/// The calls of a language that replace.
fn calls(language: Language) -> &'static [(&'static str, Call)] {
    match language {
        Language::Python => &[(".replace(", Call::Texts { all: true }), ("re.sub(", Call::Pattern)],
        Language::JavaScript => {
            &[(".replaceAll(", Call::Either { all: true }), (".replace(", Call::Either { all: false })]
        }
        Language::Ruby => &[
            (".gsub!(", Call::Either { all: true }),
            (".gsub(", Call::Either { all: true }),
            (".sub!(", Call::Either { all: false }),
            (".sub(", Call::Either { all: false }),
        ],
        Language::Php => &[("str_replace(", Call::Texts { all: true }), ("preg_replace(", Call::Pattern)],
        _ => &[],
    }
}

/// What the source makes of its file.
pub(in crate::shell) fn rewriting(language: Language, source: &str) -> Option<Rewriting> {
    let mut steps = Vec::new();
    let mut at = 0;
    let mut count = 0;
    let calls = calls(language);
    let names = Names::of(language, source);
    while let Some((start, name, call)) = next_call(source, at, calls) {
        count += 1;
        if count > MOST_CALLS {
            return None;
        }
        let arguments = source.get(start + name.len()..)?;
        let substitution = replacement(language, call, &names, arguments);
        at = start + name.len();
        // A replacement of something that is no file's text, or one that can't be read.
        steps.push(Command::always(Action::Replace(substitution?)));
    }
    let mut edits: Vec<Step> = steps
        .into_iter()
        .map(|command| Step::Run(Program { commands: vec![command], whole: true, ..Program::default() }))
        .collect();
    edits.extend(dropped_lines(language, source).map(Step::Run));
    let of_lines = lines::edits(language, source, &names)?;
    if edits.is_empty() {
        edits = of_lines;
    } else if !of_lines.is_empty() {
        // Which of them comes first is not known.
        return None;
    }
    if !edits.is_empty() {
        return Some(Rewriting::Edit(TextEdit { steps: edits }));
    }
    written(source, &names).map(Rewriting::Text)
}

fn next_call(
    source: &str,
    from: usize,
    calls: &[(&'static str, Call)],
) -> Option<(usize, &'static str, Call)> {
    let rest = source.get(from..)?;
    let found = calls.iter().filter_map(|(name, call)| Some((from + rest.find(name)?, *name, *call)));
    found.min_by_key(|(start, ..)| *start)
}

fn replacement(language: Language, call: Call, names: &Names, arguments: &str) -> Option<Substitution> {
    let text = arguments.trim_start();
    let slashed = text.starts_with('/') && matches!(call, Call::Either { .. });
    let (pattern, rest, all) = if slashed {
        let (pattern, rest) = super::perl::until(text.get(1..)?, '/', '/')?;
        let end = rest.find(|it: char| !it.is_ascii_alphabetic()).unwrap_or(rest.len());
        let (letters, rest) = rest.split_at(end);
        let ruby = language == Language::Ruby;
        let flags = flags_of(letters, ruby);
        let flavour = if ruby { Flavour::Ruby } else { Flavour::Perl };
        let all = matches!(call, Call::Either { all: true }) || letters.contains('g');
        (Pattern::new(&pattern, flavour, flags)?, rest, all)
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
        Language::Python => all && !is_first_only(call, rest)?,
        _ => all,
    };
    Some(Substitution { pattern, with, from: 1, all })
}

/// What a call with a text or a pattern looks for, and what comes after it.
fn sought<'t>(
    language: Language,
    call: Call,
    names: &Names,
    text: &'t str,
) -> Option<(Pattern, &'t str, bool)> {
    let escaped =
        text.strip_prefix("re.escape(").filter(|_| language == Language::Python && call == Call::Pattern);
    if let Some(escaped) = escaped {
        let (found, rest) = names.value(escaped.trim_start(), true)?;
        return Some((Pattern::literal(&found)?, rest.trim_start().strip_prefix(')')?, true));
    }
    let (found, rest) = names.value(text, true)?;
    Some(match call {
        Call::Texts { all } | Call::Either { all } => (Pattern::literal(&found)?, rest, all),
        Call::Pattern => (pattern_of(language, &found, text)?, rest, true),
    })
}

/// What is put in the place of a match, and what comes after it.
fn put_in<'t>(language: Language, call: Call, names: &Names, text: &'t str) -> Option<(Template, &'t str)> {
    // What a function answers is taken as it is.
    if let Some(answered) = answered(language, text) {
        let (with, rest) = names.value(answered, true)?;
        return Some((Template::text(&with), rest));
    }
    let (with, rest) = names.value(text, true)?;
    let writing = match language {
        Language::JavaScript => Writing::Dollar,
        Language::Php => Writing::Perl,
        _ => Writing::Backslash,
    };
    let with = match call {
        Call::Texts { .. } => Template::text(&with),
        _ => Template::new(&with, writing)?,
    };
    Some((with, rest))
}

/// What a function without a body of its own answers: `lambda m: …`, `() => …`.
fn answered(language: Language, text: &str) -> Option<&str> {
    let (head, answer) = match language {
        Language::Python => text.strip_prefix("lambda ")?.split_once(':')?,
        Language::JavaScript => text.split_once("=>")?,
        _ => return None,
    };
    let named = head.trim().trim_start_matches('(').trim_end_matches(')');
    named.chars().all(|it| it.is_alphanumeric() || it == '_').then_some(answer.trim_start())
}

/// Whether Python replaces the first match only; `None` for another number of them.
fn is_first_only(call: Call, rest: &str) -> Option<bool> {
    let end = rest.find([')', '\n']).unwrap_or(rest.len());
    let more: Vec<&str> = rest.get(..end)?.split(',').map(str::trim).filter(|it| !it.is_empty()).collect();
    // The first of what follows a pattern and its replacement is the text.
    let more = more.get(usize::from(call == Call::Pattern)..).unwrap_or_default();
    let count = more.iter().find_map(|it| it.strip_prefix("count=").unwrap_or(it).parse::<usize>().ok());
    match count {
        None | Some(0) => Some(false),
        Some(1) => Some(true),
        Some(_) => None,
    }
}

/// The pattern of `re.sub` or `preg_replace`, whose flags stand in the call or behind the closing sign.
fn pattern_of(language: Language, found: &str, arguments: &str) -> Option<Pattern> {
    if language == Language::Php {
        let sign = found.chars().next()?;
        let (pattern, letters) = super::perl::until(found.get(sign.len_utf8()..)?, sign, sign)?;
        return Pattern::new(&pattern, Flavour::Perl, flags_of(letters, false));
    }
    let call = arguments.split('\n').take(3).collect::<Vec<_>>().join(" ");
    let has = |short: &str, long: &str| call.contains(short) || call.contains(long);
    let flags = Flags {
        lines: has("re.M", "MULTILINE"),
        dot_all: has("re.S", "DOTALL"),
        ignore_case: has("re.I", "IGNORECASE"),
        ..Flags::default()
    };
    Pattern::new(found, Flavour::Perl, flags)
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

/// Lines that are left out: `if 'x' not in line`, `.filter(l => !l.includes('x'))`, `reject { |l| l.include?('x') }`.
fn dropped_lines(language: Language, source: &str) -> Option<Program> {
    let (text, _) = match language {
        Language::Python => {
            let (before, after) = source.split_once(" not in ")?;
            let is_line = after.trim_start().starts_with(|it: char| it.is_alphabetic());
            let start = before.rfind("if ")?;
            let (text, rest) = literal(before.get(start + 3..)?.trim_start())?;
            (is_line && rest.trim().is_empty()).then_some((text, ()))?
        }
        Language::JavaScript => {
            let after = source.split_once(".filter(")?.1;
            let (head, after) = after.split_once(".includes(")?;
            let (text, _) = literal(after)?;
            (head.contains("=> !") || head.contains("=>!")).then_some((text, ()))?
        }
        Language::Ruby => {
            let after = source.split_once("reject")?.1;
            let (text, _) = literal(after.split_once(".include?(")?.1)?;
            (text, ())
        }
        _ => return None,
    };
    let address = Address::One(Point::Fits(Pattern::literal(&text)?));
    Some(Program {
        commands: vec![Command { address, negated: false, action: Action::Delete }],
        ..Program::default()
    })
}
