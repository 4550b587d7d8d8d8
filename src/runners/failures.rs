//! What failed, read from a tool's own output.
//!
//! A reader takes only what has its format's marks, so that the first one which finds something is the right one; the
//! last reader knows no format and takes the line that looks most like an error.

use crate::runners::{Runner, in_turn};

mod any;
pub(crate) mod compiler;
mod told;

pub use crate::runners::failure::TestFailure;
pub(crate) use crate::runners::failure::shorten;

/// The most failures that are kept of one output.
const MOST: usize = 200;
/// The longest message, in letters.
const LONGEST: usize = 300;

/// What an output tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failures {
    /// The format, and so how one test is run alone.
    pub source: OutputSource,
    /// At least one.
    pub list: Vec<TestFailure>,
    /// How many there are: by the output's own summary, where no runner's names tell.
    pub total: usize,
}

/// Who wrote an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputSource {
    /// A test runner.
    Runner(&'static Runner),
    /// A compiler, type checker or linter.
    Compiler,
    /// Unknown.
    Unknown,
}

/// Reads the failures of an output. `None` when nothing in it looks like one.
pub fn read(output: &str) -> Option<Failures> {
    let lines: Vec<&str> = output.lines().collect();
    let mut of_runners = in_turn(|runner| runner.failures)
        .map(|(runner, read)| (OutputSource::Runner(runner), sorted(runner, read(&lines))));
    let (source, mut list) = of_runners
        .find(|(_, list)| !list.is_empty())
        .or_else(|| {
            Some((OutputSource::Compiler, compiler::read(&lines))).filter(|(_, list)| !list.is_empty())
        })
        .unwrap_or_else(|| (OutputSource::Unknown, any::read(&lines)));
    let told = told::told(&lines).filter(|_| !matches!(source, OutputSource::Runner(_)));
    let total = told.unwrap_or(list.len());
    list.truncate(MOST);
    list.iter_mut().for_each(tidy);
    (!list.is_empty()).then_some(Failures { source, list, total })
}

fn sorted(runner: &Runner, mut list: Vec<TestFailure>) -> Vec<TestFailure> {
    if runner.in_parallel {
        list.sort_by(|one, other| one.test.cmp(&other.test));
    }
    list
}

impl OutputSource {
    /// The command that runs one test alone, where the runner has one.
    pub fn alone(self, test: &str) -> Option<String> {
        match self {
            OutputSource::Runner(runner) => runner.alone.and_then(|alone| alone(test)),
            OutputSource::Compiler | OutputSource::Unknown => None,
        }
    }
}

fn tidy(failure: &mut TestFailure) {
    failure.message = shorten(&failure.message, LONGEST);
    for text in [&mut failure.expected, &mut failure.actual, &mut failure.test].into_iter().flatten() {
        *text = shorten(text, 160);
    }
}
