//! What a runner takes for tests: fewer names of files, classes and functions, or another place than where the tests are.

use crate::detectors::Case;
use crate::detectors::checks::setting_keys::{SettingFinding, in_list};
use crate::languages::{SettingEntry, is_test_path};
use crate::model::finding::Severity;

/// Names of what pytest collects.
const COLLECTED: &[&str] = &["python_functions", "python_classes", "python_files"];
/// Words that every name of a test may have.
const USUAL: &[&str] = &["test", "Test", "tests", "Tests", "py", "check", "it", "should"];

/// Fewer names of functions, classes or files that are collected as tests, or none of those that tests usually have.
pub(super) fn collected(
    case: &Case,
    before: &[SettingEntry],
    after: &[SettingEntry],
) -> Option<SettingFinding> {
    COLLECTED.iter().find_map(|setting| {
        let (was, is) = (names(before, setting), names(after, setting));
        // What is left of a name without the usual words says of which tests.
        let is_of_some = |name: &str| {
            let words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
            words.into_iter().any(|word| !USUAL.contains(&word))
        };
        let is_usual = |name: &str| name.to_lowercase().contains("test");
        let had_all = was.is_empty() || was.iter().any(|(name, _)| !is_of_some(name));
        let (name, line) = is.first()?;
        if had_all && is.iter().all(|(name, _)| is_of_some(name)) {
            let what = format!("`{setting} = {name}` would collect some of the tests only");
            return Some((what, *line, Severity::High));
        }
        let had_usual = was.is_empty() || was.iter().any(|(name, _)| is_usual(name));
        let lost_usual = had_usual && !is.iter().any(|(name, _)| is_usual(name));
        // Who gives the tests other names says so in the runner's settings too.
        (lost_usual && !changes_tests(case)).then(|| {
            let what = format!("`{setting} = {name}` would collect no test of the usual name");
            (what, *line, Severity::High)
        })
    })
}

fn names(all: &[SettingEntry], setting: &str) -> Vec<(String, u32)> {
    let own = all.iter().filter(|it| it.name() == setting || in_list(&it.key, &[setting]));
    own.flat_map(|it| it.value.split_whitespace().map(|word| (word.to_owned(), it.line))).collect()
}

fn changes_tests(case: &Case) -> bool {
    case.evidence.changes.iter().chain(case.evidence.elsewhere).any(|it| is_test_path(&it.path))
}

/// The folder in which tests would be looked for, where that is another than before and the session has put none there.
pub(super) fn elsewhere(case: &Case, was: &[String], is: &[String]) -> Option<String> {
    let all = |places: &[String]| -> Vec<String> { places.iter().flat_map(|place| folders(place)).collect() };
    let (old, new) = (all(was), all(is));
    let is_apart = !old.is_empty() && !new.is_empty() && !new.iter().any(|folder| old.contains(folder));
    let is_filled = |folder: &String| {
        let session = case.evidence.changes.iter().chain(case.evidence.elsewhere);
        let mut files = session.filter(|it| it.after.is_some());
        files.any(|it| it.path.split('/').any(|part| part == folder))
    };
    new.iter().find(|_| is_apart).filter(|_| !new.iter().any(is_filled)).cloned()
}

/// The names of folders in a place or a pattern, without what stands for any.
fn folders(place: &str) -> Vec<String> {
    let words = place.split_whitespace().map(|word| word.trim_start_matches("<rootDir>"));
    let parts = words.flat_map(|word| {
        let is_folder = !word.contains('.') || word.ends_with('/');
        let count = word.split('/').count() - usize::from(!is_folder);
        word.split('/').take(count).map(str::to_owned).collect::<Vec<_>>()
    });
    parts
        .filter(|part| !part.is_empty() && part != "." && !part.contains(['*', '{', '[', '(', '?']))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_places_have_names() {
        let cases: [(&str, &[&str]); 6] = [
            ("**/tests/**/*.test.js", &["tests"]),
            ("tests", &["tests"]),
            ("tests unit/fast", &["tests", "unit", "fast"]),
            ("<rootDir>/src", &["src"]),
            ("**/*.spec.ts", &[]),
            ("./e2e/", &["e2e"]),
        ];
        for (place, expected) in cases {
            assert_eq!(folders(place), expected, "{place}");
        }
    }
}
