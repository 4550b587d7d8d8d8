//! The `steadfast` command: install, loops, undo, status. It decides nothing; the lifecycle does.

use std::ffi::OsString;
use std::io;
use std::path::Path;

use anyhow::Result;
use clap::error::ErrorKind;
use clap::{Parser, Subcommand};

use crate::definitions;
use crate::project::Project;
use crate::state::witness;

pub mod allow;
pub mod baseline;
pub mod benchmark;
pub mod best;
pub mod check;
pub mod checkpoint;
pub mod config;
pub mod explain;
pub mod gate;
pub mod hooks;
pub mod human;
pub mod install;
pub mod log;
pub mod loops;
pub mod patterns;
pub mod progress;
pub mod prove;
pub mod reflect;
pub mod run;
pub mod schema;
pub mod status;
pub mod undo;

/// Keeps coding agents honest and persistent
#[derive(Debug, Parser)]
#[command(name = "steadfast", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Install(install::InstallArgs),
    Uninstall(install::UninstallArgs),
    /// Show the loops of this project and how they stand
    #[command(alias = "ralph-status")]
    Status(status::StatusArgs),
    #[command(subcommand)]
    Loop(loops::LoopCommand),
    /// Measure the project as a loop's start does, or show which commands measure it
    Baseline(baseline::BaselineArgs),
    /// Measure how long an iteration takes with the hooks and without them, in a copy of the project
    Benchmark(benchmark::BenchmarkArgs),
    /// Show the best iteration of a loop, or bring its files back
    Best(best::BestArgs),
    /// Drive a loop from outside: a fresh session of an agent for each iteration
    Run(run::RunArgs),
    #[command(subcommand)]
    Reflect(reflect::ReflectCommand),
    /// Bring back what a call replaced or deleted
    Undo(undo::UndoArgs),
    #[command(subcommand)]
    Checkpoint(checkpoint::CheckpointCommand),
    Check(check::CheckArgs),
    Prove(prove::ProveArgs),
    Gate(gate::GateArgs),
    /// Show what is looked for and what was found, or call a finding a false alarm
    Patterns(patterns::PatternsArgs),
    Allow(allow::AllowArgs),
    /// Fire a hook by name with a JSON payload on stdin, and print its agents' answer
    Hook(hooks::fire::HookArgs),
    /// Check or show the hook definitions
    Hooks(hooks::HooksArgs),
    #[command(subcommand)]
    Config(config::ConfigCommand),
    /// Show or verify a loop's log
    Log(log::LogArgs),
    /// Print the JSON Schema of a file or of the answers
    Schema(schema::SchemaArgs),
    /// Say what a shell command or a hook event would do, and how it would be judged
    Explain(explain::ExplainArgs),
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

impl Command {
    /// The command under its own name.
    fn own(self) -> Command {
        use loops::LoopCommand;
        match self {
            Command::Ralph(args) => Command::Loop(LoopCommand::Start(*args)),
            Command::RalphPause(which) => Command::Loop(LoopCommand::Pause(which)),
            Command::RalphResume(args) => Command::Loop(LoopCommand::Resume(args)),
            Command::RalphAbort(args) => Command::Loop(LoopCommand::Abort(args)),
            Command::Use(UseArgs { install, .. }) => Command::Install(install),
            own => own,
        }
    }
}

/// Runs the command line; returns the exit code: 0 done, 1 failed (what and why is on stderr), 2 not understood.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            error.print().ok();
            return match error.kind() {
                ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => 0,
                _ => 2,
            };
        }
    };
    witness::keep_below(std::env::var_os("XDG_STATE_HOME"), std::env::var_os("HOME"));
    let command = cli.command.own();
    let result = match &command {
        Command::Install(args) => install::install(args),
        Command::Uninstall(args) => {
            human::only("uninstall Steadfast").and_then(|()| install::uninstall(args))
        }
        Command::Status(args) => status::status(args),
        Command::Loop(command) => loops::run(command),
        Command::Baseline(args) => baseline::run(args),
        Command::Benchmark(args) => benchmark::run(args),
        Command::Best(args) => best::run(args),
        Command::Run(args) => run::run(args),
        Command::Reflect(command) => reflect::run(command),
        Command::Undo(args) => in_project(|project, directory| Ok(undo::run(args, project, directory))),
        Command::Checkpoint(command) => {
            in_project(|project, directory| Ok(checkpoint::run(command, project, directory)))
        }
        Command::Check(args) => in_project(|project, directory| check::run(args, project, directory)),
        Command::Prove(args) => in_project(|project, directory| prove::run(args, project, directory)),
        Command::Patterns(args) => {
            in_project(|project, _| patterns::run(args, &definitions::layout_of(project)))
        }
        Command::Gate(command) => gate::run(command),
        Command::Allow(args) => allow::run(args),
        Command::Hook(args) => {
            human::only("fire a hook").and_then(|()| in_project(|project, _| hooks::fire::run(args, project)))
        }
        Command::Hooks(args) => in_project(|project, directory| Ok(hooks::run(args, project, directory))),
        Command::Config(command) => in_project(|project, _| config::run(command, project)),
        Command::Log(args) => in_project(|project, _| log::run(args, project, jiff::Timestamp::now())),
        Command::Schema(args) => schema::run(args),
        Command::Explain(args) => explain::explain(args),
        // These were given their own names above.
        Command::Ralph(_)
        | Command::RalphPause(_)
        | Command::RalphResume(_)
        | Command::RalphAbort(_)
        | Command::Use(_) => Ok(2),
    };
    result.unwrap_or_else(|error| {
        anstream::eprintln!("steadfast: {error:#}");
        1
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
