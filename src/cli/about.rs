//! What `steadfast` says of itself: its version, how it is updated, completions for shells, and its manual.

use std::env;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anstream::println;
use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use serde_json::json;

use super::columns::say;
use super::install::client;
use super::reader_gone_is_fine;
use crate::hosts::claude_code::registration::HOOK_BINARY;
use crate::hosts::claude_code::versions::{TESTED, written};

/// Say which version this is, where it lies, and which clients it was tested with
#[derive(Debug, Args)]
pub struct VersionArgs {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Say how Steadfast is updated, for the way in which it was installed
#[derive(Debug, Args)]
pub struct UpdateArgs {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Print a shell's completions of this command
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

/// The shells.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Shell {
    Bash,
    Zsh,
    Fish,
}

/// Print the manual page, or write one for each command into a folder
#[derive(Debug, Args)]
pub struct ManArgs {
    /// The folder for the pages: `steadfast.1`, `steadfast-install.1` and so on
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

/// The way in which this executable came here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum InstallMethod {
    Npm,
    Python,
    Homebrew,
    Cargo,
    Plugin,
    Script,
}

impl InstallMethod {
    /// By the folders that each way puts it into.
    fn of(executable: &Path) -> InstallMethod {
        let has = |name: &str| executable.components().any(|part| part.as_os_str() == name);
        let beside_python = || {
            let folder = executable.parent().unwrap_or(executable);
            // A virtual environment, and the tools that make one for each program.
            folder.parent().is_some_and(|root| root.join("pyvenv.cfg").exists())
        };
        match () {
            () if has("node_modules") => InstallMethod::Npm,
            () if has("site-packages") || beside_python() => InstallMethod::Python,
            () if has("Cellar") || has("homebrew") || has("linuxbrew") || has(".linuxbrew") => {
                InstallMethod::Homebrew
            }
            () if has(".cargo") => InstallMethod::Cargo,
            () if has("plugins") && has(".claude") => InstallMethod::Plugin,
            () => InstallMethod::Script,
        }
    }

    fn name(self) -> &'static str {
        match self {
            InstallMethod::Npm => "npm",
            InstallMethod::Python => "python",
            InstallMethod::Homebrew => "homebrew",
            InstallMethod::Cargo => "cargo",
            InstallMethod::Plugin => "plugin",
            InstallMethod::Script => "script",
        }
    }

    /// The commands that bring a newer version.
    fn commands(self) -> &'static [&'static str] {
        match self {
            InstallMethod::Npm => &["npm update --global steadfast"],
            InstallMethod::Python => &["pip install --upgrade steadfast"],
            InstallMethod::Homebrew => &["brew upgrade steadfast"],
            InstallMethod::Cargo => &["git -C CLONE pull", "cargo install --locked --path CLONE"],
            InstallMethod::Plugin => {
                &["claude plugin marketplace update steadfast", "claude plugin update steadfast@steadfast"]
            }
            InstallMethod::Script => &["git -C CLONE pull", "CLONE/install.sh PROJECT"],
        }
    }
}

/// What is to be done after every update.
const AFTERWARDS: &str = "`steadfast install` afterwards registers events that a newer version knows; `steadfast doctor` says \
                          whether it has to be.";

/// Prints the version.
pub fn version(args: &VersionArgs) -> Result<u8> {
    let own = env::current_exe().context("where this executable lies is not known")?;
    let hook = own.with_file_name(HOOK_BINARY);
    let found = client::version(None).map(written);
    let tested: Vec<String> = TESTED.iter().copied().map(written).collect();
    let version = env!("CARGO_PKG_VERSION");
    if args.json {
        let hook = hook.is_file().then_some(hook);
        let value = json!({
            "version": version, "executable": own, "hook": hook, "client": found, "tested_clients": tested,
        });
        println!("{value:#}");
        return Ok(0);
    }
    println!("steadfast {version}");
    say(format_args!("Executable: {}", own.display()));
    match hook.is_file() {
        true => say(format_args!("Hook: {}", hook.display())),
        false => say("Hook: not beside it; `steadfast doctor` says more"),
    }
    println!("Claude Code: {}", found.as_deref().unwrap_or("not on PATH"));
    say(format_args!("Tested with Claude Code {}", tested.join(" and ")));
    Ok(0)
}

/// Says how it is updated. Nothing is fetched: what runs at every call is changed by its person alone.
pub fn update(args: &UpdateArgs) -> Result<u8> {
    let own = env::current_exe().context("where this executable lies is not known")?;
    let own = own.canonicalize().unwrap_or(own);
    let way = InstallMethod::of(&own);
    if args.json {
        let value = json!({
            "version": env!("CARGO_PKG_VERSION"), "executable": own, "way": way.name(), "commands": way.commands(),
        });
        println!("{value:#}");
        return Ok(0);
    }
    say(format_args!("steadfast {} lies in {}.", env!("CARGO_PKG_VERSION"), own.display()));
    println!("A newer version comes with:");
    way.commands().iter().for_each(|command| println!("  {command}"));
    if way.commands().iter().any(|command| command.contains("CLONE")) {
        say("CLONE is the folder that it was installed from.");
    }
    say(AFTERWARDS);
    Ok(0)
}

/// Prints completions of `command`.
pub fn completions(args: &CompletionsArgs, mut command: clap::Command) -> Result<u8> {
    use clap_complete::{Shell as Known, generate};
    let shell = match args.shell {
        Shell::Bash => Known::Bash,
        Shell::Zsh => Known::Zsh,
        Shell::Fish => Known::Fish,
    };
    let mut text = Vec::new();
    generate(shell, &mut command, "steadfast", &mut text);
    reader_gone_is_fine(io::stdout().lock().write_all(&text).map(|()| 0))
}

/// Prints the manual of `command`, or writes the pages of all its commands.
pub fn manual(args: &ManArgs, command: clap::Command) -> Result<u8> {
    if let Some(folder) = &args.dir {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        clap_mangen::generate_to(command, folder)
            .with_context(|| format!("cannot write the pages into {}", folder.display()))?;
        println!("The pages are in {}.", folder.display());
        return Ok(0);
    }
    let mut text = Vec::new();
    clap_mangen::Man::new(command).render(&mut text)?;
    reader_gone_is_fine(io::stdout().lock().write_all(&text).map(|()| 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_of_an_installation_is_told_by_its_folders() {
        for (path, way) in [
            ("/usr/lib/node_modules/steadfast/bin/steadfast", InstallMethod::Npm),
            ("/h/.local/lib/python3.12/site-packages/steadfast/steadfast", InstallMethod::Python),
            ("/opt/homebrew/Cellar/steadfast/0.1.0/bin/steadfast", InstallMethod::Homebrew),
            ("/h/.cargo/bin/steadfast", InstallMethod::Cargo),
            ("/h/.claude/plugins/cache/steadfast/bin/steadfast", InstallMethod::Plugin),
            ("/h/.local/bin/steadfast", InstallMethod::Script),
        ] {
            assert_eq!(InstallMethod::of(Path::new(path)), way, "{path}");
            assert!(!way.commands().is_empty());
        }
        let scratch = tempfile::tempdir().unwrap();
        fs::create_dir(scratch.path().join("bin")).unwrap();
        fs::write(scratch.path().join("pyvenv.cfg"), "").unwrap();
        assert_eq!(InstallMethod::of(&scratch.path().join("bin/steadfast")), InstallMethod::Python);
    }
}
