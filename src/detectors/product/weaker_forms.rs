//! Checks that stay under another form which lets everything through: a claim that only runs while somebody debugs, a save
//! that tells of its failure to nobody, a cast in the place of a parser, a pattern that asks for a field no more.
//!
//! The line is the same otherwise.

use crate::detectors::Case;
use crate::detectors::engine::hunks::CodeLine;
use crate::detectors::engine::line_pairs::line_pairs;
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::short;
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::refusals::has_tests_of;
use crate::detectors::testing::word_edit::{Edit, is_data, is_name, is_sign, words};
use crate::languages::code::bare;
use crate::model::finding::Severity;
use crate::model::words::is_name_part;

/// Checks, each with its form that is left out of what is delivered: how files end, the check, the form.
const DEBUG_ONLY: &[(&[&str], &str, &str)] = &[
    (&[".kt", ".kts", ".scala"], "require(", "assert("),
    (&[".kt", ".kts"], "check(", "assert("),
    (&[".kt", ".kts"], "requireNotNull(", "assert("),
    (&[".scala"], "require(", "assume("),
    (&[".swift"], "precondition(", "assert("),
    (&[".swift"], "preconditionFailure(", "assertionFailure("),
    (&[".swift"], "fatalError(", "assertionFailure("),
    (&[".rs"], "assert!(", "debug_assert!("),
    (&[".rs"], "assert_eq!(", "debug_assert_eq!("),
    (&[".rs"], "assert_ne!(", "debug_assert_ne!("),
    (&[".php"], "Assert::", "assert("),
    (&[".cs"], "Trace.Assert(", "Debug.Assert("),
];
/// Calls of Ruby that raise where they end with `!`.
const RAISING: &[&str] = &[
    "save",
    "update",
    "create",
    "destroy",
    "insert",
    "upsert",
    "validate",
    "first_or_create",
    "find_or_create_by",
    "increment",
    "decrement",
    "touch",
    "toggle",
    "lock",
];
/// Calls that refuse what does not fit a type or a schema.
const PARSING: &[&str] = &[
    "parse",
    "parseAsync",
    "validateSync",
    "model_validate",
    "parse_obj",
    "validate_python",
    "assertType",
    "decode",
    "attempt",
    "cast",
];

/// The first check of a file that is put so that it lets everything through.
pub(super) fn weaker_form(case: &Case, revision: &Revision) -> Option<LostCheck> {
    let path = &revision.change.path;
    if let Some((line, name)) = clause_lost(revision) {
        let what = format!("the clause of `{name}` that refuses would be gone: `{}`", short(line.text));
        return (!has_tests_of(case, name)).then(|| LostCheck::of_line(&line, name, what, Severity::High));
    }
    let pairs = line_pairs(revision.hunks());
    let below = |line: &CodeLine| {
        let at = usize::try_from(line.number).unwrap_or(usize::MAX);
        revision.new.lines().nth(at).map(str::trim).unwrap_or_default()
    };
    let is_parted = |old: &CodeLine, new: &CodeLine| {
        let come = revision.hunks().iter().flat_map(|it| &it.come);
        let beside: Vec<&str> = come.filter(|it| it.at != new.at).map(|it| it.text).collect();
        is_asked_beside(old.text, new.text, &beside)
    };
    let fewer = |old: &CodeLine, new: &CodeLine| {
        (has_fewer(old.text, new.text, below(new)) && !is_parted(old, new))
            .then(|| format!("`{}` would become `{}`, which asks for less", short(old.text), short(new.text)))
    };
    let (line, what) = pairs.into_iter().find_map(|(old, new)| {
        let what = said(path, old, new).or_else(|| fewer(old, new))?;
        Some((*old, what))
    })?;
    let owner = revision.owner_at(line.at)?;
    let name = revision.before.functions.get(owner)?.name;
    (!has_tests_of(case, name)).then(|| LostCheck::of_line(&line, name, what, Severity::High))
}

fn said(path: &str, old: &CodeLine, new: &CodeLine) -> Option<String> {
    let (was, is) = (old.text, new.text);
    if is_debug_only(path, was, is) {
        return Some(format!("`{}` would be checked only while somebody debugs", short(was)));
    }
    if path.ends_with(".rb") && is_hushed(was, is) {
        return Some(format!("`{}` would not raise where it fails any more", short(is)));
    }
    if let Some(value) = cast(was, is) {
        return Some(format!("`{value}` would be taken as it comes, where `{}` checked it", short(was)));
    }
    let field = field_lost(was, is)?;
    Some(format!("`{}` would not ask for `{field}` any more", short(is)))
}

