//! Clauses of a function of Elixir that go while others of it stay: what only they answered is answered by the next one.

use crate::detectors::Case;
use crate::detectors::engine::hunks::{CodeLine, TextHunk};
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::short;
use crate::detectors::product::functions::is_part_of_more;
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::refusals::has_tests_of;
use crate::languages::code::refuses;
use crate::model::finding::Severity;
use crate::model::words::is_name_part;

/// The first clause that goes with nothing in its place.
pub(super) fn clause_lost(case: &Case, revision: &Revision) -> Option<LostCheck> {
    if ![".ex", ".exs"].iter().any(|end| revision.change.path.ends_with(end)) {
        return None;
    }
    let changed =
        revision.hunks().iter().filter(|hunk| !hunk.gone.is_empty() || !hunk.come.is_empty()).count();
    let (line, name) = revision.hunks().iter().find_map(|hunk| whole_clause(hunk))?;
    let clauses = |text: &str| text.lines().filter(|it| clause_of(it.trim()) == Some(name)).count();
    let is_fewer = clauses(revision.new) > 0 && clauses(revision.new) < clauses(revision.old);
    let hunk = revision.hunks().iter().find(|hunk| hunk.gone.contains(&line))?;
    let is_refusal = hunk.gone.iter().any(|it| refuses(revision.words, it.text));
    if changed > 1 || !is_fewer || is_refusal || has_tests_of(case, name) || is_part_of_more(case, revision) {
        return None;
    }
    let what = format!("`{}` would not be done any more, with nothing in its place", short(line.text));
    Some(LostCheck::new(line.number, name, what, Severity::Medium))
}

/// A clause with a condition or a pattern of its own that is all of what goes in a place.
fn whole_clause<'a>(hunk: &TextHunk<'a>) -> Option<(CodeLine<'a>, &'a str)> {
    let first = *hunk.gone.first().filter(|_| hunk.come.is_empty())?;
    let name = clause_of(first.text)?;
    let is_one = hunk.gone.iter().skip(1).all(|it| clause_of(it.text).is_none());
    let ends = hunk.gone.last().is_some_and(|it| it.text == "end") || first.text.contains(", do: ");
    let has_pattern =
        [" when ", "%{", "%", "[", "\"", "nil", ": "].iter().any(|sign| first.text.contains(sign));
    (is_one && ends && has_pattern).then_some((first, name))
}

/// The name of the function whose clause a line begins.
fn clause_of(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("defp ").or_else(|| line.strip_prefix("def "))?;
    let name = rest.split(|c: char| !(is_name_part(c) || matches!(c, '?' | '!'))).next()?;
    rest.get(name.len()..)?.starts_with('(').then_some(name)
}
