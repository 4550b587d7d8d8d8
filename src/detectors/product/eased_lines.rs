//! Lines of checks that let more through by one change: a tolerance in the place of equality, the first of a list for the
//! list, a flag in front that is off, bounds far away, a part that may be anything, a value that is not asked any more.

use crate::detectors::Case;
use crate::detectors::engine::hunks::{CodeLine, TextHunk};
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::bounds::{is_ten_times, widened};
use crate::detectors::product::check_words::{CHECKS, is_named, short};
use crate::detectors::product::line_conditions::{AND, OR, comparison, condition, differing, operands};
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::margins::margin;
use crate::detectors::product::off_flags::put_behind_flag;
use crate::detectors::product::refusals::has_tests_of;
use crate::detectors::testing::word_edit::words;
use crate::languages::code::{bare, identifiers, plain, refuses};
use crate::model::finding::Severity;

/// How code takes the first of several, without white space.
const FIRST: &[&str] = &[
    ".first()",
    ".first",
    ".headOption",
    ".head",
    "[0]",
    "[:1]",
    ".iter().take(1)",
    ".take(1)",
    ".slice(0,1)",
    ".firstOrNull()",
    ".Take(1)",
    ".prefix(1)",
    ".limit(1)",
    "|>Enum.take(1)",
    ".FirstOrDefault()",
    ".get(0)",
];
/// First words of functions that say whether something passes.
const PASSES: &[&str] = &[
    "is",
    "has",
    "can",
    "valid",
    "fits",
    "allowed",
    "allows",
    "accepts",
    "within",
    "plausible",
    "may",
    "eligible",
];
/// From so much on a tolerance is more than rounding.
const ROUNDING: f64 = 0.01;

type Eased = (String, Severity);

/// The first line of the kind.
pub(super) fn eased_line(case: &Case, revision: &Revision) -> Option<LostCheck> {
    let (line, (what, severity)) = put_behind_flag(revision).or_else(|| {
        revision.hunks().iter().find_map(|hunk| {
            let gone = hunk.gone.iter();
            gone.zip(&hunk.come)
                .find_map(|(old, new)| Some((*old, of_pair(revision, hunk, old, new)?)))
                .or_else(|| hunk.gone.iter().find_map(|old| Some((*old, less_asked(revision, hunk, old)?))))
        })
    })?;
    let name = revision.old_function_at(line.at).map_or("", |it| it.name);
    (!has_tests_of(case, name)).then(|| LostCheck::of_line(&line, name, what, severity))
}

fn of_pair(revision: &Revision, hunk: &TextHunk, old: &CodeLine, new: &CodeLine) -> Option<Eased> {
    let said = |severity| (format!("`{}` would become `{}`", short(old.text), short(new.text)), severity);
    if let Some(severity) = anything(&revision.change.path, old.text, new.text) {
        return Some(said(severity));
    }
    let passes = passes(revision.old_function_at(old.at).map_or("", |it| it.name));
    if let Some(severity) = wider_range(revision, hunk, (old, new), passes) {
        return Some(said(severity));
    }
    if passes && let Some(severity) = without_margin(old.text, new.text) {
        return Some(said(severity));
    }
    let (was, is) = (condition(old.text)?, condition(new.text)?);
    let says_no = |line: &CodeLine, side: &[CodeLine]| {
        refuses(revision.words, line.text)
            || hunk.next(side, line).is_some_and(|it| refuses(revision.words, it.text))
    };
    if was.must_hold != is.must_hold || !says_no(old, &hunk.gone) || !says_no(new, &hunk.come) {
        return None;
    }
    let is_first = FIRST.iter().any(|it| is.text.contains(it) && is.text.replacen(it, "", 1) == was.text);
    let severity = if is_first { Some(Severity::High) } else { tolerant(&was.text, &is.text, was.must_hold) };
    severity.map(said)
}

