//! Commands that check something, and how one command is weaker than another.
//!
//! A command is taken apart into words; text in quotes is one word.

use crate::detectors::checks::command_words::{
    ALLOWED, BUILDS, CHECKS, FETCHERS, FETCHING, FILTERS, GATES, LEVELS, LOOSE, OTHERS, SKIPS, STATUSES,
    STRICT,
};
use crate::detectors::checks::finding_levels::level;
use crate::detectors::checks::idle_commands::says_nothing;
pub(crate) use crate::detectors::checks::idle_commands::words;
use crate::detectors::checks::narrowed_command::confined;
use crate::detectors::checks::source_globs::{GlobReach, is_about_tests, reach};
use crate::detectors::checks::swallowed_failure::{SWALLOWING, is_swallowed, put_where_it_cannot_fail};
use crate::detectors::checks::written_anew::rewrites_snapshots;
use crate::languages::code::bare;
use crate::runners;

/// Words around a check that let it run in another world, or until it passes, and what they do.
const WRAPPERS: &[(&str, &str)] = &[
    ("faketime", "would run under a false clock"),
    ("libfaketime", "would run under a false clock"),
    ("LD_PRELOAD=", "would run with other code put under it"),
    ("retry", "would be tried again until it passes"),
    ("until", "would be tried again until it passes"),
];

/// Whether a command, or one of several lines, checks something.
pub(crate) fn is_check(command: &str) -> bool {
    command.lines().flat_map(|line| line.split("&&")).any(|part| {
        let part = part.trim_start_matches(['@', '-', ' ', '\t']);
        // A comment runs nothing.
        if part.starts_with('#') {
            return false;
        }
        let words = words(part);
        if fetches(part, &words) {
            return false;
        }
        let first = words.iter().find(|word| !word.contains('='));
        // `test -f a` asks the shell.
        let asks = first.is_some_and(|word| word == "test" || word == "[")
            && words.get(1).is_some_and(|word| word.starts_with(['-', '$', '!']));
        let is_other = asks || first.is_none_or(|word| OTHERS.contains(&word.as_str()));
        let program = first.map(|word| word.rsplit(['/', '\\']).next().unwrap_or(word)).unwrap_or_default();
        let program = program.trim_end_matches(".bat").trim_end_matches(".cmd");
        let tasks = BUILDS.iter().find(|(name, _)| *name == program).map_or(&[][..], |(_, tasks)| tasks);
        let builds = words.iter().any(|word| tasks.contains(&word.as_str()))
            && !words.iter().any(|word| word.starts_with("-DskipTests") || word == "-x");
        // `connectedAndroidTest`, `:core:macosX64Test`.
        let is_task = |word: &String| {
            let task = word.rsplit(':').next().unwrap_or(word);
            !word.starts_with('-') && (task.ends_with("Test") || task.ends_with("Tests"))
        };
        let builds = builds || matches!(program, "gradle" | "gradlew") && words.iter().any(is_task);
        !is_other && (builds || words.iter().take(40).any(|word| is_check_word(word)))
    })
}

/// Whether a command only fetches programs: `python -m pip install tox` runs none of them.
fn fetches(part: &str, all: &[String]) -> bool {
    if part.contains([';', '|', '&']) {
        return false;
    }
    let mut names =
        all.iter().map(String::as_str).filter(|word| !word.starts_with('-') && !word.contains('='));
    let known = |word: &str| {
        let name = word
            .rsplit('/')
            .next()
            .unwrap_or(word)
            .trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        FETCHERS.contains(&name)
    };
    let heads =
        names.by_ref().take_while(|word| !FETCHING.contains(word)).take(4).map(known).collect::<Vec<_>>();
    let has_verb = all.iter().take(8).any(|word| FETCHING.contains(&word.as_str()));
    has_verb && !heads.is_empty() && heads.iter().all(|known| *known)
}

fn is_check_word(word: &str) -> bool {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    let is_known = |word: &str| CHECKS.contains(&word) || runners::is_check_word(word);
    is_known(name) || name.split([':', '-', '.']).any(is_known)
}

