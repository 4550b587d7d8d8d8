//! Margins that a comparison of a check gets on the side on which it refuses less: `expires + grace < now`.

use crate::detectors::engine::hunks::TextHunk;
use crate::detectors::product::line_conditions::comparison;
use crate::languages::code::{bare, identifiers};
use crate::model::finding::Severity;

/// What adds to a point in time or a number, and what takes off, without white space.
const ADDING: &[&str] = &["+", ".plus", ".Add", ".add(", ".addingTimeInterval(", "DateTime.add("];
const TAKING: &[&str] = &["-", ".minus", ".Sub(", ".sub(", ".subtract("];
/// Calls that only say a value in another form.
const FORMS: &[&str] = &[
    ".getTime()",
    ".valueOf()",
    ".timestamp()",
    ".to_i",
    ".to_f",
    ".Unix()",
    ".toEpochMilli()",
    ".timeIntervalSince1970",
    ".Ticks",
];
/// From so much on a margin is no tolerance: units of any kind multiplied, or days.
const LARGE: f64 = 1.0e6;
const DAYS: f64 = 30.0;

/// Whether a comparison refuses less by a margin, and how sure it is that it is no tolerance.
pub(super) fn eased(was: &str, is: &str, hunk: &TextHunk) -> Option<Severity> {
    let (was, is) = (plain(was), plain(is));
    let ((left, sign, right), (other, same, given)) = (comparison(&was)?, comparison(&is)?);
    if sign != same || !matches!(sign, "<" | "<=" | ">" | ">=") {
        return None;
    }
    let (on_left, on_right) = (margin(left, other), margin(right, given));
    let (margin, is_added, is_left) = match (on_left, on_right) {
        (Some((margin, is_added)), None) if right == given => (margin, is_added, true),
        (None, Some((margin, is_added))) if left == other => (margin, is_added, false),
        _ => return None,
    };
    // `a < b` refuses less where `a` grows or `b` shrinks.
    let is_less = (is_added == is_left) == sign.starts_with('<');
    is_less.then(|| if is_large(&margin, hunk) { Severity::High } else { Severity::Medium })
}

fn plain(text: &str) -> String {
    FORMS.iter().fold(text.to_owned(), |text, form| text.replace(form, ""))
}

/// What one side is more than the other, and whether it is added.
pub(super) fn margin(old: &str, new: &str) -> Option<(String, bool)> {
    let bare = |text: &'_ str| text.trim_start_matches('(').to_owned();
    let rest = bare(new).strip_prefix(&bare(old).trim_end_matches(')').to_owned())?.to_owned();
    let is = |signs: &[&str]| signs.iter().any(|sign| rest.starts_with(sign));
    let is_given = rest.len() > 1;
    match (is(ADDING), is(TAKING)) {
        (true, _) if is_given => Some((rest, true)),
        (_, true) if is_given => Some((rest, false)),
        _ => None,
    }
}

/// Whether a margin, or what its name is defined as in the same place, is as long as days, or more than a tolerance.
fn is_large(margin: &str, hunk: &TextHunk) -> bool {
    let defined = hunk.come.iter().filter_map(|line| line.text.split_once('=')).filter(|(head, _)| {
        identifiers(head).last().is_some_and(|name| identifiers(margin).any(|it| it == name))
    });
    let texts = std::iter::once(margin.to_owned()).chain(defined.map(|(_, value)| bare(value)));
    texts.into_iter().any(|text| {
        let numbers = text.split(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '_')));
        let numbers: Vec<f64> = numbers.filter_map(|it| it.replace('_', "").parse().ok()).collect();
        let is_of_days = ["day", "Day", "hour", "Hour"].iter().any(|unit| text.contains(unit));
        let factor = if text.contains('*') || numbers.len() == 1 { numbers.iter().product() } else { 0.0 };
        factor >= LARGE || is_of_days && numbers.iter().any(|it| *it >= DAYS)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detectors::engine::hunks::CodeLine;

    #[test]
    fn a_margin_eases_on_one_side() {
        let text = "year = 365 * 24 * 3600 * 1000";
        let hunk = TextHunk { come: vec![CodeLine { text, at: 0, number: 1 }], ..TextHunk::default() };
        for (was, is, expected) in [
            ("card.expires<now()", "card.expires.getTime()+year<now()", Some(Severity::High)),
            ("expires<now", "expires+timedelta(days=365)<now", Some(Severity::High)),
            ("expires<now", "expires+30<now", Some(Severity::Medium)),
            ("expires<now", "expires-30<now", None),
            ("sum>limit", "sum>limit+10", Some(Severity::Medium)),
            ("sum>limit", "sum+10>limit", None),
            ("sum>limit", "sum-fee>limit", Some(Severity::Medium)),
            ("sum>limit", "sum>other", None),
        ] {
            assert_eq!(eased(was, is, &hunk), expected, "{was} -> {is}");
        }
    }
}
