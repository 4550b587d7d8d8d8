//! How much an assertion lets pass beyond its matcher: tolerances, bounds, and stand-ins for any value.
//!
//! Two assertions are compared by their texts without white space.

use crate::languages::assertions::tolerances::{has_default_tolerance, is_named};

/// What asks how far off a value may be, in lower case without `_`.
const TOLERANT: &[&str] = &[
    "near",
    "accuracy",
    "closeto",
    "delta",
    "almostequal",
    "approx",
    "within",
    "tolerance",
    "epsilon",
    "abs(",
    ".abs()",
    "rel=",
    "atol",
    "rtol",
    "isclose",
    "precision",
    "places",
    "abstol",
    "reltol",
    "margin",
];
/// Where a larger number asks for more: digits that have to agree.
const DIGITS: &[&str] = &["tobecloseto", "places", "precision"];
/// What stands for any value.
const ANYTHING: &[&str] = &[
    "anything()",
    "expect.any(",
    "any()",
    "any(",
    "anyString()",
    "anyInt()",
    "anyLong()",
    "mock.ANY",
    "ANY",
    "It.IsAny",
    "Arg.Any",
    "gomock.Any()",
    "mock.Anything",
    "be_a(",
    "Arg::any()",
    "$this->anything()",
    "self::any()",
    "$this->any()",
    "static::any()",
    "testing::_",
    "isA(",
    "objectContaining({})",
    "arrayContaining([])",
    "stringContaining('')",
    "stringContaining(\"\")",
    "hash_including({})",
    "anInstanceOf(",
];

/// What stands for any value that has a part.
const PARTS: &[&str] = &[
    "arrayContaining(",
    "objectContaining(",
    "stringContaining(",
    "stringMatching(",
    "hash_including(",
    "array_including(",
    "a_hash_including(",
    "a_collection_including(",
    "a_string_including(",
    "a_string_matching(",
    "hasItems(",
    "hasItem(",
];

/// How much more than the old assertion the new one allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LooserBy {
    /// Somewhat.
    Somewhat,
    /// By an order of magnitude, by more than one decimal, or without any bound.
    Much,
}

/// Whether two assertions that differ in one number only say that more is allowed.
pub(crate) fn looser(old: &str, new: &str) -> Option<LooserBy> {
    let (was, is, head, tail) = numbers(old, new)?;
    let lower = old.to_lowercase().replace('_', "");
    let head = head.to_lowercase().replace('_', "");
    if TOLERANT.iter().any(|word| lower.contains(word)) || is_third(old, &head) {
        // One decimal less is the smallest step that decimals can take.
        let (is_wider, is_much) = match DIGITS.iter().any(|word| lower.contains(word)) {
            true => (is < was, is < was - 1.0),
            false => (is.abs() > was.abs(), is.abs() >= was.abs() * 10.0),
        };
        let much = if is_much { LooserBy::Much } else { LooserBy::Somewhat };
        return (is_tolerance(&head, tail) && is_wider).then_some(much);
    }
    let at_most = head.ends_with('<')
        || head.ends_with("<=")
        || ["lessthan", "less(", "atmost(", "islessthan", "(le(", "(lt("].iter().any(|it| head.contains(it));
    let at_least = head.ends_with('>')
        || head.ends_with(">=")
        || ["greaterthan", "greater(", "atleast(", "(ge(", "(gt("].iter().any(|it| head.contains(it));
    let is_looser = at_most && is > was || at_least && is < was;
    let is_much = at_most && is >= was * 10.0 || at_least && (is <= 0.0 || is * 10.0 <= was);
    is_looser.then_some(if is_much { LooserBy::Much } else { LooserBy::Somewhat })
}

