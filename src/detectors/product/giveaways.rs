//! Comments that give it away that code is made for a test: what they name, and how they say it.

use crate::model::words::is_name_part;

/// What comments say that give the intention away, in lower case.
const SAYING: &[&str] = &[
    "make the test pass",
    "make tests pass",
    "make the tests pass",
    "special case for test",
    "special-case for test",
    "handle test input",
    "handle the test",
    "expected by test",
    "expected by the test",
    "for the test case",
    "hack for test",
    "hardcoded for test",
    "hard-coded for test",
    "test expects",
    "tests expect",
    "satisfy the test",
    "satisfy test",
    "special case to",
    "matches the fixture",
    "match the fixture",
    "as in the fixture",
    "from the fixture",
    "fixture of",
    "keeps the test green",
    "keep the test green",
    "keep tests green",
    "keep ci green",
];
/// How a comment says that code follows a test which it names, in lower case.
const FOLLOWING: &[&str] = &[
    "expected by",
    "expected in",
    "expects",
    "expect",
    "matches",
    "match ",
    "satisf",
    "required by",
    "needed by",
    "wanted by",
    "hack",
    "hard-coded",
    "hardcoded",
    "to pass",
    "so that",
    "for the assertion",
    "asserted",
    "values from",
    "values of",
    "taken from",
    "copied from",
    "same as in",
    "green",
];

/// Whether a comment says that code is made for a test.
pub(super) fn gives_away(comment: &str) -> bool {
    let lower = comment.to_lowercase();
    SAYING.iter().any(|word| lower.contains(word))
        || FOLLOWING.iter().any(|word| lower.contains(word))
            && comment.split(|c| !is_name_part(c)).any(is_test_name)
}

/// Whether a word is the name of a test or of its file: `RouteSolverTests`, `test_primes`, `money_spec`.
fn is_test_name(word: &str) -> bool {
    let ends = ["Test", "Tests", "Spec", "Specs", "TestCase", "_test", "_tests", "_spec"];
    let begins = word.strip_prefix("test_").is_some_and(|rest| rest.len() > 2)
        || word
            .strip_prefix("Test")
            .is_some_and(|rest| rest.starts_with(char::is_uppercase) && rest.len() > 2);
    begins || ends.iter().any(|end| word.strip_suffix(end).is_some_and(|head| head.len() > 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_gives_away_what_it_is_for() {
        for (text, expected) in [
            ("// expected by LedgerTest", true),
            ("# values from test_totals", true),
            ("// Hack: the fixture of LedgerTests has three rows", true),
            ("// covered by LedgerTest", false),
            ("// see test_totals for examples", false),
            ("// matches the name of a column", false),
        ] {
            assert_eq!(gives_away(text), expected, "{text}");
        }
    }
}
