//! A value within a line that was worked out, and that a literal takes the place of; and lists of literals that get shorter.

use crate::detectors::Case;
use crate::detectors::engine::hunks::CodeLine;
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::short;
use crate::detectors::product::functions::{excuse, is_documented_now, is_part_of_more};
use crate::detectors::product::left_unread::left_unread;
use crate::detectors::product::literals::is_template;
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::maker_words::is_maker;
use crate::detectors::product::refusals::has_tests_of;
use crate::detectors::testing::word_edit::{Edit, is_data, is_name, is_sign, words};
use crate::languages::code::{bare, identifiers, is_log};
use crate::model::finding::Severity;
use crate::model::words::is_name_part;

/// Words of lines whose values are nobody's answer.
const BESIDE: &[&str] =
    &["import ", "from ", "require(", "version", "message", "timeout", "throw ", "raise ", "Error(", "print"];
/// Words that are values.
const CONSTANTS: &[&str] =
    &["null", "nil", "None", "undefined", "true", "false", "True", "False", "emptyList", "NULL", "nullptr"];
/// Heads of lines that choose between literals.
const CHOICES: &[&str] = &["case ", "when ", "if ", "in ", "| "];

/// The first value of a function that a literal takes the place of.
pub(super) fn constant_put(case: &Case, revision: &Revision) -> Option<LostCheck> {
    let places =
        revision.hunks().iter().filter(|hunk| !hunk.come.is_empty() && hunk.come.len() <= hunk.gone.len());
    let mut pairs = places.flat_map(|hunk| {
        hunk.come.iter().filter_map(|come| {
            let is_of_one =
                |gone: &&CodeLine| is_twin(gone.text, come.text) && revision.is_of_one(gone, come);
            let twin = hunk.gone.iter().find(is_of_one)?;
            Some((*twin, *come))
        })
    });
    let (gone, come, value) =
        pairs.find_map(|(gone, come)| Some((gone, come, literal_for(gone.text, come.text)?)))?;
    let old = revision.owner_at(gone.at)?;
    let new = revision.successor(old)?;
    let name = revision.before.functions.get(old)?.name;
    if has_tests_of(case, name) || is_part_of_more(case, revision) {
        return None;
    }
    let is_call_gone = gone.text.matches('(').count() > come.text.matches('(').count();
    // Nothing in the place of a call is no other way to work it out.
    let is_sure = is_call_gone && (excuse(revision, new) || is_emptied(gone.text, come.text))
        // What a user may give has no effect any more.
        || left_unread(revision).is_some_and(|name| identifiers(gone.text).any(|it| it == name));
    let severity = if is_sure { Severity::High } else { Severity::Medium };
    let what = format!("`{}` would have {value} where it worked the value out", short(come.text));
    Some(LostCheck::new(gone.number, name, what, severity))
}

/// Words that bind a name once and for all, with what else may stand between them and the name.
const ONCE: &[&str] = &["let ", "const ", "val ", "final "];
/// Constants that stand for nothing, without white space.
const NOTHINGS: &[&str] = &[
    "None",
    "null",
    "nil",
    "undefined",
    "\"\"",
    "''",
    "0",
    "false",
    "False",
    "[]",
    "{}",
    "Optional.empty()",
    "emptyList()",
    "vec![]",
    "String::new()",
];

