//! The words of tests in Kotlin that the lexer counts.

use crate::languages::java::lexicon::MARKS;
use crate::languages::java::testing::TESTS;
use crate::languages::kotlin::testing::SPECS;
use crate::languages::lexer::{Lexicon, Nesting, Strings};

pub(crate) static LEXICON: Lexicon = Lexicon {
    comment: "//",
    block_comments: Some(Nesting::Nested),
    strings: Strings::Kotlin,
    indented: false,
    head: is_head,
    scopes: &["class", "object"],
    marks: MARKS,
    comment_mark: None,
};

/// kotest's classes whose tests begin with a string, so that no word tells of them.
const OF_STRINGS: &[&str] = &["StringSpec", "WordSpec", "FreeSpec"];

/// For the lexer: `@Test`, `fun testX`, `test("x")`, `: StringSpec(`.
fn is_head(word: &str, before: &str, after: &str) -> bool {
    if TESTS.contains(&word) {
        return before.ends_with(['@', '.']);
    }
    if OF_STRINGS.contains(&word) && before.trim_end().ends_with(':') {
        return true;
    }
    let plain = word.strip_prefix('x').unwrap_or(word);
    (SPECS.contains(&plain) && after.starts_with("(\"") && !before.ends_with('.'))
        || (word.starts_with("test") && before.trim_end().ends_with("fun"))
}
