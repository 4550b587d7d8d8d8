//! What a program does when nothing is known to be lost by it: read, check, make something new, or run code.

use crate::runners;
use crate::shell::{Command, Word};

/// What running a command means for the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// Changes nothing.
    Reads,
    /// Compilers, linters and test runners: they write build output only.
    Checks,
    /// Makes new files or changes what is not a file of the project.
    Makes,
    /// May change files in ways that are not known.
    RunsCode,
}

/// Programs that only read, unless one of these options is given.
static READERS: &[(&[&str], &[&str])] = &[
    (
        &[
            "ls",
            "cat",
            "grep",
            "egrep",
            "fgrep",
            "rg",
            "ag",
            "ack",
            "head",
            "tail",
            "wc",
            "less",
            "more",
            "stat",
            "file",
            "diff",
            "cmp",
            "which",
            "whereis",
            "type",
            "pwd",
            "echo",
            "printf",
            "date",
            "printenv",
            "id",
            "whoami",
            "uname",
            "hostname",
            "ps",
            "top",
            "df",
            "du",
            "tree",
            "cut",
            "tr",
            "column",
            "nl",
            "od",
            "xxd",
            "hexdump",
            "strings",
            "md5sum",
            "sha1sum",
            "sha256sum",
            "shasum",
            "basename",
            "dirname",
            "realpath",
            "readlink",
            "test",
            "[",
            "[[",
            "true",
            "false",
            "seq",
            "sleep",
            ":",
            "lsof",
            "netstat",
            "ss",
            "ping",
            "dig",
            "nslookup",
            "host",
            "man",
            "help",
            "history",
            "jobs",
            "wait",
            "bat",
            "paste",
            "join",
            "comm",
            "fold",
            "fmt",
            "tac",
            "rev",
            "expr",
            "bc",
            "getent",
            "locale",
            "tput",
            "clear",
            "uptime",
            "free",
            "nproc",
            "arch",
            "cksum",
            "base64",
            "env",
            "export",
            "set",
            "shopt",
            "alias",
            "cd",
            "pushd",
            "popd",
            "exit",
            "return",
            "break",
            "continue",
            "shift",
            "local",
            "umask",
            "ulimit",
            "hash",
            "dirs",
            "unset",
            "read",
            "command",
            "exec",
            "jq",
            "zcat",
            "zgrep",
            "look",
            "tty",
            "groups",
            "cal",
            "sudo",
            "time",
            "wait",
            "tokei",
            "cloc",
            "scc",
            "Get-Content",
            "Get-ChildItem",
            "Select-String",
            "Write-Output",
            "Write-Host",
            "Test-Path",
            "gci",
            "dir",
            "Get-Location",
            "Measure-Object",
            "Select-Object",
            "Where-Object",
            "Sort-Object",
            "uniq",
        ],
        &[],
    ),
    (&["sort"], &["-o", "--output"]),
    (&["yq"], &["-i", "--inplace", "-yi"]),
    (&["sed", "gsed"], &["-i", "--in-place", "-ni", "-Ei"]),
    (&["find"], &["-exec", "-execdir", "-ok", "-okdir", "-fprint", "-fls", "-fprintf"]),
    (&["fd", "fdfind"], &["-x", "-X", "--exec", "--exec-batch"]),
    (&["curl"], &["-o", "-O", "--output", "--remote-name", "-J", "-OJ", "-OL", "-LO", "-sO", "-sSO"]),
    (&["awk", "gawk", "mawk"], &["-i", "--include", "-f"]),
    (&["gh"], &["clone", "checkout"]),
    (&["man", "tldr", "perldoc"], &[]),
];

/// Programs that make something and lose nothing.
const MAKERS: &[&str] = &[
    "mkdir",
    "touch",
    "mktemp",
    "kill",
    "pkill",
    "killall",
    "docker",
    "podman",
    "kubectl",
    "ssh",
    "scp",
    "zip",
    "gzip",
    "open",
    "xdg-open",
    "wget",
    "curl",
    "git",
    "gh",
    "brew",
    "apt",
    "apt-get",
    "systemctl",
    "launchctl",
    "crontab",
    "ln",
    "useradd",
    "say",
    "code",
    "tmux",
    "screen",
    "watchman",
    "docker-compose",
    "vagrant",
    "New-Item",
    "psql",
    "mysql",
    "sqlite3",
    "redis-cli",
    "nc",
    "split",
    "csplit",
];

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

/// What a command does besides its known effects.
pub(crate) fn class(command: &Command) -> Class {
    if command.remote || command.words.is_empty() {
        return if command.remote { Class::Makes } else { Class::Reads };
    }
    let program = command.program();
    let operands = command.words.get(1..).unwrap_or_default();
    if operands.iter().all(|word| word.known) && is_version_or_help(operands) {
        return Class::Reads;
    }
    let first = command.words.first().map_or("", |word| word.text.as_str());
    let at_home = !first.contains('/') || first.starts_with("/usr/") || first.starts_with("/bin/");
    let reader = READERS.iter().find(|(names, _)| names.contains(&program)).filter(|_| at_home);
    if let Some((_, options)) = reader {
        if !operands.iter().any(|word| options.contains(&word.text.as_str()))
            && !writes_in_program(program, operands)
        {
            return Class::Reads;
        }
        return if program == "curl" || program == "gh" { Class::Makes } else { Class::RunsCode };
    }
    if is_check(program, operands) {
        return Class::Checks;
    }
    if MAKERS.contains(&program) { Class::Makes } else { Class::RunsCode }
}

fn is_version_or_help(operands: &[Word]) -> bool {
    matches!(operands, [only] if matches!(only.text.as_str(), "--version" | "--help" | "-V" | "-h" | "-help"))
}

/// The programs that `sed` and `awk` run may write files and run commands.
fn writes_in_program(program: &str, operands: &[Word]) -> bool {
    let risky = |word: &Word| match program {
        // `-i.bak`, `-Ei`, `--in-place=.bak`.
        "sed" | "gsed" => {
            word.text.starts_with("--in-place")
                || (word.text.starts_with('-') && !word.text.starts_with("--") && word.text.contains('i'))
        }
        "awk" | "gawk" | "mawk" => {
            word.text.contains("system(") || word.text.contains(" > ") || word.text.contains('|')
        }
        _ => false,
    };
    operands.iter().any(risky)
}

fn is_check(program: &str, operands: &[Word]) -> bool {
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
