//! Checks of input that are gone, commented out, or can't say no any more.
//!
//! A condition that stands anywhere else in the file after has moved, and one that is replaced by another is kept.

use crate::detectors::engine::revision::Revision;
use crate::detectors::product::casts_instead::only_cast;
use crate::detectors::product::check_words::{is_answer, short};
use crate::detectors::product::corrected_inputs::corrected;
use crate::detectors::product::declared_bounds::loosened;
use crate::detectors::product::does_less::checks_less;
use crate::detectors::product::eased_lines::eased_line;
use crate::detectors::product::functions::is_told;
use crate::detectors::product::joined_refusals::needs_all;
use crate::detectors::product::lesser_comparisons::lesser;
use crate::detectors::product::lesser_predicates::asks_less;
use crate::detectors::product::loosened_checks::for_one_value;
use crate::detectors::product::lost_askers::asker_lost;
use crate::detectors::product::lost_calls::{call_lost, unwrapped};
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::lost_guards::guards_lost;
use crate::detectors::product::lost_marks::mark_lost;
use crate::detectors::product::lost_parts::question_lost;
use crate::detectors::product::narrowed::narrowed;
use crate::detectors::product::narrowed_filters::filter_narrowed;
use crate::detectors::product::open_doors::door_opened;
use crate::detectors::product::presence::judges_presence;
use crate::detectors::product::refusals::let_through;
use crate::detectors::product::safer_calls::safer_call_lost;
use crate::detectors::product::schema_files::declared_less;
use crate::detectors::product::shell_refusals::stop_lost;
use crate::detectors::product::shell_work::pattern_eased;
use crate::detectors::product::switched_checks::switched;
use crate::detectors::product::unguarded_entries::guard_off_entry;
use crate::detectors::product::unread_stubs::thrown_no_more;
use crate::detectors::product::weaker_forms::weaker_form;
use crate::detectors::product::widened_patterns::pattern_widened;
use crate::detectors::{Case, Detector, Pattern, PatternProof};
use crate::languages::code::{BodyKind, bare, identifiers};
use crate::model::finding::{Finding, RegressionType, Severity};

/// Guards and validators that are gone or always agree.
pub(crate) static REMOVED: Detector = Detector {
    pattern: Pattern {
        id: "LP-006",
        name: "Validation Removal",
        aliases: &["Guard Removal", "Validator Always True"],
        regression_type: Some(RegressionType::ValidationBypass),
        severity: Severity::Critical,
        what: "A guard that refused bad input is gone, in comments, or can't hold any more; or a validator agrees to all.",
        why: "What was refused before is let through, and fails or does harm further in.",
        instead: "A guard that moves to another place of the file, or is replaced by another check, passes.",
        proof: PatternProof::Changes,
    },
    detect: removed,
};

fn removed(case: &Case, findings: &mut Vec<Finding>) {
    for revision in case.revisions().iter().filter(|revision| !revision.is_test) {
        let found = neutralised(revision)
            .or_else(|| always_agrees(revision))
            .or_else(|| judges_presence(revision))
            .or_else(|| guards_lost(case, revision))
            .or_else(|| call_lost(case, revision))
            .or_else(|| unwrapped(revision));
        // Where another detector only advises, a loss that is worse is told as well.
        let is_advised = || {
            let mut of_file = findings.iter().filter(|it| it.path == revision.change.path);
            of_file.all(|it| it.severity <= Severity::Medium)
        };
        let found = match is_told(findings, revision) {
            false => stronger(found, || weaker(case, revision)),
            true if found.is_none() && is_advised() => weaker(case, revision).filter(LostCheck::is_severe),
            true => found,
        };
        findings.extend(found.map(|lost| lost.finding(&REMOVED, revision)));
    }
    for change in case.evidence.changes {
        let lost = stop_lost(case, change)
            .or_else(|| pattern_eased(change))
            .or_else(|| declared_less(case, change))
            .or_else(|| thrown_no_more(change));
        findings.extend(lost.map(|lost| lost.finding_at(&REMOVED, &change.path)));
    }
}

