//! Inputs that are corrected on their way, so that the refusal of a wrong one says no to nothing any more.
//!
//! Only a correction counts of what a refusal of the file asks the bounds of, and only where that refusal stays.

use crate::detectors::Case;
use crate::detectors::engine::hunks::CodeLine;
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::short;
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::refusals::has_tests_of;
use crate::detectors::testing::word_edit::{Edit, is_name};
use crate::languages::code::{Exit, Guard, bare, identifiers, is_log};
use crate::model::finding::Severity;

/// Calls that bring a value into bounds on both sides.
const CLAMPING: &[&str] = &["clamp", "coerceIn", "Clamp"];
/// Those that only keep a value from being too small, and those that only keep it from being too large.
const LEAST: &[&str] = &["max", "Max", "maximum", "fmax", "coerceAtLeast", "abs", "Abs"];
const MOST: &[&str] = &["min", "Min", "minimum", "fmin", "coerceAtMost"];
/// Questions for both bounds, and for the lower one.
const BOTH: &[&str] = &["between", " in ", "..", "covers"];
const LOWER: &[&str] = &["negative", "positive", "Negative", "Positive"];

/// On which side a value is brought into bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Lower,
    Upper,
    Both,
}

/// The first input of the kind.
pub(super) fn corrected(case: &Case, revision: &Revision) -> Option<LostCheck> {
    let (line, name, condition) = revision.hunks().iter().find_map(|hunk| {
        let pairs = hunk.gone.iter().zip(&hunk.come).filter(|_| hunk.gone.len() == hunk.come.len());
        pairs.into_iter().find_map(|(gone, come)| {
            let (name, side) = corrected_name(gone.text, come)?;
            let mut guards = revision.after.guards.iter().filter(|it| it.exit == Exit::Error);
            let guard = guards.find(|it| asks_for(it, name, side))?;
            let was_there = revision.before.guards.iter().any(|it| it.condition == guard.condition);
            was_there.then_some((*gone, name, guard.condition))
        })
    })?;
    let owner = revision.old_function_at(line.at).map_or("", |it| it.name);
    let what = format!("`{name}` would be put right, so that `{}` never refuses it", short(condition));
    (!has_tests_of(case, owner)).then(|| LostCheck::of_line(&line, owner, what, Severity::High))
}

/// The name that a line gives a value which is brought into bounds now, and that it gave the value itself before.
fn corrected_name<'a>(gone: &str, come: &CodeLine<'a>) -> Option<(&'a str, Side)> {
    let (old, new) = (format!("{gone}\n"), format!("{}\n", come.text));
    let edit = Edit::of(&old, &new)?;
    let calls = |all: &[&str]| {
        all.iter().filter(|word| [CLAMPING, LEAST, MOST].iter().any(|it| it.contains(word))).count()
    };
    let only_adds = edit.gone.iter().all(|word| !is_name(word))
        || identifiers(gone).all(|word| identifiers(come.text).any(|it| it == word));
    if is_log(gone) || !only_adds || calls(&edit.come) == 0 || calls(&edit.gone) > 0 {
        return None;
    }
    let (left, right) = come.text.split_once(":=").or_else(|| come.text.split_once('='))?;
    let name = identifiers(left.split(':').next()?).last()?;
    let is_of = |all: &[&str]| edit.come.iter().any(|word| all.contains(word));
    let side = match (is_of(LEAST), is_of(MOST)) {
        (true, false) => Side::Lower,
        (false, true) => Side::Upper,
        _ => Side::Both,
    };
    (!right.starts_with('=') && name.len() > 1).then_some((name, side))
}

/// Whether a guard refuses a name on the side on which it is brought into bounds.
fn asks_for(guard: &Guard, name: &str, side: Side) -> bool {
    let has = |all: &[&str]| all.iter().any(|it| guard.condition.contains(it));
    if !identifiers(guard.condition).any(|word| word == name) {
        return false;
    }
    let text = bare(guard.condition);
    let compares = |after: char, before: char| {
        text.contains(&format!("{name}{after}"))
            || [before.to_string(), format!("{before}=")]
                .iter()
                .any(|it| text.contains(&format!("{it}{name}")))
    };
    let (lower, upper) = (compares('<', '>') || has(LOWER), compares('>', '<'));
    // What has to hold is asked the other way round.
    let is_denied = guard.negated || text.starts_with('!') || text.starts_with("not");
    match side {
        _ if has(BOTH) => true,
        Side::Both => lower || upper,
        _ if is_denied => lower || upper,
        Side::Lower => lower,
        Side::Upper => upper,
    }
}
