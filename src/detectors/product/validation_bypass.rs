//! Checks of input that are gone, commented out, or can't say no any more.
//!
//! A condition that stands anywhere else in the file after has moved, and one that is replaced by another is kept.

use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::{CHECKS, is_answer, is_named, short};
use crate::detectors::product::corrected_inputs::corrected;
use crate::detectors::product::declared_bounds::loosened;
use crate::detectors::product::does_less::checks_less;
use crate::detectors::product::eased_lines::eased_line;
use crate::detectors::product::functions::is_told;
use crate::detectors::product::lesser_comparisons::lesser;
use crate::detectors::product::loosened_checks::for_one_value;
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::lost_guards::guards_lost;
use crate::detectors::product::lost_marks::mark_lost;
use crate::detectors::product::lost_parts::question_lost;
use crate::detectors::product::moved_checks::is_moved_out;
use crate::detectors::product::narrowed::narrowed;
use crate::detectors::product::open_doors::door_opened;
use crate::detectors::product::presence::judges_presence;
use crate::detectors::product::refusals::let_through;
use crate::detectors::product::safer_calls::safer_call_lost;
use crate::detectors::product::shell_refusals::stop_lost;
use crate::detectors::product::shell_work::pattern_eased;
use crate::detectors::product::switched_checks::switched;
use crate::detectors::product::unguarded_entries::guard_off_entry;
use crate::detectors::product::widened_patterns::pattern_widened;
use crate::detectors::{Case, Detector, Pattern, PatternProof};
use crate::languages::code::{BodyKind, Code, bare};
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

/// First words of calls that make a value harmless.
const CLEANERS: &[&str] = &[
    "sanitize",
    "sanitise",
    "escape",
    "purify",
    "validate",
    "strip_tags",
    "htmlspecialchars",
    "mask",
    "redact",
    "anonymize",
    "anonymise",
    "pseudonymize",
    "obfuscate",
    "encrypt",
    "scrub",
    "censor",
    "quote",
];

/// Rust's macros that leave with an error where a condition does not hold.
const CHECKING_MACROS: &[&str] = &["ensure", "ensure_eq", "require"];

/// Those of them that mean nothing else: to ensure something may be to make it.
const STRICT: &[&str] = &[
    "validate",
    "sanitize",
    "sanitise",
    "verify",
    "require",
    "authorize",
    "authenticate",
    "precondition",
    "throwif",
    "checknotnull",
    "checkargument",
    "checkstate",
];

/// What only checks are called on.
const HOLDERS: &[&str] =
    &["ValidationUtils", "Guard", "Against", "Preconditions", "Validate", "Ensure", "Requires"];

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
        let lost = stop_lost(case, change).or_else(|| pattern_eased(change));
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
    let_through(case, revision)
        .or_else(|| lesser(case, revision))
        .or_else(|| narrowed(case, revision))
        .or_else(|| loosened(case, revision))
        .or_else(|| for_one_value(case, revision))
        .or_else(|| pattern_widened(revision))
        .or_else(|| mark_lost(case, revision))
        .or_else(|| switched(case, revision))
        .or_else(|| door_opened(revision))
        .or_else(|| safer_call_lost(case, revision))
        .or_else(|| checks_less(case, revision))
        .or_else(|| guard_off_entry(revision))
        .or_else(|| corrected(case, revision))
        .or_else(|| question_lost(case, revision))
        .or_else(|| eased_line(case, revision))
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
        });
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

/// A call that checked and did nothing else.
fn call_lost(case: &Case, revision: &Revision) -> Option<LostCheck> {
    let last = |callee: &str| callee.rsplit(['.', ':', '>']).next().unwrap_or_default().to_owned();
    revision.before.calls.iter().filter(|call| call.alone).find_map(|call| {
        let name = last(call.callee);
        let ends = |extensions: &[&str]| extensions.iter().any(|it| revision.change.path.ends_with(it));
        let is_guard = ends(&[".rs"]) && CHECKING_MACROS.contains(&name.as_str())
            || ends(&[".kt", ".kts"]) && matches!(name.as_str(), "require" | "check")
            || ends(&[".rb"]) && name.starts_with("assert_valid");
        if !is_guard && !checks(call.callee, &name) {
            return None;
        }
        let (old, new) = (call.owner?, revision.successor(call.owner?)?);
        // Fewer of them in the whole file, and nothing in its place here.
        let count = |code: &Code| code.calls.iter().filter(|it| last(it.callee) == name).count();
        let written = bare(call.arguments);
        let is_here = revision
            .after
            .calls
            .iter()
            .any(|it| it.owner == Some(new) && last(it.callee) == name && bare(it.arguments) == written);
        let (before, after) = (revision.old_lines(old), revision.new_lines(new));
        let added = after.iter().filter(|line| before.binary_search(line).is_err()).count();
        let missing = before.iter().filter(|line| after.binary_search(line).is_err()).count();
        let works = revision.after.functions.get(new)?.body_kind == BodyKind::Work;
        let is_lost = !is_here && count(&revision.after) < count(&revision.before);
        (is_lost && added == 0 && missing <= 2 && works && !is_moved_out(case, revision, &name)).then(|| {
            let what = format!("the call of `{}` would be gone", short(call.callee));
            // A call is all that is gone, and a name that means nothing but a check.
            let is_sure = missing <= 1 && is_named(&name, STRICT);
            let severity = if is_guard || is_sure { Severity::Critical } else { Severity::Medium };
            LostCheck::new(call.line, call.callee, what, severity)
        })
    })
}

/// A value that was cleaned on its way and goes through as it came, with nothing else changed.
fn unwrapped(revision: &Revision) -> Option<LostCheck> {
    revision.before.calls.iter().filter(|call| !call.alone).find_map(|call| {
        let name = call.callee.rsplit(['.', ':', '>']).next().unwrap_or_default();
        let (old, new) = (call.owner?, revision.successor(call.owner?)?);
        if !is_named(name, CLEANERS) {
            return None;
        }
        let body = |source: &str, code: &Code, at: usize| {
            Some(bare(source.get(code.functions.get(at)?.body.clone())?))
        };
        let (before, after) =
            (body(revision.old, &revision.before, old)?, body(revision.new, &revision.after, new)?);
        let argument = bare(call.arguments);
        let argument =
            argument.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')).unwrap_or(&argument);
        let whole = format!("{}({argument})", bare(call.callee));
        (!argument.is_empty() && before.contains(&whole) && before.replacen(&whole, argument, 1) == after)
            .then(|| {
                let what =
                    format!("`{}` would no longer go through `{}`", short(argument), short(call.callee));
                LostCheck::new(call.line, call.callee, what, Severity::Critical)
            })
    })
}

/// Whether a call with this last name checks something.
fn checks(callee: &str, name: &str) -> bool {
    let holder = callee.strip_suffix(name).unwrap_or_default().trim_end_matches(['.', ':', '-', '>']);
    let holder = holder.rsplit(['.', ':', '>', '\\']).next().unwrap_or_default();
    let is_import = matches!(name, "require" | "require_relative" | "require_once" | "ensure")
        || name.starts_with("assert")
        || name.starts_with("Assert")
        || (callee.contains('!') && !callee.ends_with('!'));
    !is_import && (is_named(name, CHECKS) || HOLDERS.contains(&holder))
}
