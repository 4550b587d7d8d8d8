//! Patterns and replacements of `sed`, `perl`, `awk`, `grep` and their like, put into one form.
//!
//! Exact or nothing: what another engine would read in another way (a reference back, a look around, a variable) is
//! no pattern here.

pub(crate) mod classes;
pub(crate) mod perl;
pub(crate) mod posix;
pub(crate) mod replacement;
pub(crate) mod sample;

use regex::{Regex, RegexBuilder};

use crate::shell::edit::pattern::perl::perl;
use crate::shell::edit::pattern::posix::posix;
use crate::shell::edit::pattern::sample::{LONGEST_SAMPLE, sample};

/// The longest pattern, in bytes.
const LONGEST_PATTERN: usize = 2_000;
/// The most memory of one compiled pattern, in bytes.
const LARGEST: usize = 1 << 20;

/// Whose patterns they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::shell) enum Flavour {
    /// `sed` and `grep` without `-E`.
    #[default]
    Basic,
    /// `sed -E`, `grep -E`, `awk`.
    Extended,
    /// Perl, and what is like it: Python, JavaScript.
    Perl,
    /// Ruby: `^` and `$` mean lines.
    Ruby,
}

/// How a pattern is meant.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::shell) struct Flags {
    pub(in crate::shell) ignore_case: bool,
    /// `^` and `$` mean lines.
    pub(in crate::shell) lines: bool,
    /// `.` means the end of a line too.
    pub(in crate::shell) dot_all: bool,
    /// White space and comments say nothing.
    pub(in crate::shell) spaced: bool,
    /// The text is one line with its end, so that `$` is before that.
    pub(in crate::shell) ended_line: bool,
}

/// A pattern that can be looked for.
#[derive(Debug, Clone)]
pub(in crate::shell) struct TextPattern {
    source: String,
    flags: Flags,
    regex: Regex,
}

impl PartialEq for TextPattern {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source && self.flags == other.flags
    }
}

impl Eq for TextPattern {}

impl TextPattern {
    /// Reads a pattern.
    pub(in crate::shell) fn new(text: &str, flavour: Flavour, flags: Flags) -> Option<TextPattern> {
        if text.is_empty() || text.len() > LONGEST_PATTERN {
            return None;
        }
        let source = match flavour {
            Flavour::Basic => posix(text, true)?,
            Flavour::Extended => posix(text, false)?,
            Flavour::Perl | Flavour::Ruby => perl(text, flavour, flags)?,
        };
        TextPattern::build(source, Flags { lines: flags.lines || flavour == Flavour::Ruby, ..flags })
    }

    /// The text itself.
    pub(in crate::shell) fn literal(text: &str) -> Option<TextPattern> {
        if text.is_empty() || text.len() > LONGEST_PATTERN {
            return None;
        }
        TextPattern::build(regex::escape(text), Flags::default())
    }

    /// The same between the ends of a line, or of a word.
    pub(in crate::shell) fn within(&self, before: &str, after: &str) -> Option<TextPattern> {
        TextPattern::build(format!("{before}(?:{}){after}", self.source), self.flags)
    }

    /// Takes capitals and small letters for the same from now on.
    pub(in crate::shell) fn ignore_case(&mut self) {
        let flags = Flags { ignore_case: true, ..self.flags };
        if let Some(other) = TextPattern::build(self.source.clone(), flags) {
            *self = other;
        }
    }

    fn build(source: String, flags: Flags) -> Option<TextPattern> {
        let regex = RegexBuilder::new(&source)
            .case_insensitive(flags.ignore_case)
            .multi_line(flags.lines)
            .dot_matches_new_line(flags.dot_all)
            .ignore_whitespace(flags.spaced)
            .size_limit(LARGEST)
            .nest_limit(100)
            .build()
            .ok()?;
        Some(TextPattern { source, flags, regex })
    }

    /// Whether it is somewhere in the text.
    pub(in crate::shell) fn fits(&self, text: &str) -> bool {
        self.regex.is_match(text)
    }

    /// A text that it fits, as short as it can be; `None` where it says nothing by itself.
    pub(in crate::shell) fn sample(&self) -> Option<String> {
        let hir = regex_syntax::ParserBuilder::new()
            .multi_line(self.flags.lines)
            .ignore_whitespace(self.flags.spaced)
            .build()
            .parse(&self.source)
            .ok()?;
        let mut text = String::new();
        sample(&hir, &mut text);
        (!text.trim().is_empty() && text.len() <= LONGEST_SAMPLE).then_some(text)
    }
}
