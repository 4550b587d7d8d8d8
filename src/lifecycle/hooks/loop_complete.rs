//! `loop_complete`: the session's loop is over, and the person hears how it ended.

use crate::lifecycle::context::hook_context::HookContext;
use crate::loops::verification::VerificationResult;
use crate::model::verdict::Answer;

pub use crate::lifecycle::ending::best::select;
pub use crate::lifecycle::ending::finish::finish;
pub use crate::lifecycle::ending::outcome::LoopEnding;

/// Ends the session's loop and tells the person its banner.
pub fn run(
    context: &mut HookContext,
    ending: LoopEnding,
    verification: Option<&VerificationResult>,
) -> Answer {
    let Some(bound) = context.bound.clone() else { return Answer::default() };
    let now = jiff::Timestamp::now();
    let (Ok(human) | Err(human)) =
        finish(&context.project, &context.layout, &bound.id, ending, verification, now);
    Answer::telling(human)
}
