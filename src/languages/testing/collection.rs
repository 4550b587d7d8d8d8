//! Which files runners look for tests in.

use crate::languages::descriptor::TestFileRule;
use crate::languages::registry::{Language, file_name};
use crate::languages::testing::paths::{is_test_name, is_test_path};

/// Folders that no runner enters.
const PASSED_OVER: &[&str] = &["node_modules", "__pycache__"];

/// Folders that none enters where they stand at the top: what tools make.
const MADE: &[&str] = &["build", "dist", "out", "target", "vendor", "venv", "coverage"];

/// Folders whose files runners collect whatever their names, also where the names of others matter.
const COLLECTING: &[&str] = &["__tests__", "__test__", "cypress"];

/// Extensions of files that runners find by their names, of languages that Steadfast does not read.
const UNREAD_BY_NAME: &[&str] = &["dart", "vue", "svelte"];

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
    let folders = |path: &str| -> Vec<String> {
        let mut segments: Vec<String> = path.split(['/', '\\']).map(str::to_owned).collect();
        segments.pop();
        segments
    };
    let (from, to) = (folders(old), folders(new));
    let is_hidden = |folder: &&String| {
        PASSED_OVER.contains(&folder.as_str()) || (folder.starts_with('.') && folder.len() > 2)
    };
    let is_aside = |folder: &&String| says_aside(folder);
    let is_made = |folder: &&String| MADE.contains(&folder.as_str());
    let mut aside =
        to.iter().filter(is_hidden).chain(to.first().filter(is_made)).chain(to.iter().filter(is_aside));
    if aside.any(|folder| !from.contains(folder)) {
        return false;
    }
    let extension = file_name(new).rsplit_once('.').map_or("", |(_, extension)| extension);
    if extension == "go" && is_no_package_file(new) && !is_no_package_file(old) {
        return false;
    }
    !is_test_name(old)
        || is_test_name(new)
        || !is_found_by_name(extension)
        || to.iter().any(|folder| COLLECTING.contains(&folder.as_str()))
}

/// Whether the text names one of the frameworks at all.
fn names_any(source: &str, frameworks: &[&str]) -> bool {
    frameworks.iter().any(|name| memchr::memmem::find(source.as_bytes(), name.as_bytes()).is_some())
}

/// Whether a folder was put aside: `tests_old`, `spec.bak`.
fn says_aside(folder: &str) -> bool {
    folder.rsplit_once(['_', '-', '.']).is_some_and(|(name, end)| !name.is_empty() && ASIDE.contains(&end))
}

/// Whether Go leaves a file out of its package here: `_calc_test.go`, `calc_windows_test.go`.
fn is_no_package_file(path: &str) -> bool {
    let name = file_name(path);
    let stem = name.trim_end_matches(".go").trim_end_matches("_test");
    let end = stem.rsplit_once('_').map_or("", |(_, end)| end);
    name.starts_with(['_', '.']) || GO_ELSEWHERE.contains(&end)
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
        ] {
            assert_eq!(is_run_as(old, new), runs, "{old} -> {new}");
        }
    }
}
