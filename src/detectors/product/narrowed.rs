//! Conditions of checks that hold less often: an operand dropped or added, a bound moved, a range without an end.
//!
//! Compared operand by operand as written; a condition that is put in other words is another one, and judged by nobody.

use crate::detectors::Case;
use crate::detectors::engine::code_lines::{QUOTES, quoted};
use crate::detectors::engine::hunks::{CodeLine, TextHunk};
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::bounds::{BoundMove, moved};
use crate::detectors::product::check_words::short;
use crate::detectors::product::fewer_bounds::{bound_lost, is_exception};
use crate::detectors::product::line_conditions::{
    AND, LineCondition, OR, comparison, condition, differing, missing, operands, resolved,
};
use crate::detectors::product::loosened_checks::loosened;
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::presence::{asked, is_only_presence};
use crate::detectors::product::refusals::has_tests_of;
use crate::languages::code::{Refusing, bare, is_log, refuses};
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
/// The first check whose condition lets more through than it did.
pub(super) fn narrowed(case: &Case, revision: &Revision) -> Option<LostCheck> {
    let places = revision.hunks().iter().filter(|hunk| hunk.gone.len() == hunk.come.len());
    let (line, what, severity) = places.into_iter().find_map(|hunk| {
        let pairs = hunk.gone.iter().zip(&hunk.come).filter(|(gone, come)| revision.is_of_one(gone, come));
        pairs.into_iter().find_map(|(gone, come)| {
            let (what, severity) = lets_more(revision, hunk, gone, come)?;
            Some((*gone, what, severity))
        })
    })?;
    let owner = revision.old_function_at(line.at);
    let name = owner.map_or("", |it| it.name);
    if has_tests_of(case, name) {
        return None;
    }
    Some(LostCheck::of_line(&line, name, what, severity))
}

fn lets_more(
    revision: &Revision,
    hunk: &TextHunk,
    gone: &CodeLine,
    come: &CodeLine,
) -> Option<(String, Severity)> {
    let words = revision.words;
    let (Some(before), Some(after)) = (condition(gone.text), condition(come.text)) else {
        return range_of_answer(gone, come);
    };
    if before.must_hold != after.must_hold || before.text == after.text {
        return None;
    }
    let (below, below_after) = (hunk.next(&hunk.gone, gone), hunk.next(&hunk.come, come));
    // A line of a log may stand between a condition and its refusal.
    let is_refused = |text: &str, line: &CodeLine, next: Option<CodeLine>| {
        next.is_some_and(|it| {
            refuses(words, it.text)
                || is_log(it.text) && refuses_behind_log(words, text, line)
                || refuses_at_end(words, text, line)
        })
    };
    let under = is_refused(revision.old, gone, below) && is_refused(revision.new, come, below_after);
    // `require(total > 0)` refuses by itself.
    let is_call = before.must_hold && !["guard", "unless"].iter().any(|word| gone.text.contains(word));
    let within = is_call || refuses(words, gone.text) && refuses(words, come.text);
    if !(under || within) {
        return dropped_permission(revision, &before, &after);
    }
    let (before, after, hidden) = with_values(revision, before, after);
    dropped(revision, &before, &after)
        .or_else(|| swapped(&before, &after))
        .or_else(|| joined(revision, &before, &after))
        .or_else(|| {
            let lost = bound_lost(revision, &before, &after)?;
            Some((unchecked(revision.old, &lost), Severity::High))
        })
        .or_else(|| bound(&before, &after, gone, below).map(|found| (found.0, found.1.max(hidden))))
        .or_else(|| loosened(&before, &after, revision.change.path.ends_with(".rb")))
        .or_else(|| presence(revision, &before, &after))
}

/// Whether the first line below one that is no log says no.
fn refuses_behind_log(words: &Refusing, text: &str, line: &CodeLine) -> bool {
    let at = usize::try_from(line.number).unwrap_or(usize::MAX);
    let mut below = text.lines().skip(at).take(3).map(str::trim);
    below.find(|it| !it.is_empty() && !is_log(it)).is_some_and(|it| refuses(words, it))
}

/// Whether the block of a condition has a step or two, and ends by saying no.
fn refuses_at_end(words: &Refusing, text: &str, line: &CodeLine) -> bool {
    let at = usize::try_from(line.number).unwrap_or(usize::MAX);
    let depth = |line: &str| line.len() - line.trim_start().len();
    let all: Vec<&str> = text.lines().skip(at.saturating_sub(1)).take(6).collect();
    let Some((head, rest)) = all.split_first() else { return false };
    let filled = rest.iter().filter(|it| !it.trim().is_empty());
    let block: Vec<&&str> = filled.take_while(|it| depth(it) > depth(head)).collect();
    let is_no = |code: &str| {
        refuses(words, code)
            || matches!(bare(code).as_str(), "returnfalse;" | "returnfalse" | "returnFalse" | "false")
    };
    block.len() < 5 && block.last().is_some_and(|it| is_no(it.trim())) && block.len() > 1
}

