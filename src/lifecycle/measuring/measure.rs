//! Measuring a project with its own tools: tests as the runner lists them, coverage, errors of types and style, and
//! numbers of the project's own.
//!
//! Invariant: a figure is what a tool said of the tree as it is, or it is missing with the reason. The same command is
//! never run twice over the same tree, and nothing is run inside of a tool call.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::config::Config;
use crate::lifecycle::measuring::cache::FigureCache;
use crate::lifecycle::measuring::tool::Tool;
use crate::loops::measuring;
use crate::loops::measuring::{Configured, Measure, MeasureCommand};
use crate::loops::project_facts;
use crate::loops::project_facts::{CommandPurpose, ProjectFacts};
use crate::project::Project;
use crate::state::layout::Layout;

pub use crate::lifecycle::measuring::cache::tree_digest;
pub use crate::lifecycle::measuring::figures::{BRANCHES, Figure, Figures};

/// What to measure, and how.
pub struct MeasureRequest<'a> {
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
        (CommandPurpose::Test, &own.test),
        (CommandPurpose::Build, &own.build),
        (CommandPurpose::Lint, &own.lint),
        (CommandPurpose::Typecheck, &own.types),
        (CommandPurpose::Coverage, &own.coverage),
    ];
    for (kind, command) in kinds {
        facts.configure(kind, command.as_deref());
    }
    facts
}

/// The commands that measure a project.
pub fn measuring_commands(root: &Path, config: &Config) -> Vec<MeasureCommand> {
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
pub fn measure(request: &mut MeasureRequest) -> Figures {
    let root = request.project.root().to_owned();
    let commands = measuring_commands(&root, request.config);
    let layout = Layout::of_project(&root);
    let digest = tree_digest(request.project);
    let mut cache = FigureCache::read(&layout);
    let until = Instant::now() + request.time;
    let mut figures = Figures::default();
    let mut tool = Tool {
        root: &root,
        digest: digest.as_deref(),
        cache: &mut cache,
        until,
        may_run: !request.time.is_zero(),
        ran: false,
        say: &mut *request.say,
    };
    for measure in Measure::ALL {
        let of_measure: Vec<&MeasureCommand> = commands.iter().filter(|one| one.measure == measure).collect();
        if of_measure.is_empty() {
            figures.miss(measure.field(), "no command for it was found in the project".to_owned());
        }
        let wanted = of_measure.into_iter().filter(|one| (request.wanted)(&one.command));
        wanted.for_each(|one| take(&mut tool, one, &mut figures));
    }
    for (name, command) in &request.config.custom_metrics {
        match tool.number(command) {
            Ok((number, _)) => {
                figures.custom.insert(name.clone(), json!(number));
            }
            Err(why) => figures.miss(&format!("custom_metrics.{name}"), format!("`{command}`: {why}")),
        }
    }
    if tool.ran {
        // A command may leave a lock file: the tree that it measured is the one that is there now, too.
        let after = tree_digest(request.project);
        cache.write(&layout, digest.as_deref(), after.as_deref());
    }
    figures
}

/// Takes what one command says.
fn take(tool: &mut Tool, one: &MeasureCommand, figures: &mut Figures) {
    match tool.figure(one) {
        Ok((figure, millis)) => figures.add(one, figure, millis),
        Err(why) => figures.miss(one.measure.field(), format!("`{}`: {why}", one.command)),
    }
}
