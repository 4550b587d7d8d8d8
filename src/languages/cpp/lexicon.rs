//! The words of tests in C++ that the lexer counts.

use crate::languages::cpp::words::{PAIRS, SECTIONS, SINGLES, TITLED};
use crate::languages::lexer::{Lexicon, Nesting, Strings};

pub(crate) static LEXICON: Lexicon = Lexicon {
    comment: "//",
    block_comments: Some(Nesting::Flat),
    strings: Strings::Cpp,
    indented: false,
    head: |word, before, after| {
        [PAIRS, SINGLES, TITLED, SECTIONS].iter().any(|list| list.contains(&word))
            && after.starts_with('(')
            && !before.trim_end().ends_with("define")
    },
    scopes: &["BOOST_AUTO_TEST_SUITE", "TEST_SUITE", "namespace"],
    marks: &["GTEST_SKIP", "SKIP", "skip", "may_fail", "should_fail", "disabled", "FALSE", "ifdef"],
    comment_mark: None,
};
