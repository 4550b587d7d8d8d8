//! The words of tests in Go that the lexer counts.

use crate::languages::go::testing::{CONTAINERS, SPECS, is_test_function};
use crate::languages::lexer::{Lexicon, Nesting, Strings};

pub(crate) static LEXICON: Lexicon = Lexicon {
    comment: "//",
    block_comments: Some(Nesting::Flat),
    strings: Strings::Go,
    indented: false,
    head: is_head,
    scopes: CONTAINERS,
    marks: &[
        "Skip",
        "Skipf",
        "SkipNow",
        "PIt",
        "XIt",
        "FIt",
        "PDescribe",
        "XDescribe",
        "FDescribe",
        "PContext",
        "XContext",
        "FContext",
        "PWhen",
        "XWhen",
        "FWhen",
        "PEntry",
        "XEntry",
        "FEntry",
        "Pending",
        "Focus",
    ],
    comment_mark: Some("//go:build"),
};

/// For the lexer: `func TestX`, `t.Run("`.
fn is_head(word: &str, before: &str, after: &str) -> bool {
    if word == "Run" {
        return before.ends_with('.')
            && after.starts_with(['('])
            && after.get(1..2).is_some_and(|next| matches!(next, "\"" | "`"));
    }
    if SPECS.contains(&word) {
        return after.starts_with('(');
    }
    is_test_function(word) && before.trim_end().ends_with("func")
}
