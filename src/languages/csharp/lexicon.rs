//! The words of tests in C# that the lexer counts.

use crate::languages::csharp::testing::TESTS;
use crate::languages::lexer::{Lexicon, Nesting, Strings};

pub(crate) static LEXICON: Lexicon = Lexicon {
    comment: "//",
    block_comments: Some(Nesting::Flat),
    strings: Strings::CSharp,
    indented: false,
    head: |word, before, _| TESTS.contains(&word) && before.trim_end().ends_with(['[', ',', '.']),
    scopes: &["class"],
    marks: &[
        "Skip",
        "Ignore",
        "Explicit",
        "Inconclusive",
        "SkipWhen",
        "SkipUnless",
        "Assume",
        "Conditional",
        "IgnoreException",
        "private",
        "static",
        "abstract",
        "FALSE",
    ],
    comment_mark: None,
};
