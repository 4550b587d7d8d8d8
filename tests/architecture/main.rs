//! ARCHITECTURE.md holds: rooms import only what its table says, pure rooms stay pure, files stay small, and no files
//! import each other in a circle.

#![expect(clippy::unwrap_used, reason = "a test")]

mod circles;
mod documents;
mod rooms;
mod source;

use source::Source;

/// The most lines of a file without its tests.
const CEILING: usize = 400;

#[test]
fn every_file_says_what_it_is_for() {
    for source in source::all().iter().filter(|source| !source.is_test()) {
        assert!(source.text.starts_with("//!"), "{} does not begin with //!", source.path.display());
    }
}

#[test]
fn no_file_is_longer_than_the_ceiling() {
    let long: Vec<String> = source::all()
        .iter()
        .filter(|source| !source.is_test())
        .map(|source| (source.shipped_text().lines().count(), source))
        .filter(|(lines, _)| *lines > CEILING)
        .map(|(lines, source)| format!("{}: {lines} lines without tests", source.path.display()))
        .collect();
    assert!(long.is_empty(), "{}", long.join("\n"));
}

#[test]
fn one_file_holds_the_unsafe_code() {
    let is_unsafe = |source: &&Source| {
        ["unsafe {", "unsafe fn", "unsafe extern"].iter().any(|form| source.shipped_text().contains(form))
    };
    let sources = source::all();
    let holders: Vec<_> = sources.iter().filter(is_unsafe).map(|source| &source.path).collect();
    assert_eq!(holders.len(), 1, "{holders:?}");
    assert!(holders[0].ends_with("last_word.rs"));
}
