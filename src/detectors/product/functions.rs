//! The functions of product code, what a comment says of one, and a finding about one.

use std::collections::BTreeSet;

use crate::detectors::engine::revision::Revision;
use crate::detectors::product::promises::parts;
use crate::detectors::{Case, Detector};
use crate::languages::code::plain;
use crate::languages::{Language, is_test_path};
use crate::model::finding::{Change, Finding, RegressionType};
use crate::model::words::is_name_part;

/// Words of what a comment about missing work says.
const EXCUSES: &[&str] = &[
    "todo",
    "fixme",
    "placeholder",
    "stub",
    "simulate",
    "pretend",
    "mock",
    "dummy",
    "for now",
    "real implementation",
    "follow-up",
    "follow up",
    "later",
    "not yet",
    "not supported",
    "not ready",
    "not implemented",
    "unsupported",
    "rough estimate",
    "good enough",
    "meanwhile",
    "stopgap",
    "for the time being",
];

/// A part of a name as short as this stands for many things.
const SHORT: usize = 3;
/// Names of calls that only put a value into a collection, and words in front of parentheses.
const GATHERING: &[&str] =
    &["append", "push", "add", "insert", "extend", "push_back", "Add", "if", "for", "while", "await"];

pub(super) fn finding(
    detector: &Detector,
    revision: &Revision,
    line: u32,
    name: &str,
    what: String,
) -> Finding {
    let mut finding = detector.finding(&revision.change.path, what);
    finding.line = Some(line);
    finding.lost.push(name.to_owned());
    finding.confidence = 0.85;
    finding
}

pub(super) fn product<'c, 'a>(case: &'c Case<'a>) -> impl Iterator<Item = &'c Revision<'a>> {
    case.revisions().iter().filter(|revision| !revision.is_test)
}

/// Whether a detector of product code has told of a file already: one cause gives one finding.
pub(super) fn is_told(findings: &[Finding], revision: &Revision) -> bool {
    const TYPES: &[RegressionType] =
        &[RegressionType::ErrorSuppression, RegressionType::ValidationBypass, RegressionType::FeatureRemoval];
    let is_here = |it: &Finding| it.path == revision.change.path;
    findings.iter().any(|it| is_here(it) && it.regression_type.is_some_and(|kind| TYPES.contains(&kind)))
}

/// Whether a function's comments after say that it is no more than a stand-in.
pub(super) fn excuse(revision: &Revision, new: usize) -> bool {
    let Some(function) = revision.after.functions.get(new) else { return false };
    let body = revision.new.get(function.body.clone()).unwrap_or_default();
    let first = function.line;
    let last = first + u32::try_from(body.lines().count()).unwrap_or(0);
    let mut near = revision.new_comments().filter(|it| it.line >= first && it.line <= last);
    near.any(|it| excuse_in(&it.text.to_lowercase()))
}

/// Whether a text in lower case says that something is no more than a stand-in.
pub(super) fn excuse_in(lower: &str) -> bool {
    EXCUSES.iter().any(|word| lower.contains(word))
}

/// The changes of the session's other files with code that is no test.
pub(super) fn other_code<'a>(case: &Case<'a>, revision: &Revision) -> impl Iterator<Item = &'a Change> {
    case.all_changes().filter(|it| {
        it.path != revision.change.path && Language::of_path(&it.path).is_some() && !is_test_path(&it.path)
    })
}

/// Whether another file of the session differs in a name that goes here: the work may be there now, or goes there as well.
pub(super) fn is_part_of_more(case: &Case, revision: &Revision) -> bool {
    let parts_of = |lines: &mut dyn Iterator<Item = &str>| -> BTreeSet<String> {
        lines.flat_map(|line| parts(&plain(revision.words, line))).filter(|it| it.len() > SHORT).collect()
    };
    let mut others = other_code(case, revision).filter(|it| it.before != it.after).peekable();
    if others.peek().is_none() {
        return false;
    }
    let places = revision.hunks();
    let gone = parts_of(&mut places.iter().flat_map(|it| &it.gone).map(|line| line.text));
    let come = parts_of(&mut places.iter().flat_map(|it| &it.come).map(|line| line.text));
    let lost: BTreeSet<&String> = gone.difference(&come).collect();
    lost.is_empty()
        || others.any(|it| {
            let (before, after) =
                (it.before.as_deref().unwrap_or_default(), it.after.as_deref().unwrap_or_default());
            let beyond = |text: &str, other: &str| -> BTreeSet<String> {
                let known: BTreeSet<&str> = other.lines().map(str::trim).collect();
                parts_of(&mut text.lines().map(str::trim).filter(|line| !known.contains(line)))
            };
            // What goes there as well is taken out of the project on purpose.
            let differing = beyond(after, before).union(&beyond(before, after)).cloned().collect::<Vec<_>>();
            differing.iter().any(|it| lost.contains(it))
        })
}

/// Whether any other file of the session changes as well, of whatever kind.
pub(super) fn has_company(case: &Case, change: &Change) -> bool {
    case.all_changes().any(|it| it.path != change.path && it.before != it.after)
}

/// Whether a document of the session says something that it did not say before.
pub(super) fn is_documented_now(case: &Case, says: impl Fn(&str) -> bool) -> bool {
    let says = |text: &Option<String>| text.as_deref().is_some_and(&says);
    case.documents().any(|it| says(&it.after) && !says(&it.before))
}

/// Whether a document of the session names something more often than before: what went is written down.
pub(super) fn is_written_down(case: &Case, name: &str) -> bool {
    let count = |text: &Option<String>| text.as_deref().map_or(0, |text| text.matches(name).count());
    case.documents().any(|it| count(&it.after) > count(&it.before))
}

/// The names that are called in a text, without those that only put a value into a collection.
pub(super) fn called_in(text: &str) -> Vec<&str> {
    let heads = text.split('(').take(text.matches('(').count());
    let names = heads.map(|head| head.rsplit(|c| !is_name_part(c)).next().unwrap_or_default());
    names.filter(|name| !name.is_empty() && !GATHERING.contains(name)).collect()
}
