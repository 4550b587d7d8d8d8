//! Fields that their type's maker gives a value which is there: `_name = name ?? throw …`.

use crate::languages::code::{Guard, bare, identifiers};

/// Words of a condition that asks whether there is something, beside what it asks about.
const ASKING: &[&str] = &[
    "null",
    "nil",
    "None",
    "undefined",
    "nullptr",
    "is",
    "not",
    "this",
    "self",
    "string",
    "String",
    "Objects",
    "StringUtils",
    "isNull",
    "is_null",
    "nil?",
    "0",
];
/// Words that also ask whether there is more than nothing in it.
const BLANK: &[&str] = &[
    "IsNullOrEmpty",
    "IsNullOrWhiteSpace",
    "isNullOrEmpty",
    "isNullOrBlank",
    "isEmpty",
    "is_empty",
    "isBlank",
    "empty",
    "blank",
    "strip",
    "trim",
    "len",
    "length",
];
/// Calls that refuse what is not there, in lower case and without `_`.
const REFUSING: &[&str] =
    &["throwifnull", "requirenonnull", "requirenotnull", "checknotnull", "notnull", "againstnull"];
/// Calls that refuse what is not there or has nothing in it, in the same form.
const REFUSING_BLANK: &[&str] = &[
    "throwifnullorempty",
    "throwifnullorwhitespace",
    "nullorempty",
    "nullorwhitespace",
    "hastext",
    "haslength",
    "notblank",
    "notempty",
    "requirenonblank",
];
/// Marks of a field that nobody changes later, or nobody but its type.
const FIXED: &[&str] = &["readonly", "final", "val", "let", "const", "private", "attr_reader"];

/// Whether a word of a condition only asks, and is nothing that is asked about.
fn is_asking(word: &str) -> bool {
    ASKING.contains(&word) || BLANK.contains(&word)
}

/// The value of which a guard refuses that it is missing, and whether it also refuses that it is empty.
pub(super) fn asked<'g>(guard: &Guard<'g>) -> Option<(&'g str, bool)> {
    let condition = guard.condition;
    let is_not =
        condition.contains("!=") || identifiers(condition).any(|it| matches!(it, "isNot" | "nonEmpty"));
    let compares = condition.contains(['<', '>', '&', '+']);
    let mut words = identifiers(condition).filter(|word| !is_asking(word));
    let value = words.next().filter(|name| words.all(|it| it == *name))?;
    let asks = identifiers(condition).any(|word| is_asking(word) && !matches!(word, "this" | "self" | "0"));
    let is_missing = match guard.negated {
        true => is_not || !asks,
        false => {
            !is_not
                && !condition.contains("is not")
                && (asks || condition.trim_start_matches('(').starts_with('!'))
        }
    };
    let is_blank = identifiers(condition).any(|word| BLANK.contains(&word))
        || condition.contains("\"\"")
        || condition.contains("''");
    (is_missing && !compares).then_some((value, is_blank))
}

/// Whether a field has the one value that it was made with.
pub(super) fn is_fixed(text: &str, field: &str) -> bool {
    let given = text.lines().filter(|line| value_for(line, field).is_some()).count();
    let is_marked = text.lines().any(|line| {
        identifiers(line).any(|word| word == field) && identifiers(line).any(|word| FIXED.contains(&word))
    });
    given <= 1 && (is_marked || text.contains(&format!("@{field}")) || field.starts_with('_'))
}

/// What a line gives to a field.
fn value_for<'l>(line: &'l str, field: &str) -> Option<&'l str> {
    let (head, value) = line.split_once('=')?;
    let is_sign = value.starts_with(['=', '>', '~']) || head.ends_with(['!', '<', '>', '=']);
    let name = identifiers(head.split(':').next().unwrap_or(head)).last();
    (!is_sign && name == Some(field) && !head.contains('(')).then_some(value)
}

/// Whether a maker's body gives a field what it has refused to be missing; `refused` is what its guards refuse.
pub(super) fn is_given(body: &str, field: &str, is_blank: bool, refused: &[(&str, bool)]) -> bool {
    let value = body.lines().find_map(|line| value_for(line, field));
    let names: Vec<&str> = value.map_or_else(|| vec![field], |value| identifiers(value).collect());
    let is_guarded = refused.iter().any(|(name, blank)| names.contains(name) && (*blank || !is_blank));
    is_guarded || body.lines().any(|line| refuses_missing(line, &names, is_blank))
}

/// Whether a line refuses that one of some values is missing.
fn refuses_missing(line: &str, names: &[&str], is_blank: bool) -> bool {
    let code = line.trim_start();
    if code.starts_with(['/', '*', '#']) || !identifiers(line).any(|word| names.contains(&word)) {
        return false;
    }
    let plain = |word: &str| word.replace('_', "").to_lowercase();
    let calls = |all: &[&str]| identifiers(line).any(|word| all.contains(&plain(word).as_str()));
    let bare = bare(line);
    let throws = ["??throw", "?:throw", "||raise", "orraise", "guardlet"].iter().any(|it| bare.contains(it));
    let holds = ["require(", "check(", "precondition("].iter().any(|head| {
        let Some((_, rest)) = bare.split_once(head) else { return false };
        let asks = ["isNotBlank()", "isNotEmpty()", "nonEmpty", "!$.isEmpty"];
        asks.iter().any(|it| rest.contains(it))
            || !is_blank && (rest.contains("!=null") || rest.contains("!=nil"))
    });
    calls(REFUSING_BLANK) || holds || !is_blank && (calls(REFUSING) || throws)
}
