//! Which paths belong to tests, by their names alone.
//!
//! Whole segments and whole parts of file names are compared, so `src/latest/util.ts`, `src/contest.ts` and
//! `attestation/` are no tests.

use crate::languages::descriptor::{CLASS_SUFFIXES, Stems};
use crate::languages::registry::{Language, file_name};
use crate::runners;

/// Folders whose files all belong to tests.
const FOLDERS: &[&str] = &[
    "test",
    "tests",
    "__tests__",
    "__test__",
    "spec",
    "specs",
    "e2e",
    "androidTest",
    "testdata",
    "integration_test",
    "integration_tests",
    "integration-test",
    "integration-tests",
    "unit_tests",
    "unit-tests",
    "unittests",
    "functional_tests",
    "functional-tests",
    "e2e_tests",
    "e2e-tests",
];

/// Extensions of source code that can hold tests, of languages that Steadfast does not read.
const UNREAD: &[&str] = &[
    "scala", "groovy", "fs", "vb", "m", "mm", "erl", "lua", "jl", "clj", "cljs", "hs", "ml", "r", "R", "pl",
    "t", "sh", "vue", "svelte", "feature", "robot", "zig", "nim",
];

/// Marks between dots before the extension: `x.test.ts`, `x.spec.js`, `x.cy.ts`, `x.e2e-spec.ts`.
const MIDDLES: &[&str] =
    &["test", "spec", "tests", "specs", "cy", "e2e", "e2e-spec", "test-d", "unit", "integration"];

/// What the stems of such files start or end with.
const UNREAD_STEMS: &[Stems] = &[
    Stems { extensions: &["lua", "zig", "clj", "hs"], prefixes: &[], suffixes: &["_test", "_tests"] },
    Stems {
        extensions: &["lua", "r", "R", "sh", "jl", "nim"],
        prefixes: &["test_", "test-"],
        suffixes: &["_unittest"],
    },
    Stems {
        extensions: &["scala", "groovy", "fs", "vb", "m", "hs"],
        prefixes: &[],
        suffixes: CLASS_SUFFIXES,
    },
    Stems { extensions: &["lua"], prefixes: &[], suffixes: &["_spec"] },
];

/// Extensions that are tests whatever the stem.
const ALWAYS: &[&str] = &["feature", "robot"];

/// Whether the path belongs to tests: a test file, or any file in a test folder. Takes `/` and `\`.
pub fn is_test_path(path: &str) -> bool {
    let mut segments: Vec<&str> = path.split(['/', '\\']).filter(|part| !part.is_empty()).collect();
    let Some(name) = segments.pop() else { return false };
    // What Gradle and Maven build is no test, whatever it is called: `src/main/…/FileSpec.kt`.
    let is_product = || segments.windows(2).any(|pair| matches!(pair, ["src", set] if is_main(set)));
    segments.iter().any(|folder| FOLDERS.contains(folder) || is_test_project(folder))
        || (is_test_name(name) && !is_product())
}

/// A source set that is built: `main`, `commonMain`.
fn is_main(folder: &str) -> bool {
    folder == "main" || folder.strip_suffix("Main").is_some_and(|rest| rest.starts_with(char::is_lowercase))
}

/// Whether the file's own name is one that test runners collect, so that the file exists to hold tests.
pub fn is_test_name(path: &str) -> bool {
    let name = file_name(path);
    let Some((stem, extension)) = name.rsplit_once('.') else { return false };
    let files = Language::of_extension(extension).map(|language| &language.descriptor().test_files);
    if files.is_some_and(|files| files.names.contains(&name)) {
        return true;
    }
    if stem.is_empty() {
        return false;
    }
    if ALWAYS.contains(&extension) || runners::owns_extension(extension) {
        return true;
    }
    if !files.map_or(UNREAD, |files| files.extensions).contains(&extension) {
        return false;
    }
    if stem.rsplit_once('.').is_some_and(|(front, middle)| !front.is_empty() && MIDDLES.contains(&middle)) {
        return true;
    }
    files.map_or(UNREAD_STEMS, |files| files.stems).iter().any(|stems| {
        stems.extensions.contains(&extension)
            && (stems.prefixes.iter().any(|prefix| is_longer(stem.strip_prefix(prefix)))
                || stems.suffixes.iter().any(|suffix| is_longer(stem.strip_suffix(suffix))))
    })
}

/// Folders that hold data of tests and nothing else, wherever they stand.
const DATA_FOLDERS: &[&str] = &[
    "__fixtures__",
    "__snapshots__",
    "testdata",
    "test-data",
    "test_data",
    "fixtures",
    "fixture",
    "snapshots",
    "golden",
    "goldens",
    "cassettes",
];
/// Folders that do so below a folder of tests.
const TESTS_DATA_FOLDERS: &[&str] =
    &["data", "expected", "approved", "samples", "resources", "cases", "vectors"];
/// Extensions of data, and of answers that tools record.
const DATA: &[&str] = &[
    "json", "jsonl", "ndjson", "yml", "yaml", "csv", "tsv", "txt", "xml", "html", "svg", "snap", "golden",
    "expected", "out", "approved", "verified", "toml", "sql", "ambr", "tape",
];
/// Extensions of recorded answers that need no folder.
const RECORDED: &[&str] = &["snap", "golden", "ambr"];

