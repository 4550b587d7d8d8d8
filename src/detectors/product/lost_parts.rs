//! Parts of an expression that go while the rest of it stays: one of several alternatives, a tie-break, a field of what is given.
//!
//! A line counts only where nothing else of it changes.

use crate::detectors::Case;
use crate::detectors::engine::code_lines::{PLAIN_QUOTES, quoted};
use crate::detectors::engine::hunks::{CodeLine, TextHunk, hunks};
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::short;
use crate::detectors::product::functions::is_part_of_more;
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::lost_choices::{choice_lost, first_alone, term_lost};
use crate::detectors::product::lost_steps::step_lost;
use crate::detectors::product::refusals::has_tests_of;
use crate::detectors::testing::word_edit::{Edit, is_data, is_name, words};
use crate::languages::Language;
use crate::languages::code::{bare, identifiers, is_log, refuses};
use crate::model::finding::{Change, Severity};

/// Words of lines that put things in order, in lower case.
const ORDERING: &[&str] = &[
    "sort",
    "order_by",
    "orderby",
    "order by",
    ".order(",
    "comparing",
    "minby",
    "maxby",
    "min_by",
    "max_by",
];
/// What stands in lines that give something with its fields.
const GIVING: &[&str] = &[
    "return", "json(", "=> (", "=> {", "render", "respond", "emit(", "publish(", "send(", "yield", ".push(",
    "append(", "Ok(", "{:ok",
];
/// Heads of lines that bring names in.
const BESIDE: &[&str] = &["import ", "from ", "use ", "using ", "#include", "@", "require", "export {"];
/// So many lines below a question its refusal stands.
const BELOW: usize = 3;
/// A name shorter than this stands for many things.
const TELLING: usize = 3;

/// The first part that goes from what a function works out or gives.
pub(super) fn part_lost(case: &Case, revision: &Revision) -> Option<LostCheck> {
    if let Some(line) = revision.hunks().iter().find_map(first_alone) {
        let name = owner(revision, &line)?;
        let what = format!("only the first of `{}` would be worked on", short(line.text));
        return (!has_tests_of(case, name)).then(|| LostCheck::of_line(&line, name, what, Severity::High));
    }
    let (line, what) = revision.hunks().iter().find_map(|hunk| part_of(revision, hunk))?;
    let name = owner(revision, &line)?;
    (!has_tests_of(case, name) && !is_part_of_more(case, revision))
        .then(|| LostCheck::of_line(&line, name, what, Severity::Medium))
}

/// The part that goes in one place, and what is said of it.
fn part_of<'a>(revision: &Revision<'a>, hunk: &TextHunk<'a>) -> Option<(CodeLine<'a>, String)> {
    let alternative = || {
        let (gone, lost) = alternative(hunk)?;
        (!is_there(revision.new, &lost))
            .then(|| (gone, format!("`{}` would not count any more", short(&lost))))
    };
    let field = || {
        let (line, name) = field(hunk)?;
        Some((line, format!("`{name}` would not be given any more")))
    };
    let step = || {
        let (line, name) = step_lost(revision, hunk)?;
        Some((line, format!("nothing would go through `{name}` any more: {}", short(line.text))))
    };
    let choice = || {
        let (line, condition) = choice_lost(hunk)?;
        Some((line, format!("`{}` would make no difference any more", short(&condition))))
    };
    let term = || {
        let (line, term) = term_lost(hunk)?;
        Some((line, format!("`{}` would not be reckoned in any more", short(&term))))
    };
    alternative().or_else(field).or_else(step).or_else(choice).or_else(term)
}

/// The first question that a refusal goes by and that asks for less: `find(bad(x) or worse(x))` above `raise`.
pub(super) fn question_lost(case: &Case, revision: &Revision) -> Option<LostCheck> {
    let (line, lost) = revision.hunks().iter().find_map(|hunk| {
        let (line, lost) = alternative(hunk)?;
        let at = usize::try_from(hunk.come.first()?.number).ok()?;
        let below = || revision.new.lines().skip(at.saturating_sub(1)).take(BELOW + 1).map(str::trim);
        // An atom of an error says no as well.
        let is_no =
            |text: &str| refuses(revision.words, text) || text.contains("{:error") || text.contains("Left(");
        (!is_there(revision.new, &lost) && below().any(is_no)).then_some((line, lost))
    })?;
    let name = owner(revision, &line)?;
    let what = format!("`{}` would not be checked any more", short(&lost));
    (!has_tests_of(case, name)).then(|| LostCheck::of_line(&line, name, what, Severity::High))
}

