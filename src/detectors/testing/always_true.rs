//! Conditions of tests that always hold, also where no grammar reads them: `waitFor(() => done() || Date.now() > 0)`, and
//! Dart's matchers that take anything.

use crate::detectors::engine::hunks::hunks;
use crate::languages::code::bare;
use crate::languages::is_test_path;
use crate::model::finding::Change;

/// What holds always, without blanks.
const ALWAYS: &[&str] = &["true", "True", "1", "!false", "1==1", "1===1", "notFalse"];
/// Clocks and the like, of which each is more than nothing.
const POSITIVE: &[&str] = &[
    "Date.now()>",
    "performance.now()>",
    "time.time()>",
    "time.monotonic()>",
    "System.currentTimeMillis()>",
    "System.nanoTime()>",
    "process.pid>",
    "DateTime.now().millisecondsSinceEpoch>",
];
/// Dart's matchers that take any value, and how they stand in a claim.
const ANYTHING: &[&str] =
    &[",anything)", "throwsA(anything)", "completion(anything)", "emits(anything)", "throwsA(isNotNull)"];

/// The line whose condition holds whatever the code does, and its number; the line in its place held for less.
pub(super) fn always(change: &Change) -> Option<(String, u32)> {
    let (old, new) = (change.before.as_deref()?, change.after.as_deref()?);
    if !is_test_path(&change.path)
        || !["||", " or ", "anything", "isNotNull"].iter().any(|it| new.contains(it))
    {
        return None;
    }
    let is_dart = change.path.ends_with(".dart");
    hunks("//", old, new)?.iter().filter(|hunk| !hunk.gone.is_empty()).find_map(|hunk| {
        let opened = |text: &str| is_dart && ANYTHING.iter().any(|it| bare(text).contains(it));
        let is_claim = || hunk.gone.iter().any(|it| it.text.contains("expect"));
        let found = hunk.come.iter().find(|come| {
            let had = |has: &dyn Fn(&str) -> bool| hunk.gone.iter().any(|gone| has(gone.text));
            holds(come.text) && !had(&holds) || opened(come.text) && is_claim() && !had(&opened)
        })?;
        let first = hunk.gone.first()?;
        Some((format!("`{}` would hold whatever the code does", found.text), first.number))
    })
}

/// Whether one of the alternatives of a line holds always.
fn holds(line: &str) -> bool {
    let behind = |sign: &str| line.split(sign).skip(1).map(alternative).any(|it| is_always(&it));
    behind("||") || behind(" or ")
}

/// An alternative up to where its bracket, its argument or its line ends; without blanks.
fn alternative(text: &str) -> String {
    let mut depth = 0i32;
    let end = text.char_indices().find(|(_, c)| {
        depth += i32::from(matches!(c, '(' | '[')) - i32::from(matches!(c, ')' | ']'));
        depth < 0 || depth == 0 && matches!(c, ',' | ';' | '{' | '}' | ':')
    });
    bare(end.map_or(text, |(at, _)| &text[..at]))
}

fn is_always(text: &str) -> bool {
    let is_more = |head: &str| {
        let rest = text.strip_prefix(head).map(|rest| rest.trim_start_matches('='));
        rest.is_some_and(|rest| rest.trim_start_matches('-').parse::<u8>().is_ok())
    };
    ALWAYS.contains(&text) || POSITIVE.iter().any(|head| is_more(head))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_alternative_that_always_holds_is_told() {
        for (line, expected) in [
            ("await waitFor(() => gone() || Date.now() > 0, { timeout: 9 });", true),
            ("until { ready() || true }", true),
            ("wait_for(lambda: ready() or True)", true),
            ("await waitFor(() => gone() || left(), { timeout: 9 });", false),
            ("wait(() => gone() || Date.now() > end);", false),
        ] {
            assert_eq!(holds(line), expected, "{line}");
        }
    }
}
