//! The other files of the project that have the words of a suspicion: its tests, and everything else.

use crate::detectors::engine::documents::is_document;
use crate::detectors::product::literals::values_of;
use crate::model::words::has_word;

/// A file that has one of the words.
#[derive(Debug, Clone)]
pub struct OtherSide {
    /// The file.
    pub path: String,
    /// Its text now.
    pub now: String,
    /// Its text when the session began; none for a file that came since.
    pub began: Option<String>,
}

/// The files that have one of the words.
#[derive(Debug, Clone, Default)]
pub struct OtherSides {
    /// Tests.
    pub tests: Vec<OtherSide>,
    /// Code, configuration and documents.
    pub others: Vec<OtherSide>,
    /// Whether there are more of these than anybody reads.
    pub is_cut: bool,
}

/// So many lines above the one that has a value are near it.
const ABOVE: usize = 2;

impl OtherSides {
    /// Whether a file that is no test has a value as a literal, or a document as a word.
    pub(super) fn is_known(&self, value: &str) -> bool {
        self.is_cut
            || self.others.iter().any(|other| {
                if is_document(&other.path) {
                    has_word(&other.now, value)
                } else {
                    has_value(&other.now, value)
                }
            })
    }

    /// Whether a file that is no test has a text.
    pub(super) fn has_text(&self, text: &str) -> bool {
        self.is_cut || self.others.iter().any(|other| other.now.contains(text))
    }

    /// Whether a file of the project has got a text in this session.
    pub(super) fn has_come(&self, value: &str) -> bool {
        let has = |text: &Option<String>| text.as_deref().is_some_and(|text| text.contains(value));
        self.others.iter().any(|other| other.now.contains(value) && !has(&other.began))
    }

    /// The documents that say how the project is, and not what has become of it.
    pub(super) fn documents(&self) -> impl Iterator<Item = &OtherSide> {
        let is_history = |path: &str| {
            let lower = path.to_lowercase();
            ["change", "history", "release", "news", "migrat", "upgrad"].iter().any(|it| lower.contains(it))
        };
        self.others.iter().filter(move |it| is_document(&it.path) && !is_history(&it.path))
    }
}

fn has_value(text: &str, value: &str) -> bool {
    text.lines().filter(|line| line.contains(value)).any(|line| is_in_line(line, value))
}

/// What parts a literal into values: a path, a pair, a row.
const PARTING: &[char] = &['/', '?', '&', '|', '{', '}', ':', ',', ';', '=', '#'];

/// Whether a line has a value as a literal, or as a part of one.
fn is_in_line(line: &str, value: &str) -> bool {
    values_of(line).any(|own| {
        own == value
            || own.split(PARTING).any(|part| part.trim() == value)
            || own.split("..").any(|it| it == value)
    })
}

/// The first line of a text that has two of some values, and a name beside them.
pub(super) fn line_with_two<'t>(text: &'t str, values: &[&str], name: &str) -> Option<&'t str> {
    let is_pair = |line: &&str| values.iter().filter(|value| is_in_line(line, value)).count() > 1;
    text.lines().filter(|line| has_word(line, name)).find(is_pair)
}

/// The lines of a text that have a value, each with whether a name stands there or right above.
pub(super) fn lines_with<'t>(text: &'t str, value: &str, name: &str) -> Vec<(&'t str, bool)> {
    let lines: Vec<&str> = text.lines().collect();
    let is_named = |at: usize| {
        let near = lines.get(at.saturating_sub(ABOVE)..(at + 2).min(lines.len())).unwrap_or_default();
        name.len() > 1 && near.iter().any(|line| has_word(line, name))
    };
    let with = lines.iter().enumerate().filter(|(_, line)| is_in_line(line, value));
    with.map(|(at, line)| (*line, is_named(at))).collect()
}
