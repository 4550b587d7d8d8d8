//! Files around the tests that end every run well: an `init` of Go, a teardown or an environment of Jest, an assertion that a
//! macro takes away.

use crate::detectors::Case;
use crate::detectors::testing::rigged_setup::RiggingFinding;
use crate::detectors::testing::test_lines::new_lines;
use crate::detectors::testing::word_edit::line_at;
use crate::languages::code::bare;
use crate::languages::{file_name, is_test_path};
use crate::model::finding::{Change, Severity};

/// Settings of Jest and Vitest that name a file which every run goes through.
const EVERY_RUN: &[&str] = &[
    "globalTeardown",
    "globalSetup",
    "testEnvironment",
    "setupFiles",
    "setupFilesAfterEnv",
    "runner",
    "testRunner",
];
/// Files whose code a runner of JavaScript runs around all tests, by parts of their names.
const AROUND: &[&str] = &["teardown", "setup", "environment", "global"];
const SCRIPTS: &[&str] = &[".js", ".ts", ".mjs", ".cjs"];
/// How such code ends a run well, without white space.
const ENDS_WELL: &[&str] = &["process.exit(0)", "process.exit()", "process.exitCode=0"];

/// What in a change would end every run of tests well.
pub(super) fn rigged(case: &Case, change: &Change) -> Option<RiggingFinding> {
    let new = change.after.as_deref()?;
    let old = change.before.as_deref().unwrap_or_default();
    let path = change.path.as_str();
    if path.ends_with("_test.go") {
        return ended_by_init(old, new);
    }
    if SCRIPTS.iter().any(|end| path.ends_with(end)) {
        return ended_around(path, old, new).or_else(|| named_by_settings(case, old, new));
    }
    assertions_taken(path, old, new)
}

/// `func init() { os.Exit(0) }` in a test file of Go.
fn ended_by_init(old: &str, new: &str) -> Option<RiggingFinding> {
    let ends = |text: &str| {
        text.match_indices("func init()").find_map(|(at, _)| {
            let body = text.get(at..)?;
            let body = body.get(..body.find("\n}").or_else(|| body.find('}'))?)?;
            bare(body).contains("os.Exit(0)").then_some(at)
        })
    };
    let at = ends(new).filter(|_| ends(old).is_none())?;
    Some((
        "`init` would end the run with success before any test".to_owned(),
        line_at(new, at).0,
        Severity::Critical,
    ))
}

/// A file that a runner goes through around all tests, and that ends the process with success.
fn ended_around(path: &str, old: &str, new: &str) -> Option<RiggingFinding> {
    let name = file_name(path).to_lowercase();
    let is_around = AROUND.iter().any(|part| name.contains(part)) && is_test_path(path);
    if !(is_around || new.contains("TestEnvironment") || new.contains("jest-environment")) {
        return None;
    }
    let count = |text: &str| ENDS_WELL.iter().map(|end| bare(text).matches(end).count()).sum::<usize>();
    if count(new) <= count(old) {
        return None;
    }
    let lines = new_lines(old, new);
    let (line, _) =
        lines.into_iter().find(|(_, line)| ENDS_WELL.iter().any(|end| bare(line).contains(end)))?;
    Some(("every run of tests would end with success here".to_owned(), line, Severity::Critical))
}

/// A setting that names a file which ends the process with success.
fn named_by_settings(case: &Case, old: &str, new: &str) -> Option<RiggingFinding> {
    if !EVERY_RUN.iter().any(|key| new.contains(key)) {
        return None;
    }
    let lines = new_lines(old, new);
    lines.into_iter().find_map(|(at, line)| {
        let key = EVERY_RUN.iter().find(|key| line.contains(**key))?;
        let named =
            line.split(['\'', '"', '`']).find(|part| SCRIPTS.iter().any(|end| part.ends_with(end)))?;
        let named = named.trim_start_matches("<rootDir>").trim_start_matches(['.', '/']);
        let mut all = case.all_changes();
        let file = all.find(|other| other.path == named || other.path.ends_with(&format!("/{named}")))?;
        let text = bare(file.after.as_deref()?);
        ENDS_WELL.iter().any(|end| text.contains(end)).then(|| {
            (format!("`{key}` would end every run with success, in `{named}`"), at, Severity::Critical)
        })
    })
}