/// How the second command is weaker than the first, which checked something.
pub(crate) fn weaker(before: &str, after: &str) -> Option<String> {
    if before.split_whitespace().eq(after.split_whitespace()) {
        return None;
    }
    if is_nothing(after) && !is_nothing(before) {
        return Some("would do nothing".to_owned());
    }
    let (old, new) = (bare(&without_expressions(before)), bare(&without_expressions(after)));
    if let Some(mark) =
        SWALLOWING.iter().find(|mark| new.matches(**mark).count() > old.matches(**mark).count())
    {
        return Some(format!("could not fail any more (`{mark}`)"));
    }
    if new.contains("set+e") && !old.contains("set+e") {
        return Some("could not fail any more (`set +e`)".to_owned());
    }
    if is_swallowed(&old, &new) {
        return Some("could not fail any more (`||`)".to_owned());
    }
    if let Some(mark) = put_where_it_cannot_fail(before, after) {
        return Some(format!("could not fail any more (`{mark}`)"));
    }
    // `a && b` fails with each of both, `a; b` with the last.
    let parts =
        |text: &str| text.replace("&&", ";").split(';').map(|it| it.trim().to_owned()).collect::<Vec<_>>();
    if before.matches("&&").count() > after.matches("&&").count() && parts(before) == parts(after) {
        return Some("could not fail any more (`;`)".to_owned());
    }
    if exits(before) > exits(after) && after.len() * 2 > before.len() {
        return Some("could not fail any more (without `exit`)".to_owned());
    }
    if rewrites_snapshots(after) && !rewrites_snapshots(before) {
        return Some("would write its own expectations anew (`-u`)".to_owned());
    }
    if let Some(part) = left_out(before, after) {
        return Some(format!("would not run `{part}`"));
    }
    let (old, new) = (with_options_of_variables(words(before)), with_options_of_variables(words(after)));
    let flag = |word: &String| word.split('=').next().unwrap_or(word).to_owned();
    let count = |words: &[String], name: &str| words.iter().filter(|word| flag(word) == name).count();
    // What stays of the command, so that another command isn't compared with this one.
    let kept = old.iter().filter(|word| new.contains(word)).count();
    if kept * 2 < old.len().min(new.len()) {
        return None;
    }
    let wraps = |(name, _): &&(&str, &str)| {
        let is_one = |word: &&String| word.rsplit('/').next().is_some_and(|it| it.starts_with(name));
        new.iter().filter(is_one).count() > old.iter().filter(is_one).count()
    };
    if let Some((name, how)) = WRAPPERS.iter().find(wraps) {
        return Some(format!("{how} (`{}`)", name.trim_end_matches('=')));
    }
    // One way of leaving tests out for another is no loss.
    let (had, has) = (without_harmless(&old), without_harmless(&new));
    let all = |words: &[String]| FILTERS.iter().map(|name| count(words, name)).sum::<usize>();
    if all(&has) > all(&had)
        && let Some(name) = FILTERS.iter().find(|name| count(&has, name) > count(&had, name))
    {
        return Some(format!("would leave tests out (`{name}`)"));
    }
    if let Some(name) = lower_gate(&old, &new) {
        return Some(format!("would ask for less (`{name}`)"));
    }
    let loose = LOOSE.iter().find(|name| count(&new, name) > count(&old, name));
    if let Some(name) = loose.filter(|_| old.first() == new.first()) {
        return Some(format!("would report less (`{name}`)"));
    }
    if let Some(path) = confined(&old, &new) {
        return Some(format!("would check `{path}` alone"));
    }
    if let Some(name) = allowed_more(&old, &new) {
        return Some(format!("would let more pass (`{name}`)"));
    }
    let lost = STRICT.iter().find(|name| count(&new, name) < count(&old, name))?;
    if is_of_other_tool(before, after, lost) {
        return None;
    }
    Some(format!("would be less strict (without `{lost}`)"))
}

/// Words with the options that variables before a command hand to it: `NODE_OPTIONS=--test-skip-pattern=a`.
fn with_options_of_variables(mut all: Vec<String>) -> Vec<String> {
    let handed = |word: &String| {
        let (name, value) = word.split_once('=')?;
        let is_variable = name.bytes().all(|it| it.is_ascii_uppercase() || it == b'_');
        (is_variable && value.starts_with('-')).then(|| value.to_owned())
    };
    let options: Vec<String> = all.iter().take_while(|word| word.contains('=')).filter_map(handed).collect();
    all.extend(options.iter().flat_map(|value| words(value)));
    all
}

/// A command without what a pipeline puts into it before a shell reads it: `${{ matrix.arguments || '' }}`.
fn without_expressions(command: &str) -> String {
    let mut parts = command.split("${{");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + "$" + part.split_once("}}").map_or(part, |(_, rest)| rest))
}

/// How often a command ends with a failure by itself.
fn exits(text: &str) -> usize {
    text.matches("exit 1").count() + text.matches("exit 2").count() + text.matches("exit(1)").count()
}

