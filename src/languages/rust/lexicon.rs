//! The words of tests in Rust that the lexer counts.

use crate::languages::lexer::{Lexicon, Nesting, Strings};
use crate::languages::rust::testing::TESTS;

pub(crate) static LEXICON: Lexicon = Lexicon {
    comment: "//",
    block_comments: Some(Nesting::Nested),
    strings: Strings::Rust,
    indented: false,
    head: is_head,
    scopes: &["cfg", "cfg_attr"],
    marks: &["ignore", "cfg", "cfg_attr", "should_panic"],
    comment_mark: None,
};

/// For the lexer: a word in `#[...]` that makes a test.
fn is_head(word: &str, before: &str, after: &str) -> bool {
    if !TESTS.contains(&word) || !after.starts_with([']', '(']) {
        return false;
    }
    let path = before.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
    path.ends_with("#[")
}
