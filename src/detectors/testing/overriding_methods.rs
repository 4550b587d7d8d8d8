//! The lines of methods and types in texts of tests, by how far in they stand, and methods that take the place of others.

use std::ops::Range;

use crate::detectors::testing::replaced_subjects::ChangedTestLines;
use crate::detectors::testing::test_lines::{declared, defined_name};

/// Words of a method that takes the place of its type's own.
pub(super) const OVERRIDES: &[&str] = &["override", "@Override", "@override", "MOCK_METHOD("];

/// The line that a closing bracket at a line belongs to: the first above it that stands as far out.
pub(super) fn statement_head(text: &str, line: u32) -> Option<&str> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let before = usize::try_from(line).ok()?.checked_sub(1)?;
    let own = indent(text.lines().nth(before)?);
    let above: Vec<&str> = text.lines().take(before).collect();
    above.into_iter().rev().find(|it| !it.trim().is_empty() && indent(it) <= own)
}

/// Whether the type of a file's tests has the name of a type, with a word for tests behind it.
pub(super) fn is_named_after(text: &str, class: &str) -> bool {
    const ENDS: &[&str] = &["Spec", "Test", "Tests", "Suite", "IT", "TestCase"];
    let mut types = text.lines().filter_map(declared);
    types.any(|it| it.strip_prefix(class).is_some_and(|end| ENDS.contains(&end)))
}

/// The method that a line overrides, where nothing of it goes to the method that it takes the place of.
pub(super) fn overridden<'t>(asked: &ChangedTestLines, at: u32, line: &'t str) -> Option<&'t str> {
    let name = defined_name(line.split("=>").next()?.split('{').next()?);
    let name = if name.is_empty() { defined_name(line.split('(').next()?) } else { name };
    let hands_on = lines_of(asked.new, &body(asked.new, at)).iter().any(|it| it.contains("super"));
    (name.len() > 1 && !hands_on).then_some(name)
}

/// Whether a line is a method that takes the place of another by a mark in it or above it.
pub(super) fn overrides_above(text: &str, at: u32, line: &str) -> bool {
    let marks = |it: &str| OVERRIDES.iter().any(|word| it.contains(word));
    let above = usize::try_from(at).ok().and_then(|at| at.checked_sub(2)).and_then(|at| text.lines().nth(at));
    line.contains('(') && (marks(line) || above.is_some_and(|it| marks(it) && !it.contains('(')))
}

/// Whether a line belongs to a type though it stands as far out: `{`, and what parts a class of C++.
pub(super) fn is_part(line: &str) -> bool {
    matches!(line, "{" | "public:" | "protected:" | "private:")
}

/// The lines of what a line begins: itself, and those that stand further in.
pub(super) fn body(text: &str, line: u32) -> Range<u32> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut rest = text.lines().skip(usize::try_from(line).unwrap_or(1).saturating_sub(1));
    let Some(head) = rest.next() else { return line..line };
    let inner =
        rest.take_while(|it| it.trim().is_empty() || is_part(it.trim()) || indent(it) > indent(head)).count();
    line..line.saturating_add(u32::try_from(inner).unwrap_or(0)).saturating_add(1)
}

pub(super) fn lines_of<'t>(text: &'t str, range: &Range<u32>) -> Vec<&'t str> {
    let first = usize::try_from(range.start).unwrap_or(1).saturating_sub(1);
    text.lines().skip(first).take(range.len()).collect()
}

/// The head of a method that goes on over the next lines: `Runs plan(Zones zones,` and `Minutes end) const override {`.
pub(super) fn statement_of(text: &str, line: u32) -> Option<&str> {
    const MOST: usize = 5;
    let first = usize::try_from(line).ok()?.checked_sub(1)?;
    let start = match first {
        0 => 0,
        _ => text.match_indices('\n').nth(first - 1)?.0 + 1,
    };
    let rest = text.get(start..)?;
    let mut ends = rest.match_indices('\n').map(|(at, _)| at).take(MOST);
    let own = rest.lines().next()?;
    if !own.trim_end().ends_with(['(', ',']) {
        return None;
    }
    let end = ends.find(|at| rest.get(..*at).is_some_and(|it| it.trim_end().ends_with('{')))?;
    rest.get(..end)
}

/// The line above another that stands further out, and its number.
pub(super) fn head_above_line(text: &str, line: u32) -> Option<(u32, &str)> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let before = usize::try_from(line).ok()?.checked_sub(1)?;
    let own = indent(text.lines().nth(before)?);
    let above: Vec<(u32, &str)> = (1..).zip(text.lines()).take(before).collect();
    above.into_iter().rev().find(|(_, it)| !it.trim().is_empty() && indent(it) < own)
}