/// The conditions with the values of names that are new or gone, and how bad a bound is that moves behind a name.
fn with_values(
    revision: &Revision,
    before: LineCondition,
    after: LineCondition,
) -> (LineCondition, LineCondition, Severity) {
    let gone: Vec<CodeLine> = revision.hunks().iter().flat_map(|hunk| hunk.gone.clone()).collect();
    let come: Vec<CodeLine> = revision.hunks().iter().flat_map(|hunk| hunk.come.clone()).collect();
    let was = resolved(&before.text, &gone, revision.new);
    let is = resolved(&after.text, &come, revision.old);
    let is_hidden = was != before.text || is != after.text;
    let severity = if is_hidden { Severity::High } else { Severity::Medium };
    (LineCondition { text: was, ..before }, LineCondition { text: is, ..after }, severity)
}

/// `a || b` that became `a && b`; of what must hold, the other way round.
fn swapped(before: &LineCondition, after: &LineCondition) -> Option<(String, Severity)> {
    let (from, to) = if before.must_hold { (AND, OR) } else { (OR, AND) };
    let (old, new) = (operands(&before.text, from), operands(&after.text, to));
    let is_same = old.len() > 1 && old.len() == new.len() && old.iter().all(|it| new.contains(it));
    is_same.then(|| {
        let last = old.last().map_or("", String::as_str);
        (format!("the check would refuse only where `{}` holds as well", short(last)), Severity::High)
    })
}

/// A check of what something is like that only asks whether it is there.
fn presence(
    revision: &Revision,
    before: &LineCondition,
    after: &LineCondition,
) -> Option<(String, Severity)> {
    if !is_only_presence(&before.text, &after.text) {
        return None;
    }
    let signs = if before.must_hold { AND } else { OR };
    let new = bare(revision.new);
    let is_elsewhere = |it: &String| it.len() > 3 && new.contains(it.as_str()) && asked(it).is_none();
    (!operands(&before.text, signs).iter().any(is_elsewhere)).then(|| {
        let condition = after.text.replace('\u{1}', " ");
        (format!("`{}` would only ask whether it is there", short(&condition)), Severity::High)
    })
}

/// `a || b` that became `a`; of what must hold, `a && b`.
fn dropped(revision: &Revision, before: &LineCondition, after: &LineCondition) -> Option<(String, Severity)> {
    // Swift's `guard` has its operands in a list.
    let signs = if before.must_hold { &["&&", "\u{1}and\u{1}", ","] } else { OR };
    let lost = missing(&before.text, &after.text, signs)?;
    let is_kept = lost.len() > 3 && bare(revision.new).contains(&lost);
    (!is_kept && !is_in_pattern(revision, &lost)).then(|| (unchecked(revision.old, &lost), Severity::High))
}

/// Whether a text that something had to be equal to begins a pattern that is new: `kind !== 'Basic'` in `/^Basic (.+)$/`.
fn is_in_pattern(revision: &Revision, lost: &str) -> bool {
    const ANCHORS: &[&str] = &["^", "\\A", "fullmatch(r\"", "fullmatch(r'", "re.match(r\"", "re.match(r'"];
    let text = lost.split(['"', '\'']).nth(1).filter(|_| lost.contains("!="));
    let Some(text) = text.filter(|it| it.len() > 2 && it.chars().all(char::is_alphanumeric)) else {
        return false;
    };
    let count =
        |source: &str| ANCHORS.iter().map(|at| source.matches(&format!("{at}{text}")).count()).sum::<usize>();
    count(revision.new) > count(revision.old)
}

/// `a` that became `a && b`; of what must hold, `a || b`.
fn joined(revision: &Revision, before: &LineCondition, after: &LineCondition) -> Option<(String, Severity)> {
    let signs = if before.must_hold { OR } else { AND };
    let new = missing(&after.text, &before.text, signs)?;
    let word = if before.must_hold { "unless" } else { "only if" };
    let is_own = is_exception(revision, &new) && !asks_environment(&new);
    let severity = if is_own { Severity::Medium } else { Severity::High };
    Some((format!("the check would refuse {word} `{}` as well", short(&new)), severity))
}

/// Whether a condition asks for a variable of the environment: whoever does not set it has no check.
fn asks_environment(condition: &str) -> bool {
    const ASKING: &[&str] = &[
        "process.env",
        "os.environ",
        "getenv",
        "Getenv",
        "ENV[",
        "ENV.fetch",
        "env::var",
        "GetEnvironmentVariable",
        "System.get_env",
        "Platform.environment",
    ];
    ASKING.iter().any(|it| condition.contains(it))
}

/// A check of whether something is allowed that is dropped from a branch that is taken when it is.
fn dropped_permission(
    revision: &Revision,
    before: &LineCondition,
    after: &LineCondition,
) -> Option<(String, Severity)> {
    let lost = missing(&before.text, &after.text, AND)?;
    let lower = lost.to_lowercase();
    let is_deciding = DECIDING.iter().any(|word| lower.contains(word)) && !bare(revision.new).contains(&lost);
    is_deciding.then(|| (unchecked(revision.old, &lost), Severity::High))
}

