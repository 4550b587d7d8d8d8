//! `steadfast allow`: a person lets one refused command run, once.

use anstream::println;
use anyhow::{Result, bail};
use clap::Args;
use jiff::Timestamp;

use super::columns::moment;
use super::human;
use crate::project::Project;
use crate::state::allowance;
use crate::state::layout::Layout;
use crate::state::lock::CLI_WAIT;

/// Let a refused command run once
#[derive(Debug, Args)]
pub struct AllowArgs {
    /// The code that was shown when the command was refused; without one, list what was refused
    code: Option<String>,
}

/// Lists refused commands, or allows one.
pub fn run(args: &AllowArgs) -> Result<u8> {
    let project = Project::locate(&std::env::current_dir()?);
    let layout = Layout::of_project(project.root());
    let Some(code) = &args.code else {
        for one in allowance::read(&layout)? {
            let state = if one.granted_at.is_some() { "allowed once" } else { "refused" };
            println!("{}  {state}  {}", moment(one.refused_at), one.command);
        }
        return Ok(0);
    };
    human::at_a_terminal("allow a command")?;
    match allowance::grant(&layout, code, "terminal", Timestamp::now(), CLI_WAIT)? {
        Some(command) => println!("Allowed once, exactly as it was: {command}"),
        None => bail!("this code is not one that was shown for a refused command"),
    }
    Ok(0)
}