/// What is known, or another loss that is worse.
fn stronger(known: Option<LostCheck>, other: impl FnOnce() -> Option<LostCheck>) -> Option<LostCheck> {
    match known {
        Some(known) if known.is_severe() => Some(known),
        Some(known) => other().filter(LostCheck::is_severe).or(Some(known)),
        None => other(),
    }
}

/// A refusal, a guard or a constraint that lets more through, whatever it looks like.
fn weaker(case: &Case, revision: &Revision) -> Option<LostCheck> {
    needs_all(case, revision)
        .or_else(|| let_through(case, revision))
        .or_else(|| lesser(case, revision))
        .or_else(|| narrowed(case, revision))
        .or_else(|| loosened(case, revision))
        .or_else(|| for_one_value(case, revision))
        .or_else(|| asks_less(case, revision))
        .or_else(|| pattern_widened(revision))
        .or_else(|| mark_lost(case, revision))
        .or_else(|| asker_lost(revision))
        .or_else(|| filter_narrowed(case, revision))
        .or_else(|| switched(case, revision))
        .or_else(|| door_opened(revision))
        .or_else(|| safer_call_lost(case, revision))
        .or_else(|| only_cast(case, revision))
        .or_else(|| checks_less(case, revision))
        .or_else(|| guard_off_entry(revision))
        .or_else(|| corrected(case, revision))
        .or_else(|| question_lost(case, revision))
        .or_else(|| eased_line(case, revision))
        .or_else(|| weaker_form(case, revision))
}

/// A condition that a constant among its operands decides.
fn neutralised(revision: &Revision) -> Option<LostCheck> {
    let old: Vec<String> = revision.before.conditions.iter().map(|it| bare(it.text)).collect();
    revision.after.conditions.iter().find_map(|condition| {
        let value = condition.fixed?;
        let text = bare(condition.text);
        // Something of the condition was there before.
        let kept = old.iter().any(|known| {
            let core = known.trim_matches(['(', ')']);
            let has_rest = |rest: &str| rest.trim_matches(['(', ')']) == core;
            let is_joined =
                ["false&&", "true||"].iter().any(|head| text.strip_prefix(head).is_some_and(has_rest))
                    || ["&&false", "||true"].iter().any(|end| text.strip_suffix(end).is_some_and(has_rest));
            core.len() > 1 && is_joined || core.len() > 3 && text.len() > known.len() && text.contains(core)
        }) || takes_place_of_another(revision, condition.text);
        if old.contains(&text) || (!kept && text.trim_matches(['(', ')']).len() > 8) {
            return None;
        }
        // A plain `if (false)` around what was there, with nothing else changed, is dead code.
        let guards = revision.after.guards.iter().any(|it| it.line == condition.line);
        if !(kept || guards && revision.predecessor(condition.owner?).is_some()) {
            return None;
        }
        let word = if value { "always" } else { "never" };
        let what = format!("the condition `{}` would {word} hold", short(condition.text));
        Some(LostCheck::new(condition.line, condition.text, what, Severity::High))
    })
}

/// Whether a condition about the same is gone: `now > closing` became `false && now > opening`.
fn takes_place_of_another(revision: &Revision, condition: &str) -> bool {
    let is_left = |text: &str| revision.after.conditions.iter().any(|it| bare(it.text) == bare(text));
    let names: Vec<&str> = identifiers(condition).filter(|it| it.len() > 3).collect();
    let mut gone = revision.before.conditions.iter().filter(|it| !is_left(it.text));
    gone.any(|it| identifiers(it.text).any(|word| names.contains(&word)))
}

/// A function that answered and gives a constant.
fn always_agrees(revision: &Revision) -> Option<LostCheck> {
    revision.pairs.iter().find_map(|(old, new)| {
        let (before, after) = (revision.before.functions.get(*old)?, revision.after.functions.get(*new)?);
        let BodyKind::Constant(value) = after.body_kind else { return None };
        (before.body_kind == BodyKind::Work && is_answer(before.name, value)).then(|| {
            let what = format!("`{}` would give `{value}` whatever it is asked", before.name);
            LostCheck::new(before.line, before.name, what, Severity::Critical)
        })
    })
}