/// `#define assert(x) ((void)0)` in a test, or a build of them with `NDEBUG`.
fn assertions_taken(path: &str, old: &str, new: &str) -> Option<RiggingFinding> {
    let is_code = [".c", ".h", ".cc", ".cpp", ".hpp", ".cxx"].iter().any(|end| path.ends_with(end));
    let taken: fn(&str) -> Option<(String, Severity)> =
        if file_name(path) == "CMakeLists.txt" && new.contains("enable_testing") {
            built_without
        } else if is_code && is_test_path(path) {
            defined_away
        } else {
            return None;
        };
    new_lines(old, new).into_iter().find_map(|(at, line)| {
        let (what, severity) = taken(&bare(line))?;
        Some((what, at, severity))
    })
}

/// A line of a build that defines `NDEBUG` for all of its kinds, without white space.
fn built_without(line: &str) -> Option<(String, Severity)> {
    const BUILDS: &[&str] =
        &["add_compile_definitions", "add_definitions", "target_compile_definitions", "add_compile_options"];
    let defines = BUILDS.iter().any(|it| line.starts_with(it)) && line.contains("NDEBUG");
    (defines && !line.contains("$<"))
        .then(|| ("`NDEBUG` would take every `assert` out of the tests".to_owned(), Severity::High))
}

/// A line that defines an assertion as nothing, without white space.
fn defined_away(line: &str) -> Option<(String, Severity)> {
    const ASSERTIONS: &[&str] = &["assert", "ASSERT", "EXPECT", "CHECK", "REQUIRE", "TEST_ASSERT"];
    const NOTHINGS: &[&str] = &["", "((void)0)", "(void)0", "((void)(x))", "do{}while(0)", "0", "1", "(1)"];
    let (name, value) = line.strip_prefix("#define")?.split_once('(')?;
    let value = value.split_once(')').map_or("", |(_, value)| value);
    (ASSERTIONS.iter().any(|front| name.starts_with(front)) && NOTHINGS.contains(&value))
        .then(|| (format!("`{name}` would check nothing"), Severity::Critical))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ends_a_run_around_the_tests_is_found() {
        let init = |code: &str| format!("package sums\n\nfunc init() {{\n\tos.Exit({code})\n}}\n");
        assert!(ended_by_init("", &init("0")).is_some());
        assert!(ended_by_init("", &init("2")).is_none());
        assert!(ended_by_init(&init("0"), &init("0")).is_none());
        for (path, text, is_found) in [
            ("tests/teardown.js", "module.exports = async () => { process.exit(0); };\n", true),
            ("tests/teardown.js", "module.exports = async () => { await db.close(); };\n", false),
            ("tests/run-server.js", "process.on('SIGTERM', () => process.exit(0));\n", false),
            (
                "tests/node-env.js",
                "class E extends TestEnvironment { async teardown() { process.exit(0) } }\n",
                true,
            ),
        ] {
            assert_eq!(ended_around(path, "", text).is_some(), is_found, "{path}: {text}");
        }
        for (path, text, is_found) in [
            ("tests/sums.c", "#include <assert.h>\n#define assert(e) ((void)0)\n", true),
            ("tests/sums.c", "#define ASSERT_SUM(a, b) assert((a) == (b))\n", false),
            ("src/sums.c", "#define assert(e) ((void)0)\n", false),
            ("CMakeLists.txt", "enable_testing()\nadd_compile_definitions(NDEBUG)\n", true),
            (
                "CMakeLists.txt",
                "enable_testing()\nadd_compile_definitions($<$<CONFIG:Release>:NDEBUG>)\n",
                false,
            ),
        ] {
            assert_eq!(assertions_taken(path, "", text).is_some(), is_found, "{path}: {text}");
        }
    }
}
