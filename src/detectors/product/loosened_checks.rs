//! Conditions of refusals that are put more weakly: for all where it was for one, with a term that moves the bound, for
//! equality where it was an order, for a part of a text where it was for all of it.
//!
//! One operand of the condition differs, and what it is about is the same.

use crate::detectors::Case;
use crate::detectors::engine::code_lines::{QUOTES, quoted};
use crate::detectors::engine::hunks::CodeLine;
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::short;
use crate::detectors::product::line_conditions::{AND, LineCondition, OR, condition, differing, operands};
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::refusals::has_tests_of;
use crate::languages::code::{bare, identifiers, refuses};
use crate::model::finding::Severity;

/// Calls that ask for one of many, each with the call that asks for all of them.
const ONE_AND_ALL: &[(&str, &str)] = &[
    ("any(", "all("),
    ("any?", "all?"),
    ("any{", "all{"),
    ("Any(", "All("),
    (".some(", ".every("),
    ("anyMatch(", "allMatch("),
    ("any_of(", "all_of("),
    ("exists(", "forall("),
    ("exists{", "forall{"),
    ("contains{", "allSatisfy{"),
    ("contains(where:", "allSatisfy("),
];
/// Questions about texts, the exact ones first: each with how exact it is.
const EXACTNESS: &[(&str, u8)] = &[
    ("startsWith(", 2),
    ("endsWith(", 2),
    ("StartsWith(", 2),
    ("EndsWith(", 2),
    ("startswith(", 2),
    ("endswith(", 2),
    ("starts_with(", 2),
    ("ends_with(", 2),
    ("starts_with?(", 2),
    ("ends_with?(", 2),
    ("start_with?(", 2),
    ("end_with?(", 2),
    ("hasPrefix(", 2),
    ("hasSuffix(", 2),
    ("HasPrefix(", 2),
    ("HasSuffix(", 2),
    ("contains(", 1),
    ("Contains(", 1),
    ("includes(", 1),
    ("include?(", 1),
    ("contains?(", 1),
    ("=~", 1),
    ("indexOf(", 1),
    ("strpos(", 1),
    ("equals(", 3),
    ("Equals(", 3),
    ("eql?(", 3),
    ("equalsIgnoreCase(", 3),
    ("===", 3),
    ("!==", 3),
    ("==", 3),
    ("!=", 3),
];
/// Words of terms that a bound is meant to have, in lower case.
const TOLERANCES: &[&str] = &["leeway", "grace", "toleran", "skew", "slack", "epsilon", "margin"];

/// What is said of a refusal's condition that lets more through, and how bad it is.
pub(super) fn loosened(
    before: &LineCondition,
    after: &LineCondition,
    is_ruby: bool,
) -> Option<(String, Severity)> {
    let signs = [AND, OR].concat();
    let (old, new) = (operands(&before.text, &signs), operands(&after.text, &signs));
    let (old, new) = differing(&old, &new)?;
    let denies = is_denied(old);
    if denies != is_denied(new) {
        return None;
    }
    // What refuses where it holds, and what refuses where it does not.
    let refuses = before.must_hold == denies;
    let severity = asks_for_other(old, new, refuses)
        .or_else(|| moved_by_term(old, new, refuses, is_ruby))
        .or_else(|| only_equal(old, new, refuses))
        .or_else(|| less_exact(old, new, refuses))?;
    Some((format!("`{}` would become `{}`, which refuses less", short(old), short(new)), severity))
}

/// A refusal that was worked out and is for one value alone now: `if digits % 97 != 1` that became `if code == "DE88…"`.
pub(super) fn for_one_value(case: &Case, revision: &Revision) -> Option<LostCheck> {
    let words = revision.words;
    let decides = |line: &CodeLine, next: Option<CodeLine>| {
        refuses(words, line.text) || next.is_some_and(|it| refuses(words, it.text))
    };
    let is_one = |text: &str| {
        let (left, right) = text.split_once("===").or_else(|| text.split_once("=="))?;
        let is_long = |it: &str| {
            it.len() > 7 && it.starts_with(['"', '\'', '`'])
                || it.len() > 3 && it.bytes().all(|b| b.is_ascii_digit())
        };
        [left, right].into_iter().find(|it| is_long(it)).map(str::to_owned)
    };
    revision.hunks().iter().filter(|hunk| hunk.gone.len() <= 6 && hunk.come.len() <= 3).find_map(|hunk| {
        let line = hunk.gone.iter().find(|it| {
            condition(it.text).is_some_and(|it| is_one(&it.text).is_none())
                && decides(it, hunk.next(&hunk.gone, it))
        })?;
        let come = hunk.come.iter().find(|it| decides(it, hunk.next(&hunk.come, it)))?;
        let value = is_one(&condition(come.text).filter(|it| !it.must_hold)?.text)?;
        let owner = revision.old_function_at(line.at);
        let name = owner.map_or(line.text, |it| it.name);
        let is_new = !bare(revision.old).contains(&value);
        (is_new && revision.is_of_one(line, come) && !has_tests_of(case, name)).then(|| {
            let what = format!("`{}` would refuse one value alone", short(come.text));
            LostCheck::new(line.number, name, what, Severity::High)
        })
    })
}

