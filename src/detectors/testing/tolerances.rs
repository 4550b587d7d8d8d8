//! Tolerances of claims about numbers: who compares exactly needs none.

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

#[cfg(test)]
mod tests {
    use super::*;

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
