//! The assertions that one statement is: several where a chain goes on about other values.

use crate::languages::assertions::chains::claim;
use crate::languages::assertions::links::joined;
use crate::languages::assertions::model::AssertionClaim;
use crate::languages::testing::outline::Assertion;

/// The longest text of an assertion that is kept, letters.
const LONGEST: usize = 400;

/// The assertions that a text is, each like `first` but for its line, its text and its claim. `whole` reads the claim of a
/// text that is one.
pub(super) fn each(first: Assertion, text: &str, whole: impl FnOnce() -> AssertionClaim) -> Vec<Assertion> {
    let parts = joined(text);
    if parts.is_empty() {
        return vec![Assertion { text: shortened(text), claim: whole(), ..first }];
    }
    let one = |(start, part): (usize, String)| {
        let above = text.get(..start).unwrap_or_default().matches('\n').count();
        let line = first.line + u32::try_from(above).unwrap_or(0);
        Assertion { line, text: shortened(&part), claim: claim(&part), ..first.clone() }
    };
    parts.into_iter().map(one).collect()
}

/// A text without white space, as far as it is kept.
fn shortened(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use crate::languages::outline_of;

    #[test]
    fn chains_of_pest_are_several_claims() {
        let source = "<?php\nit('mixes', function () {\n    expect(mix(1))->toBe(2)\n        ->and(mix('a->and(b'))->toBe(4)\n        ->and(mix(5))->not->toBeNull();\n});\n";
        let outline = outline_of("tests/MixTest.php", source);
        let test = outline.tests.first().unwrap();
        let found: Vec<(u32, &str)> =
            test.assertions.iter().map(|it| (it.line, it.claim.subject.as_str())).collect();
        assert_eq!(found, [(3, "mix(1)"), (4, "mix('a->and(b')"), (5, "mix(5)")]);
        assert_eq!(test.assertions[1].text, "expect(mix('a->and(b'))->toBe(4)");
    }
}
