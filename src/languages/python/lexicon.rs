//! The words of tests in Python that the lexer counts.

use crate::languages::lexer::{Lexicon, Strings};

pub(crate) static LEXICON: Lexicon = Lexicon {
    comment: "#",
    block_comments: None,
    strings: Strings::Python,
    indented: true,
    head: |word, before, _| word.starts_with("test") && before.trim_end().ends_with("def"),
    scopes: &["class", "mark", "parametrize", "parameterized"],
    marks: &[
        "skip",
        "skipif",
        "skipIf",
        "skipUnless",
        "skipTest",
        "SkipTest",
        "xfail",
        "expectedFailure",
        "__test__",
        "importorskip",
        "pytestmark",
        "__init__",
    ],
    comment_mark: None,
};
