//! An installation: planned, looked at, and carried out.
//!
//! Planning changes nothing; it has read the settings and has seen the hook refuse what it must.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::executable::hook_binary;
use super::files::{parse, read, record_and_write, refusal};
use super::record::InstallRecord;
use super::settings::RegistrationOptions;
use super::trial::{self, Trial};
use super::{InstallArgs, ScopeArg, client, commands, resolved, say, settings_place, shared_hook};
use crate::cli::checkpoint::patch::{Patch, PathSide};
use crate::hosts::claude_code::registration::{HOOK_BINARY, STOP_CAP_VARIABLE};
use crate::hosts::claude_code::settings_files::READS_MAIN_CHECKOUT;
use crate::hosts::claude_code::versions::Version;

/// What blocking at a failure means, for whoever has chosen it.
const FAIL_CLOSED: &str = "Fail closed: when the hook crashes, takes too long or is missing, the client blocks the call \
                           that was about to run, and says so. No call that changes files goes on then until the hook \
                           works again; `steadfast install` without --fail-closed ends that. It takes a client that knows \
                           `onFailure` (2.1.332 does, 2.1.197 passes over it), and holds for calls before they run alone.";

/// What a person reads whose status line is somebody else's.
const FOREIGN_STATUS_LINE: &str = "The status line there is somebody else's and stays. `steadfast statusline` reads the \
                                   same JSON on stdin and prints one line: call it from yours.";

/// What an installation changes.
pub(super) struct PlannedInstallation {
    /// The settings file, with symbolic links resolved.
    pub(super) file: PathBuf,
    /// The same as it is named in its scope's folder.
    place: PathBuf,
    scope: ScopeArg,
    fail_closed: bool,
    /// What the client is told to call.
    command: String,
    before: Option<String>,
    after: String,
    had_hooks: bool,
    lifted: bool,
    wanted: RegistrationOptions,
    version: Option<Version>,
    trial: Trial,
    /// Files of other people in the place of a slash command.
    foreign: Vec<PathBuf>,
    /// Whether a status line was wanted where somebody else's is.
    foreign_line: bool,
}

impl PlannedInstallation {
    /// Reads the settings, tries the hook, and works out what the file will hold.
    pub(super) fn planned(args: &InstallArgs) -> Result<PlannedInstallation> {
        let scope = args.target.settings_scope();
        let place = settings_place(&args.target)?;
        let file = resolved(&place);
        let binary = hook_binary(args.bin_dir.as_deref())?;
        let command = match scope {
            ScopeArg::Project => shared_hook::COMMAND.to_owned(),
            ScopeArg::Local | ScopeArg::User => {
                binary.to_str().with_context(|| format!("{} is not UTF-8", binary.display()))?.to_owned()
            }
        };
        let before = read(&file)?;
        let mut settings = parse(&file, before.as_deref())?;
        let had_hooks = settings.has_hooks();
        let version = client::version(args.client.as_deref());
        let wanted = RegistrationOptions {
            fail_closed: args.fail_closed,
            every_event: client::knows_every_event(version),
        };
        let lifted = settings.add_hooks(&command, wanted).with_context(|| refusal(&file))?;
        let foreign_line = args.statusline && !settings.add_status_line(&status_line_program(&binary)?);
        let trial = match scope {
            ScopeArg::Project => shared_hook::tried(&binary)?,
            ScopeArg::Local | ScopeArg::User => trial::run(&binary)?,
        };
        Ok(PlannedInstallation {
            after: settings.text(),
            fail_closed: args.fail_closed,
            foreign: Vec::new(),
            foreign_line,
            file,
            place,
            scope,
            command,
            before,
            had_hooks,
            lifted,
            wanted,
            version,
            trial,
        })
    }

    /// Writes the settings, and what stands beside them.
    pub(super) fn carried_out(mut self) -> Result<PlannedInstallation> {
        let directory_is_ours = self.file.parent().is_some_and(|directory| !directory.exists());
        if let Some(claude) = self.place.parent().filter(|_| self.scope == ScopeArg::Project) {
            shared_hook::bring(claude)?;
        }
        if self.changes() {
            let fresh = InstallRecord {
                settings: self.file.clone(),
                before: self.before.clone(),
                after: self.after.clone(),
                cap_is_ours: self.lifted,
                directory_is_ours,
                ..InstallRecord::default()
            };
            record_and_write(&self.file, fresh, self.had_hooks, self.scope == ScopeArg::Local)?;
        }
        self.foreign = commands::bring(&self.place, &self.file, self.scope == ScopeArg::Local)?;
        Ok(self)
    }

