//! `steadfast install` and `steadfast uninstall`: the hooks in the client's settings, and out again.
//!
//! A settings file is only ever replaced whole, and only after it was understood and the hook has passed its trial.

pub(super) mod client;
pub mod commands;
mod files;
pub mod record;
pub mod settings;
pub mod trial;

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::{env, path};

use anyhow::{Context, Result, ensure};
use clap::{Args, ValueEnum};

use crate::cli::install::files::{keep_out_of_git, parse, read, refusal, replace, tidy_up};
use crate::cli::install::record::{InstallRecord, RecordPlace, home};
use crate::cli::install::settings::Wanted;
use crate::cli::install::trial::Trial;
use crate::hosts::claude_code::registration::{HOOK_BINARY, STOP_CAP_VARIABLE};

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
    /// Show in the client's status line whether it is guarded, and what was stopped; a foreign status line stays
    #[arg(long)]
    pub statusline: bool,
    /// The client's version [default: what `claude --version` says]; events that it does not know are left out
    #[arg(long, value_name = "VERSION")]
    pub client: Option<String>,
}

/// Take the hooks out of Claude Code's settings again
#[derive(Debug, Clone, Args)]
pub struct UninstallArgs {
    /// The settings file.
    #[command(flatten)]
    pub target: Target,
}

/// Installs the hooks and shows on a recorded event that they work. Returns the exit code; an error leaves the
/// settings as they were.
pub fn install(args: &InstallArgs) -> Result<u8> {
    let place = settings_place(&args.target)?;
    let file = resolved(&place);
    let binary = hook_binary(args.bin_dir.as_deref())?;
    let command = binary.to_str().with_context(|| format!("{} is not UTF-8", binary.display()))?;
    let before = read(&file)?;
    let mut settings = parse(&file, before.as_deref())?;
    let had_hooks = settings.has_hooks();
    let version = client::version(args.client.as_deref());
    let every_event = client::knows_every_event(version);
    let wanted = Wanted { fail_closed: args.fail_closed, every_event };
    let lifted = settings.add_hooks(command, wanted).with_context(|| refusal(&file))?;
    let foreign_line = args.statusline && !settings.add_status_line(&status_line_program(&binary)?);
    let trial = trial::run(&binary)?;
    let after = settings.text();
    if before.as_deref() == Some(after.as_str()) {
        say(format_args!("The hooks are already in {}; nothing to change.", file.display()));
    } else {
        let directory_is_ours = file.parent().is_some_and(|directory| !directory.exists());
        let fresh = InstallRecord {
            settings: file.clone(),
            before: before.clone(),
            after: after.clone(),
            cap_is_ours: lifted,
            directory_is_ours,
            ..InstallRecord::default()
        };
        record_and_write(&file, fresh, had_hooks, args.target.scope)?;
        say(format_args!("Hooks for {} events are in {}.", wanted.registrations().count(), file.display()));
        if lifted {
            say(format_args!("{STOP_CAP_VARIABLE} is set to 0 there: a loop has its own bound."));
        }
    }
    if foreign_line {
        say(format_args!("{FOREIGN_STATUS_LINE}"));
    }
    if args.fail_closed {
        say(format_args!("{FAIL_CLOSED}"));
    }
    if let Some(told) = client::untested(version) {
        say(format_args!("{told}"));
    }
    let foreign = commands::bring(&place, &file, args.target.scope == Scope::Local)?;
    say(format_args!("Slash commands: {}.", commands::names()));
    for path in foreign {
        say(format_args!("{} is somebody else's and stays.", path.display()));
    }
    show(&trial);
    Ok(0)
}

/// What a person reads whose status line is somebody else's.
const FOREIGN_STATUS_LINE: &str = "The status line there is somebody else's and stays. `steadfast statusline` reads the \
                                   same JSON on stdin and prints one line: call it from yours.";

/// The program of the status line: `steadfast`, beside the hook.
fn status_line_program(hook: &Path) -> Result<String> {
    let program = hook.with_file_name("steadfast");
    ensure!(program.is_file(), "{} is missing; the status line needs it", program.display());
    program.to_str().map(str::to_owned).with_context(|| format!("{} is not UTF-8", program.display()))
}

/// What blocking at a failure means, for whoever has chosen it.
const FAIL_CLOSED: &str = "Fail closed: when the hook crashes, takes too long or is missing, the client blocks the call \
                           that was about to run, and says so. No call that changes files goes on then until the hook \
                           works again; `steadfast install` without --fail-closed ends that. It takes a client that knows \
                           `onFailure` (2.1.332 does, 2.1.197 passes over it), and holds for calls before they run alone.";

/// Takes the hooks out: byte for byte as before the installation when the file is untouched since, else the hooks
/// alone. Returns the exit code.
pub fn uninstall(args: &UninstallArgs) -> Result<u8> {
    let settings = settings_place(&args.target)?;
    let file = resolved(&settings);
    let place = RecordPlace::of(&file)?;
    let record = place.load()?;
    if let Some(claude) = settings.parent() {
        let ours = record.as_ref().map(|record| record.commands.clone());
        commands::take_out(claude, &ours.unwrap_or_default())?;
    }
    let Some(now) = read(&file)? else {
        say(format_args!("{} does not exist; nothing to take out.", file.display()));
        if let Some(record) = &record {
            tidy_up(&file, record);
        }
        place.remove()?;
        return Ok(0);
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
        settings.remove_status_line();
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
    place.remove()?;
    Ok(0)
}

/// Keeps the way back, then writes the settings. A second installation keeps the first one's way back as long as
/// nobody else changed the file in between.
fn record_and_write(file: &Path, fresh: InstallRecord, had_hooks: bool, scope: Scope) -> Result<()> {
    let place = RecordPlace::of(file)?;
    let mut record = fresh;
    if let Some(earlier) = place.load()?.filter(|_| had_hooks) {
        let untouched = record.before.as_deref() == Some(earlier.after.as_str());
        if untouched {
            record.before = earlier.before;
        }
        record.cap_is_ours |= earlier.cap_is_ours;
        record.directory_is_ours |= earlier.directory_is_ours;
        record.exclude = earlier.exclude;
        record.commands = earlier.commands;
    }
    place.save(&record)?;
    replace(file, &record.after)?;
    if scope == Scope::Local && record.exclude.is_none() {
        record.exclude = keep_out_of_git(file);
        place.save(&record)?;
    }
    Ok(())
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

fn hook_binary(bin_dir: Option<&Path>) -> Result<PathBuf> {
    let directory = match bin_dir {
        Some(directory) => path::absolute(directory)?,
        None => {
            let own = env::current_exe().context("cannot tell where this executable is; give --bin-dir")?;
            own.parent().map(Path::to_owned).context("this executable has no directory; give --bin-dir")?
        }
    };
    let binary = directory.join(HOOK_BINARY);
    let executable = fs::metadata(&binary)
        .with_context(|| format!("{} is missing; build it, or give --bin-dir", binary.display()))?
        .permissions()
        .mode()
        & 0o111;
    ensure!(executable != 0, "{} is not executable", binary.display());
    Ok(binary)
}

fn show(trial: &Trial) {
    say(format_args!("Trial: a recorded edit that deletes a test went through the hook."));
    say(format_args!("  {} after {:.1} ms:", trial.decision, trial.took.as_secs_f64() * 1000.0));
    for line in trial.reason.lines() {
        say(format_args!("  | {line}"));
    }
}

/// Prints a line; a closed pipe is no reason to fail.
fn say(line: std::fmt::Arguments<'_>) {
    let _ = writeln!(anstream::stdout(), "{line}");
}
