//! The words of tests in Swift that the lexer counts.

use crate::languages::lexer::{Lexicon, Nesting, Strings};

pub(crate) static LEXICON: Lexicon = Lexicon {
    comment: "//",
    block_comments: Some(Nesting::Nested),
    strings: Strings::Swift,
    indented: false,
    head: |word, before, _| {
        (word == "Test" && before.ends_with('@'))
            || (word.starts_with("test") && before.trim_end().ends_with("func"))
    },
    scopes: &["class", "struct", "extension", "actor"],
    marks: &[
        "XCTSkip",
        "XCTSkipIf",
        "XCTSkipUnless",
        "XCTExpectFailure",
        "withKnownIssue",
        "disabled",
        "enabled",
        "private",
        "static",
        "fileprivate",
    ],
    comment_mark: None,
};
