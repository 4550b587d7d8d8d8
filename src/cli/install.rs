//! `steadfast install` and `steadfast uninstall`: the hooks in the client's settings, and out again.
//!
//! A settings file is only ever replaced whole, and only after it was understood and the hook has passed its trial.

pub(super) mod client;
pub mod commands;
mod files;
mod installation;
mod purge;
pub mod record;
pub mod settings;
mod shared_hook;
pub mod trial;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::{env, path};

use anyhow::{Context, Result, ensure};
use clap::{Args, ValueEnum};

use crate::cli::install::files::{parse, read, replace, tidy_up};
use crate::cli::install::installation::Installation;
use crate::cli::install::record::{RecordPlace, home};

/// Which of the client's settings files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Scope {
    /// `.claude/settings.local.json` of the project: this person, this project, not shared.
    Local,
    /// `.claude/settings.json` of the project: shared with everyone who works on it.
    Project,
    /// `~/.claude/settings.json`: this person, every project.
    User,
}

/// Which settings file is meant.
#[derive(Debug, Clone, Args)]
pub struct Target {
    /// The project whose sessions are to be guarded [default: the current directory]
    #[arg(value_name = "DIR", conflicts_with = "project")]
    pub directory: Option<PathBuf>,
    /// The same, by name
    #[arg(long, value_name = "DIR")]
    pub project: Option<PathBuf>,
    /// The settings file that is changed
    #[arg(long, value_enum, default_value_t = Scope::Local)]
    pub scope: Scope,
}

/// Put the hooks into Claude Code's settings; foreign hooks and keys stay
#[derive(Debug, Clone, Args)]
pub struct InstallArgs {
    /// The settings file.
    #[command(flatten)]
    pub target: Target,
    /// The directory of steadfast-hook [default: that of this executable]
    #[arg(long, value_name = "DIR")]
    pub bin_dir: Option<PathBuf>,
    /// Block a call when the hook itself crashes, hangs or is missing (clients that know `onFailure`)
    #[arg(long)]
    pub fail_closed: bool,
    /// The client's version [default: what `claude --version` says]; events that it does not know are left out
    #[arg(long, value_name = "VERSION")]
    pub client: Option<String>,
    /// Show what would change in the settings, with the trial, and change nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Take the hooks out of Claude Code's settings again
#[derive(Debug, Clone, Args)]
pub struct UninstallArgs {
    /// The settings file.
    #[command(flatten)]
    pub target: Target,
    /// Remove what Steadfast has kept of this project too: its state, log, and the bytes for an undo
    #[arg(long)]
    pub purge: bool,
}

/// Installs the hooks and shows on a recorded event that they work. Returns the exit code; an error leaves the
/// settings as they were.
pub fn install(args: &InstallArgs) -> Result<u8> {
    let planned = Installation::planned(args)?;
    let done = if args.dry_run { planned } else { planned.carried_out()? };
    if args.json {
        say(format_args!("{:#}", done.as_json(args.dry_run)));
    } else {
        done.show(args.dry_run)?;
    }
    Ok(0)
}

/// Registers the hook anew in the settings of a folder that has it already, and answers the file.
pub(super) fn register_again(folder: &Path, scope: Scope, fail_closed: bool) -> Result<PathBuf> {
    let target = Target { directory: Some(folder.to_owned()), project: None, scope };
    let args = InstallArgs { target, bin_dir: None, fail_closed, client: None, dry_run: false, json: false };
    Ok(Installation::planned(&args)?.carried_out()?.file)
}

/// Takes the hooks out: byte for byte as before the installation when the file is untouched since, else the hooks
/// alone. Returns the exit code.
pub fn uninstall(args: &UninstallArgs) -> Result<u8> {
    take_out(&args.target)?;
    if args.purge {
        purge::run(&args.target)?;
    }
    Ok(0)
}

fn take_out(target: &Target) -> Result<()> {
    let settings = settings_place(target)?;
    let file = resolved(&settings);
    let place = RecordPlace::of(&file)?;
    let record = place.load()?;
    if let Some(claude) = settings.parent() {
        let ours = record.as_ref().map(|record| record.commands.clone());
        commands::take_out(claude, &ours.unwrap_or_default())?;
        if target.scope == Scope::Project {
            shared_hook::take_out(claude)?;
        }
    }
    let Some(now) = read(&file)? else {
        say(format_args!("{} does not exist; nothing to take out.", file.display()));
        if let Some(record) = &record {
            tidy_up(&file, record);
        }
        return place.remove();
    };
    let untouched = record.as_ref().filter(|record| record.after == now && !now.is_empty());
    if let Some(record) = untouched {
        match &record.before {
            Some(before) => replace(&file, before)?,
            None => fs::remove_file(&file).with_context(|| format!("cannot remove {}", file.display()))?,
        }
        say(format_args!("{} is as it was before the installation.", file.display()));
    } else {
        let mut settings = parse(&file, Some(&now))?;
        let had_hooks = settings.has_hooks();
        settings.remove_hooks(record.as_ref().is_some_and(|record| record.cap_is_ours));
        let made_by_us = record.as_ref().is_some_and(|record| record.before.is_none());
        if settings.is_empty() && made_by_us {
            fs::remove_file(&file).with_context(|| format!("cannot remove {}", file.display()))?;
        } else if settings.text() != now {
            replace(&file, &settings.text())?;
        }
        let what = if had_hooks { "The hooks are out of" } else { "There are no hooks in" };
        say(format_args!("{what} {}; everything else in it stays.", file.display()));
    }
    if let Some(record) = &record {
        tidy_up(&file, record);
    }
    place.remove()
}

/// A file with symbolic links resolved, so that a link to a shared file stays a link.
fn resolved(file: &Path) -> PathBuf {
    file.canonicalize().unwrap_or_else(|_| file.to_owned())
}

/// The settings file in its scope's folder, absolute.
fn settings_place(target: &Target) -> Result<PathBuf> {
    let file = match target.scope {
        Scope::User => match env::var_os("CLAUDE_CONFIG_DIR").filter(|value| !value.is_empty()) {
            Some(directory) => path::absolute(PathBuf::from(directory).join("settings.json"))?,
            None => home()?.join(".claude/settings.json"),
        },
        Scope::Local | Scope::Project => {
            let project = target.directory.as_ref().or(target.project.as_ref());
            let project = project.map_or(Path::new("."), PathBuf::as_path);
            ensure!(project.is_dir(), "{} is not a directory", project.display());
            let name = if target.scope == Scope::Local { "settings.local.json" } else { "settings.json" };
            project.canonicalize()?.join(".claude").join(name)
        }
    };
    Ok(file)
}

/// Prints a line; a closed pipe is no reason to fail.
fn say(line: std::fmt::Arguments<'_>) {
    let _ = writeln!(anstream::stdout(), "{line}");
}
