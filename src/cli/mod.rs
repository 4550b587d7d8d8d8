//! The `steadfast` command: install, loops, undo, status. It decides nothing; the lifecycle does.

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{Parser, Subcommand};

use crate::project::Project;

pub mod checkpoint;
pub mod gate;
pub mod human;
pub mod install;
pub mod install_record;
pub mod loops;
pub mod progress;
pub mod registration;
pub mod settings;
pub mod status;
pub mod trial;
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
    Status(status::StatusArgs),
    #[command(subcommand)]
    Loop(loops::LoopCommand),
    /// Bring back what a call replaced or deleted
    Undo(undo::UndoArgs),
    #[command(subcommand)]
    Checkpoint(checkpoint::CheckpointCommand),
    #[command(subcommand)]
    Gate(gate::GateCommand),
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
    let result = match &cli.command {
        Command::Install(args) => install::install(args),
        Command::Uninstall(args) => {
            human::only("uninstall Steadfast").and_then(|()| install::uninstall(args))
        }
        Command::Status(args) => status::status(args),
        Command::Loop(command) => loops::run(command),
        Command::Undo(args) => undo(args),
        Command::Checkpoint(command) => checkpoint(command),
        Command::Gate(command) => gate::run(command),
    };
    result.unwrap_or_else(|error| {
        anstream::eprintln!("steadfast: {error:#}");
        1
    })
}

fn undo(args: &undo::UndoArgs) -> anyhow::Result<u8> {
    let directory = std::env::current_dir()?;
    Ok(undo::run(args, Project::locate(&directory).root(), &directory))
}

fn checkpoint(command: &checkpoint::CheckpointCommand) -> anyhow::Result<u8> {
    let directory = std::env::current_dir()?;
    Ok(checkpoint::run(command, Project::locate(&directory).root(), &directory))
}
