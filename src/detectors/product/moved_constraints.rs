//! Conditions and rules that another file asks now, by the same fields, bounds, texts and constants.

use std::collections::BTreeSet;

use crate::detectors::product::asked_words::AskedWords;
use crate::detectors::product::check_sources::{CheckSource, SearchedChange, linked};
use crate::detectors::product::lost_statements::{LostStatement, StatementKind, normal};
use crate::languages::Language;
use crate::languages::code::{identifiers, refuses};

/// What declares a check of a value, in any library.
const DECLARES: &[&str] = &[
    "z.",
    "yup.",
    "Joi.",
    "v.",
    "t.",
    "s.",
    "Type.",
    ".min(",
    ".max(",
    "Field(",
    "BaseModel",
    "constr",
    "conint",
    "validates",
    "validate",
    "Validat",
    "@Not",
    "@Size",
    "@Min",
    "@Max",
    "@Positive",
    "@Pattern",
    "@Is",
    "@Length",
    "@Email",
    "@Range",
    "@Matches",
    "binding:",
    "required",
    "Required",
    "[Range",
    "[MaxLength",
    "[StringLength",
    "RuleFor",
    "min_length",
    "max_length",
    "minLength",
    "maxLength",
    "minimum",
    "maximum",
    "CHECK",
    "Assert\\",
    "#[garde",
    "presence",
    "numericality",
    "Serializer",
    "rules",
    "schema",
    "Schema",
    "NotBlank",
    "oneof",
    "enum",
];
/// Words by which a line asks that something is there.
const PRESENT: &[&str] = &[
    "min",
    "required",
    "notblank",
    "notempty",
    "nonempty",
    "notnull",
    "presence",
    "length",
    "empty",
    "blank",
    "nonnull",
    "isnotempty",
    "isdefined",
    "positive",
    "strip",
    "trim",
    "size",
    "lengthbetween",
];

/// Whether what is linked with a lost statement asks all that the statement asked for.
pub(super) fn are_asked(change: &SearchedChange, lost: &LostStatement, sources: &[CheckSource]) -> bool {
    let linked = linked(change, lost, sources);
    let lines: Vec<&str> = linked.iter().flat_map(|it| it.gained_lines()).collect();
    let is_check = linked.iter().any(|source| {
        let words = Language::of_path(source.path).map(Language::refusing);
        source.gained_lines().any(|line| {
            DECLARES.iter().any(|it| line.contains(it)) || words.is_some_and(|words| refuses(words, line))
        })
    });
    is_check
        && match lost.kind {
            StatementKind::Rules => has_rules(change, lost, &lines),
            _ => has_condition(change, lost, &lines),
        }
}

/// Whether lines have each text and each bound of the rules that a call was given.
fn has_rules(change: &SearchedChange, lost: &LostStatement, lines: &[&str]) -> bool {
    let there = lines.join("\n");
    let texts: Vec<&str> =
        lost.text.split(['"', '\'']).skip(1).step_by(2).filter(|it| !it.is_empty()).collect();
    let has_text =
        |text: &&str| there.contains(&format!("'{text}'")) || there.contains(&format!("\"{text}\""));
    if !texts.is_empty() {
        return texts.iter().all(has_text);
    }
    // A call without any text checks what it is given: by the same name elsewhere.
    let known: BTreeSet<&str> = identifiers(&there).collect();
    let asked = AskedWords::of(change.words, &lost.text);
    let name = identifiers(&lost.text).find(|word| known.contains(*word) && word.len() > 5);
    asked.numbers.iter().all(|it| has_number(&there, it)) && name.is_some_and(is_checking)
}

fn is_checking(name: &str) -> bool {
    let name = name.to_lowercase();
    ["validate", "verify", "check", "ensure", "require", "assert", "authorize"]
        .iter()
        .any(|it| name.starts_with(it))
}

