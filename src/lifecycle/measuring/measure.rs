//! Measuring a project with its own tools: tests as the runner lists them, coverage, errors of types and style, and
//! numbers of the project's own.
//!
//! Invariant: a figure is what a tool said of the tree as it is, or it is missing with the reason. The same command is
//! never run twice over the same tree, and nothing is run inside of a tool call.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::config::Config;
use crate::languages;
use crate::last_word;
use crate::lifecycle::measuring::cache::Cache;
use crate::loops::measuring;
use crate::loops::measuring::{Configured, Measure, Measuring};
use crate::loops::project_facts;
use crate::loops::project_facts::{Kind, ProjectFacts};
use crate::loops::verification::printed;
use crate::loops::{failures, verification};
use crate::metrics::{Problems, Reading};
use crate::project::Project;
use crate::runners::listing::{self, Listing};
use crate::runners::model::{List, ListForm};
use crate::runners::results;
use crate::state::layout::Layout;

pub use crate::lifecycle::measuring::cache::tree_digest;

/// The coverage of branches in a baseline and a snapshot.
pub const BRANCHES: &str = "branch_coverage_percentage";

/// What one command said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Figure {
    /// Tests and their names.
    Tests(u64, Vec<String>),
    /// Percent.
    Coverage(f64),
    /// Percent of lines and of branches.
    LinesAndBranches(f64, f64),
    /// Errors and warnings.
    Problems(Problems),
    /// A number of the project's own.
    Number(f64),
}

/// What was measured, and what could not be.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Figures {
    /// How many tests the runner lists.
    pub test_count: Option<u64>,
    /// Their names.
    pub test_names: Vec<String>,
    /// Percent.
    pub coverage: Option<f64>,
    /// Percent of branches.
    pub branches: Option<f64>,
    /// Errors of the type checkers.
    pub types: Option<Problems>,
    /// Of these, the errors of tsc.
    pub typescript: Option<u64>,
    /// Complaints of the linters.
    pub lint: Option<Problems>,
    /// Numbers of the project's own.
    pub custom: Map<String, Value>,
    /// Why a figure is missing, by field.
    pub unavailable: Map<String, Value>,
    /// The command or report of each figure, and how long it took, milliseconds.
    pub sources: Map<String, Value>,
}

/// What to measure, and how.
pub struct Request<'a> {
    /// The project.
    pub project: &'a Project,
    /// Its configuration.
    pub config: &'a Config,
    /// All commands together; zero runs none, and what is cached is still used.
    pub time: Duration,
    /// Which commands are worth running; the others are left out without a word.
    pub wanted: &'a dyn Fn(&str) -> bool,
    /// Told what runs next.
    pub say: &'a mut dyn FnMut(&str),
}

/// The commands that a project offers, with the configured ones in the place of what was detected.
pub fn known_commands(root: &Path, config: &Config) -> ProjectFacts {
    let mut facts = project_facts::read(root);
    let own = &config.commands;
    let kinds = [
        (Kind::Test, &own.test),
        (Kind::Build, &own.build),
        (Kind::Lint, &own.lint),
        (Kind::Typecheck, &own.types),
        (Kind::Coverage, &own.coverage),
    ];
    for (kind, command) in kinds {
        facts.configure(kind, command.as_deref());
    }
    facts
}

/// The commands that measure a project.
pub fn measuring_commands(root: &Path, config: &Config) -> Vec<Measuring> {
    let own = &config.commands;
    let configured = Configured {
        list: own.list.as_deref(),
        test: own.test.as_deref(),
        coverage: own.coverage.as_deref(),
        types: own.types.as_deref(),
        lint: own.lint.as_deref(),
    };
    measuring::commands(root, &project_facts::read(root), configured)
}

