//! `steadfast install` and `steadfast uninstall`: the hooks in the client's settings, and out again.
//!
//! A settings file is only ever replaced whole, and only after it was understood and the hook has passed its trial.

pub mod record;
pub mod settings;
pub mod trial;

use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, path};

use anyhow::{Context, Result, bail, ensure};
use clap::{Args, ValueEnum};

use crate::cli::install::record::{InstallRecord, RecordPlace, home};
use crate::cli::install::settings::Settings;
use crate::cli::install::trial::Trial;
use crate::hosts::claude_code::registration::{HOOK_BINARY, REGISTRATIONS, STOP_CAP_VARIABLE};

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
    let file = settings_file(&args.target)?;
    let binary = hook_binary(args.bin_dir.as_deref())?;
    let command = binary.to_str().with_context(|| format!("{} is not UTF-8", binary.display()))?;
    let before = read(&file)?;
    let mut settings = parse(&file, before.as_deref())?;
    let had_hooks = settings.has_hooks();
    let lifted = settings.add_hooks(command).with_context(|| refusal(&file))?;
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
            exclude: None,
        };
        record_and_write(&file, fresh, had_hooks, args.target.scope)?;
        say(format_args!("Hooks for {} events are in {}.", REGISTRATIONS.len(), file.display()));
        if lifted {
            say(format_args!("{STOP_CAP_VARIABLE} is set to 0 there: a loop has its own bound."));
        }
    }
    show(&trial);
    Ok(0)
}

/// Takes the hooks out: byte for byte as before the installation when the file is untouched since, else the hooks
/// alone. Returns the exit code.
pub fn uninstall(args: &UninstallArgs) -> Result<u8> {
    let file = settings_file(&args.target)?;
    let place = RecordPlace::of(&file)?;
    let record = place.load()?;
    let Some(now) = read(&file)? else {
        say(format_args!("{} does not exist; nothing to take out.", file.display()));
        place.remove()?;
        return Ok(0);
    };
    let untouched = record.as_ref().filter(|record| record.after == now);
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
    }
    place.save(&record)?;
    replace(file, &record.after)?;
    if scope == Scope::Local && record.exclude.is_none() {
        record.exclude = keep_out_of_git(file);
        place.save(&record)?;
    }
    Ok(())
}

/// The settings file, absolute and with symbolic links resolved, so that a link to a shared file stays a link.
fn settings_file(target: &Target) -> Result<PathBuf> {
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
    Ok(file.canonicalize().unwrap_or(file))
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

fn read(file: &Path) -> Result<Option<String>> {
    match fs::read(file) {
        Ok(bytes) => match String::from_utf8(bytes) {
            Ok(text) => Ok(Some(text)),
            Err(_) => bail!("{} is not UTF-8; nothing was changed", file.display()),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", file.display())),
    }
}

fn parse(file: &Path, text: Option<&str>) -> Result<Settings> {
    Settings::parse(text.unwrap_or_default()).with_context(|| refusal(file))
}

fn refusal(file: &Path) -> String {
    format!("{} cannot be used, nothing was changed", file.display())
}

/// Replaces the file in one step, with the mode it had; a new one gets the usual mode.
fn replace(file: &Path, text: &str) -> Result<()> {
    let written = (|| {
        let directory = file.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(directory)?;
        let mode = fs::metadata(file).map(|metadata| metadata.permissions());
        let mut builder = tempfile::Builder::new();
        let mut temporary =
            builder.prefix(".settings-").permissions(Permissions::from_mode(0o666)).tempfile_in(directory)?;
        if let Ok(mode) = mode {
            temporary.as_file().set_permissions(mode)?;
        }
        temporary.write_all(text.as_bytes())?;
        temporary.as_file().sync_data()?;
        temporary.persist(file).map_err(|error| error.error)?;
        io::Result::Ok(())
    })();
    written.with_context(|| format!("cannot write {}", file.display()))
}

/// Adds a local settings file to the repository's own list of ignored files: it holds paths of this machine. `None`
/// when git ignores or tracks it already, or there is no repository.
fn keep_out_of_git(file: &Path) -> Option<(PathBuf, String)> {
    let directory = file.parent()?;
    let name = file.file_name()?.to_str()?;
    let known = |args: &[&str]| git(directory, args).is_some();
    if known(&["check-ignore", "--quiet", name]) || known(&["ls-files", "--error-unmatch", name]) {
        return None;
    }
    let prefix = git(directory, &["rev-parse", "--show-prefix"])?;
    let exclude = directory.join(git(directory, &["rev-parse", "--git-path", "info/exclude"])?);
    let line = format!("/{prefix}{name}");
    let mut text = read(&exclude).ok()?.unwrap_or_default();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text.push_str(&line);
    text.push('\n');
    replace(&exclude, &text).ok()?;
    Some((exclude, line))
}

/// What git prints, without the last newline; `None` when it fails or is missing.
fn git(directory: &Path, args: &[&str]) -> Option<String> {
    let mut command = Command::new("git");
    command.arg("-C").arg(directory).args(args).stdin(Stdio::null()).stderr(Stdio::null());
    // Set inside git's own hooks, they would name another repository.
    command.env_remove("GIT_DIR").env_remove("GIT_WORK_TREE").env_remove("GIT_INDEX_FILE");
    let output = command.output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok().map(|text| text.trim_end_matches('\n').to_owned())
}

/// Takes back what the installation did beside the settings. A failure here harms nothing and is not reported.
fn tidy_up(file: &Path, record: &InstallRecord) {
    if let Some((exclude, line)) = &record.exclude
        && let Ok(Some(text)) = read(exclude)
    {
        let kept: String = text.split_inclusive('\n').filter(|one| one.trim_end() != line).collect();
        let _ = replace(exclude, &kept);
    }
    if let Some(directory) = file.parent().filter(|_| record.directory_is_ours) {
        // Refused by the system unless it is empty.
        let _ = fs::remove_dir(directory);
    }
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