/// What is said of a condition that went, as the source spelled it.
fn unchecked(source: &str, lost: &str) -> String {
    format!("`{}` would not be checked any more", short(spelled(source, lost).unwrap_or(lost)))
}

/// Where a source has a text whose blanks were taken out.
pub(super) fn spelled<'s>(source: &'s str, bare: &str) -> Option<&'s str> {
    let first = bare.chars().next()?;
    source.match_indices(first).find_map(|(from, _)| {
        let rest = source.get(from..)?;
        let mut wanted = bare.chars();
        for (at, letter) in rest.char_indices().filter(|(_, letter)| !letter.is_whitespace()) {
            match wanted.next() {
                None => return rest.get(..at).map(str::trim_end),
                Some(next) if next == letter => {}
                Some(_) => return None,
            }
        }
        wanted.next().is_none().then_some(rest)
    })
}

fn bound(
    before: &LineCondition,
    after: &LineCondition,
    line: &CodeLine,
    below: Option<CodeLine>,
) -> Option<(String, Severity)> {
    let moved = moved(&before.text, &after.text)?;
    // A range is what passes where it has to hold, and where it is denied.
    let is_denied = ["!", "not", "unless"].iter().any(|word| before.text.starts_with(word))
        || line.text.contains("not in")
        || line.text.contains("!in")
        || line.text.contains("unless ");
    let is_accepting = before.must_hold || is_denied;
    let (lets_more, is_endless) = match moved {
        BoundMove::Wider { endless } => (is_accepting, endless),
        BoundMove::Tighter { endless } => (!is_accepting, endless),
    };
    let is_said =
        [Some(*line), below].iter().flatten().any(|it| says_otherwise(it.text, &before.text, &after.text));
    let is_sure = is_endless || is_said || has_twin(&before.text, &after.text);
    let severity = if is_sure { Severity::High } else { Severity::Medium };
    lets_more.then(|| (format!("`{}` would become `{}`", short(&before.text), short(&after.text)), severity))
}

/// Whether another operand compares with the same, by the sign that this one had: `x > side || y >= side`.
fn has_twin(before: &str, after: &str) -> bool {
    let signs = [AND, OR].concat();
    let (old, new) = (operands(before, &signs), operands(after, &signs));
    let Some((was, is)) = differing(&old, &new) else { return false };
    let (Some((left, sign, right)), Some((_, other, same))) = (comparison(was), comparison(is)) else {
        return false;
    };
    let is_twin =
        |text: &String| comparison(text).is_some_and(|it| it.0 != left && (it.1, it.2) == (sign, right));
    sign != other && right == same && right.len() > 2 && new.iter().any(is_twin)
}

/// Whether the message of a refusal says the bound that was: `at least 8` where 6 is enough now, `must be positive` where
/// nought passes.
fn says_otherwise(line: &str, before: &str, after: &str) -> bool {
    let message: String = quoted(line, QUOTES).collect::<Vec<_>>().join(" ").to_lowercase();
    let numbers = |text: &str| -> Vec<String> {
        let parts = text.split(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '_')));
        parts
            .map(|it| it.replace('_', "").trim_matches('.').to_owned())
            .filter(|it| it.bytes().any(|byte| byte.is_ascii_digit()))
            .collect()
    };
    let (old, new, told) = (numbers(before), numbers(after), numbers(&message));
    let is_number = old.iter().any(|it| !new.contains(it) && told.contains(it));
    let wants_more = ["positive", "greater than zero", "greater than 0", "non-zero", "nonzero", "above zero"];
    let is_positive =
        old == new && wants_more.iter().any(|it| message.contains(it)) && before.contains("<=0");
    is_number || is_positive
}

/// A range of what counts as good that is wider, in a line that is no branch.
fn range_of_answer(gone: &CodeLine, come: &CodeLine) -> Option<(String, Severity)> {
    let has_range = gone.text.contains("..")
        && [" in ", "contains", "include?", "between"].iter().any(|it| gone.text.contains(it));
    let is_wider = has_range && matches!(moved(gone.text, come.text), Some(BoundMove::Wider { .. }));
    is_wider
        .then(|| (format!("`{}` would become `{}`", short(gone.text), short(come.text)), Severity::Medium))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_is_said_as_the_source_spells_it() {
        for (source, bare, expected) in [
            ("if age < 18 || country in blocked {", "countryinblocked", Some("country in blocked")),
            ("if a  &&\n  b:", "a&&b", Some("a  &&\n  b")),
            ("aab", "ab", Some("ab")),
            ("a c", "ab", None),
            ("x", "", None),
        ] {
            assert_eq!(spelled(source, bare), expected, "{source:?}");
        }
    }
}
