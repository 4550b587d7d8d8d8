//! The words of tests in Scala that the lexer counts.

use crate::languages::java::testing::TESTS;
use crate::languages::lexer::{Lexicon, Nesting, Strings};
use crate::languages::scala::testing::{ENDS, SPECS};

pub(crate) static LEXICON: Lexicon = Lexicon {
    comment: "//",
    block_comments: Some(Nesting::Nested),
    strings: Strings::Kotlin,
    indented: false,
    head: is_head,
    scopes: &["class", "object"],
    marks: &[
        "ignore",
        "Ignore",
        "Disabled",
        "DoNotDiscover",
        "pending",
        "cancel",
        "assume",
        "private",
        "fail",
    ],
    comment_mark: None,
};

/// For the lexer: `@Test`, `test("x")`, `"x" should "y" in {`.
fn is_head(word: &str, before: &str, after: &str) -> bool {
    if TESTS.contains(&word) {
        return before.ends_with(['@', '.']);
    }
    (SPECS.contains(&word) && after.starts_with("(\"") && (word == "test" || !before.ends_with('.')))
        || (ENDS.contains(&word) && before.ends_with(' ') && after.starts_with([' ', '(']))
}
