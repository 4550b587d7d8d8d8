//! Test runners, one file for each: what starts it, how it lists its tests, how its results and failures are read, what
//! weakens it, and what configures it.
//!
//! Pure. A runner is its file and its line in [`RUNNERS`]; every other room asks here.

mod bun;
mod cargo_test;
pub(crate) mod counts;
mod dart_test;
pub(crate) mod dotnet;
pub mod executed;
pub(crate) mod failure;
pub mod failures;
pub mod frames;
mod go_test;
mod gradle;
mod jest;
pub mod listing;
mod minitest;
mod mocha;
pub mod model;
mod nextest;
mod node_test;
pub mod options;
mod others;
mod phpunit;
pub mod project;
mod prove;
mod pytest;
pub mod results;
mod rspec;
mod summary;
mod surefire;
mod tap;
mod unittest;
mod vitest;

pub use model::{Ecosystem, Runner};
use options::Weakens;

#[cfg(test)]
mod failures_tests;
#[cfg(test)]
mod results_tests;

/// Every runner.
static RUNNERS: &[&Runner] = &[
    &cargo_test::RUNNER,
    &nextest::RUNNER,
    &pytest::RUNNER,
    &unittest::RUNNER,
    &go_test::RUNNER,
    &vitest::RUNNER,
    &jest::RUNNER,
    &mocha::RUNNER,
    &bun::RUNNER,
    &node_test::RUNNER,
    &phpunit::RUNNER,
    &rspec::RUNNER,
    &minitest::RUNNER,
    &dotnet::RUNNER,
    &surefire::RUNNER,
    &gradle::RUNNER,
    &tap::RUNNER,
    &prove::RUNNER,
    &dart_test::RUNNER,
];

/// Every runner, also those of which only the programs and options are known.
pub(crate) fn all() -> impl Iterator<Item = &'static Runner> {
    RUNNERS.iter().chain(others::RUNNERS).copied()
}

/// The readers of one kind, in the order of their turns.
fn in_turn<F: Copy>(
    reader: impl Fn(&Runner) -> Option<model::OutputReader<F>>,
) -> impl Iterator<Item = (&'static Runner, F)> {
    let mut readers: Vec<(u8, &'static Runner, F)> =
        all().filter_map(|runner| reader(runner).map(|reader| (reader.turn, runner, reader.read))).collect();
    readers.sort_by_key(|(turn, ..)| *turn);
    readers.into_iter().map(|(_, runner, read)| (runner, read))
}

/// Whether a program with this first operand runs tests; `runs_script` tells whether it runs a script that tests.
pub(crate) fn runs_tests(program: &str, first: &str, runs_script: impl Fn() -> bool) -> bool {
    let mut programs = all().flat_map(|runner| runner.programs).filter(|one| one.names.contains(&program));
    programs.any(|one| one.words.is_empty() || one.words.contains(&first) || runs_script())
}

/// Whether a program with one of these operands runs tests, and writes nothing but build output.
pub(crate) fn only_checks(program: &str, operands: [&str; 2]) -> bool {
    let mut programs = all().flat_map(|runner| runner.programs);
    programs.any(|one| {
        one.only_checks
            && one.names.contains(&program)
            && (one.words.is_empty() || operands.iter().any(|word| one.words.contains(word)))
    })
}

/// Whether a program of this name does nothing but run tests, or runs them with a word behind it.
pub(crate) fn is_program(name: &str) -> bool {
    all().flat_map(|runner| runner.programs).any(|one| one.names.contains(&name))
}

/// Whether the word of a command, or of a task's name, says that tests run.
pub(crate) fn is_check_word(word: &str) -> bool {
    all().any(|runner| runner.words.checks.contains(&word))
}

/// Whether a command with the word runs every test when it is given no path.
pub(crate) fn is_whole_run_word(word: &str) -> bool {
    all().any(|runner| runner.words.whole_runs.contains(&word))
}

/// Whether the word begins a command and no sentence.
pub(crate) fn is_command_word(word: &str) -> bool {
    all().any(|runner| runner.words.commands.contains(&word))
}

/// What makes the runner name its tests that a program of this name starts, with this first operand.
pub(crate) fn naming_of(program: &str, first: &str) -> Option<&'static model::Naming> {
    let is_started = |one: &model::RunnerProgram| {
        one.names.contains(&program) && (one.words.is_empty() || one.words.contains(&first))
    };
    let mut starts = all().filter(|runner| runner.programs.iter().any(is_started));
    starts.next().map(|runner| &runner.naming)
}

/// Whether `python -m` runs tests by this module.
pub(crate) fn is_module(name: &str) -> bool {
    all().flat_map(|runner| runner.programs).any(|one| one.module == Some(name))
}

/// Whether `python -m` runs tests by this module, and writes nothing but build output.
pub(crate) fn is_checking_module(name: &str) -> bool {
    all().flat_map(|runner| runner.programs).any(|one| one.module == Some(name) && one.only_checks)
}

/// What an option with this value does to a test run of the program.
pub(crate) fn weakening(program: &str, option: &str, value: &str) -> Option<Weakens> {
    let mut weakenings = all().flat_map(|runner| runner.weakenings);
    weakenings.find(|one| one.applies(program, option, value)).map(|one| one.weakens)
}

/// Whether the variable makes a run take its own output as right.
pub(crate) fn rewrites_snapshots(variable: &str) -> bool {
    all().any(|runner| runner.snapshot_variables.contains(&variable))
}

/// Whether files with the extension are tests whatever their names.
pub(crate) fn owns_extension(extension: &str) -> bool {
    all().any(|runner| runner.test_extensions.contains(&extension))
}

/// Whether a file of this name says how tests run.
pub(crate) fn is_configuration(name: &str) -> bool {
    all().flat_map(|runner| runner.settings.files).any(|known| match known.strip_suffix('*') {
        Some(beginning) => name.starts_with(beginning),
        None => *known == name,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_a_runner_is_in_the_table() {
        let names: Vec<&str> = all().map(|runner| runner.name).collect();
        for (at, name) in names.iter().enumerate() {
            assert!(!name.is_empty() && !names[..at].contains(name), "{name} stands twice, or nameless");
        }
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/runners");
        let has_runner = |path: &std::path::Path| {
            let own = if path.is_dir() { path.join("mod.rs") } else { path.to_owned() };
            std::fs::read_to_string(own).is_ok_and(|text| text.contains("static RUNNER: Runner"))
        };
        let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        // This file names the words itself.
        let files = files.filter(|path| !path.ends_with("mod.rs") && has_runner(path)).count();
        assert_eq!(files, RUNNERS.len());
    }

    #[test]
    fn turns_are_told_apart() {
        fn turns<F: Copy>(reader: impl Fn(&Runner) -> Option<model::OutputReader<F>>) -> Vec<u8> {
            let mut turns: Vec<u8> = all().filter_map(|runner| reader(runner).map(|it| it.turn)).collect();
            turns.sort_unstable();
            turns
        }
        for turns in [
            turns(|runner| runner.results),
            turns(|runner| runner.executed),
            turns(|runner| runner.failures),
            turns(|runner| runner.list.and_then(|list| list.of)),
        ] {
            assert!(turns.windows(2).all(|pair| pair[0] < pair[1]), "{turns:?}");
        }
    }
}
