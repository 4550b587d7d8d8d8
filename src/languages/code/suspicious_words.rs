//! The first look at a change of code: whether it may weaken anything, from its changed lines alone.
//!
//! It suspects too much and decides nothing. A change that it does not suspect is never parsed, so a detector of product
//! code is only asked about words that stand here.

use crate::languages::differing::DifferingMiddle;

/// Words of which there are fewer after, when something is lost. Sorted.
#[rustfmt::skip] // Words in lines, not in a column.
const LOST: &[&str] = &[
    "BeginTx", "ConstantTimeCompare", "DisallowUnknownFields", "Err", "Error", "Exit", "FixedTimeEquals",
    "HtmlEncode", "LimitReader", "Lock", "Logger", "MaxBytesReader", "RLock", "SecureRandom", "Status",
    "ThrowIfNull", "ToLower", "TrimSpace", "abort", "argon2", "assert", "atomic", "bail",
    "bcrypt", "casefold", "catch", "check", "checkNotNull", "class", "compare_digest", "console", "def",
    "defp", "downcase", "ensure", "err", "error", "escape", "escapeHtml", "escapeshellarg", "except",
    "exit", "fail", "fatalError", "fn", "fun", "func", "function", "getRandomValues", "goto", "guard",
    "halt", "hash_equals", "html_escape", "htmlspecialchars", "lock", "lock_guard", "log", "logger",
    "lower", "lowercase", "mutex", "next", "panic", "precondition", "print", "puts", "quote", "raise",
    "randomBytes", "randomUUID", "reject", "require", "requireNonNull", "requireNotNull", "rescue", "rethrow",
    "sanitize", "scoped_lock", "secrets", "secure_compare", "strip", "synchronize", "synchronized",
    "throw", "throws", "timingSafeEqual", "toLowerCase", "to_lowercase", "token_hex", "token_urlsafe",
    "transaction", "trim", "unique_lock", "validate", "verify", "warn", "withLock", "with_lock",
];
/// Words of which there are more after, when something is hidden. Sorted.
#[rustfmt::skip] // Words in lines, not in a column.
const GAINED: &[&str] = &[
    "APP_ENV", "ASPNETCORE_ENVIRONMENT", "CHECKSTYLE", "CURLOPT_SSL_VERIFYHOST",
    "CURLOPT_SSL_VERIFYPEER", "CodeCoverageIgnore", "Environment", "Equals", "ExUnit",
    "ExcludeFromCodeCoverage", "ExcludeFromJacocoGeneratedReport", "Exit", "FIXME", "FLUTTER_TEST", "False",
    "GCOVR_EXCL_LINE", "GCOVR_EXCL_START", "Generated", "GetEnvironmentVariable", "Getenv", "Helper",
    "InsecureSkipVerify", "JUnit", "JacocoGenerated", "LCOV_EXCL_LINE", "LCOV_EXCL_START", "MIX_ENV",
    "Mix", "Mock", "NOLINT", "NOLINTBEGIN", "NOLINTNEXTLINE", "NOPMD", "NSClassFromString",
    "NotImplementedError", "NotImplementedException", "NotSupportedException",
    "PHPUNIT_COMPOSER_INSTALL", "PHPUNIT_RUNNING", "PHPUnit", "RACK_ENV", "RAILS_ENV", "RSpec",
    "RUNNING_TESTS", "Rails", "Simulated", "StackTrace", "Suppress", "SuppressLint", "SuppressMessage",
    "SuppressWarnings", "TESTING", "TODO", "TestCase", "UNIT_TEST", "Unimplemented", "UnitTest",
    "UnsupportedOperationException", "VERIFY_NONE", "XCTest", "XCTestConfigurationFilePath", "_",
    "__eq__", "__ne__", "_exit", "abort", "allow", "any", "biome", "c8", "catch", "cfg", "checkstyle",
    "clang", "codeCoverageIgnore", "codeCoverageIgnoreStart", "codingStandardsIgnoreFile",
    "codingStandardsIgnoreStart", "collect_ignore", "collect_ignore_glob", "coverage", "coveralls",
    "cppcheck", "credo", "default", "detekt", "diagnostic", "dialyzer", "dummy", "env", "environ", "eq",
    "equals", "eslint", "except", "existing", "exit", "exitCode", "false", "fatalError", "flake8",
    "getOrDefault", "getOrElse", "getOrNull", "getStackTrace", "getenv", "global", "globalThis", "halt",
    "handleTestExecutionException", "ignore", "implement", "implementation", "implemented",
    "isRunningTests", "istanbul", "junit", "ktlint", "lint", "mock", "modules", "mypy", "nil", "nocov",
    "noinspection", "nolint", "noqa", "nosemgrep", "nowarn_function", "null", "nullable", "nunit", "ok",
    "onNotSuccessfulTest", "pass", "perf_counter", "phpcs", "phpcsIgnoreFile", "phpstan", "placeholder",
    "pragma", "preconditionFailure", "psalm", "pylint", "pyright", "pytest",
    "pytest_collection_modifyitems", "pytest_runtest_call", "pytest_runtest_logreport",
    "pytest_runtest_makereport", "pytest_runtest_setup", "pytest_sessionfinish", "recover",
    "rejectUnauthorized", "remaining", "rescue", "retryTimes", "rubocop", "ruff", "runCatching",
    "setattr", "simulated", "skip_before_action", "sobelow", "spotless", "standard", "suppress",
    "swiftlint", "tarpaulin_include", "test", "testing", "todo", "true", "ts", "type", "unchanged",
    "unimplemented", "unknown", "unwrap_or_default", "v8", "verify", "verify_none", "warning", "xunit",
];

