//! Words that make a test run say less than it should: hidden failures, tests left out, snapshots taken as right,
//! thresholds lowered. Declared as data: an option and the programs that know it.

pub(crate) mod by_neighbours;
pub(crate) mod by_text;
pub(crate) mod choice;
pub(crate) mod hook_managers;
pub(crate) mod host_checks;
pub(crate) mod pipelines;
pub(crate) mod stand_ins;
pub(crate) mod startup;
mod told_away;
pub(crate) mod unheeded;
pub(crate) mod written_scripts;

use EffectKind::{BypassChecks, HidesFailure, LeavesTestsOut, LowersThreshold, RewritesSnapshots};

use crate::runners;
use crate::runners::options::{WeakeningOption, Weakens, any, weakening};
use crate::shell::effects::weakened_test_runs::hook_managers::hooks_off;
use crate::shell::effects::weakened_test_runs::host_checks::ci_off;
use crate::shell::model::option::named_values;
use crate::shell::model::{Command, Effect, EffectKind, Script, Word};

/// Programs that run a project's scripts or check it, and the first operands by which they do; none means always.
/// Test runners stand in their own room.
static CHECKERS: &[(&[&str], &[&str])] = &[
    (&["npm", "pnpm", "yarn", "bun"], &["test", "t", "tst", "jest", "vitest"]),
    (&["make", "just", "rake"], &["test", "tests", "check", "spec"]),
    (&["nyc", "c8", "coverage", "ruff", "pylint", "flake8", "eslint"], &[]),
];

/// Options of those checkers that weaken a run.
static WEAKENINGS: &[WeakeningOption] = &[
    weakening(Weakens::HidesFailure, "--exit-zero", &[], any),
    weakening(Weakens::HidesFailure, "-i", &["make", "gmake"], any),
    weakening(Weakens::HidesFailure, "--ignore-errors", &["make", "gmake"], any),
    weakening(Weakens::LeavesTestsOut, "--exclude", &["npm", "pnpm", "yarn"], any),
    weakening(Weakens::LowersThreshold, "--fail-under", &[], any),
    weakening(Weakens::LowersThreshold, "--check-coverage", &[], |value| value == "false"),
    weakening(Weakens::LowersThreshold, "--max-warnings", &["eslint"], |value| value != "0"),
];

/// Variables that make any test run take its own output as right.
const SNAPSHOT_VARIABLES: &[&str] = &[
    "UPDATE_SNAPSHOTS",
    "UPDATE_SNAPSHOT",
    "UPDATE_GOLDEN",
    "UPDATE_GOLDENS",
    "UPDATE_GOLDEN_FILES",
    "UPDATE_EXPECT",
    "UPDATE_EXPECTED",
    "UPDATE_BASELINE",
    "UPDATE_BASELINES",
    "UPDATE_FIXTURES",
    "UPDATE_REFERENCE",
    "SNAPSHOT_UPDATE",
    "SNAPSHOTS_UPDATE",
    "GOLDEN_UPDATE",
    "REGENERATE_SNAPSHOTS",
    "REGENERATE_GOLDEN",
    "RECORD_SNAPSHOTS",
    "SNAPSHOT_RECORD",
    "BLESS",
    "TRYBUILD",
];

/// Libraries that measure or find faults, by a part of their names.
const MEASURES: &[&str] = &[
    "asan",
    "tsan",
    "ubsan",
    "lsan",
    "msan",
    "jemalloc",
    "tcmalloc",
    "mimalloc",
    "heaptrack",
    "profiler",
    "memusage",
];

/// Whether a variable puts other code before that of the run, and none that is known to look for faults.
fn loads_other_code(name: &str, value: Option<&str>) -> bool {
    matches!(name, "LD_PRELOAD" | "LD_AUDIT" | "DYLD_INSERT_LIBRARIES")
        && value.is_none_or(|value| !value.is_empty() && !MEASURES.iter().any(|known| value.contains(known)))
}

fn kind(weakens: Weakens) -> EffectKind {
    match weakens {
        Weakens::HidesFailure => HidesFailure,
        Weakens::LeavesTestsOut => LeavesTestsOut,
        Weakens::RewritesSnapshots => RewritesSnapshots,
        Weakens::LowersThreshold => LowersThreshold,
    }
}

/// Whether a command runs tests or checks that a project relies on.
pub(crate) fn is_test_run(command: &Command) -> bool {
    let program = command.program();
    let own = |word: &&Word| !matches!(word.text.chars().next(), Some('-' | '+'));
    let operands = command.words.get(1..).unwrap_or_default();
    let mut plain = operands.iter().filter(own).map(|word| word.text.as_str());
    let (first, second) = (plain.next().unwrap_or_default(), plain.next());
    let runs_script = || {
        matches!(first, "run" | "run-script")
            && second.is_some_and(|script| script.split([':', '-']).any(|part| part == "test"))
    };
    let is_checker = CHECKERS.iter().any(|(names, words)| {
        names.contains(&program) && (words.is_empty() || words.contains(&first) || runs_script())
    });
    let by_option = || program == "node" && operands.iter().any(|word| word.text == "--test");
    is_checker
        || runners::runs_tests(program, first, runs_script)
        || runs_module(program, operands)
        || by_option()
}

