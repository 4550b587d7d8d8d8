//! Test files that move to where the project's own configuration does not look: out of pytest's `testpaths`, out of what
//! Jest's `testMatch` names.
//!
//! The configuration is read only where a test file has moved.

use crate::config::globs;
use crate::detectors::checks::both_settings::settings_of_code;
use crate::detectors::testing::test_deletion::DELETED;
use crate::languages::{self, file_name, settings};
use crate::model::finding::{Change, Finding};

/// Files in which pytest finds its settings, in its order.
const OF_PYTEST: &[&str] = &["pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg"];
/// Files in which Jest finds its settings.
const OF_JEST: &[&str] = &["jest.config.js", "jest.config.ts", "jest.config.mjs", "jest.config.cjs"];

/// A finding for each test file that moves out of reach. `read` gives a file of the project.
pub(crate) fn out_of_reach(changes: &[Change], read: impl Fn(&str) -> Option<String>) -> Vec<Finding> {
    let gone = changes.iter().filter(|it| it.after.is_none() && languages::is_test_name(&it.path));
    let moved = gone.filter_map(|old| {
        let mut new = changes.iter().filter(|it| it.before.is_none() && it.after.is_some());
        let new = new.find(|it| file_name(&it.path) == file_name(&old.path))?;
        let names = languages::test_names(&old.path, old.before.as_deref()?)?;
        (!names.is_empty()).then_some((old, new, names))
    });
    let found = moved.filter_map(|(old, new, names)| {
        let places = match old.path.rsplit_once('.')?.1 {
            "py" => testpaths(&read)?,
            "js" | "ts" | "jsx" | "tsx" | "mjs" | "cjs" => test_match(&read)?,
            _ => return None,
        };
        let reaches = |path: &str| globs::any(&places, path);
        (reaches(&old.path) && !reaches(&new.path)).then(|| {
            let what = format!("its tests would go to `{}`, where no run looks for them", new.path);
            Finding { lost: names, confidence: 0.9, ..DELETED.finding(&old.path, what) }
        })
    });
    found.collect()
}

fn testpaths(read: impl Fn(&str) -> Option<String>) -> Option<Vec<String>> {
    let mut found = OF_PYTEST.iter().filter_map(|file| Some((file, settings(file, &read(file)?)?)));
    let all = found.find_map(|(_, all)| {
        let places = all.iter().filter(|it| it.name() == "testpaths");
        let places: Vec<String> =
            places.flat_map(|it| it.value.split_whitespace()).map(str::to_owned).collect();
        (!places.is_empty()).then_some(places)
    })?;
    let below = |place: &String| format!("{}/**", place.trim_start_matches("./").trim_end_matches('/'));
    Some(all.iter().filter(|place| *place != ".").map(below).collect::<Vec<_>>()).filter(|it| !it.is_empty())
}

fn test_match(read: impl Fn(&str) -> Option<String>) -> Option<Vec<String>> {
    let mut found = OF_JEST.iter().filter_map(|file| settings_of_code(file, &read(file)?));
    let all = found.find_map(|all| {
        let patterns = all.iter().filter(|it| it.name() == "testMatch");
        let patterns: Vec<String> = patterns.map(|it| it.value.replace("<rootDir>/", "")).collect();
        (!patterns.is_empty()).then_some(patterns)
    })?;
    // What is said in another way than by plain patterns is not known.
    all.iter().all(|it| !it.contains(['?', '!', '(', '$'])).then_some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_file_moves_within_what_the_configuration_names() {
        const PYTEST: &str = "[tool.pytest.ini_options]\ntestpaths = [\"tests\"]\n";
        const JEST: &str = "module.exports = {\n  testMatch: ['**/tests/**/*.test.js'],\n};\n";
        let read = |path: &str| match path {
            "pyproject.toml" => Some(PYTEST.to_owned()),
            "jest.config.js" => Some(JEST.to_owned()),
            _ => None,
        };
        const PYTHON: &str = "def test_a():\n    assert f() == 1\n";
        const SCRIPT: &str = "test('a', () => { expect(f()).toBe(1); });\n";
        for (from, to, text, is_found) in [
            ("tests/test_a.py", "other/test_a.py", PYTHON, true),
            ("tests/test_a.py", "tests/unit/test_a.py", PYTHON, false),
            ("more/test_a.py", "other/test_a.py", PYTHON, false),
            ("tests/a.test.js", "src/a.test.js", SCRIPT, true),
            ("tests/a.test.js", "src/tests/a.test.js", SCRIPT, false),
        ] {
            let gone = Change { path: from.to_owned(), before: Some(text.to_owned()), after: None };
            let come = Change { path: to.to_owned(), before: None, after: Some(text.to_owned()) };
            assert_eq!(!out_of_reach(&[gone, come], read).is_empty(), is_found, "{from} -> {to}");
        }
    }
}
