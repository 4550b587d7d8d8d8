//! Work that gave way to fixed answers: a constant, the input itself, a table of literals, nothing that is done.
//!
//! What was worked out before has to be gone in the same place; new code that answers with constants is a decision.

use crate::detectors::Case;
use crate::detectors::engine::hunks::{CodeLine, TextHunk};
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::short;
use crate::detectors::product::constant_values::constant_put;
use crate::detectors::product::functions::excuse;
use crate::detectors::product::literals::{is_template, value_of};
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::lost_steps::other_word;
use crate::detectors::product::maker_words::{CONSTANTS, KEYWORDS, MAKERS};
use crate::detectors::product::refusals::has_tests_of;
use crate::detectors::testing::word_edit::words;
use crate::languages::code::{bare, identifiers, is_log, plain};
use crate::model::finding::Severity;

/// What says that nothing is done yet, in lower case.
const MISSING: &[&str] = &[
    "todo",
    "not implemented",
    "notimplemented",
    "unimplemented",
    "not supported",
    "fixme",
    "not been implemented",
    "not yet",
    "not available",
    "not ready",
    "coming soon",
    "unsupported",
];
/// The first function whose work became a fixed answer, or none.
pub(super) fn fixed_answer(case: &Case, revision: &Revision) -> Option<LostCheck> {
    let found = revision.hunks().iter().find_map(|hunk| {
        let ComputingFunction { line, name, new, place } = worked(revision, hunk)?;
        let (what, severity) =
            answer(revision, &place, name, new).or_else(|| branch(revision, &place, name))?;
        Some((line, name, what, severity))
    });
    let Some((line, name, what, severity)) = found else { return constant_put(case, revision) };
    (!has_tests_of(case, name)).then(|| LostCheck::new(line.number, name, what, severity))
}

/// A function that worked something out where something else comes.
pub(super) struct ComputingFunction<'a> {
    /// The first line of the work.
    pub(super) line: CodeLine<'a>,
    /// The function's name before.
    pub(super) name: &'a str,
    /// Its index after.
    pub(super) new: usize,
    /// The place, without lines of other functions.
    pub(super) place: TextHunk<'a>,
}

/// The function whose work a place has no more, as far as it is that function's place.
pub(super) fn worked<'a>(revision: &Revision<'a>, hunk: &TextHunk<'a>) -> Option<ComputingFunction<'a>> {
    let line = *hunk.gone.first()?;
    let old = revision.owner_at(line.at)?;
    let new = revision.successor(old)?;
    let place = revision.within(hunk, old, new);
    let works = place.gone.iter().any(|it| is_work(&plain(revision.words, it.text)));
    let works = works || place.gone.iter().any(|it| is_made_text(it.text));
    let is_log_only = place.gone.iter().all(|it| is_log(it.text));
    let name = revision.before.functions.get(old)?.name;
    (works && !is_log_only && !place.come.is_empty()).then_some(ComputingFunction { line, name, new, place })
}

/// Whether a line is a text with something called in it: `"#{prefix}-#{SecureRandom.hex(4)}"`.
fn is_made_text(line: &str) -> bool {
    let all = words(line);
    all.iter().any(|(_, word)| is_template(word) && word.contains(['(', '.']))
}

