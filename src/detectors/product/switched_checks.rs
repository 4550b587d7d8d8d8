//! Checks that a switch passes by, and limits of checks that a constant moves away.

use crate::detectors::Case;
use crate::detectors::engine::line_pairs::line_pairs;
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::bounds::{BoundMove, moved};
use crate::detectors::product::check_words::{CHECKS, is_named, short};
use crate::detectors::product::functions::is_documented_now;
use crate::detectors::product::hardcoded_bypass::is_new;
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::refusals::has_tests_of;
use crate::detectors::product::required_names::shortened;
use crate::languages::code::{Exit, bare, identifiers, plain};
use crate::model::finding::Severity;

/// What names of switches have that pass a check by, in lower case and without `_`.
const SWITCHES: &[&str] = &[
    "skip", "bypass", "novalid", "nocheck", "noverify", "disable", "unsafe", "lenient", "trusted", "override",
];

/// A new way past the checks of a function, or a limit that is moved away.
pub(super) fn switched(case: &Case, revision: &Revision) -> Option<LostCheck> {
    passed_by(case, revision).or_else(|| limit_moved(case, revision)).or_else(|| shortened(case, revision))
}

/// A new guard that leaves a checking function by a switch.
fn passed_by(case: &Case, revision: &Revision) -> Option<LostCheck> {
    let guard = revision.after.guards.iter().find(|guard| {
        let Some(old) = guard.owner.and_then(|it| revision.predecessor(it)) else { return false };
        let checks =
            revision.before.functions.get(old).is_some_and(|it| it.throws > 0 || is_named(it.name, CHECKS));
        let code = plain(revision.words, guard.condition).replace('_', "").to_lowercase();
        let is_switch = SWITCHES.iter().any(|word| code.contains(word)) && !code.contains(['<', '>', '+']);
        guard.exit == Exit::Leave
            && checks
            && is_switch
            && is_new(revision, guard.condition)
            && !is_asked_otherwise(revision, guard.condition)
    })?;
    let name = revision.after.functions.get(guard.owner?)?.name;
    if has_tests_of(case, name) {
        return None;
    }
    let what = format!("`{}` would leave the checks of `{name}` out", short(guard.condition));
    Some(LostCheck::new(guard.line, name, what, Severity::Medium))
}

/// Whether a condition was there in the words of another collection: `includes` for `has`.
fn is_asked_otherwise(revision: &Revision, condition: &str) -> bool {
    const HOLDS: &[&str] = &[
        ".includes(",
        ".has(",
        ".contains(",
        ".include?(",
        ".Contains(",
        ".contains_key(",
        ".member?(",
        ".containsKey(",
    ];
    let same = |text: &str| HOLDS.iter().fold(bare(text), |text, call| text.replace(call, ".has("));
    revision.before.conditions.iter().any(|it| same(it.text) == same(condition))
}

/// A constant that a check compares with, and that is farther away.
fn limit_moved(case: &Case, revision: &Revision) -> Option<LostCheck> {
    line_pairs(revision.hunks()).find_map(|(gone, come)| {
        let code = plain(revision.words, gone.text);
        let (head, _) = code.split_once('=')?;
        let is_named = |word: &&str| word.len() > 3 && (is_limit(word) || is_constant(word));
        let name = identifiers(head).filter(is_named).last()?;
        let compared_in = |it: &&str| it.contains(name) && (is_limit(name) || is_upper_bound(it, name));
        let guards = revision.before.guards.iter().filter(|it| it.exit == Exit::Error || is_constant(name));
        let is_compared = guards.map(|it| it.condition).any(|it| compared_in(&it))
            || is_constant(name)
                && revision.before.conditions.iter().map(|it| it.text).any(|it| compared_in(&it));
        if !is_compared || has_tests_of(case, name) || is_announced(case, come.text) {
            return None;
        }
        // The constant as it is compared: what it is the least or the most of passes.
        let sign = if name.to_lowercase().contains("min") { ">" } else { "<" };
        let compared = |text: &str| {
            let (_, value) = text.split_once('=')?;
            let value =
                value.trim().trim_end_matches(';').split([';', '#']).next().unwrap_or_default().trim();
            let value = product(value).map_or_else(|| value.to_owned(), |it| it.to_string());
            Some(format!("x{sign}{value}"))
        };
        let Some(BoundMove::Wider { endless }) = moved(&compared(gone.text)?, &compared(come.text)?) else {
            return None;
        };
        let severity = if endless || is_whole(name, come.text) { Severity::High } else { Severity::Medium };
        let what = format!("the limit `{}` would become `{}`", short(gone.text), short(come.text));
        Some(LostCheck::new(gone.number, name, what, severity))
    })
}

/// Whether the most of a share is the whole: nothing is more than that.
fn is_whole(name: &str, line: &str) -> bool {
    let lower = name.to_lowercase();
    let is_percent = lower.contains("percent") || lower.contains("pct");
    let is_share = ["ratio", "rate", "share", "fraction", "portion", "probability"]
        .iter()
        .any(|word| lower.contains(word));
    let digits = line.split_once('=').map_or("", |(_, value)| value.trim_start());
    let end = digits.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(digits.len());
    let value = digits.get(..end).and_then(|it| it.parse::<f64>().ok()).unwrap_or(0.0);
    !lower.contains("min") && (is_percent && value >= 100.0 || is_share && (1.0..2.0).contains(&value))
}

/// Whether a document of the session says the new limit, which it did not say before.
fn is_announced(case: &Case, line: &str) -> bool {
    let value: String =
        line.split('=').next_back().unwrap_or_default().chars().filter(char::is_ascii_digit).collect();
    let says = |text: &str| text.split(|c: char| !c.is_ascii_digit()).any(|it| it == value);
    value.len() > 1 && is_documented_now(case, says)
}

/// Whether a name is written as a constant is.
fn is_constant(name: &str) -> bool {
    name.contains(char::is_uppercase)
        && name.chars().all(|c| c.is_uppercase() || c.is_ascii_digit() || c == '_')
}

/// Whether a condition refuses what is greater than a name.
fn is_upper_bound(condition: &str, name: &str) -> bool {
    condition.split_once(name).is_some_and(|(head, rest)| {
        head.trim_end().trim_end_matches('=').ends_with('>') || rest.trim_start().starts_with('<')
    })
}

/// The value of a product, a power or a shift of numbers: `365 * 24 * 3600`, `1 << 20`.
fn product(text: &str) -> Option<f64> {
    let number = |text: &str| text.trim().replace('_', "").parse::<f64>().ok();
    if let Some((base, by)) = text.split_once("<<") {
        return Some(number(base)? * number(by)?.exp2());
    }
    if let Some((base, by)) = text.split_once("**") {
        return Some(number(base)?.powf(number(by)?));
    }
    let all: Option<Vec<f64>> = text.split('*').map(number).collect();
    all.filter(|it| it.len() > 1).map(|it| it.iter().product())
}

fn is_limit(name: &str) -> bool {
    let lower = name.to_lowercase();
    ["min", "max", "limit", "least", "most"].iter().any(|word| lower.contains(word))
}
