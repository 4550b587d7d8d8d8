//! Whether words are a command that a shell can run, or prose.
//!
//! A program whose name is also an English word counts only with arguments that prose does not have.

use crate::languages::folder;
use crate::loops::criteria::words;
use crate::loops::criteria::words::{CriterionWord, listed};
use crate::model::words::is_assignment;
use crate::runners;

/// Programs that a criterion names, and no sentence begins with; test runners say it themselves.
const PROGRAMS: &str = "\
    ansible-lint awk bash bazel behave biome black brakeman buf buildifier bun bundle bunx cabal cargo \
    clang clang-format clang-tidy cloc cmake composer conda coverage cppcheck curl dart deno detekt diff \
    docker docker-compose dotnet dune egrep elm eslint fgrep flake8 flutter forge g++ gcc ghc git gleam go \
    gofmt golangci-lint gradle gradlew grep hadolint hatch helm hurl isort java javac jq julia kotlinc \
    ktlint kubectl lein lerna lua luacheck markdownlint meson mix moon mvn mypy newman ninja nix node \
    nosetests npm npx nx nyc openssl pdm perl php phpcs phpstan pip pip-audit pipenv pnpm pnpx podman \
    poetry pre-commit prek prettier psalm pwsh pylint pyright python python2 python3 rails rake rebar3 rg \
    rubocop ruby ruff rustc rustfmt sbt sed semgrep sh shellcheck shfmt sorbet sqlfluff stack standardrb \
    stylelint svelte-check swift swiftlint tap-parser terraform tflint tofu trivy tsc tslint tsx turbo \
    typos uv uvx vite vue-tsc wasm-pack xcodebuild xmllint yamllint yarn zig zsh";

/// Programs whose name is a word of the language as well: `make sure`, `test suite`, `just works`.
const ENGLISH_PROGRAMS: &str = "\
    act ant buck buck2 cat cd echo earthly env exit false find head invoke just ls make nice pants \
    please sort standard tail task test time timeout true wc which xo";

/// Endings of files that are always run; a `.py` or `.js` is as often only meant.
const SCRIPT_ENDINGS: &[&str] = &[".sh", ".bash", ".ps1"];

/// Directories whose files are run.
const PROGRAM_DIRECTORIES: &str = "bin .bin sbin scripts script tools ci hack";

/// What stands behind a last `|` or `||` and makes the exit code say nothing of the command before it.
const SWALLOWING: &str = "tail head tee cat less more sort uniq wc true : echo exit";

/// Words that a command line does not have outside quotes, and a sentence does.
const PROSE: &str = "\
    a again an are be been below better both but can cleanly correct correctly does done each every \
    everything fewer fine fully good has have is it its less locally more must my of or our passed \
    passes passing properly should still succeeds successful successfully sure that the their them these \
    they this those too under well when will with without works working your";

/// `go` is a verb; its subcommands tell.
const GO_COMMANDS: &[&str] =
    &["build", "fmt", "generate", "install", "list", "mod", "run", "test", "tool", "vet", "work", "version"];

/// Programs that exit with 1 and print nothing when they find nothing.
const SEARCHERS: &[&str] = &["ack", "ag", "egrep", "fgrep", "grep", "rg"];

/// Whether these unquoted words of a criterion are a command.
pub(crate) fn is_command(words: &[CriterionWord]) -> bool {
    let words = skip_assignments(words);
    let Some(first) = words.first() else { return false };
    let rest = words.get(1..).unwrap_or_default();
    let all_of = words.iter().rev().skip(1).any(|word| word.is("all"));
    if all_of || words.iter().any(|word| word.is_in(PROSE)) {
        return false;
    }
    let name = first.plain.as_str();
    if first.quoted.is_some() {
        return argument_like(rest);
    }
    if matches!(name, "[" | "[[" | "!") || name.starts_with('(') {
        return !rest.is_empty();
    }
    match name {
        "go" => return rest.first().is_some_and(|word| word.is_any(GO_COMMANDS)),
        "test" | "find" | "time" | "timeout" | "env" | "nice" | "which" | "cat" | "echo" | "head"
        | "tail" | "sort" | "wc" | "ls" | "node" | "swift" | "stack" | "coverage" | "diff" => {
            return argument_like(rest);
        }
        _ => {}
    }
    looks_like_path(name) || is_program(name) || listed(ENGLISH_PROGRAMS, name) || has_flag(name, rest)
}

/// Whether the words could begin a command: used where "and" may join two commands.
pub(crate) fn begins_command(words: &[CriterionWord]) -> bool {
    let Some(first) = skip_assignments(words).first() else { return false };
    first.quoted.is_some()
        || looks_like_path(&first.plain)
        || is_program(&first.plain)
        || listed(ENGLISH_PROGRAMS, first.plain.as_str())
}

fn is_program(name: &str) -> bool {
    listed(PROGRAMS, name) || runners::is_command_word(name)
}

