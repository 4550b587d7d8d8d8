//! The words of tests in C++ that the lexer counts.

use crate::languages::cpp::plain_tests::is_named_as_test;
use crate::languages::cpp::words::{PAIRS, SECTIONS, SINGLES, TITLED};
use crate::languages::lexer::{Lexicon, Nesting, Strings};

pub(crate) static LEXICON: Lexicon = Lexicon {
    comment: "//",
    block_comments: Some(Nesting::Flat),
    strings: Strings::Cpp,
    indented: false,
    head: |word, before, after| {
        let is_plain = is_named_as_test(word)
            && ["void", "int", "bool"].iter().any(|kind| before.trim_end().ends_with(kind));
        is_plain && after.starts_with('(')
            || [PAIRS, SINGLES, TITLED, SECTIONS].iter().any(|list| list.contains(&word))
                && after.starts_with('(')
                && !before.trim_end().ends_with("define")
    },
    scopes: &["BOOST_AUTO_TEST_SUITE", "TEST_SUITE", "namespace"],
    marks: &[
        "GTEST_SKIP",
        "SKIP",
        "skip",
        "may_fail",
        "should_fail",
        "disabled",
        "FALSE",
        "ifdef",
        "TEST_IGNORE",
        "TEST_IGNORE_MESSAGE",
        "TEST_PASS",
        "TEST_PASS_MESSAGE",
        "CU_PASS_FATAL",
        "cr_skip",
        "cr_skip_test",
        "g_test_skip",
    ],
    comment_mark: None,
};
