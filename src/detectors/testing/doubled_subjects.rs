//! What the tests are about as a double that is only named: a mark on a field of the type, a double whose answer a test
//! asks, a spy of the object that answers for one of its own methods.

use std::ops::Range;

use crate::detectors::testing::answered_parts::is_outside;
use crate::detectors::testing::replaced_subjects::ChangedTestLines;
use crate::detectors::testing::stand_in_values::is_double;
use crate::detectors::testing::test_lines::{bound, is_fake, words_of};
use crate::detectors::testing::told_methods::stubbed;
use crate::languages::subject;
use crate::model::finding::Change;
use crate::model::words::is_name_part;

/// Marks of fields that get a double of their type.
const MARKS: &[&str] = &["@MockBean", "@MockitoBean", "@Mock", "@MockK", "@RelaxedMockK", "@MockkBean"];
/// A statement of more lines is no stand-in alone.
const MOST: usize = 6;
/// What makes a spy of an object.
const SPIES: &[&str] = &["spyk(", "spyk<", "spy(", "Mockito.spy("];

/// The type that a file of tests is named after, of which a field is a double now.
pub(super) fn marked(change: &Change, old: &str, come: &[(u32, &str)]) -> Option<(String, u32)> {
    let tested = subject(&change.path).replace(['_', '-'], "");
    let is_tested = |word: &&str| word.starts_with(char::is_uppercase) && word.to_lowercase() == tested;
    let has_mark = |line: &str| {
        MARKS.iter().any(|mark| line.split(mark).nth(1).is_some_and(|it| !it.starts_with(is_name_part)))
    };
    let was_marked = || old.lines().any(|line| has_mark(line) && words_of(line).any(|word| is_tested(&word)));
    let name = come.iter().zip(come.iter().skip(1).map(Some).chain([None])).find_map(|((at, line), next)| {
        if !has_mark(line) {
            return None;
        }
        // A mark may stand in a line above its field.
        let below = next.filter(|(number, _)| *number == at + 1 && line.trim_start().len() < 40);
        let field = |text: &str| words_of(text).find(is_tested).map(str::to_owned);
        Some((field(line).or_else(|| field(below?.1))?, *at))
    });
    name.filter(|_| !was_marked())
}

/// A function that a test asks as before, of an object that is a double now.
pub(super) fn asked_of_double(
    asked: &ChangedTestLines,
    again: &[(Range<u32>, (String, String))],
) -> Option<(String, u32)> {
    again.iter().find_map(|(lines, (name, receiver))| {
        let root = words_of(receiver).next().filter(|root| root.len() > 1)?;
        let is_spied = |value: &str| {
            let mut stubs = asked.come.iter().filter_map(|(_, line)| stubbed(line));
            SPIES.iter().any(|it| value.starts_with(it)) && stubs.any(|it| it == (root, name.as_str()))
        };
        let is_stand_in = |value: &str| is_double(value) || is_fake_made(value) || is_spied(value);
        let (at, _) = asked.come.iter().find(|(at, line)| {
            let is_bound = bound(line).is_some_and(|(to, value)| to == root && is_stand_in(value));
            lines.contains(at) && (is_bound || is_fake_declared(line, root))
        })?;
        // One that is handed on is asked by the code.
        let was_called = asked.gone.iter().any(|(_, line)| line.contains(&format!("{name}(")));
        let is_bare =
            matches!(receiver.trim_start_matches('$').strip_prefix(root), Some("" | ".Object" | ".object"));
        (is_bare && was_called && !asked.was_double(root)).then(|| (name.clone(), *at))
    })
}

/// Whether a value is an object of a type that is called a fake: `MockDesk()`.
fn is_fake_made(value: &str) -> bool {
    let made = value.trim_start_matches("new ").trim_start_matches("const ").trim_start_matches('&');
    let name = made.split(|c: char| !is_name_part(c)).next().unwrap_or_default();
    name.starts_with(char::is_uppercase) && is_fake(name)
}

