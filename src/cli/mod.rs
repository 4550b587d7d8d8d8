//! The `steadfast` command: install, loops, undo, status. It decides nothing; the lifecycle does.

use std::ffi::OsString;
use std::io;
use std::path::Path;

use anyhow::Result;
use clap::{CommandFactory, Parser, Subcommand};

use crate::definitions;
use crate::project::Project;
use crate::state::witness;

pub mod about;
pub mod allow;
pub mod audit;
pub mod baseline;
pub mod benchmark;
pub mod best;
pub mod check;
pub mod checkpoint;
pub mod columns;
pub mod config;
pub mod doctor;
pub mod explain;
pub mod faults;
pub mod gate;
pub mod guard;
pub mod hooks;
pub mod hosts;
pub mod human;
pub mod install;
pub mod log;
pub mod loops;
pub mod migrate;
mod page;
mod pages;
pub mod patterns;
pub mod progress;
pub mod prove;
pub mod reflect;
pub mod report;
pub mod run;
pub mod schema;
mod seen;
pub mod status;
pub mod statusline;
pub mod today;
mod transcripts;
pub mod undo;
pub mod watch;

/// Keeps coding agents honest and persistent
#[derive(Debug, Parser)]
#[command(name = "steadfast", version, arg_required_else_help = true, after_help = AFTER_HELP)]
struct Cli {
    #[command(subcommand)]
    command: CliCommand,
}

/// What somebody reads below the list of the commands who has never used one of them.
const AFTER_HELP: &str = "\
First: `steadfast install` guards the sessions of this folder, `steadfast doctor` says whether it does.
Later: `today` and `explain --last` say what was stopped and why, `undo` brings files back, `gate` decides what waits.

Exit code: 0 done; 1 failed, with why on stderr; 2 the command line was not understood. A command whose codes say more has \
them in its --help.";

#[derive(Debug, Subcommand)]
enum CliCommand {
    Install(install::InstallArgs),
    Uninstall(install::UninstallArgs),
    Hosts(hosts::HostsArgs),
    Doctor(doctor::DoctorArgs),
    /// Show whether sessions here are guarded, and the loops of this project
    #[command(alias = "ralph-status")]
    Status(status::StatusArgs),
    Today(today::TodayArgs),
    Watch(watch::WatchArgs),
    Report(report::ReportArgs),
    Audit(audit::AuditArgs),
    Statusline(statusline::StatuslineArgs),
    #[command(subcommand)]
    Loop(loops::LoopCommand),
    /// Measure the project as a loop's start does, or show which commands measure it
    Baseline(baseline::BaselineArgs),
    /// Measure how long an iteration takes with the hooks and without them, in a copy of the project
    Benchmark(benchmark::BenchmarkArgs),
    /// Show the best iteration of a loop, or bring its files back
    Best(best::BestArgs),
    Run(run::RunArgs),
    Migrate(migrate::MigrateArgs),
    #[command(subcommand)]
    Reflect(reflect::ReflectCommand),
    Undo(undo::UndoArgs),
    #[command(subcommand)]
    Checkpoint(checkpoint::CheckpointCommand),
    Check(check::CheckArgs),
    Prove(prove::ProveArgs),
    Gate(gate::GateArgs),
    /// Show what is looked for and what was found, or call a finding a false alarm
    Patterns(patterns::PatternsArgs),
    Allow(allow::AllowArgs),
    /// Fire a hook by name with a JSON payload on stdin, and print its answer
    Hook(hooks::fire::HookArgs),
    /// Check or show the hook definitions
    Hooks(hooks::HooksArgs),
    #[command(subcommand)]
    Config(config::ConfigCommand),
    /// Show or verify a loop's log
    Log(log::LogArgs),
    /// Print the JSON Schema of a file or of the answers
    Schema(schema::SchemaArgs),
    Explain(explain::ExplainArgs),
    Version(about::VersionArgs),
    Update(about::UpdateArgs),
    Completions(about::CompletionsArgs),
    Man(about::ManArgs),
    /// `loop start` under the name of the documents
    #[command(hide = true)]
    Ralph(Box<loops::StartArgs>),
    /// `loop pause` under the name of the documents
    #[command(hide = true)]
    RalphPause(loops::OneLoop),
    /// `loop resume` under the name of the documents
    #[command(hide = true)]
    RalphResume(loops::ResumeArgs),
    /// `loop abort` under the name of the documents
    #[command(hide = true)]
    RalphAbort(loops::AbortArgs),
    /// `install` under the name of the documents: `use agent-persistence`
    #[command(hide = true)]
    Use(UseArgs),
}