fn answer(revision: &Revision, hunk: &TextHunk, name: &str, new: usize) -> Option<(String, Severity)> {
    let last = hunk.come.last()?;
    let is_end = is_end_of(revision, hunk, new);
    let plain = |line: &CodeLine| plain(revision.words, line.text);
    let is_idle = |line: &CodeLine| {
        is_discard(line.text)
            || is_yield(line.text)
            || is_fixed(&plain(line))
            || compares_with_number(line.text)
            || gives_one(&plain(line))
    };
    let rest = hunk.come.len() - 1;
    if hunk.come.iter().take(rest).any(|line| !is_idle(line)) || !is_end {
        return None;
    }
    let has_excuse = excuse(revision, new);
    let code = plain(last);
    let code = value_beside(&code).map_or(code.clone(), str::to_owned);
    let is_long = hunk.gone.len() >= 3;
    if is_missing(last.text, &code) {
        return Some((format!("`{name}` would not be implemented any more"), Severity::High));
    }
    if is_fixed(&code) && !is_made_text(last.text) && (has_value(last.text) || gives(&code)) {
        let is_telling = is_telling(last.text);
        let is_table = hunk.come.iter().filter(|line| compares_with_number(line.text)).count() > 1;
        let is_sure = has_excuse || is_long || is_telling || is_table;
        let severity = if is_sure { Severity::High } else { Severity::Medium };
        return Some((
            format!("`{name}` would give `{}` where it worked its answer out", short(last.text)),
            severity,
        ));
    }
    if hunk.come.len() == 1
        && chooses_literals(&code)
        && !hunk.gone.iter().any(|it| chooses_literals(&plain(it)))
    {
        let what = format!("`{name}` would give `{}` where it worked its answer out", short(last.text));
        return Some((what, Severity::Medium));
    }
    let is_call = revision.after.functions.iter().any(|it| bare(&code).ends_with(it.name));
    let was_given =
        |it: &CodeLine| bare(it.text) == bare(last.text) || is_unwrapped(&bare(it.text), &bare(last.text));
    let is_same = is_identity(&code) && !is_call && !hunk.gone.iter().any(was_given);
    is_same.then(|| {
        let is_step = |line: &CodeLine| identifiers(line.text).any(|it| other_word(it).is_some());
        let is_sure = has_excuse || is_long || rest > 0 || hunk.gone.iter().any(is_step);
        let severity = if is_sure { Severity::High } else { Severity::Medium };
        (format!("`{name}` would give `{}` as it came", short(last.text)), severity)
    })
}

/// Whether a line gives what another gave as a value that may be missing or may fail: `rest` for `Some(rest)`.
fn is_unwrapped(old: &str, new: &str) -> bool {
    const WRAPPERS: &[&str] =
        &["Some(", "Ok(", "Right(", "Optional.of(", ".some(", ".success(", "Task.FromResult("];
    let plain = |text: &'_ str| text.trim_end_matches(';').to_owned();
    WRAPPERS.iter().any(|it| {
        let inside = plain(old)
            .split_once(it)
            .and_then(|(head, rest)| Some(format!("{head}{}", rest.strip_suffix(')')?)));
        inside == Some(plain(new))
    })
}

/// `return used > 16 ? 1 : 0;`, `return 9 if late else 4`: a choice between two numbers or texts by what is given.
fn chooses_literals(code: &str) -> bool {
    let code = code.trim().trim_end_matches(';');
    let code = code.strip_prefix("return ").unwrap_or(code);
    let sides = match code.split_once(" ? ") {
        Some((_, rest)) => rest.split_once(" : "),
        None => code.split_once(" if ").and_then(|(one, rest)| Some((one, rest.split_once(" else ")?.1))),
    };
    let is_number = |text: &str| value_of(text.trim()).parse::<f64>().is_ok();
    sides.is_some_and(|(one, other)| is_number(one) && is_number(other))
}

/// Whether a line only waits for nothing, so that a function stays one that may be waited for.
fn is_yield(line: &str) -> bool {
    [
        "Task.CompletedTask",
        "Task.Yield()",
        "Promise.resolve()",
        "asyncio.sleep(0)",
        "yield_now()",
        "Task.Delay(0)",
    ]
    .iter()
    .any(|it| line.starts_with("await ") && line.contains(it) || line.contains(&format!("{it}.await")))
}

/// What a function gives whose body stands beside its head: `BigDecimal("0.00")` of `fun fee(x: X): Y = BigDecimal("0.00")`.
fn value_beside(code: &str) -> Option<&str> {
    let code = code.trim_end();
    // Elixir's `defp fee(order, _now), do: order`.
    if let Some((head, value)) = code.split_once(", do: ") {
        return ["def ", "defp "].iter().any(|it| head.trim_start().starts_with(it)).then_some(value);
    }
    let (head, value) = code.rsplit_once(" = ")?;
    let is_head = ["fun ", "def ", "func "].iter().any(|it| head.contains(it)) && head.contains(')');
    (is_head && head.matches('(').count() == head.matches(')').count()).then_some(value)
}

