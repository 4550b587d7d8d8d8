//! The words of tests in Elixir that the lexer counts.

use crate::languages::lexer::{Lexicon, Strings};

const TESTS: &[&str] = &["test", "property"];

pub(crate) static LEXICON: Lexicon = Lexicon {
    comment: "#",
    block_comments: None,
    strings: Strings::Elixir,
    indented: true,
    head: |word, before, after| {
        if !TESTS.contains(&word) && word != "doctest" {
            return false;
        }
        let front = before.trim_end_matches([' ', '\t']);
        let is_first = front.is_empty() || front.ends_with('\n');
        // A test made in a loop has its title from there.
        let named = || is_first && after.lines().next().is_some_and(|rest| rest.trim_end().ends_with(" do"));
        let opens = after.starts_with([' ', '('])
            && (after.trim_start_matches([' ', '(']).starts_with('"') || named());
        if word == "doctest" { is_first } else { opens }
    },
    scopes: &["defmodule", "describe"],
    marks: &["skip", "moduletag", "describetag"],
    comment_mark: None,
};
