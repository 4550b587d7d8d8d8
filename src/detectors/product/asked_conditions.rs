//! What single lines ask for before they refuse: their conditions, with the values and the fields of these.

use crate::detectors::product::literals::values_of;
use crate::languages::code::{Refusing, identifiers, refuses};
use crate::model::words::is_name_part;

/// Whether a line asks for something: a condition, a refusal, or a rule that is given by its text.
pub(super) fn is_check(table: &Refusing, line: &str) -> bool {
    refuses(table, line) || condition_of(table, line).is_some() || line.starts_with(['"', '\''])
}

/// The part of a line that says when it refuses.
pub(super) fn condition_of<'l>(table: &Refusing, line: &'l str) -> Option<&'l str> {
    const HEADS: &[&str] = &["if", "elif", "elsif", "unless", "guard", "when", "else", "case"];
    const CALLS: &[&str] =
        &["abort_unless(", "abort_if(", "throw_if(", "throw_unless(", "require(", "assert", "precondition("];
    let bare = line.trim_start_matches(['}', ' ']);
    let first = identifiers(bare).next().unwrap_or_default();
    if HEADS.contains(&first) {
        let ends = [" throw ", " return ", " raise ", " then "];
        let end = ends.iter().filter_map(|word| bare.find(word)).min().unwrap_or(bare.len());
        return bare.get(..end);
    }
    if CALLS.iter().any(|call| bare.contains(call)) {
        return Some(bare);
    }
    if let Some((head, _)) = bare.split_once(" -> ").filter(|(_, rest)| refuses(table, rest)) {
        return Some(head);
    }
    [" if ", " unless "]
        .iter()
        .find_map(|word| bare.split_once(*word))
        .map(|(_, rest)| rest)
        .filter(|_| refuses(table, line))
}

/// Whether a line is the head of a function.
pub(super) fn is_head(line: &str) -> bool {
    const BRANCHES: &[&str] = &[
        "if", "for", "while", "switch", "catch", "else", "return", "unless", "elif", "elsif", "case", "when",
        "guard",
    ];
    let first = identifiers(line).next().unwrap_or_default();
    if line.ends_with('{')
        && line.contains('(')
        && !line.contains("=>")
        && !BRANCHES.contains(&first)
        && !line.starts_with('}')
    {
        return true;
    }
    let heads = [
        "def ",
        "defp ",
        "fn ",
        "func ",
        "fun ",
        "function ",
        "import ",
        "use ",
        "using ",
        "export function ",
    ];
    heads.iter().any(|head| line.contains(head))
        || ["public ", "private ", "protected ", "internal "].iter().any(|head| line.starts_with(head))
            && line.contains('(')
        || line.starts_with('@')
}

/// The values that a condition asks for: no message, no status, and nothing that stands for a missing value.
pub(super) fn asked_values(condition: &str) -> Vec<String> {
    let text = condition.replace("|| 0", "").replace("?? 0", "").replace(", 0)", ")");
    let is_status =
        |value: &str| value.len() == 3 && value.starts_with(['4', '5']) && value.parse::<u16>().is_ok();
    let is_message = |value: &str| value.contains(' ') && value.chars().any(char::is_alphabetic);
    values_of(&text).filter(|it| !it.is_empty() && !is_status(it) && !is_message(it)).collect()
}

/// Names of members that convert a value, measure it or hold all of what was sent.
const BESIDE: &[&str] = &[
    "length",
    "size",
    "count",
    "body",
    "json",
    "data",
    "params",
    "query",
    "to_i",
    "to_s",
    "to_f",
    "to_d",
    "strip",
    "blank",
    "present",
    "nil",
    "empty",
    "first",
    "last",
    "value",
    "text",
    "trim",
    "keys",
    "any",
    "isBlank",
    "isEmpty",
    "isNullOrBlank",
    "toString",
    "lower",
    "upper",
    "len",
    "is_empty",
    "isNotEmpty",
    "toLowerCase",
    "Length",
    "Count",
    "user",
    "object",
    "none",
    "str",
];

/// The fields that a condition reads of a value: `qty` of `item.qty`, of `item.qty()` and of `attrs[:qty]`.
pub(super) fn fields(code: &str) -> impl Iterator<Item = &str> {
    let atoms = code.split("[:").skip(1).filter_map(|rest| rest.split(']').next());
    let members = code.split('.').skip(1).filter_map(|rest| {
        let end = rest.find(|c: char| !is_name_part(c)).unwrap_or(rest.len());
        let behind = rest.get(end..).unwrap_or_default();
        let is_call =
            behind.starts_with(['(', '?', '!']) && !behind.starts_with("()") && !behind.starts_with("?.");
        rest.get(..end).filter(|_| !is_call)
    });
    let is_field =
        |name: &&str| name.len() > 1 && name.starts_with(char::is_lowercase) && !BESIDE.contains(name);
    atoms.chain(members).filter(is_field)
}