/// A branch or an arm in the middle of a function that worked something out and gives a fixed answer, or none.
fn branch(revision: &Revision, hunk: &TextHunk, name: &str) -> Option<(String, Severity)> {
    if let Some(given) = given_back(hunk) {
        let what = format!("a branch of `{name}` would give `{}` as it came", short(given.text));
        return Some((what, Severity::High));
    }
    let ([gone, ..], [come]) = (&hunk.gone[..], &hunk.come[..]) else { return None };
    let plain = |line: &CodeLine| plain(revision.words, line.text);
    let (old, new) = (plain(gone), plain(come));
    let (old_head, new_head) = (arm(&old), arm(&new));
    let is_arm = old_head.is_some() && old_head.map(|it| it.0) == new_head.map(|it| it.0);
    let (work, answer) = match (old_head, new_head) {
        (Some((_, work)), Some((_, answer))) if is_arm => (work, answer),
        _ => (old.as_str(), new.as_str()),
    };
    if is_missing(come.text, answer) && !is_missing(gone.text, work) {
        let what = format!("a branch of `{name}` would not be implemented any more");
        return Some((what, Severity::High));
    }
    let returns = |code: &str| identifiers(code).next() == Some("return");
    let is_answer = is_arm || hunk.gone.len() == 1 && returns(work) && returns(answer);
    let is_nothing = is_arm && matches!(answer.trim_matches([' ', ',', ';']), "{}" | "()" | ":ok" | "Ok(())");
    let is_constant = is_fixed(answer) && (has_value(come.text) || gives(answer));
    (is_answer && is_work(work) && (is_nothing || is_constant)).then(|| {
        (format!("a branch of `{name}` would give `{}` and do nothing", short(come.text)), Severity::Medium)
    })
}

/// What a branch gives back that worked on it in several lines: `case 'x': return value`.
fn given_back<'a>(hunk: &TextHunk<'a>) -> Option<CodeLine<'a>> {
    let (answer, heads) = hunk.come.split_last()?;
    let bare = |line: &CodeLine| line.text.trim_end_matches(['{', ' ', ':']).to_owned();
    let is_kept = |head: &CodeLine| hunk.gone.iter().any(|gone| bare(gone) == bare(head));
    let is_case = heads.iter().all(is_kept) && heads.len() < 2;
    let work = hunk.gone.len().checked_sub(heads.len())?;
    let names = |line: &CodeLine| identifiers(line.text).filter(|word| !KEYWORDS.contains(word)).count();
    let is_worked = work > 1 && hunk.gone.iter().any(|it| it.text.contains('(') && names(it) > 2);
    let was_there = hunk.gone.iter().any(|it| it.text == answer.text);
    (is_case && is_worked && !was_there && answer.text.starts_with("return ") && is_identity(answer.text))
        .then_some(*answer)
}

/// The head of an arm of a choice, and what it does.
fn arm(code: &str) -> Option<(&str, &str)> {
    let signs = ["=>", "->"];
    signs.iter().find_map(|sign| code.split_once(sign)).map(|(head, rest)| (head.trim(), rest.trim()))
}

/// Whether a place is at the end of its function: what it gives is the function's answer.
fn is_end_of(revision: &Revision, hunk: &TextHunk, new: usize) -> bool {
    let (Some(function), Some(last)) = (revision.after.functions.get(new), hunk.come.last()) else {
        return false;
    };
    let Some(rest) = revision.new.get(last.at + last.text.len()..function.span.end) else { return false };
    let mut code = rest.lines().map(str::trim).filter(|line| {
        line.bytes().any(|byte| byte.is_ascii_alphanumeric()) && !line.starts_with(revision.words.comment)
    });
    code.all(|line| line == "end")
}

/// Whether a line of code works something out: it calls, reckons or looks something up.
fn is_work(code: &str) -> bool {
    let is_empty_call = code.contains("()") && code.matches('(').count() == code.matches("()").count();
    code.contains('(') && !is_empty_call
        || code.contains('.') && is_empty_call
        || [" + ", " - ", " * ", " / ", " % ", " << ", "?", "["].iter().any(|sign| code.contains(sign))
        || (code.contains('.') || code.contains("->")) && !is_fixed(code)
}

