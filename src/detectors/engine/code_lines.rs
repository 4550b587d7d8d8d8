//! The lines of code of a text: without comments, blank lines and such as have neither a letter nor a digit.

use std::ops::Range;

/// Lines that give an empty value and have neither a letter nor a digit.
const EMPTIES: &[&str] = &["[]", "{}", "\"\"", "''", "%{}", "[:]"];

/// A line of code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CodeLine<'a> {
    /// Without the blanks around it.
    pub(crate) text: &'a str,
    /// Where it is in its text, in bytes.
    pub(crate) at: usize,
    /// Its number, from 1.
    pub(crate) number: u32,
}

/// Whether a line stands in a text over several lines, as documentation does.
pub(crate) fn is_in_text(source: &str, line: &CodeLine) -> bool {
    source.get(..line.at).is_some_and(|above| above.matches("\"\"\"").count() % 2 == 1)
}

/// Where the line ends that `at` is in, its end included.
pub(super) fn end_of_line(text: &str, at: usize) -> usize {
    let rest = text.as_bytes().get(at..).unwrap_or_default();
    memchr::memchr(b'\n', rest).map_or(text.len(), |end| at + end + 1)
}

/// The lines of code in a part of a text that begins with a line.
pub(crate) fn lines<'a>(
    comment: &str,
    text: &'a str,
    part: Range<usize>,
) -> impl Iterator<Item = CodeLine<'a>> {
    let before = text.as_bytes().get(..part.start).unwrap_or_default();
    let mut at = part.start;
    let mut number = u32::try_from(memchr::memchr_iter(b'\n', before).count()).unwrap_or(u32::MAX);
    let part = text.get(part).unwrap_or_default();
    part.split_inclusive('\n').filter_map(move |line| {
        number = number.saturating_add(1);
        let start = at + line.len() - line.trim_start().len();
        at += line.len();
        Some(CodeLine { text: code(comment, line)?, at: start, number })
    })
}

/// The last line of code before a place at which a line begins.
pub(super) fn last_line<'a>(comment: &str, text: &'a str, end: usize) -> Option<CodeLine<'a>> {
    let mut at = end;
    text.get(..end)?.split_inclusive('\n').rev().find_map(|line| {
        at -= line.len();
        code(comment, line)?;
        lines(comment, text, at..at + line.len()).next()
    })
}

/// The head of what a line stands in: the nearest line above it that stands further out.
pub(crate) fn head_above<'t>(above: &[&'t str], line: &str) -> Option<&'t str> {
    let depth = |line: &str| line.len() - line.trim_start().len();
    above.iter().copied().rfind(|it| !it.trim().is_empty() && depth(it) < depth(line))
}

/// Where the bracket closes in which a text begins.
pub(crate) fn closing(text: &str) -> Option<usize> {
    let mut depth = 0i32;
    text.find(|c| {
        depth += i32::from(matches!(c, '(' | '[' | '{')) - i32::from(matches!(c, ')' | ']' | '}'));
        depth < 0
    })
}

/// The quotation marks of texts in any language, and those of texts that hold no code.
pub(crate) const QUOTES: &[char] = &['"', '\'', '`'];
pub(crate) const PLAIN_QUOTES: &[char] = &['"', '\''];

/// The texts between such marks, whichever.
pub(crate) fn quoted<'t>(text: &'t str, marks: &'static [char]) -> impl Iterator<Item = &'t str> {
    text.split(marks).skip(1).step_by(2)
}

/// What a line says without the blanks around it; `None` where it is no code.
fn code<'a>(comment: &str, line: &'a str) -> Option<&'a str> {
    let code = line.trim();
    let is_comment = code.starts_with(comment) && !code.starts_with("#[")
        || ["/*", "* ", "*/"].iter().any(|mark| code.starts_with(mark));
    let is_code = code.bytes().any(|byte| byte.is_ascii_alphanumeric())
        || EMPTIES.contains(&code.trim_end_matches(';'));
    (!is_comment && is_code).then_some(code)
}
