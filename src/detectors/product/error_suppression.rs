//! Errors that came up before and are hidden after: swallowed, dropped, or turned into a value that looks fine.
//!
//! A handler in new code is a decision; one around code that was there, or one that has lost its effect, is a loss.

use crate::detectors::engine::hunks::CodeLine;
use crate::detectors::engine::line_pairs::line_pairs;
use crate::detectors::engine::revision::{Revision, share, sorted_lines};
use crate::detectors::product::cleanup_failures::fails_in_cleanup;
use crate::detectors::product::exit_codes::failure_lost;
use crate::detectors::product::failure_counts::uncounted;
use crate::detectors::product::forgiven_arms::forgiven;
use crate::detectors::product::functions::called_in;
use crate::detectors::product::handler_steps::{gave_up, gives_samples, goes_on_instead};
use crate::detectors::product::refused_values::{is_refused, is_refused_after};
use crate::detectors::product::shell_calls::failure_trapped;
use crate::detectors::product::shell_work::failure_hidden;
use crate::detectors::product::softened_handlers::{has_default, softened};
use crate::detectors::product::told_errors::only_told;
use crate::detectors::product::unheard_results::unheard;
use crate::detectors::product::unmissed_refusals::lost_call;
use crate::detectors::{Case, Detector, Pattern, PatternProof};
use crate::languages::code::{Code, Drop, Guard, Handler, HandlerEffect, bare};
use crate::model::finding::{Finding, RegressionType, Severity};

/// Errors swallowed where they used to come up.
pub(crate) static SWALLOWED: Detector = Detector {
    pattern: Pattern {
        id: "LP-016",
        name: "Error Suppression",
        aliases: &["LP-F004", "Silent Exception Catching"],
        regression_type: Some(RegressionType::ErrorSuppression),
        severity: Severity::High,
        what: "Code that let its errors come up is wrapped in a handler that does nothing, or drops its errors.",
        why: "An error that nobody sees is found by the users, later and without a trace.",
        instead: "A handler that passes the error on, or names the one kind it can deal with and does so, passes.",
        proof: PatternProof::Changes,
    },
    detect: swallowed,
};

/// Handlers and checks of errors that are gone or do nothing any more.
pub(crate) static GUTTED: Detector = Detector {
    pattern: Pattern {
        id: "LP-007",
        name: "Error Handler Deletion",
        aliases: &["Gutted Handler"],
        regression_type: Some(RegressionType::ErrorSuppression),
        severity: Severity::High,
        what: "A handler that passed its error on or dealt with it does nothing any more, or the check of an error is gone.",
        why: "What goes on after an unseen error works on wrong data.",
        instead: "A handler that keeps passing the error on, or moves that to its caller, passes.",
        proof: PatternProof::Changes,
    },
    detect: gutted,
};

pub(super) fn finding(
    detector: &Detector,
    revision: &Revision,
    line: u32,
    name: &str,
    what: String,
) -> Finding {
    let mut finding = detector.finding(&revision.change.path, what);
    finding.line = Some(line);
    finding.lost.extend((!name.is_empty()).then(|| name.to_owned()));
    finding.confidence = 0.85;
    finding
}

/// The name of the function that something stands in.
fn owner<'s>(code: &Code<'s>, owner: Option<usize>) -> &'s str {
    owner.and_then(|index| code.functions.get(index)).map_or("", |function| function.name)
}

fn swallowed(case: &Case, findings: &mut Vec<Finding>) {
    for revision in case.revisions().iter().filter(|revision| !revision.is_test) {
        let wrapped = revision.after.handlers.iter().find_map(|handler| wrapping(revision, handler));
        let found = wrapped
            .or_else(|| dropped(revision))
            .or_else(|| silenced(revision))
            .or_else(|| forgiven_at_end(revision));
        let unheard = || {
            unheard(case, revision)
                .or_else(|| forgiven(case, revision))
                .map(|lost| lost.finding(&SWALLOWED, revision))
        };
        findings.extend(found.or_else(unheard));
    }
    for change in case.evidence.changes {
        let found = failure_hidden(change).or_else(|| failure_trapped(change));
        findings.extend(found.map(|lost| lost.finding_at(&SWALLOWED, &change.path)));
    }
}

/// Whether a handler goes on with the next of several: it reaches no refusal below.
fn goes_on(handler: &Handler) -> bool {
    handler.body.lines().any(|line| matches!(line.trim().trim_end_matches(';'), "continue" | "next"))
}