/// `python -m pytest`.
fn runs_module(program: &str, operands: &[Word]) -> bool {
    let is_run =
        |pair: &[Word]| matches!(pair, [m, module] if m.text == "-m" && runners::is_module(&module.text));
    matches!(program, "python" | "python3") && operands.windows(2).any(is_run)
}

/// The option by which the last run of tests leaves some of them out.
pub(crate) fn left_out_of_the_last(script: &Script) -> Option<String> {
    let run = script.commands.iter().rfind(|command| is_test_run(command))?;
    effects(run, true).into_iter().find(|effect| effect.kind == LeavesTestsOut).map(|effect| effect.detail)
}

/// `dotnet sln remove App.Tests/App.Tests.csproj`: the project's tests are no part of what is built and tested from then on.
fn taken_from_a_solution(command: &Command) -> Option<Effect> {
    let words: Vec<&str> = command.words.iter().skip(1).map(|word| word.text.as_str()).collect();
    let is_removal =
        command.program() == "dotnet" && words.first() == Some(&"sln") && words.contains(&"remove");
    let is_of_tests = |word: &&&str| {
        let name = word.rsplit(['/', '\\']).next().unwrap_or_default().to_lowercase();
        name.ends_with("proj")
            && name.split(['.', '-', '_']).any(|part| {
                matches!(part, "test" | "tests" | "specs" | "spec" | "unittests" | "integrationtests")
            })
    };
    let project = words.iter().find(is_of_tests).filter(|_| is_removal)?;
    let detail = format!("{project} taken from the solution{}", by_text::FOR_GOOD);
    Some(Effect::of(LeavesTestsOut, command, &detail, &[], command.directory.as_deref()))
}

/// What a test run leaves out or hides. What its own options leave out is told where the text `goes_on` to a step that
/// asks for all tests: who looks for a fault runs some of them.
pub(crate) fn effects(command: &Command, goes_on: bool) -> Vec<Effect> {
    if let Some(effect) = hooks_off(command).or_else(|| ci_off(command)) {
        return vec![effect];
    }
    if let Some(effect) = taken_from_a_solution(command) {
        return vec![effect];
    }
    if !is_test_run(command) {
        return by_text::effects(command);
    }
    let mut effects: Vec<Effect> = Vec::new();
    let mut add = |kind: EffectKind, detail: String| {
        if !effects.iter().any(|effect| effect.kind == kind) {
            effects.push(Effect::of(kind, command, &detail, &[], command.directory.as_deref()));
        }
    };
    if asks_help(command) || only_lists(command) {
        return Vec::new();
    }
    for (name, value) in named_values(&command.words) {
        let value = value.unwrap_or_default();
        let own = WEAKENINGS.iter().find(|one| one.applies(command.program(), name, value));
        let found = own.map(|one| one.weakens);
        let found = found.or_else(|| runners::weakening(command.program(), name, value));
        if let Some(weakens) = found.filter(|it| goes_on || kind(*it) != LeavesTestsOut) {
            add(kind(weakens), name.to_owned());
        }
    }
    by_variables(command, &mut add);
    let with_given = by_text::with_words_by_variable(command);
    let chosen = choice::of(with_given.as_ref().unwrap_or(command));
    if let Some(option) = chosen.as_ref().filter(|it| it.fits_nothing).map(|it| it.option) {
        add(LeavesTestsOut, format!("{option} with a pattern that fits nothing"));
    }
    if command.failure_hidden {
        add(HidesFailure, "the command after it".to_owned());
    }
    // Of one test it is how a fault is shown.
    if command.negated && choice::is_of_all(command) {
        add(HidesFailure, "the `!` before it".to_owned());
    }
    effects.extend(chosen.filter(|it| !it.fits_nothing).and_then(|it| it.to_look_up(command)));
    effects
}

fn asks_help(command: &Command) -> bool {
    command.words.iter().any(|word| matches!(word.text.as_str(), "--help" | "-h" | "--version"))
}

/// `pytest --co`, `jest --listTests`: the tests are named, and none runs.
fn only_lists(command: &Command) -> bool {
    const LISTS: &[&str] = &["--collect-only", "--co", "--listTests", "--list-tests", "--list"];
    command.words.iter().skip(1).any(|word| LISTS.contains(&word.text.as_str()))
}