/// Whether the path is data that tests read or compare with: a fixture, a snapshot, a recorded answer.
pub fn data_of_tests(path: &str) -> bool {
    let mut segments: Vec<&str> = path.split(['/', '\\']).filter(|part| !part.is_empty()).collect();
    let Some(name) = segments.pop() else { return false };
    let Some((stem, extension)) = name.rsplit_once('.') else { return false };
    if !DATA.contains(&extension) {
        return false;
    }
    let in_tests = || segments.iter().any(|folder| FOLDERS.contains(folder) || is_test_project(folder));
    RECORDED.contains(&extension)
        || stem.ends_with(".approved")
        || stem.ends_with(".verified")
        || segments.iter().any(|folder| DATA_FOLDERS.contains(folder))
        || segments.iter().any(|folder| TESTS_DATA_FOLDERS.contains(folder)) && in_tests()
}

/// What the file is about: its stem without the marks of a test, in lower case (`tests/test_user.py` and `src/User.py`
/// are both about `user`).
pub fn subject(path: &str) -> String {
    let stem = file_name(path).split('.').next().unwrap_or_default().to_lowercase();
    let bare = ["test_", "test-"].iter().find_map(|mark| stem.strip_prefix(mark)).unwrap_or(&stem);
    let marks = ["_tests", "_test", "_spec", "-test", "-spec", "tests", "test", "spec"];
    marks
        .iter()
        .find_map(|mark| bare.strip_suffix(mark))
        .filter(|rest| !rest.is_empty())
        .unwrap_or(bare)
        .to_owned()
}

fn is_longer(rest: Option<&str>) -> bool {
    rest.is_some_and(|rest| !rest.is_empty())
}

/// A .NET or Swift project of tests: `Shop.Tests`, `ShopTests`, `Shop.UnitTests`.
fn is_test_project(folder: &str) -> bool {
    // A source set of Gradle: `commonTest`, `integrationTest`.
    let is_source_set = || {
        folder
            .strip_suffix("Test")
            .is_some_and(|rest| rest.starts_with(char::is_lowercase) && rest.chars().all(char::is_alphabetic))
    };
    folder.strip_suffix("Tests").is_some_and(|rest| rest.ends_with('.') || rest.ends_with(char::is_lowercase))
        || folder.ends_with(".Test")
        || is_source_set()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_told_apart() {
        let yes = [
            "test/a/b.json",
            "src/test/java/A.java",
            "x/tests/y.rs",
            "src/__tests__/a.ts",
            "integration_test/cases/joins.exs",
            "app/src/commonTest/kotlin/Cart.kt",
            "src/test/kotlin/CartSpec.kt",
            "a.test.ts",
            "deep/a.test.js",
            "a.test.py",
            "a.spec.tsx",
            "a.test.tsx",
            "test_a.py",
            "a_test.py",
            "a_test.go",
            "a_test.rs",
            "conftest.py",
            "spec/a_spec.rb",
            "a/spec_cart.rb",
            "app/UserTest.java",
            "app/UserTests.cs",
            "Shop.Tests/Cart.cs",
            "ShopTests/Cart.swift",
            "a_test.exs",
            "queue_test.cc",
            "src\\tests\\a.py",
            "C:\\x\\a.spec.ts",
            "cypress/a.cy.ts",
            "UserTest.php",
        ];
        let no = [
            "src/latest/util.ts",
            "src/contest.ts",
            "attestation/a.ts",
            "testing.md",
            "src/greatest.py",
            "test",
            "",
            "protest/a.rs",
            "docs/a.test.md",
            "src/Latest.java",
            "src/test_data.json",
            "contests/a.rb",
            ".test.ts",
            "src/spectrum/a.ts",
            "_test.go",
            "manifest.rs",
        ];
        yes.iter().for_each(|path| assert!(is_test_path(path), "{path} is a test path"));
        no.iter().for_each(|path| assert!(!is_test_path(path), "{path} is no test path"));
    }

    #[test]
    fn data_of_tests_is_told_from_other_data() {
        let yes = [
            "tests/fixtures/users.json",
            "fixtures/users.yml",
            "src/__snapshots__/a.test.js.snap",
            "pkg/testdata/in.txt",
            "src/test/resources/users.csv",
            "spec/cassettes/login.yml",
            "snapshots/report.snap",
            "tests/expected/report.html",
            "Report.Prints.verified.txt",
        ];
        let no = [
            "data/users.json",
            "tests/users.test.ts",
            "tests/fixtures/factory.py",
            "src/main/resources/app.yml",
            "package.json",
            "src/expected/report.html",
            "fixtures",
            "",
        ];
        yes.iter().for_each(|path| assert!(data_of_tests(path), "{path} is data of tests"));
        no.iter().for_each(|path| assert!(!data_of_tests(path), "{path} is no data of tests"));
    }

    #[test]
    fn a_fixture_in_a_test_folder_is_no_test_file() {
        assert!(!is_test_name("tests/data/users.json"));
        assert!(!is_test_name("tests/factories.py"));
        assert!(is_test_name("tests/users.test.ts"));
    }

    #[test]
    fn a_test_and_its_source_have_one_subject() {
        let cases = [
            ("tests/test_user.py", "src/user.py"),
            ("user_test.go", "user.go"),
            ("a/user.test.ts", "b/user.ts"),
            ("UserTest.java", "User.java"),
            ("spec/user_spec.rb", "lib/user.rb"),
            ("UserTests.cs", "User.cs"),
        ];
        for (test, source) in cases {
            assert_eq!(subject(test), subject(source), "{test} is about {source}");
        }
        assert_ne!(subject("user.test.ts"), subject("order.ts"));
    }
}