/// A clause of Elixir that refuses, and is gone from a function that has other clauses still.
fn clause_lost<'a>(revision: &Revision<'a>) -> Option<(CodeLine<'a>, &'a str)> {
    if ![".ex", ".exs"].iter().any(|end| revision.change.path.ends_with(end)) {
        return None;
    }
    let name = |text: &'a str| {
        let rest = text.strip_prefix("defp ").or_else(|| text.strip_prefix("def "))?;
        rest.split(['(', ' ']).next()
    };
    revision.hunks().iter().filter(|hunk| hunk.come.is_empty()).flat_map(|hunk| &hunk.gone).find_map(|line| {
        let own = name(line.text)?;
        let answer = line.text.split_once("do:").map(|(_, answer)| answer.trim())?;
        let is_no = answer.starts_with("{:error")
            || answer.starts_with("raise")
            || answer == "false"
            || answer == ":error";
        let is_left = revision.new.lines().any(|it| name(it.trim()) == Some(own));
        (is_no && is_left).then_some((*line, own))
    })
}

/// The operands of a condition of which one has to hold.
fn parts(text: &str) -> Vec<String> {
    let text =
        text.strip_prefix("if ").unwrap_or(text).trim_end_matches(['{', ' ', ':']).replace(" or ", "||");
    text.split("||").map(|it| it.trim().to_owned()).collect()
}

/// Whether what a condition does not ask any more is asked by another new line: it was parted in two.
fn is_asked_beside(was: &str, is: &str, beside: &[&str]) -> bool {
    let kept: Vec<String> = parts(is).iter().map(|it| bare(it)).collect();
    let lost: Vec<String> = parts(was).iter().map(|it| bare(it)).filter(|it| !kept.contains(it)).collect();
    let asks = |text: &&str| text.starts_with("if") || text.starts_with("||") || text.starts_with("or ");
    let is_there = |part: &String| {
        beside.iter().filter(|it| asks(it)).any(|line| bare(line).contains(part.trim_matches(['(', ')'])))
    };
    !lost.is_empty() && lost.iter().all(is_there)
}

/// Whether a condition that leaves with nothing has fewer comparisons, all about what it was about.
fn has_fewer(was: &str, is: &str, below: &str) -> bool {
    const NOTHING: &[&str] =
        &["nullopt", "null", "nil", "None", "false", "undefined", "Err(", "error", "Nothing", "[]"];
    let names = |text: &str| -> Vec<String> {
        let all = words(text).into_iter().map(|(_, word)| word).filter(|it| is_name(it) && !is_data(it));
        all.map(str::to_owned).collect()
    };
    let (old, new) = (parts(was), parts(is));
    let is_condition =
        was.starts_with("if") && is.starts_with("if") && !was.contains("&&") && !is.contains("&&");
    let is_known = names(is).iter().all(|it| names(was).contains(it));
    let compares = |all: &[String]| all.iter().filter(|it| it.contains(['<', '>', '=', '!'])).count();
    let leaves = below.starts_with("return") && NOTHING.iter().any(|it| below.contains(it));
    is_condition && is_known && leaves && new.len() < old.len() && compares(&old) > compares(&new)
}

fn is_debug_only(path: &str, was: &str, is: &str) -> bool {
    DEBUG_ONLY.iter().filter(|(ends, ..)| ends.iter().any(|end| path.ends_with(end))).any(
        |(_, check, form)| {
            let (Some((head, rest)), Some((new_head, new_rest))) =
                (was.split_once(check), is.split_once(form))
            else {
                return false;
            };
            let is_whole = !head.ends_with(is_name_part) && !new_head.ends_with(is_name_part);
            is_whole
                && head == new_head
                && (bare(rest) == bare(new_rest) || new_rest.starts_with(rest.get(..4).unwrap_or("\u{0}")))
        },
    )
}

