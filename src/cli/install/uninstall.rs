//! `steadfast uninstall`: the hooks out of a host's settings again.

use std::path::Path;

use anyhow::Result;
use clap::Args;

use crate::cli::install::files::{parse, put_back, read, remove, replace, tidy_up};
use crate::cli::install::record::{InstallRecord, RecordPlace};
use crate::cli::install::target::{ScopeArg, TargetArgs, settings_place};
use crate::cli::install::{commands, purge, resolved, say, shared_hook};

/// Take the hooks out of the settings again
#[derive(Debug, Clone, Args)]
pub struct UninstallArgs {
    /// The settings file.
    #[command(flatten)]
    pub target: TargetArgs,
    /// Remove what Steadfast has kept of this project too: its state, log, and the bytes for an undo
    #[arg(long)]
    pub purge: bool,
}

/// Takes the hooks of the hosts that are named out again. Returns the exit code.
pub fn uninstall(args: &UninstallArgs) -> Result<u8> {
    let project = args.target.project()?;
    let (claude_code, others) = args.target.hosts(&project, |it| !it.registered_in(&project).is_empty());
    if claude_code {
        take_out(&args.target)?;
    }
    for other in &others {
        other.uninstall(args.target.scope.map(Into::into), &project)?;
    }
    if args.purge {
        purge::run(&args.target)?;
    }
    Ok(0)
}

/// Takes the hooks out of Claude Code's settings: byte for byte as before the installation when the file is untouched
/// since, else the hooks alone.
fn take_out(target: &TargetArgs) -> Result<()> {
    let settings = settings_place(target)?;
    let file = resolved(&settings);
    let place = RecordPlace::of(&file)?;
    let record = place.load()?;
    if let Some(claude) = settings.parent() {
        let ours = record.as_ref().map(|record| record.commands.clone());
        commands::take_out(claude, &ours.unwrap_or_default())?;
        if target.settings_scope() == ScopeArg::Project {
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
    put_right(&file, &now, record.as_ref())?;
    if let Some(record) = &record {
        tidy_up(&file, record);
    }
    place.remove()
}

/// Puts a settings file back as it was, or takes the hooks alone out of it.
fn put_right(file: &Path, now: &str, record: Option<&InstallRecord>) -> Result<()> {
    if record.map(|record| put_back(file, record, now)).transpose()? == Some(true) {
        say(format_args!("{} is as it was before the installation.", file.display()));
        return Ok(());
    }
    let mut settings = parse(file, Some(now))?;
    let had_hooks = settings.has_hooks();
    settings.remove_hooks(record.is_some_and(|record| record.cap_is_ours));
    settings.remove_status_line();
    let made_by_us = record.is_some_and(|record| record.before.is_none());
    if settings.is_empty() && made_by_us {
        remove(file)?;
    } else if settings.text() != now {
        replace(file, &settings.text())?;
    }
    let what = if had_hooks { "The hooks are out of" } else { "There are no hooks in" };
    say(format_args!("{what} {}; everything else in it stays.", file.display()));
    Ok(())
}
