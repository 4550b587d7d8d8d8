//! What a loop cost, as far as the host's transcripts tell.

use jiff::Timestamp;

use crate::metrics::transcript;
use crate::state::loop_state::LoopState;

/// What a loop cost, in all and by iteration, as far as the host's transcripts tell.
#[derive(Debug, Default)]
pub(crate) struct LoopCost {
    pub(crate) total: (Option<u64>, Option<f64>),
    pub(crate) by_iteration: Vec<(Option<u64>, Option<f64>)>,
}

/// Reads from the transcripts what the loop cost.
pub(crate) fn costs(state: &LoopState, now: Timestamp) -> LoopCost {
    let mut answers = Vec::new();
    for path in state.transcripts.iter().flatten() {
        if let Ok(file) = std::fs::File::open(path) {
            answers.extend(transcript::answers(&mut std::io::BufReader::new(file)));
        }
    }
    let mut from = state.started_at;
    let by_iteration = state.iteration_history.iter().map(|record| {
        let spent = transcript::spent(&answers, from, record.timestamp);
        from = record.timestamp;
        spent
    });
    LoopCost {
        by_iteration: by_iteration.collect(),
        total: transcript::spent(&answers, state.started_at, now),
    }
}