/// Whether a line of Ruby lost the sign by which a call raises.
fn is_hushed(was: &str, is: &str) -> bool {
    let is_raising = |(at, _): (usize, &str)| {
        let head = was.get(..at).unwrap_or_default();
        RAISING.contains(&head.rsplit(|c| !is_name_part(c)).next().unwrap_or_default())
    };
    let without: String = was.replace('!', "");
    was.matches('!').count() > is.matches('!').count()
        && is.replace('!', "") == without
        && was.match_indices('!').any(is_raising)
}

/// What is only cast now, and was parsed: `Order.parse(raw)` that became `raw as Order`.
fn cast<'t>(was: &'t str, is: &str) -> Option<&'t str> {
    let (left, value) = was.split_once(" = ")?;
    let (new_left, new_value) = is.split_once(" = ")?;
    let name = |text: &str| text.split(':').next().unwrap_or(text).trim().to_owned();
    let call = PARSING.iter().find_map(|it| value.split_once(&format!(".{it}(")))?;
    let argument =
        call.1.split([')', ',']).next().filter(|it| !it.is_empty() && it.chars().all(is_name_part))?;
    let new_value = new_value.trim_end_matches([';', ' ']);
    let rest = new_value.trim_start_matches(['(', ' ']).strip_prefix(argument);
    let is_as = rest.is_some_and(|it| it.trim_start_matches(')').is_empty() || it.starts_with(" as "));
    let is_typed = ["cast(", "model_construct(", ".construct("].iter().any(|it| new_value.contains(it));
    (name(left) == name(new_left) && (is_as || is_typed)).then_some(argument)
}

/// The field with a fixed value that the pattern of an arm asks for no more: `%Member{role: :owner} ->`.
fn field_lost(was: &str, is: &str) -> Option<String> {
    let (old, new) = (format!("{was}\n"), format!("{is}\n"));
    let edit = Edit::of(&old, &new).filter(|it| it.come.iter().all(|word| is_sign(word)))?;
    let rest = old.get(edit.end..)?;
    let head = old.get(..edit.start)?;
    let is_arm =
        ["->", "=>"].iter().any(|it| rest.contains(it)) && !["->", "=>"].iter().any(|it| head.contains(it));
    let is_pattern = head.contains('{') && !head.contains('(') && !head.contains('=');
    let all: Vec<&str> = edit.gone.iter().copied().filter(|it| *it != ",").collect();
    let (name, value) = (all.first()?, all.get(1..)?);
    let is_fixed = value.first() == Some(&":")
        && match value.get(1..)? {
            [":", atom] => is_name(atom),
            [one] => is_data(one) || one.starts_with(char::is_uppercase),
            [kind, ":", ":", one] => is_name(kind) && is_name(one),
            _ => false,
        };
    let is_word = is_name(name) && words(is).len() + all.len() <= words(was).len() + 1;
    (is_arm && is_pattern && is_fixed && is_word).then(|| all.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_said(path: &str, was: &str, is: &str) -> bool {
        let line = |text| CodeLine { text, at: 0, number: 1 };
        said(path, &line(was), &line(is)).is_some()
    }

    #[test]
    fn forms_that_let_everything_through_are_told() {
        for (path, was, is, expected) in [
            (
                "a.kt",
                "require(NAME.matches(it)) { \"bad name\" }",
                "assert(NAME.matches(it)) { \"bad name\" }",
                true,
            ),
            ("a.rs", "assert!(left > 0, \"none left\");", "debug_assert!(left > 0, \"none left\");", true),
            ("a.swift", "precondition(left > 0)", "assert(left > 0)", true),
            ("a.kt", "assert(left > 0)", "require(left > 0)", false),
            ("a.rb", "seat.update!(state: :sold)", "seat.update(state: :sold)", true),
            ("a.rb", "names.uniq!", "names.uniq", false),
            ("a.ts", "const seat = Seat.parse(body);", "const seat = body as Seat;", true),
            ("a.ts", "const seat = Seat.parse(body);", "const seat = Seat.parse(body, options);", false),
            ("a.py", "seat = Seat.model_validate(body)", "seat = Seat.model_construct(**body)", true),
            ("a.ex", "%Seat{state: :free} ->", "%Seat{} ->", true),
            ("a.rs", "Seat { state: State::Free, .. } => sell(),", "Seat { .. } => sell(),", true),
            ("a.ex", "%Seat{state: state} ->", "%Seat{} ->", false),
        ] {
            assert_eq!(is_said(path, was, is), expected, "{was} -> {is}");
        }
    }
}
