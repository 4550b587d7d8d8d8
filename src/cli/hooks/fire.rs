//! `steadfast hook NAME < payload.json`: fires one of the ten hooks by its name and prints the agents' answer.

use std::io::Read;
use std::path::Path;

use anstream::println;
use anyhow::{Context, Result};
use clap::Args;

use crate::definitions::model::Definitions;
use crate::definitions::names::HookName;
use crate::lifecycle::hooks::by_name;

/// The most that is read of a payload, bytes.
const PAYLOAD_LIMIT: u64 = 16 * 1024 * 1024;

/// Arguments of `steadfast hook`.
#[derive(Debug, Args)]
pub struct HookArgs {
    /// loop_start, pre_iteration, pre_tool_call, post_tool_call, post_iteration, on_error, regression_detected,
    /// reinforcement_escalation, stuck_loop_detected or loop_complete
    name: String,
}

/// Reads a payload from stdin, asks the hook's agents, and prints their answer as one message.
pub fn run(args: &HookArgs, project: &Path) -> Result<u8> {
    let known = || HookName::ALL.iter().map(|hook| hook.name()).collect::<Vec<_>>().join(", ");
    let hook =
        HookName::of(&args.name).with_context(|| format!("{:?} is no hook: {}", args.name, known()))?;
    let mut payload = Vec::new();
    std::io::stdin().lock().take(PAYLOAD_LIMIT).read_to_end(&mut payload)?;
    let loaded = Definitions::read(project);
    for problem in &loaded.problems {
        anstream::eprintln!("steadfast: {problem}");
    }
    let answer = by_name::fire(hook, &payload, project, &loaded, jiff::Timestamp::now())?;
    println!("{}", serde_json::to_string_pretty(&answer)?);
    Ok(0)
}
