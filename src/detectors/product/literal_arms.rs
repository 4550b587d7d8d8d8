//! A choice by bounds or by what is worked out that gave way to arms for single values: `when (gusts.last()) { 49.0 -> SLOW }`
//! where `peak >= slow` decided. What an arm gives may be any constant.

use std::collections::BTreeSet;

use crate::detectors::engine::hunks::CodeLine;
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::short;
use crate::detectors::product::fixed_answers::worked;
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::testing::word_edit::words;
use crate::languages::code::plain;
use crate::model::finding::Severity;

/// So many arms are a table.
const LEAST: usize = 2;
/// How a line compares with a bound.
const BOUNDS: &[&str] = &[" < ", " > ", " <= ", " >= "];

/// The first function that tells single values apart where it compared with bounds.
pub(super) fn literal_arms(revision: &Revision) -> Option<LostCheck> {
    revision.hunks().iter().find_map(|hunk| {
        let work = worked(revision, hunk)?;
        let bounds = |lines: &[CodeLine]| {
            let has =
                |it: &&CodeLine| BOUNDS.iter().any(|sign| plain(revision.words, it.text).contains(sign));
            lines.iter().filter(has).count()
        };
        let told = |lines: &[CodeLine]| -> BTreeSet<String> {
            lines.iter().flat_map(|it| singles(it.text)).collect()
        };
        let (was, is) = (told(&work.place.gone), told(&work.place.come));
        let known: BTreeSet<&str> = words(revision.old).into_iter().map(|(_, word)| word).collect();
        let is_new = is.iter().any(|it| it.len() > 1 && !known.contains(it.as_str()));
        if bounds(&work.place.gone) == 0 || bounds(&work.place.come) > 0 || !was.is_empty() {
            return None;
        }
        let values = is.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
        let what = format!(
            "`{}` would tell single values apart where it compared with bounds: {}",
            work.name,
            short(&values)
        );
        (is.len() >= LEAST && is_new)
            .then(|| LostCheck::new(work.line.number, work.name, what, Severity::Medium))
    })
}

/// The numbers that a line has an arm, a branch or an entry for.
fn singles(line: &str) -> Vec<String> {
    let all = words(line);
    let word = |at: usize| all.get(at).map(|(_, word)| *word).unwrap_or_default();
    let is_number = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    let is_arm = |at: usize| {
        let (before, next, after) =
            (at.checked_sub(1).map(word).unwrap_or_default(), word(at + 1), word(at + 2));
        let is_arrow = matches!((next, after), ("=", ">") | ("-", ">"));
        let is_case = matches!(word(0), "case" | "when") && matches!(before, "case" | "when" | ",");
        let is_entry = next == ":" && matches!(before, "{" | "," | "(") && after != ":";
        let is_equal = before == "=" && at.checked_sub(2).is_some_and(|it| word(it) == "=");
        is_case || is_entry || is_equal || at == 0 && is_arrow
    };
    let found = (0..all.len()).filter(|at| is_number(word(*at)) && is_arm(*at));
    found.map(|at| word(at).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arms_for_single_values_are_read() {
        for (line, expected) in [
            ("1301 => Grade.moderate,", vec!["1301"]),
            ("49.0 -> LiftState.RUNNING", vec!["49.0"]),
            ("case 0, 99_99:", vec!["0", "99_99"]),
            ("when 12 then :late", vec!["12"]),
            ("if (top == 1301) return HARD;", vec!["1301"]),
            ("return {1301: MODERATE, 1801: HARD}.get(top, EASY)", vec!["1301", "1801"]),
            ("peak >= 50 -> SLOW", vec![]),
            ("total = price * 12", vec![]),
        ] {
            assert_eq!(singles(line), expected, "{line}");
        }
    }
}
