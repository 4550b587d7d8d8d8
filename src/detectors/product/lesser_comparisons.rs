//! Checks whose comparison says no to less: off its own boundary, to one value of a range, with a margin, to a fixed value
//! where one was looked up, to a shorter text than the message names.
//!
//! Only the condition of a refusal that stays is compared, operand by operand.

use crate::detectors::Case;
use crate::detectors::engine::hunks::{CodeLine, TextHunk};
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::short;
use crate::detectors::product::line_conditions::{
    AND, OR, comparison, condition, differing, missing, operands,
};
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::margins::eased;
use crate::detectors::product::presence::asked;
use crate::detectors::product::refusals::has_tests_of;
use crate::languages::code::{bare, identifiers, refuses};
use crate::model::finding::Severity;

/// Words of sizes, for which nothing and less than one are the same.
const SIZES: &[&str] = &["len", "length", "size", "count", "index", "find", "indexof", "strlen"];
/// Calls that look at the beginning or the end of a text, in lower case.
const ENDS: &[&str] = &[
    "startswith",
    "starts_with",
    "start_with?",
    "hasprefix",
    "endswith",
    "ends_with",
    "end_with?",
    "hassuffix",
];
/// From so many letters on a lower bound that becomes one or nought is none any more.
const SOME: f64 = 4.0;

/// The condition of a refusal that stays, before and after.
struct ConditionPair<'h, 'a> {
    hunk: &'h TextHunk<'a>,
    gone: &'h CodeLine<'a>,
    below: Option<CodeLine<'a>>,
    before: String,
    after: String,
}

/// The first check of the kind.
pub(super) fn lesser(case: &Case, revision: &Revision) -> Option<LostCheck> {
    let (line, what, severity) = revision.hunks().iter().find_map(|hunk| {
        pairs(revision, hunk).into_iter().find_map(|pair| {
            let (what, severity) = weaker(revision, &pair)?;
            Some((*pair.gone, what, severity))
        })
    })?;
    let owner = revision.old_function_at(line.at);
    let name = owner.map_or("", |it| it.name);
    (!has_tests_of(case, name)).then(|| LostCheck::of_line(&line, name, what, severity))
}

/// The refusals of a place that stay, in their order.
fn pairs<'h, 'a>(revision: &Revision<'a>, hunk: &'h TextHunk<'a>) -> Vec<ConditionPair<'h, 'a>> {
    let of = |side: &'h [CodeLine<'a>]| -> Vec<_> {
        side.iter().filter_map(|line| Some((line, condition(line.text)?))).collect()
    };
    let (old, new) = (of(&hunk.gone), of(&hunk.come));
    if old.len() != new.len() {
        return Vec::new();
    }
    let is_refusal = |line: &CodeLine, below: Option<CodeLine>| {
        refuses(revision.words, line.text) || below.is_some_and(|it| refuses(revision.words, it.text))
    };
    let both = old.into_iter().zip(new).filter_map(|((gone, before), (come, after))| {
        let (below, below_after) = (hunk.next(&hunk.gone, gone), hunk.next(&hunk.come, come));
        let is_same = !before.must_hold && !after.must_hold && before.text != after.text;
        (is_same && is_refusal(gone, below) && is_refusal(come, below_after)).then_some(ConditionPair {
            hunk,
            gone,
            below,
            before: before.text,
            after: after.text,
        })
    });
    both.collect()
}

fn weaker(revision: &Revision, pair: &ConditionPair) -> Option<(String, Severity)> {
    let signs = [AND, OR].concat();
    let (old, new) = (operands(&pair.before, &signs), operands(&pair.after, &signs));
    let said = || format!("`{}` would become `{}`", short(&pair.before), short(&pair.after));
    if let Some(severity) = defaulted(pair) {
        return Some((said(), severity));
    }
    if old.len() != new.len() {
        // Two comparisons of a range that became one for one value.
        let lost: Vec<&str> = old.iter().filter(|it| !new.contains(it)).map(String::as_str).collect();
        let mut gained = new.iter().filter(|it| !old.contains(it));
        let only = gained.next().filter(|_| gained.next().is_none() && lost.len() > 1)?;
        return one_of_range(&lost.join("&&"), only).map(|severity| (said(), severity));
    }
    let (was, is) = differing(&old, &new)?;
    let severity = off_boundary(was, is)
        .or_else(|| all_for_any(was, is))
        .or_else(|| one_of_range(was, is))
        .or_else(|| trivial(was, is))
        .or_else(|| one_sided(was, is))
        .or_else(|| shorter(was, is, pair))
        .or_else(|| eased(was, is, pair.hunk))
        .or_else(|| fixed(revision, was, is, pair))?;
    Some((said(), severity))
}

