//! How one command that checks something is weaker than another: it can't fail, leaves tests out, or asks for less.

use crate::detectors::checks::check_command::{is_check, is_nothing, words};
use crate::detectors::checks::command_words::{
    ALLOWED, FILTERS, GATES, LEVELS, LOOSE, SKIPS, STATUSES, STRICT,
};
use crate::detectors::checks::finding_levels::level;
use crate::detectors::checks::flag_meanings::means_otherwise;
use crate::detectors::checks::narrowed_command::confined;
use crate::detectors::checks::source_globs::{GlobReach, is_about_tests, reach};
use crate::detectors::checks::swallowed_failure::{SWALLOWING, is_swallowed, put_where_it_cannot_fail};
use crate::detectors::checks::written_anew::rewrites_snapshots;
use crate::languages::code::bare;

/// Words around a check that let it run in another world, or until it passes, and what they do.
const WRAPPERS: &[(&str, &str)] = &[
    ("faketime", "would run under a false clock"),
    ("libfaketime", "would run under a false clock"),
    ("LD_PRELOAD=", "would run with other code put under it"),
    ("retry", "would be tried again until it passes"),
    ("until", "would be tried again until it passes"),
];

/// What is tried again until it fails is stricter.
const STRICTER: &str = "until-fail";

/// How the second command is weaker than the first, which checked something.
pub(crate) fn weaker(before: &str, after: &str) -> Option<String> {
    if before.split_whitespace().eq(after.split_whitespace()) {
        return None;
    }
    if is_nothing(after) && !is_nothing(before) {
        return Some("would do nothing".to_owned());
    }
    if let Some(mark) = unfailing(before, after) {
        return Some(format!("could not fail any more ({mark})"));
    }
    if rewrites_snapshots(after) && !rewrites_snapshots(before) {
        return Some("would write its own expectations anew (`-u`)".to_owned());
    }
    if let Some(task) = one_suite(before, after) {
        return Some(format!("would run `{task}` alone"));
    }
    if let Some(part) = left_out(before, after) {
        return Some(format!("would not run `{part}`"));
    }
    let (old, new) = (with_options_of_variables(words(before)), with_options_of_variables(words(after)));
    // What stays of the command, so that another command isn't compared with this one.
    let kept = old.iter().filter(|word| new.contains(word)).count();
    if kept * 2 < old.len().min(new.len()) {
        return None;
    }
    by_words(before, after, (&old, &new))
}

/// The same of a program that is known to stay, however many of its options are others.
pub(super) fn given_less(before: &str, after: &str) -> Option<String> {
    let words = |text: &str| with_options_of_variables(words(text));
    weaker(before, after).or_else(|| by_words(before, after, (&words(before), &words(after))))
}

fn by_words(before: &str, after: &str, (old, new): (&[String], &[String])) -> Option<String> {
    if let Some(how) = by_flags(old, new) {
        return Some(how);
    }
    let lost = STRICT.iter().find(|name| count(new, name) < count(old, name))?;
    if is_of_other_tool(before, after, lost) {
        return None;
    }
    Some(format!("would be less strict (without `{lost}`)"))
}

/// The one suite that sbt would run, where it ran all of them: `sbt "testOnly a.B"`.
fn one_suite<'c>(before: &str, after: &'c str) -> Option<&'c str> {
    let own = |text: &'_ str| {
        words(text).iter().any(|word| word.contains("testOnly") || word.contains("testQuick"))
    };
    let runs_all = words(before).iter().any(|word| matches!(word.rsplit('/').next(), Some("test")));
    let at = after.find("testOnly").filter(|_| runs_all && !own(before) && before.contains("sbt"))?;
    after.get(at..)?.split(['"', '\'', ';']).next()
}