/// Whether a lower bound that was worked out is a plain 0 now: `longer > shorter * 1.1` became `longer > 0`.
pub(crate) fn gives_up_bound(old: &str, new: &str) -> bool {
    let same = old.bytes().zip(new.bytes()).take_while(|(a, b)| a == b).count();
    let (Some(head), Some(was), Some(is)) = (old.get(..same), old.get(same..), new.get(same..)) else {
        return false;
    };
    let end = is.find([')', ';', ']', '}']).unwrap_or(is.len());
    let is_zero = is.get(..end).is_some_and(|it| it.parse::<f64>().is_ok_and(|it| it == 0.0));
    let is_worked_out = was.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '$' | '@'));
    is_zero && is_worked_out && is_at_least(&head.to_lowercase().replace('_', ""))
}

/// Whether what stands in front of a bound, in lower case without `_`, asks for at least that.
fn is_at_least(head: &str) -> bool {
    let words = ["greaterthan", "greater(", "greaterthanorequal(", "atleast(", "(ge(", "(gt("];
    let call = head.rsplit_once('(').map_or("", |(name, _)| name);
    head.ends_with('>')
        || head.ends_with(">=")
        || head.ends_with('(') && words.iter().any(|it| call.ends_with(it.trim_end_matches('(')))
}

/// Whether an exact assertion became one with a tolerance that says hardly anything: whole units, or no decimals.
pub(crate) fn is_coarse(old: &str, new: &str) -> bool {
    let lower = |text: &str| text.to_lowercase().replace('_', "");
    let is_tolerant = |text: &str| TOLERANT.iter().any(|word| lower(text).contains(word));
    let last = |text: &str| -> Option<f64> {
        let bare = text.trim_end_matches([')', ';', '}']).trim_end_matches(['f', 'F', 'd', 'm', 'M']);
        let start =
            |text: &str| Some(text.rfind(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '_')))? + 1);
        let digits = start(bare)?;
        // `1e-12` is one number.
        let head = bare.get(..digits)?;
        let mantissa = head.strip_suffix("e-").or_else(|| head.strip_suffix("E-"));
        let at = mantissa.filter(|it| it.ends_with(|c: char| c.is_ascii_digit())).and_then(start);
        bare.get(at.unwrap_or(digits)..)?.replace('_', "").parse().ok()
    };
    if has_default_tolerance(new) {
        return false;
    }
    // `Assert.Equal(a, b)` becomes `Assert.Equal(a, b, 0)`.
    let added = new.strip_prefix(old.trim_end_matches([')', ';'])).filter(|rest| rest.starts_with(','));
    let is_digits = |text: &str| DIGITS.iter().any(|word| lower(text).contains(word));
    let Some(number) = last(new).filter(|_| old != new && !is_tolerant(old)) else { return false };
    match added {
        Some(rest) if rest.trim_end_matches([')', ';']).len() > 8 && !is_tolerant(new) => false,
        Some(_) if old.contains("Assert.Equal(") && !new.ends_with("m)") => number < 1.0,
        Some(_) if !is_tolerant(new) => {
            number >= 0.5
                && ["assertEquals(", "AreEqual(", "XCTAssertEqual("].iter().any(|it| old.contains(it))
        }
        _ => {
            is_tolerant(new)
                && (if is_digits(new) { number < 1.0 } else { number >= 0.5 })
                && new.contains([',', '='])
                && !is_close_enough(old, new)
        }
    }
}

