//! `steadfast allow`: a person lets a refused call run once, or from now on, or calls the refusal wrong.

mod rule;
mod wrong;

use anstream::println;
use anyhow::{Result, bail};
use clap::Args;
use jiff::Timestamp;
use serde_json::{Value, json};

use super::columns::{self, moment};
use super::human;
use super::undo::shown;
use crate::project::Project;
use crate::state::allowance::{self, Allowance};
use crate::state::layout::Layout;
use crate::state::lock::CLI_WAIT;

/// Let a refused call run once, or from now on
#[derive(Debug, Args)]
pub struct AllowArgs {
    /// The code that was shown when the call was refused; without one, list what was refused
    code: Option<String>,
    /// From now on: writes the command into aiwg.yml, or for an edit silences what was found in that file. `=PATTERN` says
    /// which command, by program and arguments
    #[arg(long, value_name = "PATTERN", num_args = 0..=1, require_equals = true, default_missing_value = "", requires = "code")]
    always: Option<String>,
    /// Print the list as JSON
    #[arg(long, conflicts_with = "code")]
    json: bool,
    /// The refusal was wrong: the same finding is silent from now on, and counted as a false alarm
    #[arg(long, value_name = "WHY", requires = "code", conflicts_with = "always")]
    false_alarm: Option<String>,
}

/// Lists refused calls, or allows one.
pub fn run(args: &AllowArgs) -> Result<u8> {
    let project = Project::locate(&std::env::current_dir()?);
    let layout = Layout::of_project(project.root());
    let Some(code) = &args.code else { return list(&layout, args.json) };
    human::at_a_terminal("allow a command")?;
    let now = Timestamp::now();
    let refused = refused(&layout, code, now)?;
    let said = match (&args.always, &args.false_alarm) {
        (Some(pattern), _) => rule::write(&project, &layout, &refused, pattern, now)?,
        (None, Some(why)) => wrong::note(&layout, &refused, why, now)?,
        (None, None) => String::new(),
    };
    if !said.is_empty() {
        println!("{said}");
        return Ok(0);
    }
    match allowance::grant(&layout, code, "terminal", now, CLI_WAIT)? {
        Some(command) => println!("Allowed once, exactly as it was: {}", shown(&command)),
        None => bail!("{UNKNOWN}"),
    }
    Ok(0)
}

/// Lists the calls that were refused, oldest first.
fn list(layout: &Layout, as_json: bool) -> Result<u8> {
    let refused = allowance::read(layout)?;
    if as_json {
        let row = |one: &Allowance| json!({"refused_at": one.refused_at, "call": one.command, "allowed_at": one.granted_at});
        println!("{:#}", json!({"refused": refused.iter().map(row).collect::<Vec<Value>>()}));
        return Ok(0);
    }
    for one in &refused {
        let state = if one.granted_at.is_some() { "allowed once" } else { "refused" };
        let line = format!("{}  {state}  {}", moment(one.refused_at), shown(&one.command));
        println!("{}", columns::fitted(&line));
    }
    println!("{}", columns::fitted(if refused.is_empty() { NOTHING } else { HOW }));
    Ok(0)
}

const NOTHING: &str = "No call that you could allow was refused in this project yet.";
const HOW: &str = "Each refusal has shown you a code: `steadfast allow CODE` lets that call run once, with --always from now on.";
const UNKNOWN: &str =
    "this code is not one that was shown for a refused command; `steadfast allow` lists what was refused";

/// The refused call that a code was shown for.
fn refused(layout: &Layout, code: &str, now: Timestamp) -> Result<Allowance> {
    let known = allowance::read(layout)?.into_iter().rev().find(|one| one.code.is(code));
    match known {
        Some(refused) => Ok(refused),
        None => {
            // A wrong code counts, whatever it was typed for.
            allowance::grant(layout, code, "terminal", now, CLI_WAIT)?;
            bail!("{UNKNOWN}")
        }
    }
}