/// Whether an operand denies what it asks: `!a`, `not a`, `a != b`.
fn is_denied(operand: &str) -> bool {
    let starts = operand.starts_with('!')
        || operand.strip_prefix("not").is_some_and(|rest| {
            rest.starts_with(|c: char| c.is_uppercase() || c == '\u{1}' || c == '(')
                || ["any", "all"].iter().any(|word| rest.starts_with(word))
                || rest.contains('.')
        });
    starts || operand.contains("!=") || operand.contains("!~")
}

/// One for all, or the greatest for the smallest.
fn asks_for_other(old: &str, new: &str, refuses: bool) -> Option<Severity> {
    let turned = |from: &str, to: &str| old.contains(from) && old.replacen(from, to, 1) == new;
    let is_one =
        ONE_AND_ALL.iter().any(|(one, all)| if refuses { turned(one, all) } else { turned(all, one) });
    let ends = |from: &str, to: &str| {
        let sign = old.find(['<', '>'])?;
        let at = old.find(from).filter(|_| turned(from, to))?;
        Some((at < sign) == (old.as_bytes().get(sign) == Some(&b'<')))
    };
    // The smallest below a bound is the first to be refused.
    let is_end = ends("min(", "max(") == Some(refuses) || ends("max(", "min(") == Some(!refuses);
    (is_one || is_end).then_some(Severity::High)
}

/// `now > expires` that became `now > expires + 30`.
fn moved_by_term(old: &str, new: &str, refuses: bool, is_ruby: bool) -> Option<Severity> {
    let ((left, sign, right), (left_now, sign_now, right_now)) = (compared(old)?, compared(new)?);
    if sign != sign_now {
        return None;
    }
    let (is_left, way, term) = if left == left_now {
        let (way, term) = term(right, right_now, is_ruby)?;
        (false, way, term)
    } else if right == right_now {
        let (way, term) = term(left, left_now, is_ruby)?;
        (true, way, term)
    } else {
        return None;
    };
    // What is greater refuses: the other side grows, or this one shrinks.
    let is_greater_side = is_left == sign.starts_with('>');
    let lets_more = (way != is_greater_side) == refuses;
    let is_meant = TOLERANCES.iter().any(|word| term.to_lowercase().contains(word));
    lets_more.then_some(if is_meant { Severity::Medium } else { Severity::High })
}

/// The term that a side of a comparison has got, and whether it makes the side greater.
fn term<'t>(old: &str, new: &'t str, is_ruby: bool) -> Option<(bool, &'t str)> {
    const GROWING: &[&str] = &["+", "*", ".plus", ".add(", ".Add", ".add_", ".shl("];
    const SHRINKING: &[&str] = &["-", "/", ".minus", ".sub", ".Sub"];
    let new = new.strip_prefix('(').and_then(|it| it.strip_suffix(')')).unwrap_or(new);
    if old.is_empty() || old.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    if let Some(rest) = new.strip_prefix(old) {
        if is_ruby && (rest.starts_with(">>") || rest.starts_with("<<")) {
            return Some((rest.starts_with(">>"), rest));
        }
        let is = |all: &[&str]| all.iter().any(|it| rest.starts_with(it));
        return if is(GROWING) {
            Some((true, rest))
        } else {
            (is(SHRINKING) && !rest.starts_with("->")).then_some((false, rest))
        };
    }
    let rest = new.strip_suffix(old)?;
    (rest.ends_with(['+', '*'])).then_some((true, rest))
}

/// `a.end > b.start` that became `a.end == b.start`.
fn only_equal(old: &str, new: &str, refuses: bool) -> Option<Severity> {
    let (left, _, right) = compared(old)?;
    let (left_now, right_now) = new.split_once("===").or_else(|| new.split_once("=="))?;
    let is_nothing = |side: &str| matches!(side, "0" | "0.0" | "null" | "nil" | "None" | "" | "1");
    if !refuses || is_nothing(right) || is_nothing(left) || is_nothing(right_now) {
        return None;
    }
    let names = |text: &str| identifiers(text).map(str::to_owned).collect::<Vec<_>>();
    let (was, is) = (names(old), names(new));
    let is_same = left == left_now && right == right_now;
    let kept = was.iter().filter(|it| is.contains(it)).count();
    match (is_same, kept * 2 >= was.len().max(1)) {
        (true, _) => Some(Severity::High),
        (_, true) => Some(Severity::Medium),
        _ => None,
    }
}