    fn changes(&self) -> bool {
        self.before.as_deref() != Some(self.after.as_str())
    }

    /// What was done, or would be, for a person.
    pub(super) fn show(&self, dry_run: bool) -> Result<()> {
        let file = self.file.display();
        if !self.changes() {
            say(format_args!("The hooks are already in {file}; nothing to change."));
        } else if dry_run {
            self.show_difference()?;
        } else {
            say(format_args!("Hooks for {} events are in {file}.", self.wanted.registrations().count()));
        }
        if self.lifted && !dry_run {
            say(format_args!("{STOP_CAP_VARIABLE} is set to 0 there: a loop has its own bound."));
        }
        say(format_args!("{}", self.reach()));
        if self.foreign_line {
            say(format_args!("{FOREIGN_STATUS_LINE}"));
        }
        if self.fail_closed {
            say(format_args!("{FAIL_CLOSED}"));
        }
        if let Some(told) = client::untested(self.version) {
            say(format_args!("{told}"));
        }
        say(format_args!("Slash commands: {}.", commands::names()));
        for path in &self.foreign {
            say(format_args!("{} is somebody else's and stays.", path.display()));
        }
        self.trial.show();
        if dry_run {
            say(format_args!("Nothing was changed."));
        }
        Ok(())
    }

    fn show_difference(&self) -> Result<()> {
        let side = |text: &Option<String>| match text {
            Some(text) => PathSide::File(text.as_str().into(), 0o644),
            None => PathSide::Absent,
        };
        let patch = Patch {
            path: self.file.display().to_string().trim_start_matches('/').to_owned(),
            before: side(&self.before),
            after: side(&Some(self.after.clone())),
        };
        let coloured = anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never;
        patch.write(&mut anstream::stdout().lock(), coloured)?;
        Ok(())
    }

    /// Which sessions read these settings: the client goes by the folder that it is started in.
    fn reach(&self) -> String {
        let folder = self.place.ancestors().nth(2).unwrap_or(&self.place).display();
        let below = match self.version {
            Some(version) if version >= READS_MAIN_CHECKOUT && self.scope == ScopeArg::Local => {
                "and, where that is the top of a repository, in folders below it and in its linked working trees"
            }
            _ => {
                "and not in folders below it, which have settings of their own: `--scope user` guards all of them"
            }
        };
        match self.scope {
            ScopeArg::User => "Guarded: every session of yours, in any folder.".to_owned(),
            ScopeArg::Local => format!("Guarded: your sessions that are started in {folder}, {below}."),
            ScopeArg::Project => format!(
                "Guarded: sessions of everybody that are started in {folder}, {below}. Commit {} with the settings: it \
                 finds each person's own {HOOK_BINARY}, and says once at a session's start where there is none.",
                shared_hook::NAME
            ),
        }
    }

    /// The same for programs.
    pub(super) fn as_json(&self, dry_run: bool) -> Value {
        let events: Vec<&str> = self.wanted.registrations().map(|one| one.event).collect();
        json!({
            "settings": self.file,
            "dry_run": dry_run,
            "changed": self.changes(),
            "before": self.before,
            "after": self.after,
            "command": self.command,
            "events": events,
            "fail_closed": self.fail_closed,
            "reach": self.reach(),
            "foreign": self.foreign,
            "trial": {
                "decision": self.trial.decision,
                "reason": self.trial.reason,
                "took_ms": u64::try_from(self.trial.took.as_millis()).unwrap_or(u64::MAX),
            },
        })
    }
}

/// The program of the status line: `steadfast`, beside the hook, or what the hook is a link to.
fn status_line_program(hook: &Path) -> Result<String> {
    let beside = hook.with_file_name("steadfast");
    let program = if beside.is_file() { beside } else { hook.canonicalize()?.with_file_name("steadfast") };
    ensure!(program.is_file(), "{} is missing; the status line needs it", program.display());
    program.to_str().map(str::to_owned).with_context(|| format!("{} is not UTF-8", program.display()))
}