/// Whether a function of this name says whether something passes.
fn passes(name: &str) -> bool {
    name.ends_with('?') || is_named(name, PASSES) || is_named(name, CHECKS)
}

/// `a != b` that became `abs(a - b) > 1`.
fn tolerant(was: &str, is: &str, must_hold: bool) -> Option<Severity> {
    let signs = [AND, OR].concat();
    let (old, new) = (operands(was, &signs), operands(is, &signs));
    let (was, is) = differing(&old, &new)?;
    let (left, sign, right) = comparison(was)?;
    let (measured, other, limit) = comparison(is)?;
    let is_equality = if must_hold { matches!(sign, "==" | "===") } else { matches!(sign, "!=" | "!==") };
    let is_within = if must_hold { other.starts_with('<') } else { other.starts_with('>') };
    let is_difference =
        measured.to_lowercase().contains("abs(") && measured.contains(left) && measured.contains(right);
    if !is_equality || !is_within || !is_difference {
        return None;
    }
    match limit.trim_end_matches(['m', 'M', 'f', 'd', 'L']).parse::<f64>() {
        Ok(limit) if limit < ROUNDING => None,
        Ok(_) => Some(Severity::High),
        Err(_) => Some(Severity::Medium),
    }
}

/// A range that has to hold and takes more: `not 0 <= x < 360`, `when c >= -60 and c <= 30, do: :ok`. `passes` says whether
/// it stands in a function that says whether something passes.
fn wider_range(
    revision: &Revision,
    hunk: &TextHunk,
    (old, new): (&CodeLine, &CodeLine),
    passes: bool,
) -> Option<Severity> {
    let (was, is) = (plain(revision.words, old.text), plain(revision.words, new.text));
    let decided = condition(old.text);
    let is_negated =
        decided.is_some_and(|it| it.must_hold || it.text.starts_with("not") || it.text.starts_with("!("));
    let below = hunk.next(&hunk.gone, old);
    let is_refused = is_negated
        && (refuses(revision.words, old.text) || below.is_some_and(|it| refuses(revision.words, it.text)));
    let is_clause =
        was.contains(" when ") && [", do: :ok", ", do: true", ", do: {:ok"].iter().any(|it| was.contains(it));
    let is_answer = passes && was.trim_start().starts_with("return ") && was.contains("<");
    if !(is_refused || is_clause || is_answer) {
        return None;
    }
    // What is a bound stays one, whether it is itself within or not.
    let loose = |text: &str| {
        let text =
            bare(&text.replace(" and ", "&&").replace(" or ", "||")).replace("<=", "<").replace(">=", ">");
        text.replace("ifnot", "").replace("unless", "").replace("return", "")
    };
    let (was, is) = (loose(&was), loose(&is));
    if !widened(&was, &is) {
        return None;
    }
    Some(if is_ten_times(&was, &is) { Severity::High } else { Severity::Medium })
}

/// A part of what is taken apart that had to be one value, and may be any: `{n, \"\"}` that became `{n, _rest}`.
fn anything(path: &str, was: &str, is: &str) -> Option<Severity> {
    const ENDS: &[&str] = &[".ex", ".exs", ".rs", ".scala", ".erl"];
    let is_match = was.contains(" <- ") || ["=>", "->", " = "].iter().any(|sign| was.contains(sign));
    if !is_match || !ENDS.iter().any(|end| path.ends_with(end)) {
        return None;
    }
    let (old, new) = (words(was), words(is));
    let mut others = old.iter().zip(&new).filter(|((_, a), (_, b))| a != b);
    let ((at, value), (_, other)) =
        others.next().filter(|_| old.len() == new.len() && others.next().is_none())?;
    let is_literal = value.starts_with(['"', '\'', ':']) || value.starts_with(|c: char| c.is_ascii_digit());
    let ends = [" <- ", "=>", "->", " = "].iter().filter_map(|sign| was.find(sign)).min().unwrap_or(0);
    (is_literal && other.starts_with('_') && *at < ends)
        .then(|| if was.contains(" <- ") { Severity::High } else { Severity::Medium })
}

