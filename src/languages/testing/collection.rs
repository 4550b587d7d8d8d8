//! Which files runners look for tests in.

use crate::languages::descriptor::TestFileRule;
use crate::languages::registry::{Language, file_name};
use crate::languages::testing::paths::{is_test_name, is_test_path};

/// Folders that no runner enters.
const PASSED_OVER: &[&str] = &["node_modules", "__pycache__"];

/// Folders that none enters where they stand at the top: what tools make.
const MADE: &[&str] = &["build", "dist", "out", "target", "vendor", "venv", "coverage"];

/// Folders at the top that hold what nobody uses now, where the file's own name does not speak of them.
#[rustfmt::skip] // Words in lines, not in a column.
const PUT_AWAY: &[&str] = &[
    "archive", "archived", "attic", "backup", "backups", "deprecated", "old", "temp", "testdata", "tmp", "trash",
    "unused",
];

/// Folders whose files runners collect whatever their names, also where the names of others matter.
const COLLECTING: &[&str] = &["__tests__", "__test__", "cypress"];

/// Extensions of files that runners find by their names, of languages that Steadfast does not read.
const UNREAD_BY_NAME: &[&str] = &["vue", "svelte"];

/// Words at the end of a folder's name that say that nobody uses it any more.
const ASIDE: &[&str] = &["old", "bak", "backup", "disabled", "off", "unused", "skipped", "removed", "orig"];

/// Systems and machines that Go takes the end of a file's name for, and that few work on.
#[rustfmt::skip] // Words in lines, not in a column.
const GO_ELSEWHERE: &[&str] = &[
    "aix", "android", "dragonfly", "freebsd", "illumos", "ios", "js", "netbsd", "openbsd", "plan9",
    "solaris", "wasip1", "windows", "386", "arm", "loong64", "mips", "mips64", "mips64le", "mipsle",
    "ppc64", "ppc64le", "riscv64", "s390x", "wasm",
];

/// Whether a runner looks for tests in this file at all.
pub(crate) fn is_collected(collected: &TestFileRule, path: &str, source: &str) -> bool {
    match collected {
        TestFileRule::Everywhere => true,
        TestFileRule::Ending(ending) => path.ends_with(ending),
        TestFileRule::InTestsOrNaming(frameworks) => is_test_path(path) || names_any(source, frameworks),
        TestFileRule::EndingOrIn { ending, extension, naming } => {
            path.ends_with(ending)
                || (path.ends_with(extension) && is_test_path(path) && names_any(source, &[naming]))
        }
    }
}

/// Whether runners that find the tests of the file `old` find those of the file `new` too.
pub(crate) fn is_run_as(old: &str, new: &str) -> bool {
    if !is_entered(old, new) || (is_cargo_target(old) && is_below_cargo_targets(new)) {
        return false;
    }
    let to = folders(new);
    let extension = file_name(new).rsplit_once('.').map_or("", |(_, extension)| extension);
    if extension == "go" && is_no_package_file(new) && !is_no_package_file(old) {
        return false;
    }
    !is_test_name(old)
        || is_test_name(new)
        || !is_found_by_name(extension)
        || to.iter().any(|folder| COLLECTING.contains(folder))
}

/// Whether runners that enter the folder of the file `old` enter that of the file `new` too.
pub(crate) fn is_entered(old: &str, new: &str) -> bool {
    let (from, to) = (folders(old), folders(new));
    let is_hidden =
        |folder: &&&str| PASSED_OVER.contains(*folder) || (folder.starts_with('.') && folder.len() > 2);
    let is_aside = |folder: &&&str| says_aside(folder);
    let is_put_away = |folder: &&&str| PUT_AWAY.contains(*folder) && !file_name(new).contains(**folder);
    let is_made = |folder: &&&str| MADE.contains(*folder) || is_put_away(folder);
    let mut aside =
        to.iter().filter(is_hidden).chain(to.first().filter(is_made)).chain(to.iter().filter(is_aside));
    aside.all(|folder| from.contains(folder))
}

fn folders(path: &str) -> Vec<&str> {
    let mut segments: Vec<&str> = path.split(['/', '\\']).collect();
    segments.pop();
    segments
}

/// Whether Cargo makes a test of its own of a file: `tests/it.rs`, `tests/it/main.rs`.
fn is_cargo_target(path: &str) -> bool {
    let folders = folders(path);
    path.ends_with(".rs")
        && match folders.iter().rposition(|folder| *folder == "tests") {
            Some(at) if at + 1 == folders.len() => true,
            Some(at) => at + 2 == folders.len() && file_name(path) == "main.rs",
            None => false,
        }
}

/// Whether a Rust file below `tests/` runs only where a test of Cargo's names it as a module.
fn is_below_cargo_targets(path: &str) -> bool {
    path.ends_with(".rs") && folders(path).contains(&"tests") && !is_cargo_target(path)
}

/// Whether the text names one of the frameworks at all.
fn names_any(source: &str, frameworks: &[&str]) -> bool {
    frameworks.iter().any(|name| memchr::memmem::find(source.as_bytes(), name.as_bytes()).is_some())
}

/// Whether a folder was put aside: `tests_old`, `spec.bak`.
fn says_aside(folder: &str) -> bool {
    folder.rsplit_once(['_', '-', '.']).is_some_and(|(name, end)| !name.is_empty() && ASIDE.contains(&end))
}

/// Whether Go leaves a file out of its packages here: `_calc_test.go`, `calc_windows_test.go`, `testdata/calc_test.go`.
fn is_no_package_file(path: &str) -> bool {
    let name = file_name(path);
    let stem = name.trim_end_matches(".go").trim_end_matches("_test");
    let end = stem.rsplit_once('_').map_or("", |(_, end)| end);
    let is_ignored = |folder: &&str| {
        *folder == "testdata" || !matches!(*folder, "." | "..") && folder.starts_with(['_', '.'])
    };
    name.starts_with(['_', '.']) || GO_ELSEWHERE.contains(&end) || folders(path).iter().any(is_ignored)
}

/// Whether runners find files with the extension by their names.
fn is_found_by_name(extension: &str) -> bool {
    Language::of_extension(extension)
        .map_or(UNREAD_BY_NAME, |language| language.descriptor().test_files.found_by_name)
        .contains(&extension)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_that_is_put_aside_is_run_by_nobody() {
        for (old, new, runs) in [
            ("calc_test.go", "_calc_test.go", false),
            ("calc_test.go", "calc_windows_test.go", false),
            ("calc_test.go", "money_test.go", true),
            ("calc_windows_test.go", "money_windows_test.go", true),
            ("calc_test.go", "calc_linux_test.go", true),
            ("tests/a.test.js", "tests_old/a.test.js", false),
            ("tests/a.test.js", "spec.bak/a.test.js", false),
            ("tests/a.test.js", "tests/unit/a.test.js", true),
            ("tests_old/a.test.js", "tests_old/b.test.js", true),
            ("calc_test.go", "testdata/calc_test.go", false),
            ("calc_test.go", "_later/calc_test.go", false),
            ("archive_test.go", "archive/archive_test.go", true),
            ("tests/test_calc.py", "archive/test_calc.py", false),
            ("tests/test_calc.py", "tests/unit/test_calc.py", true),
            ("tests/it.rs", "tests/it/main.rs", true),
            ("tests/it.rs", "tests/all/it.rs", false),
            ("tests/it.rs", "src/lib.rs", true),
            ("src/lib.rs", "src/tests/sums.rs", true),
        ] {
            assert_eq!(is_run_as(old, new), runs, "{old} -> {new}");
        }
    }
}
