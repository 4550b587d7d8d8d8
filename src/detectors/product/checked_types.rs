//! Checks that a type makes now: of a form request, a record with constraints, an enum, a value that only its parser makes,
//! a model that validates itself.
//!
//! The type is named where the checks stood, and what it asks is new in the session's files.

use std::collections::BTreeSet;

use crate::detectors::Case;
use crate::detectors::engine::hunks::{CodeLine, TextHunk};
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::asked_conditions::{asked_values, condition_of, fields, is_check, is_head};
use crate::detectors::product::functions::other_code;
use crate::detectors::product::literals::values_of;
use crate::languages::code::{Refusing, identifiers, plain, refuses};
use crate::model::words::is_name_part;

/// Words in front of the name of a type.
const DEFINING: &[&str] = &[
    "class",
    "struct",
    "enum",
    "record",
    "interface",
    "type",
    "trait",
    "object",
    "defmodule",
    "module",
    "protocol",
    "message",
    "newtype",
    "schema",
    "const",
    "case",
];
/// What a text has that checks values by declaration, in lower case.
const DECLARING: &[&str] = &[
    "@not",
    "@size",
    "@min",
    "@max",
    "@email",
    "@pattern",
    "@positive",
    "@valid",
    "@is",
    "@length",
    "@assert",
    "#[validate",
    "#[assert",
    "#[garde",
    "[required",
    "[range",
    "[stringlength",
    "[maxlength",
    "[minlength",
    "[emailaddress",
    "[regularexpression",
    "rulefor(",
    "rules()",
    "'required",
    "\"required",
    "required|",
    "field(",
    "constr(",
    "conint(",
    "validator",
    "validate",
    "z.",
    "yup.",
    "joi.",
    "presence:",
    "length:",
    "inclusion:",
    "numericality",
    "minlength",
    "maxlength",
    "null=false",
    "choices=",
];
/// What begins one of several values that a type has by name.
const ENUMERATING: &[&str] =
    &["enum ", "Literal[", "Enum)", "(StrEnum", "(str, Enum", " | \"", " | '", "sealed "];

/// Whether a type that the new lines of a function name checks all that a place of it checked.
pub(super) fn is_checked_by_type(case: &Case, revision: &Revision, hunk: &TextHunk) -> bool {
    let is_asking = |line: &&CodeLine| !is_head(line.text) && is_check(revision.words, line.text);
    let checks: Vec<&CodeLine> = hunk.gone.iter().filter(is_asking).collect();
    let names = types_named(revision, hunk);
    if names.is_empty() || checks.is_empty() {
        return false;
    }
    let retyped = retyped(revision, hunk);
    let here: String =
        revision.hunks().iter().flat_map(|it| &it.come).map(|line| format!("{}\n", line.text)).collect();
    let holds = |whole: &str, come: &str| {
        names.iter().any(|name| defines(whole, name))
            && says_no(revision.words, come)
            && has_all(revision.words, &checks, &retyped, come)
    };
    holds(revision.new, &here)
        || other_code(case, revision).any(|other| {
            let (before, after) =
                (other.before.as_deref().unwrap_or_default(), other.after.as_deref().unwrap_or_default());
            let known: BTreeSet<&str> = before.lines().collect();
            let come: String =
                after.lines().filter(|line| !known.contains(line)).map(|line| format!("{line}\n")).collect();
            holds(after, &come)
        })
}

/// The names of types in the new lines of the function that a place is in.
fn types_named<'r>(revision: &'r Revision, hunk: &'r TextHunk) -> BTreeSet<&'r str> {
    let owner = hunk.gone.first().and_then(|line| revision.owner_at(line.at));
    let is_own = |it: &&TextHunk| {
        let first = it.gone.first().or(it.below.as_ref());
        first.is_some_and(|line| revision.owner_at(line.at) == owner)
    };
    let places = revision.hunks().iter().filter(is_own);
    // What the function takes is made by others, who are refused what its type refuses.
    let after = owner.and_then(|it| revision.successor(it)).and_then(|it| revision.after.functions.get(it));
    let head = after.and_then(|it| revision.new.get(it.span.start..it.body.start)).unwrap_or_default();
    let come = places.flat_map(|it| &it.come).chain(&hunk.come).map(|line| line.text);
    let words = come.chain([head]).flat_map(uncast_words);
    words.filter(|word| word.len() > 2 && word.starts_with(char::is_uppercase)).collect()
}

