//! `steadfast install` and `steadfast uninstall`: the hooks in the settings of a host, and out again.
//!
//! A settings file is only ever replaced whole, and only after it was understood and the hook has passed its trial.

pub(super) mod client;
pub mod commands;
mod executable;
mod documents;
mod files;
pub(super) mod other_hosts;
pub mod record;
pub mod settings;
pub mod trial;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::{env, path};

use anyhow::{Context, Result, ensure};
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};

use crate::cli::install::executable::hook_binary;
use crate::cli::install::files::{keep_out_of_git, parse, read, refusal, replace, tidy_up};
use crate::cli::install::other_hosts::{Known, known};
use crate::cli::install::record::{InstallRecord, RecordPlace, home};
use crate::cli::install::settings::Wanted;
use crate::cli::install::trial::Trial;
use crate::hosts::claude_code::ClaudeCode;
use crate::hosts::claude_code::registration::STOP_CAP_VARIABLE;
use crate::hosts::{Host, installation};

/// Which of a host's settings files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Scope {
    /// This person, this project, not shared: `.claude/settings.local.json`.
    Local,
    /// Everyone who works on the project: `.claude/settings.json`, `.codex/hooks.json`.
    Project,
    /// This person, every project: `~/.claude/settings.json`, `~/.codex/hooks.json`.
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
    /// The file that is changed [default: local for Claude Code, project for others that have it]
    #[arg(long, value_enum)]
    pub scope: Option<Scope>,
    /// The agents, with commas between them, or `all` that are here [default: claude-code]; `steadfast hosts` lists them
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = host_names())]
    pub host: Vec<String>,
}

impl Target {
    /// The scope of Claude Code's settings.
    fn settings_scope(&self) -> Scope {
        self.scope.unwrap_or(Scope::Local)
    }

    /// The project, absolute.
    fn project(&self) -> Result<PathBuf> {
        let project = self.directory.as_ref().or(self.project.as_ref());
        let project = project.map_or(Path::new("."), PathBuf::as_path);
        ensure!(project.is_dir(), "{} is not a directory", project.display());
        Ok(project.canonicalize()?)
    }

    /// Whether Claude Code is meant, and which other hosts.
    fn hosts(&self, project: &Path, keep: impl Fn(&Known) -> bool) -> (bool, Vec<Known>) {
        let names = |name: &str| self.host.iter().any(|named| named == name);
        let all = names(ALL);
        let others = known().filter(|it| names(it.host.name()) || (all && it.is_here(project) && keep(it)));
        (self.host.is_empty() || all || names(ClaudeCode.name()), others.collect())
    }
}

/// What stands for every host that is here.
const ALL: &str = "all";

fn host_names() -> PossibleValuesParser {
    let others: Vec<&str> = known().map(|it| it.host.name()).collect();
    PossibleValuesParser::new([&[ALL, ClaudeCode.name()][..], &others].concat())
}

impl From<Scope> for installation::Scope {
    fn from(scope: Scope) -> Self {
        match scope {
            Scope::Local => installation::Scope::Local,
            Scope::Project => installation::Scope::Project,
            Scope::User => installation::Scope::User,
        }
    }
}

/// Put the hooks into the settings of Claude Code or of other agents; foreign hooks and keys stay
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
}

/// Take the hooks out of the settings again
#[derive(Debug, Clone, Args)]
pub struct UninstallArgs {
    /// The settings file.
    #[command(flatten)]
    pub target: Target,
}

/// Installs the hooks for the hosts that are named. Returns the exit code.
pub fn install(args: &InstallArgs) -> Result<u8> {
    let project = args.target.project()?;
    let (claude_code, others) = args.target.hosts(&project, |_| true);
    let binary = hook_binary(args.bin_dir.as_deref())?;
    let command = binary.to_str().with_context(|| format!("{} is not UTF-8", binary.display()))?;
    if claude_code {
        install_claude_code(args, &binary, command)?;
        warn_of_second_calls(&project);
    } else {
        show(&trial::run(&binary)?);
    }
    for other in &others {
        other.install(args.target.scope.map(Into::into), &project, command)?;
    }
    if args.target.host.is_empty() {
        offer_others(&project);
    }
    Ok(0)
}

