//! Assertions that ask a part of what was asked, or what something makes of it: `len(a) == len(b)` and `a[0] == b[0]` for
//! `a == b`, `round(a) == 19` for `a == 19.34`, `any("tea" in row for row in a)` for `a == ["tea", "cup"]`.

use crate::detectors::testing::same_subjects::LocalSubjects;
use crate::detectors::testing::test_lines::words_of;
use crate::languages::code::bare;
use crate::languages::{Assertion, Strength, chance};
use crate::model::words::is_name_part;

/// What brings a value into another form and loses nothing, in lower case.
const KEEPING: &[&str] = &[
    "sort",
    "set(",
    "list(",
    "tuple(",
    "dict(",
    "str(",
    "string",
    "json",
    "repr",
    "normal",
    "canonic",
    "tolist",
    "to_a",
    "toarray",
    "array.from",
    "trim",
    "strip",
    "decimal",
    "float",
    "number(",
    "bytes",
    "encode",
    "decode",
    "parse",
    "to_h",
    "todict",
    "as_",
    "clone",
    "unwrap",
    "value",
    "collect",
];
/// What leaves the digits of a number out.
const ROUNDING: &[&str] =
    &["round", "int(", "floor", "ceil", "trunc", "toint", "to_i", "integer", "asi64", "asint", "(int)"];
/// What asks of which type a value is.
const TYPES: &[&str] = &["isinstance(", "typeof", "type(", "gettype", "getclass", "is_a", "instanceof"];

/// The new assertion that asks less of what an old one was about.
pub(super) fn lessened<'a>(
    names: &LocalSubjects,
    old: &Assertion,
    gained: &[&'a Assertion],
) -> Option<&'a Assertion> {
    let claim = &old.claim;
    if claim.strength != Some(Strength::Exact)
        || claim.negated
        || claim.subject.len() < 2
        || claim.subject == "raise"
    {
        return None;
    }
    let (subject, expected) = names.claimed(claim);
    let read = |new: &&'a Assertion| {
        let (is, wants) = names.claims(&new.claim);
        let about =
            [claim.subject.as_str(), subject.as_str()].into_iter().find(|it| holds(&is, it) && is != **it);
        let in_text =
            || [claim.subject.as_str(), subject.as_str()].into_iter().find(|it| holds(&new.text, it));
        let about = about.or_else(|| in_text().filter(|_| new.claim.strength.is_none()))?;
        Some(WiderAssertion { new, rest: is.replacen(about, "", 1), expected: wants })
    };
    let all: Vec<WiderAssertion> =
        gained.iter().filter(|it| !it.trivial && !it.claim.circular).filter_map(read).collect();
    let first = all.first()?;
    if let Some(part) = all.iter().find(|it| it.is_of_both(&claim.expected) || it.is_of_both(&expected)) {
        return (all.len() == 1).then_some(part.new);
    }
    let was = chance(&claim.expected).1;
    let is: usize = all.iter().map(WiderAssertion::says).sum();
    let is_less = was > 0 && is < was;
    let is_unasked =
        was == 0 && !expected.is_empty() && !all.iter().any(|it| shares_name(&it.new.text, &expected));
    let is_rounded = is_decimal(&claim.expected)
        && all.len() == 1
        && first.expected != claim.expected
        && says_any(&first.rest, ROUNDING);
    let is_type = all.len() == 1 && says_any(&first.new.text, TYPES) && !says_any(&old.text, TYPES);
    (is_less || is_unasked || is_rounded || is_type).then_some(first.new)
}

/// A new assertion about more than the old subject.
struct WiderAssertion<'a> {
    new: &'a Assertion,
    /// Its subject without the old one.
    rest: String,
    expected: String,
}

impl WiderAssertion<'_> {
    /// Whether it asks the same part of what is and of what is expected: `len(a) == len(b)`.
    fn is_of_both(&self, expected: &str) -> bool {
        let (rest, wants) = (bare(&self.rest), bare(&self.expected));
        !expected.is_empty()
            && wants.len() > expected.len()
            && holds(&wants, expected)
            && !rest.is_empty()
            && wants.replacen(expected, "", 1) == rest
            && !keeps_all(&rest)
    }

    /// How many values it names.
    fn says(&self) -> usize {
        if self.new.claim.strength.is_none() {
            return chance(&self.new.text).1;
        }
        let of_subject = self.rest.matches(['"', '\'', '`']).count() / 2;
        chance(&self.expected).1 + of_subject
    }
}

/// Whether what is made of both sides has all that they had: a whole number of one, or a piece of a text, has not.
fn keeps_all(text: &str) -> bool {
    let parts = ["substr(", "substring(", "intvalue", "longvalue", "shortvalue", "prefix(", "first("];
    let rest = parts.iter().fold(text.to_lowercase(), |text, part| text.replace(part, ""));
    says_any(&rest, KEEPING)
}

fn says_any(text: &str, words: &[&str]) -> bool {
    let lower = text.to_lowercase();
    words.iter().any(|word| lower.contains(word))
}

/// Whether a text holds another as a whole: `cart.total()` in `round(cart.total())`.
fn holds(text: &str, part: &str) -> bool {
    part.len() > 1
        && text.match_indices(part).any(|(at, _)| {
            let (head, rest) =
                (text.get(..at).unwrap_or_default(), text.get(at + part.len()..).unwrap_or_default());
            let ends = !part.ends_with(is_name_part) || !rest.starts_with(is_name_part);
            let starts =
                !part.starts_with(is_name_part) || !head.ends_with(|c: char| is_name_part(c) || c == '.');
            starts && ends
        })
}

/// Whether a text names something that another names.
fn shares_name(text: &str, other: &str) -> bool {
    words_of(other).filter(|it| it.len() > 1).any(|name| words_of(text).any(|it| it == name))
}

fn is_decimal(value: &str) -> bool {
    let digits = value.trim_end_matches(['f', 'F', 'd', 'm', 'M']);
    digits.contains('.') && digits.parse::<f64>().is_ok_and(|it| it.fract() != 0.0)
}
