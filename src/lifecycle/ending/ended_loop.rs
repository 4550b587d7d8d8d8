//! A loop that ends, for all that tells how it ended.

use jiff::Timestamp;

use crate::lifecycle::ending::outcome::LoopEnding;
use crate::loops::verification::VerificationResult;
use crate::project::Project;
use crate::state::layout::Layout;
use crate::state::loop_state::LoopState;

/// A loop that ends, as it was before its state says so.
#[derive(Clone, Copy)]
pub(crate) struct EndedLoop<'a> {
    pub(crate) project: &'a Project,
    pub(crate) layout: &'a Layout,
    pub(crate) state: &'a LoopState,
    pub(crate) ending: LoopEnding,
    /// What the criterion gave last, where it was run.
    pub(crate) verification: Option<&'a VerificationResult>,
    pub(crate) now: Timestamp,
}
