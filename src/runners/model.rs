//! What a test runner is, as data: each runner's own file declares one [`Runner`].
//!
//! Invariant: a runner's facts are values and pure functions. A runner that lacks a part leaves it out by
//! `..Runner::NOTHING`.

use crate::metrics::{NAMES, ResultReader, short};
use crate::runners::failure::TestFailure;
use crate::runners::options::WeakeningOption;

pub use crate::runners::project::{Ecosystem, ProjectFiles, RunnerCommands};

/// A test runner.
pub struct Runner {
    /// Its name; a reading's `formats` calls its results so.
    pub name: &'static str,
    /// What starts it.
    pub programs: &'static [RunnerProgram],
    /// The words by which commands, tasks and criteria tell that it runs.
    pub words: RunnerWords,
    /// Whose projects it tests.
    pub ecosystem: Ecosystem,
    /// The commands that a project offers for it.
    pub project: Option<fn(&dyn ProjectFiles) -> RunnerCommands>,
    /// How it lists its tests without running them.
    pub list: Option<TestLister>,
    /// Reads the results that it prints.
    pub results: Option<OutputReader<NewRun>>,
    /// Reads how many tests a line of its summary says were run.
    pub executed: Option<OutputReader<ReadExecuted>>,
    /// Reads the failures that it prints.
    pub failures: Option<OutputReader<ReadFailures>>,
    /// Whether failures come in the order in which tests end, which another run has otherwise.
    pub in_parallel: bool,
    /// The command that runs one test alone.
    pub alone: Option<fn(&str) -> Option<String>>,
    /// Options that make a run say less than it should.
    pub weakenings: &'static [WeakeningOption],
    /// Variables that make a run take its own output as right.
    pub snapshot_variables: &'static [&'static str],
    /// The files that configure it.
    pub configuration: &'static [ToolConfiguration],
    /// What in such files leaves tests out or hides failures.
    pub settings: WeakeningSettings,
    /// Extensions of files that are its tests whatever their names.
    pub test_extensions: &'static [&'static str],
    /// How it is made to name every test.
    pub naming: Naming,
}

impl Runner {
    /// A runner of which nothing is known.
    pub(crate) const NOTHING: Runner = Runner {
        name: "",
        programs: &[],
        words: RunnerWords::NONE,
        ecosystem: Ecosystem::Other,
        project: None,
        list: None,
        results: None,
        executed: None,
        failures: None,
        in_parallel: false,
        alone: None,
        weakenings: &[],
        snapshot_variables: &[],
        configuration: &[],
        settings: WeakeningSettings::NONE,
        test_extensions: &[],
        naming: Naming::NONE,
    };
}

impl PartialEq for Runner {
    fn eq(&self, other: &Runner) -> bool {
        self.name == other.name
    }
}

impl Eq for Runner {}

impl std::fmt::Debug for Runner {
    fn fmt(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
        formatter.write_str(self.name)
    }
}

/// What makes a runner name every test that it runs. `{report}` stands for a file that it writes.
#[derive(Clone, Copy)]
pub struct Naming {
    /// A variable that adds options to each of its runs.
    pub variable: Option<(&'static str, &'static str)>,
    /// Options for the end of a command that is nothing but such a run.
    pub options: Option<&'static str>,
    /// How the files are called that it writes by itself: their beginning, and a folder above them.
    pub reports: Option<(&'static str, &'static str)>,
}

impl Naming {
    /// It does so by itself, or can't.
    pub(crate) const NONE: Naming = Naming { variable: None, options: None, reports: None };
}

/// A reader and its turn: where an output may be of several runners, the lower turn is asked first.
#[derive(Clone, Copy)]
pub struct OutputReader<F> {
    /// The turn.
    pub turn: u8,
    /// The reader.
    pub read: F,
}

/// Makes a reader of results.
pub type NewRun = fn() -> Box<dyn ResultReader>;
/// Reads the tests that a line says were run.
pub type ReadExecuted = fn(&str) -> Option<u64>;
/// Reads the failures of an output's lines.
pub type ReadFailures = fn(&[&str]) -> Vec<TestFailure>;
/// Makes the command that lists the tests of another, which comes as its words.
pub type ListOf = fn(&[&str]) -> Option<String>;

/// Words that start a test run.
#[derive(Clone, Copy)]
pub struct RunnerProgram {
    /// The program's names; none for a module that only `python -m` starts.
    pub names: &'static [&'static str],
    /// Operands that make a test run of it; none means that every run is one.
    pub words: &'static [&'static str],
    /// The module behind `python -m`.
    pub module: Option<&'static str>,
    /// Whether it writes nothing but build output.
    pub only_checks: bool,
}