/// Flags that leave out what a tool has written, or what others made, taken off; so are patterns of all that is counted.
fn without_harmless(all: &[String]) -> Vec<String> {
    // `python -m pytest`, `coverage run -m pytest`.
    let names_a_module = |at: usize| {
        let program = at.checked_sub(1).and_then(|at| all.get(at));
        program.is_some_and(|it| it == "run" || it.starts_with("py"))
    };
    let is_harmless = |at: usize, word: &str| {
        let value = word.split_once('=').map(|(_, value)| value);
        let value = value.or_else(|| all.get(at + 1).map(String::as_str)).unwrap_or_default();
        let leaves_out =
            ["--exclude", "--omit", "--ignore-filename-regex"].iter().any(|it| word.starts_with(it));
        leaves_out && reach(value) == GlobReach::Others && !is_about_tests(value)
            || word == "-m" && names_a_module(at)
            || word.starts_with("--include") && (value.contains('*') || !value.contains('.'))
    };
    let kept = all.iter().enumerate().filter(|(at, word)| !is_harmless(*at, word));
    kept.map(|(_, word)| word.clone()).collect()
}

/// Whether the program that a flag was given to is gone for another that checks.
fn is_of_other_tool(before: &str, after: &str, flag: &str) -> bool {
    let program = |part: &str| {
        let all = words(part);
        let starts = ["npx", "pnpm", "yarn", "bunx", "exec", "run", "bundle", "poetry", "uv", "vendor/bin"];
        all.iter().find(|word| !word.contains('=') && !starts.contains(&word.as_str())).cloned()
    };
    let parts = |text: &str| -> Vec<String> {
        text.split("&&").flat_map(|it| it.split(';')).filter_map(program).collect()
    };
    let owner = before.split("&&").find(|part| words(part).iter().any(|word| word.starts_with(flag)));
    let Some(owner) = owner.and_then(program) else { return false };
    let (old, new) = (parts(before), parts(after));
    !new.contains(&owner) && new.iter().any(|it| !old.contains(it) && is_check(it))
}

/// A check of several in a row that is gone, where nothing has come in its place.
fn left_out<'c>(before: &'c str, after: &str) -> Option<&'c str> {
    let parts = |text: &'_ str| text.split("&&").map(|part| part.trim().to_owned()).collect::<Vec<_>>();
    let (old, new) = (parts(before), parts(after));
    let is_shorter = new.len() < old.len() && new.iter().all(|part| old.contains(part));
    let lost =
        before.split("&&").map(str::trim).find(|part| is_check(part) && !new.iter().any(|it| it == part));
    lost.filter(|_| is_shorter)
}

/// The flag that leaves tests out, new in the second command: also where the first is no check by its words.
pub(crate) fn skips(before: &str, after: &str) -> Option<&'static str> {
    let has = |text: &str, flag: &str| words(text).iter().any(|word| word.split('=').next() == Some(flag));
    // One flag for another leaves out as much.
    let count = |text: &str| SKIPS.iter().filter(|flag| has(text, flag)).count();
    let mut new = SKIPS.iter().copied().filter(|flag| has(after, flag) && !has(before, flag));
    new.next().filter(|_| count(after) > count(before))
}

/// The value that a flag has among words: `--level=high`, `--level high`.
fn value_of(words: &[String], name: &str) -> Option<String> {
    let at = words.iter().position(|word| word.split('=').next() == Some(name))?;
    let own = words.get(at)?.split_once('=').map(|(_, value)| value.to_owned());
    own.or_else(|| words.get(at + 1).cloned())
}

/// A flag by whose value the second command fails for less: a status of 0, a higher level, more that is allowed.
fn allowed_more(old: &[String], new: &[String]) -> Option<&'static str> {
    let status = STATUSES.iter().find(|name| {
        value_of(new, name).as_deref() == Some("0") && value_of(old, name).as_deref() != Some("0")
    });
    let higher = || {
        LEVELS.iter().find(|name| {
            let both = value_of(old, name).zip(value_of(new, name));
            both.is_some_and(
                |(was, is)| matches!((level(&was), level(&is)), (Some(was), Some(is)) if is > was),
            )
        })
    };
    let number = |words: &[String], name: &str| value_of(words, name)?.parse::<f64>().ok();
    let more = || {
        ALLOWED
            .iter()
            .find(|name| matches!((number(old, name), number(new, name)), (Some(was), Some(is)) if is > was))
    };
    status.or_else(higher).or_else(more).copied()
}

