//! `steadfast install` and `steadfast uninstall`: the hooks in the settings of a host, and out again.
//!
//! A settings file is only ever replaced whole, and only after it was understood and the hook has passed its trial.

pub(super) mod client;
pub mod commands;
mod documents;
mod executable;
mod files;
mod installation;
pub(super) mod other_hosts;
mod planned;
mod purge;
pub mod record;
pub mod settings;
mod shared_hook;
mod target;
pub mod trial;
mod uninstall;

use crate::cli::install::target::settings_place;
use std::io::Write;
use std::path::{Path, PathBuf};
pub use target::{ScopeArg, TargetArgs};
pub use uninstall::{UninstallArgs, uninstall};

use anyhow::{Context, Result};
use clap::Args;
use serde_json::{Value, json};

use crate::cli::columns;
use crate::cli::install::executable::hook_binary;
use crate::cli::install::installation::PlannedInstallation;
use crate::cli::install::other_hosts::{InstallableHost, known};
use crate::cli::install::planned::PlannedHost;

/// Put the hooks into the settings of Claude Code or of other agents; foreign hooks and keys stay
#[derive(Debug, Clone, Args)]
pub struct InstallArgs {
    /// The settings file.
    #[command(flatten)]
    pub target: TargetArgs,
    /// The directory of steadfast-hook [default: that of this executable]
    #[arg(long, value_name = "DIR")]
    pub bin_dir: Option<PathBuf>,
    /// Block a call when the hook itself crashes, hangs or is missing (clients that know `onFailure`)
    #[arg(long)]
    pub fail_closed: bool,
    /// Show in the client's status line whether it is guarded, and what was stopped; a foreign status line stays
    #[arg(long)]
    pub statusline: bool,
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

/// Installs the hooks for the hosts that are named, and shows on a recorded event that they work. Returns the exit code;
/// an error leaves the settings as they were.
pub fn install(args: &InstallArgs) -> Result<u8> {
    let project = args.target.project()?;
    let (claude_code, others) = args.target.hosts(&project, |_| true);
    let mut told = None;
    if claude_code {
        let planned = PlannedInstallation::planned(args)?;
        let done = if args.dry_run { planned } else { planned.carried_out()? };
        if args.json {
            told = Some(done.as_json(args.dry_run));
        } else {
            done.show(args.dry_run)?;
            warn_of_second_calls(&project);
        }
    }
    let of_others =
        if others.is_empty() { Vec::new() } else { for_others(args, &project, &others, !claude_code)? };
    if args.json {
        // Alone, Claude Code's answer stands for itself, as it always did.
        let both = || json!({"claude-code": told, "hosts": of_others});
        let said = if others.is_empty() { told.clone().unwrap_or_default() } else { both() };
        say(format_args!("{said:#}"));
    } else if args.target.host.is_empty() {
        offer_others(&project);
    }
    Ok(0)
}

/// Installs for other hosts than Claude Code, or says what that would change. Answers both as JSON, a value for each.
fn for_others(
    args: &InstallArgs,
    project: &Path,
    others: &[InstallableHost],
    with_trial: bool,
) -> Result<Vec<Value>> {
    let binary = hook_binary(args.bin_dir.as_deref())?;
    let command = binary.to_str().with_context(|| format!("{} is not UTF-8", binary.display()))?;
    let scope = args.target.scope.map(Into::into);
    if with_trial {
        let trial = trial::run(&binary)?;
        if !args.json {
            trial.show();
        }
    }
    let mut answers = Vec::new();
    for other in others {
        let planned = PlannedHost::of(*other, scope, project, command)?;
        let says = if args.dry_run { Vec::new() } else { other.install(scope, project, command)? };
        if !args.json {
            says.iter().for_each(|line| say(format_args!("{line}")));
        }
        if args.dry_run && !args.json {
            planned.show()?;
        }
        answers.push(planned.as_json(args.dry_run, &says));
    }
    if args.dry_run && !args.json {
        say(format_args!("Nothing was changed."));
    }
    Ok(answers)
}

/// Registers the hook anew in the settings of a folder that has it already, and answers the file.
pub(super) fn register_again(folder: &Path, scope: ScopeArg, fail_closed: bool) -> Result<PathBuf> {
    let target = TargetArgs {
        directory: Some(folder.to_owned()),
        project: None,
        scope: Some(scope),
        host: Vec::new(),
    };
    let args = InstallArgs {
        target,
        bin_dir: None,
        fail_closed,
        statusline: false,
        client: None,
        dry_run: false,
        json: false,
    };
    Ok(PlannedInstallation::planned(&args)?.carried_out()?.file)
}

/// Names the hosts that are here and not yet installed for.
fn offer_others(project: &Path) {
    let is_open = |it: &InstallableHost| {
        it.is_here(project)
            && it.registered_in(project).is_empty()
            && it.registered_as_claude_code(project).is_none()
    };
    let open: Vec<InstallableHost> = known().filter(is_open).collect();
    if open.is_empty() {
        return;
    }
    let titles: Vec<&str> = open.iter().map(|it| it.host.title()).collect();
    let names: Vec<&str> = open.iter().map(|it| it.host.name()).collect();
    say(format_args!(
        "Also here: {}. `steadfast install --host {}` guards them too.",
        titles.join(", "),
        names.join(",")
    ));
}

/// Names the hosts that run Claude Code's hooks too and have Steadfast's of their own: each call would be judged twice.
fn warn_of_second_calls(project: &Path) {
    for it in known().filter(|it| it.registered_as_claude_code(project).is_some()) {
        for file in it.registered_in(project) {
            let (title, name) = (it.host.title(), it.host.name());
            say(format_args!(
                "{title} runs Claude Code's hooks too, and has Steadfast's own in {}: `steadfast uninstall --host {name}`, \
                 so that no call is judged twice.",
                file.display()
            ));
        }
    }
}

/// A file with symbolic links resolved, so that a link to a shared file stays a link.
fn resolved(file: &Path) -> PathBuf {
    file.canonicalize().unwrap_or_else(|_| file.to_owned())
}

/// Prints a line; a closed pipe is no reason to fail.
fn say(line: std::fmt::Arguments<'_>) {
    let _ = writeln!(anstream::stdout(), "{}", columns::fitted(&line.to_string()));
}
