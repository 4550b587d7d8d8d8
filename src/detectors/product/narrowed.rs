//! Conditions of checks that hold less often: an operand dropped or added, a bound moved, a range without an end.
//!
//! Compared operand by operand as written; a condition that is put in other words is another one, and judged by nobody.

use crate::detectors::Case;
use crate::detectors::engine::hunks::{Hunk, Line};
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::bounds::{Bound, moved};
use crate::detectors::product::check_words::short;
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::refusals::has_tests_of;
use crate::languages::code::{bare, refuses};
use crate::model::finding::Severity;

/// Words of operands that decide whether something may be done, in lower case.
const DECIDING: &[&str] = &[
    "valid",
    "auth",
    "permi",
    "verif",
    "allowed",
    "role",
    "owner",
    "signature",
    "expired",
    "trusted",
    "admin",
];
/// Calls and words in front of a condition that has to hold.
const MUST_HOLD: &[&str] =
    &["guard", "require", "check", "precondition", "ensure!", "assert", "assert!", "Guard", "checkArgument"];
/// Words in front of a condition.
const IFS: &[&str] = &["if", "elif", "elsif", "elseif", "else", "unless", "while", "when"];

/// A condition of a line, without white space.
struct Condition {
    text: String,
    /// Whether the code goes on only where it holds.
    must_hold: bool,
}

/// The first check whose condition lets more through than it did.
pub(super) fn narrowed(case: &Case, revision: &Revision) -> Option<LostCheck> {
    let places = revision.hunks().iter().filter(|hunk| hunk.gone.len() == hunk.come.len());
    let (line, what, severity) = places.into_iter().find_map(|hunk| {
        let pairs = hunk.gone.iter().zip(&hunk.come);
        pairs.into_iter().find_map(|(gone, come)| {
            let (what, severity) = lets_more(revision, hunk, gone, come)?;
            Some((*gone, what, severity))
        })
    })?;
    let owner = revision.owner_at(line.at).and_then(|it| revision.before.functions.get(it));
    let name = owner.map_or("", |it| it.name);
    if has_tests_of(case, name) {
        return None;
    }
    Some(LostCheck::new(line.number, if name.is_empty() { line.text } else { name }, what, severity))
}

fn lets_more(revision: &Revision, hunk: &Hunk, gone: &Line, come: &Line) -> Option<(String, Severity)> {
    let words = revision.words;
    let (Some(before), Some(after)) = (condition(gone.text), condition(come.text)) else {
        return range_of_answer(gone, come);
    };
    if before.must_hold != after.must_hold || before.text == after.text {
        return None;
    }
    let is_last = hunk.gone.last().is_some_and(|it| it.at == gone.at);
    let under = hunk.below.filter(|_| is_last).is_some_and(|it| refuses(words, it.text));
    let within = refuses(words, gone.text) && refuses(words, come.text);
    if !(under || within) {
        return dropped_permission(revision, &before, &after);
    }
    dropped(revision, &before, &after)
        .or_else(|| joined(&before, &after))
        .or_else(|| bound(&before, &after, gone))
}

/// `a || b` that became `a`; of what must hold, `a && b`.
fn dropped(revision: &Revision, before: &Condition, after: &Condition) -> Option<(String, Severity)> {
    let signs = if before.must_hold { AND } else { OR };
    let lost = missing(&before.text, &after.text, signs)?;
    let is_kept = lost.len() > 3 && bare(revision.new).contains(&lost);
    (!is_kept).then(|| (format!("`{}` would not be checked any more", short(&lost)), Severity::High))
}

/// `a` that became `a && b`; of what must hold, `a || b`.
fn joined(before: &Condition, after: &Condition) -> Option<(String, Severity)> {
    let signs = if before.must_hold { OR } else { AND };
    let new = missing(&after.text, &before.text, signs)?;
    let word = if before.must_hold { "unless" } else { "only if" };
    Some((format!("the check would refuse {word} `{}` as well", short(&new)), Severity::Medium))
}

/// A check of whether something is allowed that is dropped from a branch that is taken when it is.
fn dropped_permission(
    revision: &Revision,
    before: &Condition,
    after: &Condition,
) -> Option<(String, Severity)> {
    let lost = missing(&before.text, &after.text, AND)?;
    let lower = lost.to_lowercase();
    let is_deciding = DECIDING.iter().any(|word| lower.contains(word)) && !bare(revision.new).contains(&lost);
    is_deciding.then(|| (format!("`{}` would not be checked any more", short(&lost)), Severity::High))
}

fn bound(before: &Condition, after: &Condition, line: &Line) -> Option<(String, Severity)> {
    let moved = moved(&before.text, &after.text)?;
    // A range is what passes where it has to hold, and where it is denied.
    let is_denied = ["!", "not", "unless"].iter().any(|word| before.text.starts_with(word))
        || line.text.contains("not in")
        || line.text.contains("!in")
        || line.text.contains("unless ");
    let is_accepting = before.must_hold || is_denied;
    let (lets_more, is_endless) = match moved {
        Bound::Wider { endless } => (is_accepting, endless),
        Bound::Tighter { endless } => (!is_accepting, endless),
    };
    let severity = if is_endless { Severity::High } else { Severity::Medium };
    lets_more.then(|| (format!("`{}` would become `{}`", short(&before.text), short(&after.text)), severity))
}