/// Whether lines have the fields of a condition, each where it is asked for, and its bounds, texts and constants.
fn has_condition(change: &SearchedChange, lost: &LostStatement, lines: &[&str]) -> bool {
    let mut asked = AskedWords::of(change.words, &lost.text);
    asked.fields.sort();
    asked.fields.dedup();
    let there = lines.join("\n");
    let known: BTreeSet<String> = identifiers(&there).map(normal).collect();
    // What has no bound of its own has to be asked for where it is named.
    let is_bare = asked.numbers.is_empty() && asked.texts.is_empty() && asked.constants.is_empty();
    let is_named = |field: &String| {
        known.contains(&normal(field))
            && (!asked.is_presence || lines.iter().any(|line| asks_for(line, field, lines)))
            && (asked.is_presence || !is_bare || is_checked(field, lines))
    };
    let has_text = |text: &String| there.contains(text.as_str());
    let is_kept = |name: &String| {
        let (numbers, texts) = values_of(change.before, name);
        let is_there = |all: &[String], ask: &dyn Fn(&String) -> bool| all.iter().all(ask);
        known.contains(&normal(name))
            || !(numbers.is_empty() && texts.is_empty())
                && is_there(&numbers, &|it| has_number(&there, it))
                && is_there(&texts, &has_text)
    };
    let is_telling = !asked.fields.is_empty();
    is_telling
        && asked.fields.iter().all(is_named)
        && asked.numbers.iter().all(|it| has_number(&there, it))
        && asked.texts.iter().all(has_text)
        && asked.constants.iter().all(is_kept)
}

/// Whether a line about a field, or the one below or above it, asks that the field is there.
fn asks_for(line: &str, field: &str, lines: &[&str]) -> bool {
    if !identifiers(line).any(|word| normal(word) == normal(field)) {
        return false;
    }
    let asks = |line: &str| {
        let lower = line.to_lowercase().replace('_', "");
        PRESENT.iter().any(|word| lower.contains(word)) || lower.contains("== \"\"") || lower.contains('!')
    };
    let at = lines.iter().position(|it| std::ptr::eq(*it, line)).unwrap_or(0);
    asks(line) || (at.saturating_sub(2)..at + 3).filter_map(|at| lines.get(at)).any(|line| asks(line))
}

/// Whether a line declares a check of a field, or refuses by it.
fn is_checked(field: &str, lines: &[&str]) -> bool {
    let names = |line: &str| identifiers(line).any(|word| normal(word) == normal(field));
    let is_head = |line: &str| {
        let first = identifiers(line).next().unwrap_or_default();
        matches!(first, "if" | "unless" | "guard" | "when")
            || line.contains(" if ")
            || line.contains(" unless ")
    };
    let declares = |line: &str| DECLARES.iter().any(|it| line.contains(it));
    lines.iter().any(|line| names(line) && (is_head(line) || declares(line)))
}

/// Whether a text has a number, or the next one where a bound is taken in or left out.
fn has_number(text: &str, number: &str) -> bool {
    let parsed: Option<f64> = number.parse().ok();
    let mut all = text
        .split(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '_')))
        .filter_map(|it| it.trim_matches(['.', '_']).replace('_', "").parse::<f64>().ok());
    parsed.is_some_and(|wanted| {
        all.any(|it| (it - wanted).abs() < 1.0 + f64::EPSILON && (it - wanted).fract() == 0.0)
    })
}

/// The numbers and texts that a constant is made of.
fn values_of(text: &str, name: &str) -> (Vec<String>, Vec<String>) {
    let is_of = |line: &&str| {
        let head = line.split(['=', ':']).next().unwrap_or_default();
        line.contains(['=', ':']) && identifiers(head).any(|word| word == name)
    };
    let Some(line) = text.lines().find(is_of) else { return (Vec::new(), Vec::new()) };
    let value = line.split_once('=').map_or(line, |(_, value)| value);
    let texts = value.split(['"', '\'']).skip(1).step_by(2).map(str::to_owned).collect();
    let bare = value.split(['"', '\'']).step_by(2).collect::<String>();
    let numbers = bare.split(|c: char| !c.is_ascii_alphanumeric() && c != '.' && c != '_');
    let is_number = |it: &&str| it.starts_with(|c: char| c.is_ascii_digit());
    (numbers.filter(is_number).map(|it| it.replace('_', "")).collect(), texts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_may_take_its_number_in() {
        assert!(has_number("max: 120", "120") && has_number("gt=17", "18") && has_number("1_000", "1000"));
        assert!(!has_number("max: 500", "120") && !has_number("", "3"));
    }

    #[test]
    fn constants_are_what_they_are_made_of() {
        let text = "const KINDS = [\"mail\", \"sms\"];\nMAX_SIZE = 5 * 1024\n";
        assert_eq!(values_of(text, "KINDS").1, ["mail", "sms"]);
        assert_eq!(values_of(text, "MAX_SIZE").0, ["5", "1024"]);
    }
}
