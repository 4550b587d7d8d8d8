//! `steadfast gate`: a person accepts a regression that Steadfast holds open.

use anstream::println;
use anyhow::{Result, bail};
use clap::Subcommand;

use crate::definitions::model::Definitions;
use crate::lifecycle::scene::change_state;
use crate::project::Project;
use crate::state::atomic::Durability;
use crate::state::lock::CLI_WAIT;
use crate::state::loop_state::LoopState;
use crate::state::records::HumanDecision;
use crate::state::registry::Registry;

/// Decide about open regressions
#[derive(Debug, Subcommand)]
pub enum GateCommand {
    /// Accept a loss: the work may count as done without what was lost
    Approve {
        /// The regression's id, or the first part of it, as `steadfast status` shows it
        event: String,
    },
}

/// Runs a gate command.
pub fn run(command: &GateCommand) -> Result<u8> {
    super::human::only("decide about a regression")?;
    let GateCommand::Approve { event } = command;
    let project = Project::locate(&std::env::current_dir()?);
    let layout = Definitions::read(project.root()).layout(project.root());
    let mut matches = Vec::new();
    for id in Registry::read(&layout)?.loops.keys() {
        let Ok(state) = LoopState::read(&layout, id) else { continue };
        let open = state.open_regressions().filter(|open| open.event_id.starts_with(event.as_str()));
        matches.extend(open.map(|open| (id.clone(), open.event_id.clone())));
    }
    let [(id, event_id)] = matches.as_slice() else {
        bail!("{} open regressions match {event:?}; `steadfast status` lists them", matches.len());
    };
    let now = jiff::Timestamp::now();
    let changed = change_state(&layout, id, CLI_WAIT, Durability::Power, now, |state| {
        let event = state.regression_events.iter_mut().find(|event| event.event_id == *event_id);
        let lost = event.map(|event| {
            event.human_gate_invoked = true;
            event.human_decision = Some(HumanDecision::Approve);
            event.lost()
        });
        state.note_regressions();
        lost.unwrap_or_default()
    })
    .map_err(anyhow::Error::msg)?;
    println!("Accepted: {}", changed.value.join(", "));
    Ok(0)
}