/// A silent handler that is new.
fn wrapping(revision: &Revision, handler: &Handler) -> Option<Finding> {
    if handler.effect == HandlerEffect::Raised || twin(revision, handler).is_some() {
        return None;
    }
    let is_refused_below = || {
        is_refused_after(revision, handler.owner, handler.watched, handler.line)
            || is_refused(revision, handler.owner, handler.line)
    };
    if !goes_on(handler) && is_refused_below() {
        return None;
    }
    let name = owner(&revision.after, handler.owner);
    let watched = sorted_lines(handler.watched);
    let old = sorted_lines(revision.old);
    let was_there = !watched.is_empty() && share(&watched, &old) >= 0.8
        || was_called(revision, handler)
        || was_strict(revision, handler);
    if !matches!(handler.effect, HandlerEffect::Silent | HandlerEffect::Constant) {
        if fails_in_cleanup(revision, handler) {
            return None;
        }
        let (what, severity) = softened(revision, handler).filter(|_| was_there && handler.broad)?;
        let what = format!("an error that came up before {what}");
        return Some(Finding { severity, ..finding(&SWALLOWED, revision, handler.line, name, what) });
    }
    let kinds =
        if handler.caught.is_empty() { "every error".to_owned() } else { format!("`{}`", handler.caught) };
    let what = if was_there {
        format!("{kinds} would be swallowed where it came up before")
    } else {
        format!("a new handler would swallow {kinds}")
    };
    let mut found = finding(&SWALLOWED, revision, handler.line, name, what);
    found.severity = match (was_there, handler.broad, handler.explained) {
        (true, true, false) => Severity::High,
        (false, true, false) if throws_less(revision, handler) => Severity::High,
        (true, true, true) if has_default(revision, handler) || gives_samples(handler) => Severity::High,
        (true, true, true) | (false, true, false) if handler.effect == HandlerEffect::Silent => {
            Severity::Medium
        }
        _ => return None,
    };
    Some(found)
}

/// Whether the function of a new handler refused more often before: what it threw is swallowed with the rest.
fn throws_less(revision: &Revision, handler: &Handler) -> bool {
    let throws =
        |code: &Code, at: Option<usize>| at.and_then(|at| code.functions.get(at)).map(|it| it.throws);
    let old = handler.owner.and_then(|new| revision.predecessor(new));
    throws(&revision.before, old) > throws(&revision.after, handler.owner)
}

/// Whether all that a new handler watches over was called by the function before, with nobody to catch its errors.
fn was_called(revision: &Revision, handler: &Handler) -> bool {
    let Some(old) = handler.owner.and_then(|it| revision.predecessor(it)) else { return false };
    let body = revision.before.functions.get(old).and_then(|it| revision.old.get(it.body.clone()));
    let (body, called) = (body.unwrap_or_default(), called_in(handler.watched));
    !called.is_empty() && called.iter().all(|name| called_in(body).contains(name))
}

/// Whether what a new handler watches over was called before in the form that raises: `save!(…)`.
fn was_strict(revision: &Revision, handler: &Handler) -> bool {
    called_in(handler.watched).iter().any(|name| {
        let strict = format!("{name}!(");
        let count = |text: &str| text.matches(&strict).count();
        name.len() > 2 && count(revision.old) > count(revision.new)
    })
}

/// The handler before that this one is.
fn twin<'r>(revision: &'r Revision, handler: &Handler) -> Option<&'r Handler<'r>> {
    let watched = sorted_lines(handler.watched);
    let old = handler.owner.and_then(|index| revision.predecessor(index));
    let count = |code: &Code, owner: Option<usize>| {
        code.handlers.iter().filter(|it| it.owner == owner && it.caught == handler.caught).count()
    };
    let same = revision.before.handlers.iter().filter(|it| it.caught == handler.caught);
    let mut same = same.filter(|it| {
        let there = sorted_lines(it.watched);
        (it.owner == old && share(&watched, &there).max(share(&there, &watched)) >= 0.5)
            || (!watched.is_empty() && there == watched)
            || (it.owner == old
                && old.is_some()
                && count(&revision.before, old) == count(&revision.after, handler.owner))
    });
    same.next()
}

/// An error that was passed on and is dropped.
fn dropped(revision: &Revision) -> Option<Finding> {
    revision.after.drops.iter().find_map(|drop| {
        let old = revision.predecessor(drop.owner?)?;
        let function = revision.before.functions.get(old)?;
        let body = bare(revision.old.get(function.body.clone())?);
        let call = bare(drop.call);
        let same = |other: &&Drop| other.owner == Some(old) && bare(other.call) == call;
        if call.len() < 4 || !body.contains(&call) || revision.before.drops.iter().any(|other| same(&other)) {
            return None;
        }
        // In Rust the error was passed on by `?`; in Go it had a name.
        let was_passed_on = body.contains(&format!("{call}?"))
            || body.contains(&format!("err:={call}"))
            || body.contains(&format!("err={call}"));
        let name = function.name;
        let what = format!("the error of `{}` would be dropped by {}", first_line(drop.call), drop.how);
        let is_hidden = was_passed_on && !is_refused(revision, drop.owner, drop.line);
        is_hidden.then(|| finding(&SWALLOWED, revision, drop.line, name, what))
    })
}