/// What the variables of a run leave out or hide.
fn by_variables(command: &Command, add: &mut dyn FnMut(EffectKind, String)) {
    for (name, value) in &command.assignments {
        let value = value.as_deref();
        let is_snapshot = SNAPSHOT_VARIABLES.contains(&name.as_str()) || runners::rewrites_snapshots(name);
        if is_snapshot && !matches!(value, Some("0" | "no" | "false" | "new" | "unseen")) {
            add(RewritesSnapshots, name.clone());
        }
        if loads_other_code(name, value) || value.is_some_and(|value| startup::brings_code(name, value)) {
            add(BypassChecks, name.clone());
        }
    }
    for (runner, option, value) in by_text::given_by_variable(command) {
        if let Some(weakens) = runners::weakening(runner, &option, &value) {
            add(kind(weakens), option);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::event::ShellDialect;
    use crate::shell::effects::dispatch::effects as reading;
    use std::path::Path;

    fn kinds(text: &str) -> Vec<EffectKind> {
        let reading = reading(text, ShellDialect::Posix, Path::new("/w"), Path::new("/h"));
        reading.effects.iter().map(|effect| effect.kind).collect()
    }

    #[test]
    fn runs_that_say_less_are_found() {
        for (text, kind) in [
            ("npm test || true", HidesFailure),
            ("pytest -q; true", HidesFailure),
            ("cargo test || :", HidesFailure),
            ("go test ./... || echo failed", HidesFailure),
            ("go test ./... | cat", HidesFailure),
            ("cd app && npm test 2>&1 || exit 0", HidesFailure),
            ("npx jest --passWithNoTests", HidesFailure),
            ("ruff check --exit-zero", HidesFailure),
            ("pytest() { echo '12 passed'; return 0; }; pytest -q", HidesFailure),
            ("npm() { true; }; npm test", HidesFailure),
            ("alias jest='echo 9 passed'; jest", HidesFailure),
            ("mocha --timeout 0", HidesFailure),
            ("bash -c 'pytest || true'", HidesFailure),
            ("pytest -k 'not slow' && git push", LeavesTestsOut),
            ("python -m pytest --deselect tests/a.py::test_x && git push", LeavesTestsOut),
            ("pytest --ignore=tests/old && git push", LeavesTestsOut),
            ("cargo test -- --skip parser && git push", LeavesTestsOut),
            ("npx jest --testPathIgnorePatterns e2e && git push", LeavesTestsOut),
            ("vitest run --exclude 'e2e/**' && git push", LeavesTestsOut),
            ("mvn package -DskipTests && git push", LeavesTestsOut),
            ("npx jest -u", RewritesSnapshots),
            ("vitest run --update", RewritesSnapshots),
            ("npm test -- -u", RewritesSnapshots),
            ("INSTA_UPDATE=always cargo test", RewritesSnapshots),
            ("PYTEST_ADDOPTS='--deselect tests/a.py::test_x' pytest -q", LeavesTestsOut),
            ("LD_PRELOAD=/tmp/exit0.so npm test", BypassChecks),
            ("cargo insta accept", RewritesSnapshots),
            ("pytest --cov-fail-under=10", LowersThreshold),
            ("vitest run --coverage.thresholds.lines=10", LowersThreshold),
        ] {
            assert_eq!(kinds(text), [kind], "{text}");
        }
    }

    #[test]
    fn plain_runs_and_look_alikes_are_not() {
        for text in [
            "npm test",
            "pytest -k 'not slow'",
            "cargo test -- --skip parser; git status",
            "pytest --deselect tests/a.py::test_x && pytest",
            "pytest -k parser",
            "pytest -k 'nothing or notes'",
            "cargo test -- --nocapture",
            "cargo test 2>&1 | tail -20",
            "grep -q x f || true",
            "rm -f /tmp/x || true",
            "npm test && true",
            "npm ci || true; npm test",
            "git commit -m 'pytest || true'",
            "echo 'npm test || true'",
            "jest --help",
            "npm install -u",
            "INSTA_UPDATE=no cargo test",
            "PYTEST_ADDOPTS='-q --tb=short' pytest",
            "LD_PRELOAD=/usr/lib/libasan.so npm test",
            "mocha --timeout 5000",
            "go test ./... || echo \"status $?\"",
            "go test ./... || { echo failed; exit 1; }",
            "pytest() { command pytest \"$@\"; }; pytest -q",
            "npm() { true; }; npm ci",
            "alias t='pytest -q'; t",
        ] {
            let found = kinds(text);
            let weak = [BypassChecks, HidesFailure, LeavesTestsOut, RewritesSnapshots, LowersThreshold];
            assert!(!found.iter().any(|kind| weak.contains(kind)), "{text}: {found:?}");
        }
    }
}