/// `x == 0` that became `x < 0`: what was refused is all that is let through.
fn off_boundary(was: &str, is: &str) -> Option<Severity> {
    let ((left, sign, right), (other, other_sign, same)) = (comparison(was)?, comparison(is)?);
    let is_off = matches!(sign, "==" | "===") && matches!(other_sign, "<" | ">");
    (is_off && left == other && right == same).then_some(Severity::High)
}

/// A question whether anything is in a list that asks for so many now: `if missing` -> `if len(missing) == len(wanted)`.
fn all_for_any(was: &str, is: &str) -> Option<Severity> {
    let name = asked(was)?;
    let (left, sign, right) = comparison(is)?;
    let is_size =
        |text: &str| SIZES.iter().any(|it| identifiers(text).any(|word| word.eq_ignore_ascii_case(it)));
    let is_more = matches!(sign, "==" | "===" | ">=" | ">") && !matches!(right, "0" | "1");
    let is_of_it = identifiers(left).any(|word| word == name);
    (is_more && is_of_it && is_size(left)).then_some(Severity::High)
}

/// A comparison of more and less that asks for one value only.
fn one_of_range(was: &str, is: &str) -> Option<Severity> {
    let orders = |text: &str| {
        let text = text.replace("=>", "").replace("->", "").replace("<<", "").replace(">>", "");
        text.matches(['<', '>']).count()
    };
    let equals = |text: &str| text.matches("==").count();
    let names = |text: &str| identifiers(text).map(str::to_owned).collect::<Vec<_>>();
    let known = names(was);
    let is_of_size = known.iter().any(|it| SIZES.contains(&it.to_lowercase().as_str()));
    let is_less = orders(is) < orders(was) && equals(is) > equals(was);
    let is_same = names(is).iter().all(|it| known.contains(it));
    let has_literals = |text: &str| text.contains(['"', '\'']);
    (is_less && is_same && !is_of_size && has_literals(was) == has_literals(is)).then_some(Severity::High)
}

/// `len(secret) < 16` that became `len(secret) < 1`.
fn trivial(was: &str, is: &str) -> Option<Severity> {
    let ((left, sign, old), (other, same, new)) = (comparison(was)?, comparison(is)?);
    let number = |text: &str| text.trim_end_matches(['L', 'u', 'U']).parse::<f64>().ok();
    let is_least = matches!(sign, "<" | "<=") && sign == same && left == other;
    let is_size = identifiers(left).any(|it| SIZES.contains(&it.to_lowercase().as_str()));
    let (old, new) = (number(old)?, number(new)?);
    (is_least && is_size && old >= SOME && new <= 1.0).then_some(Severity::High)
}

/// A distance that became a difference: `abs(now - t) > skew` -> `now - t > skew`.
fn one_sided(was: &str, is: &str) -> Option<Severity> {
    const DISTANCES: &[&str] = &[
        "Math.abs",
        "std::abs",
        "Math.Abs",
        "math.Abs",
        ".absolute()",
        ".abs()",
        "fabs",
        "absoluteValue",
        "abs",
    ];
    let call = DISTANCES.iter().find(|it| was.contains(**it) && !is.contains(**it))?;
    let flat = |text: &str| text.replace(['(', ')'], "");
    (flat(&was.replacen(*call, "", 1)).trim_end_matches('.') == flat(is)).then_some(Severity::High)
}

