//! One tool of the project at work: a command runs over the tree as it is, or the cache says what it said of that tree.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;
use std::time::Instant;

use crate::languages;
use crate::last_word;
use crate::lifecycle::measuring::cache::FigureCache;
use crate::lifecycle::measuring::figures::Figure;
use crate::lifecycle::measuring::output::{CommandOutput, STDOUT};
use crate::loops::measuring::{Measure, MeasureCommand};
use crate::loops::verification;
use crate::loops::verification::printed;
use crate::metrics::{Problems, ReportReading};
use crate::runners::listing::{self, TestListing};
use crate::runners::model::{ListForm, TestLister};

/// Runs commands, and keeps what they said.
pub(super) struct Tool<'a> {
    pub(super) root: &'a Path,
    pub(super) digest: Option<&'a str>,
    pub(super) cache: &'a mut FigureCache,
    pub(super) until: Instant,
    pub(super) may_run: bool,
    pub(super) ran: bool,
    pub(super) say: &'a mut dyn FnMut(&str),
}

/// Why a hook has no figure.
const NOT_RUN: &str = "not run inside of a session; `steadfast baseline` in a terminal measures it";

impl Tool<'_> {
    /// What a command says, from the cache or by running it, and how long it took.
    pub(super) fn figure(&mut self, one: &MeasureCommand) -> Result<(Figure, u64), String> {
        if let Some(known) = self.digest.and_then(|digest| self.cache.get(digest, &one.command)) {
            return Ok(known);
        }
        let output = self.run(&one.command)?;
        let figure = match one.measure {
            Measure::Tests => self.tests(one.lister.and_then(|runner| runner.list), &output)?,
            Measure::Coverage => match output.coverage()? {
                (lines, Some(branches)) => Figure::LinesAndBranches(lines, branches),
                (lines, None) => Figure::Coverage(lines),
            },
            Measure::Types | Measure::Lint => {
                let of = |reading: &ReportReading| {
                    // A checker of one kind may be run as the other: `tsc` as a lint script.
                    let (first, second) = if one.measure == Measure::Types {
                        (reading.types, reading.lint)
                    } else {
                        (reading.lint, reading.types)
                    };
                    first.or(second)
                };
                let found = output.readings().find_map(|reading| of(&reading));
                // Checkers that find nothing often print nothing.
                let clean = (output.code == Some(0)).then(Problems::default);
                Figure::Problems(found.or(clean).ok_or_else(|| output.why("its output was not understood"))?)
            }
        };
        self.keep(&one.command, &figure, output.millis);
        Ok((figure, output.millis))
    }

    /// The last number that a command of the project's own prints.
    pub(super) fn number(&mut self, command: &str) -> Result<(f64, u64), String> {
        if let Some((Figure::Number(number), millis)) =
            self.digest.and_then(|digest| self.cache.get(digest, command))
        {
            return Ok((number, millis));
        }
        let output = self.run(command)?;
        if output.code != Some(0) {
            return Err(output.why("it failed"));
        }
        let text = printed::plain(&fs::read(output.stdout()).unwrap_or_default());
        let number = text.split_whitespace().rev().find_map(|word| {
            word.trim_end_matches(['%', ',', ';', '.'])
                .parse::<f64>()
                .ok()
                .filter(|number| number.is_finite())
        });
        let number = number.ok_or_else(|| "it printed no number".to_owned())?;
        self.keep(command, &Figure::Number(number), output.millis);
        Ok((number, output.millis))
    }

    fn keep(&mut self, command: &str, figure: &Figure, millis: u64) {
        self.cache.put(command, figure.clone(), millis);
    }

    fn tests(&self, list: Option<TestLister>, output: &CommandOutput) -> Result<Figure, String> {
        let read = |list: &TestLister| {
            let file = File::open(output.stdout()).ok()?;
            listing::read(list, &mut BufReader::new(file))
        };
        let listing = match &list {
            Some(list) => read(list),
            None => listing::known_by_form().iter().find_map(read),
        };
        let any_code = list.is_some_and(|list| list.any_exit_code);
        let listing = listing.filter(|_| output.code == Some(0) || any_code);
        let listing = listing.ok_or_else(|| output.why("it listed no tests"))?;
        match list.map(|list| list.form) {
            Some(ListForm::Files(_)) => Ok(self.counted_in(&listing)),
            _ => Ok(Figure::Tests(listing.count, listing.names)),
        }
    }

    /// A runner that lists files: their tests are counted in the sources.
    fn counted_in(&self, files: &TestListing) -> Figure {
        let mut names = Vec::new();
        let mut count = 0;
        for path in &files.names {
            let relative = Path::new(path)
                .strip_prefix(self.root)
                .unwrap_or(Path::new(path))
                .to_string_lossy()
                .into_owned();
            let Some(text) = crate::lifecycle::call::view::read_text(Path::new(path)) else { continue };
            count += languages::count_tests(&relative, &text).unwrap_or_default() as u64;
            let here = languages::test_names(&relative, &text).unwrap_or_default();
            names.extend(here.into_iter().map(|name| format!("{relative}: {name}")));
        }
        Figure::Tests(count, names)
    }

    fn run(&mut self, command: &str) -> Result<CommandOutput, String> {
        if self.until <= Instant::now() {
            let why = if self.may_run { "there was no time left to run it" } else { NOT_RUN };
            return Err(why.to_owned());
        }
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let path = folder.path().to_string_lossy().into_owned();
        self.ran = true;
        (self.say)(command);
        let started = Instant::now();
        // What it prints goes to a file, which is read as a stream; what it complains about stays at hand.
        let shell = format!("exec 3>\"$STEADFAST_REPORTS/{STDOUT}\"\n{{ {command}\n}} >&3 3>&-");
        let ran = last_word::with_inherited_limits(|| {
            verification::run_shell(
                &shell,
                self.root,
                self.until,
                &[("STEADFAST_REPORTS", path.as_str()), ("NO_COLOR", "1"), ("CI", "1")],
            )
        });
        let ran = ran.map_err(|error| error.to_string())?;
        if ran.timed_out {
            return Err(format!("no result within {:.0} s", started.elapsed().as_secs_f64()));
        }
        Ok(CommandOutput {
            code: ran.status.and_then(|status| status.code()),
            millis: u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
            stderr: printed::plain(&ran.output),
            folder,
        })
    }
}
