//! The words of tests in Dart that the lexer counts.

use crate::languages::dart::head::is_test;
use crate::languages::lexer::{Lexicon, Nesting, Strings};

pub(crate) static LEXICON: Lexicon = Lexicon {
    comment: "//",
    block_comments: Some(Nesting::Nested),
    strings: Strings::Dart,
    indented: false,
    head: |word, _, after| is_test(word) && after.trim_start().starts_with(['(', '<']),
    scopes: &["group", "class", "main"],
    marks: &[
        "skip",
        "Skip",
        "solo",
        "markTestSkipped",
        "testOn",
        "TestOn",
        "onPlatform",
        "OnPlatform",
        "fail",
        "anything",
        // A new function may hold tests that nothing runs.
        "void",
        "Future",
    ],
    comment_mark: None,
};
