//! The words of tests in Java that the lexer counts.

use crate::languages::java::testing::TESTS;
use crate::languages::lexer::{Lexicon, Nesting, Strings};

pub(crate) static LEXICON: Lexicon = Lexicon {
    comment: "//",
    block_comments: Some(Nesting::Flat),
    strings: Strings::Java,
    indented: false,
    head: is_head,
    scopes: &["class"],
    marks: MARKS,
    comment_mark: None,
};

/// Words that skip, in Java and in Kotlin.
pub(crate) const MARKS: &[&str] = &[
    "Disabled",
    "Ignore",
    "DisabledIf",
    "EnabledIf",
    "DisabledOnOs",
    "EnabledOnOs",
    "DisabledIfEnvironmentVariable",
    "EnabledIfEnvironmentVariable",
    "DisabledIfSystemProperty",
    "EnabledIfSystemProperty",
    "assumeTrue",
    "assumeFalse",
    "abort",
    "SkipException",
    "TestAbortedException",
    "AssumptionViolatedException",
    "private",
    "static",
    "abstract",
];

/// For the lexer: `@Test`, `void testX`.
fn is_head(word: &str, before: &str, _: &str) -> bool {
    (TESTS.contains(&word) && before.ends_with(['@', '.']))
        || (word.starts_with("test") && before.trim_end().ends_with("void"))
}