/// A range of what counts as good that is wider, in a line that is no branch.
fn range_of_answer(gone: &Line, come: &Line) -> Option<(String, Severity)> {
    let has_range = gone.text.contains("..")
        && [" in ", "contains", "include?", "between"].iter().any(|it| gone.text.contains(it));
    let is_wider =
        has_range && matches!(moved(&bare(gone.text), &bare(come.text)), Some(Bound::Wider { .. }));
    is_wider
        .then(|| (format!("`{}` would become `{}`", short(gone.text), short(come.text)), Severity::Medium))
}

const AND: &[&str] = &["&&", "\u{1}and\u{1}"];
const OR: &[&str] = &["||", "\u{1}or\u{1}"];

/// What one condition has among its operands and the other has not, where that has nothing of its own.
fn missing(all: &str, some: &str, signs: &[&str]) -> Option<String> {
    let (all, some) = (operands(all, signs), operands(some, signs));
    let is_part = some.len() < all.len() && some.iter().all(|it| all.contains(it));
    is_part.then(|| all.into_iter().find(|it| !some.contains(it))).flatten()
}

/// The operands of a condition at its top.
fn operands(text: &str, signs: &[&str]) -> Vec<String> {
    let text = unwrapped(text);
    let (mut depth, mut quote, mut from, mut at) = (0i32, None, 0, 0);
    let mut all = Vec::new();
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth -= 1,
            _ => {}
        }
        let sign = signs.iter().find(|sign| {
            depth == 0 && quote.is_none() && text.get(at..).is_some_and(|rest| rest.starts_with(**sign))
        });
        match sign {
            Some(sign) => {
                all.push(unwrapped(text.get(from..at).unwrap_or_default()).to_owned());
                at += sign.len();
                from = at;
            }
            None => at += c.len_utf8(),
        }
    }
    all.push(unwrapped(text.get(from..).unwrap_or_default()).to_owned());
    all
}

/// A text without the parentheses around all of it.
fn unwrapped(text: &str) -> &str {
    let mut text = text.trim_matches('\u{1}');
    while let Some(inner) = text.strip_prefix('(').and_then(|it| it.strip_suffix(')')) {
        let mut depth = 0i32;
        let closes = inner.chars().any(|c| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            depth < 0
        });
        if closes {
            break;
        }
        text = inner;
    }
    text
}

/// The condition that a line decides by.
fn condition(line: &str) -> Option<Condition> {
    let line = line.trim_start_matches(['}', ' ']);
    let first =
        line.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '!')).next().unwrap_or_default();
    let rest = line.get(first.len()..).unwrap_or_default();
    let must_hold = MUST_HOLD.contains(&first) || first == "unless";
    if must_hold && rest.starts_with('(') {
        return Some(Condition { text: spelled(&first_argument(rest)?), must_hold });
    }
    if must_hold || IFS.contains(&first) {
        let rest = rest.trim_start();
        let rest = rest
            .strip_prefix("if ")
            .or_else(|| rest.strip_prefix("if(").map(|_| rest.get(2..).unwrap_or(rest)))
            .unwrap_or(rest);
        let text = match rest.starts_with('(').then(|| group(rest)).flatten() {
            // `if (a) throw` has its condition in parentheses, `if (a) || b {` has not.
            Some(inner) if !continues(rest.get(inner.len() + 2..).unwrap_or_default()) => inner,
            _ => ["else {", "else{", " {", ":", " then", ", do", " do"]
                .iter()
                .find_map(|end| rest.trim_end().strip_suffix(end))
                .unwrap_or(rest),
        };
        return Some(Condition { text: spelled(text), must_hold });
    }
    // `raise X if y`
    let modifier = |word: &str| line.rsplit_once(word).map(|(_, condition)| condition.trim_end_matches(';'));
    let found = modifier(" if ").map(|it| (it, false)).or_else(|| modifier(" unless ").map(|it| (it, true)));
    found
        .filter(|(text, _)| !text.contains(" else "))
        .map(|(text, must_hold)| Condition { text: spelled(text), must_hold })
}

/// A condition without white space, but for the words between operands.
fn spelled(text: &str) -> String {
    bare(&text.replace(" and ", "\u{1}and\u{1}").replace(" or ", "\u{1}or\u{1}"))
}

fn continues(rest: &str) -> bool {
    let rest = rest.trim_start();
    ["&&", "||", "and ", "or ", ".", "==", "!=", "<", ">", "in "].iter().any(|sign| rest.starts_with(sign))
}

/// What stands in the first parentheses of a text that begins with one.
fn group(text: &str) -> Option<&str> {
    let mut depth = 0i32;
    let end = text.char_indices().find(|(_, c)| {
        depth += i32::from(*c == '(') - i32::from(*c == ')');
        depth == 0
    });
    text.get(1..end?.0)
}

/// The first argument of a call whose parentheses a text begins with; all of it where they end in another line.
fn first_argument(text: &str) -> Option<String> {
    let inner = group(text).unwrap_or_else(|| text.get(1..).unwrap_or_default());
    let mut depth = 0i32;
    let end = inner.char_indices().find(|(_, c)| {
        depth += i32::from(matches!(c, '(' | '[' | '{')) - i32::from(matches!(c, ')' | ']' | '}'));
        depth == 0 && *c == ','
    });
    Some(inner.get(..end.map_or(inner.len(), |(at, _)| at))?.to_owned())
}
