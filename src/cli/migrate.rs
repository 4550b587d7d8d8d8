//! `steadfast migrate`: takes over the loops that AIWG or the ralph-loop plugin began here, and says what it leaves.
//!
//! Invariant: no file of theirs is changed or removed, but for `current-loop.json`, which becomes the mirror of its loop.

mod old;
mod plugin_file;
mod settings;

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anstream::println;
use anyhow::Result;
use clap::Args;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use self::old::{OldLoop, OldLoopFormat};
use super::columns::say;
use super::{columns, human, loops};
use crate::config::{self, Config};
use crate::definitions;
use crate::lifecycle::hooks::loop_start::LoopRequest;
use crate::lifecycle::session::legacy;
use crate::loops::criteria::typed::{DEFAULT_MAX_ITERATIONS, DEFAULT_TIMEOUT_MINUTES, TypedLoop};
use crate::project::Project;
use crate::state::layout::Layout;

/// Take over the loops that AIWG or the ralph-loop plugin began in this project
///
/// Says what was taken over, and what was left and why. None of their files is removed. Exit code: 0 all of it was taken
/// over, or there is nothing; 1 an active loop was left.
#[derive(Debug, Args)]
pub struct MigrateArgs {
    /// When a taken loop is done, where its file names no command: "<command> passes"
    #[arg(long, alias = "completion", value_name = "CRITERIA")]
    until: Option<String>,
    /// Say what would be taken over, and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What was taken over, and what was not.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Migration {
    /// Whether nothing was changed.
    dry_run: bool,
    /// What is Steadfast's now.
    taken: Vec<Taken>,
    /// What stays as it was.
    left: Vec<Left>,
}

/// One file that was taken over.
#[derive(Debug, Serialize, JsonSchema)]
struct Taken {
    /// The file.
    file: PathBuf,
    /// What it is now, in words.
    says: String,
    /// The loop that it has become.
    #[serde(skip_serializing_if = "Option::is_none")]
    loop_id: Option<String>,
}

/// Something that was left.
#[derive(Debug, Serialize, JsonSchema)]
struct Left {
    /// The file in which it stands.
    file: PathBuf,
    /// What, why, and what helps.
    says: String,
    /// Whether a loop was left that is to go on.
    active_loop: bool,
}

impl Migration {
    fn take(&mut self, file: &Path, says: impl Into<String>, loop_id: Option<String>) {
        self.taken.push(Taken { file: file.to_owned(), says: says.into(), loop_id });
    }

    fn leave(&mut self, file: &Path, says: impl Display) {
        self.left.push(Left { file: file.to_owned(), says: says.to_string(), active_loop: false });
    }

    fn leave_loop(&mut self, file: &Path, says: impl Display) {
        self.left.push(Left { file: file.to_owned(), says: says.to_string(), active_loop: true });
    }
}

/// Takes over what is there. Answers 1 where an active loop was left.
pub fn run(args: &MigrateArgs) -> Result<u8> {
    if !args.dry_run {
        human::only("take over a loop")?;
    }
    let project = Project::locate(&std::env::current_dir()?);
    let layout = definitions::layout_of(project.root());
    let mut migration = Migration { dry_run: args.dry_run, ..Migration::default() };
    for old in old::loops(&project, &layout)? {
        one_loop(args, &project, &layout, &old, &mut migration);
    }
    configuration(&project, &mut migration);
    settings::what_goes_on(project.root(), &mut migration);
    if args.json {
        println!("{}", serde_json::to_string_pretty(&migration)?);
    } else {
        show(&migration, project.root());
    }
    Ok(u8::from(migration.left.iter().any(|left| left.active_loop)))
}

/// Takes over one loop, or says why not.
fn one_loop(args: &MigrateArgs, project: &Project, layout: &Layout, old: &OldLoop, into: &mut Migration) {
    if !old.active {
        return into.leave(&old.file, "its loop is over, so there is nothing to go on with");
    }
    if let OldLoopFormat::State { is_known: true, .. } = old.form {
        let id = &old.id;
        let says = format!(
            "is loop {id} here as it stands: `steadfast loop resume {id}` hands it to the next session"
        );
        return into.take(&old.file, says, None);
    }
    if layout.state(&old.id).exists() {
        return into.leave(&old.file, format_args!("it was taken over before, as loop {}", old.id));
    }
    match begun(args, project, layout, old) {
        Ok(id) => {
            let now = if args.dry_run { "would become" } else { "is now" };
            into.take(
                &old.file,
                format!("{now} loop {id}, {}", old.in_words(args.until.as_deref())),
                Some(id),
            );
            old.losses().iter().for_each(|loss| into.leave(&old.file, loss));
        }
        Err(why) => into.leave_loop(&old.file, why),
    }
}

/// The id of the loop that goes on.
fn begun(args: &MigrateArgs, project: &Project, layout: &Layout, old: &OldLoop) -> Result<String, String> {
    if old.form == OldLoopFormat::CurrentLoop {
        if args.dry_run {
            return Ok("of its own".to_owned());
        }
        let id = legacy::bring_in(project, layout, Timestamp::now())?;
        return id.ok_or_else(|| "four loops are running already; end one of them first".to_owned());
    }
    let typed = TypedLoop {
        task: old.task.clone(),
        until: args.until.clone().or_else(|| old.criteria.clone()),
        max_iterations: old.max_iterations.unwrap_or(DEFAULT_MAX_ITERATIONS),
        timeout_minutes: old.timeout_minutes.unwrap_or(DEFAULT_TIMEOUT_MINUTES),
        loop_id: Some(old.id.clone()),
        ..TypedLoop::default()
    };
    let seconds = Config::read(project.root()).0.verification.timeout_seconds;
    let request =
        LoopRequest::of(typed, None, Duration::from_secs(seconds)).map_err(|why| old.why_not(&why))?;
    if !args.dry_run {
        loops::begin(project, &request, false).map_err(|why| format!("{why:#}"))?;
    }
    Ok(old.id.clone())
}

/// `aiwg.yml` is read as it is; what of it has no effect is said.
fn configuration(project: &Project, into: &mut Migration) {
    let file = project.root().join(config::FILE);
    if !file.exists() {
        return;
    }
    let (_, problems) = Config::read(project.root());
    into.take(&file, "is read as it is: its `agent_persistence` holds here", None);
    for problem in &problems {
        into.leave(&file, problem.in_file(config::FILE));
    }
}

fn show(migration: &Migration, root: &Path) {
    let width = columns::width();
    let line = |file: &Path, says: &str| {
        let name = file.strip_prefix(root).unwrap_or(file).display().to_string();
        println!("{}", columns::wrapped(&format!("- {name}: {says}"), 2, width));
    };
    if migration.taken.is_empty() && migration.left.is_empty() {
        say(format_args!("Nothing of AIWG or of the ralph-loop plugin is in {}.", root.display()));
        return;
    }
    let title = if migration.dry_run { "Would be taken over:" } else { "Taken over:" };
    if !migration.taken.is_empty() {
        println!("{title}");
        migration.taken.iter().for_each(|taken| line(&taken.file, &taken.says));
    }
    if !migration.left.is_empty() {
        println!("Left as it is:");
        migration.left.iter().for_each(|left| line(&left.file, &left.says));
    }
    if !migration.dry_run && migration.taken.iter().any(|taken| taken.loop_id.is_some()) {
        println!("The next session that starts here claims the loop.");
    }
}
