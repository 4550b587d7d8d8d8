//! Work that an edit only takes away, and that a test or a document of the project still promises.
//!
//! What is gone is known by its texts: a header, an event, a message. The edit must name nothing that stands for it.

use std::collections::BTreeSet;

use crate::detectors::engine::code_lines::CodeLine;
use crate::detectors::engine::hunks::TextHunk;
use crate::detectors::product::does_less::is_neutral;
use crate::detectors::product::other_sides::OtherSides;
use crate::detectors::testing::word_edit::{is_data, is_name, words};
use crate::languages::code::{Refusing, is_log, refuses};
use crate::model::words::has_word;

/// More lines than these are a part of the design that goes.
const MOST: usize = 16;
/// A text as short as this stands for many things.
const TELLING: usize = 4;
/// A text as long as this may be a part of another.
const LONG: usize = 6;
/// Heads of lines that bring names in, say something, or only look.
const BESIDE: &[&str] =
    &["import ", "from ", "use ", "using ", "#include", "require", "assert", "raise ", "throw ", "@"];

/// Work that is gone.
#[derive(Debug)]
pub(super) struct MissedEffect {
    pub(super) line: u32,
    pub(super) code: String,
    texts: Vec<String>,
    /// What is called no more, each with what it was called on.
    calls: Vec<(String, String)>,
}

/// Whether an edit only takes away: what comes in each place names nothing that was not there.
pub(super) fn only_takes(places: &[TextHunk]) -> bool {
    let names = |lines: &[CodeLine]| -> BTreeSet<String> {
        let all = lines.iter().flat_map(|line| words(line.text));
        all.filter(|(_, word)| is_name(word) && !is_data(word) && *word != "return")
            .map(|(_, word)| word.to_owned())
            .collect()
    };
    let gone: usize = places.iter().map(|it| it.gone.len()).sum();
    gone <= MOST
        && places
            .iter()
            .all(|it| it.come.len() <= it.gone.len() && names(&it.come).is_subset(&names(&it.gone)))
}

/// What is gone from a place within a function that stays.
pub(super) fn missed_effect(words: &Refusing, hunk: &TextHunk, new: &str) -> Option<MissedEffect> {
    let works = |line: &&CodeLine| {
        (line.text.contains(['(', '<']) || is_entry(line.text))
            && !is_binding(line.text)
            && !is_log(line.text)
            && !refuses(words, line.text)
            && !BESIDE.iter().any(|head| line.text.starts_with(head))
    };
    hunk.gone.iter().filter(works).find_map(|line| {
        let texts: Vec<String> =
            texts_of(line.text).into_iter().filter(|text| !is_written(new, text)).collect();
        let calls: Vec<(String, String)> =
            calls_of(line.text).into_iter().filter(|(_, name)| !has_word(new, name)).collect();
        (!texts.is_empty() || !calls.is_empty()).then(|| MissedEffect {
            line: line.number,
            code: line.text.to_owned(),
            texts,
            calls,
        })
    })
}

/// Whether a text of code has another in quotes, or as a mark.
fn is_written(code: &str, text: &str) -> bool {
    let is_plain = text.chars().all(|c| c.is_alphanumeric() || c == '_');
    code.lines().filter(|line| line.contains(text)).any(|line| {
        !is_plain
            || words(line)
                .into_iter()
                .any(|(_, word)| word.starts_with(['"', '\'', '`']) && word.contains(text))
    })
}

/// What a line calls on something that is another's, with what it is called on: `audit.record(…)`.
fn calls_of(line: &str) -> Vec<(String, String)> {
    let all = words(line);
    let word = |at: usize| all.get(at).map_or("", |(_, word)| *word);
    let is_call = |at: &usize| {
        let is_named =
            is_name(word(*at)) && matches!(word(at + 1), "(" | "!" | "?") && !is_neutral(word(*at));
        let holder = word(at.saturating_sub(2));
        is_named && *at > 1 && matches!(word(at - 1), "." | ">") && !matches!(holder, "this" | "self")
    };
    let holder = |at: usize| match word(at - 1) {
        ">" => word(at.saturating_sub(3)),
        _ => word(at - 2),
    };
    let found = (2..all.len()).filter(is_call).map(|at| (holder(at).to_owned(), word(at).to_owned()));
    found.filter(|(holder, name)| is_name(holder) && name.len() > 2).collect()
}

