//! The words of tests in Ruby that the lexer counts.

use crate::languages::lexer::{Lexicon, Strings};
use crate::languages::ruby::words::{SHARED, TESTS};

pub(crate) static LEXICON: Lexicon = Lexicon {
    comment: "#",
    block_comments: None,
    strings: Strings::Ruby,
    indented: true,
    head: is_head,
    scopes: &["class", "module", "describe", "context"],
    marks: &[
        "skip",
        "pending",
        "omit",
        "pend",
        "focus",
        "xit",
        "xspecify",
        "xexample",
        "xscenario",
        "xdescribe",
        "xcontext",
        "xfeature",
        "xtest",
        "fit",
        "fdescribe",
        "fcontext",
        "fspecify",
        "fexample",
        "private",
        "next",
        "unless",
        "begin",
        "__END__",
    ],
    comment_mark: None,
};

/// For the lexer: `it "`, `it {`, `def test_x`.
fn is_head(word: &str, before: &str, after: &str) -> bool {
    if TESTS.contains(&word)
        || (word.starts_with(['x', 'f']) && TESTS.contains(&word.get(1..).unwrap_or_default()))
    {
        return after.trim_start_matches([' ', '(']).starts_with(['"', '\'', '{', '%'])
            || after.trim_start().starts_with("do");
    }
    (SHARED.contains(&word) && after.trim_start_matches([' ', '(']).starts_with(['"', '\'']))
        || word.starts_with("test") && before.trim_end().ends_with("def")
}