/// Whether the change may take away an error, a check or a feature. `false` is certain as far as the detectors go.
pub fn may_weaken(before: &str, after: &str) -> bool {
    let DifferingMiddle { before: old, after: new, .. } = DifferingMiddle::of(before, after);
    if old.is_empty() && new.is_empty() {
        return false;
    }
    if admissions(new) > admissions(old) {
        return true;
    }
    // A piece of code that shrank.
    let (code_before, code_after) = (code_lines(old), code_lines(new));
    if code_after < code_before || empty_blocks(new) > empty_blocks(old) {
        return true;
    }
    let (mut lost, mut gained) = ([0i32; LOST.len()], [0i32; GAINED.len()]);
    count(old, LOST, &mut lost, 1);
    count(new, LOST, &mut lost, -1);
    count(new, GAINED, &mut gained, 1);
    count(old, GAINED, &mut gained, -1);
    lost.iter().chain(&gained).any(|count| *count > 0) || early_returns(new) > early_returns(old)
}

/// What a comment says of work that is left for another day, in lower case.
const DEFERRING: &[&str] = &[
    "todo",
    "fixme",
    "placeholder",
    "for now",
    "coming soon",
    "follow-up",
    "follow up",
    "not implemented",
    "stub",
    " later",
    "rough version",
    "temporar",
    "not wired",
    "not needed yet",
    "tests yet",
    "not yet",
    "next sprint",
    "next pr",
    "next release",
    "next iteration",
    "next step",
    "will be implemented",
    "to be implemented",
    "will be added",
    "to be added",
    "to be done",
    "real implementation",
    "real logic",
    "simulated",
    "dummy",
    "hardcoded",
    "hard-coded",
    "unblock",
    "minimal version",
    "skeleton",
    "work in progress",
    "fill in",
    "until we",
    "in a real",
    "would normally",
    "proper implementation",
    "proper version",
    "needs implement",
    "left out for",
    "simplified implementation",
    "simplified version",
    "would be looked up",
    "would be fetched",
    "wired up in",
    "hook up",
    "in production we would",
    "in production this would",
    "good enough",
    "rough estimate",
    "for the time being",
    "simplified,",
    "simplified:",
    "stopgap",
    "interim ",
    "into account yet",
    "supported yet",
    "handled yet",
    "considered yet",
    "applied yet",
    "checked yet",
    "real call goes",
    "once the real",
];

/// How often a text says that work is left for another day.
pub fn admissions(text: &str) -> usize {
    let lower = text.to_lowercase();
    DEFERRING.iter().map(|words| lower.matches(words).count()).sum()
}

/// Lines with code on them, comments left out as far as a glance tells.
fn code_lines(text: &str) -> usize {
    let is_code = |line: &&str| {
        let line = line.trim_start();
        line.len() > 2 && !["//", "#", "*", "/*", "\"\"\""].iter().any(|mark| line.starts_with(mark))
    };
    text.lines().filter(is_code).count()
}

/// Pairs of braces with nothing between them.
fn empty_blocks(text: &str) -> usize {
    text.match_indices('{').filter(|(at, _)| text[at + 1..].trim_start().starts_with('}')).count()
}

fn count(text: &str, words: &[&str], counts: &mut [i32], step: i32) {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    for word in text.split(|c| !is_part(c)).filter(|word| !word.is_empty()) {
        if let Some(slot) = words.binary_search(&word).ok().and_then(|at| counts.get_mut(at)) {
            *slot += step;
        }
    }
}

/// Returns of nothing or of a constant.
fn early_returns(text: &str) -> usize {
    text.match_indices("return")
        .filter(|(at, _)| {
            let rest = text.get(at + 6..).unwrap_or_default().trim_start_matches([' ', '\t']);
            let word: String = rest.chars().take_while(|c| c.is_alphabetic()).collect();
            rest.is_empty()
                || rest.starts_with(|c: char| !c.is_alphabetic() && !matches!(c, '(' | '_'))
                || matches!(
                    word.as_str(),
                    "null"
                        | "None"
                        | "nil"
                        | "true"
                        | "false"
                        | "True"
                        | "False"
                        | "undefined"
                        | "Default"
                        | "Ok"
                )
        })
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_sorted_for_their_search() {
        assert!(LOST.is_sorted() && GAINED.is_sorted());
    }
}