/// A beginning of a text that has to be there, and of which only a part does: `https://` that became `http`.
fn shorter(was: &str, is: &str, pair: &ConditionPair) -> Option<Severity> {
    let is_negated = ["!", "not"].iter().any(|head| was.starts_with(head));
    let lower = was.to_lowercase();
    if !is_negated || !ENDS.iter().any(|call| lower.contains(call)) {
        return None;
    }
    let (old, new) = (quoted(was)?, quoted(is)?);
    let is_part = new.len() < old.len() && (old.starts_with(new) || old.ends_with(new));
    let is_same = is_part && was.replacen(old, "", 1) == is.replacen(new, "", 1);
    let message: String =
        [Some(*pair.gone), pair.below].iter().flatten().map(|it| it.text.to_lowercase()).collect();
    let word = old.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let is_said = word.len() > 2
        && !new.to_lowercase().contains(&word)
        && message.replace(&bare(was), "").contains(&word);
    is_same.then_some(if is_said { Severity::High } else { Severity::Medium })
}

/// `!user` that became `!user && …` while another line takes something for a user that is not there.
fn defaulted(pair: &ConditionPair) -> Option<Severity> {
    missing(&pair.after, &pair.before, AND)?;
    let asked = pair.before.strip_prefix('!').or_else(|| pair.before.strip_prefix("not"))?;
    let asked = asked.trim_matches(['\u{1}', ' ', '(', ')']);
    let takes = |line: &CodeLine| {
        let text = bare(line.text);
        ["??", "||", "?:", ".unwrap_or", ".getOrElse", ".orElse", ".presence||"]
            .iter()
            .any(|sign| text.contains(&format!("{asked}{sign}")))
            || line.text.contains(&format!("{asked} or "))
    };
    let all = pair.hunk.come.iter();
    (asked.len() > 2 && all.clone().any(takes)).then_some(Severity::High)
}

/// A comparison with something that was looked up, and that is one with a text or a date written here.
fn fixed(revision: &Revision, was: &str, is: &str, pair: &ConditionPair) -> Option<Severity> {
    let (left, sign, right) = comparison(was)?;
    let (other, _, given) = comparison(is)?;
    if was.contains(['"', '\'']) || sign.starts_with('!') {
        return None;
    }
    // What was worked out in the file stands nowhere in the condition.
    let is_lost = |side: &str| {
        let last = identifiers(side).last().unwrap_or_default().to_owned();
        side.contains(['.', '[', '(']) && last.len() > 2 && !identifiers(is).any(|it| it == last)
    };
    let written = |side: &str| {
        if let Some(text) = quoted(side) {
            return text.len() > 5 && text.bytes().any(|byte| byte.is_ascii_digit());
        }
        let name = identifiers(side).next().unwrap_or_default();
        pair.hunk.come.iter().any(|line| {
            let given = line.text.split_once('=').filter(|(head, _)| identifiers(head).any(|it| it == name));
            given.is_some_and(|(_, value)| {
                quoted(value).is_some_and(|it| it.len() > 5 && it.bytes().any(|byte| byte.is_ascii_digit()))
            })
        })
    };
    let is_new = !revision.old.contains(quoted(is).unwrap_or("\u{0}"));
    let is_fixed = is_lost(left) && written(other) || is_lost(right) && written(given);
    (is_fixed && is_new).then_some(Severity::High)
}

/// The first text between quotes.
fn quoted(text: &str) -> Option<&str> {
    let from = text.find(['"', '\''])?;
    let mark = text.get(from..)?.chars().next()?;
    let rest = text.get(from + 1..)?;
    rest.get(..rest.find(mark)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comparison_has_two_sides() {
        for (text, expected) in [
            ("b.tokens==0", Some(("b.tokens", "==", "0"))),
            ("a<=b.size()", Some(("a", "<=", "b.size()"))),
            ("0<a<9", None),
            ("list.any(x=>x.id)", None),
            ("!ready", None),
        ] {
            assert_eq!(comparison(text), expected, "{text}");
        }
    }

    #[test]
    fn what_says_no_to_less_is_told_from_what_says_the_same() {
        for (was, is, expected) in [
            ("left==0", "left<0", true),
            ("left==0", "left<=0", false),
            ("balance<=limit", "balance==limit", true),
            ("stays.any(s=>s.from<to&&from<s.to)", "stays.any(s=>s.from==from)", true),
            ("len(x)<1", "len(x)==0", false),
            ("len(pin)<6", "len(pin)<1", true),
            ("len(pin)<6", "len(pin)<5", false),
            ("age<18", "age<1", false),
        ] {
            let found = off_boundary(was, is).or_else(|| one_of_range(was, is)).or_else(|| trivial(was, is));
            assert_eq!(found.is_some(), expected, "{was} -> {is}");
        }
    }
}