/// Arguments of `steadfast use`.
#[derive(Debug, clap::Args)]
struct UseArgs {
    /// What is put to use
    #[arg(value_parser = ["agent-persistence"])]
    what: String,
    #[command(flatten)]
    install: install::InstallArgs,
}

impl CliCommand {
    /// The command under its own name.
    fn own(self) -> CliCommand {
        use loops::LoopCommand;
        match self {
            CliCommand::Ralph(args) => CliCommand::Loop(LoopCommand::Start(*args)),
            CliCommand::RalphPause(which) => CliCommand::Loop(LoopCommand::Pause(which)),
            CliCommand::RalphResume(args) => CliCommand::Loop(LoopCommand::Resume(args)),
            CliCommand::RalphAbort(args) => CliCommand::Loop(LoopCommand::Abort(args)),
            CliCommand::Use(UseArgs { install, .. }) => CliCommand::Install(install),
            own => own,
        }
    }
}

/// Runs the command line; returns the exit code: 0 done, 1 failed (what and why is on stderr), 2 not understood. What
/// else a command's code says stands in its help.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    faults::speak_json(&arguments);
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => return faults::not_understood(&error),
    };
    witness::keep_below(std::env::var_os("XDG_STATE_HOME"), std::env::var_os("HOME"));
    let command = cli.command.own();
    run(&command).unwrap_or_else(|error| faults::failed("steadfast", &format!("{error:#}"), 1))
}

fn run(command: &CliCommand) -> Result<u8> {
    match command {
        CliCommand::Install(args) => install::install(args),
        CliCommand::Uninstall(args) => {
            human::only("uninstall Steadfast").and_then(|()| install::uninstall(args))
        }
        CliCommand::Hosts(args) => hosts::run(args),
        CliCommand::Doctor(args) => doctor::run(args),
        CliCommand::Status(args) => status::status(args),
        CliCommand::Today(args) => today::run(args),
        CliCommand::Watch(args) => watch::run(args),
        CliCommand::Report(args) => report::run(args),
        CliCommand::Audit(args) => audit::run(args),
        CliCommand::Statusline(args) => Ok(statusline::run(args)),
        CliCommand::Loop(command) => loops::run(command),
        CliCommand::Baseline(args) => baseline::run(args),
        CliCommand::Benchmark(args) => benchmark::run(args),
        CliCommand::Best(args) => best::run(args),
        CliCommand::Run(args) => run::run(args),
        CliCommand::Reflect(command) => reflect::run(command),
        CliCommand::Migrate(args) => migrate::run(args),
        CliCommand::Patterns(args) => {
            in_project(|project, _| patterns::run(args, &definitions::layout_of(project)))
        }
        CliCommand::Gate(command) => gate::run(command),
        CliCommand::Allow(args) => allow::run(args),
        CliCommand::Hook(args) => {
            human::only("fire a hook").and_then(|()| in_project(|project, _| hooks::fire::run(args, project)))
        }
        CliCommand::Config(command) => in_project(|project, _| config::run(command, project)),
        CliCommand::Log(args) => in_project(|project, _| log::run(args, project, jiff::Timestamp::now())),
        CliCommand::Schema(args) => schema::run(args),
        CliCommand::Explain(args) => explain::explain(args),
        CliCommand::Version(args) => about::version(args),
        CliCommand::Update(args) => about::update(args),
        CliCommand::Completions(args) => about::completions(args, Cli::command()),
        CliCommand::Man(args) => about::manual(args, Cli::command()),
        kept => on_what_is_kept(kept),
    }
}

/// The commands about files and what is kept of them, which go by the current directory too.
fn on_what_is_kept(command: &CliCommand) -> Result<u8> {
    in_project(|project, directory| match command {
        CliCommand::Undo(args) => Ok(undo::run(args, project, directory)),
        CliCommand::Checkpoint(command) => Ok(checkpoint::run(command, project, directory)),
        CliCommand::Check(args) => check::run(args, project, directory),
        CliCommand::Prove(args) => prove::run(args, project, directory),
        CliCommand::Hooks(args) => Ok(hooks::run(args, project, directory)),
        // Every other one has been taken before, or was given its own name.
        _ => Ok(2),
    })
}

/// Runs a command that works on the project around the current directory.
fn in_project(run: impl FnOnce(&Path, &Path) -> Result<u8>) -> Result<u8> {
    let directory = std::env::current_dir()?;
    run(Project::locate(&directory).root(), &directory)
}

/// Turns the answer of a command that prints much into its exit code: a reader that has seen enough, as `head` has,
/// is no fault.
fn reader_gone_is_fine(answer: io::Result<u8>) -> Result<u8> {
    match answer {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(0),
        other => Ok(other?),
    }
}
