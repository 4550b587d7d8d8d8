//! Bounds that a schema or a field declares, lowered, raised or gone: `z.string().min(8)`, `@Size(min = 8)`,
//! `length: { minimum: 8 }`, `validate:"min=8"`.
//!
//! Only a line that stays is compared, with all else in it as it was.

use crate::detectors::Case;
use crate::detectors::engine::hunks::CodeLine;
use crate::detectors::engine::line_pairs::line_pairs;
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::short;
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::refusals::has_tests_of;
use crate::detectors::testing::word_edit::words;
use crate::languages::code::bare;
use crate::model::finding::Severity;
use crate::model::words::unparted;

/// What a line has that declares what a field may be, without white space.
const DECLARING: &[&str] = &[
    "z.",
    "yup.",
    "Joi.",
    "v.",
    "Field(",
    "@Size",
    "@Min",
    "@Max",
    "@Length",
    "@Range",
    "@DecimalM",
    "[Range",
    "[StringLength",
    "[MinLength",
    "[MaxLength",
    "[Length",
    "validates",
    "validate_",
    "Validators.",
    "minLength",
    "maxLength",
    "'min:",
    "|min:",
    "#[validate(",
    "#[garde(",
    "binding:\"",
    "validate:\"",
    "min_length",
    "max_length",
    "Assert\\",
    "@IsInt",
    "t.String(",
    "constr(",
    "conint(",
    "RuleFor(",
];
/// Words of the least and the most, in lower case and without `_`.
const LEAST: &[&str] = &[
    "min",
    "minimum",
    "minlength",
    "ge",
    "gte",
    "gt",
    "atleast",
    "minvalue",
    "minitems",
    "minsize",
    "decimalmin",
    "greaterthan",
    "greaterthanorequalto",
    "minimumlength",
];
const MOST: &[&str] = &[
    "max",
    "maximum",
    "maxlength",
    "le",
    "lte",
    "lt",
    "atmost",
    "maxvalue",
    "maxitems",
    "maxsize",
    "decimalmax",
    "lessthan",
    "lessthanorequalto",
    "maximumlength",
];
/// A least that is none, what it was then, and how many times a most that is none is what it was.
const NONE: f64 = 1.0;
const SOME: f64 = 4.0;
const TIMES: f64 = 100.0;

/// The first bound of the kind.
pub(super) fn loosened(case: &Case, revision: &Revision) -> Option<LostCheck> {
    let found =
        line_pairs(revision.hunks()).find_map(|(gone, come)| Some((*gone, *come, severity(gone, come)?)));
    let (gone, come, severity) = found?;
    let what = format!("`{}` would become `{}`", short(gone.text), short(come.text));
    let name = gone
        .text
        .split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .find(|it| it.len() > 3)
        .unwrap_or_default();
    (!has_tests_of(case, name)).then(|| LostCheck::new(gone.number, gone.text, what, severity))
}

fn severity(gone: &CodeLine, come: &CodeLine) -> Option<Severity> {
    let (was, is) = (bare(gone.text), bare(come.text));
    if !DECLARING.iter().any(|word| was.contains(word)) || !DECLARING.iter().any(|word| is.contains(word)) {
        return None;
    }
    let (old, new) = (words(gone.text), words(come.text));
    let mut differing = old.iter().zip(&new).enumerate().filter(|(_, (a, b))| a.1 != b.1);
    let (at, (a, b)) = differing.next().filter(|_| old.len() == new.len() && differing.next().is_none())?;
    let number = |text: &str| text.replace('_', "").trim_matches(['"', '\'']).parse::<f64>().ok();
    match number(a.1).zip(number(b.1)) {
        Some((from, to)) => moved(nearest(&old, at)?, from, to),
        // The bound of a text that is a rule of its own: `'required|min:8'`.
        None => within(a.1, b.1),
    }
}

/// Which way a bound of a word has moved.
fn moved(word: &str, from: f64, to: f64) -> Option<Severity> {
    let plain = unparted(word);
    let is = |all: &[&str]| all.contains(&plain.as_str());
    let (is_weaker, is_none) = if is(LEAST) {
        (to < from, to <= NONE && from >= SOME)
    } else if is(MOST) {
        (to > from, from > 0.0 && to >= from * TIMES)
    } else {
        return None;
    };
    is_weaker.then_some(if is_none { Severity::High } else { Severity::Medium })
}

/// The name in front of a number.
fn nearest<'l>(all: &[(usize, &'l str)], at: usize) -> Option<&'l str> {
    let mut before = all.get(..at)?.iter().rev().map(|(_, word)| *word);
    before.find(|word| word.len() > 1 && word.starts_with(|c: char| c.is_alphabetic() || c == '_'))
}

/// The same in texts that hold rules: `min=8`, `min:8`.
fn within(old: &str, new: &str) -> Option<Severity> {
    let parts = |text: &'_ str| -> Vec<String> {
        text.split(['|', ',', '"', '\'', '`', ' ']).map(str::to_owned).collect()
    };
    let (was, is) = (parts(old), parts(new));
    let mut differing = was.iter().zip(&is).filter(|(a, b)| a != b);
    let (a, b) = differing.next().filter(|_| was.len() == is.len() && differing.next().is_none())?;
    let rule = |text: &'_ str| {
        let (word, number) = text.split_once(['=', ':'])?;
        Some((word.rsplit(':').next().unwrap_or(word).to_owned(), number.parse::<f64>().ok()?))
    };
    let ((word, from), (other, to)) = (rule(a)?, rule(b)?);
    moved(&word, from, to).filter(|_| word == other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_declared_bound_is_read_in_each_form() {
        let high = Some(Severity::High);
        let medium = Some(Severity::Medium);
        for (before, after, expected) in [
            ("name: z.string().min(8),", "name: z.string().min(1),", high),
            ("age: z.number().min(18),", "age: z.number().min(16),", medium),
            ("age: z.number().min(18),", "age: z.number().min(21),", None),
            ("@Size(min = 8, max = 64)", "@Size(min = 0, max = 64)", high),
            ("age: int = Field(ge=18)", "age: int = Field(ge=0)", high),
            ("validates :pin, length: { minimum: 6 }", "validates :pin, length: { minimum: 1 }", high),
            ("Pin string `validate:\"min=6\"`", "Pin string `validate:\"min=0\"`", high),
            ("'pin' => 'required|min:6',", "'pin' => 'required|min:1',", high),
            ("[StringLength(64, MinimumLength = 8)]", "[StringLength(64, MinimumLength = 1)]", high),
            ("size: Math.min(8, n),", "size: Math.min(1, n),", None),
            ("age: z.number().max(99),", "age: z.number().max(99999),", high),
        ] {
            let line = |text| CodeLine { text, at: 0, number: 1 };
            assert_eq!(severity(&line(before), &line(after)), expected, "{before} -> {after}");
        }
    }
}
