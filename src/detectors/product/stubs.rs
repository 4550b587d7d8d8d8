//! Functions whose bodies are emptied: nothing, a constant or "not implemented" stands where work was.

use std::collections::BTreeSet;

use crate::detectors::engine::revision::{Revision, share};
use crate::detectors::product::abstract_methods::is_left_to_others;
use crate::detectors::product::check_words::is_answer;
use crate::detectors::product::claimed_work::claimed;
use crate::detectors::product::defaults::is_optional;
use crate::detectors::product::discarded_inputs::discarded;
use crate::detectors::product::fixed_answers::{fixed_answer, is_telling};
use crate::detectors::product::functions::{called_in, excuse, finding, is_told, product};
use crate::detectors::product::idle_branches::{idle_branch, undone_arm, undone_branch};
use crate::detectors::product::parameters::{head_of, parameters};
use crate::detectors::product::put_off::put_off;
use crate::detectors::product::shell_stubs::idle_arm;
use crate::detectors::product::unfinished::unfinished;
use crate::detectors::product::unread_stubs::{answered_by_value, undone};
use crate::detectors::{Case, Detector, Pattern, PatternProof};
use crate::languages::code::{BodyKind, Function, bare};
use crate::model::finding::{Finding, RegressionType, Severity};

/// Bodies emptied.
pub(crate) static STUBBED: Detector = Detector {
    pattern: Pattern {
        id: "LP-021",
        name: "Scope Creep Avoidance",
        aliases: &["Function Stub"],
        regression_type: Some(RegressionType::FeatureRemoval),
        severity: Severity::High,
        what: "The body of a function that did something is replaced by a constant, by nothing, or by 'not implemented'.",
        why: "Whoever calls it gets an answer that has nothing to do with the question.",
        instead: "A body that does the work, also if shorter, passes.",
        proof: PatternProof::Changes,
    },
    detect: stubbed,
};

fn stubbed(case: &Case, findings: &mut Vec<Finding>) {
    for revision in product(case) {
        let comments = revision.new_comment_lines();
        let found = revision.pairs.iter().find_map(|(old, new)| stub(revision, *old, *new, &comments));
        let found = found.filter(|(function, ..)| !is_left_to_others(case, revision, function.name));
        let found = found
            .or_else(|| unfinished(case, revision))
            .or_else(|| idle_branch(revision))
            .or_else(|| undone_arm(revision))
            .or_else(|| undone_branch(revision))
            .or_else(|| claimed(revision))
            .or_else(|| put_off(revision).filter(|_| !is_said(findings, revision)))
            .or_else(|| discarded(revision));
        if let Some((function, what, severity)) = found {
            let mut found = finding(&STUBBED, revision, function.line, function.name, what);
            found.severity = severity;
            findings.push(found);
        } else if !is_told(findings, revision) {
            let fixed = fixed_answer(case, revision);
            let fixed = fixed.filter(|lost| !is_left_to_others(case, revision, lost.name()));
            findings.extend(fixed.map(|lost| lost.finding(&STUBBED, revision)));
        }
    }
    for change in case.evidence.changes {
        let lost = idle_arm(change).or_else(|| undone(change)).or_else(|| answered_by_value(change));
        findings.extend(lost.map(|lost| lost.finding_at(&STUBBED, &change.path)));
    }
}

/// Whether what a function does no more is said already.
fn is_said(findings: &[Finding], revision: &Revision) -> bool {
    let mut own = findings.iter().filter(|it| it.path == revision.change.path);
    own.any(|it| it.severity > Severity::Medium || it.pattern_id == "LP-F001")
}

