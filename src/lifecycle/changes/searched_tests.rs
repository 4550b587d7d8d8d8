//! The tests of the project that have one of some words, read one after the other.

use crate::languages::is_test_path;
use crate::lifecycle::changes::file_text::read_text;
use crate::lifecycle::changes::tree;
use crate::lifecycle::context::hook_context::HookContext;

/// So many tests are read.
pub(super) const READ: usize = 20;

/// The first of the tests with one of these words in which something is found, and what.
pub(super) fn in_tests_with(
    context: &HookContext,
    words: &[&str],
    find: impl Fn(&str) -> Option<String>,
) -> Option<(String, String)> {
    let found = tree::files_with(&context.project, words, false, &[]);
    let mut tests = found.iter().filter(|path| is_test_path(path)).take(READ);
    tests.find_map(|path| {
        let text = read_text(&context.project.root().join(path))?;
        find(&text).map(|what| (path.clone(), what))
    })
}
