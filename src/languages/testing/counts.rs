//! How many tests a file has, by the lexer or by name, and whether a change may take one away.
//!
//! The lexer counts too many rather than too few, so that a change it finds harmless needs no parse.

use crate::languages::lexer::{self, LexerCounts};
use crate::languages::parsing::is_too_large;
use crate::languages::reading::{outline, outline_of};
use crate::languages::registry::Language;
use crate::languages::testing::collection::is_collected;
use crate::languages::testing::outline::Test;

/// What is counted of a change before and after, where a text is too large for more: tests, and words that may skip or
/// focus them. `None` when it is read in full, or no language's.
pub fn counted(path: &str, before: &str, after: &str) -> Option<[(usize, usize); 2]> {
    let language = Language::of_path(path)?;
    if !is_too_large(before) && !is_too_large(after) {
        return None;
    }
    let (before, after) = (scan(language, before), scan(language, after));
    Some([(before.tests, after.tests), (before.marks, after.marks)])
}

/// Counts with the lexer.
pub fn scan(language: Language, source: &str) -> LexerCounts {
    lexer::scan(language.descriptor().lexicon, source)
}

/// How many tests the file has, by the lexer alone. `None` when the language is unknown.
pub fn count_tests(path: &str, source: &str) -> Option<usize> {
    let language = Language::of_path(path)?;
    Some(if is_collected(&language.descriptor().test_files.collected, path, source) {
        scan(language, source).tests
    } else {
        0
    })
}

/// Whether the file may have a test that a runner finds, by the lexer alone: `false` is certain, and cheap.
pub fn may_have_tests(path: &str, source: &str) -> bool {
    Language::of_path(path)
        .filter(|language| is_collected(&language.descriptor().test_files.collected, path, source))
        .is_some_and(|language| {
            let scan = scan(language, source);
            scan.tests > 0 || scan.unsure
        })
}

/// The names of the tests that run: neither skipped nor left out because another has the focus. `None` for a file whose
/// language isn't known.
pub fn running_tests(path: &str, source: &str) -> Option<Vec<String>> {
    let outline = outline(Language::of_path(path)?, source);
    let focused = outline.tests.iter().any(|test| test.focused.is_some());
    let runs = |test: &&Test| test.skipped.is_none() && (!focused || test.focused.is_some());
    Some(outline.tests.iter().filter(runs).map(|test| test.name.clone()).collect())
}

/// The names of the file's tests. `None` when the language is unknown or the text is too large.
pub fn test_names(path: &str, source: &str) -> Option<Vec<String>> {
    Language::of_path(path)?;
    let outline = outline_of(path, source);
    let names = outline.tests.into_iter().filter(|test| !test.suite).map(|test| test.name);
    outline.readable.then(|| names.collect())
}

/// Whether a change of the file at `path` may take away a test, or what a test does. `false` is certain, and cheap.
pub fn is_suspicious(path: &str, before: &str, after: &str) -> bool {
    let Some(language) = Language::of_path(path)
        .filter(|language| is_collected(&language.descriptor().test_files.collected, path, before))
    else {
        return false;
    };
    before != after && scan(language, before).is_suspicious(&scan(language, after))
}
