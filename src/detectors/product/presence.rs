//! Checks that ask no more than whether something is there: for nothing, an empty text, an empty list.

use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::{CHECKS, is_named, short};
use crate::detectors::product::line_conditions::{AND, OR, operands};
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::parameters::{body_code, parameters};
use crate::languages::code::{bare, identifiers};
use crate::model::finding::Severity;
use crate::model::words::is_name_part;

/// Words of a question whether something is there.
const ASKING: &[&str] = &[
    "not",
    "null",
    "nil",
    "None",
    "undefined",
    "is",
    "len",
    "length",
    "size",
    "count",
    "is_empty",
    "isEmpty",
    "empty",
    "blank",
    "isBlank",
    "IsNullOrEmpty",
    "IsNullOrWhiteSpace",
    "string",
    "strlen",
    "nullptr",
    "is_nil",
    "isNull",
    "is_none",
    "is_some",
    "isNil",
    "isset",
    "present",
    "isNotEmpty",
    "isNotBlank",
    "nonEmpty",
    "0",
    "true",
    "false",
    "return",
    "bool",
    "Boolean",
    "boolean",
    "Objects",
    "nonNull",
    "trim",
    "String",
    "then",
    "if",
    "Length",
    "Count",
    "isNullOrEmpty",
    "isNullOrBlank",
    "0u",
    "byte_size",
    "when",
    "do",
    "unless",
    "object",
    "any",
    "Some",
];
/// First words of functions that say whether something is well formed.
const JUDGING: &[&str] = &["valid", "is", "matches", "allowed", "can", "accepts"];

/// The one name that a condition asks for being there, where it asks for nothing else.
pub(super) fn asked(condition: &str) -> Option<String> {
    let text = condition.replace('\u{1}', " ");
    // Without white space `not x` has become one word.
    let text =
        text.strip_prefix("not").filter(|rest| !rest.starts_with(['(', ' '])).unwrap_or(&text).to_owned();
    if text.contains(['<', '&', '|', '+', '*', '/', '"', '\'', '%']) && !is_empty_text(&text)
        || text.contains("and ")
        || text.contains(" or ")
        || ["instanceof", "is_a?", "typeof"].iter().any(|word| text.contains(word))
    {
        return None;
    }
    // What is called has to ask for presence, or for a size.
    let is_other_call = |(at, _): (usize, &str)| {
        let name = text.get(..at).and_then(|head| identifiers(head).last()).unwrap_or_default();
        let is_called = text
            .get(..at)
            .is_some_and(|head| head.ends_with(|c: char| is_name_part(c) || matches!(c, '?' | '!')));
        is_called && !ASKING.contains(&name.trim_start_matches('!'))
    };
    if text.match_indices('(').any(is_other_call) {
        return None;
    }
    // A size above nought is presence; any other number is a bound.
    let has_size = ["len", "size", "count", "Len", "Count", "Size"].iter().any(|word| text.contains(word));
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let is_bound =
        !matches!(digits.as_str(), "" | "0") || text.contains('>') && !(has_size && text.contains(">0"));
    if is_bound && !text.contains("->") {
        return None;
    }
    let mut names: Vec<&str> = identifiers(&text)
        .map(|word| word.trim_start_matches('!'))
        .filter(|word| !ASKING.contains(word))
        .collect();
    names.retain(|word| !matches!(*word, "self" | "this"));
    names.dedup();
    let last = names.last()?;
    let is_one_chain = names.len() <= 3 && !text.contains(',');
    is_one_chain.then(|| (*last).to_owned())
}

/// `x == ""`: the only text is an empty one.
fn is_empty_text(text: &str) -> bool {
    let rest = text.replace("\"\"", "").replace("''", "");
    !rest.contains(['<', '&', '|', '+', '*', '/', '"', '\'', '%'])
}

/// The same of one that asks in several words: `x === undefined || x === null`.
fn asked_twice(condition: &str) -> Option<String> {
    let mut names = operands(condition, &[AND, OR].concat()).into_iter().map(|it| asked(&it));
    let first = names.next()??;
    names.all(|it| it.as_ref() == Some(&first)).then_some(first)
}

/// Whether a condition that asked for more of a name asks only whether it is there now.
pub(super) fn is_only_presence(before: &str, after: &str) -> bool {
    let is_kept = || [AND, OR].iter().any(|signs| operands(before, signs).iter().any(|it| it == after));
    let Some(name) = asked(after).or_else(|| asked_twice(after)).filter(|_| !is_kept()) else { return false };
    let plain = before.replace('\u{1}', " ").replace("instanceof", " ");
    let has_name = identifiers(&plain).any(|word| {
        word.trim_start_matches('!').trim_start_matches("not").trim_start_matches("typeof") == name
    });
    has_name && asked(before).is_none() && before.contains(['(', '<', '>', '='])
}

/// The first function that judged what it is given, and that agrees to whatever is there.
pub(super) fn judges_presence(revision: &Revision) -> Option<LostCheck> {
    revision.working().find_map(|(_, _, before, after)| {
        let is_judge =
            before.name.ends_with('?') || is_named(before.name, JUDGING) || is_named(before.name, CHECKS);
        if !is_judge
            || before.name != after.name
            || is_named(before.name, &["is_empty", "isEmpty", "isPresent"])
        {
            return None;
        }
        let (was, is) = (body_code(revision, revision.old, before), body_code(revision, revision.new, after));
        let mut left = is.lines().filter(|line| !matches!(line.trim(), "do" | "end"));
        let (Some(only), None) = (left.next(), left.next()) else { return None };
        let given = only.trim().trim_start_matches("return ").trim_start_matches("->").trim_end_matches(';');
        let name = asked(&bare(given))?;
        let is_given = parameters(revision, revision.new, after).contains(&name.as_str());
        let asked_more = was.trim().lines().count() > 1
            || asked(&bare(was.trim().trim_start_matches("return "))).is_none();
        (is_given && asked_more && was != is).then(|| {
            let what = format!("`{}` would agree to whatever is there: `{}`", before.name, short(given));
            LostCheck::new(before.line, before.name, what, Severity::High)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_for_presence_is_told_from_one_for_more() {
        for (condition, expected) in [
            ("notself.currency", Some("currency")),
            ("!name", Some("name")),
            ("ttl==nil", Some("ttl")),
            ("len(code)==0", Some("code")),
            ("!name.is_empty()", Some("name")),
            ("email===undefined", Some("email")),
            ("string.IsNullOrEmpty(code)", Some("code")),
            ("code==\"\"", Some("code")),
            ("len(code)!=3", None),
            ("!isValid(name)", None),
            ("age<18", None),
        ] {
            assert_eq!(asked(condition).as_deref(), expected, "{condition}");
        }
    }
}