/// Names the hosts that are here and not yet installed for.
fn offer_others(project: &Path) {
    let is_open = |it: &Known| {
        it.is_here(project)
            && it.registered_in(project).is_empty()
            && it.registered_as_claude_code(project).is_none()
    };
    let open: Vec<Known> = known().filter(is_open).collect();
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

/// Installs the hooks in Claude Code's settings and shows on a recorded event that they work. An error leaves the
/// settings as they were.
fn install_claude_code(args: &InstallArgs, binary: &Path, command: &str) -> Result<()> {
    let place = settings_place(&args.target)?;
    let file = resolved(&place);
    let before = read(&file)?;
    let mut settings = parse(&file, before.as_deref())?;
    let had_hooks = settings.has_hooks();
    let version = client::version(args.client.as_deref());
    let every_event = client::knows_every_event(version);
    let wanted = Wanted { fail_closed: args.fail_closed, every_event };
    let lifted = settings.add_hooks(command, wanted).with_context(|| refusal(&file))?;
    let trial = trial::run(binary)?;
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
        record_and_write(&file, fresh, had_hooks, args.target.settings_scope())?;
        say(format_args!("Hooks for {} events are in {}.", wanted.registrations().count(), file.display()));
        if lifted {
            say(format_args!("{STOP_CAP_VARIABLE} is set to 0 there: a loop has its own bound."));
        }
    }
    if args.fail_closed {
        say(format_args!("{FAIL_CLOSED}"));
    }
    if let Some(told) = client::untested(version) {
        say(format_args!("{told}"));
    }
    let foreign = commands::bring(&place, &file, args.target.settings_scope() == Scope::Local)?;
    say(format_args!("Slash commands: {}.", commands::names()));
    for path in foreign {
        say(format_args!("{} is somebody else's and stays.", path.display()));
    }
    show(&trial);
    Ok(())
}

/// What blocking at a failure means, for whoever has chosen it.
const FAIL_CLOSED: &str = "Fail closed: when the hook crashes, takes too long or is missing, the client blocks the call \
                           that was about to run, and says so. No call that changes files goes on then until the hook \
                           works again; `steadfast install` without --fail-closed ends that. It takes a client that knows \
                           `onFailure` (2.1.332 does, 2.1.197 passes over it), and holds for calls before they run alone.";

/// Takes the hooks of the hosts that are named out again. Returns the exit code.
pub fn uninstall(args: &UninstallArgs) -> Result<u8> {
    let project = args.target.project()?;
    let (claude_code, others) = args.target.hosts(&project, |it| !it.registered_in(&project).is_empty());
    if claude_code {
        uninstall_claude_code(args)?;
    }
    for other in &others {
        other.uninstall(args.target.scope.map(Into::into), &project)?;
    }
    Ok(0)
}

/// Takes the hooks out: byte for byte as before the installation when the file is untouched since, else the hooks
/// alone.
fn uninstall_claude_code(args: &UninstallArgs) -> Result<()> {
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
    let file = match target.settings_scope() {
        Scope::User => match env::var_os("CLAUDE_CONFIG_DIR").filter(|value| !value.is_empty()) {
            Some(directory) => path::absolute(PathBuf::from(directory).join("settings.json"))?,
            None => home()?.join(".claude/settings.json"),
        },
        Scope::Local | Scope::Project => {
            let is_local = target.settings_scope() == Scope::Local;
            let name = if is_local { "settings.local.json" } else { "settings.json" };
            target.project()?.join(".claude").join(name)
        }
    };
    Ok(file)
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
