//! Tests that are skipped where the code that they are about does not answer as they expect: the skip stands in the place of
//! their failure.

use crate::detectors::testing::test_lines::{brings, is_import, new_lines, origin, words_of};
use crate::languages::is_test_path;
use crate::model::finding::Change;
use crate::model::words::{has_word, is_name_part};

/// What skips the tests around it where a condition above it holds.
const SKIPS: &[&str] = &[
    "self.skipTest(",
    "pytest.skip(",
    "t.Skip(",
    "t.Skipf(",
    "t.SkipNow(",
    "this.skip(",
    "ctx.skip(",
    "markTestSkipped(",
    "throw XCTSkip(",
    "cancel(",
    "GTEST_SKIP(",
    "Assert.Ignore(",
    "Assert.Inconclusive(",
];
/// What skips by a condition in its own line.
const ASSUMES: &[&str] = &[
    "assumeTrue(",
    "assumeFalse(",
    "assumeThat(",
    "assume(",
    "skip_unless(",
    "XCTSkipIf(",
    "XCTSkipUnless(",
];
/// What compares an answer with a value.
const COMPARES: &[&str] =
    &["!=", "==", "<", ">", ".equals(", " is not ", " not in ", " eq ", "reflect.DeepEqual"];
/// Words of lines that claim something.
const CLAIMS: &[&str] = &["assert", "expect", "should", "require.", "got"];

/// The line that skips tests by an answer of what they ask, and the name that is asked.
pub(super) fn skipped_by_answer(change: &Change) -> Option<(u32, String)> {
    let (old, new) = (change.before.as_deref()?, change.after.as_deref()?);
    if !is_test_path(&change.path) {
        return None;
    }
    let come = new_lines(old, new);
    let conditions = come.iter().filter_map(|(at, line)| {
        if ASSUMES.iter().any(|it| line.contains(it)) {
            return Some((*at, *line));
        }
        let above = || come.iter().find(|(number, _)| number + 1 == *at).map(|(_, line)| *line);
        let is_condition = |it: &&str| {
            let bare = it.trim_start().trim_start_matches('}').trim_start();
            bare.starts_with("if ") || bare.starts_with("if(") || bare.starts_with("unless ")
        };
        let skips = SKIPS.iter().any(|it| line.contains(it));
        let condition = Some(*line).filter(is_condition).or_else(|| above().filter(is_condition));
        condition.filter(|_| skips).map(|it| (*at, it))
    });
    if let Some(found) = skipped_by_failure(old, new, &come) {
        return Some(found);
    }
    conditions.filter(|(_, it)| COMPARES.iter().any(|sign| it.contains(sign))).find_map(|(at, condition)| {
        let asked = words_of(condition).find(|word| is_asked(old, condition, word))?;
        Some((at, asked.to_owned()))
    })
}

/// A test that is skipped where what it asks fails: `except ZoneError: pytest.skip()` below a call of `parse_zone`. What is
/// caught comes from where the function does, or is any error.
fn skipped_by_failure(old: &str, new: &str, come: &[(u32, &str)]) -> Option<(u32, String)> {
    const CATCHES: &[&str] = &["except", "rescue", "} catch", "catch"];
    const ANY: &[&str] = &["Exception", "BaseException", "StandardError", "Error"];
    const MOST: usize = 12;
    let from = |name: &str| old.lines().find(|line| is_import(line) && brings(line, name)).map(origin);
    let lines: Vec<&str> = new.lines().collect();
    come.iter().filter(|(_, line)| SKIPS.iter().any(|it| line.contains(it))).find_map(|(at, _)| {
        let above = usize::try_from(*at).ok()?.checked_sub(2)?;
        let head = lines.get(above)?.trim();
        CATCHES.iter().find(|it| head.starts_with(**it))?;
        let caught: Vec<&str> =
            words_of(head).filter(|it| it.starts_with(char::is_uppercase) && it.len() > 2).collect();
        let tried =
            lines.get(..above)?.iter().rev().take(MOST).take_while(|it| !it.trim().starts_with("try"));
        let calls = |line: &str, name: &str| line.contains(&format!("{name}("));
        let mut asked = tried.flat_map(|line| words_of(line).filter(|name| calls(line, name)));
        let name = asked.find(|name| {
            let Some(home) = from(name) else { return false };
            let is_any = caught.is_empty() || caught.iter().any(|it| ANY.contains(it));
            is_any || caught.iter().any(|it| from(it) == Some(home))
        })?;
        Some((*at, name.to_owned()))
    })
}

/// Whether a name is one of the project's functions that a condition calls and that claims of the file call.
fn is_asked(old: &str, condition: &str, name: &str) -> bool {
    let calls = |line: &str| {
        line.match_indices(name).any(|(at, _)| {
            let (head, rest) = (line.get(..at).unwrap_or_default(), line.get(at + name.len()..));
            !head.ends_with(is_name_part) && rest.is_some_and(|it| it.starts_with('('))
        })
    };
    let claims = |line: &str| {
        let lower = line.to_lowercase();
        CLAIMS.iter().any(|it| lower.contains(it)) && calls(line)
    };
    let is_imported =
        || old.lines().any(|line| is_import(line) && brings(line, name) && has_word(line, name));
    name.len() > 2 && calls(condition) && is_imported() && old.lines().filter(|line| claims(line)).count() > 0
}
