//! Lookups that fail by themselves where a value is missing: `System.fetch_env!("KEY")` for `System.get_env("KEY") || raise`.

use crate::detectors::engine::code_lines::{PLAIN_QUOTES, quoted};
use crate::detectors::engine::hunks::{CodeLine, TextHunk};
use crate::detectors::engine::revision::Revision;
use crate::languages::code::{bare, falls_back, refuses};

/// How files end, and their calls that fail where there is no value, up to the key.
const STRICT: &[(&[&str], &[&str])] = &[
    (&[".ex", ".exs"], &["fetch_env!(", "fetch!("]),
    (&[".rb", ".rake", ".ru", "Rakefile", "Gemfile"], &[".fetch("]),
    (&[".py"], &["environ[", "config[", "settings[", "getenv_strict("]),
    (&[".rs"], &["env!("]),
    (&[".kt", ".kts"], &[".getValue("]),
    (&[".scala"], &["sys.env(", ".getString("]),
    (&[".cs"], &["GetRequiredSection(", "GetRequiredKeyedService("]),
    (&[".swift"], &["requireEnvironment("]),
];
/// Words that put something in the place of what is missing.
const INSTEAD: &[&str] = &["rescue", "||", "??", "?:", "or\""];

/// Whether every refusal that a place lost is one of a missing value, which a strict lookup of the same key refuses now.
pub(super) fn is_looked_up_strictly(revision: &Revision, hunk: &TextHunk) -> bool {
    let path = &revision.change.path;
    let calls = STRICT.iter().find(|(ends, _)| ends.iter().any(|end| path.ends_with(end)));
    let Some((_, calls)) = calls else { return false };
    let mut refusals =
        hunk.gone.iter().enumerate().filter(|(_, it)| refuses(revision.words, it.text)).peekable();
    let is_strict = |key: &str| {
        hunk.come.iter().any(|line| calls.iter().any(|call| asks(line, call, key)) && !falls(revision, line))
    };
    refusals.peek().is_some()
        && refusals.all(|(at, line)| {
            let above = at.checked_sub(1).and_then(|at| hunk.gone.get(at)).map_or("", |it| it.text);
            quoted(line.text, PLAIN_QUOTES).chain(quoted(above, PLAIN_QUOTES)).any(is_strict)
        })
}

/// Whether a line makes a call with this key alone.
fn asks(line: &CodeLine, call: &str, key: &str) -> bool {
    let text = bare(line.text);
    let key = bare(key);
    PLAIN_QUOTES.iter().any(|quote| {
        [')', ']']
            .iter()
            .any(|end| key.len() > 1 && text.contains(&format!("{call}{quote}{key}{quote}{end}")))
            || ends_piped(&text, call, &format!("{quote}{key}{quote}"))
    })
}

/// `"KEY" |> System.fetch_env!()`.
fn ends_piped(text: &str, call: &str, key: &str) -> bool {
    text.split_once(key).is_some_and(|(_, rest)| {
        rest.strip_prefix("|>").is_some_and(|rest| rest.contains(&format!("{call})")))
    })
}

/// Whether a line has something for what is missing.
fn falls(revision: &Revision, line: &CodeLine) -> bool {
    falls_back(revision.words, line.text) || INSTEAD.iter().any(|word| line.text.contains(word))
}
