//! Failures that were counted or gathered, and are not any more, while what counts them is still there.

use crate::detectors::Case;
use crate::detectors::engine::hunks::CodeLine;
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::short;
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::refusals::has_tests_of;
use crate::languages::code::{bare, identifiers, refuses};
use crate::model::finding::Severity;

/// What names of failures have, in lower case.
const FAILURES: &[&str] = &[
    "fail",
    "error",
    "errs",
    "invalid",
    "problem",
    "violation",
    "reject",
    "broken",
    "issues",
    "exit_code",
    "exitcode",
    "faults",
    "mistakes",
];
/// What names of success have.
const SUCCESSES: &[&str] = &["ok", "success", "succeeded", "valid", "healthy", "passed", "clean"];
/// Members by which a value that others watch is written: Vue's references, React's, Svelte's and Kotlin's stores.
const WATCHED: &[&str] = &[".value", ".current", ".val", ".wrappedValue"];
/// How a name is counted up or gets one more, without blanks.
const GATHERS: &[&str] = &[
    "+=",
    "++",
    ".append(",
    ".push(",
    ".add(",
    ".Add(",
    "<<",
    "=append(",
    ".push_back(",
    ".emplace_back(",
    "[]=",
    "=true",
    "=True",
    "=1",
    ".incrementAndGet(",
    ".fetch_add(",
    ".insert(",
    "|=",
    ".addIssue(",
    ".put(",
    ".set(true)",
    ".next(true)",
    ".postValue(true)",
    ".setValue(true)",
    ".update(",
];

/// The first failure that is not counted any more.
pub(super) fn uncounted(case: &Case, revision: &Revision) -> Option<LostCheck> {
    let count = |text: &str| text.lines().filter(|it| counted(it).is_some()).count();
    let middle = revision.middle();
    if count(middle.after) >= count(middle.before) {
        return None;
    }
    revision.hunks().iter().filter(|hunk| hunk.come.len() <= hunk.gone.len() + 3).find_map(|hunk| {
        let (line, name) = hunk.gone.iter().find_map(|line| Some((*line, counted(line.text)?)))?;
        let says = |it: &CodeLine| counted(it.text).is_some() || refuses(revision.words, it.text);
        let owner = revision.owner_at(line.at)?;
        let after = revision.after.functions.get(revision.successor(owner)?)?;
        let body = revision.new.get(after.body.clone())?;
        let is_asked = identifiers(body).any(|it| it == name);
        let function = revision.before.functions.get(owner)?.name;
        let is_lost = hunk.gone.len() <= 8 && is_asked && !hunk.come.iter().any(says);
        (is_lost && !has_tests_of(case, function)).then(|| {
            let what = format!("`{}` would be gone, and what asks `{name}` see no failure", short(line.text));
            LostCheck::new(line.number, function, what, Severity::High)
        })
    })
}

/// The name that counts a failure in this line.
fn counted(line: &str) -> Option<&str> {
    let line = line
        .trim()
        .trim_start_matches("self.")
        .trim_start_matches("this.")
        .trim_start_matches(['@', '$', '+']);
    let end = line.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.'))).unwrap_or(line.len());
    let end = line.get(..end)?.find('.').unwrap_or(end);
    let name = line.get(..end).filter(|it| !it.is_empty())?;
    let rest = bare(line.get(end..)?);
    // What holds a value for others to watch is written through a member of it.
    let rest = WATCHED.iter().find_map(|it| rest.strip_prefix(it)).unwrap_or(&rest).trim_end_matches(';');
    let lower = name.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|it| lower.contains(it));
    let is_counted =
        has(FAILURES) && GATHERS.iter().any(|it| rest.starts_with(it)) && !rest.starts_with("==");
    let is_denied = SUCCESSES.iter().any(|it| lower == *it || lower.ends_with(&format!("_{it}")))
        && matches!(rest, "=false" | "=False");
    (is_counted || is_denied).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_told_from_other_counts() {
        for (line, expected) in [
            ("failures += 1", Some("failures")),
            ("errors.push('name');", Some("errors")),
            ("errs = append(errs, err)", Some("errs")),
            ("self.errors << \"x\"", Some("errors")),
            ("ok = false;", Some("ok")),
            ("failed.value = true;", Some("failed")),
            ("hasError.set(true);", Some("hasError")),
            ("failed.value = false;", None),
            ("rows.push(x)", None),
            ("log.error('x')", None),
            ("error == 1", None),
        ] {
            assert_eq!(counted(line), expected, "{line}");
        }
    }
}