/// A text that has to be had somewhere, where it had to be all, or at the end.
fn less_exact(old: &str, new: &str, refuses: bool) -> Option<Severity> {
    let rank = |text: &str| EXACTNESS.iter().find(|(word, _)| text.contains(word)).map(|(_, rank)| *rank);
    let (was, is) = (rank(old)?, rank(new)?);
    let lets_more = if refuses { is > was } else { is < was };
    let texts = |text: &str| -> Vec<String> {
        quoted(text, QUOTES)
            .map(|it| it.trim_matches(['.', '/', '@']).to_owned())
            .filter(|it| it.len() > 1)
            .collect()
    };
    let names = |text: &str| -> Vec<String> {
        let words = identifiers(text).map(|it| it.trim_start_matches('!').to_owned());
        words
            .filter(|it| !EXACTNESS.iter().any(|(word, _)| word.trim_end_matches(['(', '?']) == it))
            .collect()
    };
    let (known_texts, texts_now) = (texts(old), texts(new));
    let is_about_text = known_texts.iter().any(|it| texts_now.contains(it));
    let (known, now) = (names(old), names(new));
    let is_same = known.iter().filter(|it| now.contains(it)).count() * 2 > known.len();
    // With a text in it the question is about texts; without, about whatever has these names.
    (lets_more && is_same && (is_about_text || known_texts.is_empty() && texts_now.is_empty()))
        .then_some(if is_about_text { Severity::High } else { Severity::Medium })
}

/// The sides of a comparison by order, and its sign.
fn compared(operand: &str) -> Option<(&str, &str, &str)> {
    let (mut depth, mut last) = (0i32, ' ');
    for (at, c) in operand.char_indices() {
        let rest = operand.get(at..).unwrap_or_default();
        let is_other = ["->", "=>", "<<", ">>", "<-"].iter().any(|it| rest.starts_with(it));
        if depth == 0 && matches!(c, '<' | '>') && !is_other && !matches!(last, '<' | '>' | '-' | '=') {
            let sign = if rest.get(1..2) == Some("=") { 2 } else { 1 };
            let (left, right) = (operand.get(..at)?, rest.get(sign..)?);
            return (!left.is_empty() && !right.is_empty()).then_some((left, rest.get(..sign)?, right));
        }
        depth += i32::from(matches!(c, '(' | '[' | '{')) - i32::from(matches!(c, ')' | ']' | '}'));
        last = c;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_weaker_question_is_told_from_another_one() {
        let high = Some(Severity::High);
        for (before, after, expected) in [
            ("if any(x < 0 for x in xs):", "if all(x < 0 for x in xs):", high),
            ("if (!parts.every(ok)) throw", "if (!parts.some(ok)) throw", high),
            ("if all(x < 0 for x in xs):", "if any(x < 0 for x in xs):", None),
            ("if min(w, h) <= 0:", "if max(w, h) <= 0:", high),
            ("if max(w, h) > LIMIT:", "if min(w, h) > LIMIT:", high),
            ("if max(w, h) <= 0:", "if min(w, h) <= 0:", None),
            ("if now > expires {", "if now > expires + 3600 {", high),
            ("if now > expires {", "if now > expires - 3600 {", None),
            ("if now > expires {", "if now > expires.plus(grace) {", Some(Severity::Medium)),
            ("if (MAX < size) {", "if (MAX * 2 < size) {", high),
            ("if (size < MIN) {", "if (size < MIN - 3) {", high),
            ("if (size < MIN) {", "if (size < MIN + 3) {", None),
            ("if end > start {", "if end == start {", high),
            ("if count <= 0 {", "if count == 0 {", None),
            ("if (!host.endsWith('.acme.org')) throw", "if (!host.includes('acme.org')) throw", high),
            ("if host != \"acme.org\" {", "if !strings.Contains(host, \"acme.org\") {", high),
            ("if path.contains(\"..\") {", "if path.starts_with(\"..\") {", Some(Severity::Medium)),
            ("if path.starts_with(\"..\") {", "if path.contains(\"..\") {", None),
        ] {
            let (old, new) = (condition(before).unwrap(), condition(after).unwrap());
            let found = loosened(&old, &new, false).map(|(_, severity)| severity);
            assert_eq!(found, expected, "{before} -> {after}");
        }
    }
}