/// PHP's sign that keeps errors from being told, in front of what stood there without it.
fn silenced(revision: &Revision) -> Option<Finding> {
    if !revision.change.path.ends_with(".php") {
        return None;
    }
    let mut pairs = line_pairs(revision.hunks());
    let (gone, come) = pairs.find(|(gone, come)| {
        come.text.replace('@', "") == gone.text.replace('@', "")
            && come.text.matches('@').count() > gone.text.matches('@').count()
    })?;
    let old = revision.owner_at(gone.at);
    let what = format!("the errors of `{}` would be told to nobody", first_line(come.text));
    Some(finding(&SWALLOWED, revision, gone.number, owner(&revision.before, old), what))
}

/// A function of Go that takes its own error back when it ends: `defer func() { if … { out, err = Out{}, nil } }()`.
fn forgiven_at_end(revision: &Revision) -> Option<Finding> {
    if !revision.change.path.ends_with(".go") {
        return None;
    }
    revision.hunks().iter().find_map(|hunk| {
        let line = hunk.come.iter().find(|it| it.text.starts_with("defer func("))?;
        let is_taken_back = |it: &CodeLine| {
            let text = bare(it.text);
            let (left, right) = text.split_once('=').unwrap_or_default();
            left.split(',').next_back() == Some("err") && right.split(',').next_back() == Some("nil")
        };
        let is_new = hunk.come.iter().any(|it| it.at > line.at && is_taken_back(it));
        let new =
            revision.after.functions.iter().rposition(|it| it.span.contains(&line.at) && !it.name.is_empty());
        let name = revision.after.functions.get(new?)?.name;
        let what = format!("`{name}` would take its own error back when it ends");
        is_new.then(|| finding(&SWALLOWED, revision, line.number, name, what))
    })
}

fn first_line(text: &str) -> &str {
    let line = text.lines().next().unwrap_or(text);
    line.char_indices().nth(60).map_or(line, |(at, _)| &line[..at])
}

fn gutted(case: &Case, findings: &mut Vec<Finding>) {
    for revision in case.revisions().iter().filter(|revision| !revision.is_test) {
        let handler = revision.after.handlers.iter().find_map(|handler| weaker(revision, handler));
        let lost = || {
            let lost = failure_lost(case, revision)
                .or_else(|| uncounted(case, revision))
                .or_else(|| only_told(case, revision));
            lost.map(|lost| lost.finding(&GUTTED, revision))
        };
        findings.extend(handler.or_else(|| unchecked(revision)).or_else(lost));
    }
}

/// A handler that has lost its effect.
fn weaker(revision: &Revision, handler: &Handler) -> Option<Finding> {
    // A handler that stands in its function as before is no other's successor.
    let own = handler.owner.and_then(|index| revision.predecessor(index));
    let is_as_before = |it: &Handler| {
        it.owner == own
            && it.caught == handler.caught
            && bare(it.watched) == bare(handler.watched)
            && bare(it.body) == bare(handler.body)
    };
    if revision.before.handlers.iter().any(is_as_before) {
        return None;
    }
    let old = twin(revision, handler)?;
    let was_worse = revision.before.handlers.iter().any(|it| {
        it.effect == handler.effect && it.caught == handler.caught && it.watched == handler.watched
    });
    // As many that do as little were there before: one of them has moved, or watches over a little more.
    let alike = |code: &Code| {
        let all = code.handlers.iter().filter(|it| it.effect == handler.effect);
        all.filter(|it| it.caught == handler.caught).count()
    };
    if !goes_on_instead(old) && gave_up(old) && goes_on_instead(handler) {
        let name = owner(&revision.after, handler.owner);
        let what = "a handler that gave up with what is wrong would go on as if nothing were".to_owned();
        return Some(finding(&GUTTED, revision, old.line, name, what));
    }
    let severity = match (old.effect, handler.effect) {
        _ if was_worse || alike(&revision.before) >= alike(&revision.after) => return None,
        (HandlerEffect::Raised, HandlerEffect::Silent) => Severity::High,
        (HandlerEffect::Raised, HandlerEffect::Constant)
            if handler.broad || !handler.explained || is_excused(handler) =>
        {
            Severity::High
        }
        (HandlerEffect::Raised, HandlerEffect::Constant | HandlerEffect::Logged) => Severity::Medium,
        (HandlerEffect::Handled | HandlerEffect::Logged, HandlerEffect::Silent) if !handler.explained => {
            Severity::High
        }
        _ => return None,
    };
    let effect = match old.effect {
        HandlerEffect::Raised => "passed its error on",
        HandlerEffect::Logged => "logged its error",
        _ => "dealt with its error",
    };
    let now = match handler.effect {
        HandlerEffect::Logged => "only log it",
        HandlerEffect::Constant => "give a constant",
        _ => "do nothing",
    };
    let name = owner(&revision.after, handler.owner);
    let mut found =
        finding(&GUTTED, revision, old.line, name, format!("a handler that {effect} would {now}"));
    found.severity = severity;
    Some(found)
}