/// A gate whose number is lower in the second command.
fn lower_gate(old: &[String], new: &[String]) -> Option<&'static str> {
    let number = |words: &[String], name: &str| -> Option<f64> {
        let value = value_of(words, name)?;
        if value == "max" { Some(f64::MAX) } else { value.parse().ok() }
    };
    let is_lower =
        |name: &&str| matches!((number(old, name), number(new, name)), (Some(was), Some(is)) if is < was);
    GATES.iter().copied().find(is_lower)
}

/// Whether a command only says something, or nothing.
pub(crate) fn is_nothing(command: &str) -> bool {
    command.split("&&").all(says_nothing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_are_told_from_other_commands() {
        for command in [
            "npm test",
            "cargo clippy -- -D warnings",
            "pnpm run test:unit",
            "make check",
            "go vet ./...",
            "npx eslint .",
        ] {
            assert!(is_check(command), "{command}");
        }
        for command in [
            "python3 -m pip install -q tox==4.2",
            "npm i -g jest",
            "cargo install cargo-audit --locked",
            "dotnet tool install -g coverlet",
            "uv tool install ruff",
            "go install honnef.co/go/tools/cmd/staticcheck@latest",
        ] {
            assert!(!is_check(command), "{command}");
        }
        assert!(is_check("pip install tox; tox -q") && is_check("npm run check -- install"));
        for command in ["npm ci", "echo test", "docker build -t test .", "cargo build", "", "node server.js"]
        {
            assert!(!is_check(command), "{command}");
        }
    }

    #[test]
    fn words_of_runners_stand_with_the_runners() {
        let twice: Vec<&&str> = CHECKS.iter().filter(|word| runners::is_check_word(word)).collect();
        assert!(twice.is_empty(), "{twice:?}");
        for command in ["prove -lr t", "npm run test:vitest", "cargo nextest run", "python -m unittest"] {
            assert!(is_check(command), "{command}");
        }
    }

    #[test]
    fn weaker_commands_are_recognised() {
        let rows = [
            ("npm test", "echo ok", true),
            ("npm test", "node -e 0", true),
            ("pytest -q", "python3 -c pass", true),
            ("npm test", "node -e 'process.exit(0)'", true),
            ("npm test", "node -e 'require(\"./run\")'", false),
            ("npm test", "npm test || true", true),
            ("npm test", "npm test; true", true),
            ("npm test", "npm test -- --passWithNoTests", true),
            ("pytest -q", "pytest -q -k 'not slow'", true),
            ("cargo clippy -- -D warnings", "cargo clippy", true),
            ("nyc check-coverage --lines 85", "nyc check-coverage --lines 40", true),
            ("nyc check-coverage --lines 85", "nyc check-coverage --lines 90", false),
            ("npm test", "npm test -- --coverage", false),
            ("pytest -q", "pytest -q -n auto", false),
            ("npm test", "npm run build && npm test", false),
            ("make test", "make  test", false),
            ("npm test", "pnpm test", false),
            ("node --test tests/", "node --test --test-name-pattern=adds tests/", true),
            ("node --test tests/", "faketime 2020-01-01 node --test tests/", true),
            ("node --test tests/", "node --test --test-reporter=dot tests/", false),
            ("pytest -q", "retry -t 5 -- pytest -q", true),
            ("phpunit", "phpunit || notify", true),
            ("phpunit", "true # phpunit", true),
            ("phpunit", "! phpunit", true),
            ("phpunit", "(phpunit); echo done", true),
            ("phpunit", "if phpunit; then echo good; fi", true),
            ("phpunit", "if phpunit; then echo good; else exit 1; fi", false),
            ("phpunit", "phpunit & wait", true),
            ("phpunit", "phpunit & wait $!", false),
            ("phpunit", "phpunit; python3 -c pass", true),
            ("phpunit", "phpunit; code=$?; rm -rf out; exit $code", false),
            ("phpunit", "exit 0; phpunit", true),
            ("phpunit", ": phpunit", true),
            ("pytest -q", "PYTEST_ADDOPTS='-k nothing' pytest -q", true),
            ("pytest -q", "PYTEST_ADDOPTS=--color=yes pytest -q", false),
            ("node --test", "NODE_OPTIONS=--test-name-pattern=adds node --test", true),
            ("phpunit", "composer install && phpunit", false),
            ("phpunit", "phpunit && echo done", false),
            ("phpunit", "phpunit || { notify; exit 1; }", false),
            ("golangci-lint run ./...", "golangci-lint run ./... --disable-all -E gofmt", true),
            ("mix compile --warnings-as-errors", "mix compile", true),
        ];
        for (before, after, expected) in rows {
            assert_eq!(weaker(before, after).is_some(), expected, "{before} -> {after}");
        }
    }
}