/// Whether an assertion is about another number than before, and exact to the last digit that is written of that:
/// `toBeCloseTo(12.5, 2)` for `toBe(12)`, since fractions that are computed are seldom equal.
pub(crate) fn is_close_enough(old: &str, new: &str) -> bool {
    let lower = new.to_lowercase().replace('_', "");
    let is_tolerant = TOLERANT.iter().any(|word| lower.contains(word));
    let written = |text: &str| -> Vec<String> {
        let pieces = text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '.' | '_')));
        let numbers = pieces.map(|it| it.trim_end_matches(['.', 'f', 'F', 'd', 'm', 'M']).replace('_', ""));
        numbers
            .filter(|it| it.starts_with(|c: char| c.is_ascii_digit()) && it.parse::<f64>().is_ok())
            .collect()
    };
    let (was, is) = (written(old), written(new));
    let known = |text: &&String| was.contains(text);
    // The same number with its digits: `toBeCloseTo(12.5, 2)` for `toBe(12.5)`.
    let is_same = was.iter().any(|it| it.contains('.') && is.contains(it));
    let is_value = |it: &&String| {
        let is_fraction = || it.parse::<f64>().is_ok_and(|it| it.fract() != 0.0);
        it.contains('.') && (is_same == known(it)) && is_fraction() && !is_named(&lower, it)
    };
    let Some(value) = is.iter().find(is_value) else { return false };
    let decimals = value.rsplit('.').next().map_or(0, str::len);
    let is_fine = |text: &String| match text.parse::<f64>() {
        Ok(number) if text.contains(['.', 'e']) => number * 10f64.powi(decimals as i32) <= 1.0,
        Ok(number) => number >= decimals as f64,
        Err(_) => false,
    };
    let mut rest = is.iter().filter(|it| *it != value && !known(it));
    is_tolerant && old != new && rest.all(is_fine)
}

/// How many values an assertion leaves to chance, and how many literals it holds.
pub(crate) fn chance(text: &str) -> (usize, usize) {
    let stand_ins: usize = ANYTHING.iter().map(|word| occurrences(text, word)).max().unwrap_or(0);
    let bytes = text.as_bytes();
    let is_word = |at: usize| bytes.get(at).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
    // `_` alone, and `..` in a pattern of Rust.
    let blanks = text
        .match_indices('_')
        .filter(|(at, _)| !is_word(at + 1) && !at.checked_sub(1).is_some_and(is_word))
        .count();
    let rests = text.matches("(..)").count() + text.matches("{..}").count();
    let parts: usize = PARTS.iter().map(|word| text.matches(word).count()).sum();
    let quotes = text.matches(['"', '\'', '`']).count() / 2;
    let digits = text
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|it| it.starts_with(|c: char| c.is_ascii_digit()))
        .count();
    (stand_ins + blanks + rests + parts, quotes + digits)
}

fn occurrences(text: &str, word: &str) -> usize {
    let starts = |at: usize| {
        !text.get(..at).is_some_and(|head| head.ends_with(|c: char| c.is_alphanumeric() || c == '_'))
    };
    let ends = |at: usize| {
        let rest = text.get(at + word.len()..).unwrap_or_default();
        word.ends_with(['(', ')']) || !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_')
    };
    text.match_indices(word).filter(|(at, _)| starts(*at) && ends(*at)).count()
}

/// The numbers in which two texts differ, where they differ in nothing else, and what stands before and
/// behind them.
fn numbers<'t>(old: &'t str, new: &'t str) -> Option<(f64, f64, &'t str, &'t str)> {
    let number = |c: char| c.is_ascii_digit() || matches!(c, '.' | '_' | '-' | 'e');
    let same = old.bytes().zip(new.bytes()).take_while(|(a, b)| a == b).count();
    let start = old.get(..same)?.trim_end_matches(number).len();
    let cut = |text: &'t str| -> Option<(f64, &'t str)> {
        let rest = text.get(start..)?;
        let end = rest.find(|c| !number(c)).unwrap_or(rest.len());
        let digits: String = rest.get(..end)?.chars().filter(|c| *c != '_').collect();
        Some((digits.trim_end_matches('.').parse().ok()?, rest.get(end..)?))
    };
    let ((was, tail), (is, other)) = (cut(old)?, cut(new)?);
    (tail.trim_start_matches(['f', 'F', 'd', 'L']) == other.trim_start_matches(['f', 'F', 'd', 'L'])
        && was != is)
        .then_some((was, is, old.get(..start)?, tail))
}

