//! Files of tests in the lists of build files: `add_executable(tests a_test.cpp b_test.cpp)`.

use crate::detectors::Case;
use crate::detectors::checks::moved_gates::is_named_elsewhere;
use crate::detectors::checks::setting_keys::SettingFinding;
use crate::languages::{file_name, is_test_name, is_test_path};
use crate::model::finding::{Change, Severity};

/// Words behind which a list of sources stands, without blanks.
const LISTS: &[&str] = &[
    "add_executable(",
    "target_sources(",
    "add_library(",
    "set(",
    "executable(",
    "srcs",
    "sources",
    "files(",
    "add_test(",
    "catch_discover_tests(",
    "SOURCES",
];
/// Build files that list sources.
const FILES: &[&str] =
    &["CMakeLists.txt", "meson.build", "BUILD", "BUILD.bazel", "Makefile.am", "SConstruct"];

/// A file of tests that would not be built any more, though it is not renamed.
pub(super) fn unbuilt(case: &Case, change: &Change) -> Option<SettingFinding> {
    if !FILES.contains(&file_name(&change.path)) {
        return None;
    }
    let (before, after) = (change.before.as_deref()?, change.after.as_deref()?);
    let (old, new) = (sources(before), sources(after));
    let is_kept = |name: &String| new.iter().any(|(it, _)| it == name);
    let (lost, line) =
        old.iter().find(|(name, _)| !is_kept(name) && !is_removed(case, &change.path, name))?;
    // One that has another name or another place now is still built; so is one that a pattern takes.
    let is_fewer = new.len() < old.len() && !is_named_elsewhere(case, &change.path, file_name(lost));
    let by_pattern = ["GLOB", "glob("].iter().any(|it| after.contains(it) && !before.contains(it));
    (is_fewer && !by_pattern)
        .then(|| (format!("the tests of `{lost}` would not be built any more"), *line, Severity::High))
}

/// Whether the session has removed a source that a build file names, from the build file's folder.
pub(super) fn is_removed(case: &Case, build_file: &str, source: &str) -> bool {
    let path = build_file.strip_suffix(file_name(build_file)).map(|folder| format!("{folder}{source}"));
    let mut session = case.evidence.changes.iter().chain(case.evidence.elsewhere);
    session.any(|it| it.after.is_none() && Some(&it.path) == path.as_ref())
}

fn sources(text: &str) -> Vec<(String, u32)> {
    let mut is_list = false;
    let mut all = Vec::new();
    for (number, line) in (1u32..).zip(text.lines()) {
        let code = line.split('#').next().unwrap_or_default();
        is_list |= LISTS.iter().any(|word| code.contains(word));
        if is_list {
            let words = code
                .split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '"' | '\'' | ',' | '[' | ']'));
            let files = words.filter(|word| {
                word.rsplit_once('.').is_some_and(|(stem, end)| !stem.is_empty() && is_source(end))
            });
            let tests = files.filter(|word| is_test_name(word) || is_test_path(word));
            all.extend(tests.map(|word| (word.to_owned(), number)));
        }
        is_list &= !code.contains([')', ']']);
    }
    all
}

fn is_source(ending: &str) -> bool {
    matches!(ending, "c" | "cc" | "cpp" | "cxx" | "m" | "mm" | "py" | "go" | "java" | "rs")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detectors::Evidence;

    #[test]
    fn a_file_of_tests_that_is_not_built_is_told() {
        let told = |before: &str, after: &str| {
            let change = Change {
                path: "CMakeLists.txt".to_owned(),
                before: Some(before.to_owned()),
                after: Some(after.to_owned()),
            };
            {
                let changes = [change];
                let case = Case::new(Evidence { changes: &changes, elsewhere: &[] });
                unbuilt(&case, &changes[0]).is_some()
            }
        };
        let file = |names: &str| format!("add_executable(shop_tests {names})\n");
        assert!(told(&file("tests/cart_test.cpp tests/tax_test.cpp"), &file("tests/tax_test.cpp")));
        assert!(!told(&file("tests/cart_test.cpp"), &file("tests/basket_test.cpp")));
        assert!(!told(&file("tests/tax_test.cpp"), &file("tests/cart_test.cpp tests/tax_test.cpp")));
    }
}
