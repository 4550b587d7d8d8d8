//! One text of reinforcement, and where it reaches the agent.

use crate::state::loop_state::Level;

/// Where a text reaches the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReinforcementPoint {
    /// When an iteration begins.
    PreIteration,
    /// Before a risky call.
    PreToolCall,
    /// After an error that keeps coming.
    PostError,
}

/// One text.
#[derive(Debug, Clone, PartialEq)]
pub struct ReinforcementTemplate {
    /// Its name; a project's file `ID.md` replaces its text.
    pub id: &'static str,
    /// Where it is used.
    pub point: ReinforcementPoint,
    /// At which levels; all when empty.
    pub levels: &'static [Level],
    /// For which types of task; all when empty.
    pub tasks: &'static [&'static str],
    /// For which kinds of error; all when empty.
    pub errors: &'static [&'static str],
    /// The text.
    pub text: &'static str,
}