/// Whether a line of a test says that something is called: on the same holder, or by its name in a claim.
fn is_asked(test: &str, (holder, name): &(String, String)) -> bool {
    const CLAIMS: &[&str] =
        &["verify", "expect", "assert", "should", "called", "received", "times(", "never("];
    test.lines().filter(|line| has_word(line, name)).any(|line| {
        let lower = line.to_lowercase();
        let is_claim = CLAIMS.iter().any(|it| lower.contains(it));
        let own = holder.trim_matches('_').to_lowercase();
        let is_defined =
            ["def ", "fn ", "fun ", "func ", "function ", "override"].iter().any(|it| line.contains(it));
        is_claim && !is_defined && (own.len() > 2 && lower.contains(&own) || name.len() >= LONG)
    })
}

/// Whether a line is an entry of a table that gives something a name: `"Mod-z": undo,`.
pub(super) fn is_entry(line: &str) -> bool {
    let parts = line.split_once(": ").or_else(|| line.split_once(" => "));
    parts.is_some_and(|(key, value)| {
        let is_key = key.len() > 3 && key.starts_with(['"', '\'']) && key.ends_with(['"', '\'']);
        is_key && value.trim_end_matches(',').starts_with(char::is_alphabetic)
    })
}

/// Whether a line only gives a value a name of its own.
fn is_binding(line: &str) -> bool {
    let declares = ["val ", "let ", "var ", "const ", "auto ", "final ", "static ", "my "];
    let names =
        line.split(" = ").next().filter(|_| line.contains(" = ")).or_else(|| Some(line.split_once(":=")?.0));
    declares.iter().any(|head| line.starts_with(head))
        || names.is_some_and(|names| !names.contains(['.', '[', '>', '@', '(', '"']))
}

impl MissedEffect {
    /// The words that a file has to have for it.
    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        self.texts.iter().chain(self.calls.iter().map(|(_, name)| name)).map(String::as_str)
    }

    /// The first test or document that still promises it, with the text.
    pub(super) fn confirmed(&self, sides: &OtherSides) -> Option<(String, String)> {
        self.texts
            .iter()
            .filter(|text| !sides.has_come(text))
            .find_map(|text| {
                let tests = sides.tests.iter().filter(|it| is_said(&it.now, text));
                let documents =
                    sides.documents().filter(|it| text.len() >= LONG && it.now.contains(text.as_str()));
                tests.chain(documents).map(|it| (it.path.clone(), text.clone())).next()
            })
            .or_else(|| {
                let calls = self.calls.iter().filter(|(_, name)| !sides.has_come(name));
                calls.into_iter().find_map(|call| {
                    let test = sides.tests.iter().find(|it| is_asked(&it.now, call))?;
                    Some((test.path.clone(), call.1.clone()))
                })
            })
    }
}

/// Whether a test has a text: as a whole one, or a longer one as a part.
fn is_said(test: &str, text: &str) -> bool {
    let is_mark = text.starts_with(':') || !text.contains(char::is_alphanumeric);
    test.lines().filter(|line| line.contains(text)).any(|line| {
        is_mark && !line.trim_start().starts_with(['#', '/', '*'])
            || words(line).into_iter().filter(|(_, word)| word.starts_with(['"', '\'', '`'])).any(
                |(_, word)| {
                    let own = word.trim_matches(['"', '\'', '`']);
                    own == text || text.len() >= LONG && own.contains(text) || has_word(own, text)
                },
            )
    })
}

/// The texts of a line that tell what it is about: of one with values in it the longest part, and Elixir's and Ruby's atoms.
fn texts_of(line: &str) -> Vec<String> {
    let all = words(line);
    let quoted = all.iter().filter(|(_, word)| word.len() > 2 && word.starts_with(['"', '\'', '`']));
    let texts = quoted.filter_map(|(_, word)| {
        let own = word.trim_matches(['"', '\'']);
        let own = if word.starts_with('`') { own.trim_matches('`') } else { own };
        let longest = own.split(['{', '}', '$', '%', '\\']).map(str::trim).max_by_key(|it| it.len())?;
        let is_word =
            longest.len() >= TELLING && longest.contains(char::is_alphabetic) && !longest.contains("://");
        let is_mark =
            longest.len() > 2 && !longest.contains(|c: char| c.is_alphanumeric() || c.is_whitespace());
        (is_word || is_mark).then(|| longest.to_owned())
    });
    let mut found: Vec<String> = texts.collect();
    found.extend(all.windows(3).filter_map(|three| match three {
        [(_, before), (colon, ":"), (name, word)] => {
            let is_atom = matches!(*before, "{" | "(" | "," | "[") && colon + 1 == *name && is_name(word);
            (is_atom && word.len() >= TELLING).then(|| format!(":{word}"))
        }
        _ => None,
    }));
    found
}