/// The first name that was worked out and is nothing now, while the lines below use it as before.
pub(super) fn bound_to_nothing<'a>(case: &Case, revision: &Revision<'a>) -> Option<LostCheck> {
    let sides = |line: &CodeLine<'a>| line.text.split_once(" = ").or(line.text.split_once(" := "));
    let is_nothing = |value: &str| NOTHINGS.contains(&bare(value).trim_end_matches(';'));
    revision.hunks().iter().filter(|hunk| !hunk.gone.is_empty()).find_map(|hunk| {
        let (line, name) = hunk.come.iter().find_map(|come| {
            let (left, right) = sides(come)?;
            let name = identifiers(left.split(':').next()?).last()?;
            let is_once = ONCE.iter().any(|word| left.starts_with(word)) && !left.contains("mut ");
            (is_nothing(right) && is_once && name.len() > 1).then_some((come, name))
        })?;
        let was_worked = hunk.gone.iter().filter_map(sides).any(|(left, right)| {
            let is_work = right.contains(['(', '?', '[']) || right.trim_end().ends_with('{');
            identifiers(left).any(|it| it == name) && is_work && !is_nothing(right)
        });
        // A first value that the lines below replace.
        let set = format!("{name} = ");
        let is_worked_below = hunk.come.iter().filter(|it| it.at > line.at).any(|it| {
            let (left, right) = it.text.split_once(set.as_str()).unwrap_or_default();
            !left.ends_with(is_name_part) && !right.is_empty() && !is_nothing(right)
        });
        if is_worked_below {
            return None;
        }
        let old = revision.owner_at(hunk.gone.first()?.at)?;
        let after = revision.after.functions.get(revision.successor(old)?)?;
        let rest = revision.new.get(line.at + line.text.len()..after.span.end).unwrap_or_default();
        let is_used = identifiers(rest).any(|it| it == name);
        let function = revision.before.functions.get(old)?.name;
        (was_worked && is_used && !has_tests_of(case, function) && !is_part_of_more(case, revision)).then(
            || {
                let what =
                    format!("`{name}` would be nothing where it was worked out: `{}`", short(line.text));
                LostCheck::new(line.number, function, what, Severity::High)
            },
        )
    })
}

/// The literal that takes the place of something that was worked out, where nothing else differs.
fn literal_for(gone: &str, come: &str) -> Option<String> {
    if is_log(gone) || BESIDE.iter().any(|word| gone.contains(word)) {
        return None;
    }
    let (gone, come) = (format!("{gone}\n"), format!("{come}\n"));
    let edit = Edit::of(&gone, &come)?;
    let is_value = |word: &&str| is_data(word) && !is_template(word) || CONSTANTS.contains(word);
    // `save(name, ok = true)` for `save(name, ok)`.
    if let ([], ["=", value]) = (&edit.gone[..], &edit.come[..])
        && is_value(value)
    {
        return Some((*value).to_owned());
    }
    let is_empty = matches!(edit.come[..], ["[", "]"] | ["{", "}"]);
    // A comparison that stays is another one, and no value.
    let compares = |word: &&str| matches!(*word, "<" | ">" | "!");
    // `sums[key] += row` for `sums[key] = sums.get(key, 0) + row` works the value out still.
    let assigns = |word: &&str| word.ends_with('=') && !matches!(*word, "==" | "!=");
    let comes_fixed = is_empty
        || !edit.come.is_empty()
            && !edit.come.iter().any(assigns)
            && edit.come.iter().all(|word| is_value(word) || is_sign(word))
            && !edit.come.iter().any(compares);
    let value = match edit.come.iter().find(|word| is_value(word)) {
        Some(value) => (*value).to_owned(),
        None => edit.come.concat(),
    };
    let is_worked = |word: &&&str| {
        is_name(word)
            && !CONSTANTS.contains(word)
            && !word.chars().all(|c| c.is_uppercase() || c == '_' || c.is_ascii_digit())
    };
    let names = edit.gone.iter().filter(is_worked).count();
    // A single name that a number takes the place of may have been the same number.
    let is_work = names > 1 || edit.gone.iter().any(|it| "(?.[+-*/%".contains(*it)) || value.len() > 3;
    (comes_fixed && names > 0 && is_work && edit.come.len() <= 3).then_some(value)
}

/// Whether nothing stands where a function was asked about a value.
fn is_emptied(gone: &str, come: &str) -> bool {
    let (gone, come) = (format!("{gone}\n"), format!("{come}\n"));
    let Some(edit) = Edit::of(&gone, &come) else { return false };
    let is_asked = edit.gone.windows(3).any(|three| match three {
        [name, "(", value] => is_name(name) && (is_name(value) || matches!(*value, "&" | "*" | "$" | "@")),
        _ => false,
    });
    is_asked && NOTHINGS.contains(&edit.come.concat().as_str())
}