/// Whether a line of C++ declares an object of such a type: `MockDesk desk;`.
fn is_fake_declared(line: &str, name: &str) -> bool {
    let mut words = words_of(line);
    let class = words.next().unwrap_or_default();
    class.starts_with(char::is_uppercase)
        && is_fake(class)
        && words.next() == Some(name)
        && !line.contains('=')
}

/// A method that a spy of the object under test answers for in the block that makes it: `spyk(Depot()) { every { sum() }
/// returns 3 }`.
pub(super) fn answered_by_spy(asked: &ChangedTestLines) -> Option<(String, u32)> {
    const NEAR: u32 = 5;
    asked.come.iter().find_map(|(at, line)| {
        let (name, value) = bound(line).or_else(|| made_by(line))?;
        let is_spy = SPIES.iter().any(|it| value.starts_with(it)) && value.ends_with('{');
        let is_made = |of: &str| of.strip_prefix(name).is_some_and(|rest| rest.starts_with('('));
        let is_meant = asked.functions.iter().any(|(_, of)| asked.is_receiver(of, name) || is_made(of));
        let inside = asked.come.iter().filter(|(number, _)| (at + 1..at + NEAR).contains(number));
        let method = inside.filter_map(|(_, text)| {
            let told = text.split("every {").nth(1)?.trim_start();
            let end = told.find(|c: char| !is_name_part(c))?;
            told.get(..end).filter(|it| it.len() > 1 && told[end..].starts_with('(') && !is_outside(it))
        });
        let method = method.into_iter().next().filter(|_| is_spy && is_meant && !asked.was_double(name))?;
        Some((method.to_owned(), *at))
    })
}

/// What a function of one expression makes, and its name: `fun desk(store: Store) = spyk(Desk(store)) {`.
fn made_by(line: &str) -> Option<(&str, &str)> {
    let (head, value) = line.split_once(" = ")?;
    let (_, rest) = head.split_once("fun ")?;
    let (name, _) = rest.split_once('(')?;
    Some((name.trim(), value.trim()))
}

/// The new lines, and those that a statement goes on from, with all that belongs to it: `doReturn(3)` and `.when(till)`.
pub(super) fn with_statements<'t>(new: &'t str, mut come: Vec<(u32, &'t str)>) -> Vec<(u32, &'t str)> {
    let mut starts = vec![0];
    starts.extend(new.match_indices('\n').map(|(at, _)| at + 1));
    let line_from = |at: usize| new.get(at..).and_then(|rest| rest.lines().next()).unwrap_or_default();
    let goes_on = |at: &&usize| {
        let bare = line_from(**at).trim_start();
        bare.starts_with('.') || bare.starts_with("->") || bare.starts_with("?.")
    };
    let whole = |number: u32| {
        let first = usize::try_from(number).ok()?.checked_sub(1)?;
        let start = *starts.get(first)?;
        let is_open = |at: &usize| opens_more(new.get(start..*at).unwrap_or_default());
        let below = starts.get(first + 1..)?.iter().take(MOST);
        let last = below.take_while(|at| goes_on(at) || is_open(at)).last()?;
        new.get(start..last + line_from(*last).len())
    };
    let joined: Vec<(u32, &str)> =
        come.iter().filter_map(|(number, _)| Some((*number, whole(*number)?))).collect();
    come.extend(joined);
    come
}

/// Whether a call's bracket stands open at the end of a text.
fn opens_more(text: &str) -> bool {
    let depth = text.matches('(').count().saturating_sub(text.matches(')').count());
    depth > 0 && text.trim_end().ends_with(['(', ','])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_is_read_with_all_its_lines() {
        let new = "a\n  doReturn(3)\n    .when(till)\n    .sum();\nb\n";
        let come = with_statements(new, vec![(1, "a"), (2, "  doReturn(3)")]);
        assert_eq!(come.last(), Some(&(2, "  doReturn(3)\n    .when(till)\n    .sum();")));
        assert_eq!(come.len(), 3);
    }
}
