//! Tolerances of claims about numbers: who compares exactly needs none, and who asks for more digits asks for more.

use crate::detectors::engine::hunks::TextHunk;
use crate::detectors::testing::word_edit::words;
use crate::languages::code::bare;
use crate::languages::looser;

/// What a tolerance stands behind.
const BEHIND: &[&str] = &[
    "plusOrMinus",
    "+-",
    "tolerance",
    "within(",
    "isCloseTo(",
    "closeTo(",
    "toBeCloseTo(",
    "approx(",
    "delta=",
    "accuracy:",
    "be_within(",
    "offset(",
    "percentage(",
    "delta:",
    "places=",
    "abs=",
    "rel=",
    "precision:",
];
/// Assertions of which the last value is the tolerance.
const WITH: &[&str] = &[
    "assertAlmostEqual(",
    "assertEqualsWithDelta(",
    "assertEqualsDouble(",
    "assertInDelta(",
    "assert_in_delta",
    "EXPECT_NEAR(",
    "ASSERT_NEAR(",
    "InDelta(",
    "InEpsilon(",
];

/// Tolerances that count the digits that have to agree, where they are whole numbers.
const DIGITS: &[&str] = &["toBeCloseTo(", "assertAlmostEqual(", "places=", "precision:"];

/// Whether the word at a place of a line is a tolerance, and what has come has none, but an exact comparison.
pub(super) fn is_given_up(line: &str, at: usize, come: &str) -> bool {
    const EXACT: &[&str] =
        &["shouldBe", "==", "Equal", "equal", "toBe(", "isEqualTo(", " is(", "eq(", "_EQ(", "_eq"];
    let head = line.get(..at).unwrap_or_default().trim_end();
    let is_last = || !line.get(at..).unwrap_or_default().contains(',');
    let is_tolerance = BEHIND.iter().any(|it| head.ends_with(it) || head.trim_end_matches(' ').ends_with(it))
        || WITH.iter().any(|it| head.contains(it)) && head.ends_with(',') && is_last();
    let marks = BEHIND.iter().chain(WITH).filter(|it| line.contains(**it));
    is_tolerance
        && marks.into_iter().all(|it| !come.contains(it))
        && !come.contains(['<', '>', '~'])
        && EXACT.iter().any(|it| come.contains(it))
}

/// Whether a place only asks for more digits of the same numbers than before.
pub(super) fn is_tighter(hunk: &TextHunk) -> bool {
    let mut pairs = hunk.gone.iter().zip(&hunk.come);
    hunk.gone.len() == hunk.come.len() && pairs.all(|(old, new)| asks_for_more(old.text, new.text))
}

/// Whether a line has a smaller tolerance, and perhaps a number with it that the greater one let pass:
/// `closeTo(38.2385, 0.001)` for `closeTo(38.24, 0.01)`.
fn asks_for_more(old: &str, new: &str) -> bool {
    if !BEHIND.iter().chain(WITH).any(|mark| old.contains(mark)) {
        return false;
    }
    let is_tighter = |old: &str| looser(&bare(new), &bare(old)).is_some();
    let (was, is) = (words(old), words(new));
    let value = was.iter().zip(&is).find(|(old, new)| old.1 != new.1);
    let Some(((at, value), (_, now))) = value.filter(|_| !is_tighter(old)) else { return is_tighter(old) };
    let (head, rest) = old.split_at(*at);
    let with_value = format!("{head}{now}{}", rest.get(value.len()..).unwrap_or_default());
    let number = |word: &str| word.replace('_', "").parse::<f64>().ok();
    let distance = number(value).zip(number(now)).map(|(was, is)| (was - is).abs());
    let reach = reach(differing_number(&with_value, new), DIGITS.iter().any(|mark| old.contains(mark)));
    distance.is_some_and(|it| it <= reach) && is_tighter(&with_value)
}

/// The number of a text in which another text differs from it first.
fn differing_number<'t>(text: &'t str, other: &str) -> &'t str {
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '.' | 'e' | '-');
    let same = text.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    let start = text.get(..same).map_or(0, |head| head.trim_end_matches(is_part).len());
    let rest = text.get(start..).unwrap_or_default();
    rest.get(..rest.find(|c| !is_part(c)).unwrap_or(rest.len())).unwrap_or_default()
}

/// How far off a value may be: by as much as the tolerance says, or by what `digits` leave open.
fn reach(tolerance: &str, digits: bool) -> f64 {
    let number = tolerance.parse().unwrap_or(0.0);
    if tolerance.contains(['.', 'e']) || !digits { number } else { 0.5 / 10f64.powf(number) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_digits_ask_for_more() {
        for (old, new, expected) in [
            ("near(tide(3), 2.92, accuracy: 0.01)", "near(tide(3), 2.9238, accuracy: 1e-4)", true),
            ("Equal(want, Tide(3), precision: 4);", "Equal(want, Tide(3), precision: 7);", true),
            ("Equal(want, Tide(3), precision: 4);", "Equal(want, Tide(3), precision: 2);", false),
            ("near(tide(3), 2.92, accuracy: 0.01)", "near(tide(3), 3.15, accuracy: 0.001)", false),
            ("near(tide(3), 2.92, accuracy: 0.01)", "near(tide(4), 2.92, accuracy: 0.001)", false),
            ("expect(tide(3)).toBeCloseTo(2.92, 2);", "expect(tide(3)).toBeCloseTo(2.92381, 5);", true),
            ("expect(tide(3)).toBe(2);", "expect(tide(3)).toBe(3);", false),
            ("EXPECT_NEAR(area(3), 84000, 500);", "EXPECT_NEAR(area(3), 84120, 1.0);", true),
            ("EXPECT_NEAR(area(3), 84000, 50);", "EXPECT_NEAR(area(3), 84120, 1.0);", false),
            ("find(order(), {52.4, 13.1}) == nil", "find(order(), {48.1, 11.6}) == nil", false),
        ] {
            assert_eq!(asks_for_more(old, new), expected, "{old} -> {new}");
        }
    }

    #[test]
    fn an_exact_comparison_needs_no_tolerance() {
        for (line, word, come, expected) in [
            ("rate(a) shouldBe (0.25 plusOrMinus 0.01)", "0.01", "rate(a) shouldBe 0.25\n", true),
            ("self.assertAlmostEqual(rate(a), 0.25, 3)", "3", "self.assertEqual(rate(a), 0.25)\n", true),
            ("EXPECT_NEAR(rate(a), 0.25, 0.01);", "0.01", "EXPECT_EQ(rate(a), 0.25);\n", true),
            ("EXPECT_NEAR(rate(a), 0.25, 0.01);", "0.25", "EXPECT_EQ(rate(a), 0.3);\n", false),
            ("EXPECT_NEAR(rate(a), 0.25, 0.01);", "0.01", "EXPECT_NEAR(rate(a), 0.25, 0.5);\n", false),
            ("EXPECT_NEAR(rate(a), 0.25, 0.01);", "0.01", "EXPECT_GT(rate(a), 0);\n", false),
        ] {
            let at = line.find(word).unwrap();
            assert_eq!(is_given_up(line, at, come), expected, "{line} -> {come}");
        }
    }
}
