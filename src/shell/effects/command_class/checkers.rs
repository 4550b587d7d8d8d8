//! Programs that build, lint or test: they write build output only.

use crate::runners;
use crate::shell::model::Word;

/// Checks that are no test runners, by program and the words after it; an empty list means the program alone. Options of
/// [`MENDING_OPTIONS`] make code runners of them.
static CHECKS: &[(&str, &[&str])] = &[
    ("cargo", &["build", "b", "check", "c", "clippy", "bench", "doc", "tree", "metadata", "clean"]),
    ("cargo", &["audit", "deny", "machete", "version", "--version", "search", "locate-project"]),
    (
        "npm",
        &["test", "t", "tst", "ls", "list", "view", "outdated", "audit", "--version", "-v", "why", "pack"],
    ),
    (
        "yarn",
        &[
            "test",
            "build",
            "lint",
            "typecheck",
            "check",
            "tsc",
            "jest",
            "vitest",
            "eslint",
            "--version",
            "why",
        ],
    ),
    (
        "pnpm",
        &[
            "test",
            "t",
            "build",
            "lint",
            "typecheck",
            "check",
            "tsc",
            "jest",
            "vitest",
            "eslint",
            "--version",
            "ls",
        ],
    ),
    ("bun", &["test", "build", "--version"]),
    ("deno", &["lint", "check", "bench", "--version"]),
    ("go", &["build", "vet", "list", "version", "env", "doc"]),
    ("make", &["test", "tests", "check", "build", "lint", "all", "coverage", "typecheck", "-n"]),
    ("just", &["test", "check", "build", "lint", "--list"]),
    ("mvn", &["compile", "-version", "dependency:tree"]),
    ("gradle", &["assemble", "tasks"]),
    ("gradlew", &["assemble", "tasks"]),
    ("dotnet", &["build", "--version", "--info"]),
    ("mix", &["compile", "credo", "dialyzer"]),
    ("swift", &["build"]),
    ("rustc", &[]),
    ("rustup", &["show", "--version"]),
    ("tsc", &[]),
    ("vue-tsc", &[]),
    ("eslint", &[]),
    ("stylelint", &[]),
    ("oxlint", &[]),
    ("prettier", &["--check", "-c", "--list-different", "-l"]),
    ("biome", &["check", "lint", "ci"]),
    ("ruff", &["check"]),
    ("black", &["--check", "--diff"]),
    ("isort", &["--check", "--check-only", "--diff"]),
    ("mypy", &[]),
    ("pyright", &[]),
    ("flake8", &[]),
    ("pylint", &[]),
    ("bandit", &[]),
    ("coverage", &["run", "report", "xml", "html"]),
    ("rubocop", &[]),
    ("phpstan", &[]),
    ("cmake", &["--build"]),
    ("ninja", &[]),
    ("gcc", &[]),
    ("g++", &[]),
    ("clang", &[]),
    ("cc", &[]),
    ("javac", &[]),
    ("shellcheck", &[]),
    ("hadolint", &[]),
    ("actionlint", &[]),
    ("nyc", &[]),
    ("c8", &[]),
    ("vite", &["build"]),
    ("next", &["build", "lint"]),
    ("webpack", &[]),
    ("rollup", &[]),
    ("esbuild", &[]),
    ("turbo", &["test", "build", "lint", "run"]),
    ("nx", &["test", "build", "lint"]),
    ("lerna", &["ls"]),
    ("golangci-lint", &["run"]),
    ("staticcheck", &[]),
    ("zig", &["build"]),
    ("stack", &["build"]),
    ("cabal", &["build"]),
    ("sbt", &["compile"]),
    ("xcodebuild", &[]),
    ("steadfast", &["status", "report", "doctor", "explain", "config", "check", "patterns", "reflect"]),
];

/// Modules of `python -m` that only check, and are no test runners.
const PYTHON_CHECKS: &[&str] = &[
    "mypy",
    "pyright",
    "flake8",
    "pylint",
    "ruff",
    "coverage",
    "doctest",
    "json.tool",
    "py_compile",
    "compileall",
    "tox",
    "nox",
    "bandit",
    "site",
    "http.server",
    "timeit",
    "pip",
];

/// Options that make a checker write.
const MENDING_OPTIONS: &[&str] = &[
    "--fix",
    "--write",
    "--apply",
    "--apply-unsafe",
    "-u",
    "--update",
    "--updateSnapshot",
    "--update-snapshots",
    "--snapshot-update",
    "--unsafe-fixes",
    "-A",
    "-a",
    "--autocorrect",
    "--auto-correct",
    "--autocorrect-all",
    "--inline-snapshot",
    "--accept",
    "--fix-type",
    "--allow-dirty",
];

/// Words in the name of a package script that say what it does.
const SCRIPT_CHECKS: &[&str] =
    &["test", "build", "lint", "typecheck", "type-check", "check", "tsc", "coverage", "ci"];

const SCRIPT_CHANGES: &[&str] =
    &["fix", "format", "write", "update", "release", "publish", "deploy", "clean", "gen"];

pub(crate) fn is_check(program: &str, operands: &[Word]) -> bool {
    if operands.iter().any(|word| MENDING_OPTIONS.contains(&word.text.as_str())) {
        return false;
    }
    // `cargo +nightly test`, `npm --silent test`, `make -j4 test`, `go -C dir test`.
    let own = |word: &&Word| !matches!(word.text.chars().next(), Some('-' | '+'));
    let second = operands.iter().find(own).map_or("", |word| word.text.as_str());
    let first = operands.first().map_or("", |word| word.text.as_str());
    match program {
        "python" | "python3" | "python2" | "pypy" | "pypy3" | "py" => {
            let module = operands.iter().skip_while(|word| word.text != "-m").nth(1);
            let checks = |name: &str| PYTHON_CHECKS.contains(&name) || runners::is_checking_module(name);
            module.is_some_and(|module| checks(&module.text))
                && !operands.iter().any(|word| word.text == "install" || word.text == "uninstall")
        }
        "node" => operands.iter().any(|word| word.text == "--test" || word.text == "--check"),
        "cargo" if second == "fmt" => operands.iter().any(|word| word.text == "--check"),
        "gofmt" | "rustfmt" => operands.iter().any(|w| matches!(w.text.as_str(), "-l" | "-d" | "--check")),
        "npm" | "pnpm" | "yarn" | "bun" if matches!(second, "run" | "run-script") => {
            let script = operands.iter().filter(own).nth(1).map_or("", |word| word.text.as_str());
            is_checking_script(script)
        }
        "npm" | "pnpm" | "yarn" if second.contains(':') => is_checking_script(second),
        _ => {
            runners::only_checks(program, [second, first])
                || CHECKS.iter().any(|(name, words)| {
                    *name == program
                        && (words.is_empty() || words.contains(&second) || words.contains(&first))
                })
        }
    }
}

fn is_checking_script(script: &str) -> bool {
    let parts = || script.split([':', '-', '_']);
    parts().any(|part| SCRIPT_CHECKS.contains(&part)) && !parts().any(|part| SCRIPT_CHANGES.contains(&part))
        || SCRIPT_CHECKS.contains(&script)
}