/// Measures.
pub fn measure(request: &mut Request) -> Figures {
    let root = request.project.root().to_owned();
    let commands = measuring_commands(&root, request.config);
    let layout = Layout::of_project(&root);
    let digest = tree_digest(request.project);
    let mut cache = Cache::read(&layout);
    let until = Instant::now() + request.time;
    let mut figures = Figures::default();
    let mut runner = Runner {
        root: &root,
        digest: digest.as_deref(),
        cache: &mut cache,
        until,
        may_run: !request.time.is_zero(),
        ran: false,
        say: &mut *request.say,
    };
    for measure in Measure::ALL {
        let of_measure: Vec<&Measuring> = commands.iter().filter(|one| one.measure == measure).collect();
        for one in &of_measure {
            if !(request.wanted)(&one.command) {
                continue;
            }
            match runner.figure(one) {
                Ok((figure, millis)) => figures.add(one, figure, millis),
                Err(why) => figures.miss(measure.field(), format!("`{}`: {why}", one.command)),
            }
        }
        if of_measure.is_empty() {
            figures.miss(measure.field(), "no command for it was found in the project".to_owned());
        }
    }
    for (name, command) in &request.config.custom_metrics {
        match runner.number(command) {
            Ok((number, _)) => {
                figures.custom.insert(name.clone(), json!(number));
            }
            Err(why) => figures.miss(&format!("custom_metrics.{name}"), format!("`{command}`: {why}")),
        }
    }
    if runner.ran {
        // A command may leave a lock file: the tree that it measured is the one that is there now, too.
        let after = tree_digest(request.project);
        cache.write(&layout, digest.as_deref(), after.as_deref());
    }
    figures
}

impl Figures {
    fn add(&mut self, one: &Measuring, figure: Figure, millis: u64) {
        let field = one.measure.field();
        match figure {
            Figure::Tests(count, names) => {
                *self.test_count.get_or_insert_default() += count;
                self.test_names.extend(names);
            }
            Figure::Coverage(percent) => self.coverage = Some(percent),
            Figure::LinesAndBranches(lines, branches) => {
                self.coverage = Some(lines);
                self.branches = Some(branches);
            }
            Figure::Problems(found) => {
                if one.measure == Measure::Types && one.command.contains("tsc") {
                    *self.typescript.get_or_insert_default() += found.errors;
                }
                let sum = if one.measure == Measure::Types { &mut self.types } else { &mut self.lint };
                let sum = sum.get_or_insert_default();
                sum.errors += found.errors;
                sum.warnings += found.warnings;
            }
            Figure::Number(_) => {}
        }
        self.unavailable.shift_remove(field);
        self.source(field, &one.command, Some(millis));
    }

    fn source(&mut self, field: &str, what: &str, millis: Option<u64>) {
        let entry = self.sources.entry(field.to_owned()).or_insert_with(|| json!([]));
        if let Some(list) = entry.as_array_mut() {
            list.push(match millis {
                Some(millis) => json!({"command": what, "duration_ms": millis}),
                None => json!({"report": what}),
            });
        }
    }

    /// A figure that is there already stands.
    fn miss(&mut self, field: &str, why: String) {
        if !self.sources.contains_key(field) {
            self.unavailable.insert(field.to_owned(), json!(why));
        }
    }

    /// Fills in a coverage that a report file holds.
    pub fn add_report(&mut self, path: &str, reading: &Reading) {
        if let (None, Some(percent)) = (self.coverage, reading.coverage) {
            self.coverage = Some(percent);
            self.branches = reading.branches;
            self.unavailable.shift_remove(Measure::Coverage.field());
            self.source(Measure::Coverage.field(), path, None);
        }
    }

    /// The figures under the names of a baseline and of a metrics snapshot; what is missing is left out.
    pub fn fields(&self) -> Map<String, Value> {
        let known = [
            ("test_count", self.test_count.map(|n| json!(n))),
            ("coverage_percentage", self.coverage.map(|n| json!(n))),
            (BRANCHES, self.branches.map(|n| json!(n))),
            ("typescript_errors", self.typescript.map(|n| json!(n))),
            ("type_errors", self.types.map(|n| json!(n.errors))),
            ("lint_errors", self.lint.map(|n| json!(n.errors))),
            ("lint_warnings", self.lint.map(|n| json!(n.warnings))),
            ("custom_metrics", (!self.custom.is_empty()).then(|| Value::Object(self.custom.clone()))),
        ];
        known.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
    }
}