/// Whether the command is a search, for which exit code 1 means "nothing found".
pub(crate) fn is_search(command: &str) -> bool {
    let mut words = command.split_whitespace();
    match words.next() {
        Some("git") => words.next() == Some("grep"),
        Some(first) => SEARCHERS.contains(&first.rsplit('/').next().unwrap_or(first)),
        None => false,
    }
}

/// The part of a command that hides the exit code of what it follows: `tail -5` of `npm test | tail -5`, or `true` of
/// `npm test || true`. Such a command passes whatever happens.
pub(crate) fn swallower(command: &str) -> Option<String> {
    let words = words::cut(command)?;
    let bar = words.iter().rposition(|word| word.is_any(&["|", "||"]))?;
    let last = words.get(bar + 1)?;
    let failing_exit = last.is("exit") && words.get(bar + 2).is_some_and(|code| !code.is("0"));
    (last.is_in(SWALLOWING) && !failing_exit && !command.contains("pipefail")).then(|| last.plain.clone())
}

fn skip_assignments(words: &[CriterionWord]) -> &[CriterionWord] {
    let from = words.iter().position(|word| !is_assignment(&word.plain)).unwrap_or(words.len());
    words.get(from..).unwrap_or_default()
}

/// A path that is run, not one that is talked about: `./x`, `scripts/check.py`, `ci/all.sh`; not `src/auth.ts`.
fn looks_like_path(name: &str) -> bool {
    let is_word =
        |piece: &str| piece.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-@+~$".contains(&byte));
    let is_path = name.split('/').all(is_word) && !name.contains("//");
    let from_here = name.starts_with("./") || name.starts_with("../") || name.starts_with(['/', '~', '$']);
    let of_programs = folder(name).split('/').any(|directory| listed(PROGRAM_DIRECTORIES, directory));
    let is_script = SCRIPT_ENDINGS.iter().any(|ending| name.len() > ending.len() && name.ends_with(ending));
    is_path && (from_here || of_programs || is_script)
}

/// Something after the program that a sentence does not have: a flag, a path, a file or another program.
fn argument_like(rest: &[CriterionWord]) -> bool {
    rest.first().is_some_and(|word| {
        word.quoted.is_some()
            || word.plain.starts_with(['-', '.', '/', '!', '$', '*'])
            || word.plain.contains(['/', '.', '=', ':'])
            || word.plain.bytes().all(|byte| byte.is_ascii_digit())
            || is_program(&word.plain)
            || matches!(word.plain.as_str(), "test" | "build" | "run" | "report")
    })
}

fn has_flag(name: &str, rest: &[CriterionWord]) -> bool {
    let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-+".contains(&byte));
    let is_flag = |word: &CriterionWord| {
        word.plain.len() > 1
            && word.plain.starts_with('-')
            && word.plain.bytes().any(|byte| byte.is_ascii_alphabetic())
    };
    is_name && rest.iter().any(is_flag)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loops::criteria::words::cut;

    #[test]
    fn commands_and_prose() {
        let cases: &[(&str, bool)] = &[
            ("npm test", true),
            ("CI=1 npm test", true),
            ("./check.sh", true),
            ("scripts/verify", true),
            ("verify.py --all", true),
            ("src/auth.ts", false),
            ("tests/auth.test.ts", false),
            ("node_modules/.bin/jest", true),
            ("mytool --check", true),
            ("make", true),
            ("make check", true),
            ("make all", true),
            ("make all tests", false),
            ("make sure tests", false),
            ("go test ./...", true),
            ("go over everything", false),
            ("test -f dist/app.js", true),
            ("test suite", false),
            ("find . -name x", true),
            ("find bugs", false),
            ("the code", false),
            ("input/output handling", false),
            ("tests", false),
            ("[ -f x ]", true),
            ("! grep -rn TODO src", true),
            ("node scripts/check.js", true),
            ("timeout 60 cargo test", true),
            ("cargo test or yarn test", false),
        ];
        for (text, expected) in cases {
            let words = cut(text).expect("words");
            assert_eq!(is_command(&words), *expected, "{text}");
        }
    }

    #[test]
    fn swallowers() {
        let cases = [
            ("npm test 2>&1 | tail -5", Some("tail")),
            ("npm test || true", Some("true")),
            ("npm test || exit 1", None),
            ("set -o pipefail; npm test | tail", None),
            ("npm test | grep -q ok", None),
            ("npm test | tail && npm run lint", Some("tail")),
            ("npm test", None),
        ];
        for (command, expected) in cases {
            assert_eq!(swallower(command).as_deref(), expected, "{command}");
        }
    }

    #[test]
    fn searches() {
        for (command, expected) in [
            ("grep -rn TODO src", true),
            ("/usr/bin/rg x", true),
            ("git grep x", true),
            ("git log", false),
            ("", false),
        ] {
            assert_eq!(is_search(command), expected, "{command}");
        }
    }
}