/// What in the second command keeps its failure from being one, in the words of the finding.
fn unfailing(before: &str, after: &str) -> Option<String> {
    let (old, new) = (bare(&without_expressions(before)), bare(&without_expressions(after)));
    if let Some(mark) =
        SWALLOWING.iter().find(|mark| new.matches(**mark).count() > old.matches(**mark).count())
    {
        return Some(format!("`{mark}`"));
    }
    if new.contains("set+e") && !old.contains("set+e") {
        return Some("`set +e`".to_owned());
    }
    if is_swallowed(&old, &new) {
        return Some("`||`".to_owned());
    }
    if let Some(mark) = put_where_it_cannot_fail(before, after) {
        return Some(format!("`{mark}`"));
    }
    // `a && b` fails with each of both, `a; b` with the last.
    let parts = |text: &str| {
        text.trim_matches(['(', ')'])
            .replace("&&", ";")
            .split(';')
            .map(|it| it.trim().to_owned())
            .collect::<Vec<_>>()
    };
    if before.matches("&&").count() > after.matches("&&").count() && parts(before) == parts(after) {
        return Some("`;`".to_owned());
    }
    let is_near = || shows_the_same(before, after).unwrap_or(after.len() * 2 > before.len());
    (exits(before) > exits(after) && is_near()).then(|| "without `exit`".to_owned())
}

/// Whether what one command gave to a program that judged it is only shown by the other: `report | awk '… exit 1'` and
/// `report | tail -n 1`. `None` where the other is about something else.
fn shows_the_same(before: &str, after: &str) -> Option<bool> {
    const SHOWING: &[&str] = &["tail", "head", "cat", "grep", "awk", "sed", "sort", "cut", "column", "less"];
    let (head, rest) = after.split_once('|').unwrap_or((after, "cat"));
    let mut programs = rest.split('|').map(|it| it.split_whitespace().next().unwrap_or_default());
    before.split_once('|').filter(|(it, _)| it.trim() == head.trim())?;
    Some(!rest.contains([';', '&']) && programs.all(|it| SHOWING.contains(&it)))
}

/// What the flags and the words around the second command take from it.
fn by_flags(old: &[String], new: &[String]) -> Option<String> {
    let wraps = |(name, _): &&(&str, &str)| {
        let is_one = |word: &&String| {
            word.rsplit('/').next().is_some_and(|it| it.starts_with(name) && !it.starts_with(STRICTER))
        };
        new.iter().filter(is_one).count() > old.iter().filter(is_one).count()
    };
    if let Some((name, how)) = WRAPPERS.iter().find(wraps) {
        return Some(format!("{how} (`{}`)", name.trim_end_matches('=')));
    }
    // One way of leaving tests out for another is no loss.
    let (had, has) = (without_harmless(old), without_harmless(new));
    let all = |words: &[String]| FILTERS.iter().map(|name| count(words, name)).sum::<usize>();
    if all(&has) > all(&had)
        && let Some(name) = FILTERS.iter().find(|name| count(&has, name) > count(&had, name))
    {
        return Some(format!("would leave tests out (`{name}`)"));
    }
    if let Some(name) = lower_gate(old, new) {
        return Some(format!("would ask for less (`{name}`)"));
    }
    let loose = LOOSE.iter().find(|name| count(new, name) > count(old, name));
    if let Some(name) = loose.filter(|_| old.first() == new.first()) {
        return Some(format!("would report less (`{name}`)"));
    }
    if let Some(path) = confined(old, new) {
        return Some(format!("would check `{path}` alone"));
    }
    allowed_more(old, new).map(|name| format!("would let more pass (`{name}`)"))
}

/// How often a flag stands among words, whatever its value.
fn count(words: &[String], name: &str) -> usize {
    words.iter().filter(|word| word.split('=').next() == Some(name)).count()
}

/// The flag that leaves tests out, new in the second command: also where the first is no check by its words.
pub(crate) fn skips(before: &str, after: &str) -> Option<&'static str> {
    let has = |text: &str, flag: &str| words(text).iter().any(|word| word.split('=').next() == Some(flag));
    // One flag for another leaves out as much.
    let count = |text: &str| SKIPS.iter().filter(|flag| has(text, flag)).count();
    let mut new = SKIPS.iter().copied().filter(|flag| has(after, flag) && !has(before, flag));
    new.next().filter(|_| count(after) > count(before))
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
            || means_otherwise(all, at)
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

#[cfg(test)]
mod tests {
    use super::*;

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
            ("npm test && touch ok", "(npm test; touch ok)", true),
            ("npm test && touch ok", "(npm test && touch ok)", false),
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
            ("cov report | awk '/all/ { if ($2 + 0 < 70) { exit 1 } }'", "cov report | tail -n 1", true),
            ("cov report | awk '/all/ { if ($2 + 0 < 70) { exit 1 } }'", "cov report | ./gate 70", false),
        ];
        for (before, after, expected) in rows {
            assert_eq!(weaker(before, after).is_some(), expected, "{before} -> {after}");
        }
    }
}