/// A function that did something and is a stub now, with what is said of it.
fn stub<'r, 'a>(
    revision: &'r Revision<'a>,
    old: usize,
    new: usize,
    comments: &[u64],
) -> Option<(&'r Function<'a>, String, Severity)> {
    let (before, after) = (revision.before.functions.get(old)?, revision.after.functions.get(new)?);
    let lines = revision.old_lines(old);
    let was = revision.old.get(before.body.clone())?;
    let excuse = excuse(revision, new);
    // What says that it is not implemented needs no second line to be known by.
    let least = if excuse || after.body_kind == BodyKind::Unimplemented { 1 } else { 2 };
    let was_work = before.body_kind == BodyKind::Work && lines.len() >= least && !is_unfinished(was);
    if !was_work || share(&lines, comments) >= 0.6 {
        return None;
    }
    let now = revision.new.get(after.body.clone()).unwrap_or_default();
    // What calls all that it called still does its work.
    let called = called_in(was);
    let works = !called.is_empty() && called.iter().all(|name| called_in(now).contains(name));
    let pretends =
        excuse && !works && after.statements <= 2 && revision.new_lines(new).len() < lines.len().clamp(3, 6);
    let what = left(before, after, pretends);
    let what = what
        .filter(|_| !is_split_in_clauses(revision, before, was) && !is_in_another(revision, before, was))?;
    let body = revision.new.get(after.body.clone()).unwrap_or_default();
    let is_short = body.lines().count() < was.lines().count();
    // What was worked out of what is given is a number or a text that nobody chooses by chance.
    let is_made_up = matches!(after.body_kind, BodyKind::Constant(value) if is_telling(value))
        && !called.is_empty()
        && !is_optional(was)
        && !parameters(revision, revision.old, before).is_empty();
    // What only checked and does nothing now has lost its check.
    let lost_check = after.body_kind == BodyKind::Nothing && before.throws > 0;
    let is_sure = excuse
        || is_made_up
        || lost_check
        || after.body_kind == BodyKind::Unimplemented
        || (is_short && lines.len() >= 3);
    let is_moved = is_moved(revision, old) || promoted(revision.new, after) > promoted(revision.old, before);
    (!is_moved).then_some((before, what, if is_sure { Severity::High } else { Severity::Medium }))
}

/// Whether a function answers in several clauses now with what its one body chose between, as in Elixir.
fn is_split_in_clauses(revision: &Revision, before: &Function, was: &str) -> bool {
    let clauses = || revision.after.functions.iter().filter(|it| it.name == before.name);
    let had = revision.before.functions.iter().filter(|it| it.name == before.name).count();
    let was = bare(was);
    let mut answers = BTreeSet::new();
    let is_known = clauses().all(|it| match it.body_kind {
        BodyKind::Constant(value) => {
            answers.insert(bare(value));
            was.contains(&bare(value))
        }
        _ => it.body_kind == BodyKind::Work,
    });
    let is_guarded = clauses().any(|it| {
        let head = revision.new.get(it.span.start..it.body.start).unwrap_or_default();
        head.contains(" when ")
    });
    clauses().count() > had && is_known && is_guarded && answers.len() > 1
}

/// Whether another function of the same name, which is new, calls all that it called: a specialisation, an overload.
fn is_in_another(revision: &Revision, before: &Function, was: &str) -> bool {
    let called = called_in(was);
    let of_name = |functions: &[Function]| functions.iter().filter(|it| it.name == before.name).count();
    let is_new = || of_name(&revision.after.functions) > of_name(&revision.before.functions);
    !called.is_empty()
        && is_new()
        && revision.after.functions.iter().filter(|it| it.name == before.name).any(|it| {
            let body = revision.new.get(it.body.clone()).unwrap_or_default();
            called.iter().all(|name| called_in(body).contains(name))
        })
}

/// Whether a body said already that the work was not done.
fn is_unfinished(body: &str) -> bool {
    let body = body.to_lowercase();
    ["notimplemented", "not implemented", "unimplemented", "todo!"].iter().any(|word| body.contains(word))
}

/// What is left of a function's work; `None` where it still works, or where another detector says so.
fn left(before: &Function, after: &Function, pretends: bool) -> Option<String> {
    Some(match after.body_kind {
        BodyKind::Nothing => format!("`{}` would do nothing", before.name),
        BodyKind::Constant(value) if is_answer(before.name, value) => return None,
        BodyKind::Constant(value) => {
            format!("`{}` would do nothing but give `{}`", before.name, bare(value))
        }
        BodyKind::Unimplemented => format!("`{}` would not be implemented any more", before.name),
        BodyKind::Work if pretends => format!("`{}` would only pretend to work", before.name),
        BodyKind::Work => return None,
    })
}

/// How many parameters of a constructor are the fields of its type.
fn promoted(source: &str, function: &Function) -> usize {
    let head = head_of(source, function);
    let parameters = head.split_once('(').map_or("", |(_, rest)| rest);
    let words = ["private ", "protected ", "public ", "readonly "];
    words.iter().map(|word| parameters.matches(word).count()).sum()
}

/// Whether what a function did is done by new functions.
fn is_moved(revision: &Revision, old: usize) -> bool {
    let lines = revision.old_lines(old);
    let mut added: Vec<u64> = revision.added.iter().flat_map(|new| revision.new_lines(*new)).collect();
    added.sort_unstable();
    share(&lines, &added) >= 0.4
}
