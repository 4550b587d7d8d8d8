//! `steadfast gate`: a person decides what Steadfast holds open.
//!
//! Looking is free for all. Deciding asks for a terminal outside of any agent's session, and every refusal is in the
//! loop's log.

mod args;
mod decide;
mod diff;
mod open;
mod options;
mod picker;

use anyhow::Result;
pub use args::{
    AnswerArgs, Delegate, FalseAlarmArgs, GateArgs, GateCommand, Rejection, WhichGateArgs, Whitelist,
};
use jiff::Timestamp;

use self::decide::{accept_early, decide, false_alarm};
use self::open::{OpenGate, find, guarded, open_gates};
use super::human;
use crate::definitions;
use crate::lifecycle::gate::decision::DecidedBy;
use crate::project::Project;
use crate::state::false_alarms::SilenceRequest;
use crate::state::gate::GateDecision;
use crate::state::layout::Layout;

/// Runs a gate command.
pub fn run(args: &GateArgs) -> Result<u8> {
    let project = Project::locate(&std::env::current_dir()?);
    let layout = definitions::layout_of(project.root());
    let now = Timestamp::now();
    let open = open_gates(&layout)?;
    match &args.command {
        None => picker::pick(&project, &layout, &open),
        Some(GateCommand::List { json }) => picker::list(&open, *json, &project),
        Some(GateCommand::Diff(which)) => {
            diff::diff(&project, &layout, find(&layout, &open, which)?).map(done)
        }
        Some(GateCommand::History(which)) => {
            if open.is_empty() || find(&layout, &open, which).is_err() {
                return options::decided(&layout, which).map(done);
            }
            options::history(&layout, find(&layout, &open, which)?).map(done)
        }
        Some(GateCommand::Suggest(which)) => {
            options::suggest(&layout, find(&layout, &open, which)?).map(done)
        }
        Some(GateCommand::FalsePositive(alarm)) => {
            false_alarm(&project, &layout, alarm, SilenceRequest::default(), now)
        }
        Some(GateCommand::Whitelist(whitelist)) => {
            false_alarm(&project, &layout, &whitelist.alarm, whitelist.silence(), now)
        }
        Some(GateCommand::Delegate(delegate)) => {
            guarded(&layout, &open, human::at_a_terminal("leave a gate to another person"))?;
            let one = find(&layout, &open, &delegate.which)?;
            options::delegate(&project, &layout, one, delegate, now)
        }
        Some(GateCommand::Approve(answer)) => {
            decided(&project, &layout, &open, answer, GateDecision::Approve)
        }
        Some(GateCommand::Reject(rejection)) => rejected(&project, &layout, &open, rejection),
        Some(GateCommand::Abort(answer)) => decided(&project, &layout, &open, answer, GateDecision::Abort),
        Some(GateCommand::Continue(answer)) => {
            decided(&project, &layout, &open, answer, GateDecision::Continue)
        }
        Some(GateCommand::ManualFix(answer)) => {
            decided(&project, &layout, &open, answer, GateDecision::ManualFix)
        }
    }
}

fn done((): ()) -> u8 {
    0
}

fn decided(
    project: &Project,
    layout: &Layout,
    open: &[OpenGate],
    answer: &AnswerArgs,
    decision: GateDecision,
) -> Result<u8> {
    guarded(layout, open, human::at_a_terminal("decide at a gate"))?;
    let one = match find(layout, open, &answer.which) {
        Ok(one) => one,
        // A regression whose recovery still runs has no gate yet; a person may accept it all the same.
        Err(_) if decision == GateDecision::Approve && answer.which.id.is_some() => {
            return accept_early(project, layout, answer, Timestamp::now());
        }
        Err(error) => return Err(error),
    };
    let decision = one.gate.meant(decision.name()).unwrap_or(decision);
    decide(project, layout, one, decision, human::decider(answer.reason.clone()))
}

fn rejected(project: &Project, layout: &Layout, open: &[OpenGate], rejection: &Rejection) -> Result<u8> {
    guarded(layout, open, human::at_a_terminal("decide at a gate"))?;
    let one = find(layout, open, &rejection.answer.which)?;
    let decision = one.gate.meant(GateDecision::Reject.name()).unwrap_or(GateDecision::Reject);
    let by = DecidedBy { force: rejection.force, ..human::decider(rejection.answer.reason.clone()) };
    decide(project, layout, one, decision, by)
}
