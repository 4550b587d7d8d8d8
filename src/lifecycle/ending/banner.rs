//! The banner of a loop that has ended, for the person.

use crate::lifecycle::ending::ended_loop::EndedLoop;
use crate::lifecycle::ending::extent::ChangeExtent;
use crate::lifecycle::ending::outcome::LoopEnding;
use crate::lifecycle::ending::reports::WrittenReports;
use crate::lifecycle::iteration::limits::raised;
use crate::lifecycle::iteration::record::earlier_learnings;
use crate::loops::verification::VerificationResult;
use crate::state::loop_state::LONGEST_MINUTES;
use crate::text::banner;
use crate::text::banner::{AbortedLoop, LimitReached, LoopLimit, SuccessfulLoop};

/// What the person reads at the end of a loop.
pub(crate) fn banner(ended: &EndedLoop, paths: &WrittenReports) -> String {
    let EndedLoop { layout, state, ending, verification, now, .. } = *ended;
    let learnings = earlier_learnings(state);
    let seconds = now.duration_since(state.started_at).as_secs().max(0) as u64;
    let iterations = state.metrics.total_iterations;
    let ChangeExtent { files, added, removed, ref others } = paths.extent;
    let state_path = layout.state(&state.loop_id).display().to_string();
    let limit = |limit| {
        let last_attempt = state.iteration_history.last().map_or("", |record| &record.action);
        banner::limit(&LimitReached {
            loop_id: &state.loop_id,
            task: &state.task,
            limit,
            iterations,
            max: state.configuration.max_iterations,
            higher: raised(state.configuration.max_iterations),
            minutes: state.configuration.timeout_minutes.unwrap_or(LONGEST_MINUTES),
            last_attempt,
            verification,
            learnings: &learnings,
            state: &state_path,
            report: &paths.completion,
        })
    };
    match ending {
        LoopEnding::MaxIterations => limit(LoopLimit::MaxIterations),
        LoopEnding::Timeout => limit(LoopLimit::Timeout),
        LoopEnding::Success => banner::success(&SuccessfulLoop {
            task: &state.task,
            iterations,
            seconds,
            verification: verification.unwrap_or(&VerificationResult::default()),
            files,
            added,
            removed,
            others,
            report: &paths.completion,
        }),
        LoopEnding::Aborted | LoopEnding::Reverted(_) => banner::aborted(&AbortedLoop {
            loop_id: &state.loop_id,
            task: &state.task,
            iterations,
            seconds,
            reason: "",
            reverted: matches!(ending, LoopEnding::Reverted(_)),
            files: if let LoopEnding::Reverted(files) = ending { files } else { files },
            learnings: &learnings,
            report: &paths.completion,
            state: &state_path,
        }),
    }
}