/// The words of a line but for types that a value is only taken for (`body as NewNote`): that checks nothing.
fn uncast_words(line: &str) -> impl Iterator<Item = &str> {
    let words = line.split(|c: char| !is_name_part(c)).filter(|word| !word.is_empty());
    words.scan("", |last, word| Some((std::mem::replace(last, word), word))).filter_map(|(last, word)| {
        let is_taken_for = matches!(last, "as" | "satisfies");
        (!is_taken_for).then_some(word)
    })
}

/// The parameters that a head of the place's function gives another type.
fn retyped<'r>(revision: &'r Revision, hunk: &'r TextHunk) -> BTreeSet<&'r str> {
    let places = || {
        revision
            .hunks()
            .iter()
            .filter(|it| it.come.iter().chain(&it.gone).any(|line| is_head(line.text)))
            .chain([hunk])
    };
    let heads = |is_new: bool| -> Vec<&'r str> {
        let lines = places().flat_map(move |it| if is_new { &it.come } else { &it.gone });
        lines.filter(|line| is_head(line.text)).map(|line| line.text).collect()
    };
    let (old, new) = (heads(false), heads(true));
    let parts = |heads: &[&'r str]| -> BTreeSet<&'r str> {
        heads
            .iter()
            .filter_map(|head| head.split_once('('))
            .flat_map(|(_, rest)| rest.split([',', ')']))
            .map(str::trim)
            .collect()
    };
    let (was, is) = (parts(&old), parts(&new));
    let names = is.difference(&was).flat_map(|part| identifiers(part));
    let known: BTreeSet<&str> = was.iter().flat_map(|part| identifiers(part)).collect();
    names.filter(|name| known.contains(name) && name.starts_with(char::is_lowercase)).collect()
}

/// Whether a text defines a type.
fn defines(text: &str, name: &str) -> bool {
    text.lines().any(|line| {
        let mut words = line.split(|c: char| !is_name_part(c)).filter(|word| !word.is_empty());
        line.contains(name) && words.any(|word| DEFINING.contains(&word)) && words.any(|word| word == name)
    })
}

/// Whether new lines of a type check what it is made of.
fn says_no(table: &Refusing, come: &str) -> bool {
    let lower = come.to_lowercase();
    let is_list = ENUMERATING.iter().any(|it| come.contains(it));
    is_list || DECLARING.iter().any(|it| lower.contains(it)) || come.lines().any(|line| refuses(table, line))
}

/// Whether new lines have what each of the checks asked for: its texts and numbers, and the fields it read. A check that
/// names none of these is one of a value that has got another type.
fn has_all(table: &Refusing, checks: &[&CodeLine], retyped: &BTreeSet<&str>, come: &str) -> bool {
    let squeezed = squeeze(come);
    let words: BTreeSet<&str> = identifiers(come).collect();
    let values: BTreeSet<String> = come.lines().flat_map(values_of).collect();
    let is_there = |value: &str| {
        if value.starts_with(|c: char| c.is_ascii_digit()) {
            return values.contains(value) || words.contains(value);
        }
        let own = squeeze(value);
        if own.is_empty() { come.contains(value) } else { squeezed.contains(&own) }
    };
    let mut is_about = false;
    let all = checks.iter().all(|line| {
        // What is only said is no condition.
        let is_rule = line.text.starts_with(['"', '\'']);
        let Some(asked) = condition_of(table, line.text).or(is_rule.then_some(line.text)) else {
            return true;
        };
        let values = asked_values(asked);
        let code = plain(table, asked);
        let fields: Vec<&str> = fields(&code).collect();
        let is_of_value = identifiers(&code).any(|word| retyped.contains(word));
        is_about |= is_of_value || !values.is_empty() || !fields.is_empty();
        values.iter().all(|it| is_there(it)) && fields.iter().all(|it| words.contains(it))
    });
    all && is_about
}

/// A text in lower case without marks between its words.
fn squeeze(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
