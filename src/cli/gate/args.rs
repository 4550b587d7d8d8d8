//! The arguments of `steadfast gate`.

use clap::{Args, Subcommand};

use crate::state::false_alarms::{SilenceRequest, SilenceScope};

/// Decide what waits for a person
#[derive(Debug, Args)]
pub struct GateArgs {
    #[command(subcommand)]
    pub(super) command: Option<GateCommand>,
}

/// What to do; without one, show what is open and ask.
#[derive(Debug, Subcommand)]
pub enum GateCommand {
    /// Show what waits for a decision
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Show what has changed since the last good checkpoint
    Diff(WhichGateArgs),
    /// Accept the loss: what is there now is the new baseline
    #[command(alias = "accept")]
    Approve(AnswerArgs),
    /// Take the iteration's changes back, and let the loop go on from there
    Reject(Rejection),
    /// End the loop; the changes stay
    Abort(AnswerArgs),
    /// Let a stuck loop go on with a different approach
    Continue(AnswerArgs),
    /// Pause a stuck loop while you mend it by hand
    ManualFix(AnswerArgs),
    /// Close a regression as a false alarm
    #[command(alias = "legitimate")]
    FalsePositive(FalseAlarmArgs),
    /// Close a regression as a false alarm, and silence its pattern in that file
    Whitelist(Whitelist),
    /// Show what led to a gate, and what was decided before
    History(WhichGateArgs),
    /// Show ways in which nothing would get lost
    Suggest(WhichGateArgs),
    /// Leave a gate to another person; it stays open
    Delegate(Delegate),
}

/// Which gate is meant.
#[derive(Debug, Args)]
pub struct WhichGateArgs {
    /// The gate's or a regression's id, or the first part of it; the only open one when not given
    pub(super) id: Option<String>,
}

/// A decision.
#[derive(Debug, Args)]
pub struct AnswerArgs {
    #[command(flatten)]
    pub(super) which: WhichGateArgs,
    /// What the log and the agent should know
    #[arg(long)]
    pub(super) reason: Option<String>,
}

/// A rejection.
#[derive(Debug, Args)]
pub struct Rejection {
    #[command(flatten)]
    pub(super) answer: AnswerArgs,
    /// Replace newer work of others too; it is kept first
    #[arg(long)]
    pub(super) force: bool,
}

/// A false alarm.
#[derive(Debug, Args)]
pub struct FalseAlarmArgs {
    /// The regression's id, or the first part of it, as `steadfast status` shows it
    pub(super) event: String,
    /// Why it is none
    #[arg(long)]
    pub(super) reason: String,
}

/// How long a whitelist holds unless it says so, in days.
pub(super) const DAYS: u32 = 90;

/// A whitelist.
#[derive(Debug, Args)]
pub struct Whitelist {
    #[command(flatten)]
    pub(super) alarm: FalseAlarmArgs,
    /// Silence the pattern in the whole project
    #[arg(long)]
    everywhere: bool,
    /// For so many days
    #[arg(long, default_value_t = DAYS)]
    days: u32,
}

impl Whitelist {
    /// What is silent, and for how long.
    pub(super) fn silence(&self) -> SilenceRequest {
        let scope = if self.everywhere { SilenceScope::Project } else { SilenceScope::File };
        SilenceRequest { scope, days: Some(self.days) }
    }
}

/// Another person.
#[derive(Debug, Args)]
pub struct Delegate {
    /// Who decides, by a name that people here know
    pub(super) to: String,
    /// The gate
    #[command(flatten)]
    pub(super) which: WhichGateArgs,
    /// What they should know
    #[arg(long)]
    pub(super) reason: Option<String>,
}