struct Runner<'a> {
    root: &'a Path,
    digest: Option<&'a str>,
    cache: &'a mut Cache,
    until: Instant,
    may_run: bool,
    ran: bool,
    say: &'a mut dyn FnMut(&str),
}

/// Why a hook has no figure.
const NOT_RUN: &str = "not run inside of a session; `steadfast baseline` in a terminal measures it";

impl Runner<'_> {
    fn figure(&mut self, one: &Measuring) -> Result<(Figure, u64), String> {
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
                let of = |reading: &Reading| {
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

    fn number(&mut self, command: &str) -> Result<(f64, u64), String> {
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

    fn tests(&self, list: Option<List>, output: &Output) -> Result<Figure, String> {
        let read = |list: &List| {
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
    fn counted_in(&self, files: &Listing) -> Figure {
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

    fn run(&mut self, command: &str) -> Result<Output, String> {
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
        Ok(Output {
            code: ran.status.and_then(|status| status.code()),
            millis: u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
            stderr: printed::plain(&ran.output),
            folder,
        })
    }
}

/// Where a command's stdout goes, in the folder of its reports.
const STDOUT: &str = ".stdout";
/// What a command left.
struct Output {
    code: Option<i32>,
    millis: u64,
    stderr: String,
    folder: tempfile::TempDir,
}

impl Output {
    fn stdout(&self) -> std::path::PathBuf {
        self.folder.path().join(STDOUT)
    }

    /// What its reports say, then what it printed.
    fn readings(&self) -> impl Iterator<Item = Reading> + '_ {
        let files = fs::read_dir(self.folder.path()).into_iter().flatten().flatten();
        let mut paths: Vec<std::path::PathBuf> =
            files.map(|entry| entry.path()).filter(|path| path.is_file() && *path != self.stdout()).collect();
        paths.sort();
        let reports = paths.into_iter().filter_map(|path| {
            let file = File::open(path).ok()?;
            Some(results::report(&mut BufReader::new(file)))
        });
        let stdout = File::open(self.stdout()).ok().map(|file| results::report(&mut BufReader::new(file)));
        let stderr = std::iter::once_with(|| results::printed(&mut self.stderr.as_bytes()));
        reports.chain(stdout).chain(stderr)
    }

    /// The coverage of a whole run. Tests may fail in it; what could not even be built is not covered by the others.
    fn coverage(&self) -> Result<(f64, Option<f64>), String> {
        let readings: Vec<Reading> = self.readings().collect();
        let failed = |reading: &Reading| reading.tests.as_ref().is_some_and(|tests| tests.failed > 0);
        let printed = fs::read(self.stdout()).unwrap_or_default();
        let broken = ["[build failed]", "[setup failed]"];
        let is_broken = broken.iter().any(|mark| {
            self.stderr.contains(mark) || memchr::memmem::find(&printed, mark.as_bytes()).is_some()
        });
        if is_broken || self.code != Some(0) && !readings.iter().any(failed) {
            return Err(self.why("it did not run to its end"));
        }
        readings
            .iter()
            .find_map(|reading| Some((reading.coverage?, reading.branches)))
            .ok_or_else(|| self.why("no coverage was found in what it printed or wrote"))
    }

    /// Why there is no figure, with what the command itself says.
    fn why(&self, reason: &str) -> String {
        let code = self.code.map_or("killed".to_owned(), |code| format!("exit code {code}"));
        let said = self.stderr.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
        let said = failures::shorten(said, 160);
        if said.is_empty() { format!("{reason} ({code})") } else { format!("{reason} ({code}: {said})") }
    }
}