/// Whether the code that a handler watches over is more than one call, and its comment only guesses at the reason.
fn is_excused(handler: &Handler) -> bool {
    let lower = handler.body.to_lowercase();
    let guesses = [
        "may not",
        "might not",
        "may be",
        "not exist yet",
        "ignore",
        "best effort",
        "for now",
        "not critical",
        "non-fatal",
        "nonfatal",
    ];
    handler.watched.lines().count() > 3 && guesses.iter().any(|it| lower.contains(it))
}

/// A check of an error that is gone though what gives the error stays.
fn unchecked(revision: &Revision) -> Option<Finding> {
    revision.scopes().into_iter().find_map(|(old, new)| {
        let checks = |code: &Code, owner: Option<usize>| -> usize {
            code.conditions.iter().filter(|it| it.owner == owner && is_about_error(it.text)).count()
        };
        // A check that goes together with the call that gave the error is not missed.
        let all = revision.before.guards.iter().filter(|it| it.owner == old && is_error_guard(it));
        let with_call = all.filter(|it| is_call_gone(revision, it.line)).count();
        let lost = checks(&revision.before, old).saturating_sub(checks(&revision.after, new) + with_call);
        let guard = revision.before.guards.iter().find(|it| it.owner == old && is_error_guard(it))?;
        let (before, after) = revision.scope_lines(old, new);
        let drops = revision.after.drops.iter().any(|it| it.owner == new)
            && !revision.before.drops.iter().any(|it| it.owner == old);
        // The guard's own lines are two at most that count.
        let kept = before.iter().filter(|line| after.binary_search(line).is_ok()).count();
        let is_cut_out = kept + 2 * lost + 1 >= before.len() && after.len() < before.len();
        // The condition stands there still, with nothing behind it.
        let guards = |code: &Code, owner: Option<usize>| {
            code.guards.iter().filter(|it| it.owner == owner && is_error_guard(it)).count()
        };
        let emptied = guards(&revision.before, old).saturating_sub(guards(&revision.after, new) + with_call);
        let gained = after.iter().filter(|line| before.binary_search(line).is_err()).count();
        let is_emptied = lost == 0 && emptied > 0 && gained == 0 && kept + 2 * emptied >= before.len();
        ((lost > 0 && is_cut_out || is_emptied) && !drops).then(|| {
            let what = format!("the check `{}` would be gone, and the error unseen", guard.condition);
            finding(&GUTTED, revision, guard.line, owner(&revision.before, old), what)
        })
    })
}

/// Whether the call above a check, which gave the error, is gone as well.
fn is_call_gone(revision: &Revision, check: u32) -> bool {
    let at = usize::try_from(check).unwrap_or_default();
    let is_gone = |line: usize| {
        let line = revision.old.lines().nth(line).filter(|line| line.contains("err"));
        let given = line.and_then(|line| line.split_once('='));
        given.and_then(|(_, given)| lost_call(revision, given)).is_some_and(|call| call.len() > 3)
    };
    // `if err := save(x); err != nil` has both in one line.
    let own = revision.old.lines().nth(at.saturating_sub(1)).unwrap_or_default();
    if own.contains(":=") && own.contains(';') {
        is_gone(at.saturating_sub(1))
    } else {
        at > 1 && is_gone(at - 2)
    }
}

pub(crate) fn is_about_error(condition: &str) -> bool {
    let bare = bare(condition);
    let bare = bare.trim_matches(['(', ')']);
    matches!(bare, "err!=nil" | "err" | "error" | "e" | "nil!=err" | "error!=null" | "err!=null")
        || bare.starts_with("letErr(")
}

fn is_error_guard(guard: &Guard) -> bool {
    is_about_error(guard.condition)
}