/// A comparison without the term that one side had more: `draught + 0.5 <= depth` that became `draught <= depth`.
fn without_margin(was: &str, is: &str) -> Option<Severity> {
    let signs = [AND, OR].concat();
    let text = |line: &str| bare(line.trim_start_matches("return ").trim_end_matches(';'));
    let (was, is) = (text(was), text(is));
    let (old, new) = (operands(&was, &signs), operands(&is, &signs));
    let (was, is) = differing(&old, &new)?;
    let ((left, sign, right), (other, same, given)) = (comparison(was)?, comparison(is)?);
    let lost = if right == given { (margin(other, left), true) } else { (margin(given, right), false) };
    let ((Some((_, is_added)), is_left), true) = (lost, sign == same && (left == other) != (right == given))
    else {
        return None;
    };
    // `a + x <= b` asks more than `a <= b`.
    let is_less = (is_added == is_left) == sign.starts_with('<');
    (is_less && matches!(sign, "<" | "<=" | ">" | ">=")).then_some(Severity::Medium)
}

/// A value that a refusal asks by its name, made of fewer others than before.
fn less_asked(revision: &Revision, hunk: &TextHunk, old: &CodeLine) -> Option<Eased> {
    let (name, was) = defined(old.text)?;
    let compares = |text: &str| ["<", ">", "==", "!="].iter().any(|sign| text.contains(sign));
    let new = hunk.come.iter().find(|it| defined(it.text).is_some_and(|(other, _)| other == name))?;
    let (_, is) = defined(new.text)?;
    let (was_code, is_code) = (plain(revision.words, was), plain(revision.words, is));
    if !compares(&was_code) || !compares(&is_code) || !is_asked(revision, name) {
        return None;
    }
    let is_constant =
        |word: &str| word.strip_prefix('k').is_some_and(|rest| rest.starts_with(char::is_uppercase));
    let is_value = |word: &&str| {
        word.starts_with(|c: char| c.is_lowercase() || c == '_')
            && !is_constant(word)
            && !matches!(*word, "std" | "min" | "max" | "and" | "or" | "not")
    };
    let kept = |word: &&str| identifiers(&is_code).any(|it| it == *word);
    let lost: Vec<&str> = identifiers(&was_code).filter(is_value).filter(|it| !kept(it)).collect();
    let is_new =
        identifiers(&is_code).filter(is_value).any(|it| !identifiers(&was_code).any(|word| word == it));
    let first = lost.first().filter(|_| !is_new)?;
    let discards = ["(void)", "_ = ", "let _ = "].iter().any(|head| {
        hunk.come
            .iter()
            .any(|it| it.text.strip_prefix(head).is_some_and(|rest| rest.trim_end_matches(';') == *first))
    });
    let what = format!("`{name}`, by which something is refused, would not ask `{first}` any more");
    Some((what, if discards { Severity::High } else { Severity::Medium }))
}

/// The name that a line gives to a value, and the value.
fn defined(line: &str) -> Option<(&str, &str)> {
    let (head, value) = line.split_once(" = ").or_else(|| line.split_once(" := "))?;
    let name = identifiers(head.split(':').next().unwrap_or(head)).last()?;
    (!head.contains(['(', '.', '[']) && name.len() > 2).then_some((name, value))
}

/// Whether a condition before a refusal names a value.
fn is_asked(revision: &Revision, name: &str) -> bool {
    let lines: Vec<&str> = revision.old.lines().collect();
    lines.iter().enumerate().any(|(at, line)| {
        let names = || identifiers(line).any(|it| it == name);
        let refused = || lines.iter().skip(at).take(2).any(|it| refuses(revision.words, it));
        condition(line.trim()).is_some() && names() && refused()
    })
}