/// Whether two lines begin alike.
fn is_twin(gone: &str, come: &str) -> bool {
    let head =
        |text: &'_ str| words(text).into_iter().take(3).map(|(_, word)| word.to_owned()).collect::<Vec<_>>();
    let (old, new) = (head(gone), head(come));
    old.len() > 1 && new.len() > 1 && old.iter().zip(&new).take(2).all(|(a, b)| a == b)
}

/// The first literal that a choice or a list of what is handled has no more, with the line.
pub(super) fn alternative_lost(case: &Case, revision: &Revision) -> Option<LostCheck> {
    // What tools are told is judged as that.
    let path = &revision.change.path;
    if ["config", "mix.exs", "gradle", "setup.py", "noxfile", "Rakefile", "gulpfile"]
        .iter()
        .any(|it| path.contains(it))
    {
        return None;
    }
    let places = revision.hunks().iter().filter(|hunk| !hunk.come.is_empty());
    let mut pairs = places.filter_map(|hunk| Some((*hunk.gone.first()?, *hunk.come.first()?)));
    // What stands in the file still is handled elsewhere.
    let left = |value: &String| (!revision.new.contains(value.as_str())).then(|| value.clone());
    let (line, value) = pairs.find_map(|(gone, come)| Some((gone, left(&one_less(&gone, &come)?)?)))?;
    let owner = revision.old_function_at(line.at);
    let name = owner.map_or("", |it| it.name);
    if !name.is_empty() && has_tests_of(case, name) || is_part_of_more(case, revision) {
        return None;
    }
    let inner = value.trim_matches(['"', '\'', '`']);
    if inner.len() > 3 && is_documented_now(case, |text| text.contains(inner)) {
        return None;
    }
    let what = format!("{value} would not be handled any more");
    Some(LostCheck::of_line(&line, name, what, Severity::Medium))
}

/// Whether all that is gone of a line is one entry of a table with its key.
fn is_entry_gone(gone: &str, come: &str) -> bool {
    let (gone, come) = (format!("{gone}\n"), format!("{come}\n"));
    let Some(edit) = Edit::of(&gone, &come).filter(|it| it.come.is_empty()) else { return false };
    let entry: Vec<&&str> = edit.gone.iter().skip_while(|word| **word == ",").collect();
    // What two entries have in common may be cut out of their middle.
    let is_key = |at: usize| entry.get(at).is_some_and(|word| is_data(word) && word.starts_with(['"', '\'']));
    let sign = |at: usize| entry.get(at).is_some_and(|word| matches!(**word, ":" | "="));
    (0..entry.len().min(3)).any(|at| is_key(at) && sign(at + 1))
}

fn one_less(gone: &CodeLine, come: &CodeLine) -> Option<String> {
    let texts = |text| words(text).into_iter().map(|(_, word)| word).collect::<Vec<_>>();
    let (old, new) = (texts(gone.text), texts(come.text));
    let data = |all: &[&str]| all.iter().filter(|word| is_data(word)).count();
    let names = |all: &[&str]| all.iter().filter(|word| is_name(word)).count();
    let is_choice = CHOICES.iter().any(|head| gone.text.starts_with(head))
        || gone.text.contains(['[', '{'])
        || ["=>", " = (", "Of(", ".of(", "Set("].iter().any(|it| gone.text.contains(it));
    let mut rest = old.iter();
    let is_part = new.iter().all(|word| rest.any(|it| it == word));
    let lost = old.iter().find(|word| is_data(word) && !new.contains(word))?;
    let made = |all: &[&str]| all.iter().filter(|word| is_name(word) && !is_maker(word)).count();
    let is_telling = lost.len() > 2 || lost.starts_with('\'');
    (is_choice
        && is_part
        && is_telling
        && data(&new) > 0
        && data(&new) < data(&old)
        && (names(&old) == names(&new) || made(&old) == made(&new) || is_entry_gone(gone.text, come.text)))
    .then(|| (*lost).to_owned())
}
