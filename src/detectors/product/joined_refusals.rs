//! Refusals of which each of several conditions was enough, and that need all of them at once now: `a || b` as `a && b`,
//! in whatever form of a branch.

use crate::detectors::Case;
use crate::detectors::engine::hunks::CodeLine;
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::{CHECKS, is_named, short};
use crate::detectors::product::line_conditions::{AND, OR, condition, operands};
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::refusals::has_tests_of;
use crate::languages::code::{bare, refuses};
use crate::model::finding::Severity;

/// First words of functions that say who may do something.
const PERMITTING: &[&str] =
    &["can", "may", "allow", "allows", "allowed", "authorize", "permits", "permitted"];
/// Parts of the names of types and files that say so, in lower case.
const DECIDING: &[&str] =
    &["policy", "policies", "permission", "voter", "ability", "abilities", "authoriz", "gate"];
/// How far below a condition its refusal may stand, in lines.
const BELOW: usize = 2;

/// The first refusal of the kind.
pub(super) fn needs_all(case: &Case, revision: &Revision) -> Option<LostCheck> {
    let (line, what) = refused_by_all(revision).or_else(|| permitted_by_any(revision))?;
    let name = revision.old_function_at(line.at).map_or("", |it| it.name);
    (!has_tests_of(case, name)).then(|| LostCheck::of_line(&line, name, what, Severity::High))
}

/// A condition of a refusal that joins with "and" what stood with "or".
fn refused_by_all<'a>(revision: &Revision<'a>) -> Option<(CodeLine<'a>, String)> {
    revision.hunks().iter().find_map(|hunk| {
        let old = hunk.gone.iter().filter_map(|line| {
            let asked = alternatives(line.text)?;
            is_refusal(revision, revision.old, line).then_some((*line, asked))
        });
        let old: Vec<(CodeLine, Vec<String>)> = old.collect();
        let mut new = hunk.come.iter().filter_map(|line| {
            let needed = all_needed(line.text)?;
            is_refusal(revision, revision.new, line).then_some((line, needed))
        });
        let (new, needed) = new.next()?;
        let mut lost = old.iter().filter(|(line, asked)| {
            revision.is_of_one(line, new) && asked.iter().any(|it| needed.contains(it))
        });
        let (line, _) = lost.next()?;
        let still_one = hunk.come.iter().filter_map(|it| alternatives(it.text)).count() >= old.len();
        let what = format!("`{}` would refuse only where all of it holds", short(new.text));
        (!still_one).then_some((*line, what))
    })
}

/// What a line's condition joins with "or", each of which is enough.
fn alternatives(line: &str) -> Option<Vec<String>> {
    let asked = condition(line).filter(|it| !it.must_hold)?;
    let all = operands(&asked.text, OR);
    (all.len() > 1).then_some(all)
}

/// What a line's condition joins with "and"; also one of a `case` without a value to compare with.
fn all_needed(line: &str) -> Option<Vec<String>> {
    let text = match line.strip_prefix("case ").and_then(|it| it.strip_suffix(':')) {
        Some(text) => bare(text),
        None => condition(line).filter(|it| !it.must_hold)?.text,
    };
    let all = operands(&text, AND);
    (all.len() > 1).then_some(all)
}

/// Whether a line or one of the next below it says no.
fn is_refusal(revision: &Revision, text: &str, line: &CodeLine) -> bool {
    let rest = text.get(line.at..).unwrap_or_default();
    rest.lines().take(BELOW).any(|it| refuses(revision.words, it.trim()))
}

/// An answer about who may do something, which all of its parts had to agree to.
fn permitted_by_any<'a>(revision: &Revision<'a>) -> Option<(CodeLine<'a>, String)> {
    let path = revision.change.path.to_lowercase();
    revision.hunks().iter().filter(|hunk| hunk.gone.len() == hunk.come.len()).find_map(|hunk| {
        hunk.gone.iter().zip(&hunk.come).find_map(|(gone, come)| {
            let name = revision.old_function_at(gone.at)?.name;
            let decides = is_named(name, PERMITTING)
                || is_named(name, CHECKS)
                || DECIDING.iter().any(|part| path.contains(part));
            let (mut was, mut is) = (parts(gone.text, AND)?, parts(come.text, OR)?);
            was.sort();
            is.sort();
            let what = format!("`{}` would agree where one part of it holds", short(come.text));
            (decides && was == is).then_some((*gone, what))
        })
    })
}

/// The parts of an answer, joined by some signs and by no others.
fn parts(line: &str, signs: &[&str]) -> Option<Vec<String>> {
    let text = line.trim_end_matches(';');
    let text = text.strip_prefix("return ").unwrap_or(text);
    if text.starts_with("if ") || text.contains(" = ") || text.ends_with('{') {
        return None;
    }
    let spelled = bare(&text.replace(" and ", "\u{1}and\u{1}").replace(" or ", "\u{1}or\u{1}"));
    let all = operands(&spelled, signs);
    let others = if signs == AND { OR } else { AND };
    (all.len() > 1 && !others.iter().any(|sign| spelled.contains(sign))).then_some(all)
}