/// The fields that a change takes out of what is given, and the texts of an alternative that goes.
pub fn lost_parts(change: &Change) -> Vec<String> {
    let (Some(old), Some(new), Some(language)) =
        (change.before.as_deref(), change.after.as_deref(), Language::of_path(&change.path))
    else {
        return Vec::new();
    };
    let places = hunks(language.refusing().comment, old, new).unwrap_or_default();
    let fields = places.iter().filter_map(|hunk| Some(field(hunk)?.1));
    let others = places.iter().filter_map(|hunk| Some(alternative(hunk)?.1));
    let texts = |part: String| -> Vec<String> { quoted(&part, PLAIN_QUOTES).map(str::to_owned).collect() };
    let texts = others.flat_map(texts).filter(|text| {
        !text.is_empty() && !new.contains(&format!("'{text}'")) && !new.contains(&format!("\"{text}\""))
    });
    fields.chain(texts).collect()
}

/// The first part that a test asks for, as a field or as a text.
pub fn part_asked(test: &str, fields: &[String]) -> Option<String> {
    const CLAIMING: &[&str] = &["assert", "expect", "should", "equal", "toBe", "toMatch", "=="];
    let asks = |line: &str, name: &str| {
        let is_claim = || CLAIMING.iter().any(|word| line.contains(word));
        ["\"", "'"].iter().any(|sign| line.contains(&format!("{sign}{name}{sign}")))
            || [".", "->", "[:"].iter().any(|sign| line.contains(&format!("{sign}{name}")))
            || line.contains(&format!("{name}:")) && is_claim()
    };
    let is_word = |line: &str, name: &String| {
        identifiers(line).any(|it| it == *name) || !name.contains(char::is_alphanumeric)
    };
    let is_asked = |name: &&String| test.lines().any(|line| asks(line, name) && is_word(line, name));
    fields.iter().find(is_asked).cloned()
}

fn owner<'a>(revision: &Revision<'a>, line: &CodeLine) -> Option<&'a str> {
    let old = revision.owner_at(line.at)?;
    revision.successor(old)?;
    revision.before.functions.get(old).map(|it| it.name)
}

fn is_there(new: &str, lost: &str) -> bool {
    lost.len() > 3 && bare(new).contains(&bare(lost))
}

/// The alternative that is gone from the one line of a place: `|| b`, `a ||`, a second key of an order.
fn alternative<'a>(hunk: &TextHunk<'a>) -> Option<(CodeLine<'a>, String)> {
    let ([gone], [come]) = (&hunk.gone[..], &hunk.come[..]) else { return None };
    let (old, new) = (format!("{}\n", gone.text), format!("{}\n", come.text));
    let edit = Edit::of(&old, &new).filter(|it| it.gone.len() > 2)?;
    // A block that the rest needs no more may go along: `a.and(b)`.
    let only_closes = edit.come.iter().all(|word| matches!(*word, ")" | "]" | "(" | "["));
    if !only_closes || is_log(gone.text) || BESIDE.iter().any(|head| gone.text.starts_with(head)) {
        return None;
    }
    let lost = cut(&edit.gone)?;
    let lower = gone.text.to_lowercase();
    let orders = ORDERING.iter().any(|word| lower.contains(word));
    let is_of_two =
        matches!(lost.0, "|" | "or" | "orelse" | "orElse") || orders && matches!(lost.0, "," | "then" | "?");
    // `&1.price` of Elixir is a number to a reader of words.
    let names = lost.1.iter().filter(|word| {
        !is_data(word) || word.contains(char::is_alphabetic) && !word.starts_with(['"', '\''])
    });
    let names = names.filter(|word| word.contains(char::is_alphabetic)).count();
    (is_of_two && names > 0).then(|| (*gone, lost.1.concat()))
}

/// The sign before or after what is gone, and that without it. What two operands begin with may be cut out of their middle.
fn cut<'t>(gone: &[&'t str]) -> Option<(&'t str, Vec<&'t str>)> {
    let is_sign = |at: usize| match gone.get(at) {
        Some(&"|") => gone.get(at + 1) == Some(&"|"),
        Some(&"or" | &"orelse" | &"orElse" | &",") => true,
        Some(word) => word.starts_with("then"),
        None => false,
    };
    let at = (0..gone.len()).find(|at| is_sign(*at))?;
    let sign = if gone.get(at)?.starts_with("then") { "then" } else { gone.get(at)? };
    let size = if sign == "|" { 2 } else { usize::from(sign != "then") };
    let (head, rest) = (gone.get(..at)?, gone.get(at + size..)?);
    let part = if at <= 1 { [rest, head].concat() } else { head.to_vec() };
    Some((sign, part))
}

/// The field that is gone from what is given, in a line of its own or within one.
fn field<'a>(hunk: &TextHunk<'a>) -> Option<(CodeLine<'a>, String)> {
    own_line(hunk).or_else(|| within_line(hunk))
}