impl RunnerProgram {
    /// A program that does nothing else.
    pub(crate) const fn always(names: &'static [&'static str]) -> RunnerProgram {
        RunnerProgram::with(names, &[])
    }

    /// A program that runs tests when one of these words follows.
    pub(crate) const fn with(
        names: &'static [&'static str],
        words: &'static [&'static str],
    ) -> RunnerProgram {
        RunnerProgram { names, words, module: None, only_checks: true }
    }

    /// A module of Python.
    pub(crate) const fn module(name: &'static str) -> RunnerProgram {
        RunnerProgram { names: &[], words: &[], module: Some(name), only_checks: true }
    }

    /// The same, where a run may change files of the project.
    pub(crate) const fn may_change_files(self) -> RunnerProgram {
        RunnerProgram { only_checks: false, ..self }
    }
}

/// Words that stand for a runner where no command is taken apart: in a step of CI, a script, a sentence.
#[derive(Clone, Copy)]
pub struct RunnerWords {
    /// A command, or a task of such a name (`test:jest`), checks something.
    pub checks: &'static [&'static str],
    /// A command with one of them runs every test when it is given no path.
    pub whole_runs: &'static [&'static str],
    /// No sentence begins so: a criterion that does names a command.
    pub commands: &'static [&'static str],
}

impl RunnerWords {
    /// No word tells it.
    pub(crate) const NONE: RunnerWords = RunnerWords::all(&[]);

    /// Words that tell all of it.
    pub(crate) const fn all(words: &'static [&'static str]) -> RunnerWords {
        RunnerWords { checks: words, whole_runs: words, commands: words }
    }
}

/// How a runner lists its tests.
#[derive(Clone, Copy)]
pub struct TestLister {
    /// What lists the tests that a command of these words runs.
    pub of: Option<OutputReader<ListOf>>,
    /// How the list is read.
    pub form: ListForm,
    /// Its turn among the lists of which nobody says whose they are; none for one that can't be told.
    pub known_by_form: Option<u8>,
    /// Whether a list counts whatever the exit code.
    pub any_exit_code: bool,
}

/// The form of a list.
#[derive(Clone, Copy)]
pub enum ListForm {
    /// Lines that name tests.
    Tests(fn(&str, &mut ListSoFar)),
    /// Lines that name files, whose tests must be counted by reading.
    Files(fn(&str, &mut ListSoFar)),
    /// The results of a run in which nothing happens.
    DryRun,
}

/// What a runner listed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TestListing {
    /// How many tests; for [`ListForm::Files`] how many files.
    pub count: u64,
    /// Their names, as far as they are kept; two tests may have one.
    pub names: Vec<String>,
}

impl TestListing {
    /// Adds a test, or a file.
    pub(crate) fn add(&mut self, name: &str) {
        self.count += 1;
        if self.names.len() < NAMES {
            self.names.push(short(name).to_owned());
        }
    }
}

/// What a list held up to a line.
#[derive(Default)]
pub struct ListSoFar {
    /// The tests.
    pub listing: TestListing,
    /// Whether it has the form even without a test: it says that there are none, or where it ends.
    pub said_none: bool,
    /// Whether it can't be complete.
    pub is_broken: bool,
    /// Whether the line stands below the headline.
    pub below: bool,
    /// Names whose package comes after them.
    pub waiting: Vec<String>,
}

/// The files that configure one tool.
#[derive(Debug, Clone, Copy)]
pub struct ToolConfiguration {
    /// The tool as a command names it: a program, or a program with its subcommand.
    pub tool: &'static str,
    /// Files that configure nothing else.
    pub files: &'static [&'static str],
    /// Keys of files that hold other things too; a key that ends in `*` begins others.
    pub keys: &'static [(&'static str, &'static [&'static str])],
}

/// What in a configuration leaves tests out or hides failures.
#[derive(Debug, Clone, Copy)]
pub struct WeakeningSettings {
    /// Files that say how tests run; `*` at the end stands for any rest.
    pub files: &'static [&'static str],
    /// Settings that leave tests out: a new item, or a new value, is a loss.
    pub filters: &'static [&'static str],
    /// Settings that switch a run's failures off, with the value that does so.
    pub switches: &'static [(&'static str, &'static str)],
    /// Settings that say where tests are: a lost item is a loss.
    pub places: &'static [&'static str],
    /// Lines of files that are not read as values: which file, what the line says without white space, and whether the
    /// line being there (or going) is the loss.
    pub lines: &'static [(&'static str, &'static str, bool)],
}

impl WeakeningSettings {
    /// No file and no setting.
    pub(crate) const NONE: WeakeningSettings =
        WeakeningSettings { files: &[], filters: &[], switches: &[], places: &[], lines: &[] };
}