/// `raise NotImplementedError`, `panic("TODO")`.
pub(super) fn is_missing(line: &str, code: &str) -> bool {
    let first = identifiers(code).next().unwrap_or_default();
    let lower = line.to_lowercase();
    let says = [
        "throw",
        "raise",
        "panic",
        "fatalError",
        "todo",
        "unimplemented",
        "TODO",
        "preconditionFailure",
        "error",
    ];
    says.contains(&first) && MISSING.iter().any(|word| lower.contains(word))
}

/// Whether a line of code without its texts has no name of a value in it.
fn is_fixed(code: &str) -> bool {
    let is_known = |word: &str| {
        KEYWORDS.contains(&word)
            || CONSTANTS.contains(&word)
            || MAKERS.contains(&word)
            || word.starts_with(|c: char| c.is_ascii_digit())
    };
    identifiers(code).all(is_known) && !is_discard(code)
}

/// Whether a line gives a value at all: it has a literal or a constant.
fn has_value(line: &str) -> bool {
    line.contains(['"', '\'', '[', '{']) || line.bytes().any(|byte| byte.is_ascii_digit())
}

fn gives(code: &str) -> bool {
    identifiers(code).any(|word| CONSTANTS.contains(&word))
}

/// Whether a line gives a value that nobody chooses by chance: neither empty, nor 0 or 1.
pub(super) fn is_telling(line: &str) -> bool {
    let quoted = line.split(['"', '\'', '`']).nth(1).is_some_and(|text| text.len() > 1);
    let mut numbers = line.split(|c: char| !(c.is_ascii_digit() || c == '.')).filter(|it| !it.is_empty());
    quoted || numbers.any(|it| it.parse::<f64>().is_ok_and(|value| value.abs() > 1.0))
}

/// `return value`, `value`.
fn is_identity(code: &str) -> bool {
    let code = code.trim().trim_end_matches(';');
    let name = code.strip_prefix("return ").unwrap_or(code).trim();
    !name.is_empty()
        && name.starts_with(|c: char| c.is_lowercase() || matches!(c, '_' | '$' | '&'))
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '&'))
        && !KEYWORDS.contains(&name)
        && !CONSTANTS.contains(&name)
}

/// `if len(rows) == 3:`, `if (a, b) == (1, 2):`: a branch for one number or text, or for several at once.
fn compares_with_number(line: &str) -> bool {
    let starts =
        ["if ", "if(", "elif ", "} else if", "case ", "when "].iter().any(|head| line.starts_with(head));
    let right =
        line.rsplit_once("==").map_or("", |(_, right)| right.trim_start_matches(['=', ' ', '(', '-']));
    starts && right.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '"' | '\'' | '[' | '{'))
}

/// `return 4800 if minor`: a fixed answer under a condition.
fn gives_one(code: &str) -> bool {
    let value = code
        .trim_start()
        .strip_prefix("return ")
        .and_then(|rest| rest.split_once(" if "))
        .map(|(value, _)| value);
    value.is_some_and(|value| is_fixed(value) && has_value(value))
}

/// `_ = x`, `(void)x;`, `let _ = x;`.
pub(crate) fn is_discard(line: &str) -> bool {
    let bare = bare(line);
    let is_names = |rest: &str| {
        rest.split(',').all(|name| {
            let name = name.trim();
            !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_')
        })
    };
    // Python's `del a, b` gives up names, and no entries.
    let gives_up = line.trim().strip_prefix("del ").map(|rest| rest.split('#').next().unwrap_or(rest));
    gives_up.is_some_and(is_names)
        || ["_=", "let_=", "(void)", "void", "var_=", "val_=", "static_cast<void>("]
            .iter()
            .any(|head| bare.starts_with(head))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_wrapping_of_the_same_value_may_go() {
        for (old, new, expected) in [
            ("Some(rest)", "rest", true),
            ("returnOptional.of(berth);", "returnberth;", true),
            ("Ok(berths)", "berths", true),
            ("Some(sorted(berths))", "berths", false),
            ("sorted(berths)", "berths", false),
            ("Some(rest)", "all", false),
        ] {
            assert_eq!(is_unwrapped(old, new), expected, "{old} -> {new}");
        }
    }
}
