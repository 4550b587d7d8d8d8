//! `steadfast hosts`: the agents that Steadfast knows, which are here, and what calls it.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use serde_json::{Value, json};

use super::install::other_hosts::{InstallableHost, known};
use super::{columns, guard, reader_gone_is_fine};
use crate::hosts::Host;
use crate::hosts::claude_code::ClaudeCode;
use crate::hosts::matrix;

/// Show the agents that Steadfast knows, which are here, and where its hooks are registered for them
#[derive(Debug, Args)]
pub struct HostsArgs {
    /// Print JSON
    #[arg(long, conflicts_with = "matrix")]
    json: bool,
    /// Print what each agent can express at each event, as the table of docs/hosts.md
    #[arg(long)]
    matrix: bool,
}

/// An agent as it stands in this project.
struct HostStanding {
    host: &'static dyn Host,
    is_here: bool,
    registered: Vec<PathBuf>,
    by_claude_code: Option<PathBuf>,
}

/// Shows the agents. Returns the exit code.
pub fn run(args: &HostsArgs) -> Result<u8> {
    let mut out = io::BufWriter::new(anstream::stdout().lock());
    let text = match (args.matrix, args.json) {
        (true, _) => matrix::text(),
        (false, true) => format!("{:#}\n", as_json(&standing()?)),
        (false, false) => columns::fitted(&standing()?.iter().map(line).collect::<String>()) + "\n",
    };
    reader_gone_is_fine(out.write_all(text.as_bytes()).and_then(|()| out.flush()).map(|()| 0))
}

fn standing() -> Result<Vec<HostStanding>> {
    let project = std::env::current_dir()?;
    let of = |known: InstallableHost| HostStanding {
        host: known.host,
        is_here: known.is_here(&project),
        registered: known.registered_in(&project),
        by_claude_code: known.registered_as_claude_code(&project),
    };
    Ok(std::iter::once(claude_code(&project)).chain(known().map(of)).collect())
}

/// Claude Code as it stands here: the settings that a session started in this folder reads, and the plugin.
fn claude_code(project: &Path) -> HostStanding {
    let calling = guard::calling(project, None);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let is_installed = std::env::split_paths(&path).any(|folder| folder.join("claude").is_file());
    let settings = calling.in_force().map(|seen| seen.file.path.clone());
    HostStanding {
        host: &ClaudeCode,
        is_here: is_installed || guard::own_folder().is_some_and(|own| own.is_dir()),
        registered: settings.chain(calling.plugin.clone()).collect(),
        by_claude_code: None,
    }
}

fn line(standing: &HostStanding) -> String {
    let host = standing.host;
    let shown = |path: &PathBuf| path.display().to_string();
    let registered = match (standing.registered.as_slice(), &standing.by_claude_code) {
        ([], None) if standing.is_here => "here, not installed".to_owned(),
        ([], None) => "not here".to_owned(),
        ([], Some(settings)) => format!("called by Claude Code's {}", shown(settings)),
        (files, None) => files.iter().map(shown).collect::<Vec<_>>().join(", "),
        (files, Some(settings)) => format!(
            "{}, and called a second time by Claude Code's {}",
            files.iter().map(shown).collect::<Vec<_>>().join(", "),
            shown(settings)
        ),
    };
    format!("{:<12} {:<14} {registered}\n", host.name(), host.title())
}

fn as_json(all: &[HostStanding]) -> Value {
    let rows = all.iter().map(|one| {
        json!({
            "host": one.host.name(),
            "title": one.host.title(),
            "is_here": one.is_here,
            "registered": one.registered,
            "called_by_claude_code": one.by_claude_code,
        })
    });
    Value::Array(rows.collect())
}
