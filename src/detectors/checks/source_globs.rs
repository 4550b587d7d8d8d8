//! Whether a path or a pattern of paths reaches the sources of a project, or only what is beside them.
//!
//! Read from its parts: no file is looked at. What neither part tells is unknown.

use crate::languages::registry;

/// What a pattern of paths reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GlobReach {
    /// The sources, or everything.
    Sources,
    /// What its name does not tell.
    Unknown,
    /// Only tests, what a tool writes, what others made, or prose.
    Others,
}

/// Folders of sources.
const SOURCES: &[&str] = &[
    "src",
    "lib",
    "app",
    "apps",
    "pkg",
    "internal",
    "sources",
    "cmd",
    "core",
    "server",
    "client",
    "packages",
    "crates",
    "modules",
    "components",
    "controllers",
    "models",
    "services",
    "api",
    "main",
    "domain",
    "source",
];
/// Words of folders and files that are no sources of the project's own, wherever they stand.
const OTHERS: &[&str] = &[
    "test",
    "tests",
    "spec",
    "specs",
    "testdata",
    "testing",
    "e2e",
    "cypress",
    "playwright",
    "vendor",
    "vendored",
    "thirdparty",
    "node",
    "generated",
    "gen",
    "autogen",
    "codegen",
    "pb",
    "pb2",
    "grpc",
    "proto",
    "protobuf",
    "g",
    "freezed",
    "openapi",
    "swagger",
    "prisma",
    "fixture",
    "fixtures",
    "mock",
    "mocks",
    "stub",
    "stubs",
    "snapshots",
    "migrations",
    "migrate",
    "migration",
    "stories",
    "storybook",
    "conftest",
    "init",
    "main",
    "types",
    "typings",
    "d",
    "min",
    "md",
    "rst",
    "txt",
    "worktrees",
    "venv",
    "config",
    "setup",
    "version",
    "manage",
    "wsgi",
    "asgi",
    "pragma",
    "json",
    "yml",
    "yaml",
    "toml",
    "lock",
    "svg",
    "png",
    "kernel",
    "bootstrap",
    "proxies",
    "css",
    "html",
    "locales",
    "i18n",
];
/// Words of folders beside the sources: within them they may be sources as well.
const BESIDE: &[&str] = &[
    "external",
    "extern",
    "deps",
    "dist",
    "build",
    "out",
    "target",
    "output",
    "public",
    "static",
    "assets",
    "tmp",
    "temp",
    "cache",
    "docs",
    "doc",
    "example",
    "examples",
    "sample",
    "samples",
    "demo",
    "demos",
    "schema",
    "seeds",
    "coverage",
    "conf",
    "bundle",
    "bench",
    "benches",
    "benchmark",
    "benchmarks",
    "bin",
    "obj",
    "pods",
    "git",
    "github",
    "site",
    "license",
    "changelog",
    "readme",
    "scripts",
    "tools",
    "wasm",
    "third",
    "graphql",
];
/// Endings of source files in which one of the languages stands among others.
const MIXED: [&str; 2] = ["vue", "svelte"];

/// Words of paths of tests.
const TESTS: &[&str] =
    &["test", "tests", "spec", "specs", "e2e", "cypress", "playwright", "testing", "it", "integration"];

/// Whether a path or a pattern is about tests.
pub(super) fn is_about_tests(pattern: &str) -> bool {
    let mut words = pattern.split(|c: char| !c.is_alphanumeric());
    words.any(|word| {
        TESTS.contains(&word.to_lowercase().as_str()) || word.ends_with("Test") || word.ends_with("Tests")
    })
}

/// What a path or a pattern reaches.
pub(super) fn reach(pattern: &str) -> GlobReach {
    let bare = pattern.trim().trim_matches(['"', '\'', '!', '^', '$']).replace('\\', "");
    let bare = bare.trim_start_matches("<rootDir>").trim_start_matches("./").trim_start_matches('/');
    let parts: Vec<&str> =
        bare.split('/').filter(|it| !it.is_empty() && !matches!(*it, "**" | "*" | ".*" | ".")).collect();
    let Some(last) = parts.last() else { return GlobReach::Sources };
    let words = |part: &str| -> Vec<String> {
        part.split(|c: char| !c.is_alphanumeric())
            .filter(|it| !it.is_empty())
            .map(str::to_lowercase)
            .collect()
    };
    let is_file = last.contains('.');
    let ending = last.rsplit('.').next().unwrap_or_default().to_lowercase();
    let is_code = is_file
        && registry::extensions()
            .chain(MIXED)
            .any(|it| ending == it || ending.starts_with(it) && ending.contains(['{', ',', '?', '|', ')']));
    // The ending of a source file is no word of what the file is.
    let stem = if is_code { last.rsplit_once('.').map_or(*last, |(stem, _)| stem) } else { last };
    let folders = parts.get(..parts.len() - 1).unwrap_or_default();
    let is_source_folder = |part: &&&str| SOURCES.contains(&part.to_lowercase().as_str());
    let has_source = parts.iter().any(|part| is_source_folder(&part));
    let own = |part: &str| {
        words(part)
            .iter()
            .any(|word| OTHERS.contains(&word.as_str()) || !has_source && BESIDE.contains(&word.as_str()))
    };
    let other_folder = folders.iter().any(|part| own(part) && !is_source_folder(&part));
    if other_folder || own(stem) && !is_source_folder(&last) {
        return GlobReach::Others;
    }
    let reaches = has_source || is_code || bare.ends_with("/**") && folders.is_empty();
    if reaches { GlobReach::Sources } else { GlobReach::Unknown }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_patterns_reach() {
        for pattern in [
            "src/**",
            "**/*.py",
            "app/models/**/*.rb",
            "lib/",
            "!src/cache/lru.ts",
            "**",
            "internal/store",
            "src/pay.go",
        ] {
            assert_eq!(reach(pattern), GlobReach::Sources, "{pattern}");
        }
        for pattern in [
            "**/node_modules/**",
            "src/**/*.test.ts",
            "vendor/**/*",
            "src/api/_pb/*_pb2.py",
            "lib/generated/**",
            "db/schema.rb",
            "**/.claude/worktrees/**",
            "**/*.d.ts",
            "docs/**",
            "**.md",
            "e2e",
        ] {
            assert_eq!(reach(pattern), GlobReach::Others, "{pattern}");
        }
        assert_eq!(reach("hotel"), GlobReach::Unknown);
    }
}
