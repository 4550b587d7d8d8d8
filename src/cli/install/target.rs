//! Whose settings an installation is for: the host, the scope and the project.

use std::path::{Path, PathBuf};
use std::{env, path};

use anyhow::{Result, ensure};
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};

use crate::cli::install::other_hosts::{InstallableHost, known};
use crate::cli::install::record::home;
use crate::hosts::Host;
use crate::hosts::claude_code::ClaudeCode;

/// Which of a host's settings files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ScopeArg {
    /// This person, this project, not shared: `.claude/settings.local.json`.
    Local,
    /// Everyone who works on the project: `.claude/settings.json`, `.codex/hooks.json`.
    Project,
    /// This person, every project: `~/.claude/settings.json`, `~/.codex/hooks.json`.
    User,
}

/// Which settings file is meant.
#[derive(Debug, Clone, Args)]
pub struct TargetArgs {
    /// The project whose sessions are to be guarded [default: the current directory]
    #[arg(value_name = "DIR", conflicts_with = "project")]
    pub directory: Option<PathBuf>,
    /// The same, by name
    #[arg(long, value_name = "DIR")]
    pub project: Option<PathBuf>,
    /// The file that is changed [default: local for Claude Code, project for others that have it]
    #[arg(long, value_enum)]
    pub scope: Option<ScopeArg>,
    /// The agents, with commas between them, or `all` that are here [default: claude-code]; `steadfast hosts` lists them
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = host_names())]
    pub host: Vec<String>,
}

impl TargetArgs {
    /// The scope of Claude Code's settings.
    pub(super) fn settings_scope(&self) -> ScopeArg {
        self.scope.unwrap_or(ScopeArg::Local)
    }

    /// The project, absolute.
    pub(super) fn project(&self) -> Result<PathBuf> {
        let project = self.directory.as_ref().or(self.project.as_ref());
        let project = project.map_or(Path::new("."), PathBuf::as_path);
        ensure!(project.is_dir(), "{} is not a directory", project.display());
        Ok(project.canonicalize()?)
    }

    /// Whether Claude Code is meant, and which other hosts.
    pub(super) fn hosts(
        &self,
        project: &Path,
        keep: impl Fn(&InstallableHost) -> bool,
    ) -> (bool, Vec<InstallableHost>) {
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

impl From<ScopeArg> for crate::hosts::installation::InstallationScope {
    fn from(scope: ScopeArg) -> Self {
        match scope {
            ScopeArg::Local => crate::hosts::installation::InstallationScope::Local,
            ScopeArg::Project => crate::hosts::installation::InstallationScope::Project,
            ScopeArg::User => crate::hosts::installation::InstallationScope::User,
        }
    }
}

/// The settings file in its scope's folder, absolute.
pub(super) fn settings_place(target: &TargetArgs) -> Result<PathBuf> {
    let name = match target.settings_scope() {
        ScopeArg::User => {
            return match env::var_os("CLAUDE_CONFIG_DIR").filter(|value| !value.is_empty()) {
                Some(directory) => Ok(path::absolute(PathBuf::from(directory).join("settings.json"))?),
                None => Ok(home()?.join(".claude/settings.json")),
            };
        }
        ScopeArg::Project => "settings.json",
        ScopeArg::Local => "settings.local.json",
    };
    Ok(target.project()?.join(".claude").join(name))
}
