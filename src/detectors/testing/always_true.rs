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

/// Questions of which one always holds, without blanks.
const COMPLEMENTS: &[(&str, &str)] = &[
    (".is_ok()", ".is_err()"),
    (".is_some()", ".is_none()"),
    (".isRight", ".isLeft"),
    (".isDefined", ".isEmpty"),
    (".nonEmpty", ".isEmpty"),
    (".isNotEmpty", ".isEmpty"),
    (".isSuccess", ".isFailure"),
    (".isPresent()", ".isEmpty()"),
    (".IsSuccess", ".IsFailure"),
    (".success?", ".failure?"),
    (".present?", ".blank?"),
    (".any?", ".empty?"),
    (".has_value()", ".has_error()"),
    ("===", "!=="),
    ("==", "!="),
    ("<", ">="),
    (">", "<="),
    ("is", "isnot"),
];

/// Claims about a number of things that hold for any number, without blanks.
const ANY_COUNT: &[&str] = &[
    "ength).toBeGreaterThanOrEqual(0)",
    "ength).to.be.at.least(0)",
    "ength>=0",
    "ize()>=0",
    "ize>=0",
    "ount>=0",
    "ount()>=0",
    "len()>=0",
    "called(greaterThanOrEqualTo(0))",
    "atLeast(0)",
    "AtLeast(0)",
    "hasSizeGreaterThanOrEqualTo(0)",
    "sizeisgreaterThanOrEqualTo(0)",
];

/// The line whose condition holds whatever the code does, and its number; the line in its place held for less.
pub(super) fn always(change: &Change) -> Option<(String, u32)> {
    let (old, new) = (change.before.as_deref()?, change.after.as_deref()?);
    if !is_test_path(&change.path)
        || !["||", " or ", "anything", "isNotNull", "0"].iter().any(|it| new.contains(it))
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
    let text = bare(line);
    let is_digit = |it: Option<&str>| it.is_some_and(|it| it.starts_with(|c: char| c.is_ascii_digit()));
    let counts = text.split("len(").skip(1).any(|it| {
        it.split_once(')').is_some_and(|(_, rest)| {
            rest.starts_with(">=0") && !rest.contains(">=0.") && !is_digit(rest.get(3..4))
        })
    });
    let is_claim = ["assert", "expect", "verify", "should", "require", "check", "CHECK"]
        .iter()
        .any(|it| text.contains(it));
    let is_zero = |it: &&&str| {
        text.match_indices(**it).any(|(at, _)| {
            !text
                .get(at + it.len()..)
                .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit() || c == '.'))
        })
    };
    if is_claim && (counts || ANY_COUNT.iter().find(is_zero).is_some()) {
        return true;
    }
    let behind = |sign: &str| line.split(sign).skip(1).map(alternative).any(|it| is_always(&it));
    ["||", " or "].into_iter().any(|sign| behind(sign) || has_both(line, sign))
}

/// Whether two alternatives beside each other are a question and its opposite: `a.is_ok() || a.is_err()`.
fn has_both(line: &str, sign: &str) -> bool {
    line.match_indices(sign).any(|(at, _)| {
        let (head, rest) =
            (line.get(..at).unwrap_or_default(), line.get(at + sign.len()..).unwrap_or_default());
        let (one, other) = (last_alternative(head), alternative(rest));
        one.len() > 2 && other.len() > 2 && (is_opposite(&one, &other) || is_opposite(&other, &one))
    })
}

fn is_opposite(one: &str, other: &str) -> bool {
    let negated = ["!", "not"].iter().any(|sign| one.strip_prefix(sign) == Some(other));
    negated
        || COMPLEMENTS.iter().any(|(yes, no)| {
            one.match_indices(yes).any(|(at, _)| {
                let (head, rest) = (one.get(..at).unwrap_or_default(), one.get(at + yes.len()..));
                rest.is_some_and(|rest| format!("{head}{no}{rest}") == other) && !head.is_empty()
            })
        })
}

/// The last alternative of a text, from where its bracket, its argument or its statement begins; without blanks.
fn last_alternative(text: &str) -> String {
    let mut depth = 0i32;
    let start = text.char_indices().rev().find(|(_, c)| {
        depth += i32::from(matches!(c, ')' | ']')) - i32::from(matches!(c, '(' | '['));
        depth < 0 || depth == 0 && matches!(c, ',' | ';' | '{' | '}')
    });
    let own = start.and_then(|(at, _)| text.get(at + 1..)).unwrap_or(text);
    let own = own.rsplit("||").next().unwrap_or(own).trim();
    let own = ["assert ", "if ", "return ", "refute "]
        .iter()
        .find_map(|head| own.strip_prefix(head))
        .unwrap_or(own);
    bare(own)
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
            ("assert!(result.is_err() || result.is_ok());", true),
            ("assert answer is None or answer is not None", true),
            ("assertTrue(total >= 0 || total < 0);", true),
            ("expect(a.done || !a.done).toBe(true);", true),
            ("expect(report.errors.length).toBeGreaterThanOrEqual(0);", true),
            ("assert len(rows) >= 0", true),
            ("verify(() => log.add(any())).called(greaterThanOrEqualTo(0));", true),
            ("assert len(rows) >= 03", false),
            ("assert!(a.is_err() || b.is_ok());", false),
            ("assertTrue(total >= 5 || total < 0);", false),
            ("await waitFor(() => gone() || left(), { timeout: 9 });", false),
            ("wait(() => gone() || Date.now() > end);", false),
        ] {
            assert_eq!(holds(line), expected, "{line}");
        }
    }
}