/// Whether the number behind `head` is a tolerance by the word right before it, or as the last of several values.
fn is_tolerance(head: &str, tail: &str) -> bool {
    const OWN: &[&str] = &[
        "within",
        "delta",
        "accuracy",
        "tolerance",
        "epsilon",
        "rel",
        "atol",
        "rtol",
        "margin",
        "abs",
        "places",
        "precision",
    ];
    let word = head.trim_end_matches(['(', '=', ':']);
    if word.len() < head.len() && OWN.iter().any(|own| word.ends_with(own)) {
        return true;
    }
    let own = head.rsplit('(').next().unwrap_or(head);
    let is_last = !tail.contains(|c: char| c.is_ascii_digit());
    is_last && (own.contains(',') || own.trim_end_matches('=').ends_with('<'))
}

/// `assertEquals(1.5, rate, 0.001)`: the third of three values.
fn is_third(old: &str, head: &str) -> bool {
    let is_equation = ["equal", "eq("].iter().any(|word| head.contains(word));
    let last = old.trim_end_matches([')', ';']).rsplit(',').next().unwrap_or_default();
    is_equation
        && head.matches(',').count() >= 2
        && last.trim_end_matches(['f', 'F', 'd']).parse::<f64>().is_ok_and(|it| it < 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_allows_more() {
        let rows = [
            (
                "XCTAssertEqual(a,2.5,accuracy:0.01)",
                "XCTAssertEqual(a,2.5,accuracy:10)",
                Some(LooserBy::Much),
            ),
            ("EXPECT_NEAR(f(3),2.5,0.5)", "EXPECT_NEAR(f(3),2.5,0.6)", Some(LooserBy::Somewhat)),
            ("EXPECT_NEAR(f(3),2.5,0.5)", "EXPECT_NEAR(f(4),2.5,0.5)", None),
            ("assertEquals(1.5,rate,0.001)", "assertEquals(1.5,rate,0.1)", Some(LooserBy::Much)),
            ("expect(a).toBeCloseTo(1.5,5)", "expect(a).toBeCloseTo(1.5,0)", Some(LooserBy::Much)),
            ("expect(a).toBeCloseTo(1.5,9)", "expect(a).toBeCloseTo(1.5,8)", Some(LooserBy::Somewhat)),
            ("expect(a).toBeCloseTo(1.5,3)", "expect(a).toBeCloseTo(1.5,2)", Some(LooserBy::Somewhat)),
            ("expect(a).toBeCloseTo(1.5,3)", "expect(a).toBeCloseTo(1.5,1)", Some(LooserBy::Much)),
            ("expect(a).toBeCloseTo(1.5,3)", "expect(a).toBeCloseTo(1.5,4)", None),
            ("expect(a).tobe_within(0.1).of(3)", "expect(a).tobe_within(0.01).of(3)", None),
            (
                "asserta==pytest.approx(3.1,abs=0.01)",
                "asserta==pytest.approx(3.1,abs=1)",
                Some(LooserBy::Much),
            ),
            ("assertn>90", "assertn>0", Some(LooserBy::Much)),
            ("assertn>90", "assertn>95", None),
            ("expect(n).toBeLessThan(10)", "expect(n).toBeLessThan(20)", Some(LooserBy::Somewhat)),
            ("assertEquals(3,a)", "assertEquals(4,a)", None),
        ];
        for (old, new, expected) in rows {
            assert_eq!(looser(old, new), expected, "{old} -> {new}");
        }
    }

    #[test]
    fn stand_ins_for_any_value_are_counted() {
        assert!(chance("expect(f).toHaveBeenCalledWith(expect.anything())").0 > 0);
        assert!(chance("matches!(x,Err(_))").0 > chance("matches!(x,Err(E::A(3)))").0);
        assert_eq!(chance("assert_eq!(a_b,3)"), (0, 1));
        assert_eq!(chance("company(3)").0, 0);
    }
}