/// `"total": x,` between lines of the same form.
fn own_line<'a>(hunk: &TextHunk<'a>) -> Option<(CodeLine<'a>, String)> {
    let ([gone], []) = (&hunk.gone[..], &hunk.come[..]) else { return None };
    let name = key(gone.text)?;
    let is_beside = |line: Option<CodeLine>| line.is_some_and(|it| key(it.text).is_some());
    let opens = |line: Option<CodeLine>| {
        line.is_some_and(|it| {
            it.text.ends_with(['{', '(']) && GIVING.iter().any(|word| it.text.contains(word))
        })
    };
    (is_beside(hunk.above) && (is_beside(hunk.below) || hunk.below.is_some())
        || opens(hunk.above) && is_beside(hunk.below))
    .then(|| (*gone, name.to_owned()))
}

/// The key of a line that is an entry: `total: sum(rows),`, `'total' => $x,`, `"total": x`.
fn key(line: &str) -> Option<&str> {
    let (head, rest) = line.split_once("=>").or_else(|| line.split_once(':'))?;
    let name = head.trim().trim_matches(['"', '\'', '`']);
    let is_word = name.len() >= TELLING && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let rest = rest.trim();
    let ends = line.ends_with(',') && !rest.is_empty() && !rest.starts_with([':', '=']);
    // A declaration has a type there, and an option of a call a plain value.
    let is_worked =
        rest.contains(['.', '(', '$', '[', '@']) || identifiers(rest).next().is_some_and(|it| it == name);
    (is_word && ends && is_worked && !line.contains("function") && !rest.ends_with("{,")).then_some(name)
}

/// `{ id, total }` that became `{ id }` in a line that gives it.
fn within_line<'a>(hunk: &TextHunk<'a>) -> Option<(CodeLine<'a>, String)> {
    let ([gone], [come]) = (&hunk.gone[..], &hunk.come[..]) else { return None };
    let (old, new) = (format!("{}\n", gone.text), format!("{}\n", come.text));
    let edit = Edit::of(&old, &new).filter(|it| it.come.is_empty())?;
    let is_giving = GIVING.iter().any(|word| gone.text.contains(word)) && !is_log(gone.text);
    let has_comma = edit.gone.first() == Some(&",") || edit.gone.last() == Some(&",");
    let enclosing = enclosing(old.get(..edit.start)?)?;
    let part: Vec<&str> = edit.gone.iter().copied().filter(|word| *word != ",").collect();
    let first = part.first()?;
    let is_key = part.len() == 1 && is_name(first)
        || matches!(part.get(1), Some(&":")) && (is_name(first) || is_data(first))
        || part.get(1..3).is_some_and(|it| it == ["=", ">"]);
    let name = first.trim_matches(['"', '\'', '`', ':']).to_owned();
    let is_parameter =
        gone.text.contains("}) =>") || gone.text.contains("} =") || gone.text.contains("function");
    (is_giving && has_comma && is_key && enclosing == '{' && !is_parameter && name.len() >= TELLING)
        .then_some((*gone, name))
}

/// The bracket that is open at the end of a text.
fn enclosing(text: &str) -> Option<char> {
    let mut open = Vec::new();
    for (_, word) in words(text) {
        match word {
            "(" | "[" | "{" => open.push(word.chars().next()?),
            ")" | "]" | "}" => {
                open.pop();
            }
            _ => {}
        }
    }
    open.pop()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hunk<'a>(gone: &'a str, come: &'a str) -> TextHunk<'a> {
        let line = |text| CodeLine { text, at: 0, number: 1 };
        let come = if come.is_empty() { Vec::new() } else { vec![line(come)] };
        TextHunk { gone: vec![line(gone)], come, ..TextHunk::default() }
    }

    #[test]
    fn an_alternative_goes_from_either_end() {
        for (gone, come, expected) in [
            ("x = a.ok(b) || c.has(b)", "x = a.ok(b)", Some("c.has(b)")),
            ("x = a.ok(b) || c.has(b)", "x = c.has(b)", Some("a.ok")),
            ("rows.sort(key=lambda r: (r.sum, r.name))", "rows.sort(key=lambda r: (r.sum))", Some("r.name")),
            ("rows.sort(byDay.thenComparing(Row::name));", "rows.sort(byDay);", Some("(Row::name")),
            ("call(a.x, b.y)", "call(a.x)", None),
            ("x = a && b.c()", "x = a", None),
        ] {
            let hunk = hunk(gone, come);
            let found = alternative(&hunk).map(|it| it.1);
            assert_eq!(found.is_some(), expected.is_some(), "{gone} -> {come}: {found:?}");
        }
    }

    #[test]
    fn a_field_goes_from_what_is_given() {
        for (gone, come, expected) in [
            ("return { id: row.id, total: sum(row) };", "return { id: row.id };", Some("total")),
            ("return { id, total, tax };", "return { id, tax };", Some("total")),
            ("return {\"id\": row.id, \"total\": total}", "return {\"id\": row.id}", Some("total")),
            ("const { id, total } = row;", "const { id } = row;", None),
            ("return sum(a, b);", "return sum(a);", None),
        ] {
            assert_eq!(field(&hunk(gone, come)).map(|it| it.1).as_deref(), expected, "{gone} -> {come}");
        }
    }
}
